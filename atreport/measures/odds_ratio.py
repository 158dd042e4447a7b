"""The odds ratio: the lower odds r / (1 - r) of the favourable outcome, of two groups, as a share of the higher.

Odds rise with the rate, so the ends are at opposite ends of the two rates' intervals. Equal rates have equal odds, also
where both are 0 or 1: the ratio is 1. A rate of 0 against more, or of less against 1, gives 0. Of groups that share
people, each rate is anywhere in its own interval: certain, and perhaps wider than necessary.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from atreport.core.band import Range
from atreport.core.rule_table import RuleTable
from atreport.measures.comparisons import falling_range
from atreport.measures.feasible_rules import JointRates, apart
from atreport.measures.groups import compare_pairs, favourable_outcome
from atreport.measures.measured import Measured, NotMeasured, bound_of_groups, ratio_bound
from atreport.measures.unknowns import UnknownPool
from atreport.spec.fairness import OddsRatio


def measure(table: RuleTable, asked: OddsRatio, *, unknown: bool) -> Iterator[Measured | NotMeasured]:
    """Every two groups.

    Under alpha a rate r and 1 - r each move by a factor between α and 1/α, and a ratio of odds is made of four such.
    """
    favourable = table.cells.process.outcome.favourable
    return compare_pairs(
        table,
        asked,
        favourable_outcome(table),
        lambda pair: pair.measured(
            asked,
            map(odds_range, pair.joint((favourable,))),
            bound_of_groups(table, asked, partial(ratio_bound, factors=4)),
            lambda a, b: odds_range(apart(a[favourable], b[favourable])),
            partial(UnknownPool.ratio, share=share_of_larger_odds) if unknown else None,
        ),
    )


def odds_range(rates: JointRates) -> Range:
    """The lower odds of two rates as a share of the higher."""
    return falling_range(rates, share_of_larger_odds)


def share_of_larger_odds(a: Fraction, b: Fraction) -> Fraction:
    """The lower odds as a share of the higher; 1 where the rates are equal."""
    low, high = min(a, b), max(a, b)
    return low * (1 - high) / (high * (1 - low)) if low < high else Fraction(1)
