"""Sheets as an OpenDocument spreadsheet (report.ods), made with odfdo."""

import datetime as dt
import io
import zipfile
from collections.abc import Callable, Collection, Iterator, Mapping
from importlib.metadata import version
from typing import Any
from xml.sax.saxutils import escape

from atreport.export.workbook import (
    EXTRA,
    Entry,
    Sheet,
    Workbook,
    column_name,
    decimals_of,
    lines_of,
    printed,
    table_place,
    widths,
    workbook_of,
)
from atreport.report.model import Report
from atreport.resources import load_library
from atreport.text.language import gettext

MIMETYPE = b"application/vnd.oasis.opendocument.spreadsheet"
_URN = "urn:oasis:names:tc:opendocument:xmlns:"
_OFFICE = f'xmlns:office="{_URN}office:1.0" office:version="1.3"'
_DECLARED = '<?xml version="1.0" encoding="UTF-8"?>\n'
_STYLES = (
    f'{_DECLARED}<office:document-styles {_OFFICE} xmlns:style="{_URN}style:1.0" '
    f'xmlns:fo="{_URN}xsl-fo-compatible:1.0" xmlns:table="{_URN}table:1.0"><office:styles>'
    '<style:default-style style:family="table-cell"><style:text-properties fo:font-family="Arial" '
    'fo:font-size="12pt" fo:language="{language}"/></style:default-style>'
    '<style:style style:name="Default" style:family="table-cell"/></office:styles><office:automatic-styles>'
    '<style:page-layout style:name="page"><style:page-layout-properties fo:page-width="29.7cm" '
    'fo:page-height="21cm" style:print-orientation="landscape" style:scale-to-X="1" style:scale-to-Y="0"/>'
    "</style:page-layout></office:automatic-styles><office:master-styles><style:master-page "
    'style:name="Default" style:page-layout-name="page"/></office:master-styles></office:document-styles>'
)
_META = (
    f'{_DECLARED}<office:document-meta {_OFFICE} xmlns:dc="http://purl.org/dc/elements/1.1/" '
    f'xmlns:meta="{_URN}meta:1.0"><office:meta><meta:generator>{{generator}}</meta:generator>'
    "<dc:title>{title}</dc:title><dc:creator>{publisher}</dc:creator><dc:date>{date}T00:00:00</dc:date>"
    "<meta:creation-date>{date}T00:00:00</meta:creation-date><dc:language>{language}</dc:language>"
    "</office:meta></office:document-meta>"
)
_MANIFEST = (
    f'{_DECLARED}<manifest:manifest xmlns:manifest="{_URN}manifest:1.0" manifest:version="1.3">'
    f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{MIMETYPE.decode()}"/>'
    + "".join(
        f'<manifest:file-entry manifest:full-path="{name}" manifest:media-type="text/xml"/>'
        for name in ("content.xml", "styles.xml", "meta.xml")
    )
    + "</manifest:manifest>"
)


def ods_bytes(book: Workbook) -> bytes:
    """The file of these sheets. The same for the same sheets and the same version of odfdo."""
    odfdo = load_library("odfdo", EXTRA, "spreadsheets (.ods)")
    said = {
        "title": escape(book.info.title),
        "publisher": escape(book.info.publisher),
        "date": book.info.date.isoformat(),
        "language": escape(book.info.language),
        "generator": escape(f"odfdo {version('odfdo')}"),
    }
    return pack(
        {
            "mimetype": MIMETYPE,
            "content.xml": _content(odfdo, book),
            "styles.xml": _STYLES.format(**said).encode(),
            "meta.xml": _META.format(**said).encode(),
            "META-INF/manifest.xml": _MANIFEST.encode(),
        }
    )


def _content(odfdo: Any, book: Workbook) -> bytes:
    document = odfdo.Document("spreadsheet")
    part = document.content
    for tag in ("office:scripts", "office:font-face-decls"):
        part.get_element(f"//{tag}").delete()
    styles = part.get_element("//office:automatic-styles")
    styles.clear()
    for text in _styles(book):
        styles.append(odfdo.Element.from_tag(text))
    body = document.body
    body.clear()
    for number, sheet in enumerate(book.sheets):
        body.append(_table(odfdo, sheet, number))
    ranges = (_range(odfdo, sheet) for sheet in book.sheets if sheet.table is not None)
    body.append(_tag(odfdo, "table:database-ranges", *ranges))
    return bytes(part.serialize())


