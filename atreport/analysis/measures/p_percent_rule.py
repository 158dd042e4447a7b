"""The p% rule: the lower favourable rate as a share of the higher; over all outcomes, the smallest of these shares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from atreport.analysis.bounds import bound_of_groups, ratio_bound
from atreport.analysis.comparisons import ratio_range, smallest
from atreport.analysis.measures.groups import (
    all_outcomes,
    compare,
    favourable_outcome,
    measured_rate,
    pairs,
    whoever_the_unknown_are,
)
from atreport.analysis.measures.measured import Measured, NotMeasured
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
        _, (a, b) = found
        ranges, chance = compare(
            table,
            (a, b),
            lambda of: smallest([ratio_range(of[0][outcome], of[1][outcome]) for outcome in of[0]]),
        )
        ratios = {
            outcome: tuple(ratio_range(x, y) for x, y in zip(first, b.ranges[outcome], strict=True))
            for outcome, first in a.ranges.items()
        }
        yield Measured(
            asked=asked,
            groups=(a.name, b.name),
            given=None,
            ranges=tuple(ranges),
            a_priori=bound_of_groups(table, ratio_bound),
            rates=(measured_rate(table, a), measured_rate(table, b)),
            chance=chance,
            outcome=_smallest_outcome(ratios) if over_all else None,
            by_outcome=ratios if over_all else None,
            unknown=whoever_the_unknown_are(
                table, asked.groups, None, partial(UnknownPool.ratio, a=a.name, b=b.name)
            )
            if unknown and not over_all
            else None,
        )


def _smallest_outcome(ratios: Mapping[str, tuple[Range, ...]]) -> str:
    """The outcome with the smallest ratio; of several the first."""
    return min(ratios, key=lambda outcome: ratios[outcome][0].value)
