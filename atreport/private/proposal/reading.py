"""Read a file of records for a proposal: its columns, what they tell of each other, and what its numbers look like."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import duckdb
import numpy as np
from numpy.typing import NDArray

from atreport.private.data.binning import is_missing
from atreport.private.data.data_files import literal, name_in_sql
from atreport.private.data.record_source import RecordSource, Talk
from atreport.private.proposal import vocabulary
from atreport.private.proposal.column_profile import (
    MARKS,
    WHY_LEFT_OUT,
    FileProfile,
    Profile,
    profile_columns,
    seen_in,
)
from atreport.private.proposal.input_file import EverydayFile
from atreport.private.proposal.vocabulary import names

# Which columns of a file tell others: one column under two names, a number and its ranges, a score and its
# words.

LEAST_REPEATED = 4
"""A column tells others by chance where few records share its values: at least so many must, on average."""

FIRST = 2_000
"""Most pairs that do not depend on each other show it in the first so many records."""

MOST_COLUMNS = 200
"""Of so many columns the dependences are looked for; a wider table has too many pairs."""


@dataclass(frozen=True, kw_only=True)
class Implication:
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

    found: tuple[Implication, ...]

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
                found.append(Implication(one=first.name, other=second.name, two_way=forth and back))
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


MOST_CASES = 2_000_000
"""A table of counts with more cases than this is not written out case by case."""

_PATTERNS = (r"[-+]?\d+", r"[-+]?\d+,\d+", r"[-+]?\d{1,3},\d{3}", r"[-+]?\d*\.\d+([eE][-+]?\d+)?")
"""Whole numbers; with a comma; those that may be thousands; with a point."""

_DISGUISED = r"[^\w\s]{0,2}\s?[-+]?\d[\d.,'’\s]*\s?[^\d\s]{0,4}"


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a look at a file showed. Confidential: it is about the records."""

    source: RecordSource
    decimal: Literal["point", "comma"]
    profile: FileProfile
    dependences: Dependences
    counts: str | None  # the column that says how many cases a row stands for, where there is one
    notes: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]  # columns that cannot be used, and why


def read_columns(file: EverydayFile, talk: Talk = lambda _words: None) -> Reading:
    """Look at the first records of a file."""
    with file.source.connect(in_order=True) as connection:
        try:
            return _read(connection, file, talk)
        except duckdb.Error as error:
            raise file.source.unreadable(error) from None


def _read(connection: duckdb.DuckDBPyConnection, file: EverydayFile, talk: Talk) -> Reading:
    source = file.source
    connection.execute(seen_in(source))
    decimal, said = _decimal_of(connection, source)
    profile = profile_columns(connection, source.columns, decimal, talk)
    notes = [*file.notes, *said, *_numbers_in_disguise(connection, profile)]
    left_out = _reasons(profile)
    counts = _column_of_counts(connection, profile)
    if counts is not None:
        notes.append(f"each row stands for '{counts.name}' cases: the copy has a row for each of them")
        left_out[counts.name] = "says how many cases a row stands for"
        source = _case_by_case(source, profile, counts)
        connection.execute("DROP TABLE seen")
        connection.execute(seen_in(source))
        profile = profile_columns(connection, source.columns, decimal, talk)
    talk("dependences")
    return Reading(
        source=source,
        decimal=decimal,
        profile=profile,
        dependences=find_dependences(connection, profile),
        counts=None if counts is None else counts.name,
        notes=tuple(notes),
        left_out=tuple({**left_out, **_reasons(profile)}.items()),
    )


def _reasons(profile: FileProfile) -> dict[str, str]:
    """Why columns cannot be used."""
    return {column.name: WHY_LEFT_OUT[column.kind] for column in profile.columns if not column.is_usable}


