"""The impact ratio: each group's favourable rate as a share of the most favoured group's."""

from collections.abc import Iterator
from functools import partial

from atreport.core.band import Range
from atreport.core.rule_table import RuleTable
from atreport.measures.comparisons import impact_range, impact_ranges
from atreport.measures.groups import AllGroups, all_groups, unknown_group_bounds
from atreport.measures.measured import Measured, NotMeasured, bound_of_groups, ratio_bound
from atreport.measures.unknowns import UnknownPool
from atreport.spec.fairness import ImpactRatio


def measure(table: RuleTable, asked: ImpactRatio, *, unknown: bool) -> Iterator[Measured | NotMeasured]:
    """Every group against the one with the highest rate, which is also compared with itself."""
    groups, missing = all_groups(table, asked, asked.groups)
    yield from missing
    if groups is None:
        return
    present, rates = groups.present, groups.rates
    highest = sorted(range(len(present)), key=lambda index: rates[index].ranges[0].value)[-1]
    impacts, chances = _impacts(groups), groups.chance(impact_ranges)
    for index, group in enumerate(present):
        yield Measured(
            asked=asked,
            groups=(group.name, present[highest].name),
            given=None,
            ranges=tuple(impact[index] for impact in impacts),
            a_priori=bound_of_groups(table, asked, ratio_bound),
            rates=tuple(rates[each] for each in sorted({index, highest})),
            chance=chances[index] if chances else None,
            unknown=unknown_group_bounds(
                table, asked.groups, None, partial(UnknownPool.impact, name=group.name)
            )
            if unknown
            else None,
        )


def _impacts(groups: AllGroups) -> list[list[Range]]:
    """The ratio of each group, once for each population that must hold."""
    if not groups.share_people:
        return groups.by_population(impact_ranges)
    everyone = range(len(groups.present))
    return [
        [
            impact_range([groups.joint(own, other, i) for other in everyone if other != own])
            for own in everyone
        ]
        for i in range(len(groups.rated.table.weights))
    ]
