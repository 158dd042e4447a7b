"""Group disparity: the largest difference between the favourable rates of any two groups."""

from collections.abc import Iterator
from itertools import combinations

from atreport.core.band import Range
from atreport.core.rule_table import RuleTable
from atreport.measures.comparisons import difference_range, disparity_range, largest
from atreport.measures.groups import AllGroups, all_groups, unknown_group_bounds
from atreport.measures.measured import Measured, NotMeasured, group_difference_bound
from atreport.measures.unknowns import UnknownPool
from atreport.spec.fairness import GroupDisparity


def measure(table: RuleTable, asked: GroupDisparity, *, unknown: bool) -> Iterator[Measured | NotMeasured]:
    """All groups at once; the two named are those furthest apart."""
    groups, missing = all_groups(table, asked, asked.groups)
    yield from missing
    if groups is None:
        return
    present, rates = groups.present, tuple(groups.rates)
    lowest, *_, highest = sorted(range(len(present)), key=lambda index: rates[index].ranges[0].value)
    yield Measured(
        asked=asked,
        groups=(present[highest].name, present[lowest].name),
        given=None,
        ranges=tuple(_disparities(groups)),
        a_priori=group_difference_bound(table, asked),
        rates=rates,
        chance=groups.chance(disparity_range),
        unknown=unknown_group_bounds(table, asked.groups, None, UnknownPool.disparity) if unknown else None,
    )


def _disparities(groups: AllGroups) -> list[Range]:
    """The largest difference, once for each population that must hold."""
    if not groups.share_people:
        return groups.by_population(disparity_range)
    pairs = list(combinations(range(len(groups.present)), 2))
    return [
        largest([difference_range(groups.joint(*pair, i)) for pair in pairs])
        for i in range(len(groups.rated.table.weights))
    ]