def _styles(book: Workbook) -> Iterator[str]:
    """The styles of cells and columns, each by a name that says what it is for."""
    wrap, top = 'fo:wrap-option="wrap"', 'style:vertical-align="top"'
    bold = '<style:text-properties fo:font-weight="bold"{size}/>'
    for name, cell, text in (
        ("title", top, bold.format(size=' fo:font-size="16pt"')),
        ("line", top, ""),
        ("text", f"{wrap} {top}", ""),
        ("heading", f'{wrap} {top} fo:border-bottom="0.5pt solid #000000"', bold.format(size="")),
    ):
        yield (
            f'<style:style style:name="{name}" style:family="table-cell" style:parent-style-name="Default">'
            f"<style:table-cell-properties {cell}/>{text}</style:style>"
        )
    found = {decimals_of(entry) for sheet in book.sheets for entry in _numbers(sheet)}
    for decimals in sorted(found):
        yield (
            f'<number:number-style style:name="n{decimals}"><number:number number:min-integer-digits="1" '
            f'number:decimal-places="{decimals}" number:min-decimal-places="{decimals}"/></number:number-style>'
        )
        yield (
            f'<style:style style:name="d{decimals}" style:family="table-cell" style:parent-style-name="Default" '
            f'style:data-style-name="n{decimals}"><style:table-cell-properties {top} fo:padding-right="0.25cm"/>'
            "</style:style>"
        )
    for number, sheet in enumerate(book.sheets):
        for column, width in enumerate(widths(sheet)):
            yield (
                f'<style:style style:name="s{number}c{column}" style:family="table-column">'
                f'<style:table-column-properties style:column-width="{width * 0.23:.2f}cm"/></style:style>'
            )


def _numbers(sheet: Sheet) -> Iterator[Any]:
    return (entry for row in sheet.rows for entry in row if not isinstance(entry, str))


def _table(odfdo: Any, sheet: Sheet, number: int) -> Any:
    row = "table:table-row"
    table = _tag(odfdo, "table:table", **{"table:name": sheet.name})
    for column, _ in enumerate(widths(sheet)):
        table.append(_tag(odfdo, "table:table-column", **{"table:style-name": f"s{number}c{column}"}))
    for line, text in enumerate(sheet.lines):
        style = "title" if line == 0 else "text" if sheet.wraps else "line"
        table.append(_tag(odfdo, row, _text_cell(odfdo, text, style)))
    if sheet.table is not None:
        heading = (_text_cell(odfdo, title, "heading") for title in sheet.table.heading)
        table.append(_tag(odfdo, "table:table-header-rows", _tag(odfdo, row, *heading)))
        for entries in sheet.table.rows:
            cells = [_cell(odfdo, entry) for entry in entries]
            if sheet.names_sheets:
                cells[0] = _link(odfdo, str(entries[0]))
            table.append(_tag(odfdo, row, *cells))
    return table


def _cell(odfdo: Any, entry: Entry) -> Any:
    if isinstance(entry, str):
        return _text_cell(odfdo, entry, "text")
    given = {"table:style-name": f"d{decimals_of(entry)}", "office:value-type": "float"}
    given["office:value"] = printed(entry)
    return _tag(odfdo, "table:table-cell", odfdo.Paragraph(printed(entry)), **given)


def _text_cell(odfdo: Any, text: str, style: str) -> Any:
    """A text, which no spreadsheet calculates: its type says that it is one."""
    given = {"table:style-name": style, "office:value-type": "string"}
    return _tag(odfdo, "table:table-cell", odfdo.Paragraph(text), **given)


def _link(odfdo: Any, name: str) -> Any:
    cell = _text_cell(odfdo, "", "text")
    given = {"xlink:href": f"#{name}.A1", "xlink:type": "simple"}
    link = _tag(odfdo, "text:a", **given)
    link.text = name
    cell.children[0].append(link)
    return cell


def _range(odfdo: Any, sheet: Sheet) -> Any:
    """The mark that a table is one: its name, where it is, and that its first row is a heading."""
    first, last, right = table_place(sheet)
    return _tag(
        odfdo,
        "table:database-range",
        **{
            "table:name": sheet.table.name if sheet.table else "",
            "table:target-range-address": f"{sheet.name}.A{first}:{sheet.name}.{column_name(right)}{last}",
            "table:contains-header": "true",
            "table:display-filter-buttons": "false",
        },
    )


def _tag(odfdo: Any, name: str, *inside: Any, **attributes: str) -> Any:
    element = odfdo.Element.from_tag(name)
    for key, value in attributes.items():
        element.set_attribute(key, value)
    for part in inside:
        element.append(part)
    return element


# Put the parts of a workbook into one file whose bytes depend on nothing else: no clock, no compression
# library.
#
# Parts are stored as they are, with one date for all. So a file that was packed here can be told from any
# other by packing its parts once more.

_DATE = (1980, 1, 1, 0, 0, 0)
_UNIX = 3


class NotPacked(Exception):
    """Why a file is none that was packed here, in words."""


def pack(parts: Mapping[str, bytes]) -> bytes:
    """A ZIP file of these parts, in their order."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, content in parts.items():
            entry = zipfile.ZipInfo(name, _DATE)
            entry.create_system, entry.external_attr = _UNIX, 0o644 << 16
            archive.writestr(entry, content)
    return target.getvalue()


def parts_of(content: bytes) -> dict[str, bytes]:
    """The parts of a ZIP file, whatever it was packed with."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {entry.filename: archive.read(entry) for entry in archive.infolist()}


