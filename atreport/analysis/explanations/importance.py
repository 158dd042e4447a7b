"""How much an attribute matters over all people: permutation importance, and FIRM.

*Permutation importance*: by how much a person's announced probability changes, on average and in either direction, when
the attribute is drawn anew. *FIRM* (feature importance ranking measure): the standard deviation of the favourable rate
over the attribute's values.

Guarantee: both are exact for the announced rule. The interval of the first lets every pair of people move within the band;
that of the second holds because a standard deviation moves by no more than the root of the mean square by which the
rates move. Both hold for certain, and may be wider than necessary.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.analysis.assessment import Interval, Range, rounded_down, rounded_up
from atreport.analysis.explanations.figure import Influence
from atreport.analysis.explanations.interventions import (
    Drawn,
    columns_of,
    drawn_anew,
    people,
    value_counts,
)
from atreport.analysis.explanations.linear_figures import exact_dot, largest_move, published_weights
from atreport.announcement import Release
from atreport.population.cells import ExactArray, IntArray, exact, run_starts


def permutation_importance(release: Release, attribute: str) -> Influence:
    """How much outcomes change on average when the attribute is drawn anew."""
    ranges, moves, reached = [], [], []
    for weights in published_weights(release):
        of_weights, changed, made = _average_change(release, weights, attribute)
        ranges.append(of_weights)
        moves.append(2 * largest_move(release) * changed)
        reached.append(made)
    bound = min(Fraction(1), max(moves))
    return Influence(
        kind="permutation",
        attributes=(attribute,),
        quantity=None,
        at=None,
        result=Interval.printed(ranges, release.decimals),
        a_priori=rounded_up(bound, release.decimals),
        reach=None if release.population == "withheld" else rounded_down(min(reached), release.decimals),
    )


def _average_change(release: Release, weights: IntArray, attribute: str) -> tuple[Range, Fraction, Fraction]:
    """The change with its range, the share of draws that give another value, and the share that can be made."""
    cells, truth = release.cells, release.truth
    draw = drawn_anew(cells.codes, value_counts(cells), weights, columns_of(cells, [attribute]))
    common = math.lcm(release.scale, truth.denominator)
    largest = 2 * draw.everybody * common
    a = exact(release.announced, largest) * (common // release.scale)
    low = exact(truth.lower, largest) * (common // truth.denominator)
    high = exact(truth.upper, largest) * (common // truth.denominator)
    nothing = np.zeros_like(weights)
    # Two figures are furthest apart at the upper end of the one whose band lies higher and the lower end of the other;
    # nearest, where the bands do not meet, at the ends that face each other.
    value = _over_pairs(draw, a, _Side(a, weights, draw.drawn), _Side(a, weights, draw.drawn))
    most = _over_pairs(draw, low + high, _Side(high, weights, draw.drawn), _Side(low, weights, draw.drawn))
    both = np.concatenate([high, low])
    least = _over_pairs(
        replace(draw, alike=np.concatenate([draw.alike, draw.alike])),
        both,
        _Side(both, np.concatenate([nothing, weights]), np.concatenate([nothing, draw.drawn])),
        _Side(both, np.concatenate([weights, nothing]), np.concatenate([draw.drawn, nothing])),
    )
    everything = draw.everybody**2
    return (
        Range(
            value=Fraction(value, everything * common),
            low=Fraction(least, everything * common),
            high=Fraction(most, everything * common),
        ),
        Fraction(exact_dot(weights, draw.possible - draw.drawn), everything),
        Fraction(exact_dot(weights, draw.possible), everything),
    )


@dataclass(frozen=True, eq=False)
class _Side:
    """What stands on one side of a difference: figures, people, and people with the same value of the attribute."""

    figure: ExactArray
    people: IntArray
    drawn: IntArray


def _over_pairs(draw: Drawn, key: ExactArray, upper: _Side, lower: _Side) -> int:
    """The sum, over pairs of alike cells, of the upper figure of the one with the higher key less the lower of the other.

    Each pair counts as often as one of the two is drawn for the other. One pass over the cells in order of their keys,
    with running sums in each class: the time does not grow with the number of pairs.
    """
    order = np.lexsort((key, draw.alike))
    start = run_starts(draw.alike[order])
    lengths = np.diff(np.append(start, len(order)))

    def before(of_cells: ExactArray) -> ExactArray:
        # sums over earlier classes may wrap around; the differences fit, and so are right
        up_to: Any = np.cumsum(of_cells)
        so_far = up_to - of_cells
        return np.asarray(so_far - np.repeat(so_far[start], lengths))

    x, p, b = upper.figure[order], upper.people[order], upper.drawn[order]
    y, q, c = lower.figure[order], lower.people[order], lower.drawn[order]
    return (
        exact_dot(x * p, before(c))
        + exact_dot(x * b, before(q))
        - exact_dot(p, before(c * y))
        - exact_dot(b, before(q * y))
    )


def firm(release: Release, attribute: str) -> Influence:
    """How widely the favourable rate varies over the attribute's values."""
    found = [_spread(release, weights, attribute) for weights in published_weights(release)]
    decimals = release.decimals
    lows = [root_down(variance, decimals) - root_up(moved, decimals) for variance, moved in found]
    highs = [root_up(variance, decimals) + root_up(moved, decimals) for variance, moved in found]
    return Influence(
        kind="firm",
        attributes=(attribute,),
        quantity=None,
        at=None,
        result=Interval(
            value=root_nearest(found[0][0], decimals),
            low=max(Decimal(0).scaleb(-decimals), min(lows)),
            high=max(highs),
        ),
        a_priori=rounded_up(largest_move(release), decimals),
    )


def _spread(release: Release, weights: IntArray, attribute: str) -> tuple[Fraction, Fraction]:
    """The variance of the rates over the values, and the mean square by which the true rates may be elsewhere."""
    column, everybody = release.cells.column(attribute), people(weights)
    mean = square = moved = Fraction(0)
    for share, rate in _rates_by_value(release, weights, column, everybody):
        mean += share * rate.value
        square += share * rate.value**2
        moved += share * max(rate.high - rate.value, rate.value - rate.low) ** 2
    return square - mean**2, moved


def _rates_by_value(
    release: Release, weights: IntArray, column: NDArray[np.int32], everybody: int
) -> Iterator[tuple[Fraction, Range]]:
    """The share of all people and the favourable rate at each value that occurs."""
    truth = release.truth
    wide = exact(weights, everybody * max(release.scale, truth.denominator))
    columns = (wide, wide * release.announced, wide * truth.lower, wide * truth.upper)
    sums = [np.zeros(int(column.max()) + 1, dtype=wide.dtype) for _ in columns]
    for total, of_cells in zip(sums, columns, strict=True):
        np.add.at(total, column, of_cells)
    for people_, announced, lower, upper in zip(*(total.tolist() for total in sums), strict=True):
        if people_:
            yield (
                Fraction(people_, everybody),
                Range(
                    value=Fraction(announced, people_ * release.scale),
                    low=Fraction(lower, people_ * truth.denominator),
                    high=Fraction(upper, people_ * truth.denominator),
                ),
            )


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
