"""The ``policy`` section: how close the announced rule stays to the true one, and which privacy is promised."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from atreport.spec.values import (
    Name,
    NonNegative,
    OneOf,
    PositiveUnitNumber,
    Section,
    UnitNumber,
    read_whole_number,
)

MAX_DECIMALS = 9


class BoundColumns(Section):
    """The columns of the source that hold each cell's own bounds on the announced favourable probability."""

    lower: Name = "lower"
    upper: Name = "upper"


class Fidelity(OneOf):
    """How far an announced probability may be from the true one: exactly one of the three."""

    delta: UnitNumber | None = Field(None, description="|announced - true| is at most 1 - delta.")
    alpha: PositiveUnitNumber | None = Field(
        None, description="announced / true lies between alpha and 1/alpha."
    )
    bounds: BoundColumns | None = Field(None, description="Each row of the source gives its own bounds.")


class PrivacyCeiling(OneOf):
    """The highest confidence the publisher is ready to allow: exactly one of the two."""

    beta: PositiveUnitNumber | None = Field(None, description="The highest allowed confidence.")
    gamma: NonNegative | None = Field(None, description="The least required uncertainty, -log(beta).")


def _decimals(value: int) -> int:
    if not 1 <= value <= MAX_DECIMALS:
        raise ValueError(f"must be a whole number from 1 to {MAX_DECIMALS}, not {value}")
    return value


class Policy(Section):
    """What the publisher promises: fidelity to the truth, and privacy of the people."""

    fidelity: Fidelity
    privacy: PrivacyCeiling | None = None
    unprotectable: Literal["refuse", "suppress", "merge"] | None = Field(
        None,
        description="Groups that no perturbation can protect: refuse the report, leave them out, or join them with "
        "others along the attributes' hierarchies. When left out they are published with the confidence they have.",
    )
    mechanism: Literal["optimal", "calibrated"] = Field(
        "optimal",
        description="optimal: the announced rule of least confidence; calibrated: the middle of a fixed interval around "
        "each true probability, which cannot be read back by those who know the method.",
    )
    objective: Literal["privacy", "fidelity"] = Field(
        "privacy",
        description="privacy: least confidence at this fidelity; fidelity: least distortion that keeps the ceiling.",
    )
    decimals: Annotated[
        int,
        BeforeValidator(read_whole_number),
        AfterValidator(_decimals),
        WithJsonSchema({"type": "integer", "minimum": 1, "maximum": MAX_DECIMALS}),
    ] = 4
