"""The part of a report on which everything else rests: the announced rule, its policy, its people and its privacy.

A recorded release (a line of the ledger) is this part alone, a report is this part and what follows from it.
"""

from collections.abc import Mapping
from decimal import Decimal
from functools import cached_property
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from atreport.core.band import Closeness
from atreport.core.cells import Cells, ExactArray, IntArray, PeopleLeftOut, TooManyPeople, arrange
from atreport.core.rule_table import CellBounds, PublishedPopulation, RuleTable
from atreport.core.suppression import ExactSum, Mask, SmallCellAccount
from atreport.report.figures import (
    Amount,
    Factor,
    FactorNumber,
    PositiveNumber,
    ReportModel,
    Unit,
    UnitNumber,
    Whole,
    only_texts,
    plain,
)
from atreport.report.people import (
    AttributePrivacy,
    GroupPrivacy,
    PublishedCell,
    PublishedSmallCells,
    Unprotectable,
)
from atreport.spec.policy import Aim, Mechanism
from atreport.spec.process import Process
from atreport.text.language import lazy_gettext

FORMAT: Literal["atreport/1"] = "atreport/1"


class PublishedFidelity(ReportModel):
    """How close announced and true rule are.

    delta: |announced - true| <= 1 - delta. alpha: alpha <= announced / true <= 1 / alpha for each outcome. bounds: both
    announced and true lie in the bounds of their cell. Exactly one of them is given. rates, where it is given: in every
    group, the announced rate of each outcome is within 1 - rates of the true one.
    """

    model_config = ConfigDict(
        json_schema_extra={"oneOf": [{"required": [key]} for key in ("delta", "alpha", "bounds")]}
    )

    delta: UnitNumber | None = None
    alpha: UnitNumber | None = None
    bounds: Literal["cells"] | None = None
    rates: UnitNumber | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        if len(self.model_fields_set - {"rates"}) != 1:
            raise ValueError("exactly one of delta, alpha and bounds")
        return self


