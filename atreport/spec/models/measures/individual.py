"""``measure: individual``."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import ClassVar, Literal, Self

from pydantic import Field

from atreport.errors import Problem
from atreport.spec.models.measures.distances import Distance, MatrixDistance, ScaleDistance
from atreport.spec.models.naming import refuse_joined, unknown_attribute
from atreport.spec.models.process import Process
from atreport.spec.models.values import Flag, Line, NonNegative, Section
from atreport.spec.yaml import Document, KeyPath


class IndividualFairness(Section):
    """By how much people are treated more differently than they differ."""

    groups_asked: ClassVar[int] = 2  # there are none, and that follows from the spec too
    is_ratio: ClassVar[bool] = False
    screened_by_four_fifths: ClassVar[bool] = False

    measure: Literal["individual"]
    metric: Literal["total_variation", "relative"] = "total_variation"
    distance: dict[str, Distance] = Field(
        description="For each attribute a number (distance of any two different values), {scale: s} (s a step), "
        "{numbers: …, scale: s} (s a unit) or {matrix: …}."
    )
    threshold: NonNegative | None = None
    title: Line | None = None
    headline: Flag | None = Field(
        None, description="Whether the summary begins with this measure; of one measure at most."
    )

    @property
    def limit(self) -> Decimal | None:
        """What the figure should not exceed."""
        return self.threshold

    def find_problems(self, document: Document, process: Process, path: KeyPath) -> Iterator[Problem]:
        """Every attribute exists; numbers and matrices have an entry for each of its values, and make a distance."""
        for name, distance in self.distance.items():
            place: KeyPath = (*path, "distance", name)
            absent = list(unknown_attribute(document, process, name, place, at_key=True))
            yield from absent
            if not absent and isinstance(distance, ScaleDistance | MatrixDistance):
                yield from distance.find_problems(document, process.attribute(name), place)

    def in_values_of(self, asked: Process, announced: Process) -> Self:
        """The measure as it is, if it knows no distances between values that had to be joined; refused if it does."""
        for name, distance in self.distance.items():
            joined = asked.attribute(name).values != announced.attribute(name).values
            if joined and isinstance(distance, ScaleDistance | MatrixDistance):
                raise refuse_joined(
                    f"individual fairness measures distances between values of '{name}', and some had to be joined.\n"
                    f"  Give '{name}' one number as its distance"
                )
        return self
