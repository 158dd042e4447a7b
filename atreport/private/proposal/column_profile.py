"""Look at the columns of a data file: what is written in each, how often, and what kind of column that makes it."""

import unicodedata
from dataclasses import dataclass, replace
from typing import Literal

import duckdb

from atreport.errors import DECEIVING
from atreport.private.data.binning import number_in_sql
from atreport.private.data.data_files import literal, name_in_sql
from atreport.private.data.record_source import RecordSource, Talk
from atreport.private.proposal import vocabulary
from atreport.private.proposal.vocabulary import names
from atreport.spec.checks import MARK

MOST_ROWS = 200_000
"""How many records are looked at."""

MOST_VALUES = 24
"""A column with more different texts than this is no category."""

FEW_NUMBERS = 8
"""A number with more values than this is cut into ranges."""

LONGEST_NAME = 80
"""A longer text becomes a shorter label."""

MARKS = ("N/A", "n/a", "NA", "NaN", "nan", "NULL", "null", "None", "?", "-", ".", "#N/A", "#NULL!")
"""Texts that often mark a missing entry."""

LONG_TEXT = 40
"""Texts that are longer than this on average, and seldom the same, are free texts."""

OFTEN = 20
"""A text that occurs so often, on average, is no free text."""

_DATE = r"\d{4}-\d{1,2}-\d{1,2}([ T].*)?|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}"

Kind = Literal[
    "category", "number", "identifier", "name", "birth", "date", "contact", "text", "constant", "unnameable"
]
"""A column can be used where it is a category or a number; every other kind stays out, and the reason is its name."""

WHY_LEFT_OUT: dict[Kind, str] = {
    "identifier": "is a number of cases or nearly unique: it would identify people",
    "name": "seems to hold names of people",
    "birth": "seems to be a date of birth: it would identify people",
    "date": "holds dates",
    "contact": "seems to say where people can be reached",
    "text": "is free text, or has too many different texts to list",
    "unnameable": "has texts that no label can be: with line breaks, or signs that cannot be seen",
    "constant": "says the same of everybody, or nothing",
}


def can_be_named(text: str) -> bool:
    """Whether a spec can say what a text stands for: nothing in it is unseen, and a long one has no two blanks in a row."""
    unseen = any(unicodedata.category(c) in ("Cc", "Cs", "Cn", "Zl", "Zp") or c in DECEIVING for c in text)
    return not (
        unseen or text.startswith(MARK) or (len(text) > LONGEST_NAME and text != " ".join(text.split()))
    )


@dataclass(frozen=True, kw_only=True)
class Profile:
    """One column as far as the records that were looked at show it."""

    name: str
    place: int  # among the columns of the file, from 0
    filled: int  # records in which something is written
    distinct: int
    is_number: bool
    values: tuple[str, ...]  # all of them where they are few, the most frequent first
    marks: tuple[str, ...]  # which marks of missing entries occur
    missing: int
    dates: int = 0  # different texts that are dates
    length: float = 0.0  # of a text, on average
    quartiles: tuple[float, ...] = ()  # of a number
    lowest: tuple[float, float] = (0.0, 0.0)  # of a number: the smallest and the next one
    highest: float = 0.0
    is_whole: bool = False  # whether all are whole numbers

    @property
    def near_unique(self) -> bool:
        """Whether nearly every record has a text of its own, as names and case numbers have.

        A number is one of cases where it leaves few numbers out; else it is a measurement, such as an income.
        """
        few_left_out = self.is_whole and self.highest - self.lowest[0] < 1.5 * self.distinct
        unique = self.distinct > 20 and self.distinct > 0.9 * self.filled
        return unique and (few_left_out or not self.is_number)

    @property
    def kind(self) -> Kind:
        """What the column holds."""
        if self.distinct < 2:
            return "constant"
        few = self.distinct <= MOST_VALUES
        if names(vocabulary.BIRTH, self.name) and not few:
            return "birth"
        if self.dates > 0.9 * self.distinct:
            return "date"
        if names(vocabulary.NAMES_OF_PEOPLE, self.name) and not self.is_number and self.distinct > 12:
            return "name"
        if names(vocabulary.CONTACTS, self.name) and not few:
            return "contact"
        often_unique = names(vocabulary.NUMBERS_OF_CASES, self.name) and self.distinct > 0.5 * self.filled
        named = names(vocabulary.IDENTIFIERS, self.name) or often_unique
        if self.near_unique or (named and not few):
            return "identifier"
        if not all(map(can_be_named, self.values)):
            return "unnameable"
        if self.is_number:
            return "number" if self.distinct > FEW_NUMBERS else "category"
        repeated = self.filled >= OFTEN * self.distinct
        return "category" if few and (self.length <= LONG_TEXT or repeated) else "text"

    @property
    def is_category(self) -> bool:
        """Whether its values can be listed."""
        return self.kind == "category"

    @property
    def is_measure(self) -> bool:
        """Whether it is a number with too many values to list."""
        return self.kind == "number"

    @property
    def is_usable(self) -> bool:
        """Whether it can be an attribute at all."""
        return self.kind in ("category", "number")


