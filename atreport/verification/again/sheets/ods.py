"""Read report.ods strictly: the parts around the sheets are known to the letter, and of the sheets every element."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from atreport.kit.language import say
from atreport.pages.sheets.layout import column_name, table_place
from atreport.pages.sheets.ods import frame_parts
from atreport.pages.sheets.workbook import Entry, Sheet, Workbook
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

_KNOWN = known(
    """
    document-content version
    automatic-styles
    body
    spreadsheet
    style name family parent-style-name data-style-name
    table-cell-properties wrap-option vertical-align border-bottom padding-right
    text-properties font-weight font-size
    number-style name
    number min-integer-digits decimal-places min-decimal-places
    table-column-properties column-width
    table name
    table-column style-name
    table-header-rows
    table-row
    table-cell style-name value-type value
    p
    s c
    a href type
    database-ranges
    database-range name target-range-address contains-header display-filter-buttons
    """
)
_MADE_WITH = re.compile(r"<meta:generator>odfdo ([0-9A-Za-z.+!-]{1,30})</meta:generator>")
_NARROWEST = 2.0
"""No column of a report is so narrow, in centimetres."""


def read_ods(parts: Mapping[str, bytes], book: Workbook) -> ReadBook:
    """What the file holds. Raises :class:`Foreign` for anything that no spreadsheet of a report has."""
    made = _MADE_WITH.search(parts.get("meta.xml", b"").decode("utf-8", "replace"))
    version = made[1] if made else "unknown"
    content = parts.get("content.xml", b"")
    right = frame_parts(book, f"odfdo {version}", content)
    if list(parts) != list(right):
        raise Foreign(
            say(
                "has the parts “{parts}” and not those of the spreadsheet of a report",
                parts=", ".join(parts)[:120],
            )
        )
    for name in right:
        if parts[name] != right[name]:
            raise Foreign(say("{part} in it is not what the report gives", part=name))
    root = parse(content, "content.xml")
    elements = list(strictly(root, _KNOWN, "content.xml"))
    decimals = _number_styles(elements)
    tables = [each for each in elements if plain_name(each.tag) == "table"]
    sheets = tuple(ReadSheet(attribute(table, "name"), tuple(_rows(table, decimals))) for table in tables)
    _refuse_loose_text(elements)
    found = [dict(_named(each)) for each in elements if plain_name(each.tag) == "database-range"]
    if found != [_range(sheet) for sheet in book.sheets if sheet.table is not None]:
        raise Foreign(say("has other places marked as tables than those of the report"))
    _check_links(elements, book)
    return ReadBook(sheets, version)


def _named(element: Element) -> Iterator[tuple[str, str]]:
    return ((plain_name(key), value) for key, value in element.attrib.items())


def _range(sheet: Sheet) -> dict[str, str]:
    first, last, right = table_place(sheet)
    assert sheet.table is not None
    return {
        "name": sheet.table.name,
        "target-range-address": f"{sheet.name}.A{first}:{sheet.name}.{column_name(right)}{last}",
        "contains-header": "true",
        "display-filter-buttons": "false",
    }


def _number_styles(elements: list[Element]) -> dict[str, int]:
    """How many decimals each style of cells shows; -1 for texts."""
    shown: dict[str, int] = {}
    decimals: dict[str, int] = {}
    for each in elements:
        tag = plain_name(each.tag)
        if tag == "number-style":
            inner = dict(_named(each[0])) if len(each) == 1 else {}
            places = inner.get("decimal-places", "")
            right = {"min-integer-digits": "1", "decimal-places": places, "min-decimal-places": places}
            if inner != right or not re.fullmatch("[0-9]{1,2}", places):
                raise Foreign(say("shows numbers otherwise than with their decimals"))
            shown[attribute(each, "name")] = int(places)
        elif tag == "style" and attribute(each, "family") == "table-cell":
            name, data = attribute(each, "name"), attribute(each, "data-style-name")
            if name in decimals or (data and data not in shown):
                raise Foreign(say("has a style of numbers twice, or one that is not there"))
            decimals[name] = shown[data] if data else -1
        elif tag == "table-column-properties":
            width = re.fullmatch(r"([0-9]{1,2}\.[0-9]{2})cm", attribute(each, "column-width"))
            if not width or float(width[1]) < _NARROWEST:
                raise Foreign(say("has a column that cannot be read"))
    return decimals


def _rows(table: Element, decimals: Mapping[str, int]) -> Iterator[tuple[Entry, ...]]:
    for each in table:
        rows = list(each) if plain_name(each.tag) == "table-header-rows" else [each]
        for row in rows:
            if plain_name(row.tag) == "table-row":
                yield tuple(_entry(cell, decimals) for cell in row)
            elif plain_name(row.tag) != "table-column":
                raise Foreign(say("has “{name}” among the rows of a sheet", name=plain_name(row.tag)))


def _entry(cell: Element, decimals: Mapping[str, int]) -> Entry:
    """What a cell holds; where what it shows is something else, a text that says both."""
    if plain_name(cell.tag) != "table-cell" or [plain_name(each.tag) for each in cell] != ["p"]:
        raise Foreign(say("has a cell that is not one text or one number"))
    shown, kind = "".join(_said(cell[0])), attribute(cell, "value-type")
    style = decimals.get(attribute(cell, "style-name"), -2)
    if kind == "string" and style == -1 and "value" not in map(plain_name, cell.attrib):
        return shown
    if kind == "float" and style >= 0:
        found = number(attribute(cell, "value"), style)
        if not isinstance(found, str) and f"{found:.{style}f}" == shown:
            return found
    held = attribute(cell, "value")[:40]
    return say("{shown} (held as {held}, {kind})", shown=shown, held=held, kind=kind[:20])


def _said(paragraph: Element) -> Iterator[str]:
    yield paragraph.text or ""
    for each in paragraph:
        tag = plain_name(each.tag)
        if tag == "s":
            count = attribute(each, "c") or "1"
            yield " " * int(count) if re.fullmatch("[0-9]{1,3}", count) else "?"
        elif tag == "a" and not len(each):
            yield each.text or ""
        else:
            raise Foreign(say("has “{name}” in a cell", name=tag))
        yield each.tail or ""


def _refuse_loose_text(elements: list[Element]) -> None:
    """Words stand in cells only."""
    for each in elements:
        tag = plain_name(each.tag)
        if tag not in ("p", "a") and (each.text or "").strip():
            raise Foreign(say("has words outside of its cells"))
        if tag not in ("s", "a") and (each.tail or "").strip():
            raise Foreign(say("has words outside of its cells"))


def _check_links(elements: list[Element], book: Workbook) -> None:
    """Links lead from the contents to the sheets that they name, and nowhere else."""
    found = [
        (each.text, attribute(each, "href"), attribute(each, "type"))
        for each in elements
        if plain_name(each.tag) == "a"
    ]
    named = [
        str(row[0]) for sheet in book.sheets if sheet.names_sheets and sheet.table for row in sheet.table.rows
    ]
    if found != [(name, f"#{name}.A1", "simple") for name in named]:
        raise Foreign(say("has other links than those from its contents to its sheets"))
