"""Statistical parity: how far apart the rates of two groups are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from atreport.analysis.bounds import bound_of_groups, difference_bound
from atreport.analysis.comparisons import parity_range
from atreport.analysis.measures.groups import (
    all_outcomes,
    compare,
    favourable_outcome,
    measured_rate,
    pairs,
    whoever_the_unknown_are,
)
from atreport.analysis.measures.measured import Measured, NotMeasured
from atreport.analysis.unknowns import UnknownPool
from atreport.rule_table import RuleTable
from atreport.spec.models.measures import ConditionalStatisticalParity, StatisticalParity


def measure(table: RuleTable, asked: StatisticalParity, *, unknown: bool) -> Iterator[Measured | NotMeasured]:
    """Every two groups, among everybody."""
    return parity(table, asked, (), unknown=unknown)


def parity(
    table: RuleTable,
    asked: StatisticalParity | ConditionalStatisticalParity,
    given: Sequence[str],
    *,
    unknown: bool,
) -> Iterator[Measured | NotMeasured]:
    """Every two groups, in every stratum of people who are alike in the given attributes."""
    number = len(table.cells.process.outcome.values)
    outcomes = favourable_outcome(table) if number == 2 else all_outcomes(table)
    for found in pairs(table, asked, asked.groups, given, outcomes):
        if isinstance(found, NotMeasured):
            yield found
            continue
        stratum, (a, b) = found
        ranges, chance = compare(table, (a, b), lambda of: parity_range(of[0], of[1], number))
        yield Measured(
            asked=asked,
            groups=(a.name, b.name),
            given=stratum,
            ranges=tuple(ranges),
            a_priori=bound_of_groups(table, difference_bound),
            rates=(measured_rate(table, a), measured_rate(table, b)),
            chance=chance,
            # of more outcomes the differences of all rates are summed, for which there is no such range
            unknown=whoever_the_unknown_are(
                table, asked.groups, stratum, partial(UnknownPool.difference, a=a.name, b=b.name)
            )
            if unknown and number == 2
            else None,
        )
