"""Distances between the values of an attribute, by which individual fairness says how much two people differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag

from atreport.errors import Problem
from atreport.kit.numbers import counted
from atreport.spec.models.process import Attribute
from atreport.spec.models.values import DistanceNumber, Number, OwnWords, Section
from atreport.spec.problems import did_you_mean
from atreport.spec.yaml import Document, KeyPath, parse_number


def _kind_of_numbers(value: object) -> str:
    return "each value" if isinstance(value, dict) else "its values"


Numbers = Annotated[
    Annotated[Literal["values"], Tag("its values")] | Annotated[dict[OwnWords, Number], Tag("each value")],
    Discriminator(_kind_of_numbers),
]
"""`values`: the attribute's values are numbers themselves; or a number for each of them."""


class ScaleDistance(Section):
    """Distance along a scale: `scale` for each step between two values, or for each unit between their numbers."""

    scale: DistanceNumber
    numbers: Numbers | None = Field(
        None,
        description="values: the attribute's values are numbers; or a number for each value. Without it, one step each.",
    )

    def find_problems(self, document: Document, attribute: Attribute, path: KeyPath) -> Iterator[Problem]:
        """Where the scale goes by numbers, every value of the attribute has one, and nothing else has."""
        place: KeyPath = (*path, "numbers")
        if self.numbers == "values":
            wordy = [value for value in attribute.values if not _is_number(value)]
            if wordy:
                yield document.problem(
                    place,
                    f"'{wordy[0]}' is a value of '{attribute.name}' and not a number",
                    f"give a number for each value: 'numbers: {{{wordy[0]}: …}}'",
                )
        elif self.numbers is not None:
            for value in self.numbers:
                if value not in attribute.values:
                    hint = did_you_mean(value, attribute.values, listing="its values")
                    yield document.problem(
                        (*place, value), f"'{value}' is not a value of '{attribute.name}'", hint, at_key=True
                    )
            for value in attribute.values:
                if value not in self.numbers:
                    yield document.problem(
                        place, f"'{value}' has no number", f"add '{value}: …'", at_key=True
                    )


def _is_number(text: str) -> bool:
    number = parse_number(text)
    return number is not None and abs(number) < 10**12 and number == round(number, 12)


class MatrixDistance(Section):
    """Distance of every value to every other, rows and columns in the order of the attribute's values."""

    matrix: tuple[tuple[DistanceNumber, ...], ...] = Field(
        min_length=1, description="Symmetric, with zeros on the diagonal."
    )

    def find_problems(self, document: Document, attribute: Attribute, path: KeyPath) -> Iterator[Problem]:
        """The matrix has an entry for each pair of the attribute's values, and makes a distance."""
        place: KeyPath = (*path, "matrix")
        wrong_size = list(self._check_size(document, attribute, place))
        yield from wrong_size or self._check_symmetry(document, attribute, place)

    def _check_size(self, document: Document, attribute: Attribute, place: KeyPath) -> Iterator[Problem]:
        rows, count = self.matrix, len(attribute.values)
        if len(rows) != count:
            message = f"'{attribute.name}' has {counted(count, 'value')}, and the matrix has {counted(len(rows), 'row')}"
            yield document.problem(
                place, message, "one row for each value, in the order of the values", at_key=True
            )
            return
        for index, row in enumerate(rows):
            if len(row) != count:
                entries = counted(len(row), "entry", "entries")
                message = f"'{attribute.name}' has {counted(count, 'value')}, and this row has {entries}"
                yield document.problem(
                    (*place, index), message, "one entry for each value, in the order of the values"
                )

    def _check_symmetry(self, document: Document, attribute: Attribute, place: KeyPath) -> Iterator[Problem]:
        rows = self.matrix
        for i, row in enumerate(rows):
            if row[i] != 0:
                message = f"the distance of '{attribute.values[i]}' from itself is {row[i]}"
                yield document.problem((*place, i, i), message, "write 0 on the diagonal")
            for j in range(i):
                if row[j] != rows[j][i]:
                    pair = f"'{attribute.values[j]}' and '{attribute.values[i]}'"
                    message = (
                        f"the distance of {pair} is {rows[j][i]} above the diagonal and {row[j]} below it"
                    )
                    yield document.problem((*place, i, j), message, "a distance is the same both ways")


def _kind_of_distance(value: object) -> str:
    if isinstance(value, MatrixDistance) or (isinstance(value, dict) and "matrix" in value):
        return "a matrix"
    return "a scale" if isinstance(value, dict | ScaleDistance) else "a weight"


Distance = Annotated[
    Annotated[DistanceNumber, Tag("a weight")]
    | Annotated[ScaleDistance, Tag("a scale")]
    | Annotated[MatrixDistance, Tag("a matrix")],
    Discriminator(_kind_of_distance),
]
"""A number (the distance of any two different values), a scale or a matrix."""
