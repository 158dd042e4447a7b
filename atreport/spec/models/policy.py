"""The ``policy`` section: how close the announced rule stays to the true one, and which privacy is promised."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from atreport.spec.models.values import (
    Name,
    NonNegative,
    OneOf,
    PositiveUnitNumber,
    Section,
    UnitNumber,
    read_whole_number,
)

MAX_DECIMALS = 9

Mechanism = Literal["optimal", "calibrated"]
"""How an announced rule is chosen: for the least confidence, or on a grid that is fixed in advance."""


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


def _threshold(value: int) -> int:
    if value < 2:
        raise ValueError(f"must be a whole number of at least 2, not {value}")
    return value


SMALL_CELL = 10
"""Counts of fewer people than this are small, unless the policy says otherwise."""

_People = Annotated[
    int,
    BeforeValidator(read_whole_number),
    AfterValidator(_threshold),
]


class SmallCells(Section):
    """What is done with counts of few people."""

    policy: Literal["warn", "round", "suppress", "refuse"] = Field(
        "warn",
        description="warn: 'check' lists them; round: counts are published in steps of `under`; suppress: they are not "
        "published, nor what would give them away; refuse: the report is refused.",
    )
    under: _People = Field(SMALL_CELL, description="Counts of fewer people than this are small.")
    protection: _People | None = Field(
        None,
        description="What others can work out of a suppressed count leaves at least so many people open. As `under`, when "
        "left out.",
    )

    @property
    def protection_interval(self) -> int:
        """How wide the range of values must be that a suppressed count may have."""
        return self.protection or self.under


def _policy_alone(value: object) -> object:
    """`small_cells: round` is short for `small_cells: {policy: round}`."""
    return {"policy": value} if isinstance(value, str) else value


_POLICIES = {"enum": ["warn", "round", "suppress", "refuse"]}
_PEOPLE = {"type": "integer", "minimum": 2}
_SMALL_CELLS_SCHEMA = {
    "anyOf": [
        _POLICIES,
        {
            "type": "object",
            "additionalProperties": False,
            "properties": {"policy": _POLICIES, "under": _PEOPLE, "protection": _PEOPLE},
        },
    ]
}


class Policy(Section):
    """What the publisher promises: fidelity to the truth, and privacy of the people."""

    fidelity: Fidelity
    privacy: PrivacyCeiling | None = None
    unprotectable: Literal["refuse", "suppress", "merge"] | None = Field(
        None,
        description="Groups that no perturbation can protect: refuse the report, leave them out, or join them with "
        "others along the attributes' hierarchies. When left out they are published with the confidence they have.",
    )
    releases: Literal["warn", "refuse"] = Field(
        "warn",
        description="When this report and earlier ones recorded in the ledger together tell more than this report "
        "promises: warn about it, or refuse to publish.",
    )
    mechanism: Mechanism = Field(
        "optimal",
        description="optimal: the announced rule of least confidence; calibrated: the middle of a fixed interval around "
        "each true probability, which cannot be read back by those who know the method.",
    )
    small_cells: Annotated[
        SmallCells, BeforeValidator(_policy_alone), WithJsonSchema(_SMALL_CELLS_SCHEMA)
    ] = Field(
        SmallCells(policy="warn", under=SMALL_CELL, protection=None),
        description="Counts of few people: warn, round, suppress or refuse.",
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
