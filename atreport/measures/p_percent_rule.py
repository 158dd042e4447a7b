"""The p% rule: the lower favourable rate as a share of the higher; over all outcomes, the smallest of these shares."""

from collections.abc import Iterator, Mapping

from atreport.core.band import Range
from atreport.core.rule_table import RuleTable
from atreport.measures.comparisons import Rates, ratio_range, smaller_of_both, smallest
from atreport.measures.feasible_rules import apart
from atreport.measures.groups import Pair, all_outcomes, compare_pairs, favourable_outcome
from atreport.measures.measured import Measured, NotMeasured, bound_of_groups, ratio_bound
from atreport.measures.unknowns import UnknownPool
from atreport.spec.fairness import PPercentRule


def measure(table: RuleTable, asked: PPercentRule, *, unknown: bool) -> Iterator[Measured | NotMeasured]:
    """Every two groups. The rule asks all outcomes compared to reach p, so the smallest ratio is what counts."""
    over_all = asked.outcomes == "all"
    outcomes = all_outcomes(table) if over_all else favourable_outcome(table)

    def compare(pair: Pair) -> Measured:
        ratios = {of: tuple(map(ratio_range, pair.joint((of,)))) for (of,) in outcomes}
        ranges = [smallest(each) for each in zip(*ratios.values(), strict=True)]
        if len(outcomes) == 2:
            ranges = list(map(smaller_of_both, pair.joint(outcomes[0])))
        return pair.measured(
            asked,
            ranges,
            bound_of_groups(table, asked, ratio_bound),
            _smallest_ratio,
            UnknownPool.ratio if unknown and not over_all else None,
            outcome=_smallest_outcome(ratios) if over_all else None,
            by_outcome=ratios if over_all else None,
        )

    return compare_pairs(table, asked, outcomes, compare)


def _smallest_ratio(a: Rates, b: Rates) -> Range:
    return smallest([ratio_range(apart(a[outcome], b[outcome])) for outcome in a])


def _smallest_outcome(ratios: Mapping[str, tuple[Range, ...]]) -> str:
    """The outcome with the smallest ratio; of several the first."""
    return min(ratios, key=lambda outcome: ratios[outcome][0].value)
