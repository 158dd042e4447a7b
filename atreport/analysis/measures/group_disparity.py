"""Group disparity: the largest difference between the favourable rates of any two groups."""

from __future__ import annotations

from collections.abc import Iterator

from atreport.analysis.bounds import bound_of_groups, difference_bound
from atreport.analysis.comparisons import disparity_range
from atreport.analysis.measures.groups import all_groups, compare, measured_rate, whoever_the_unknown_are
from atreport.analysis.measures.measured import Measured, NotMeasured
from atreport.analysis.unknowns import UnknownPool
from atreport.rule_table import RuleTable
from atreport.spec.models.measures import GroupDisparity


def measure(table: RuleTable, asked: GroupDisparity, *, unknown: bool) -> Iterator[Measured | NotMeasured]:
    """All groups at once; the two named are those furthest apart."""
    present, missing = all_groups(table, asked, asked.groups)
    yield from missing
    if not present:
        return
    favourable = table.cells.process.outcome.favourable
    rates = tuple(measured_rate(table, group) for group in present)
    lowest, *_, highest = sorted(range(len(present)), key=lambda index: rates[index].ranges[0].value)
    ranges, chance = compare(table, present, lambda of: disparity_range([each[favourable] for each in of]))
    yield Measured(
        asked=asked,
        groups=(present[highest].name, present[lowest].name),
        given=None,
        ranges=tuple(ranges),
        a_priori=bound_of_groups(table, difference_bound),
        rates=rates,
        chance=chance,
        unknown=whoever_the_unknown_are(table, asked.groups, None, UnknownPool.disparity)
        if unknown
        else None,
    )
