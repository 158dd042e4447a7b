"""The true rule, and its figures, for those behind the wall: types of their own, which no public page can be made of.

Analysis takes the true rule as it takes an announced one. Only publication makes parts of a Report, of an Announcement; so
a figure of the truth does not get into one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

import numpy as np

from atreport.analysis.measures import Measured, measure_one
from atreport.announcement import Announcement
from atreport.announcement.rounding import rounded_mappings
from atreport.confidential.data.table import DecisionTable
from atreport.inference import infer, populations_of
from atreport.kit.rounding import nearest, rounded_down, rounded_up
from atreport.population.band import Closeness
from atreport.publication.printing import does_exceed, printed_interval, should_not_exceed, should_reach
from atreport.report.figures import Verdict
from atreport.rule_table import RuleTable
from atreport.spec.models.measures import Measure
from atreport.spec.models.measures.error_rates import ErrorRate

TRUE_DECIMALS = 9
"""How precisely true figures are stated."""

UNCHANGED = Closeness(delta=Decimal(1))


@dataclass(frozen=True, eq=False)
class TrueRule:
    """The rule by which decisions are made."""

    table: DecisionTable

    def rule_table(self, decimals: int, *, like: RuleTable, exact_counts: bool = False) -> RuleTable:
        """The rule to the nearest so many decimals, every cell's outcomes making one, as if it were announced unchanged.

        People are counted and published as in `like`; or, with `exact_counts`, as they are, whatever is published.
        """
        people = (like.cells.population,) if exact_counts else like.weights
        place, whole = self.table.favourable_place, np.full(self.table.probability.shape, 10**decimals)
        return replace(
            like,
            mapping=next(rounded_mappings([self.table.probability], 0 * whole, whole, 10**decimals, place)),
            decimals=decimals,
            fidelity=UNCHANGED,
            weights=people,
            population="withheld" if exact_counts else like.population,
        )

    def as_it_is(self, decimals: int) -> RuleTable:
        """The rule and the people of the data themselves, by their own values and with exact counts.

        Rounded to so many decimals: the truth is no further from it than a step for each outcome. That is its fidelity,
        so every exact figure of the data lies in the interval of the figure found on this table.
        """
        whole = np.full(self.table.probability.shape, 10**decimals)
        rounded = rounded_mappings(
            [self.table.probability], 0 * whole, whole, 10**decimals, self.table.favourable_place
        )
        return RuleTable(
            cells=self.table.cells,
            mapping=next(rounded),
            decimals=decimals,
            fidelity=Closeness(delta=1 - self.table.probability.shape[1] * Decimal(1).scaleb(-decimals)),
            weights=(self.table.cells.population,),
            population="withheld",
        )


def warn_of_more_than_the_truth(table: DecisionTable, announcement: Announcement) -> str:
    """Where the announced rule lets somebody be more confident than the true rule itself would; empty elsewhere.

    Optimal rules never do, but for rounding: the truth is one of those that they are chosen from.
    """
    if announcement.mechanism != "calibrated":
        return ""
    truth = TrueRule(table).rule_table(TRUE_DECIMALS, like=announcement.rule)
    populations = populations_of(truth.cells, truth.weights)
    found = infer(truth.cells, truth.mapping, populations, TRUE_DECIMALS).beta.max()
    beta = rounded_up(Fraction(int(found), 10**TRUE_DECIMALS), announcement.decimals)
    if announcement.beta <= beta:
        return ""
    return (
        f"β = {announcement.beta} is above {beta}, which publishing the true rule itself would give: with the mechanism "
        "calibrated at this fidelity, the report protects less than the truth would. Take the mechanism optimal, or another "
        "fidelity: 'atreport tradeoff' shows what each gives."
    )


@dataclass(frozen=True, kw_only=True)
class TrueRate:
    """The true favourable rate of one group."""

    value: Decimal
    people: int | None  # None: others may be in the group too, under a value that stands for several


@dataclass(frozen=True, kw_only=True)
class TrueMeasure:
    """One fairness measure of the true rule, to the nearest of TRUE_DECIMALS."""

    asked: Measure
    groups: tuple[str, str] | None
    given: Mapping[str, str] | None
    value: Decimal | None  # None: nothing bounds it
    verdict: Verdict | None
    rates: Mapping[str, TrueRate]  # favourable, by group
    is_over_outcomes: bool = False  # the smallest ratio over all outcomes
    rate: ErrorRate | None = None  # of error rates: which


def measure_truth(table: RuleTable, asked: Measure) -> Iterator[TrueMeasure]:
    """Every comparison that one entry of the spec asks for, on a rule table of the truth.

    With another fidelity than 1, the verdict is the one that a reader could draw if the truth were announced at that
    fidelity.
    """
    for found in measure_one(table, asked, unknown=False):
        if isinstance(found, Measured):
            yield _true_measure(found, table.decimals)


def _true_measure(found: Measured, decimals: int) -> TrueMeasure:
    interval = None if found.ranges is None else printed_interval(found.ranges, decimals)
    judge = should_reach if found.asked.is_ratio else should_not_exceed
    at_least = None if found.at_least is None else rounded_down(found.at_least, decimals)
    return TrueMeasure(
        asked=found.asked,
        groups=found.groups,
        given=found.given,
        value=None if found.ranges is None else nearest(found.ranges[0].value, decimals),
        verdict=does_exceed(at_least, found.asked.limit) if at_least else judge(interval, found.asked.limit),
        rates={
            rate.group: TrueRate(value=nearest(rate.ranges[0].value, decimals), people=rate.people)
            for rate in found.rates
        },
        is_over_outcomes=found.by_outcome is not None,
        rate=found.rate,
    )
