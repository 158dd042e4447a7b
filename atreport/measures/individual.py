"""Individual fairness: by how much people are treated more differently than they differ.

The bias is the largest value, over pairs of cells, of the distance between their decisions minus the distance between
the people; at least 0. Cells that agree in every attribute that counts form a class, and of a class only the extreme
decisions matter; :mod:`atreport.measures.individual` finds the largest over pairs of classes. The maximum is exact.

Guarantee: the true bias lies in the interval. Under the band, for two outcomes and up to MOST_CLASSES classes (or distances
that keep the triangle inequality), both ends are attained. Kept rates narrow each cell's band first: the upper end is
attained then too; the lower may be lower than necessary.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from atreport.core.band import Range
from atreport.core.cells import ExactArray, IntArray
from atreport.core.exact import SAFE, largest_size, product, sum_of, widen
from atreport.core.rule_table import RuleTable
from atreport.measures.feasible_rules import outcome_sets, tight_bands
from atreport.measures.measured import Measured, NotMeasured, difference_bound, log_bound
from atreport.spec.fairness import IndividualFairness, MatrixDistance, ScaleDistance
from atreport.spec.process import Attribute

# How far apart people are, attribute by attribute: the distance of a spec as whole numbers of a common unit.
#
# An axis holds the values of one attribute that occur, and knows three things: how far two values are apart,
# the cheapest way to reach each value from any other, and how near two blocks of people can be. All of it is
# exact.

Steps = NDArray[Any]
"""Whole numbers of the common unit: int64, or Python integers where those could overflow."""


class Axis(Protocol):
    """One attribute, as far as it counts."""

    @property
    def size(self) -> int:
        """How many values there are."""

    @property
    def longest(self) -> int:
        """The largest distance between two values."""

    @property
    def is_metric(self) -> bool:
        """Whether no way over other values is shorter than the distance between two."""

    def between(self, first: IntArray, second: IntArray) -> Steps:
        """The distances between values."""

    def from_others(self, costs: Steps, unreachable: int) -> Steps:
        """For each value the least, over all other values, of their cost plus the distance from there.

        `costs` has one entry (or one array) for each value.
        """

    def between_blocks(self, codes: IntArray, starts: IntArray) -> Steps:
        """A lower bound on the distances between any two members of two blocks, for all pairs of blocks."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Alike:
    """Any two different values are equally far apart."""

    size: int
    longest: int
    is_metric: bool = True

    def between(self, first: IntArray, second: IntArray) -> Steps:
        """`longest`, or 0 for equal values."""
        return self._where(first != second)

    def from_others(self, costs: Steps, unreachable: int) -> Steps:
        """The cheapest value before or after, and the step from there."""
        before = _running_least(costs, unreachable)
        after = _running_least(costs[::-1], unreachable)[::-1]
        return np.asarray(np.minimum(before, after) + self.longest)

    def between_blocks(self, codes: IntArray, starts: IntArray) -> Steps:
        """The step, where the ranges of the two blocks do not meet."""
        low, high = np.minimum.reduceat(codes, starts), np.maximum.reduceat(codes, starts)
        apart = (low[:, None] > high[None, :]) | (low[None, :] > high[:, None])
        return self._where(apart)

    def _where(self, apart: NDArray[np.bool_]) -> Steps:
        found = np.zeros(apart.shape, dtype=np.int64 if self.longest < SAFE else object)
        found[apart] = self.longest
        return found


