"""Rows of text → checked columns. Behind the wall: the rows of a source hold the true probabilities.

``columns``  one column at a time: codes of values, numbers of people, probabilities
``cells``    a table with one row for each cell
``census``   the people of a census
``inline``   the table that is written out in the spec
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atreport.errors import SpecProblem
from atreport.spec.policy import BoundColumns
from atreport.spec.process import Process
from atreport.spec.source import Source
from atreport.spec.yaml import Document, KeyPath, did_you_mean, parse_number

# Turn columns of text into checked columns of codes and numbers, one at a time.
#
# A problem names its row and column: the caller says how to turn those into a place in a file.

MAX_SHOWN = 20
"""How many problems of one kind in one column are written out."""

MAX_POPULATION = 10**15

TextColumns = dict[str, NDArray[np.object_]]
"""Columns of texts, all of one length, by name."""

Placer = Callable[[int, str, str, str | None], SpecProblem]
"""(row position, column, message, hint) → a problem at that place. Row -1 is the heading."""


class ColumnReader:
    """Reads the columns of one table, and collects what is wrong with them."""

    def __init__(self, columns: TextColumns, process: Process, place: Placer) -> None:
        self.columns = columns
        self.length = len(next(iter(columns.values()), ()))
        self.process = process
        self.place = place
        self.problems: list[SpecProblem] = []

    def report(self, row: int, column: str, message: str, hint: str | None = None) -> None:
        """Note a problem in a row; row -1 is the heading."""
        self.problems.append(self.place(row, column, message, hint))

    def report_rows(
        self, wrong: NDArray[np.bool_], column: str, describe: Callable[[int], tuple[str, str | None]]
    ) -> None:
        """Note a problem in each of the rows marked, and sum up those after the first :data:`MAX_SHOWN`."""
        rows = np.flatnonzero(wrong)
        for row in rows[:MAX_SHOWN]:
            self.report(int(row), column, *describe(int(row)))
        if len(rows) > MAX_SHOWN:
            self.report(
                int(rows[MAX_SHOWN]),
                column,
                f"and {len(rows) - MAX_SHOWN} more rows like this in column '{column}'",
            )

    def codes(self, column: str) -> NDArray[np.int64]:
        """Positions of the values in the spec's list; an unknown value is a problem."""
        values = self.process.attribute(column).values
        texts = self.columns[column]
        place = {value: code for code, value in enumerate(values)}
        codes = np.array([place.get(text, -1) for text in texts.tolist()], dtype=np.int64)

        def describe(row: int) -> tuple[str, str | None]:
            if texts[row] == "":
                return f"row {row + 1} has no '{column}'", f"write one of: {', '.join(values[:20])}"
            return f"'{texts[row]}' is not a value of '{column}'", did_you_mean(
                str(texts[row]), values, listing="its values"
            )

        self.report_rows(codes < 0, column, describe)
        return codes

    def _parse(self, column: str, required: NDArray[np.bool_]) -> NDArray[np.object_]:
        """Exact numbers, None where blank; a malformed number, or a blank where one is required, is a problem."""
        texts = self.columns[column]
        numbers = {text: parse_number(text) for text in set(texts.tolist())}
        parsed = np.empty(len(texts), dtype=object)
        parsed[:] = [numbers[text] for text in texts.tolist()]
        blank = texts == ""

        def describe(row: int) -> tuple[str, str | None]:
            if blank[row]:
                return f"row {row + 1} has no '{column}'", "write a number"
            return (
                f"'{texts[row]}' in column '{column}' is not a number",
                "use digits and a point, such as 0.25",
            )

        self.report_rows(
            np.where(blank, required, np.array([number is None for number in parsed])), column, describe
        )
        return parsed

    def population(self) -> NDArray[np.int64]:
        """Numbers of people: whole, not negative, and not too many in all; 0 where there is a problem."""
        parsed = self._parse("population", np.ones(self.length, dtype=bool))
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

        self.report_rows(~fits, "population", describe)
        population = np.array(
            [int(n) if n is not None and fit else 0 for n, fit in zip(parsed, fits, strict=True)], np.int64
        )
        if float(population.sum(dtype=np.float64)) > MAX_POPULATION:
            self.report(-1, "population", f"more than {MAX_POPULATION} people in all")
        return population

    def probabilities(self, column: str, required: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Probabilities, NaN where blank."""
        parsed = self._parse(column, required)
        values = np.array(
            [np.nan if number is None else float(number) for number in parsed], dtype=np.float64
        )
        self.report_rows(
            (values < 0) | (values > 1),
            column,
            lambda row: (
                f"{parsed[row]} in column '{column}' is not a probability",
                "write a number from 0 to 1",
            ),
        )
        return values


# Turn the rows of a table of cells into checked columns. Inline tables and data files go through the same
# checks.


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
) -> tuple[CellRows | None, list[SpecProblem]]:
    """Check columns of texts ("" where nothing is written); the rows are None if there is any problem.

    A row whose population is 0 takes no part: its probabilities may be left blank.
    """
    reader = _CellReader(columns, process, place)
    rows = reader.read(bounds)
    return (None if reader.problems else rows), reader.problems


class _CellReader(ColumnReader):
    def read(self, bounds: BoundColumns | None) -> CellRows | None:
        if not self._columns_fit(bounds):
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
        if bounds:
            favourable = self.process.outcome.values.index(self.process.outcome.favourable)
            lower, upper = self._bounds(bounds, probability[:, favourable], present)
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

    def _columns_fit(self, bounds: BoundColumns | None) -> bool:
        columns = list(self.columns)
        outcomes = self.process.outcome.values
        attributes = [attribute.name for attribute in self.process.attributes]
        extra = [bounds.lower, bounds.upper] if bounds else []
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


# Turn the rows of a census into checked codes and numbers of people.


def check_population(
    columns: TextColumns, process: Process, place: Placer
) -> tuple[NDArray[np.int64], NDArray[np.int64], list[SpecProblem]]:
    """Codes and people of the rows of a census; without a column of people, each row is one person."""
    reader = ColumnReader(columns, process, place)
    names = [attribute.name for attribute in process.attributes]
    for column in [name for name in names if name not in reader.columns]:
        hint = f"a census has a column for each of {', '.join(names)}, and population"
        reader.report(-1, column, f"column '{column}' is missing", hint)
    if not reader.length:
        reader.report(
            -1, "population", "the census has no rows", "add a row for each combination that occurs"
        )
    if reader.problems:
        return np.empty((0, len(names)), np.int64), np.empty(0, np.int64), reader.problems
    codes = np.column_stack([reader.codes(name) for name in names])
    counted = "population" in reader.columns
    people = reader.population() if counted else np.ones(reader.length, dtype=np.int64)
    if not reader.problems and not people.any():
        reader.report(-1, "population", "nobody is in the census: every population is 0", "give the counts")
    return codes, people, reader.problems


# The table that is written out in a spec, as columns of texts and as places of its problems.


def inline_columns(source: Source) -> TextColumns:
    """An inline table as columns of texts, "" where a row leaves a column out."""
    rows = source.table or ()
    names = dict.fromkeys(key for row in rows for key in row)
    return {name: np.array([row.get(name, "") for row in rows], dtype=object) for name in names}


def inline_placer(document: Document) -> Placer:
    """Places of an inline table: the value in its row, the row itself, or (for the heading) the first such key."""

    def place(row: int, column: str, message: str, hint: str | None) -> SpecProblem:
        table: KeyPath = ("source", "table")
        if row >= 0:
            return document.problem((*table, row, column), message, hint)
        for index, written in enumerate(document.root["source"]["table"]):
            if column in written:
                return document.problem((*table, index, column), message, hint, at_key=True)
        return document.problem(table, message, hint, at_key=True)

    return place
