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
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from atreport.cells import IntArray, exact
from atreport.public.assessment import Interval, Range, rounded_down, rounded_up
from atreport.public.transparency.figure import Influence
from atreport.public.transparency.forms import exact_dot, largest_move, published_weights
from atreport.public.transparency.interventions import (
    columns_of,
    drawn_anew,
    people,
    rate_form,
    value_counts,
)
from atreport.release import Release


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
    columns = columns_of(cells, [attribute])
    draw = drawn_anew(cells.codes, value_counts(cells), weights, columns)
    order = np.argsort(draw.alike, kind="stable")
    alike, w, drawn = draw.alike[order], weights[order], draw.drawn[order]
    common = math.lcm(release.scale, truth.denominator)
    largest = draw.everybody * common
    a = exact(release.announced[order], largest) * (common // release.scale)
    low = exact(truth.lower[order], largest) * (common // truth.denominator)
    high = exact(truth.upper[order], largest) * (common // truth.denominator)
    sums = [0, 0, 0]
    changed = 0
    apart = 1
    while apart < len(cells):
        pairs = np.flatnonzero(alike[apart:] == alike[:-apart])
        if not len(pairs):
            break
        i, j = pairs, pairs + apart
        sizes = (
            abs(a[i] - a[j]),
            np.maximum(np.maximum(low[i] - high[j], low[j] - high[i]), 0),
            np.maximum(high[i] - low[j], high[j] - low[i]),
        )
        for place, size in enumerate(sizes):
            sums[place] += exact_dot(size * w[i], drawn[j]) + exact_dot(size * w[j], drawn[i])
        changed += exact_dot(w[i], drawn[j]) + exact_dot(w[j], drawn[i])
        apart += 1
    everything = draw.everybody**2
    value, least, most = (Fraction(total, everything * common) for total in sums)
    made = Fraction(exact_dot(weights, draw.possible), everything)
    return Range(value=value, low=least, high=most), Fraction(changed, everything), made


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
    for code in np.unique(column):
        form = rate_form(weights, column == code)
        yield Fraction(form.denominator, everybody), form.range(release)


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
