"""A report as sheets, before it is any file: texts in the first column, then at most one table.

Sheets follow the accessibility list of the UK's Analysis Function (docs/spreadsheets.md): a title in A1, no empty cell in a
table (a mark says why there is no figure), one heading row, nothing merged, nothing hidden.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from atreport.kit.language import message, say, say_in

Entry = str | int | Decimal
"""What a cell holds: a text, which is never a formula, or a number with its printed decimals."""

MOST_DIGITS = 15
"""A spreadsheet calculates with so many digits; a longer number stands in it as a text, whole."""

MOST_CHARACTERS = 30_000
"""The longest text that every spreadsheet keeps in one cell is a little longer."""

LONGEST_HEADING = 250
"""Of a column, in characters: Excel refuses tables with longer ones."""

NOT_APPLICABLE, NOT_AVAILABLE, CONFIDENTIAL = "[z]", "[x]", "[c]"
MARKS = {
    NOT_APPLICABLE: message("{mark} means: not applicable."),
    NOT_AVAILABLE: message("{mark} means: no figure, because nothing limits it for certain."),
    CONFIDENTIAL: message("{mark} means: not published, because it would be about few people."),
}
"""What stands in a cell without a figure, as in the statistics of the United Kingdom, and why; to be said with `say`."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """One table with one heading row; every cell of it is filled."""

    name: str
    heading: tuple[str, ...]
    rows: tuple[tuple[Entry, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """One sheet: lines of text, the first of which is its title, and perhaps a table below them."""

    name: str
    lines: tuple[str, ...]
    table: Table | None = None
    names_sheets: bool = False  # the first column of the table leads to the sheets that it names
    wraps: bool = False  # lines of text are wrapped: where no narrow table is below them

    @property
    def rows(self) -> tuple[tuple[Entry, ...], ...]:
        """Every row of the sheet, from the first on."""
        lines = tuple((line,) for line in self.lines)
        return lines if self.table is None else (*lines, self.table.heading, *self.table.rows)


@dataclass(frozen=True, kw_only=True)
class Workbook:
    """All sheets of a report, and what the file says about itself."""

    title: str
    publisher: str
    date: dt.date
    language: str
    sheets: tuple[Sheet, ...]


def make_table(name: str, heading: Iterable[str], rows: Iterable[Sequence[Entry]]) -> Table:
    """A table whose columns have names of their own, and whose long numbers are texts."""
    return Table(
        name=f"table_{name.lower()}",
        heading=_distinct(heading),
        rows=tuple(tuple(_kept_whole(entry) for entry in row) for row in rows),
    )


def table_sheet(name: str, title: str, lines: Sequence[str], table: Table) -> Sheet:
    """A sheet with a table: its title, what it is about, and what the marks in it mean."""
    found = {entry for row in table.rows for entry in row}
    marks = [say(meaning, mark=mark) for mark, meaning in MARKS.items() if mark in found]
    about = say(
        "This worksheet contains one table. Terms and limits are explained in the worksheet {notes}.",
        notes=say_in("worksheet", "Notes"),
    )
    return Sheet(name=name, lines=(title, about, *lines, *marks), table=table)


def decimals_of(number: int | Decimal) -> int:
    """To how many decimals a number is printed."""
    exponent = number.as_tuple().exponent if isinstance(number, Decimal) else 0
    return max(0, -exponent) if isinstance(exponent, int) else 0


def printed(entry: Entry) -> str:
    """An entry as it is shown: a number with all its decimals."""
    return f"{entry:f}" if isinstance(entry, Decimal) else str(entry)


def _kept_whole(entry: Entry) -> Entry:
    if isinstance(entry, str):
        return entry
    digits = len(Decimal(entry).as_tuple().digits)
    return entry if digits <= MOST_DIGITS else printed(entry)


def _distinct(heading: Iterable[str]) -> tuple[str, ...]:
    """Names of columns, of which spreadsheets take none twice, in whatever letters."""
    names: dict[str, str] = {}
    for title in heading:
        wanted = name = " ".join(title.split())[:LONGEST_HEADING]
        number = 2
        while name.casefold() in names:
            ending = f" ({number})"
            name, number = wanted[: LONGEST_HEADING - len(ending)] + ending, number + 1
        names[name.casefold()] = name
    return tuple(names.values())
