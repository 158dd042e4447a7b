"""Read report.xlsx strictly: every part, element and attribute is one that the spreadsheet of a report has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from posixpath import join, normpath

from atreport.kit.language import say
from atreport.pages.sheets.layout import column_name, table_place
from atreport.pages.sheets.workbook import Entry, Workbook
from atreport.pages.sheets.xlsx import number_format
from atreport.verification.again.sheets.reading import (
    Element,
    Foreign,
    ReadBook,
    ReadSheet,
    attribute,
    known,
    number,
    parse,
    plain_name,
    strictly,
)

_SHEET = known(
    """
    worksheet
    sheetPr
    pageSetUpPr fitToPage
    dimension ref
    sheetViews
    sheetView tabSelected workbookViewId
    sheetFormatPr defaultRowHeight
    cols
    col min max width customWidth
    sheetData
    row r spans ht customHeight
    c r s t
    v
    hyperlinks
    hyperlink ref location display
    pageMargins left right top bottom header footer
    pageSetup orientation fitToHeight paperSize
    tableParts count
    tablePart id
    """
)
_BOOK = known(
    """
    workbook
    fileVersion appName lastEdited lowestEdited rupBuild
    workbookPr defaultThemeVersion
    bookViews
    workbookView xWindow yWindow windowWidth windowHeight
    sheets
    sheet name sheetId id
    calcPr calcId fullCalcOnLoad
    """
)
_STRINGS = known("sst count uniqueCount\nsi\nt space")
_TABLE = known(
    """
    table id name displayName ref totalsRowShown headerRowDxfId
    tableColumns count
    tableColumn id name dxfId
    tableStyleInfo showFirstColumn showLastColumn showRowStripes showColumnStripes
    """
)
_RELATIONS = known("Relationships\nRelationship Id Type Target")
_KINDS = (
    "officeDocument",
    "core-properties",
    "extended-properties",
    "worksheet",
    "theme",
    "styles",
    "sharedStrings",
    "table",
)
_BUILT_IN = {"0": "General", "1": "0", "2": "0.00"}
_MADE_WITH = re.compile(r"Made with XlsxWriter ([0-9A-Za-z.+!-]{1,30})")
_PROGRAM = {"Microsoft Excel", "0", "false", "Worksheets", "12.0000"}
"""What every file of XlsxWriter says about its program."""


def read_xlsx(parts: Mapping[str, bytes], book: Workbook) -> ReadBook:
    """What the file holds. Raises :class:`Foreign` for anything that no spreadsheet of a report has."""
    _check_parts(parts, book)
    version = _check_properties(parts, book)
    for name, content in parts.items():
        if name.endswith(".rels"):
            _check_relations(name, content, parts)
        if (
            name in ("xl/styles.xml", "xl/theme/theme1.xml", "[Content_Types].xml")
            and "".join(parse(content, name).itertext()).strip()
        ):
            raise Foreign(say("has words in {part}", part=name))
    root = parse(parts["xl/workbook.xml"], "xl/workbook.xml")
    names = [
        attribute(each, "name")
        for each in strictly(root, _BOOK, "xl/workbook.xml")
        if plain_name(each.tag) == "sheet"
    ]
    targets = [f"worksheets/sheet{n}.xml" for n in range(1, len(book.sheets) + 1)]
    if _targets(root, parts) != targets:
        raise Foreign(say("names other sheets than it has"))
    strings, formats = _strings(parts["xl/sharedStrings.xml"]), _formats(parts["xl/styles.xml"])
    _check_tables(parts, book)
    sheets = [
        ReadSheet(name, tuple(_rows(parts[f"xl/{target}"], strings, formats, book, place)))
        for place, (name, target) in enumerate(zip(names, targets, strict=True))
    ]
    return ReadBook(tuple(sheets), version)


def _check_parts(parts: Mapping[str, bytes], book: Workbook) -> None:
    tables = [place for place, sheet in enumerate(book.sheets, start=1) if sheet.table is not None]
    right = {
        "[Content_Types].xml", "_rels/.rels", "docProps/app.xml", "docProps/core.xml", "xl/_rels/workbook.xml.rels",
        "xl/workbook.xml", "xl/styles.xml", "xl/theme/theme1.xml", "xl/sharedStrings.xml",
        *(f"xl/worksheets/sheet{n}.xml" for n in range(1, len(book.sheets) + 1)),
        *(f"xl/worksheets/_rels/sheet{n}.xml.rels" for n in tables),
        *(f"xl/tables/table{n}.xml" for n in range(1, len(tables) + 1)),
    }  # fmt: skip
    if parts.keys() != right:
        odd = ", ".join(sorted(parts.keys() ^ right))
        raise Foreign(say("has not the parts of the spreadsheet of a report: {parts}", parts=odd[:120]))


def _check_properties(parts: Mapping[str, bytes], book: Workbook) -> str:
    """What the file says about itself; the version that it names."""
    core = [
        text for text in parse(parts["docProps/core.xml"], "docProps/core.xml").itertext() if text.strip()
    ]
    made = _MADE_WITH.fullmatch(core[2]) if len(core) > 2 else None
    day = f"{book.date.isoformat()}T00:00:00Z"
    if made is None or core != [book.title, book.publisher, made[0], book.publisher, day, day]:
        raise Foreign(say("{part} in it is not what the report gives", part="docProps/core.xml"))
    said = {text for text in parse(parts["docProps/app.xml"], "docProps/app.xml").itertext() if text.strip()}
    if said - _PROGRAM - {sheet.name for sheet in book.sheets} - {str(len(book.sheets))}:
        raise Foreign(say("{part} in it is not what the report gives", part="docProps/app.xml"))
    return made[1]


def _check_relations(name: str, content: bytes, parts: Mapping[str, bytes]) -> None:
    """Every part leads to parts of the file, and to nothing outside."""
    folder = normpath(join(name, "../.."))
    for each in strictly(parse(content, name), _RELATIONS, name):
        if plain_name(each.tag) == "Relationship":
            target = normpath(join(folder, attribute(each, "Target")))
            if attribute(each, "Type").rpartition("/")[2] not in _KINDS or target not in parts:
                written = attribute(each, "Target")[:60]
                raise Foreign(
                    say("leads to “{target}”, which no spreadsheet of a report does", target=written)
                )


def _targets(root: Element, parts: Mapping[str, bytes]) -> list[str]:
    """The part of each sheet, in their order."""
    relations = parse(parts["xl/_rels/workbook.xml.rels"], "workbook.xml.rels")
    leads = {attribute(each, "Id"): attribute(each, "Target") for each in relations}
    return [leads.get(attribute(each, "id"), "") for each in root.iter() if plain_name(each.tag) == "sheet"]


def _strings(content: bytes) -> list[str]:
    root = parse(content, "xl/sharedStrings.xml")
    list(strictly(root, _STRINGS, "xl/sharedStrings.xml"))
    return ["".join(each.itertext()) for each in root]


def _formats(content: bytes) -> list[str]:
    """The number format of each style of cells."""
    root = parse(content, "xl/styles.xml")
    own = {
        attribute(each, "numFmtId"): attribute(each, "formatCode")
        for each in root.iter()
        if plain_name(each.tag) == "numFmt"
    }
    styles = [each for styles in root if plain_name(styles.tag) == "cellXfs" for each in styles]
    return [{**_BUILT_IN, **own}.get(attribute(each, "numFmtId"), "?") for each in styles]


def _check_tables(parts: Mapping[str, bytes], book: Workbook) -> None:
    number = 0
    for place, sheet in enumerate(book.sheets, start=1):
        if sheet.table is None:
            continue
        number += 1
        name = f"xl/tables/table{number}.xml"
        root = parse(parts[name], name)
        elements = list(strictly(root, _TABLE, name))
        columns = [attribute(each, "name") for each in elements if plain_name(each.tag) == "tableColumn"]
        first, last, right = table_place(sheet)
        said = [attribute(root, key) for key in ("name", "displayName", "ref")]
        area = f"A{first}:{column_name(right)}{last}"
        relations = parse(parts[f"xl/worksheets/_rels/sheet{place}.xml.rels"], "rels")
        leads = [attribute(each, "Target") for each in relations]
        if (
            columns != list(sheet.table.heading)
            or said != [sheet.table.name, sheet.table.name, area]
            or leads != [f"../tables/table{number}.xml"]
        ):
            raise Foreign(say("{part} in it is not the table of the report", part=name))


def _rows(
    content: bytes, strings: list[str], formats: list[str], book: Workbook, place: int
) -> Iterator[tuple[Entry, ...]]:
    sheet, part = book.sheets[place], f"xl/worksheets/sheet{place + 1}.xml"
    root = parse(content, part)
    elements = list(strictly(root, _SHEET, part))
    links = [
        [attribute(each, key) for key in ("ref", "location", "display")]
        for each in elements
        if plain_name(each.tag) == "hyperlink"
    ]
    named = [str(row[0]) for row in sheet.table.rows] if sheet.names_sheets and sheet.table else []
    first = len(sheet.lines) + 2
    if links != [[f"A{n}", f"{name}!A1", name] for n, name in enumerate(named, start=first)]:
        raise Foreign(say("has other links than those from its contents to its sheets"))
    if any(plain_name(each.tag) not in ("v", "c") and (each.text or "").strip() for each in elements):
        raise Foreign(say("has words outside of its cells"))
    for each in elements:
        if plain_name(each.tag) == "col" and not re.fullmatch(
            r"[1-9][0-9](\.[0-9]+)?", attribute(each, "width")
        ):
            raise Foreign(say("has a column that cannot be read"))
    rows = [each for each in elements if plain_name(each.tag) == "row"]
    for at, row in enumerate(rows, start=1):
        if attribute(row, "r") != str(at):
            stated = attribute(row, "r")[:10]
            raise Foreign(say("{sheet} has a gap before row {number}", sheet=sheet.name, number=stated))
        if not re.fullmatch(r"[1-9][0-9]{1,4}(\.[0-9]+)?", attribute(row, "ht") or "15"):
            raise Foreign(say("{sheet} has a row that cannot be read", sheet=sheet.name))
        for column, cell in enumerate(row, start=1):
            if attribute(cell, "r") != f"{column_name(column)}{at}":
                raise Foreign(
                    say(
                        "{sheet} has an empty cell or a second one in row {number}",
                        sheet=sheet.name,
                        number=at,
                    )
                )
        yield tuple(_entry(cell, strings, formats) for cell in row)


def _entry(cell: Element, strings: list[str], formats: list[str]) -> Entry:
    """What a cell holds; where its type or its format is none that a report has, a text that says so."""
    if [plain_name(each.tag) for each in cell] != ["v"] or (cell.text or "").strip():
        raise Foreign(say("has a cell that is not one text or one number"))
    held, kind, style = cell[0].text or "", attribute(cell, "t"), attribute(cell, "s") or "0"
    shown = formats[int(style)] if re.fullmatch("[0-9]{1,4}", style) and int(style) < len(formats) else "?"
    if kind == "s" and shown == "General" and re.fullmatch("[0-9]{1,8}", held) and int(held) < len(strings):
        return strings[int(held)]
    decimals = shown.count("0") - 1
    if kind in ("", "n") and decimals >= 0 and shown == number_format(decimals):
        found = number(held, decimals)
        if not isinstance(found, str):
            return found
    return say("{held} (shown as {shown})", held=held[:60], shown=shown[:20])
