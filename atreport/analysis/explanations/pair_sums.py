"""How far apart the probabilities of people who are alike in everything but one attribute can be on average, and how near.

In a class of k cells, the sum over pairs of v(i, j) |x_i - x_j| with v(i, j) = p_i b_j + p_j b_i is asked for, every x in
a band of its own. It is convex, so it is *largest* at a corner: every x at an end of its band. It is *least* where,
between any two neighbouring ends of bands, the cells above and those below are parted by a least cut (the sum is the
integral of the cut over the height at which it is made), and least cuts at rising heights are nested.

Most cells are decided without trying: an end that is the better one wherever the undecided others stand, a side of the cut
that is the nearer one even if all undecided others are on the other. What is left is tried in all ways.

Guarantee: the ends hold for certain, and both are attained where no more than MOST_UNDECIDED cells of a class are left
undecided and the work is within MOST_TRIED. Otherwise, and in classes of more than MOST_ALIKE cells, each pair moves by
itself: an outer bound, in a time that grows with the number of cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.kit.exact import product, total
from atreport.population.cells import ExactArray

MOST_ALIKE = 200
"""The most cells of a class that is decided: the work grows with the square of their number."""

MOST_UNDECIDED = 16
"""The most cells of a class that are tried in all ways."""

MOST_TRIED = 1 << 24
"""The most corners and cuts, over all classes, that are tried."""

MOST_PAIRS = 1 << 22
"""The most pairs of cells that are looked at at once."""


@dataclass(frozen=True, kw_only=True, eq=False)
class AlikeCells:
    """Classes of equal size: (classes, cells) of bands, people, and people who have the cell's value.

    In a type in which the sum over all pairs of any one class fits.
    """

    low: NDArray[Any]
    high: NDArray[Any]
    people: NDArray[Any]
    drawn: NDArray[Any]

    def part(self, places: Any) -> AlikeCells:
        """Some of the classes."""
        return AlikeCells(
            low=self.low[places],
            high=self.high[places],
            people=self.people[places],
            drawn=self.drawn[places],
        )

    @property
    def pairs(self) -> ExactArray:
        """v(i, j), 0 for a cell and itself."""
        found: Any = self.people[:, :, None] * self.drawn[:, None, :]
        found = found + found.transpose(0, 2, 1)
        found[:, np.arange(found.shape[1]), np.arange(found.shape[1])] = 0
        return np.asarray(found)


def most_apart(classes: AlikeCells) -> tuple[int, NDArray[np.bool_]]:
    """The largest sum over all classes that could be decided, and which those are."""
    v = classes.pairs
    least, most = classes.low.copy(), classes.high.copy()  # equal where a cell is decided
    while True:
        free = least < most
        at_low = _gain(classes, v, most)  # the others as high as they can be: least is gained by going up
        at_high = _gain(classes, v, least)
        up, down = free & (at_low >= 0), free & (at_low < 0) & (at_high <= 0)
        if not (up | down).any():
            break
        least, most = np.where(up, most, least), np.where(down, least, most)
    free = least < most
    done = _affordable(free.sum(axis=1))
    settled, at = ~free.any(axis=1), least[~free.any(axis=1)]
    twice = (v[settled] * abs(at[:, :, None] - at[:, None, :])).sum(axis=(1, 2))
    largest = total(twice) // 2
    for place in np.flatnonzero(done & ~settled).tolist():
        largest += _best_corner(v[place], least[place], most[place], np.flatnonzero(free[place]))
    return largest, done


def _gain(classes: AlikeCells, v: ExactArray, others: Any) -> ExactArray:
    """What going from the lower to the upper end of its band adds to a cell's sum of distances from the others."""
    reach = abs(classes.high[:, :, None] - others[:, None, :]) - abs(
        classes.low[:, :, None] - others[:, None, :]
    )
    return np.asarray((v * reach).sum(axis=2))


def _best_corner(v: ExactArray, least: ExactArray, most: ExactArray, free: NDArray[np.int64]) -> int:
    corners: Any = np.repeat(least[None, :], 2 ** len(free), axis=0)
    for bit, cell in enumerate(free.tolist()):
        corners[(np.arange(len(corners)) >> bit & 1) == 1, cell] = most[cell]
    apart: Any = np.zeros(len(corners), dtype=v.dtype)
    for i in range(v.shape[0]):
        for j in range(i):
            apart += v[i, j] * abs(corners[:, i] - corners[:, j])
    return int(apart.max())


def least_apart(classes: AlikeCells) -> int:
    """The least sum over all classes; where a cut could not be decided, no more than that."""
    ends: Any = np.sort(np.concatenate([classes.low, classes.high], axis=1), axis=1)
    heights: Any = ends[:, 1:] - ends[:, :-1]
    place, interval = np.nonzero(heights > 0)
    above = classes.low[place] >= ends[:, 1:][place, interval][:, None]
    below = classes.high[place] <= ends[:, :-1][place, interval][:, None]
    both = above.any(axis=1) & below.any(axis=1)  # otherwise nothing is cut
    place, interval, above, below = place[both], interval[both], above[both], below[both]
    p, b = classes.people[place], classes.drawn[place]
    while True:
        free = ~(above | below)
        up, down, rest = (_pull(p, b, side) for side in (above, below, free))
        rest = rest - 2 * p * b  # a cell does not pull itself
        goes_up, goes_down = free & (up >= down + rest), free & (down >= up + rest)
        goes_down &= ~goes_up
        if not (goes_up | goes_down).any():
            break
        above, below = above | goes_up, below | goes_down
    free = ~(above | below)
    cut: Any = (p * above).sum(axis=1) * (b * below).sum(axis=1)
    cut = cut + (b * above).sum(axis=1) * (p * below).sum(axis=1)
    done = _affordable(free.sum(axis=1))
    nearer = np.where(free, np.minimum(_pull(p, b, above), _pull(p, b, below)), 0).sum(axis=1)
    cut = np.where(done, cut, cut + nearer)
    for row in np.flatnonzero(done & free.any(axis=1)).tolist():
        cut[row] = _least_cut(p[row], b[row], above[row], np.flatnonzero(free[row]))
    return total(product(cut, heights[place, interval]))


def _pull(p: ExactArray, b: ExactArray, side: NDArray[np.bool_]) -> ExactArray:
    """The sum of v between each cell and all on a side."""
    there: Any = (b * side).sum(axis=1)
    drawn: Any = (p * side).sum(axis=1)
    return np.asarray(p * there[:, None] + b * drawn[:, None])


def _least_cut(p: ExactArray, b: ExactArray, above: NDArray[np.bool_], free: NDArray[np.int64]) -> int:
    ways = np.arange(2 ** len(free))
    people: Any = np.full(len(ways), p[above].sum(), dtype=p.dtype)
    drawn: Any = np.full(len(ways), b[above].sum(), dtype=p.dtype)
    for bit, cell in enumerate(free.tolist()):
        chosen = ways >> bit & 1
        people, drawn = people + chosen * p[cell], drawn + chosen * b[cell]
    return int((people * (b.sum() - drawn) + drawn * (p.sum() - people)).min())


def _affordable(undecided: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of several searches are made: those that are short enough, as long as there is time for all before them."""
    few = undecided <= MOST_UNDECIDED
    tried = np.where(few & (undecided > 0), 2 ** np.minimum(undecided, MOST_UNDECIDED), 0)
    return few & (np.cumsum(tried) <= MOST_TRIED)
