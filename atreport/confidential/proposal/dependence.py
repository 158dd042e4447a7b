"""Which columns of a file tell others: one column under two names, a number and its ranges, a score and its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb
import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.binning import is_missing
from atreport.confidential.data.data_files import name_in_sql
from atreport.confidential.proposal.column_profile import FileProfile, Profile

LEAST_REPEATED = 4
"""A column tells others by chance where few records share its values: at least so many must, on average."""

FIRST = 2_000
"""Most pairs that do not depend on each other show it in the first so many records."""

MOST_COLUMNS = 200
"""Of so many columns the dependences are looked for; a wider table has too many pairs."""


@dataclass(frozen=True, kw_only=True)
class Dependence:
    """In these records `one` tells `other`: nobody with the same `one` differs in `other`. Two-way: and the reverse."""

    one: str
    other: str
    two_way: bool

    def __str__(self) -> str:
        if self.two_way:
            return (
                f"'{self.one}' and '{self.other}' say the same in every record: who knows one knows the other"
            )
        return f"'{self.one}' tells '{self.other}' in every record, but not the other way round"


@dataclass(frozen=True, kw_only=True)
class Dependences:
    """All dependences that were found."""

    found: tuple[Dependence, ...]

    def same(self, name: str) -> frozenset[str]:
        """The columns that say the same as this one, under other names."""
        pairs = [{each.one, each.other} for each in self.found if each.two_way]
        return frozenset[str]().union(*(pair for pair in pairs if name in pair)) - {name}

    def told_by(self, name: str) -> frozenset[str]:
        """The columns that this one tells."""
        return self.same(name) | {each.other for each in self.found if each.one == name}

    def telling(self, name: str) -> frozenset[str]:
        """The columns that tell this one."""
        return self.same(name) | {each.one for each in self.found if each.other == name}

    def related(self, name: str) -> frozenset[str]:
        """The columns that tell this one, or are told by it."""
        return self.told_by(name) | self.telling(name)


def find_dependences(connection: duckdb.DuckDBPyConnection, profile: FileProfile) -> Dependences:
    """Look for dependences in the table `seen`, between categories and numbers that occur often enough."""
    columns = [c for c in profile.usable if c.distinct * LEAST_REPEATED <= c.filled][:MOST_COLUMNS]
    codes = _codes(connection, columns)
    found = []
    for i, one in enumerate(columns):
        for other in columns[i + 1 :]:
            forth = other.is_category and _tells(codes[one.name], codes[other.name])
            back = one.is_category and _tells(codes[other.name], codes[one.name])
            first, second = (one, other) if forth else (other, one)
            if forth or back:
                found.append(Dependence(one=first.name, other=second.name, two_way=forth and back))
    return Dependences(found=tuple(found))


def _codes(connection: duckdb.DuckDBPyConnection, columns: Sequence[Profile]) -> dict[str, NDArray[np.int64]]:
    """A number for each text, by column; -1 where nothing is written. One query, so that rows stay side by side."""
    if not columns:
        return {}
    keys = ", ".join(
        f"CASE WHEN {is_missing(c.name, c.marks)} THEN NULL ELSE hash(trim({name_in_sql(c.name)})) END AS key_{i}"
        for i, c in enumerate(columns)
    )
    hashed = connection.execute(f"SELECT {keys} FROM seen").fetchnumpy()
    found = {}
    for i, column in enumerate(columns):
        key = np.ma.masked_array(hashed[f"key_{i}"])
        place = np.unique(key.filled(0), return_inverse=True)[1]
        found[column.name] = np.where(np.ma.getmaskarray(key), -1, place).astype(np.int64)
    return found


def _tells(one: NDArray[np.int64], other: NDArray[np.int64]) -> bool:
    """Whether nobody with the same first value differs in the second, among those who have both."""
    both = (one >= 0) & (other >= 0)
    one, other = one[both], other[both]
    if len(np.unique(other)) < 2:
        return False
    pairs = one * (int(other.max()) + 1) + other
    first = slice(FIRST)
    return len(np.unique(pairs[first])) == len(np.unique(one[first])) and len(np.unique(pairs)) == len(
        np.unique(one)
    )