@dataclass(frozen=True, kw_only=True)
class FileProfile:
    """All columns of a file, and how many records were looked at."""

    rows: int
    columns: tuple[Profile, ...]

    def column(self, name: str) -> Profile | None:
        """The column of that name, if there is one."""
        return next((column for column in self.columns if column.name == name), None)

    @property
    def usable(self) -> tuple[Profile, ...]:
        """The columns that can be attributes or the outcome."""
        return tuple(column for column in self.columns if column.is_usable)


def seen_in(source: RecordSource) -> str:
    """SQL that puts the first records into a table `seen`, every column as text."""
    return f"CREATE TEMP TABLE seen AS SELECT COLUMNS(*)::VARCHAR FROM {source.relation} LIMIT {MOST_ROWS}"


def profile_columns(
    connection: duckdb.DuckDBPyConnection,
    columns: tuple[str, ...],
    decimal: Literal["point", "comma"],
    talk: Talk,
) -> FileProfile:
    """Profile the columns of the table `seen`."""
    rows = int((connection.execute("SELECT count(*) FROM seen").fetchone() or (0,))[0])
    profiles = []
    for place, name in enumerate(columns):
        talk(f"column {place + 1} of {len(columns)}")
        profiles.append(_profile(connection, name, place, decimal))
    return FileProfile(rows=rows, columns=tuple(profiles))


def _profile(
    connection: duckdb.DuckDBPyConnection, name: str, place: int, decimal: Literal["point", "comma"]
) -> Profile:
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE texts AS SELECT trim({name_in_sql(name)}) AS text, count(*) AS often "
        "FROM seen GROUP BY 1"
    )
    marks = _marks(connection)
    gone = ", ".join(literal(mark) for mark in ("", *marks))
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE written AS SELECT text, often, {number_in_sql('text', decimal)} AS number "
        f"FROM texts WHERE NOT coalesce(text IN ({gone}), true)"
    )
    row = connection.execute(
        "SELECT coalesce(sum(often), 0), count(*), count(*) FILTER (isfinite(number)), "
        f"count(*) FILTER (regexp_full_match(text, {literal(_DATE)})), coalesce(avg(length(text)), 0) FROM written"
    ).fetchone()
    filled, distinct, numbers, dates, length = row or (0, 0, 0, 0, 0)
    is_number = 0 < distinct == numbers
    values = []
    if distinct <= MOST_VALUES:
        values = connection.execute("SELECT text FROM written ORDER BY often DESC, text").fetchall()
    whole = connection.execute("SELECT coalesce(sum(often), 0) FROM texts").fetchone() or (0,)
    profile = Profile(
        name=name,
        place=place,
        filled=int(filled),
        distinct=int(distinct),
        is_number=is_number,
        values=tuple(str(text) for (text,) in values),
        marks=marks,
        missing=int(whole[0]) - int(filled),
        dates=int(dates),
        length=float(length),
    )
    return _with_numbers(connection, profile) if is_number else profile


def _marks(connection: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    """The marks of missing entries that occur.

    "-" marks one only beside other texts: where it is one of two values, it is a decision.
    """
    listed = ", ".join(literal(mark) for mark in MARKS)
    found = connection.execute(f"SELECT text FROM texts WHERE text IN ({listed}) ORDER BY text").fetchall()
    kinds = connection.execute("SELECT count(*) FROM texts WHERE text <> ''").fetchone() or (0,)
    return tuple(str(mark) for (mark,) in found) if kinds[0] > 2 else ()


def _with_numbers(connection: duckdb.DuckDBPyConnection, profile: Profile) -> Profile:
    """The same with what is known of its numbers: where they begin and end, and their quartiles."""
    ends = connection.execute("SELECT DISTINCT number FROM written ORDER BY 1 LIMIT 2").fetchall()
    # the first number at which a quarter, a half, three quarters of the records are reached
    reached = connection.execute(
        "SELECT min(number) FILTER (4 * up_to >= whole), min(number) FILTER (2 * up_to >= whole), "
        "min(number) FILTER (4 * up_to >= 3 * whole), max(number) FROM "
        "(SELECT number, sum(often) OVER (ORDER BY number) AS up_to, sum(often) OVER () AS whole FROM written)"
    ).fetchone()
    *quartiles, highest = (float(number) for number in reached or (0.0,))
    whole = connection.execute("SELECT bool_and(number = floor(number)) FROM written").fetchone() or (False,)
    return replace(
        profile,
        quartiles=tuple(quartiles),
        lowest=(float(ends[0][0]), float(ends[-1][0])),
        highest=highest,
        is_whole=bool(whole[0]),
    )
