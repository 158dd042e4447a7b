"""FIRM, the feature importance ranking measure: the standard deviation of the favourable rate over an attribute's values.

Guarantee: exact for the announced rule, and the interval holds for certain. Under the band no narrower one would be true up
to MOST_TRIED values: rates at different values move by themselves, so the variance is least where all rates are as near as
they can be to one number, and largest where each is at an end of its interval. To find those ends is as hard as any search
(the largest variance over intervals is NP-hard), so beyond that an outer bound is given for the upper end. Where rates of
QID groups are kept, each value's rate is narrower, and moves by itself all the same.
"""

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

import numpy as np

from atreport.core.band import Range
from atreport.core.exact import class_sums
from atreport.core.rule_table import RuleTable
from atreport.explain.explanation import MethodQuestion, print_influence
from atreport.explain.interventions import people
from atreport.measures.measured import largest_move
from atreport.measures.rates import rates, strata_of
from atreport.report.explanation import Influence

MOST_TRIED = 16
"""The most values for which every rate is tried at both ends of its interval."""

MOST_EXACTLY = 256
"""The most ways that are compared in fractions because floating point cannot tell them apart."""

Values = Sequence[tuple[Fraction, Range]]
"""Of each value of an attribute: its share of all people, and its rate."""


def explain(question: MethodQuestion) -> Iterator[Influence]:
    """The spread of rates over the values of every attribute."""
    for attribute in question.table.cells.process.attributes:
        yield firm(question.table, attribute.name)


def firm(table: RuleTable, attribute: str) -> Influence:
    """How widely the favourable rate varies over the attribute's values."""
    found = [_variance(values) for values in _rates_by_value(table, attribute)]
    decimals = table.decimals
    # a root is no fraction: rounded to printed steps, the ends outward
    spread = Range(
        value=Fraction(root_nearest(found[0].value, decimals)),
        low=Fraction(min(root_down(variance.low, decimals) for variance in found)),
        high=Fraction(max(root_up(variance.high, decimals) for variance in found)),
    )
    return print_influence(table, "firm", [attribute], [spread], largest_move(table))


def _rates_by_value(table: RuleTable, attribute: str) -> list[Values]:
    """The share of all people and the favourable rate at each value that occurs, the published population first."""
    strata = strata_of(table.cells, [attribute])
    everybody = np.ones(len(table.cells), dtype=bool)
    ranges = rates(table, everybody, strata).ranges
    found: list[Values] = []
    for weights, of_values in zip(table.weights, ranges, strict=True):
        total = people(weights)
        counted = class_sums(weights, strata.index, len(strata)).tolist()
        found.append(
            [
                (Fraction(n, total), rate)
                for n, rate in zip(counted, of_values, strict=True)
                if rate is not None
            ]
        )
    return found[::-1]


def _variance(values: Values) -> Range:
    """The variance of the rates, each of which can be anywhere in its interval."""
    mean = sum((share * rate.value for share, rate in values), Fraction(0))
    return Range(
        value=sum((share * (rate.value - mean) ** 2 for share, rate in values), Fraction(0)),
        low=least_variance(values),
        high=largest_variance(values),
    )


def least_variance(values: Values) -> Fraction:
    """The least over m of the mean squared distance of m from the intervals: each rate then is as near to m as it can be.

    Its slope rises with m, and is linear between two neighbouring ends of intervals.
    """
    ends = sorted({end for _, rate in values for end in (rate.low, rate.high)})
    at, after = 0, len(ends) - 1
    while after - at > 1:  # the last end at which the slope is not positive yet, and the next
        middle = (at + after) // 2
        at, after = (middle, after) if _slope(values, ends[middle]) <= 0 else (at, middle)
    inside = [(s, r.low) for s, r in values if r.low >= ends[after]]
    inside += [(s, r.high) for s, r in values if r.high <= ends[at]]
    if not inside:
        return Fraction(0)
    weight = sum((s for s, _ in inside), Fraction(0))
    m = min(max(sum((s * end for s, end in inside), Fraction(0)) / weight, ends[at]), ends[after])
    return sum((s * max(r.low - m, m - r.high, Fraction(0)) ** 2 for s, r in values), Fraction(0))


def _slope(values: Values, m: Fraction) -> Fraction:
    return sum(
        (s * (max(m - r.high, Fraction(0)) - max(r.low - m, Fraction(0))) for s, r in values), Fraction(0)
    )


def largest_variance(values: Values) -> Fraction:
    """The largest variance: each rate is at an end of its interval, and up to MOST_TRIED values all ways are tried.

    Beyond that, an outer bound: for any c, the mean of the larger squared distance of c from the two ends.
    """
    moving = [i for i, (_, rate) in enumerate(values) if rate.low < rate.high]
    if len(moving) > MOST_TRIED:
        return _outer_variance(values)
    ways = np.arange(2 ** len(moving))
    mean, square = np.zeros(len(ways)), np.zeros(len(ways))
    for i, (share, rate) in enumerate(values):
        ends = np.array([float(rate.low), float(rate.high)])
        at = ends[ways >> moving.index(i) & 1] if i in moving else np.full(len(ways), ends[0])
        mean, square = mean + float(share) * at, square + float(share) * at**2
    variance = square - mean**2
    # floating point says which ways may be the best; those are calculated in fractions
    best = np.flatnonzero(variance >= variance.max() - 1e-12)
    if len(best) > MOST_EXACTLY:
        return _outer_variance(values)
    return max(_at_ends(values, moving, way) for way in best.tolist())


def _at_ends(values: Values, moving: Sequence[int], way: int) -> Fraction:
    at = [
        rate.high if i in moving and way >> moving.index(i) & 1 else rate.low
        for i, (_, rate) in enumerate(values)
    ]
    mean = sum((share * rate for (share, _), rate in zip(values, at, strict=True)), Fraction(0))
    return sum((share * (rate - mean) ** 2 for (share, _), rate in zip(values, at, strict=True)), Fraction(0))


def _outer_variance(values: Values) -> Fraction:
    def mean_square(c: Fraction) -> Fraction:
        return sum((s * max(r.high - c, c - r.low) ** 2 for s, r in values), Fraction(0))

    by_middle = sorted(values, key=lambda value: value[1].low + value[1].high)
    far = [float(s * r.high) for s, r in by_middle]
    near = [float(s * r.low) for s, r in by_middle]
    middles = [float(r.low + r.high) / 2 for _, r in by_middle]
    tried = [sum(near[:k]) + sum(far[k:]) for k in range(len(values) + 1)]
    tried = [
        min(max(c, middles[k - 1] if k else 0.0), middles[k] if k < len(values) else 1.0)
        for k, c in enumerate(tried)
    ]
    best = min(
        tried, key=lambda c: sum(float(s) * max(float(r.high) - c, c - float(r.low)) ** 2 for s, r in values)
    )
    return mean_square(Fraction(best))


def root_down(square: Fraction, decimals: int) -> Decimal:
    """A square root, rounded to the printed step at or below."""
    return Decimal(math.isqrt(math.floor(square * 10 ** (2 * decimals)))).scaleb(-decimals)


def root_up(square: Fraction, decimals: int) -> Decimal:
    """A square root, rounded to the printed step at or above."""
    scaled = math.ceil(square * 10 ** (2 * decimals))
    root = math.isqrt(scaled)
    return Decimal(root + (root * root < scaled)).scaleb(-decimals)


def root_nearest(square: Fraction, decimals: int) -> Decimal:
    """A square root, rounded to the nearest printed step."""
    return Decimal((math.isqrt(math.floor(4 * square * 10 ** (2 * decimals))) + 1) // 2).scaleb(-decimals)
