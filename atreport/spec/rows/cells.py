"""Turn the rows of a table of cells into checked columns. Inline tables and data files go through the same checks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atreport.errors import Problem
from atreport.spec.models.policy import BoundColumns
from atreport.spec.models.process import Process
from atreport.spec.problems import did_you_mean
from atreport.spec.rows.columns import ColumnReader, Placer, TextColumns


@dataclass(frozen=True, kw_only=True)
class CellRows:
    """Checked rows, one for each cell, in the order given. Behind the wall: holds the true probabilities."""

    codes: NDArray[np.int32]  # (rows, attributes): position of the value in the spec's list
    population: NDArray[np.int64]
    probability: NDArray[np.float64]  # (rows, outcomes)
    lower: NDArray[np.float64] | None
    upper: NDArray[np.float64] | None


def check_rows(
    columns: TextColumns, process: Process, bounds: BoundColumns | None, place: Placer
) -> tuple[CellRows | None, list[Problem]]:
    """Check columns of texts ("" where nothing is written); the rows are None if there is any problem.

    A row whose population is 0 takes no part: its probabilities may be left blank.
    """
    reader = _CellReader(columns, process, bounds, place)
    rows = reader.read()
    return (None if reader.problems else rows), reader.problems


class _CellReader(ColumnReader):
    def __init__(
        self, columns: TextColumns, process: Process, bounds: BoundColumns | None, place: Placer
    ) -> None:
        super().__init__(columns, process, place)
        self.bounds = bounds

    def read(self) -> CellRows | None:
        if not self._columns_fit():
            return None
        if not self.length:
            self.report(
                -1, "population", "the table has no rows", "add a row for each combination that occurs"
            )
            return None
        codes = np.column_stack([self.codes(attribute.name) for attribute in self.process.attributes])
        population = self.population()
        present = population > 0
        probability = self._outcomes(present)
        lower = upper = None
        if self.bounds:
            favourable = self.process.outcome.values.index(self.process.outcome.favourable)
            lower, upper = self._bounds(self.bounds, probability[:, favourable], present)
        self._refuse_duplicates(codes)
        if not self.problems and not present.any():
            self.report(-1, "population", "nobody is in the table: every population is 0", "give the counts")
        return CellRows(
            codes=codes[present].astype(np.int32),
            population=population[present],
            probability=probability[present],
            lower=None if lower is None else lower[present],
            upper=None if upper is None else upper[present],
        )

    def _columns_fit(self) -> bool:
        columns = list(self.columns)
        outcomes = self.process.outcome.values
        attributes = [attribute.name for attribute in self.process.attributes]
        extra = [self.bounds.lower, self.bounds.upper] if self.bounds else []
        known = [*attributes, "population", *outcomes, *extra]
        for column in columns:
            if column not in known:
                self.report(-1, column, f"unknown column '{column}'", did_you_mean(column, known))
        missing = [column for column in [*attributes, "population", *extra] if column not in columns]
        absent = [outcome for outcome in outcomes if outcome not in columns]
        if len(absent) > 1:  # one may be left out: it is what the others leave
            missing += absent if len(outcomes) > 2 else [self.process.outcome.favourable]
        for column in missing:
            self.report(-1, column, f"column '{column}' is missing", f"each row needs {', '.join(known)}")
        return not missing

    def _outcomes(self, present: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The true probability of every outcome (a column each), as given or as what the others leave.

        A row may leave one outcome out. Where it gives all, they must sum to 1.
        """
        outcomes = self.process.outcome.values
        given = [outcome for outcome in outcomes if outcome in self.columns]
        blank = np.column_stack([self.columns[outcome] == "" for outcome in given])
        too_few = (~blank).sum(axis=1) < len(outcomes) - 1
        before = len(self.problems)
        columns = {
            name: self.probabilities(name, present & too_few & blank[:, i]) for i, name in enumerate(given)
        }
        nothing = np.full(self.length, np.nan)
        table = np.column_stack([columns.get(outcome, nothing) for outcome in outcomes])
        total = np.nansum(table, axis=1)
        left_out = np.isnan(table)
        if len(self.problems) == before:
            whole = ~left_out.any(axis=1)
            wrong = np.where(whole, np.abs(total - 1) > 1e-9, total > 1 + 1e-9)
            favourable = self.process.outcome.favourable
            self.report_rows(
                present & wrong,
                favourable if favourable in given else given[0],
                lambda row: (
                    f"the probabilities of row {row + 1} sum to {total[row]:.12g}, not 1",
                    f"correct them, or leave one column out, such as '{self._remainder}'",
                ),
            )
        # What is left is rounded to 15 decimals, as many as a double carries: 1 - 0.9 is 0.1, not 0.09999999999999998.
        rest = np.round(np.clip(1.0 - total, 0.0, 1.0), 15)
        table = np.where(left_out, rest[:, None], table)
        # Where all were given, the remaining rounding error goes to one outcome, so that every row makes 1.
        spare = outcomes.index(self._remainder)
        others = np.delete(table, spare, axis=1).sum(axis=1)
        table[:, spare] = np.where(
            left_out[:, spare], table[:, spare], np.round(np.clip(1.0 - others, 0.0, 1.0), 15)
        )
        return table

    @property
    def _remainder(self) -> str:
        """The outcome that gives way to the others: the first that is not the favourable one."""
        return next(
            value for value in self.process.outcome.values if value != self.process.outcome.favourable
        )

    def _bounds(
        self, columns: BoundColumns, favourable: NDArray[np.float64], present: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        before = len(self.problems)
        lower = self.probabilities(columns.lower, present)
        upper = self.probabilities(columns.upper, present)
        if len(self.problems) == before:
            crossed = present & (lower > upper)
            self.report_rows(
                crossed,
                columns.lower,
                lambda row: (f"the lower bound of row {row + 1} is above its upper bound", None),
            )
            outside = present & ~crossed & ((favourable < lower) | (favourable > upper))
            self.report_rows(
                outside,
                columns.lower,
                lambda row: (
                    f"the bounds of row {row + 1} do not contain the true probability",
                    "readers rely on the bounds to hold the truth: widen them",
                ),
            )
        return lower, upper

    def _refuse_duplicates(self, codes: NDArray[np.int64]) -> None:
        _, first, same = np.unique(codes, axis=0, return_index=True, return_inverse=True)
        first_row = first[same.ravel()]  # the first row that describes the same people
        self.report_rows(
            (first_row < np.arange(len(codes))) & (codes >= 0).all(axis=1),
            self.process.attributes[0].name,
            lambda row: (
                f"row {row + 1} describes the same people as row {first_row[row] + 1}",
                "join the two rows, or correct one",
            ),
        )
