"""Turn rates, each where it can be, into comparisons and the interval those can move in.

Two groups are compared through their :class:`~atreport.measures.feasible_rules.JointRates`: a rectangle where
they share nobody, a polygon where they do. Guarantee: whatever rates are chosen from there, the result is inside the
interval returned, and for a difference, a ratio, and the smaller of both outcomes' ratios both ends are attained. So are
those of statistical parity over any number of outcomes (`parity_range`), and those of figures over more than two groups
that share nobody. The odds ratio of groups that share people, figures over more than two groups that do, and the smallest
ratio over more than two outcomes are certain, and may be wider than necessary. `tests/measures/test_comparisons.py`
compares every end with all choices on a grid.

A ratio of two rates of 0 is 1: they are equal.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

from atreport.core.band import Range
from atreport.measures.feasible_rules import JointRates, Point, apart

Rates = Mapping[str, Range]
"""The rate of each outcome that is compared, in one group."""

Unions = Mapping[frozenset[int], Range]
"""The rate of several groups together, which share nobody. Under kept rates it can be narrower than theirs: what one of them
lacks the others must have."""
NONE_TOGETHER: Unions = {}


def difference_range(rates: JointRates) -> Range:
    """|a - b|."""
    low, high = rates.difference
    a, b = rates.value
    return Range(value=abs(a - b), low=max(Fraction(0), low, -high), high=max(high, -low))


def parity_range(of_sets: Sequence[JointRates], outcomes: int) -> Range:
    """Statistical parity, the sum of |difference| over all outcomes divided by their number.

    Differences sum to 0, so their sizes sum to twice the largest difference in the rate of a set of outcomes; `of_sets` has
    every set but for its complement. Both ends are attained: the differences of all sets together make a base polytope,
    in which the least largest one is the largest least one.
    """
    found = [difference_range(rates) for rates in of_sets]
    factor = Fraction(2, outcomes)
    return Range(
        value=factor * max(r.value for r in found),
        low=factor * max(r.low for r in found),
        high=factor * max(r.high for r in found),
    )


def parity_of_outcomes(a: Rates, b: Rates, outcomes: int) -> Range:
    """Statistical parity from an interval for each outcome by itself; may be wider than necessary.

    Of two outcomes, one rate says all. Of more, differences sum to 0, so the sum of their sizes is twice the sum of the
    positive ones and twice that of the negative ones; each bounds it from both sides.
    """
    if outcomes == 2:
        (first,), (second,) = a.values(), b.values()
        return difference_range(apart(first, second))
    sizes = [difference_range(apart(a[outcome], b[outcome])) for outcome in a]
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


def ratio_range(rates: JointRates) -> Range:
    """The smaller as a share of the larger."""
    shares = [share_of_larger(*corner) for corner in rates.corners]
    return Range(
        value=share_of_larger(*rates.value),
        low=min(shares),
        high=Fraction(1) if rates.can_be_equal else max(shares),
    )


def falling_range(rates: JointRates, share: Callable[[Fraction, Fraction], Fraction]) -> Range:
    """A figure that falls as two rates part, from 1 where they are equal; each rate anywhere in its own interval."""
    a, b = rates.intervals
    high = Fraction(1)
    if a.high < b.low:
        high = share(a.high, b.low)
    elif b.high < a.low:
        high = share(b.high, a.low)
    return Range(
        value=share(a.value, b.value), low=min(share(a.low, b.high), share(a.high, b.low)), high=high
    )


def smaller_of_both(rates: JointRates) -> Range:
    """The smaller of two outcomes' ratios, from the rates of one of them.

    Where the rates cannot be equal, it is largest at a corner, or on an edge where both ratios are: there a + b = 1.
    """
    other = rates.of_the_other_outcome

    def smaller(point: Point) -> Fraction:
        a, b = point
        return min(share_of_larger(a, b), share_of_larger(1 - a, 1 - b))

    edges = pairwise((*rates.corners, rates.corners[0]))
    crossed = [point for edge in edges for point in _crossing(*edge)]
    return Range(
        value=smaller(rates.value),
        low=min(ratio_range(rates).low, ratio_range(other).low),
        high=Fraction(1) if rates.can_be_equal else max(map(smaller, (*rates.corners, *crossed))),
    )


def _crossing(one: Point, other: Point) -> list[Point]:
    """Where an edge crosses the line on which both rates sum to 1."""
    before, after = one[0] + one[1] - 1, other[0] + other[1] - 1
    if before * after >= 0:
        return []
    along = before / (before - after)
    return [(one[0] + along * (other[0] - one[0]), one[1] + along * (other[1] - one[1]))]


def smallest(ranges: Sequence[Range]) -> Range:
    """The smallest of several figures, end by end; of figures that move together the upper end may be too high."""
    return Range(
        value=min(r.value for r in ranges), low=min(r.low for r in ranges), high=min(r.high for r in ranges)
    )


def impact_ranges(rates: Sequence[Range], unions: Unions = NONE_TOGETHER) -> list[Range]:
    """Each group's rate as a share of the highest of all, where the groups share nobody.

    It grows with the group's own rate and falls with every other, so the ends are at opposite ends of those. Where `unions`
    are given, the highest of the others is at least the rate of any of them together.
    """
    values = _highest_of_others([rate.value for rate in rates])
    highs = _highest_of_others([rate.high for rate in rates])
    lows = _highest_of_others([rate.low for rate in rates])
    for among, together in unions.items():
        lows = [low if i in among else max(low, together.low) for i, low in enumerate(lows)]
    return [
        Range(
            value=_capped_share(own.value, value),
            low=_capped_share(own.low, high),
            high=_capped_share(own.high, low),
        )
        for own, value, high, low in zip(rates, values, highs, lows, strict=True)
    ]


def impact_range(with_others: Sequence[JointRates]) -> Range:
    """A group's rate as a share of the highest of all, from its rate together with that of each other group."""
    return smallest(
        [
            Range(
                value=_capped_share(*rates.value),
                low=min(_capped_share(*corner) for corner in rates.corners),
                high=max(_capped_share(*corner) for corner in rates.corners),
            )
            for rates in with_others
        ]
    )


