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

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from atreport.core.band import Range
from atreport.core.rule_table import RuleTable
from atreport.measures.comparisons import Rates

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


# The ends of exact binomial (Clopper-Pearson) intervals: how low a probability may be that gave the cases
# counted.
#
# The lower end for k favourable cases of n is the probability p with which k or more of n are favourable with
# a given chance. That chance is the regularized incomplete beta function I_p(a, b) with a = k and b = n - k +
# 1, so p is its inverse.
#
# Guarantee: an end is never inside the interval. SciPy's inverse is right to some units in the last place of
# a float, and what is taken off is far more than that.
#
# SciPy's special functions take 0.2 s to import, so they wait for the first interval: `check` takes 0.45 s
# and needs none. A build loses nothing, since the attacks on the draft load SciPy anyway: processor time of
# `build --formats json` with a hand-written inverse and with SciPy's, best of four, 1.44 and 1.30 s for
# specs/housing_records.yaml, 2.08 and 2.05 s for specs/credit_card.yaml. `verify` on a report that prints
# such intervals takes 0.63 s instead of 0.49.

ERROR = 1e-10
"""An end is moved outward by this much, which is far below any printed step."""


def lower_end(favourable: Any, cases: Any, chance: float) -> Any:
    """The probability with which so many cases or more are favourable with this chance; never too high.

    For one pair of counts or for arrays of them. The upper end is one minus the lower end for the cases that are not
    favourable.
    """
    from scipy.special import betaincinv

    a = np.maximum(favourable, 1.0)
    p = betaincinv(a, cases - a + 1, chance)
    return np.where(favourable > 0, np.maximum(p - ERROR, 0.0), 0.0)


# Fisher's exact test: how often chance alone makes the counts of two groups at least as uneven.
#
# Written by hand, and compared with `scipy.stats.fisher_exact` by tests, because of what importing that
# costs: 0.5 s more than the SciPy that a build loads anyway, where the whole of `build --formats json` for
# specs/housing_records.yaml takes 1.3 s.

_TIE = 1 + 1e-7
"""Counts whose chance is within this factor of the observed one count as no more likely, as SciPy and R have it."""


def fisher_test(first: tuple[int, int], second: tuple[int, int]) -> float:
    """The two-sided p-value: the chance of counts no more likely than these, all sums being as they are.

    Each group is its favourable cases and all its cases. Relative error below 1e-9, for millions of cases below 1e-6.
    """
    (favourable, people), (others_favourable, others) = first, second
    everybody, favoured = people + others, favourable + others_favourable
    if not everybody:
        return 1.0
    # Counts more than forty standard deviations from the mean have no chance that a float could hold.
    mean = people * favoured / everybody
    spread = mean * (everybody - favoured) / everybody * others / max(everybody - 1, 1)
    reach = 40 * spread**0.5 + 1000
    fewest = max(0, favoured - others, int(mean - reach))
    most = min(people, favoured, int(mean + reach))
    if not fewest <= favourable <= most:
        return 0.0
    # The chance of one more, compared with the chance of these.
    fewer = np.arange(fewest, most, dtype=np.float64)
    one_more = (people - fewer) * (favoured - fewer) / (fewer + 1) / (others - favoured + fewer + 1)
    weight = np.concatenate([[0.0], np.cumsum(np.log(one_more))])
    chance = np.exp(weight - weight.max())
    observed = chance[favourable - fewest]
    return float(min(chance[chance <= observed * _TIE].sum() / chance.sum(), 1.0))
