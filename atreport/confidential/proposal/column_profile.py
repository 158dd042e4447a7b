"""Look at the columns of a data file: what kind each is, and what a report might use it for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import duckdb

from atreport.confidential.data.data_files import literal, name_in_sql
from atreport.confidential.data.record_source import RecordSource

MOST_ROWS = 200_000
"""How many records are looked at."""

MOST_VALUES = 24
"""A column with more different texts than this is no category."""

MARKS = ("N/A", "n/a", "NA", "NaN", "nan", "NULL", "null", "None", "?", "-", ".")
"""Texts that often mark a missing entry."""

Use = Literal["outcome", "public", "sensitive", "other"]

_WORDS: dict[Use, list[str]] = {
    "outcome": [
        "decision",
        "outcome",
        "approved",
        "approval",
        "accept",
        "accepted",
        "admitted",
        "admit",
        "granted",
        "hired",
        "selected",
        "deny",
        "denied",
        "reject",
        "rejected",
        "refused",
        "result",
        "status",
        "target",
        "label",
        "class",
        "default",
        "card",
        "y",
    ],
    "public": [
        "gender",
        "sex",
        "race",
        "ethnicity",
        "ethnic",
        "age",
        "afam",
        "single",
        "married",
        "marital",
        "nationality",
        "citizen",
        "region",
        "state",
        "district",
        "city",
        "town",
        "zip",
        "postcode",
        "country",
        "department",
        "owner",
        "selfemp",
        "selfemployed",
    ],
    "sensitive": [
        "income",
        "salary",
        "wage",
        "debt",
        "credit",
        "score",
        "history",
        "health",
        "disability",
        "diagnosis",
        "religion",
        "orientation",
        "union",
        "wealth",
        "expenditure",
        "benefit",
        "arrears",
        "reports",
        "lvrat",
        "pirat",
        "chist",
        "mhist",
    ],
}


@dataclass(frozen=True, kw_only=True)
class Profile:
    """One column as far as the records that were looked at show it."""

    name: str
    filled: int  # records in which something is written
    distinct: int
    is_number: bool
    values: tuple[str, ...]  # all of them where they are few, the most frequent first
    marks: tuple[str, ...]  # which marks of missing entries occur
    missing: int
    quartiles: tuple[float, ...]  # of a number
    lowest: tuple[float, float]  # of a number: the smallest and the next one
    highest: float

    @property
    def near_unique(self) -> bool:
        """Whether nearly every record has a text of its own, as names and case numbers have.

        A number is one of cases where it leaves few numbers out; else it is a measurement, such as an income.
        """
        few_left_out = self.highest - self.lowest[0] < 1.2 * self.distinct
        unique = self.distinct > 20 and self.distinct > 0.9 * self.filled
        return unique and (few_left_out or not self.is_number)

    @property
    def is_category(self) -> bool:
        """Whether its values can be listed."""
        return 2 <= self.distinct <= MOST_VALUES and bool(self.values)

    @property
    def is_measure(self) -> bool:
        """Whether it is a number with too many values to list."""
        return self.is_number and self.distinct > 8

    def sounds_like(self, use: Use) -> bool:
        """Whether the name suggests that use."""
        words = "".join(c if c.isalnum() else " " for c in self.name.lower()).split()
        return any(
            word == known or (len(known) > 3 and known in word) for word in words for known in _WORDS[use]
        )


@dataclass(frozen=True, kw_only=True)
class FileProfile:
    """All columns of a file, and which of them say the same."""

    rows: int
    columns: tuple[Profile, ...]
    determined: tuple[tuple[str, str], ...]  # (a, b): in these records, a tells b

    def column(self, name: str) -> Profile:
        """The column of that name."""
        return next(column for column in self.columns if column.name == name)


def look_at(source: RecordSource) -> FileProfile:
    """Profile the columns of the first records."""
    with source.connect() as connection:
        try:
            connection.execute(
                f"CREATE TEMP TABLE seen AS SELECT COLUMNS(*)::VARCHAR FROM {source.relation} LIMIT {MOST_ROWS}"
            )
        except duckdb.Error as error:
            raise source.unreadable(error) from None
        rows = int((connection.execute("SELECT count(*) FROM seen").fetchone() or (0,))[0])
        columns = tuple(_profile(connection, name) for name in source.columns)
        categories = [column.name for column in columns if column.is_category]
        return FileProfile(rows=rows, columns=columns, determined=_determined(connection, categories))


def _profile(connection: duckdb.DuckDBPyConnection, name: str) -> Profile:
    marks = ", ".join(literal(mark) for mark in MARKS)
    text = f"trim({name_in_sql(name)})"
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE texts AS SELECT {text} AS text, count(*) AS often FROM seen GROUP BY 1"
    )
    found = connection.execute(f"SELECT text FROM texts WHERE text IN ({marks}) ORDER BY text").fetchall()
    # "-" marks a missing entry only beside other texts: where it is one of two values, it is a decision
    kinds = int((connection.execute("SELECT count(*) FROM texts WHERE text <> ''").fetchone() or (0,))[0])
    present = tuple(str(mark) for (mark,) in found) if kinds > 2 else ()
    gone = ", ".join(literal(mark) for mark in ("", *present))
    filled, distinct, numbers, missing = connection.execute(
        f"SELECT coalesce(sum(often) FILTER (NOT gone), 0), count(*) FILTER (NOT gone), "
        f"count(*) FILTER (NOT gone AND isfinite(TRY_CAST(text AS DOUBLE))), coalesce(sum(often) FILTER (gone), 0) "
        f"FROM (SELECT *, coalesce(text IN ({gone}), true) AS gone FROM texts)"
    ).fetchone() or (0, 0, 0, 0)
    is_number = 0 < distinct == numbers
    quartiles: tuple[float, ...] = ()
    lowest, highest = (0.0, 0.0), 0.0
    if is_number:
        ends = connection.execute(
            f"SELECT TRY_CAST(text AS DOUBLE) AS n FROM texts WHERE text NOT IN ({gone}) ORDER BY n LIMIT 2"
        ).fetchall()
        lowest = (float(ends[0][0]), float(ends[-1][0]))
        row = connection.execute(
            f"SELECT quantile_disc(TRY_CAST({text} AS DOUBLE), [0.25, 0.5, 0.75, 1]) FROM seen WHERE {text} NOT IN ({gone})"
        ).fetchone()
        *middle, highest = (float(number) for number in (row[0] if row else (0.0,)))
        quartiles = tuple(middle)
    values: list[tuple[str]] = []
    if distinct <= MOST_VALUES:
        values = connection.execute(
            f"SELECT text FROM texts WHERE NOT coalesce(text IN ({gone}), true) ORDER BY often DESC, text"
        ).fetchall()
    return Profile(
        name=name,
        filled=int(filled),
        distinct=int(distinct),
        is_number=is_number,
        values=tuple(text for (text,) in values),
        marks=present,
        missing=int(missing),
        quartiles=quartiles,
        lowest=lowest,
        highest=highest,
    )


def _determined(connection: duckdb.DuckDBPyConnection, names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Pairs of categories of which the first tells the second in every record."""
    found = []
    kinds = {}
    for name in names:
        row = connection.execute(f"SELECT count(DISTINCT {name_in_sql(name)}) FROM seen").fetchone()
        kinds[name] = row[0] if row else 0
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            row = connection.execute(
                f"SELECT count(*) FROM (SELECT DISTINCT {name_in_sql(one)} a, {name_in_sql(other)} b FROM seen "
                "WHERE a IS NOT NULL AND b IS NOT NULL)"
            ).fetchone()
            pairs = row[0] if row else 0
            if pairs == kinds[one]:
                found.append((one, other))
            if pairs == kinds[other]:
                found.append((other, one))
    return tuple(found)