def unpack(content: bytes) -> dict[str, bytes]:
    """The parts of a file that was packed here. Raises :class:`NotPacked` for any other, however it was altered."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries):
                raise NotPacked(gettext("is packed otherwise than the spreadsheets of a report are"))
            if sum(entry.file_size for entry in entries) > len(content):
                raise NotPacked(gettext("is packed otherwise than the spreadsheets of a report are"))
            parts = {entry.filename: archive.read(entry) for entry in entries}
    except NotPacked:
        raise
    except Exception:  # a damaged file is refused in many ways
        raise NotPacked(gettext("cannot be opened: it is no spreadsheet")) from None
    if pack(parts) != content:
        raise NotPacked(gettext("holds something between or beside its parts"))
    return parts


# Sheets as an Excel workbook (report.xlsx), made with XlsxWriter.

_NEVER_GUESS = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}

_TITLE_HEIGHT, _LINE_HEIGHT, _HIGHEST = 24, 16, 409
"""In points; Excel takes no higher row."""


def number_format(decimals: int) -> str:
    """How a number with so many decimals is shown: with all of them."""
    return f"0.{'0' * decimals}" if decimals else "0"


def xlsx_bytes(book: Workbook) -> bytes:
    """The file of these sheets. The same for the same sheets and the same version of XlsxWriter."""
    xlsxwriter = load_library("xlsxwriter", EXTRA, "spreadsheets (.xlsx)")
    target = io.BytesIO()
    with xlsxwriter.Workbook(target, _NEVER_GUESS) as file:
        file.set_properties(
            {
                "title": book.info.title,
                "author": book.info.publisher,
                "comments": f"Made with XlsxWriter {version('xlsxwriter')}",
                "created": dt.datetime.combine(book.info.date, dt.time()),
            }
        )
        styles = _Styles(file)
        for sheet in book.sheets:
            _fill(file.add_worksheet(sheet.name), sheet, styles)
    return pack(parts_of(target.getvalue()))


class _Styles:
    """How cells look: a style for each kind of text and for each number of decimals."""

    def __init__(self, file: Any) -> None:
        self._file = file
        font = {"font_name": "Arial", "font_size": 12, "valign": "top"}
        self._font = font
        self.title = file.add_format({**font, "bold": True, "font_size": 16})
        self.line = file.add_format(font)
        self.text = file.add_format({**font, "text_wrap": True})
        self.heading = file.add_format({**font, "text_wrap": True, "bold": True, "bottom": 1})
        self.link = file.add_format({**font, "underline": 1, "font_color": "#0000EE"})
        self._numbers: dict[int, Any] = {}

    def number(self, decimals: int) -> Any:
        """The style of numbers that are printed with so many decimals."""
        if decimals not in self._numbers:
            given = {**self._font, "align": "right", "indent": 1, "num_format": number_format(decimals)}
            self._numbers[decimals] = self._file.add_format(given)
        return self._numbers[decimals]


def _fill(target: Any, sheet: Sheet, styles: _Styles) -> None:
    target.set_landscape()
    target.fit_to_pages(1, 0)
    for column, width in enumerate(widths(sheet)):
        target.set_column(column, column, width)
    for row in range(
        len(sheet.rows)
    ):  # not every program finds the height of a row with wrapped texts by itself
        target.set_row(row, _TITLE_HEIGHT if row == 0 else min(_HIGHEST, _LINE_HEIGHT * lines_of(sheet, row)))
    for row, line in enumerate(sheet.lines):
        style = styles.title if row == 0 else styles.text if sheet.wraps else styles.line
        target.write_string(row, 0, line, style)
    if sheet.table is None:
        return
    first, last, right = table_place(sheet)
    target.add_table(
        first - 1,
        0,
        last - 1,
        right - 1,
        {
            "name": sheet.table.name,
            "autofilter": False,
            "style": None,
            "columns": [{"header": title, "header_format": styles.heading} for title in sheet.table.heading],
        },
    )
    for row, entries in enumerate(sheet.table.rows, start=first):
        for column, entry in enumerate(entries):
            if sheet.names_sheets and column == 0:
                target.write_url(row, 0, f"internal:{entry}!A1", styles.link, string=str(entry))
            else:
                _write(target, row, column, entry, styles)


def _write(target: Any, row: int, column: int, entry: Entry, styles: _Styles) -> None:
    """A text as a text, whatever it begins with; a number with its printed decimals."""
    if isinstance(entry, str):
        target.write_string(row, column, entry, styles.text)
    else:
        target.write_number(row, column, entry, styles.number(decimals_of(entry)))


# The tables of a report as accessible spreadsheets: report.ods and report.xlsx, where they are asked for.

SHEET_FILES: Mapping[str, Callable[[Workbook], bytes]] = {
    "report.ods": ods_bytes,
    "report.xlsx": xlsx_bytes,
}
"""What makes each spreadsheet."""


def sheet_files(report: Report, formats: Collection[str]) -> dict[str, bytes]:
    """The spreadsheets that are asked for, by their names. Raises MissingLibrary where the extra is not installed."""
    wanted = [name for name in SHEET_FILES if name.removeprefix("report.") in formats]
    if not wanted:
        return {}
    book = workbook_of(report)
    return {name: SHEET_FILES[name](book) for name in wanted}