@dataclass(frozen=True, kw_only=True, eq=False)
class LineAxis:
    """Values are points on a line, in ascending order from 0."""

    points: Steps
    is_metric: bool = True

    @property
    def size(self) -> int:
        """How many values there are."""
        return len(self.points)

    @property
    def longest(self) -> int:
        """From the first point to the last."""
        return int(self.points[-1])

    def between(self, first: IntArray, second: IntArray) -> Steps:
        """The distance of the points."""
        return np.asarray(np.abs(self.points[first] - self.points[second]))

    def from_others(self, costs: Steps, unreachable: int) -> Steps:
        """From below, the least cost minus point, plus one's own point; from above the mirror image."""
        points = self.points.reshape(-1, *[1] * (costs.ndim - 1))
        below = _running_least(costs - points, unreachable) + points
        above = _running_least((costs + points)[::-1], unreachable + self.longest)[::-1] - points
        return np.asarray(np.minimum(below, above))

    def between_blocks(self, codes: IntArray, starts: IntArray) -> Steps:
        """The gap between the ranges of the two blocks."""
        points = self.points[codes]
        low, high = np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)
        gap = np.maximum(low[:, None] - high[None, :], low[None, :] - high[:, None])
        return np.asarray(np.maximum(gap, 0))


@dataclass(frozen=True, kw_only=True, eq=False)
class Matrix:
    """Every distance by itself."""

    distances: Steps

    @property
    def size(self) -> int:
        """How many values there are."""
        return len(self.distances)

    @property
    def longest(self) -> int:
        """The largest entry."""
        return int(self.distances.max())

    @property
    def is_metric(self) -> bool:
        """Whether every entry is at most the sum of any two that lead the same way."""
        far = self.distances
        return all(bool((far <= far[:, [k]] + far[[k], :]).all()) for k in range(self.size))

    def between(self, first: IntArray, second: IntArray) -> Steps:
        """The entry of the two values."""
        return np.asarray(self.distances[first, second])

    def from_others(self, costs: Steps, unreachable: int) -> Steps:
        """All values are tried."""
        found = np.full_like(costs, unreachable)
        distances = self.distances.reshape(self.size, self.size, *[1] * (costs.ndim - 1))
        for value in range(self.size if self.size > 1 else 0):
            found[value] = np.delete(costs + distances[value], value, axis=0).min(axis=0)
        return found

    def between_blocks(self, codes: IntArray, starts: IntArray) -> Steps:
        """The least entry between the values that occur in the two blocks."""
        from_block = np.minimum.reduceat(self.distances[codes], starts, axis=0)  # (blocks, values)
        return np.stack([np.minimum.reduceat(row[codes], starts) for row in from_block])


def _running_least(costs: Steps, unreachable: int) -> Steps:
    """For each entry the least of those before it."""
    found = np.full_like(costs, unreachable)
    found[1:] = np.minimum.accumulate(costs[:-1], axis=0)
    return found


Distance = Decimal | ScaleDistance | MatrixDistance


def counts(distance: Distance) -> bool:
    """Whether an attribute counts at all: some of its values are apart."""
    if isinstance(distance, MatrixDistance):
        return any(entry > 0 for row in distance.matrix for entry in row)
    return (distance.scale if isinstance(distance, ScaleDistance) else distance) > 0


def points_of(attribute: Attribute, distance: ScaleDistance) -> list[Fraction]:
    """Where each value of an attribute lies on its scale."""
    if distance.numbers is None:
        numbers = [Fraction(step) for step in range(len(attribute.values))]
    elif isinstance(distance.numbers, dict):
        numbers = [Fraction(distance.numbers[value]) for value in attribute.values]
    else:
        numbers = [Fraction(Decimal(value)) for value in attribute.values]
    return [number * Fraction(distance.scale) for number in numbers]


def denominators(attribute: Attribute, distance: Distance) -> list[int]:
    """The denominators of every distance on an attribute."""
    if isinstance(distance, ScaleDistance):
        return [point.denominator for point in points_of(attribute, distance)]
    entries = (
        [e for row in distance.matrix for e in row] if isinstance(distance, MatrixDistance) else [distance]
    )
    return [Fraction(entry).denominator for entry in entries]


