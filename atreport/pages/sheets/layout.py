"""Where things stand on a sheet, the same in every kind of file: widths of columns, places of tables."""

from __future__ import annotations

from atreport.pages.sheets.workbook import Sheet, printed

EXTRA = "spreadsheets"
"""The extra that brings the libraries which make these files."""

NARROWEST, WIDEST, PAGE = 12, 60, 90
"""Widths in characters: of a table's columns, and of a sheet of text."""


def widths(sheet: Sheet) -> tuple[int, ...]:
    """The width of each column in characters: as its entries need, within limits; longer texts are wrapped."""
    if sheet.table is None:
        return (PAGE,)
    return tuple(
        min(
            WIDEST, max(NARROWEST, _wide(title), *(len(printed(row[column])) + 2 for row in sheet.table.rows))
        )
        for column, title in enumerate(sheet.table.heading)
    )


def _wide(title: str) -> int:
    """What a heading needs that may be wrapped between words: its longest word, and a line of some."""
    return max(max(map(len, title.split()), default=0) + 3, min(len(title), 18))


def lines_of(sheet: Sheet, row: int) -> int:
    """How many lines the longest text of a row takes where texts are wrapped, counted generously: none is cut off."""
    if row < len(sheet.lines) and not sheet.wraps:
        return 1
    wide = widths(sheet)
    lengths = [len(printed(entry)) for entry in sheet.rows[row]]
    return max(1 if long < wide[at] else -(-long * 10 // (wide[at] * 9)) for at, long in enumerate(lengths))


def table_place(sheet: Sheet) -> tuple[int, int, int]:
    """The first and the last row of the sheet's table, counted from 1 with its heading, and its number of columns."""
    first = len(sheet.lines) + 1
    return first, len(sheet.rows), len(sheet.table.heading) if sheet.table else 1


def column_name(number: int) -> str:
    """The letters of a column, counted from 1: A, …, Z, AA."""
    name = ""
    while number:
        number, letter = divmod(number - 1, 26)
        name = chr(ord("A") + letter) + name
    return name
