"""Read the table of a spreadsheet: Excel (.xlsx) and OpenDocument (.ods), through the extra `spreadsheets`."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

from atreport.errors import InvalidInput, Location, MissingLibrary, Problem
from atreport.kit.optional_library import load_library

WORKBOOKS = (".xlsx", ".ods")
EXTRA = "spreadsheets"


def rows_of_workbook(path: Path) -> tuple[list[list[str]], tuple[str, ...]]:
    """The rows of the first sheet that holds something, as texts, and what to tell of it."""
    try:
        sheets = _excel(path) if path.suffix.lower() == ".xlsx" else _open_document(path)
    except MissingLibrary as error:
        raise MissingLibrary(f"{error}\n  Or open the file and save it as CSV (UTF-8).") from None
    except Exception:  # these libraries say in many ways that a file is not what its ending says
        raise InvalidInput(
            [
                Problem(
                    location=Location(str(path)),
                    message=f"cannot be read: this is not a {path.suffix.lower()} workbook that can be opened",
                    hint="open it in a spreadsheet and save it as CSV (UTF-8)",
                )
            ]
        ) from None
    filled = [(name, trimmed) for name, rows in sheets if (trimmed := _trimmed(rows))]
    if not filled:
        return [], ()
    name, rows = filled[0]
    others = ", ".join(f"'{other}'" for other, _ in filled[1:])
    note = f"the sheet '{name}' is read" + (f", not {others}" if others else "")
    return rows, (note,)


def _excel(path: Path) -> list[tuple[str, list[list[str]]]]:
    openpyxl = load_library("openpyxl", EXTRA, "workbooks (.xlsx)")
    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    try:
        return [
            (sheet.title, [[_text(cell) for cell in row] for row in sheet.iter_rows(values_only=True)])
            for sheet in book.worksheets
        ]
    finally:
        book.close()


def _open_document(path: Path) -> list[tuple[str, list[list[str]]]]:
    odfdo = load_library("odfdo", EXTRA, "workbooks (.ods)")
    tables: Iterable[Any] = odfdo.Document(path).body.get_tables()
    return [
        (str(table.name), [[_text(cell) for cell in row] for row in table.iter_values()]) for table in tables
    ]


def _text(cell: object) -> str:
    """A cell as a spreadsheet shows it without a format: whole numbers without decimals, dates year first."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float | Decimal) and cell == int(cell):
        return str(int(cell))
    if isinstance(cell, dt.datetime) and cell.time() == dt.time():
        return cell.date().isoformat()
    return cell.isoformat() if isinstance(cell, dt.date | dt.time) else str(cell).strip()


def _trimmed(rows: list[list[str]]) -> list[list[str]]:
    """Without empty rows around and between, and without empty columns at the right; every row equally long."""
    filled = [row for row in rows if any(row)]
    width = max((place + 1 for row in filled for place, text in enumerate(row) if text), default=0)
    return [[*row, *[""] * width][:width] for row in filled]
