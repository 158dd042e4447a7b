"""Permutation importance: by how much a person's announced probability changes when an attribute is drawn anew.

The change is an average, and counts in either direction.

Guarantee: exact for the announced rule. The interval holds for certain, and under the band no narrower one would be true
where :mod:`atreport.explain.permutation` can decide every class of people who are alike in everything else;
in larger classes every pair of people moves within the band by itself. Rates that are kept do not narrow it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.core.band import Range
from atreport.core.cells import ExactArray, IntArray, run_starts
from atreport.core.exact import axis_sums, dot, largest_size, product, running_sums, total, widen
from atreport.core.rule_table import RuleTable
from atreport.explain.explanation import MethodQuestion, print_influence
from atreport.explain.interventions import Resampled, columns_of, resample, value_counts
from atreport.measures.measured import largest_move
from atreport.report.explanation import Influence

# How far apart the probabilities of people who are alike in everything but one attribute can be on average,
# and how near.
#
# In a class of k cells, the sum over pairs of v(i, j) |x_i - x_j| with v(i, j) = p_i b_j + p_j b_i is asked
# for, every x in a band of its own. It is convex, so it is *largest* at a corner: every x at an end of its
# band. It is *least* where, between any two neighbouring ends of bands, the cells above and those below are
# parted by a least cut (the sum is the integral of the cut over the height at which it is made), and least
# cuts at rising heights are nested.
#
# Most cells are decided without trying: an end that is the better one wherever the undecided others stand, a
# side of the cut that is the nearer one even if all undecided others are on the other. What is left is tried
# in all ways.
#
# Guarantee: the ends hold for certain, and both are attained where no more than MOST_UNDECIDED cells of a
# class are left undecided and the work is within MOST_TRIED. Otherwise, and in classes of more than
# MOST_ALIKE cells, each pair moves by itself: an outer bound, in a time that grows with the number of cells.

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


MAX_UNASKED = 20_000
"""The largest table for which it is worked out where the spec says nothing: a build should not wait for it."""


def explain(question: MethodQuestion) -> Iterator[Influence]:
    """The importance of every attribute."""
    table, wanted = question.table, question.asked.influence.permutation
    if wanted or len(table.cells) <= MAX_UNASKED:
        for attribute in table.cells.process.attributes:
            yield permutation_importance(table, attribute.name)


def permutation_importance(table: RuleTable, attribute: str) -> Influence:
    """How much outcomes change on average when the attribute is drawn anew."""
    ranges, moves, reached = [], [], []
    for weights in table.published_weights:
        of_weights, changed, made = average_change(table, weights, attribute)
        ranges.append(of_weights)
        moves.append(2 * largest_move(table) * changed)
        reached.append(made)
    bound = min(Fraction(1), max(moves))
    return print_influence(table, "permutation", [attribute], ranges, bound, reach=min(reached))


def average_change(table: RuleTable, weights: IntArray, attribute: str) -> tuple[Range, Fraction, Fraction]:
    """The change with its range, the share of draws that give another value, and the share that can be made."""
    cells, truth = table.cells, table.truth
    draw = resample(cells.codes, value_counts(cells), weights, columns_of(cells, [attribute]))
    common = math.lcm(table.scale, truth.denominator)
    announced = product(table.announced, common // table.scale)
    low = product(truth.lower, common // truth.denominator)
    high = product(truth.upper, common // truth.denominator)
    as_announced = _Side(announced, weights, draw.drawn)
    value = _over_pairs(draw.alike, announced, as_announced, as_announced)
    least, most = _ends(draw, weights, low, high)
    everything = draw.everybody**2
    return (
        Range(
            value=Fraction(value, everything * common),
            low=Fraction(least, everything * common),
            high=Fraction(most, everything * common),
        ),
        Fraction(dot(weights, draw.possible - draw.drawn), everything),
        Fraction(dot(weights, draw.possible), everything),
    )


@dataclass(frozen=True, eq=False)
class _Side:
    """What stands on one side of a difference: figures, people, and people with the same value of the attribute."""

    figure: ExactArray
    people: IntArray
    drawn: IntArray


def _ends(draw: Resampled, weights: IntArray, low: ExactArray, high: ExactArray) -> tuple[int, int]:
    """The least and the most that the sum over pairs can be."""
    least = most = 0
    nothing = np.empty(0, dtype=np.int64)
    large, undecided = (
        [nothing],
        [nothing],
    )  # cells of classes that are looked at pair by pair, for both ends or one
    order = np.argsort(draw.alike, kind="stable")
    start = run_starts(draw.alike[order])
    sizes = np.diff(np.append(start, len(order)))
    for size in np.unique(sizes[sizes > 1]).tolist():
        members = order[start[sizes == size][:, None] + np.arange(size)]
        if size > MOST_ALIKE:
            large.append(members.ravel())
            continue
        at_once = max(1, MOST_PAIRS // size**2)
        for first in range(0, len(members), at_once):
            some = members[first : first + at_once]
            classes = _classes(low[some], high[some], weights[some], draw.drawn[some])
            largest, decided = most_apart(classes)
            least, most = least + least_apart(classes), most + largest
            undecided.append(some[~decided].ravel())
    nearest, furthest = np.concatenate(large), np.concatenate([*large, *undecided])
    return (
        least + _pairs_nearest(draw, weights, low, high, nearest),
        most + _pairs_furthest(draw, weights, low, high, furthest),
    )


def _pairs_furthest(
    draw: Resampled, weights: IntArray, low: ExactArray, high: ExactArray, some: IntArray
) -> int:
    """The most that the sum over pairs of some cells can be if every pair moves by itself: an outer bound.

    Two figures are furthest apart at the upper end of the one whose band lies higher and the lower end of the other.
    """
    people, drawn = weights[some], draw.drawn[some]
    above, below = _Side(high[some], people, drawn), _Side(low[some], people, drawn)
    return _over_pairs(draw.alike[some], (low + high)[some], above, below) if len(some) else 0


def _pairs_nearest(
    draw: Resampled, weights: IntArray, low: ExactArray, high: ExactArray, some: IntArray
) -> int:
    """The least that it can be if every pair moves by itself: 0 where two bands meet, else from end to facing end."""
    people, drawn, ends = weights[some], draw.drawn[some], np.concatenate([high[some], low[some]])
    nobody = np.zeros_like(people)
    above = _Side(ends, np.concatenate([nobody, people]), np.concatenate([nobody, drawn]))
    below = _Side(ends, np.concatenate([people, nobody]), np.concatenate([drawn, nobody]))
    return _over_pairs(np.tile(draw.alike[some], 2), ends, above, below) if len(some) else 0


def _classes(low: ExactArray, high: ExactArray, people: ExactArray, drawn: ExactArray) -> AlikeCells:
    """Classes of equal size, in numbers in which every sum over their pairs fits."""
    in_class, of_values = (largest_size(axis_sums(each, 1)) for each in (people, drawn))
    most = 2 * in_class * of_values * max(1, largest_size(high))  # v counts both ways
    low, high, people, drawn = (widen(each, most) for each in (low, high, people, drawn))
    return AlikeCells(low=low, high=high, people=people, drawn=drawn)


def _over_pairs(alike: IntArray, key: ExactArray, upper: _Side, lower: _Side) -> int:
    """The sum, over pairs of alike cells, of the upper figure of the one with the higher key less the lower of the other.

    Each pair counts as often as one of the two is drawn for the other. One pass over the cells in order of their keys,
    with running sums in each class: the time does not grow with the number of pairs.
    """
    order = np.lexsort((key, alike))
    start = run_starts(alike[order])
    lengths = np.diff(np.append(start, len(order)))

    def before(of_cells: ExactArray) -> ExactArray:
        so_far = running_sums(of_cells) - of_cells
        return np.asarray(so_far - np.repeat(so_far[start], lengths))

    x, p, b = upper.figure[order], upper.people[order], upper.drawn[order]
    y, q, c = lower.figure[order], lower.people[order], lower.drawn[order]
    return (
        dot(product(x, p), before(c))
        + dot(product(x, b), before(q))
        - dot(p, before(product(c, y)))
        - dot(b, before(product(q, y)))
    )