def _highest_of_others(numbers: Sequence[Fraction]) -> list[Fraction]:
    """For each of two or more numbers the highest of the others."""
    second, first = sorted(range(len(numbers)), key=lambda index: numbers[index])[-2:]
    return [numbers[second if index == first else first] for index in range(len(numbers))]


def disparity_range(rates: Sequence[Range], unions: Unions = NONE_TOGETHER) -> Range:
    """The largest difference between any two rates, where the groups share nobody.

    At least the highest lower end minus the lowest upper end (of groups, and of `unions` where those are given), and no more
    is needed: every rate can be moved between the two. At most the largest difference of opposite ends of two different
    groups.
    """
    together = [*rates, *unions.values()]
    values = [rate.value for rate in rates]
    (_, top), *upper = sorted(((rate.high, i) for i, rate in enumerate(rates)), reverse=True)
    (_, bottom), *lower = sorted((rate.low, i) for i, rate in enumerate(rates))
    if top != bottom:
        high = rates[top].high - rates[bottom].low
    else:
        high = max(upper[0][0] - rates[bottom].low, rates[top].high - lower[0][0])
    return Range(
        value=max(values) - min(values),
        low=max(Fraction(0), max(rate.low for rate in together) - min(rate.high for rate in together)),
        high=high,
    )


def largest(ranges: Sequence[Range]) -> Range:
    """The largest of several figures, end by end; of figures that move together the lower end may be too low."""
    return Range(
        value=max(r.value for r in ranges), low=max(r.low for r in ranges), high=max(r.high for r in ranges)
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
