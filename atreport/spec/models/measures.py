"""The ``fairness`` section: one model for each measure, the groups it compares, and distances between people."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, WithJsonSchema

from atreport.spec.models.values import (
    SCALAR_SCHEMA,
    DistanceNumber,
    Line,
    Name,
    NonNegative,
    Number,
    PositiveUnitNumber,
    Section,
    UnitNumber,
    single_or_list,
)

Values = Annotated[tuple[Name, ...], BeforeValidator(single_or_list), Field(min_length=1)]


Condition = Annotated[
    dict[
        str,
        Annotated[
            Values, WithJsonSchema({"anyOf": [SCALAR_SCHEMA, {"type": "array", "items": SCALAR_SCHEMA}]})
        ],
    ],
    Field(min_length=1),
]
"""Attribute → the values it may take; several attributes must all hold."""


def _kind_of_groups(value: object) -> str:
    if isinstance(value, dict):
        return "named groups"
    return "combinations" if isinstance(value, list | tuple) else "an attribute"


Groups = Annotated[
    Annotated[Name, Tag("an attribute")]
    | Annotated[tuple[Name, ...], Field(min_length=2), Tag("combinations")]
    | Annotated[dict[str, Condition], Field(min_length=2), Tag("named groups")],
    Discriminator(_kind_of_groups),
]
"""An attribute (each value is a group), several (each combination that occurs), or named groups with conditions."""

Given = Annotated[
    tuple[Name, ...],
    BeforeValidator(single_or_list),
    Field(min_length=1),
    WithJsonSchema({"anyOf": [SCALAR_SCHEMA, {"type": "array", "items": SCALAR_SCHEMA}]}),
]


class StatisticalParity(Section):
    """Difference between the favourable rates of two groups."""

    measure: Literal["statistical_parity"]
    groups: Groups
    threshold: UnitNumber | None = None
    title: Line | None = None


class ConditionalStatisticalParity(Section):
    """The same difference among people who are alike in the `given` attributes."""

    measure: Literal["conditional_statistical_parity"]
    groups: Groups
    given: Given
    threshold: UnitNumber | None = None
    title: Line | None = None


class PPercentRule(Section):
    """The lower favourable rate as a share of the higher; 0.8 is the four-fifths screening rule."""

    measure: Literal["p_percent_rule"]
    groups: Groups
    p: PositiveUnitNumber = Decimal("0.8")
    outcomes: Literal["favourable", "all"] = Field(
        "favourable",
        description="favourable: compare favourable rates; all: the smallest ratio over all outcomes.",
    )
    title: Line | None = None


class ImpactRatio(Section):
    """Each group's favourable rate as a share of the most favoured group's; 0.8 is the four-fifths screening rule."""

    measure: Literal["impact_ratio"]
    groups: Groups
    p: PositiveUnitNumber = Decimal("0.8")
    title: Line | None = None


class GroupDisparity(Section):
    """The largest difference between the favourable rates of any two of the groups."""

    measure: Literal["group_disparity"]
    groups: Groups
    threshold: UnitNumber | None = None
    title: Line | None = None


def _kind_of_numbers(value: object) -> str:
    return "each value" if isinstance(value, dict) else "its values"


Numbers = Annotated[
    Annotated[Literal["values"], Tag("its values")] | Annotated[dict[str, Number], Tag("each value")],
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


class MatrixDistance(Section):
    """Distance of every value to every other, rows and columns in the order of the attribute's values."""

    matrix: tuple[tuple[DistanceNumber, ...], ...] = Field(
        min_length=1, description="Symmetric, with zeros on the diagonal."
    )


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


class IndividualFairness(Section):
    """By how much people are treated more differently than they differ."""

    measure: Literal["individual"]
    metric: Literal["total_variation", "relative"] = "total_variation"
    distance: dict[str, Distance] = Field(
        description="For each attribute a number (distance of any two different values), {scale: s} (s a step), "
        "{numbers: …, scale: s} (s a unit) or {matrix: …}."
    )
    threshold: NonNegative | None = None
    title: Line | None = None


Measure = Annotated[
    StatisticalParity
    | ConditionalStatisticalParity
    | PPercentRule
    | ImpactRatio
    | GroupDisparity
    | IndividualFairness,
    Discriminator("measure"),
]
