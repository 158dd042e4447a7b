"""Statistical parity: how far apart the rates of two groups are."""

from collections.abc import Iterator, Sequence
from functools import partial

from atreport.core.band import Range
from atreport.core.rule_table import RuleTable
from atreport.measures.comparisons import difference_range, parity_of_outcomes, parity_range
from atreport.measures.feasible_rules import outcome_sets
from atreport.measures.groups import Pair, all_outcomes, favourable_outcome, pairs, unknown_group_bounds
from atreport.measures.measured import Measured, NotMeasured, group_difference_bound
from atreport.measures.unknowns import UnknownPool
from atreport.spec.fairness import ConditionalStatisticalParity, StatisticalParity


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
    outcomes = table.cells.process.outcome.values
    number, sets = len(outcomes), favourable_outcome(table)
    if number > 2:
        sets = list(dict.fromkeys([*all_outcomes(table), *outcome_sets(outcomes)]))
    a_priori = group_difference_bound(table, asked)
    for found in pairs(table, asked, asked.groups, given, sets):
        if isinstance(found, NotMeasured):
            yield found
            continue
        a, b, stratum = found.a, found.b, found.stratum
        yield Measured(
            asked=asked,
            groups=(a.name, b.name),
            given=stratum,
            ranges=_ranges(found, outcomes),
            a_priori=a_priori,
            rates=found.rates,
            chance=found.chance(lambda x, y: parity_of_outcomes(x, y, number)),
            # of more outcomes the differences of all rates are summed, for which there is no such range
            unknown=unknown_group_bounds(
                table, asked.groups, stratum, partial(UnknownPool.difference, a=a.name, b=b.name)
            )
            if unknown and number == 2
            else None,
        )


def _ranges(pair: Pair, outcomes: Sequence[str]) -> tuple[Range, ...]:
    """Once for each population that must hold: from the favourable rates; of more outcomes, from those of every set."""
    if len(outcomes) == 2:
        (favourable,) = pair.rated.outcomes
        return tuple(map(difference_range, pair.joint(favourable)))
    of_sets = [pair.joint(chosen) for chosen in outcome_sets(outcomes)]
    return tuple(parity_range(joint, len(outcomes)) for joint in zip(*of_sets, strict=True))


# Conditional statistical parity: statistical parity among people who are alike in the given attributes.


def measure_conditional(
    table: RuleTable, asked: ConditionalStatisticalParity, *, unknown: bool
) -> Iterator[Measured | NotMeasured]:
    """Every two groups, in every stratum."""
    return parity(table, asked, asked.given, unknown=unknown)
