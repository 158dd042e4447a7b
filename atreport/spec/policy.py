"""The ``policy`` section: how close the announced rule stays to the true one, and which privacy is promised."""

from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from atreport.spec.values import (
    Factor,
    Limits,
    Name,
    NonNegative,
    PositiveUnitNumber,
    Section,
    UnitNumber,
    not_one_of,
    read_number,
    read_whole_number,
    whole,
)

MAX_DECIMALS = 9

Mechanism = Literal["optimal", "calibrated"]
"""How an announced rule is chosen: for the least confidence, or on a grid that is fixed in advance."""


Aim = Literal["odds", "beta", "lift"]
"""What can be made least: the odds factor, the confidence in a value, how many times as likely a value becomes."""

Grid = Literal["wide"]
"""How mechanism 'calibrated' cuts 0 to 1: with wide outer parts."""


class BoundColumns(Section):
    """The columns of the source that hold each cell's own bounds on the announced favourable probability."""

    lower: Name = "lower"
    upper: Name = "upper"


_RATES = Limits(0, 1, above=True)


def _rates(value: object) -> Decimal | Literal["best"]:
    """A number, or the word that asks for the best one."""
    if isinstance(value, str) and value == "best":
        return "best"
    try:
        return _RATES.check(read_number(value))
    except ValueError as error:
        raise ValueError(f"{error}; write a number such as 0.99, 1 (exact), or best") from None


Rates = Annotated[
    Decimal | Literal["best"],
    BeforeValidator(_rates),
    WithJsonSchema({"anyOf": [_RATES.schema, {"const": "best"}]}),
]


class Fidelity(Section):
    """How far an announced probability may be from the true one: exactly one of delta, alpha and bounds.

    Beside it, how close the rate of each outcome stays to the true one in every group.
    """

    model_config = ConfigDict(
        json_schema_extra={"oneOf": [{"required": [key]} for key in ("delta", "alpha", "bounds")]}
    )

    delta: UnitNumber | None = Field(
        None,
        description="|announced - true| is at most 1 - delta. 1: the true rule, rounded to `decimals` where it has more.",
    )
    alpha: PositiveUnitNumber | None = Field(
        None, description="announced / true lies between alpha and 1/alpha."
    )
    bounds: BoundColumns | None = Field(None, description="Each row of the source gives its own bounds.")
    rates: Rates | None = Field(
        None,
        description="In every group of people who are alike in the public attributes, the announced rate of each outcome "
        "is within 1 - rates of the true one. best: as close as the ceilings allow.",
    )

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        beside = "" if self.rates is None else " beside rates"
        if problem := not_one_of(self, ("delta", "alpha", "bounds"), beside):
            raise ValueError(problem)
        return self


class PrivacyCeiling(Section):
    """What the publisher is ready to allow at most: any of them, but not beta and gamma, which say the same."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1, "not": {"required": ["beta", "gamma"]}})

    beta: PositiveUnitNumber | None = Field(None, description="The highest allowed confidence.")
    gamma: NonNegative | None = Field(None, description="The least required uncertainty, -log(beta).")
    lift: Factor | None = Field(
        None,
        description="No sensitive value becomes more than so many times as likely as the population makes it.",
    )
    odds: Factor | None = Field(
        None, description="Nobody's odds of any statement about a person change by more than this factor."
    )

    @model_validator(mode="after")
    def _something(self) -> Self:
        if all(getattr(self, name) is None for name in type(self).model_fields):
            raise ValueError("give at least one of beta (or gamma), lift, odds")
        if self.beta is not None and self.gamma is not None:
            raise ValueError("give beta or gamma, not both: gamma is -log(beta)")
        return self


def _aims(value: tuple[Aim, ...]) -> tuple[Aim, ...]:
    if not value:
        raise ValueError("name at least one of odds, beta, lift")
    for place, aim in enumerate(value):
        if aim in value[:place]:
            raise ValueError(f"'{aim}' is listed twice")
    if "odds" in value[1:-1]:
        raise ValueError("odds can only stand first or last")
    return value


_AIMS_SCHEMA = {
    "type": "array",
    "items": {"enum": ["odds", "beta", "lift"]},
    "minItems": 1,
    "uniqueItems": True,
}


def _threshold(value: int) -> int:
    if not 2 <= value <= MOST_PEOPLE:
        raise ValueError(f"must be a whole number of at least 2 and at most {MOST_PEOPLE:,}, not {value}")
    return value


MOST_PEOPLE = 1_000_000
"""No threshold for small counts is larger: it would hide everything."""

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
    minimise: Annotated[
        tuple[Aim, ...],
        AfterValidator(_aims),
        WithJsonSchema(_AIMS_SCHEMA),
    ] = Field(
        ("beta", "lift", "odds"),
        description="What is made least, in this order: the confidence in a value (beta), how many times as likely a value "
        "becomes (lift), and first or last the factor by which odds can change for anybody who knows the group (odds).",
    )
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
    grid: Grid | None = Field(
        None,
        description="For mechanism 'calibrated': wide outer intervals, which it has whether or not this is said.",
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
    decimals: Annotated[int, *whole(1, MAX_DECIMALS)] = 4

    @property
    def grid_used(self) -> Grid | None:
        """How 'calibrated' cuts 0 to 1; None where another mechanism chooses what is announced."""
        return (self.grid or "wide") if self.mechanism == "calibrated" else None
