"""Individual fairness: by how much people are treated more differently than they differ.

The bias is the largest value, over pairs of cells, of the distance between their decisions minus the distance between
the people; at least 0. Cells at distance 0 from one another form a class, and of a class only the extreme decisions
matter, so the work is quadratic in the number of classes, not of cells. The maximum is exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.cells import IntArray
from atreport.public.assessment import Assessment, Interval, Range, at_most, rounded_down, rounded_up
from atreport.public.bounds import difference_bound, log_bound
from atreport.release import Release
from atreport.spec.models import IndividualFairness, ScaleDistance

_BLOCK = 1 << 22  # pairs of classes held in memory at once
_FLOAT_ERROR = 1e-11  # far above the rounding error of a few logarithms, far below a printed step

Numbers = NDArray[Any]
"""Exact whole numbers (int64 or Python integers), or floats where logarithms leave no choice."""


def assess_individual(release: Release, measure: IndividualFairness) -> Assessment:
    """The bias on the announced mapping, and the interval the true bias lies in."""
    classes = _classes(release, measure)
    result: Interval | None
    a_priori: Decimal | None
    if measure.metric == "total_variation":
        result, a_priori = _total_variation(release, classes), difference_bound(release)
    else:
        result, a_priori = _relative(release, classes), log_bound(release)
    return Assessment(
        measure="individual",
        title=measure.title,
        groups=None,
        given=None,
        result=result,
        a_priori=a_priori,
        threshold=measure.threshold,
        verdict=at_most(result, measure.threshold),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Classes:
    """Cells sorted so that cells at distance 0 from each other form a run, and how far runs are apart."""

    order: IntArray
    starts: IntArray
    codes: NDArray[np.int32]  # (classes, attributes that count)
    steps: tuple[
        tuple[Fraction, bool], ...
    ]  # for each such attribute its distance, and whether it is by step

    @property
    def denominator(self) -> int:
        """A common denominator of all distances."""
        return math.lcm(1, *(distance.denominator for distance, _ in self.steps))

    def distances(self, rows: slice, unit: Fraction | None) -> Numbers:
        """Distances of some classes to all classes: whole numbers of `unit`, or floats without one."""
        total: Numbers = np.zeros(
            (len(self.codes[rows]), len(self.codes)), dtype=np.int64 if unit else np.float64
        )
        for column, (distance, by_step) in enumerate(self.steps):
            apart = np.abs(self.codes[rows, column, None] - self.codes[None, :, column]).astype(np.int64)
            each = int(distance / unit) if unit else float(distance)
            total = total + (apart if by_step else (apart > 0)) * each
        return total


def _classes(release: Release, measure: IndividualFairness) -> Classes:
    counted = {name: given for name, given in measure.distance.items() if _size(given) > 0}
    names = list(counted)
    cells = release.cells
    codes = (
        np.column_stack([cells.column(name) for name in names])
        if names
        else np.zeros((len(cells), 1), np.int32)
    )
    order = np.lexsort(codes.T)
    codes = codes[order]
    starts = np.flatnonzero(np.concatenate([[True], (codes[1:] != codes[:-1]).any(axis=1)]))
    return Classes(
        order=order,
        starts=starts,
        codes=codes[starts],
        steps=tuple((_size(given), isinstance(given, ScaleDistance)) for given in counted.values()),
    )


def _size(distance: Decimal | ScaleDistance) -> Fraction:
    return Fraction(distance.scale if isinstance(distance, ScaleDistance) else distance)


def _total_variation(release: Release, classes: Classes) -> Interval:
    truth = release.truth
    denominator = math.lcm(release.scale, truth.denominator, classes.denominator)
    unit = Fraction(1, denominator)
    dtype = np.int64 if denominator < 2**50 else object
    announced, low, high = (
        (np.asarray(steps)[classes.order].astype(dtype) * (denominator // scale))
        for steps, scale in (
            (release.announced, release.scale),
            (truth.lower, truth.denominator),
            (truth.upper, truth.denominator),
        )
    )
    found = Range(
        value=_largest_excess(announced, announced, classes, unit) * unit,
        low=_largest_excess(low, high, classes, unit) * unit,
        high=_largest_excess(high, low, classes, unit) * unit,
    )
    return Interval.printed([found], release.decimals)


def _relative(release: Release, classes: Classes) -> Interval | None:
    """The same with the largest |log ratio| over outcomes; None where a probability may be 0 beside one that is not."""
    truth = release.truth
    bias = [0.0, 0.0, 0.0]
    for outcome in (True, False):
        announced, low, high = (
            (np.asarray(steps if outcome else scale - steps, dtype=np.float64) / scale)[classes.order]
            for steps, scale in (
                (release.announced, release.scale),
                (truth.lower if outcome else truth.upper, truth.denominator),
                (truth.upper if outcome else truth.lower, truth.denominator),
            )
        )
        if (high == 0).all():
            continue
        if (low == 0).any():
            return None
        logs = [np.log(a) for a in (announced, low, high)]
        pairs = [(logs[0], logs[0]), (logs[1], logs[2]), (logs[2], logs[1])]
        bias = [
            max(b, float(_largest_excess(x, y, classes, None))) for b, (x, y) in zip(bias, pairs, strict=True)
        ]
    value, least, most = bias
    slack = _FLOAT_ERROR if most > 0 else 0.0
    return Interval(
        value=Decimal(repr(round(value, release.decimals))).quantize(Decimal(1).scaleb(-release.decimals)),
        low=rounded_down(max(Fraction(0), Fraction(least) - Fraction(slack)), release.decimals),
        high=rounded_up(Fraction(most) + Fraction(slack), release.decimals),
    )


def _largest_excess(upper: Numbers, lower: Numbers, classes: Classes, unit: Fraction | None) -> Any:
    """The largest upper[i] - lower[j] - distance(i, j) over pairs of different cells, at least 0."""
    highest = np.maximum.reduceat(upper, classes.starts)
    lowest = np.minimum.reduceat(lower, classes.starts)
    largest = max(0, _largest_within(upper, lower, classes.starts))
    rows_at_once = max(1, _BLOCK // len(highest))
    for start in range(0, len(highest), rows_at_once):
        rows = slice(start, start + rows_at_once)
        excess = highest[rows, None] - lowest[None, :] - classes.distances(rows, unit)
        within = np.arange(len(highest))[rows]
        excess[np.arange(len(within)), within] = 0  # pairs inside a class are counted above, cell by cell
        largest = max(largest, excess.max())
    return largest if unit is None else int(largest)


def _largest_within(upper: Numbers, lower: Numbers, starts: IntArray) -> Any:
    """The largest upper[i] - lower[j] over different cells i, j of one class; 0 where every class is one cell."""
    label = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(upper))))
    by_upper = np.lexsort((-upper, label))
    by_lower = np.lexsort((lower, label))
    several = starts[np.diff(np.append(starts, len(upper))) > 1]
    if not len(several):
        return 0
    best, next_best = by_upper[several], by_upper[several + 1]
    least, next_least = by_lower[several], by_lower[several + 1]
    apart = np.where(
        best != least,
        upper[best] - lower[least],
        np.maximum(upper[next_best] - lower[least], upper[best] - lower[next_least]),
    )
    return apart.max()
