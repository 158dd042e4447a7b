"""The true rule, and its figures, for those behind the wall: types of their own, which no public page can be made of.

Analysis takes the true rule as it takes an announced one. Only publication makes parts of a Report, of an Announcement; so
a figure of the truth does not get into one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from atreport.analysis.measures import Measured, measure_one
from atreport.announcement import rounded_mappings
from atreport.confidential.data.table import DecisionTable
from atreport.kit.rounding import nearest
from atreport.population.band import Closeness
from atreport.publication.printing import printed_interval, should_not_exceed, should_reach
from atreport.report.figures import Verdict
from atreport.rule_table import RuleTable
from atreport.spec.models.measures import Measure

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


@dataclass(frozen=True, kw_only=True)
class TrueRate:
    """The true favourable rate of one group."""

    value: Decimal
    people: int


@dataclass(frozen=True, kw_only=True)
class TrueMeasure:
    """One fairness measure of the true rule, to the nearest of TRUE_DECIMALS."""

    asked: Measure
    groups: tuple[str, str] | None
    value: Decimal | None  # None: nothing bounds it
    verdict: Verdict | None
    rates: Mapping[str, TrueRate]  # favourable, by group
    is_over_outcomes: bool = False  # the smallest ratio over all outcomes


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
    return TrueMeasure(
        asked=found.asked,
        groups=found.groups,
        value=None if found.ranges is None else nearest(found.ranges[0].value, decimals),
        verdict=judge(interval, found.asked.limit),
        rates={
            rate.group: TrueRate(value=nearest(rate.ranges[0].value, decimals), people=rate.people)
            for rate in found.rates
        },
        is_over_outcomes=found.by_outcome is not None,
    )
