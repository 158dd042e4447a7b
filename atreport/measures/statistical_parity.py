"""Statistical parity: how far apart the rates of two groups are; also among people who are alike in the given attributes."""

from collections.abc import Iterator, Sequence

from atreport.core.band import Range
from atreport.core.rule_table import RuleTable
from atreport.measures.comparisons import difference_range, parity_of_outcomes, parity_range
from atreport.measures.feasible_rules import outcome_sets
from atreport.measures.groups import Pair, all_outcomes, compare_pairs, favourable_outcome
from atreport.measures.measured import Measured, NotMeasured, group_difference_bound
from atreport.measures.unknowns import UnknownPool
from atreport.spec.fairness import ConditionalStatisticalParity, StatisticalParity


def measure(
    table: RuleTable, asked: StatisticalParity | ConditionalStatisticalParity, *, unknown: bool
) -> Iterator[Measured | NotMeasured]:
    """Every two groups, among everybody or in every stratum."""
    outcomes = table.cells.process.outcome.values
    number, sets = len(outcomes), favourable_outcome(table)
    if number > 2:
        sets = list(dict.fromkeys([*all_outcomes(table), *outcome_sets(outcomes)]))
    a_priori = group_difference_bound(table, asked)

    def compare(pair: Pair) -> Measured:
        return pair.measured(
            asked,
            _ranges(pair, outcomes),
            a_priori,
            lambda a, b: parity_of_outcomes(a, b, number),
            # of more outcomes the differences of all rates are summed, for which there is no such range
            UnknownPool.difference if unknown and number == 2 else None,
        )

    given = asked.given if isinstance(asked, ConditionalStatisticalParity) else ()
    return compare_pairs(table, asked, sets, compare, given)


def _ranges(pair: Pair, outcomes: Sequence[str]) -> tuple[Range, ...]:
    """Once for each population that must hold: from the favourable rates; of more outcomes, from those of every set."""
    if len(outcomes) == 2:
        (favourable,) = pair.rated.outcomes
        return tuple(map(difference_range, pair.joint(favourable)))
    of_sets = [pair.joint(chosen) for chosen in outcome_sets(outcomes)]
    return tuple(parity_range(joint, len(outcomes)) for joint in zip(*of_sets, strict=True))