class PublishedCeiling(ReportModel):
    """The publisher's ceilings: any of them, but of beta and gamma, which say the same, one at most."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1, "not": {"required": ["beta", "gamma"]}})

    beta: UnitNumber | None = None
    gamma: PositiveNumber | None = None
    lift: FactorNumber | None = None
    odds: FactorNumber | None = None

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.model_fields_set or {"beta", "gamma"} <= self.model_fields_set:
            raise ValueError("at least one ceiling, and beta or gamma but not both")
        return self


class PublishedPolicy(ReportModel):
    """What the publisher promises, and how figures and people are published."""

    fidelity: PublishedFidelity
    privacy: PublishedCeiling | None
    objective: Literal["privacy", "fidelity"]
    mechanism: Mechanism
    decimals: Whole = Field(ge=1, le=9)
    population: PublishedPopulation
    small_cells: PublishedSmallCells
    share_decimals: Whole | None = Field(
        None, ge=1, le=17, description="To how many decimals the shares are rounded."
    )
    bound_decimals: Whole | None = Field(
        None, ge=0, le=9, description="To how many decimals the bounds of the cells are given."
    )
    minimise: tuple[Aim, ...] | None = Field(
        None,
        min_length=1,
        description="What mechanism 'optimal' makes least, in this order; where it is not stated, beta alone.",
    )
    grid: Literal["wide", "even"] | None = Field(
        None,
        description="How mechanism 'calibrated' cuts 0 to 1; where it is not stated, evenly, as earlier versions could.",
    )


class Privacy(ReportModel):
    """What a reader who takes the announced rule for the truth can learn about people."""

    may_be_null = frozenset({"odds"})

    beta: Unit = Field(description="No confidence in a sensitive value exceeds this; rounded up.")
    gamma: Amount = Field(description="-log(beta), rounded down.")
    lift: Factor | None = Field(
        None,
        description="No sensitive value becomes more than so many times as likely as the population makes it; rounded up.",
    )
    odds: Factor | None = Field(
        None,
        description="For those who know a person's group, the odds of no statement about the person change by more than "
        "this factor, whatever they believed before; rounded up. null: without limit, since an outcome can rule something "
        "out.",
    )
    contribution: Unit = Field(description="The most the report adds to what was known of a group before it.")
    unprotectable: Unprotectable
    attributes: tuple[AttributePrivacy, ...] | None = Field(
        None, min_length=1, description="Each sensitive attribute by itself."
    )
    groups: tuple[GroupPrivacy, ...] = Field(min_length=1)


def _only_texts_but_ceilings(value: Any) -> Any:
    """A process has texts only, but for the ceilings of values, which are numbers."""
    match value:
        case {"attributes": list(attributes)}:
            for attribute in attributes:
                if isinstance(attribute, dict) and isinstance(
                    ceilings := attribute.get("ceilings", {}), dict
                ):
                    if "ceilings" in attribute and not ceilings:
                        raise ValueError("'ceilings' is empty; leave it out")
                    if not all(type(ceiling) in (int, Decimal) for ceiling in ceilings.values()):
                        raise ValueError("expected numbers as ceilings")
                    only_texts({key: part for key, part in attribute.items() if key != "ceilings"})
                else:
                    only_texts(attribute)
            only_texts({key: part for key, part in value.items() if key != "attributes"})
        case _:
            only_texts(value)
    return value


class PublishedRule(ReportModel):
    """The announced rule as it is published."""

    format: Literal["atreport/1"]
    process: Annotated[Process, BeforeValidator(_only_texts_but_ceilings)]
    policy: PublishedPolicy
    privacy: Privacy
    cells: tuple[PublishedCell, ...] = Field(min_length=1)

    def as_json(self) -> dict[str, Any]:
        """The rule as JSON has it; its process without the hierarchies, which say how values may be joined."""
        process = self.process.model_dump(
            mode="json", exclude_none=True, exclude={"attributes": {"__all__": {"hierarchy", "ceilings"}}}
        )
        for attribute, entry in zip(self.process.attributes, process["attributes"], strict=True):
            if attribute.ceilings:
                entry["ceilings"] = plain(attribute.ceilings)
        return {**super().as_json(), "process": process}

    @cached_property
    def arranged(self) -> Cells:
        """The cells that occur. Raises ValueError where they are not in the order in which cells are kept."""
        attributes = self.process.attributes
        listed = [[a.name for a in attributes], self.process.outcome.values, *(a.values for a in attributes)]
        if any(len({*each}) < len(each) for each in listed):
            raise ValueError(lazy_gettext("a name or a value is listed twice"))
        positions = [{value: i for i, value in enumerate(a.values)} for a in attributes]
        try:
            codes = [
                [
                    place[cell.values[a.name]]
                    for a, place in zip(self.process.attributes, positions, strict=True)
                ]
                for cell in self.cells
            ]
        except KeyError as error:
            raise ValueError(
                lazy_gettext("a cell has no or an unknown value: {value}", value=str(error))
            ) from None
        people = self._people()
        left_out = self._left_out()
        try:
            cells, order = arrange(
                self.process, np.array(codes, dtype=np.int32), people, self._between(people), left_out
            )
        except TooManyPeople:
            raise ValueError(lazy_gettext("there are more people than can be counted exactly")) from None
        if (order != np.arange(len(order))).any() or len(cells.group_starts) != len(self.privacy.groups):
            raise ValueError(lazy_gettext("the cells are not in order, or the groups are not theirs"))
        return cells

    @cached_property
    def rule_table(self) -> RuleTable:
        """The announced rule on the population as published: all that a reader can calculate figures from.

        Where shares are published, they are the people; where nothing is, every cell counts as one, and figures that
        depend on people cannot be calculated.
        """
        cells, outcomes = self.arranged, self.process.outcome.values
        if any(cell.announced.keys() != {*outcomes} for cell in self.cells):
            raise ValueError(
                lazy_gettext(
                    "a cell has no probability for an outcome, or one for an outcome that there is not"
                )
            )
        mapping = [[steps(cell.announced[o], self.policy.decimals) for o in outcomes] for cell in self.cells]
        return RuleTable(
            cells=cells,
            mapping=np.array(mapping, dtype=np.int64),
            decimals=self.policy.decimals,
            fidelity=self._fidelity(),
            weights=(cells.population,),
            population=self.policy.population,
            small_cells=self._small_cells(cells),
            rates=self.policy.fidelity.rates,
        )

    @property
    def group_beta(self) -> IntArray:
        """The confidence after the report in each group, in whole printed steps."""
        return np.array([steps(g.beta, self.policy.decimals) for g in self.privacy.groups], dtype=np.int64)

    @property
    def group_prior(self) -> IntArray:
        """The confidence before the report in each group, in whole printed steps."""
        return np.array([steps(g.prior, self.policy.decimals) for g in self.privacy.groups], dtype=np.int64)

    def _people(self) -> ExactArray:
        decimals = self.policy.share_decimals or 0 if self.policy.population == "shares" else 0
        sizes = [1 if cell.size is None else cell.size for cell in self.cells]
        return np.array([steps(size, decimals) for size in sizes], dtype=object)

    def _left_out(self) -> tuple[PeopleLeftOut, ...]:
        """Whom no cell counts: in the unit of the cells, one of each kind where no number is published."""
        public = {attribute.name for attribute in self.process.of_role("public")}
        found = []
        for each in self.privacy.unprotectable.left_out or ():
            if not each.of.keys() <= public:
                raise ValueError(lazy_gettext("people who are left out have a value that is not public"))
            match self.policy.population:
                case "counts":
                    size = each.people
                case "shares":
                    size = None if each.share is None else steps(each.share, self.policy.share_decimals or 0)
                case _:
                    size = 1
            if size is None:
                raise ValueError(lazy_gettext("it is not said how many people are left out"))
            found.append(PeopleLeftOut(values=each.of, people=(size,)))
        return tuple(found)

    def _between(self, people: ExactArray) -> tuple[ExactArray, ExactArray] | None:
        """The fewest and the most people in each cell, where counts are published but not exactly."""
        if self.policy.population != "counts" or self.policy.small_cells.is_exact:
            return None
        ends = [
            (cell.guarded.people if cell.guarded else None) or (number, number)
            for cell, number in zip(self.cells, people.tolist(), strict=True)
        ]
        fewest, most = np.array(ends, dtype=object).T
        if ((people < fewest) | (people > most)).any():
            raise ValueError(lazy_gettext("a cell is counted as more or fewer people than it can have"))
        return fewest, most

    def _fidelity(self) -> Closeness | CellBounds:
        fidelity, decimals = self.policy.fidelity, self.policy.bound_decimals
        if fidelity.bounds is None:
            return Closeness(delta=fidelity.delta, alpha=fidelity.alpha)
        if decimals is None or any(cell.bounds is None for cell in self.cells):
            raise ValueError(lazy_gettext("bounds are missing"))
        lower, upper = (
            np.array(
                [steps(cell.bounds[end], decimals) for cell in self.cells if cell.bounds], dtype=np.int64
            )
            for end in (0, 1)
        )
        return CellBounds(lower=lower, upper=upper, decimals=decimals)

    def _small_cells(self, cells: Cells) -> SmallCellAccount:
        stated = self.policy.small_cells
        if stated.suppressed is None:
            return SmallCellAccount(policy=stated.policy, under=stated.under)
        suppressed = np.array([cell.is_suppressed for cell in self.cells])
        if self.policy.population == "withheld":
            # which ones is not published, and no public figure depends on it: any so many will do
            suppressed[: stated.suppressed] = True
        return SmallCellAccount(
            policy=stated.policy,
            under=stated.under,
            protection=stated.protection or stated.under,
            suppressed=suppressed,
            known=tuple(
                ExactSum(values=each.of, cells=_having(cells, each.of), people=each.people)
                for each in stated.known_sums or ()
            ),
        )


def _having(cells: Cells, values: Mapping[str, str]) -> Mask:
    """The cells in which some attributes have these values."""
    mask = np.ones(len(cells), dtype=bool)
    if not values.keys() <= {attribute.name for attribute in cells.process.attributes}:
        raise ValueError(lazy_gettext("a known sum is of an unknown attribute"))
    for name, value in values.items():
        mask &= cells.column(name) == cells.process.attribute(name).values.index(value)
    return mask


def steps(number: Decimal | int, decimals: int) -> int:
    """A printed figure in whole steps; it has no digits beyond those."""
    found = Decimal(number).scaleb(decimals)
    if found != found.to_integral_value():
        raise ValueError(lazy_gettext("more digits than are printed"))
    return int(found)
