"""What all measures of groups share: their rates, two by two or all together, with chance and the unknown beside them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from itertools import combinations
from typing import Any, TypeVar

import numpy as np

from atreport.core.band import Range
from atreport.core.rule_table import RuleTable
from atreport.measures.chance import chance_of_rate, chance_rates, counts_are_published
from atreport.measures.comparisons import NONE_TOGETHER, Rates, Unions
from atreport.measures.feasible_rules import JointRates
from atreport.measures.measured import Measured, MeasuredRate, NotMeasured, Reason, UnknownExtremes
from atreport.measures.rates import (
    Outcomes,
    RatedGroup,
    RatedTable,
    may_be_in_another_group,
    rated_groups,
    strata_of,
)
from atreport.measures.unknowns import Found as UnknownFound
from atreport.measures.unknowns import UnknownPool, unknown_pool
from atreport.spec.fairness import (
    ConditionalStatisticalParity,
    Measure,
    OddsRatio,
    PPercentRule,
    StatisticalParity,
)
from atreport.spec.fairness import Groups as GroupNames

EVERY_OTHER = "every other group"

MOST_TOGETHER = 6
"""The most groups whose unions are looked at, where rates are kept."""

PairMeasure = StatisticalParity | ConditionalStatisticalParity | PPercentRule | OddsRatio

Compared = TypeVar("Compared", Range, list[Range])
"""What a comparison gives: one figure, or one for each group."""


def all_outcomes(table: RuleTable) -> list[Outcomes]:
    """Every outcome, the favourable one first."""
    outcome = table.cells.process.outcome
    return [(outcome.favourable,), *((value,) for value in outcome.values if value != outcome.favourable)]


def favourable_outcome(table: RuleTable) -> list[Outcomes]:
    """The favourable outcome alone: of two outcomes, its rate says all that a difference needs."""
    return [(table.cells.process.outcome.favourable,)]


@dataclass(frozen=True, kw_only=True, eq=False)
class Pair:
    """Two groups in a stratum (None: everybody)."""

    rated: RatedTable
    stratum: dict[str, str] | None
    a: RatedGroup
    b: RatedGroup

    def joint(self, outcomes: Outcomes) -> list[JointRates]:
        """Where their rates of some outcomes can be together, once for each population that must hold."""
        populations = range(len(self.rated.table.weights))
        return [self.rated.joint(self.a, self.b, outcomes, population) for population in populations]

    def measured(
        self,
        asked: PairMeasure,
        ranges: Iterable[Range],
        a_priori: Decimal | None,
        by_chance: Callable[[Rates, Rates], Range],
        unknown: Callable[..., UnknownFound] | None,
        **further: Any,
    ) -> Measured:
        """What a measure gives of them, with their favourable rates, and what chance and the unknown could make of it.

        `by_chance` compares rates that allow for chance. `unknown` is given the pool and the names of both groups; None:
        it is not asked.
        """
        table, a, b = self.rated.table, self.a, self.b
        return Measured(
            asked=asked,
            groups=(a.name, b.name),
            given=self.stratum,
            ranges=tuple(ranges),
            a_priori=a_priori,
            rates=(measured_rate(table, a), measured_rate(table, b)),
            chance=chance_of(table, (a, b), lambda of: by_chance(of[0], of[1])),
            unknown=unknown
            and unknown_group_bounds(table, asked.groups, self.stratum, partial(unknown, a=a.name, b=b.name)),
            **further,
        )


def compare_pairs(
    table: RuleTable,
    asked: PairMeasure,
    outcomes: Sequence[Outcomes],
    compare: Callable[[Pair], Measured],
    given: Sequence[str] = (),
) -> Iterator[Measured | NotMeasured]:
    """What is found for every two groups in every stratum, where somebody is in both."""
    rated = RatedTable.of(table, outcomes)
    for stratum, in_stratum in rated_groups(rated, asked.groups, given):
        for a, b in combinations(in_stratum, 2):
            if why := _not_comparable(table, (a, b), stratum):
                yield NotMeasured(asked=asked, groups=(a.name, b.name), given=stratum, reason=why)
            else:
                yield compare(Pair(rated=rated, stratum=stratum, a=a, b=b))


@dataclass(frozen=True, kw_only=True, eq=False)
class AllGroups:
    """The groups that somebody is in, with their favourable rates."""

    rated: RatedTable
    present: list[RatedGroup]

    @property
    def share_people(self) -> bool:
        """Whether two of the groups have people in common, so that their rates move together."""
        counted = sum(group.cells.astype(np.int64) for group in self.present)
        return bool(np.max(counted) > 1)

    @property
    def rates(self) -> list[MeasuredRate]:
        """The rate of each."""
        return [measured_rate(self.rated.table, group) for group in self.present]

    def by_population(self, comparison: Callable[[Sequence[Range], Unions], Compared]) -> list[Compared]:
        """What a comparison of all rates gives, once for each population that must hold; the groups share nobody."""
        (of,) = self.rated.outcomes
        unions = self._unions()
        return [
            comparison([group.ranges[of][i] for group in self.present], each) for i, each in enumerate(unions)
        ]

    def _unions(self) -> list[Unions]:
        """The rates of several groups together, where they can be narrower than those of each, and are few enough."""
        table, (of,) = self.rated.table, self.rated.outcomes
        joined = table.cells.between is not None or any(group.joined for group in self.present)
        if table.rate_move is None or joined or len(self.present) > MOST_TOGETHER:
            return [NONE_TOGETHER for _ in table.weights]
        everybody, found = strata_of(table.cells, []), [dict[frozenset[int], Range]() for _ in table.weights]
        for size in range(2, len(self.present)):
            for chosen in combinations(range(len(self.present)), size):
                mask = np.any([self.present[k].cells for k in chosen], axis=0)
                ranges = self.rated.strata(mask, everybody)[of].in_stratum(0)
                assert ranges is not None, "somebody is in every group"
                for of_population, union in zip(found, ranges, strict=True):
                    of_population[frozenset(chosen)] = union
        return [*found]

    def joint(self, one: int, other: int, population: int) -> JointRates:
        """Where the rates of two of them can be together."""
        (of,) = self.rated.outcomes
        return self.rated.joint(self.present[one], self.present[other], of, population)

    def chance(self, comparison: Callable[..., Compared]) -> Compared | None:
        """What a comparison of all rates can be by chance, too; None where that cannot be told."""
        ((favourable,),) = self.rated.outcomes
        return chance_of(
            self.rated.table, self.present, lambda of: comparison([each[favourable] for each in of])
        )


def all_groups(
    table: RuleTable, asked: Measure, groups: GroupNames
) -> tuple[AllGroups | None, list[NotMeasured]]:
    """The groups that somebody is in, if they are at least two; and those that cannot be compared.

    None can, where people of one group are published only under a value that stands for several, or left out: that group
    might be the highest or the lowest of all.
    """
    rated_table = RatedTable.of(table, favourable_outcome(table))
    ((_, rated),) = rated_groups(rated_table, groups, ())
    hidden = any(group.is_empty and group.joined for group in rated)
    hidden |= may_be_in_another_group(table.cells, groups)
    present = [] if hidden else [group for group in rated if not group.is_empty]
    missing = [
        NotMeasured(
            asked=asked,
            groups=(group.name, EVERY_OTHER),
            given=None,
            reason=not_known_who(rated) if hidden and (group.joined or not group.is_empty) else "nobody",
        )
        for group in rated
        if group.is_empty or len(present) < 2
    ]
    return (AllGroups(rated=rated_table, present=present) if len(present) > 1 else None), missing


def _not_comparable(
    table: RuleTable, groups: tuple[RatedGroup, RatedGroup], stratum: dict[str, str] | None
) -> Reason | None:
    """Why two groups cannot be compared in a stratum; None where they can.

    People under a value that stands for several are not alike in it.
    """
    process = table.cells.process
    if any(process.attribute(name).stands_for(value) for name, value in (stratum or {}).items()):
        return "joined"
    if any(group.is_empty and not group.joined for group in groups):
        return "nobody"
    return not_known_who(groups) if any(group.is_empty for group in groups) else None


def not_known_who(groups: Iterable[RatedGroup]) -> Reason:
    """Why it is not published who is in some groups."""
    return "left_out" if any(group.left_out for group in groups) else "joined"


def chance_of(
    table: RuleTable, groups: Sequence[RatedGroup], comparison: Callable[[Sequence[Rates]], Compared]
) -> Compared | None:
    """What a comparison of rates can be if chance in the records is allowed for too; None where that cannot be told."""
    if not counts_are_published(table) or any(group.joined for group in groups):
        return None
    outcomes = len(table.cells.process.outcome.values)
    cases = [group.people for group in groups]
    return comparison(chance_rates([group.rates(0) for group in groups], cases, outcomes))


def measured_rate(table: RuleTable, group: RatedGroup) -> MeasuredRate:
    """The favourable rate of a group, and with chance in the records, where it is known who is in it."""
    chance = counts_are_published(table) and not group.joined
    ranges = group.ranges[(table.cells.process.outcome.favourable,)]
    return MeasuredRate(
        group=group.name,
        people=None if group.joined else group.people,
        ranges=tuple(ranges),
        chance=chance_of_rate(ranges[0], group.people) if chance else None,
    )


def unknown_group_bounds(
    table: RuleTable,
    groups: GroupNames,
    given: dict[str, str] | None,
    extremes: Callable[[UnknownPool], UnknownFound],
) -> UnknownExtremes | None:
    """Where a measure could lie, whichever groups the people of unknown group belong to; None where all are known.

    None also where values are joined or people left out: the certified interval is then about who belongs where.
    """
    if isinstance(groups, dict):  # the publisher's own conditions say nothing of who might belong
        return None
    names = [groups] if isinstance(groups, str) else groups
    if table.cells.left_out or table.cells.process.has_joined([*names, *(given or {})]):
        return None
    pool = unknown_pool(table, groups, given)
    if pool is None:
        return None
    low, high, is_exact = extremes(pool)
    return UnknownExtremes(people=pool.people, low=low, high=high, is_exact=is_exact)
