"""Sheets as an Excel workbook (report.xlsx), made with XlsxWriter."""

from __future__ import annotations

import datetime as dt
import io
from importlib.metadata import version
from typing import Any

from atreport.kit.optional_library import load_library
from atreport.pages.sheets.layout import EXTRA, lines_of, table_place, widths
from atreport.pages.sheets.packing import pack, parts_of
from atreport.pages.sheets.workbook import Entry, Sheet, Workbook, decimals_of

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
                "title": book.title,
                "author": book.publisher,
                "comments": f"Made with XlsxWriter {version('xlsxwriter')}",
                "created": dt.datetime.combine(book.date, dt.time()),
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