def _decimal_of(
    connection: duckdb.DuckDBPyConnection, source: RecordSource
) -> tuple[Literal["point", "comma"], tuple[str, ...]]:
    """Whether numbers have decimal commas; where that cannot be told, points, and a word about the column.

    Where some columns have points and others commas, it is what more of them have.
    """
    if not source.is_csv:
        return "point", ()
    kinds = {name: _sign_of(connection, name) for name in source.columns}
    commas, points, unclear = (
        [name for name, kind in kinds.items() if kind == wanted] for wanted in ("comma", "point", "unclear")
    )
    if len(commas) > len(points):
        return "comma", (f"numbers have decimal commas, as in column '{commas[0]}'",)
    return "point", tuple(
        f"column '{name}' may have decimal commas or commas between thousands: it is taken for texts"
        for name in unclear
    )


def _sign_of(connection: duckdb.DuckDBPyConnection, name: str) -> Literal["comma", "point", "unclear"] | None:
    """What stands before the decimals of a column; None where it has none, or is not one of numbers."""
    marks = ", ".join(literal(mark) for mark in ("", *MARKS))
    row = connection.execute(
        f"SELECT count(*), {', '.join(f'count(*) FILTER (regexp_full_match(text, {literal(p)}))' for p in _PATTERNS)} "
        f"FROM (SELECT trim({name_in_sql(name)}) AS text FROM seen) WHERE text NOT IN ({marks})"
    ).fetchone()
    written, whole, with_comma, as_thousands, with_point = row or (0, 0, 0, 0, 0)
    if with_point and whole + with_point == written:
        return "point"
    if with_comma and whole + with_comma == written:
        return "unclear" if as_thousands == with_comma else "comma"
    return None


def _numbers_in_disguise(connection: duckdb.DuckDBPyConnection, profile: FileProfile) -> Iterator[str]:
    """A word about columns that hold numbers, but written so that they are texts: 1.234,50 or 12 EUR."""
    for column in profile.columns:
        if column.is_number or column.kind not in ("text", "identifier"):
            continue
        row = connection.execute(
            f"SELECT count(*) FILTER (regexp_full_match(text, {literal(_DISGUISED)})) "
            f"FROM (SELECT DISTINCT trim({name_in_sql(column.name)}) AS text FROM seen)"
        ).fetchone()
        if row is not None and row[0] > 0.9 * column.distinct:
            yield (
                f"column '{column.name}' seems to hold numbers with signs that keep them from being read (between "
                "thousands, a unit, another decimal sign): write them without, to use it"
            )


def _column_of_counts(connection: duckdb.DuckDBPyConnection, profile: FileProfile) -> Profile | None:
    """The column that says how many cases a row stands for: called so, whole numbers, and no row says the same twice."""
    named = [c for c in profile.columns if names(vocabulary.COUNTS, c.name) and c.is_number and not c.missing]
    others = [
        c
        for c in profile.columns
        if c.is_category and c not in named and not names(vocabulary.IDENTIFIERS, c.name)
    ]
    if (
        len(named) != 1
        or len(others) < 2
        or any(c.kind == "number" for c in profile.columns if c not in named)
    ):
        return None
    (column,) = named
    keys = ", ".join(name_in_sql(other.name) for other in others)
    number = f"TRY_CAST({name_in_sql(column.name)} AS DOUBLE)"
    row = connection.execute(
        f"SELECT count(*), count(DISTINCT ({keys})), bool_and({number} >= 0 AND {number} = floor({number})), "
        f"sum({number}) FROM seen"
    ).fetchone()
    rows, kinds, whole, cases = row or (0, 0, False, 0)
    return column if rows == kinds and whole and rows < cases <= MOST_CASES else None


def _case_by_case(source: RecordSource, profile: FileProfile, counts: Profile) -> RecordSource:
    """The same records with a row for each case, without columns that number the rows."""
    kept = [
        c.name
        for c in profile.columns
        if c is not counts and c.kind != "identifier" and not names(vocabulary.IDENTIFIERS, c.name)
    ]
    listed = ", ".join(name_in_sql(name) for name in kept)
    often = f"TRY_CAST({name_in_sql(counts.name)} AS BIGINT)"
    relation = f"(SELECT {listed} FROM (SELECT {listed}, unnest(range({often})) FROM {source.relation}))"
    return replace(source, relation=relation, columns=tuple(kept))
