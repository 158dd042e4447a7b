"""Change and chance in one interval: where the long-run rate behind recorded cases can lie, beside the certified interval.

Two things stand between a printed rate and the long-run rate of the process. What was *changed* on purpose: the certified
interval [L, U] holds the frequency in the records for certain. And *chance*: other cases of the same process would have
given another frequency. A number k of favourable cases among n that surely is at least ceil(n L) and at most floor(n U)
gives

    [lower Clopper-Pearson end for ceil(n L) of n,  upper Clopper-Pearson end for floor(n U) of n].

Only where the announced rule stands for frequencies among recorded cases and their numbers are published as they are
(`counts_are_published`): the interval rests on both. A rule of a tree or a model is no frequency, shares tell no number
of cases, and a population from elsewhere counts other people; there nothing is printed.

Guarantee: at least the stated share of such intervals holds the long-run value, however what is announced was made to
depend on the records. For both ends of the Clopper-Pearson interval rise with k, so this one contains the interval of the
recorded count itself, which covers by Clopper and Pearson (1934), also where the cases of a group differ in their
probability (Hoeffding 1956: that makes extreme counts rarer). For a comparison of several rates all intervals are taken
at a level of 1 - α over their number, so that they hold all at once with at least 1 - α (Bonferroni), however the groups
overlap; the extreme comparisons of such rates are the ends. The Clopper-Pearson interval of the *announced* rate, which
earlier versions printed, covers much less.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from atreport.analysis.binomial import lower_end
from atreport.analysis.comparisons import Rates
from atreport.analysis.ranges import Range
from atreport.rule_table import RuleTable

LEVEL = Decimal("0.95")
RATE_METHOD = "Clopper-Pearson at both ends of the certified interval"
COMPARISON_METHOD = (
    "Clopper-Pearson at both ends of each rate's certified interval, Bonferroni over the rates compared"
)

AS_DECIMALS = Fraction(1, 10**6)
"""A frequency such as 1/3 is kept as a decimal of some sixteen digits; a count may be off by less than this for it."""


def counts_are_published(table: RuleTable) -> bool:
    """Whether the rule stands for frequencies among recorded cases, whose numbers are published as they are."""
    return (
        table.cells.process.estimated_from == "records"
        and table.population == "counts"
        and table.small_cells.is_exact
    )


def chance_of_rate(rate: Range, cases: int) -> Range:
    """The interval of one long-run rate, given its certified one."""
    return _with_chance(rate, cases, 1 - Fraction(LEVEL))


def chance_of_share(part: Range, rest: Range, rates: int = 1) -> Range:
    """The interval of a long-run share, given where the numbers of cases in it and beside it lie; of so many such at once.

    Given how many cases there are in both together, the number in it is one of so many; the interval's ends rise with the
    cases in it and fall with those beside it, so they are taken at the extreme numbers.
    """
    half = float((1 - Fraction(LEVEL)) / rates / 2)
    (few, most), (few_beside, most_beside) = _whole(part), _whole(rest)

    def lower(count: int, others: int) -> Fraction:
        return Fraction(float(lower_end(count, count + others, half))) if count else Fraction(0)

    share = part.value / (part.value + rest.value)
    return Range(share, lower(few, most_beside), 1 - lower(few_beside, most))


def _whole(number: Range) -> tuple[int, int]:
    """The fewest and the most cases that a number between two can be."""
    fewest, most = math.ceil(number.low - AS_DECIMALS), math.floor(number.high + AS_DECIMALS)
    return max(0, min(fewest, most)), max(0, fewest, most)


def chance_rates(groups: Sequence[Rates], cases: Sequence[int], outcomes: int) -> list[Rates]:
    """Intervals for all long-run rates of some groups that hold all at once. Two outcomes of a group are one rate."""
    rates = sum(1 if outcomes == 2 else len(group) for group in groups)
    error = (1 - Fraction(LEVEL)) / rates
    return [
        {outcome: _with_chance(rate, count, error) for outcome, rate in group.items()}
        for group, count in zip(groups, cases, strict=True)
    ]


def _with_chance(rate: Range, cases: int, error: Fraction) -> Range:
    fewest = max(0, math.ceil(rate.low * cases - AS_DECIMALS))
    most = min(cases, math.floor(rate.high * cases + AS_DECIMALS))
    # a rule that is no frequency of so many cases leaves no whole number between: the nearest on either side
    fewest, most = min(fewest, most), max(fewest, most)
    return Range(rate.value, *clopper_pearson(fewest, most, cases, error))


@lru_cache(maxsize=1 << 14)
def clopper_pearson(fewest: int, most: int, cases: int, error: Fraction) -> tuple[Fraction, Fraction]:
    """The exact binomial interval at the level 1 - error of a number of favourable cases between two; never too narrow."""
    half = float(error / 2)
    low, others = (float(lower_end(count, cases, half)) for count in (fewest, cases - most))
    return Fraction(low), 1 - Fraction(others)
