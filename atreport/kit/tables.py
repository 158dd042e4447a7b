"""Turn rows of text into tables ready to print: captioned, with header cells, and short enough to read.

A document never prints thousands of rows. A table that would be too long shows its extremes and says where the rest is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from atreport.kit.numbers import count
from atreport.population.cells import IntArray

MAX_ROWS = 60
"""The longest table that is printed whole."""

EXTREMES = 15
"""How many rows are shown at each end of one that is not."""

Tone = Literal["", "good", "bad", "open"]


@dataclass(frozen=True)
class Cell:
    """One entry. A tone is only ever a second sign beside words that say the same."""

    text: str
    tone: Tone = ""


@dataclass(frozen=True)
class Column:
    """One column: its heading, whether its entries are figures, and whether they name the row."""

    heading: str
    numeric: bool = False
    names_row: bool = False


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table as it is printed."""

    id: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    left_out: str = ""  # what is not shown and where it is; empty where all is shown


def table(
    id: str,
    caption: str,
    columns: Sequence[Column],
    rows: Iterable[Sequence[str | Cell]],
    left_out: str = "",
) -> Table:
    """A table of plain text and toned entries."""
    return Table(
        id=id,
        caption=caption,
        columns=tuple(columns),
        rows=tuple(tuple(c if isinstance(c, Cell) else Cell(c) for c in row) for row in rows),
        left_out=left_out,
    )


@dataclass(frozen=True)
class Selection:
    """Which rows of a long list are printed, and in which order."""

    rows: list[int]
    total: int

    @property
    def whole(self) -> bool:
        """Whether nothing is left out."""
        return len(self.rows) == self.total

    def left_out(self, things: str, ends: str, where: str) -> str:
        """A sentence on what is left out, or nothing."""
        if self.whole:
            return ""
        return f"{count(len(self.rows))} of {count(self.total)} {things} are shown: {ends}. All of them are in {where}."


def extremes(key: IntArray, *, both_ends: bool = True) -> Selection:
    """All rows in their own order where they are few; otherwise those with the largest (and smallest) key.

    Equal keys keep the order of the list, so the choice does not depend on the machine.
    """
    total = len(key)
    if total <= MAX_ROWS:
        return Selection(list(range(total)), total)
    descending = np.argsort(-key, kind="stable")
    if not both_ends:
        return Selection([int(i) for i in descending[: 2 * EXTREMES]], total)
    lowest = np.argsort(key, kind="stable")[:EXTREMES][::-1]
    highest = [int(i) for i in descending[:EXTREMES]]
    return Selection(highest + [int(i) for i in lowest if int(i) not in set(highest)], total)
