"""The p% rule: the lower favourable rate as a share of the higher; over all outcomes, the smallest of these shares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from atreport.analysis.bounds import bound_of_groups, ratio_bound
from atreport.analysis.comparisons import Rates, ratio_range, smaller_of_both, smallest
from atreport.analysis.measures.groups import (
    all_outcomes,
    favourable_outcome,
    pairs,
    whoever_the_unknown_are,
)
from atreport.analysis.measures.measured import Measured, NotMeasured
from atreport.analysis.possible_rules.joint_rates import apart
from atreport.analysis.ranges import Range
from atreport.analysis.unknowns import UnknownPool
from atreport.rule_table import RuleTable
from atreport.spec.models.measures import PPercentRule


def measure(table: RuleTable, asked: PPercentRule, *, unknown: bool) -> Iterator[Measured | NotMeasured]:
    """Every two groups. The rule asks all outcomes compared to reach p, so the smallest ratio is what counts."""
    over_all = asked.outcomes == "all"
    outcomes = all_outcomes(table) if over_all else favourable_outcome(table)
    for found in pairs(table, asked, asked.groups, (), outcomes):
        if isinstance(found, NotMeasured):
            yield found
            continue
        a, b = found.a, found.b
        ratios = {of: tuple(map(ratio_range, found.joint((of,)))) for (of,) in outcomes}
        by_population = zip(*ratios.values(), strict=True)
        ranges = tuple(smallest(each) for each in by_population)
        if len(outcomes) == 2:
            ranges = tuple(map(smaller_of_both, found.joint(outcomes[0])))
        yield Measured(
            asked=asked,
            groups=(a.name, b.name),
            given=None,
            ranges=ranges,
            a_priori=bound_of_groups(table, asked, ratio_bound),
            rates=found.rates,
            chance=found.chance(_smallest_ratio),
            outcome=_smallest_outcome(ratios) if over_all else None,
            by_outcome=ratios if over_all else None,
            unknown=whoever_the_unknown_are(
                table, asked.groups, None, partial(UnknownPool.ratio, a=a.name, b=b.name)
            )
            if unknown and not over_all
            else None,
        )


def _smallest_ratio(a: Rates, b: Rates) -> Range:
    return smallest([ratio_range(apart(a[outcome], b[outcome])) for outcome in a])


def _smallest_outcome(ratios: Mapping[str, tuple[Range, ...]]) -> str:
    """The outcome with the smallest ratio; of several the first."""
    return min(ratios, key=lambda outcome: ratios[outcome][0].value)
