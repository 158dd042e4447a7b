"""What all measures of groups share: their rates, two by two or all together, with chance and the unknown beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import TypeVar

from atreport.analysis.comparisons import Rates
from atreport.analysis.measures.measured import MeasuredRate, NotMeasured, UnknownExtremes
from atreport.analysis.ranges import Range
from atreport.analysis.rates import RatedGroup, rated_groups
from atreport.analysis.sampling import chance_of_rate, chance_rates, counts_are_published
from atreport.analysis.unknowns import Found as UnknownFound
from atreport.analysis.unknowns import UnknownPool, unknown_pool
from atreport.rule_table import RuleTable
from atreport.spec.models.measures import Measure
from atreport.spec.models.measures.groups import Groups as GroupNames

EVERY_OTHER = "every other group"

Compared = TypeVar("Compared", Range, list[Range])
"""What a comparison gives: one figure, or one for each group."""

Pair = tuple[RatedGroup, RatedGroup]


def all_outcomes(table: RuleTable) -> list[str]:
    """Every outcome, the favourable one first."""
    outcome = table.cells.process.outcome
    return [outcome.favourable, *(value for value in outcome.values if value != outcome.favourable)]


def favourable_outcome(table: RuleTable) -> list[str]:
    """The favourable outcome alone: of two outcomes, its rate says all that a difference needs."""
    return [table.cells.process.outcome.favourable]


def pairs(
    table: RuleTable, asked: Measure, groups: GroupNames, given: Sequence[str], outcomes: Sequence[str]
) -> Iterator[tuple[dict[str, str] | None, Pair] | NotMeasured]:
    """Every two groups in every stratum (None: everybody), where somebody is in both."""
    for stratum, rated in rated_groups(table, groups, given, outcomes):
        for a, b in combinations(rated, 2):
            if a.is_empty or b.is_empty:
                yield NotMeasured(asked=asked, groups=(a.name, b.name), given=stratum)
            else:
                yield stratum, (a, b)


def all_groups(
    table: RuleTable, asked: Measure, groups: GroupNames
) -> tuple[list[RatedGroup], list[NotMeasured]]:
    """The groups that somebody is in, if they are at least two; and those that cannot be compared."""
    ((_, rated),) = rated_groups(table, groups, (), favourable_outcome(table))
    present = [group for group in rated if not group.is_empty]
    missing = [
        NotMeasured(asked=asked, groups=(group.name, EVERY_OTHER), given=None)
        for group in rated
        if group.is_empty or len(present) < 2
    ]
    return (present if len(present) > 1 else []), missing


def compare(
    table: RuleTable, groups: Sequence[RatedGroup], comparison: Callable[[Sequence[Rates]], Compared]
) -> tuple[list[Compared], Compared | None]:
    """What a comparison gives for every population that must hold; and for chance, where that can be told."""
    certified = [comparison([group.rates(i) for group in groups]) for i in range(len(table.weights))]
    if not counts_are_published(table):
        return certified, None
    outcomes = len(table.cells.process.outcome.values)
    cases = [group.people for group in groups]
    return certified, comparison(chance_rates([group.rates(0) for group in groups], cases, outcomes))


def measured_rate(table: RuleTable, group: RatedGroup) -> MeasuredRate:
    """The favourable rate of a group, and what chance may have done to it."""
    ranges = group.ranges[table.cells.process.outcome.favourable]
    return MeasuredRate(
        group=group.name,
        people=group.people,
        ranges=tuple(ranges),
        chance=chance_of_rate(ranges[0].value, group.people) if counts_are_published(table) else None,
    )


def whoever_the_unknown_are(
    table: RuleTable,
    groups: GroupNames,
    given: dict[str, str] | None,
    extremes: Callable[[UnknownPool], UnknownFound],
) -> UnknownExtremes | None:
    """Where a measure could lie, whichever groups the people of unknown group belong to; None where all are known."""
    if isinstance(groups, dict):  # the publisher's own conditions say nothing of who might belong
        return None
    pool = unknown_pool(table, groups, given)
    if pool is None:
        return None
    low, high, is_exact = extremes(pool)
    return UnknownExtremes(people=pool.people, low=low, high=high, is_exact=is_exact)
