"""The p% rule: the lower favourable rate as a share of the higher; over all outcomes, the smallest of these shares."""

from collections.abc import Iterator, Mapping
from functools import partial

from atreport.core.band import Range
from atreport.core.rule_table import RuleTable
from atreport.measures.comparisons import Rates, ratio_range, smaller_of_both, smallest
from atreport.measures.feasible_rules import apart
from atreport.measures.groups import all_outcomes, favourable_outcome, pairs, unknown_group_bounds
from atreport.measures.measured import Measured, NotMeasured, bound_of_groups, ratio_bound
from atreport.measures.unknowns import UnknownPool
from atreport.spec.fairness import PPercentRule


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
            unknown=unknown_group_bounds(
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
