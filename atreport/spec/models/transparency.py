"""The ``transparency`` section: how the announced rule is explained, by rules, by influence and by dependence."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from atreport.spec.models.measures import Condition
from atreport.spec.models.values import (
    Flag,
    Line,
    Name,
    PositiveUnitNumber,
    Section,
    WholeLimits,
    read_whole_number,
)

_DEPTH, _REGIONS, _SAMPLES = WholeLimits(1, 8), WholeLimits(2, 20), WholeLimits(2, 100_000)

Record = Annotated[dict[str, Name], Field(min_length=1)]
"""One person's value of every attribute."""


class Anchor(Section):
    """A record whose smallest sufficient condition is looked for."""

    record: Record = Field(description="The value of every attribute.")
    precision: PositiveUnitNumber = Field(
        Decimal("0.9"), description="How often the condition must lead to the record's announced outcome."
    )


class RuleSchemes(Section):
    """The announced rule in other words: as rules, as small models, as regions."""

    exact: Flag = Field(True, description="The announced rule as a list of if-then rules, nothing left out.")
    tree: Annotated[
        int | None,
        BeforeValidator(read_whole_number),
        AfterValidator(_DEPTH.check),
        WithJsonSchema(_DEPTH.schema),
    ] = Field(None, description="A decision tree of at most this depth.")
    linear: Flag = Field(False, description="A linear model: so many points for each value.")
    logistic: Flag = Field(False, description="A logistic model: the same on the scale of log odds.")
    regions: Annotated[
        int | None,
        BeforeValidator(read_whole_number),
        AfterValidator(_REGIONS.check),
        WithJsonSchema(_REGIONS.schema),
    ] = Field(None, description="At most so many regions, in each of which one attribute decides.")
    anchors: tuple[Anchor, ...] = ()


class Quantity(Section):
    """What an influence is an influence on: the favourable rate of a group, or the gap to another."""

    title: Line
    group: Condition | None = Field(None, description="Whose favourable rate; everybody's when left out.")
    minus: Condition | None = Field(
        None, description="The group whose rate is subtracted: the figure is a gap."
    )


class Influence(Section):
    """How much each attribute moves outcomes."""

    permutation: Flag | None = Field(
        None,
        description="By how much an outcome changes on average when the attribute is drawn anew. When left out: true for "
        "tables of up to 20,000 cells.",
    )
    firm: Flag = Field(
        False, description="How widely the favourable rate varies over the attribute's values."
    )
    quantities: tuple[Quantity, ...] = ()
    qii: Flag = Field(True, description="What happens to each quantity when an attribute is drawn anew.")
    sets: tuple[Annotated[tuple[Name, ...], Field(min_length=2)], ...] = Field(
        (), description="Sets of attributes that are drawn anew together."
    )
    shapley: Flag = Field(False, description="How much of each quantity is owed to each attribute.")
    samples: Annotated[
        int,
        BeforeValidator(read_whole_number),
        AfterValidator(_SAMPLES.check),
        WithJsonSchema(_SAMPLES.schema),
    ] = Field(400, description="Random orders for the Shapley value of more than 12 attributes.")
    local_weights: tuple[Record, ...] = Field(
        (), description="Records around which a linear model is fitted, near people counting most."
    )


class Dependence(Section):
    """How the announced probability changes along an attribute's values."""

    attributes: tuple[Name, ...] | None = Field(None, description="Which attributes; all when left out.")
    curves: tuple[Literal["pdp", "ice", "ale"], ...] = ("pdp", "ice", "ale")


class Transparency(Section):
    """How the announced rule is explained."""

    ordered: tuple[Name, ...] = Field((), description="Attributes whose values have an order.")
    rules: RuleSchemes = RuleSchemes()
    influence: Influence = Influence()
    dependence: Dependence | None = None
