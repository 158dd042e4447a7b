"""Turn rows of text into checked columns.

Inline tables and data files go through the same checks, and a problem names its row and column: the caller says how to
turn those into a place in a file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from atreport.errors import Problem
from atreport.spec.models import BoundColumns, Process
from atreport.spec.problems import did_you_mean
from atreport.spec.yaml_tree import parse_number

MAX_SHOWN = 20
"""How many problems of one kind in one column are written out."""

MAX_POPULATION = 10**15

Placer = Callable[[int, str, str, str | None], Problem]
"""(row position, column, message, hint) → a problem at that place. Row -1 is the heading."""


@dataclass(frozen=True, kw_only=True)
class CellRows:
    """Checked rows, one for each cell, in the order given. Behind the wall: holds the true probabilities."""

    codes: NDArray[np.int32]  # (rows, attributes): position of the value in the spec's list
    population: NDArray[np.int64]
    favourable: NDArray[np.float64]
    lower: NDArray[np.float64] | None
    upper: NDArray[np.float64] | None


def check_rows(
    frame: pd.DataFrame, process: Process, bounds: BoundColumns | None, place: Placer
) -> tuple[CellRows | None, list[Problem]]:
    """Check a frame of texts ("" where nothing is written); the rows are None if there is any problem.

    A row whose population is 0 takes no part: its probabilities may be left blank.
    """
    checker = _Checker(frame, process, bounds, place)
    rows = checker.run()
    return (None if checker.problems else rows), checker.problems


class _Checker:
    def __init__(
        self, frame: pd.DataFrame, process: Process, bounds: BoundColumns | None, place: Placer
    ) -> None:
        self.frame = frame
        self.process = process
        self.bounds = bounds
        self.place = place
        self.problems: list[Problem] = []

    def run(self) -> CellRows | None:
        if not self._columns_fit():
            return None
        if self.frame.empty:
            self._report(
                -1, "population", "the table has no rows", "add a row for each combination that occurs"
            )
            return None
        codes = np.column_stack([self._codes(attribute.name) for attribute in self.process.attributes])
        population = self._population()
        present = population > 0
        favourable = self._favourable(present)
        lower = upper = None
        if self.bounds:
            lower, upper = self._bounds(self.bounds, favourable, present)
        self._refuse_duplicates(codes)
        if not self.problems and not present.any():
            self._report(-1, "population", "nobody is in the table: every population is 0", "give the counts")
        return CellRows(
            codes=codes[present].astype(np.int32),
            population=population[present],
            favourable=favourable[present],
            lower=None if lower is None else lower[present],
            upper=None if upper is None else upper[present],
        )

    def _report(self, row: int, column: str, message: str, hint: str | None = None) -> None:
        self.problems.append(self.place(row, column, message, hint))

    def _report_rows(
        self, wrong: NDArray[np.bool_], column: str, describe: Callable[[int], tuple[str, str | None]]
    ) -> None:
        rows = np.flatnonzero(wrong)
        for row in rows[:MAX_SHOWN]:
            self._report(int(row), column, *describe(int(row)))
        if len(rows) > MAX_SHOWN:
            self._report(
                int(rows[MAX_SHOWN]),
                column,
                f"and {len(rows) - MAX_SHOWN} more rows like this in column '{column}'",
            )

    def _columns_fit(self) -> bool:
        columns = list(self.frame.columns)
        outcomes = self.process.outcome.values
        attributes = [attribute.name for attribute in self.process.attributes]
        extra = [self.bounds.lower, self.bounds.upper] if self.bounds else []
        known = [*attributes, "population", *outcomes, *extra]
        for column in columns:
            if column not in known:
                self._report(-1, column, f"unknown column '{column}'", did_you_mean(column, known))
        missing = [column for column in [*attributes, "population", *extra] if column not in columns]
        if not any(outcome in columns for outcome in outcomes):
            missing.append(self.process.outcome.favourable)
        for column in missing:
            self._report(-1, column, f"column '{column}' is missing", f"each row needs {', '.join(known)}")
        return not missing

    def _texts(self, column: str) -> NDArray[np.object_]:
        return self.frame[column].to_numpy(dtype=object)

    def _codes(self, column: str) -> NDArray[np.int64]:
        """Positions of the values in the spec's list; an unknown value is a problem."""
        values = self.process.attribute(column).values
        texts = self._texts(column)
        codes = pd.Index(values, dtype=object).get_indexer(pd.Index(texts, dtype=object))

        def describe(row: int) -> tuple[str, str | None]:
            if texts[row] == "":
                return f"row {row + 1} has no '{column}'", f"write one of: {', '.join(values[:20])}"
            return f"'{texts[row]}' is not a value of '{column}'", did_you_mean(
                str(texts[row]), values, listing="its values"
            )

        self._report_rows(codes < 0, column, describe)
        return np.asarray(codes, dtype=np.int64)

    def _parse(self, column: str, required: NDArray[np.bool_]) -> NDArray[np.object_]:
        """Exact numbers, None where blank; a malformed number, or a blank where one is required, is a problem."""
        texts = self._texts(column)
        positions, distinct = pd.factorize(texts, use_na_sentinel=False)
        numbers = np.empty(len(distinct), dtype=object)
        numbers[:] = [parse_number(str(text)) for text in distinct]
        parsed = numbers[positions]
        blank = texts == ""

        def describe(row: int) -> tuple[str, str | None]:
            if blank[row]:
                return f"row {row + 1} has no '{column}'", "write a number"
            return (
                f"'{texts[row]}' in column '{column}' is not a number",
                "use digits and a point, such as 0.25",
            )

        self._report_rows(
            np.where(blank, required, np.array([number is None for number in parsed])), column, describe
        )
        return np.asarray(parsed, dtype=object)

    def _population(self) -> NDArray[np.int64]:
        parsed = self._parse("population", np.ones(len(self.frame), dtype=bool))
        fits = np.array(
            [n is None or (n == n.to_integral_value() and 0 <= n <= MAX_POPULATION) for n in parsed]
        )

        def describe(row: int) -> tuple[str, str | None]:
            number = parsed[row]
            if number < 0:
                return f"population {number} is negative", "write the number of people, 0 or more"
            if number > MAX_POPULATION:
                return f"population {number} is too large", f"write at most {MAX_POPULATION}"
            return f"population {number} is not a whole number", "write the number of people, not a share"

        self._report_rows(~fits, "population", describe)
        population = np.array(
            [int(n) if n is not None and fit else 0 for n, fit in zip(parsed, fits, strict=True)], np.int64
        )
        if float(population.sum(dtype=np.float64)) > MAX_POPULATION:
            self._report(-1, "population", f"more than {MAX_POPULATION} people in all")
        return population

    def _probabilities(self, column: str, required: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Probabilities, NaN where blank."""
        parsed = self._parse(column, required)
        values = np.array(
            [np.nan if number is None else float(number) for number in parsed], dtype=np.float64
        )
        self._report_rows(
            (values < 0) | (values > 1),
            column,
            lambda row: (
                f"{parsed[row]} in column '{column}' is not a probability",
                "write a number from 0 to 1",
            ),
        )
        return values

    def _favourable(self, present: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The true favourable probability, as given or as what the other outcome leaves.

        A row may leave one outcome out. Where it gives both, they must sum to 1.
        """
        favourable, other = self.process.outcome.favourable, self.process.unfavourable
        given = [column for column in (favourable, other) if column in self.frame.columns]
        blank = np.logical_and.reduce([self._texts(column) == "" for column in given])
        before = len(self.problems)
        columns = {column: self._probabilities(column, present & blank) for column in given}
        nothing = np.full(len(self.frame), np.nan)
        wanted, left = columns.get(favourable, nothing), columns.get(other, nothing)
        total = wanted + left
        if len(self.problems) == before:
            self._report_rows(
                present & (np.abs(total - 1) > 1e-9),
                favourable,
                lambda row: (
                    f"the probabilities of row {row + 1} sum to {total[row]:.12g}, not 1",
                    f"correct them, or leave column '{other}' out",
                ),
            )
        # 15 decimals: as many as a double carries, so that 1 - 0.9 is 0.1 and not 0.09999999999999998
        return np.where(np.isnan(wanted), np.round(1.0 - left, 15), wanted)

    def _bounds(
        self, columns: BoundColumns, favourable: NDArray[np.float64], present: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        before = len(self.problems)
        lower = self._probabilities(columns.lower, present)
        upper = self._probabilities(columns.upper, present)
        if len(self.problems) == before:
            crossed = present & (lower > upper)
            self._report_rows(
                crossed,
                columns.lower,
                lambda row: (f"the lower bound of row {row + 1} is above its upper bound", None),
            )
            outside = present & ~crossed & ((favourable < lower) | (favourable > upper))
            self._report_rows(
                outside,
                columns.lower,
                lambda row: (
                    f"the bounds of row {row + 1} do not contain the true probability",
                    "readers rely on the bounds to hold the truth: widen them",
                ),
            )
        return lower, upper

    def _refuse_duplicates(self, codes: NDArray[np.int64]) -> None:
        combinations = pd.DataFrame(codes)
        again = combinations.duplicated().to_numpy() & (codes >= 0).all(axis=1)
        if not again.any():
            return
        same = combinations.groupby(list(combinations.columns), sort=False).ngroup().to_numpy()
        first_row = pd.Series(np.arange(len(same))).groupby(same).transform("min").to_numpy()
        self._report_rows(
            again,
            self.process.attributes[0].name,
            lambda row: (
                f"row {row + 1} describes the same people as row {first_row[row] + 1}",
                "join the two rows, or correct one",
            ),
        )
