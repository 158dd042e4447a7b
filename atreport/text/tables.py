"""Turn rows of text into tables ready to print: captioned, with header cells, and short enough to read.

A document never prints thousands of rows. A table that would be too long shows its extremes and says where
the rest is; a page on a screen folds the rest away below it, where it is not too much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from atreport.text.language import count, gettext

Item = TypeVar("Item")

MAX_ROWS = 60
"""The longest table that is printed whole."""

EXTREMES = 15
"""How many rows are shown at each end of one that is not."""


MOST_FOLDED = 700
"""The most rows that a page folds away below such a table; of more it says only where they are."""


@dataclass(frozen=True, kw_only=True)
class Space:
    """How much of a long table is shown at some place, and where the rest is."""

    whole: int  # the longest table that is shown whole
    cut: int  # so many rows are shown of one that is longer
    few: int  # so many rows are shown of a list that could go on for pages
    all_in: str  # where a cut table is whole
    more: str  # where a list goes on, in words

    def choose(self, items: Sequence[Item], key: Callable[[Item], float]) -> list[Item]:
        """All items where they fit; otherwise those with the largest key, equal keys in the order of the list."""
        if len(items) <= self.whole:
            return list(items)
        return sorted(items, key=key, reverse=True)[: self.cut]


ANNEX = Space(whole=MAX_ROWS, cut=2 * EXTREMES, few=6, all_in="annex.json", more="annex.json has more")
TERMINAL = Space(whole=10, cut=10, few=10, all_in="the annex.json of a build", more="--json lists all")

NOTHING = "–"
"""What stands in a field that has no figure."""

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
    said_once: bool = (
        False  # where all its entries are the same, the caption says it and the column is left out
    )


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table as it is shown: on a page by a template, on a terminal by the command line."""

    id: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    left_out: str = ""  # what is not shown and where it is; empty where all is shown
    folded: Table | None = None  # the rows that are not shown: on a screen folded away, on paper left out
    records: tuple[Any, ...] = ()  # what the rows were made from, for JSON; nothing: text alone


def make_table(
    id: str,
    caption: str,
    columns: Sequence[Column],
    rows: Iterable[Sequence[str | Cell]],
    left_out: str = "",
) -> Table:
    """A table of plain text and toned entries.

    A column that may be `said_once` is left out where several rows have the same entry in it; the caption then says it.
    """
    cells = tuple(tuple(c if isinstance(c, Cell) else Cell(c) for c in row) for row in rows)
    same = {
        i: gettext("{heading}: {value}", heading=column.heading, value=cells[0][i].text)
        for i, column in enumerate(columns)
        if column.said_once and len(cells) > 1 and len({row[i] for row in cells}) == 1
    }
    kept = [i for i in range(len(columns)) if i not in same]
    return Table(
        id=id,
        caption=" · ".join((caption, *same.values())),
        columns=tuple(columns[i] for i in kept),
        rows=tuple(tuple(row[i] for i in kept) for row in cells),
        left_out=left_out,
    )


Written = tuple[Sequence[Column], Iterable[Sequence[str | Cell]]]
"""The columns of some rows, and what stands in them."""


def make_long_table(
    id: str, caption: str, chosen: Selection, write: Callable[[Sequence[int]], Written], left_out: str
) -> Table:
    """The chosen rows of a list, and the others folded away; `write` gives rows by their numbers.

    `left_out` is told wherever not all rows are chosen.
    """
    shown = make_table(id, caption, *write(chosen.rows), "" if chosen.whole else left_out)
    if not chosen.folded:
        return shown
    others = gettext("{caption}: the other rows", caption=caption)
    return replace(shown, folded=make_table(f"{id}-rest", others, *write(chosen.folded)))


Shown = tuple[Column, Callable[[Any], str | Cell]]
"""A column, and how its entry is written from a row."""

Of = str | Callable[[Any], Any]
"""What of a row stands in a column: the name of a field or key, or a function of the row."""


def named(heading: str, of: Of, write: Callable[[Any], str | Cell] = str) -> Shown:
    """A column whose entries name the row."""
    return Column(heading, names_row=True), _entry(of, write)


def numeric(heading: str, of: Of, write: Callable[[Any], str | Cell] = str) -> Shown:
    """A column of figures."""
    return Column(heading, numeric=True), _entry(of, write)


def worded(heading: str, of: Of, write: Callable[[Any], str | Cell] = lambda text: text) -> Shown:
    """A column of words, or of what has a tone."""
    return Column(heading), _entry(of, write)


def _entry(of: Of, write: Callable[[Any], str | Cell]) -> Callable[[Any], str | Cell]:
    if callable(of):
        return lambda row: write(of(row))
    return lambda row: write(row[of] if isinstance(row, Mapping) else getattr(row, of))


def tabulate(
    id: str,
    caption: str,
    columns: Sequence[Shown],
    records: Iterable[Any],
    left_out: str = "",
) -> Table:
    """A table of records: what a program reads in JSON, and every row that a person reads, come from the same data."""
    kept = tuple(records)
    shown = make_table(
        id,
        caption,
        [column for column, _ in columns],
        [[write(record) for _, write in columns] for record in kept],
        left_out,
    )
    return replace(shown, records=kept)


@dataclass(frozen=True)
class Selection:
    """Which rows of a long list are printed, and in which order."""

    rows: list[int]
    total: int

    @property
    def whole(self) -> bool:
        """Whether nothing is left out."""
        return len(self.rows) == self.total

    def explained(self, sentence: str, /, **values: object) -> str:
        """A sentence on what is left out, or nothing: a message with {shown} and {total}, to be said with other values."""
        if self.whole:
            return ""
        return gettext(sentence, shown=count(len(self.rows)), total=count(self.total), **values)

    @property
    def folded(self) -> list[int]:
        """The rows that are not printed, in their own order; none where a page cannot hold so many."""
        if self.total - len(self.rows) > MOST_FOLDED:
            return []
        printed = set(self.rows)
        return [row for row in range(self.total) if row not in printed]


def extremes(
    key: NDArray[np.int64],
    *,
    both_ends: bool = True,
    among: NDArray[np.bool_] | None = None,
    whole: int = MAX_ROWS,
) -> Selection:
    """All rows in their own order where they are few (at most `whole`); otherwise those with the largest (and smallest) key.

    Equal keys keep the order of the list, so the choice does not depend on the machine. Where not all are shown, only those
    in `among` are.
    """
    total = len(key)
    if total <= whole:
        return Selection(list(range(total)), total)
    allowed = np.arange(total) if among is None else np.flatnonzero(among)
    descending = allowed[np.argsort(-key[allowed], kind="stable")]
    if not both_ends:
        return Selection([int(i) for i in descending[: 2 * EXTREMES]], total)
    lowest = allowed[np.argsort(key[allowed], kind="stable")[:EXTREMES]][::-1]
    highest = [int(i) for i in descending[:EXTREMES]]
    return Selection(highest + [int(i) for i in lowest if int(i) not in set(highest)], total)
