"""Find the two people who are treated most differently for how little they differ, without trying all pairs.

Wanted is the largest upper[i] - lower[j] - distance(i, j) over pairs of different points; exact. The distance is a sum
over axes. Two ways:

*On the grid.* Two different points differ first on some axis k: they agree on the axes before it, differ on k, and are
free after it. Starting from `lower` on the grid of all combinations, passing along the axes from the last to the first
gives for every point the least of lower[j] + distance over its partners of each kind. The work is the size of the grid
times the number of axes, not the square of the number of points.

*By blocks*, where the grid is too large to hold. Points are cut into blocks of near ones; two blocks need only be
looked into if the highest `upper` of one, the lowest `lower` of the other and the least distance between them leave
room for more than was found so far. Where that would take too long the search ends with a proven bracket: the largest
that was found, and the room left in the blocks that were not looked into.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.analysis.distances import Axis, Steps
from atreport.kit.exact import largest_size, widen
from atreport.population.cells import IntArray

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
