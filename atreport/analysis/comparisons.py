"""Turn rates, each anywhere in its interval, into comparisons and the interval those can move in.

Guarantee: whatever rates are chosen from their intervals, the result is inside the interval returned. Where the groups
share no cell, rates move independently and both ends are attained (for one outcome, and for two), so nothing narrower
would be true. `tests/analysis/test_comparisons.py` compares every end with all choices on a grid.

A ratio of two rates of 0 is 1: they are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

from atreport.analysis.ranges import Range

Rates = Mapping[str, Range]
"""The rate of each outcome that is compared, in one group."""


def difference_range(a: Range, b: Range) -> Range:
    """|a - b|."""
    return Range(
        value=abs(a.value - b.value),
        low=max(Fraction(0), a.low - b.high, b.low - a.high),
        high=max(a.high - b.low, b.high - a.low),
    )


def parity_range(a: Rates, b: Rates, outcomes: int) -> Range:
    """Statistical parity, the sum of |difference| over all outcomes divided by their number.

    Of two outcomes, one rate says all, and the result is |difference|. Of more, differences sum to 0, so the sum of
    their sizes is twice the sum of the positive ones and twice that of the negative ones; each bounds it from both sides.
    """
    if outcomes == 2:
        (first,), (second,) = a.values(), b.values()
        return difference_range(first, second)
    sizes = [difference_range(a[outcome], b[outcome]) for outcome in a]
    up = [a[outcome].high - b[outcome].low for outcome in a]
    down = [b[outcome].high - a[outcome].low for outcome in a]
    least = max(2 * _positive(-d for d in down), 2 * _positive(-u for u in up))
    most = min(_positive(s.high for s in sizes), 2 * _positive(up), 2 * _positive(down))
    return Range(
        value=_positive(s.value for s in sizes) / outcomes, low=least / outcomes, high=most / outcomes
    )


def _positive(numbers: Iterable[Fraction]) -> Fraction:
    return sum((n for n in numbers if n > 0), Fraction(0))


def share_of_larger(a: Fraction, b: Fraction) -> Fraction:
    """The smaller rate as a share of the larger."""
    larger = max(a, b)
    return min(a, b) / larger if larger else Fraction(1)


def ratio_range(
    a: Range, b: Range, *, share: Callable[[Fraction, Fraction], Fraction] = share_of_larger
) -> Range:
    """The smaller as a share of the larger; or another figure that falls as two rates part, from 1 where they are equal."""
    low = min(share(a.low, b.high), share(a.high, b.low))
    high = Fraction(1)
    if a.high < b.low:
        high = share(a.high, b.low)
    elif b.high < a.low:
        high = share(b.high, a.low)
    return Range(value=share(a.value, b.value), low=low, high=high)


def smallest(ranges: Sequence[Range]) -> Range:
    """The smallest of several figures.

    The smallest ratio of two outcomes reaches both ends: where the rates of one outcome are nearest to each other, or
    furthest apart, so are those of the other.
    """
    return Range(
        value=min(r.value for r in ranges), low=min(r.low for r in ranges), high=min(r.high for r in ranges)
    )


def impact_ranges(rates: Sequence[Range]) -> list[Range]:
    """Each group's rate as a share of the highest of all.

    It grows with the group's own rate and falls with every other, so the ends are at opposite ends of those.
    """
    values = _highest_of_others([rate.value for rate in rates])
    highs = _highest_of_others([rate.high for rate in rates])
    lows = _highest_of_others([rate.low for rate in rates])
    return [
        Range(
            value=_capped_share(own.value, value),
            low=_capped_share(own.low, high),
            high=_capped_share(own.high, low),
        )
        for own, value, high, low in zip(rates, values, highs, lows, strict=True)
    ]


def _highest_of_others(numbers: Sequence[Fraction]) -> list[Fraction]:
    """For each of two or more numbers the highest of the others."""
    second, first = sorted(range(len(numbers)), key=lambda index: numbers[index])[-2:]
    return [numbers[second if index == first else first] for index in range(len(numbers))]


def disparity_range(rates: Sequence[Range]) -> Range:
    """The largest difference between any two rates.

    At least the highest lower end minus the lowest upper end, and no more is needed: every rate can be moved between
    the two. At most the largest difference of opposite ends of two different groups.
    """
    values = [rate.value for rate in rates]
    (_, top), *upper = sorted(((rate.high, i) for i, rate in enumerate(rates)), reverse=True)
    (_, bottom), *lower = sorted((rate.low, i) for i, rate in enumerate(rates))
    if top != bottom:
        high = rates[top].high - rates[bottom].low
    else:
        high = max(upper[0][0] - rates[bottom].low, rates[top].high - lower[0][0])
    return Range(
        value=max(values) - min(values),
        low=max(Fraction(0), max(rate.low for rate in rates) - min(rate.high for rate in rates)),
        high=high,
    )


def _capped_share(own: Fraction, highest_other: Fraction) -> Fraction:
    return own / highest_other if own < highest_other else Fraction(1)


def log_range(ratios: Sequence[Range], decimals: int) -> Range | None:
    """-log of the first ratio, with an interval that holds all; None where a ratio may be 0, so that nothing bounds it.

    A logarithm is no fraction: rounded to printed steps, the ends outward.
    """
    if any(r.low == 0 for r in ratios):
        return None
    step = Decimal(1).scaleb(-decimals)
    with localcontext() as context:
        context.prec = 40
        return Range(
            value=Fraction(_minus_log(ratios[0].value).quantize(step, ROUND_HALF_EVEN)),
            low=Fraction(_minus_log(max(r.high for r in ratios)).quantize(step, ROUND_FLOOR)),
            high=Fraction(_minus_log(min(r.low for r in ratios)).quantize(step, ROUND_CEILING)),
        )


def _minus_log(ratio: Fraction) -> Decimal:
    return abs(Decimal(ratio.denominator).ln() - Decimal(ratio.numerator).ln())