def make_axis(
    attribute: Attribute, distance: Distance, column: NDArray[np.int32], unit: Fraction
) -> tuple[Axis, IntArray]:
    """The axis of the values that occur, and the position of every cell on it.

    Distances that are no whole number of units are off by less than one unit.
    """
    used, codes = np.unique(column, return_inverse=True)
    codes = codes.astype(np.int64)
    if isinstance(distance, ScaleDistance):
        all_points = points_of(attribute, distance)
        points = [int(all_points[value] / unit // 1) for value in used]
        order = sorted(range(len(used)), key=lambda index: points[index])
        rank = np.empty(len(used), dtype=np.int64)
        rank[order] = np.arange(len(used))
        first = min(points)
        return LineAxis(points=_whole([points[index] - first for index in order])), rank[codes]
    if isinstance(distance, MatrixDistance):
        entries = [[int(Fraction(distance.matrix[a][b]) / unit) for b in used] for a in used]
        return Matrix(distances=_whole(entries)), codes
    return Alike(size=len(used), longest=int(Fraction(distance) / unit)), codes


def _whole(numbers: Sequence[Any]) -> Steps:
    """Python integers as an array; int64 where they fit."""
    wide = np.array(numbers, dtype=object)
    return wide.astype(np.int64) if largest_size(wide) < SAFE else wide


MOST_CLASSES = 300
"""The most classes of people between whom ways over others are looked for, where distances are no metric."""

LOG_UNIT = Fraction(1, 10**13)
"""Logarithms are taken in whole numbers of this unit."""
_LOG_ERROR = Fraction(1, 10**11)  # far above the rounding of logarithms and distances, below any printed step
_NOTHING = -(10**15)  # stands for the logarithm of 0: so low that no difference from it counts


def measure(
    table: RuleTable, asked: IndividualFairness, *, unknown: bool
) -> Iterator[Measured | NotMeasured]:
    """The bias over all pairs of people, and the interval the true bias lies in.

    Not where values are joined: of the people under such a value only the average decision is announced, and they may be
    treated as differently as can be. People who are left out may be, too: nothing but the lower end is known then.
    `unknown` makes no difference: no groups are compared.
    """
    del unknown
    if table.cells.process.has_joined(attribute.name for attribute in table.cells.process.attributes):
        yield NotMeasured(asked=asked, groups=None, given=None, reason="joined")
        return
    total_variation = asked.metric == "total_variation"
    bias = _total_variation(table, asked) if total_variation else _relative(table, asked)
    a_priori = difference_bound(table) if total_variation else log_bound(table)
    if table.cells.left_out:
        most = Fraction(2, table.mapping.shape[1]) if total_variation else None
        bias, a_priori = replace(bias, high=most), None
    yield Measured(
        asked=asked,
        groups=None,
        given=None,
        ranges=None if bias.high is None else (Range(bias.value, bias.low, bias.high),),
        a_priori=a_priori,
        at_least=bias.low if bias.high is None and bias.low > 0 else None,
        value_at_most=bias.at_most if bias.high is not None and bias.at_most > bias.value else None,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Classes:
    """Cells sorted so that those alike in all that counts form a run, and how far runs are apart."""

    order: IntArray
    starts: IntArray
    codes: Sequence[IntArray]  # for each axis the value of every class
    axes: Sequence[Axis]

    def largest_excess(self, upper: Steps, lower: Steps) -> tuple[int, int]:
        """The largest upper[i] - lower[j] - distance(i, j) over pairs of different cells, at least 0: proven limits."""
        upper, lower = upper[self.order], lower[self.order]
        within = max(0, _largest_within(upper, lower, self.starts))
        highest, lowest = np.maximum.reduceat(upper, self.starts), np.minimum.reduceat(lower, self.starts)
        at_least, at_most = largest_excess(highest, lowest, self.codes, self.axes)
        return max(within, at_least), max(within, at_most)

    def least_bias(self, low: Steps, high: Steps) -> Fraction:
        """The least that the bias can be, with every decision between two bounds, in units of distance.

        Decisions of two cells differ by at least low[i] - high[j]. On the way from one to the other over further cells, each
        step differs by no more than its distance and the bias, so a way of n steps shows a bias of at least the n-th
        part of what is left of the difference. Where distances keep the triangle inequality one step shows most, and
        the largest of all ways is attained.
        """
        low, high = low[self.order], high[self.order]
        found = Fraction(max(0, _largest_within(low, high, self.starts)))
        lows, highs = np.maximum.reduceat(low, self.starts), np.minimum.reduceat(high, self.starts)
        found = max(found, Fraction(largest_excess(lows, highs, self.codes, self.axes)[0]))
        if all(axis.is_metric for axis in self.axes) or len(self.starts) > MOST_CLASSES:
            return found
        distances = sum_of(
            [
                axis.between(column[:, None], column[None, :])
                for axis, column in zip(self.axes, self.codes, strict=True)
            ]
        )
        return largest_over_ways(lows, highs, distances, found)


@dataclass(frozen=True, kw_only=True)
class Bias:
    """The bias, its limits, and where the search had to end early, how much larger the announced bias may be."""

    value: Fraction
    at_most: Fraction
    low: Fraction
    high: Fraction | None  # None: nothing bounds it

    def or_larger(self, other: Bias) -> Bias:
        """The larger of two, end by end."""
        return Bias(
            value=max(self.value, other.value),
            at_most=max(self.at_most, other.at_most),
            low=max(self.low, other.low),
            high=None if self.high is None or other.high is None else max(self.high, other.high),
        )


_NO_BIAS = Bias(value=Fraction(0), at_most=Fraction(0), low=Fraction(0), high=Fraction(0))


def _bias(classes: Classes, announced: Steps, low: Steps, high: Steps, unit: Fraction) -> Bias:
    value, at_most = classes.largest_excess(announced, announced)
    return Bias(
        value=value * unit,
        at_most=at_most * unit,
        low=classes.least_bias(low, high) * unit,
        high=classes.largest_excess(high, low)[1] * unit,
    )


def _classes(table: RuleTable, measure: IndividualFairness, unit: Fraction) -> Classes:
    cells = table.cells
    axes, columns = [], [np.zeros(len(cells), dtype=np.int64)]
    for name, distance in measure.distance.items():
        if counts(distance):
            axis, column = make_axis(cells.process.attribute(name), distance, cells.column(name), unit)
            axes.append(axis)
            columns.append(column)
    order = np.lexsort(columns)
    codes = np.stack(columns)[:, order]
    starts = np.flatnonzero(np.concatenate([[True], (codes[:, 1:] != codes[:, :-1]).any(axis=0)]))
    return Classes(order=order, starts=starts, codes=list(codes[1:, starts]), axes=axes)


def _total_variation(table: RuleTable, measure: IndividualFairness) -> Bias:
    """The sum of |difference| over the outcomes, divided by their number, minus the distance; at least 0.

    Differences sum to 0, so their sizes sum to twice the largest difference in the probability of a set of outcomes.
    """
    outcomes = table.cells.process.outcome.values
    factor = Fraction(2, len(outcomes))
    process = table.cells.process
    whole = math.lcm(
        1, *(d for name, far in measure.distance.items() for d in denominators(process.attribute(name), far))
    )
    found = _NO_BIAS
    for of in outcome_sets(outcomes):
        low, high, denominator = tight_bands(table, of)
        unit = factor / math.lcm(table.scale, denominator, whole * factor.numerator)
        classes = _classes(table, measure, unit)
        steps = product(
            sum_of([table.announced_of(outcome) for outcome in of]), int(factor / table.scale / unit)
        )
        low, high = (product(bound, int(factor / denominator / unit)) for bound in (low, high))
        found = found.or_larger(_bias(classes, steps, low, high, unit))
    return found


def _relative(table: RuleTable, measure: IndividualFairness) -> Bias:
    """The same with the largest |log ratio| over outcomes; no upper end where a probability may be 0 beside one that is not.

    Of a probability that may be 0, nothing but its upper end says how far apart two cells are at least; one that is 0 for
    certain counts there as one printed step, since a logarithm has no end.
    """
    classes = _classes(table, measure, LOG_UNIT)
    found = _NO_BIAS
    for outcome in table.cells.process.outcome.values:
        low, high, whole = tight_bands(table, (outcome,))
        if (high == 0).all():
            continue
        step = -(-whole // table.scale)
        least = np.where(low > 0, _logs(np.maximum(low, 1), whole, np.floor), _NOTHING)
        most = _logs(np.maximum(high, step), whole, np.ceil)
        if (low == 0).any():
            at_least = max(Fraction(0), classes.least_bias(least, most) * LOG_UNIT - _LOG_ERROR)
            found = found.or_larger(replace(_NO_BIAS, low=at_least, high=None))
            continue
        announced = _logs(table.announced_of(outcome), table.scale, np.rint)
        of_outcome = _bias(classes, announced, least, most, LOG_UNIT)
        assert of_outcome.high is not None
        slack = _LOG_ERROR if of_outcome.high > 0 else Fraction(0)
        low_end = max(Fraction(0), of_outcome.low - slack)
        found = found.or_larger(replace(of_outcome, low=low_end, high=of_outcome.high + slack))
    return found


def _logs(steps: ExactArray, scale: int, rounded: Callable[..., Steps]) -> IntArray:
    logs = np.log(np.asarray(steps, dtype=np.float64) / float(scale))
    return np.asarray(rounded(logs * float(1 / LOG_UNIT)), dtype=np.int64)


def _largest_within(upper: Steps, lower: Steps, starts: IntArray) -> int:
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
    return int(apart.max())


# Find the two people who are treated most differently for how little they differ, without trying all pairs.
#
# Wanted is the largest upper[i] - lower[j] - distance(i, j) over pairs of different points; exact. The
# distance is a sum over axes. Two ways:
#
# *On the grid.* Two different points differ first on some axis k: they agree on the axes before it, differ on k, and are
# free after it. Starting from `lower` on the grid of all combinations, passing along the axes from the last to the first
# gives for every point the least of lower[j] + distance over its partners of each kind. The work is the size of the grid
# times the number of axes, not the square of the number of points.
#
# *By blocks*, where the grid is too large to hold. Points are cut into blocks of near ones; two blocks need only be
# looked into if the highest `upper` of one, the lowest `lower` of the other and the least distance between them leave
# room for more than was found so far. Where that would take too long the search ends with a proven bracket: the largest
# that was found, and the room left in the blocks that were not looked into.

Mask = NDArray[np.bool_]

LARGEST_GRID = 1 << 23  # combinations; some 200 MB while the axes are passed
BLOCK = 64
MOST_PAIRS = 100_000_000  # looked at before a search by blocks ends with a bracket: some seconds


def largest_excess(
    upper: Steps, lower: Steps, codes: Sequence[IntArray], axes: Sequence[Axis]
) -> tuple[int, int]:
    """The largest upper[i] - lower[j] - distance(i, j) over pairs of different points, at least 0.

    Returns proven limits from below and above; they are equal but for vast sparse grids.
    """
    if len(upper) < 2:
        return 0, 0
    upper, lower, unreachable = _in_safe_integers(upper, lower, axes)
    if math.prod(axis.size for axis in axes) <= LARGEST_GRID:
        exactly = _on_grid(upper, lower, codes, axes, unreachable)
        return exactly, exactly
    return _by_blocks(upper, lower, codes, axes)


def _in_safe_integers(upper: Steps, lower: Steps, axes: Sequence[Axis]) -> tuple[Steps, Steps, int]:
    """The same numbers in a type in which nothing overflows, and a cost above any that can be reached."""
    farthest = sum(axis.longest for axis in axes)
    extent = max(largest_size(upper), largest_size(lower)) + farthest + 1
    unreachable = 3 * extent
    # a cost passes each axis once, up to `unreachable` and the farthest away, and is taken from a number
    most = 2 * (unreachable + farthest)
    return widen(upper, most), widen(lower, most), unreachable


def _on_grid(
    upper: Steps, lower: Steps, codes: Sequence[IntArray], axes: Sequence[Axis], unreachable: int
) -> int:
    place = tuple(codes)
    costs = np.full([axis.size for axis in axes], unreachable, dtype=lower.dtype)
    costs[place] = lower
    largest = 0
    for k in reversed(range(len(axes))):
        reached = np.moveaxis(axes[k].from_others(np.moveaxis(costs, k, 0), unreachable), 0, k)
        largest = max(largest, int((upper - reached[place]).max()))
        costs = np.minimum(costs, reached)
    return largest


def _by_blocks(
    upper: Steps, lower: Steps, codes: Sequence[IntArray], axes: Sequence[Axis]
) -> tuple[int, int]:
    heaviest_last = sorted(range(len(axes)), key=lambda k: axes[k].longest)
    order = np.lexsort([codes[k] for k in heaviest_last])
    upper, lower, codes = upper[order], lower[order], [column[order] for column in codes]
    starts = np.arange(0, len(upper), BLOCK)
    room: Any = np.maximum.reduceat(upper, starts)[:, None] - np.minimum.reduceat(lower, starts)[None, :]
    for axis, column in zip(axes, codes, strict=True):
        room = room - axis.between_blocks(column, starts)
    block_of, most, least = np.arange(len(upper)) // BLOCK, upper.max(), lower.min()

    def largest_from(block: int, others: Mask, above: int) -> int:
        """The largest between the points of one block and those of others, if it is above what was found so far."""
        rows = np.flatnonzero((block_of == block) & (upper - least > above))
        columns = np.flatnonzero(others[block_of] & (most - lower > above))
        if not len(rows) or not len(columns):
            return above
        excess = upper[rows, None] - lower[None, columns]
        for axis, column in zip(axes, codes, strict=True):
            excess = excess - axis.between(column[rows, None], column[None, columns])
        excess[rows[:, None] == columns[None, :]] = 0
        return max(above, int(excess.max()))

    largest = 0
    for block in range(len(starts)):
        largest = largest_from(block, room[block] == room[block].max(), largest)
    pairs = 0
    by_room = np.argsort(-room.max(axis=1), kind="stable").tolist()
    for position, block in enumerate(by_room):
        others = room[block] > largest
        pairs += int(others.sum()) * BLOCK**2
        if pairs > MOST_PAIRS:
            return largest, max(largest, int(room[by_room[position:]].max()))
        largest = largest_from(block, others, largest)
    return largest, largest


def largest_over_ways(upper: Steps, lower: Steps, distances: Steps, found: Fraction) -> Fraction:
    """The largest (upper[i] - lower[j] - length) / steps over all ways of one or more steps from i to j; at least `found`.

    Newton's method: with the largest found so far added to every step, a way that still leaves something shows a larger
    one. Ways are looked for in floating point (Floyd and Warshall); what each of them shows is exact.
    """
    count = len(upper)
    rise = (upper[:, None] - lower[None, :]).astype(object)
    rise[np.arange(count), np.arange(count)] = -(10**30)  # a cell is not compared with itself
    while True:
        cost = distances.astype(np.float64) + float(found)
        length, steps = distances.astype(object), np.ones((count, count), dtype=np.int64)
        for k in range(count):
            over = cost[:, [k]] + cost[[k], :]
            shorter = over < cost
            cost = np.where(shorter, over, cost)
            length = np.where(shorter, length[:, [k]] + length[[k], :], length)
            steps = np.where(shorter, steps[:, [k]] + steps[[k], :], steps)
        left = rise - length
        place = np.unravel_index(int(np.argmax(left.astype(np.float64) - float(found) * steps)), left.shape)
        shown = Fraction(int(left[place]), int(steps[place]))
        if shown <= found:
            return found
        found = shown
