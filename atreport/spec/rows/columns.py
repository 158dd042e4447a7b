"""Turn columns of text into checked columns of codes and numbers, one at a time.

A problem names its row and column: the caller says how to turn those into a place in a file.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from atreport.errors import Problem
from atreport.spec.models.process import Process
from atreport.spec.problems import did_you_mean
from atreport.spec.yaml import parse_number

MAX_SHOWN = 20
"""How many problems of one kind in one column are written out."""

MAX_POPULATION = 10**15

TextColumns = dict[str, NDArray[np.object_]]
"""Columns of texts, all of one length, by name."""

Placer = Callable[[int, str, str, str | None], Problem]
"""(row position, column, message, hint) → a problem at that place. Row -1 is the heading."""


class ColumnReader:
    """Reads the columns of one table, and collects what is wrong with them."""

    def __init__(self, columns: TextColumns, process: Process, place: Placer) -> None:
        self.columns = columns
        self.length = len(next(iter(columns.values()), ()))
        self.process = process
        self.place = place
        self.problems: list[Problem] = []

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
