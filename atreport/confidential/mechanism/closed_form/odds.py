"""The odds factor R of a group: how far apart the announced probabilities of its cells may be.

R = max(M / m, (1 - m) / (1 - M)), with M the largest and m the least announced probability of the group's cells (not of its
values: only so does it hold whatever a reader believed). Every mapping has M ≥ L, the largest lower bound, and m ≤ H, the
least upper bound, and both ratios rise with M and fall with m. So the least R is that of L and H, all mappings inside
[H, L] have it, and no others do; where L ≤ H a constant can be announced and R is 1. Where the rate must be kept, no mapping
has all cells above the level at which the cheapest total is the most allowed, nor all below its mirror image.

R ≤ ρ means that all cells lie in [l, u(l)] for some l, with u(l) = min(ρ·l, 1 - (1 - l) / ρ), which is concave. So all
that ceilings leave possible is an interval of l, and what can be made least inside it falls towards its least from
both sides and is level nowhere else: a search along one line finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.decision_table import FloatArray
from atreport.confidential.mechanism.closed_form.records import Problem, each, ratio

_GOLDEN = (np.sqrt(5) - 1) / 2
SAME = 1e-14
"""Probabilities that differ by less are one: that much is rounding of floats."""

_STEPS = 64
"""The interval shrinks to 0.62 of itself at each: to 4e-14 of what it was."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Ends:
    """By group: between which probabilities the cells must reach at least; where the first is above, a constant will do."""

    high: FloatArray  # H: some cell is announced at most so much
    low: FloatArray  # L: and some cell at least so much

    @property
    def factor(self) -> FloatArray:
        """The least R; infinite where an outcome is certain in one cell and not in another."""
        rise = _quotient(self.low, self.high)
        fall = _quotient(1 - self.high, 1 - self.low)
        return np.where(self.low <= self.high + SAME, 1.0, np.maximum(rise, fall))


def ends_of(problem: Problem) -> Ends:
    """The ends of every group, with rates kept."""
    high = np.minimum.reduceat(problem.hi, problem.cell_starts)
    low = np.maximum.reduceat(problem.lo, problem.cell_starts)
    if problem.rate_move is not None:
        least, most = problem.totals
        people = np.add.reduceat(problem.p, problem.cell_starts)
        high = np.minimum(high, _level(problem, problem.lo, most))
        low = np.maximum(low, 1 - _level(problem, 1 - problem.hi, people - least))
    return Ends(high=high, low=low)


def with_least_odds(problem: Problem) -> Problem:
    """The same with bounds that leave only mappings of least odds factor; as it was where that is infinite."""
    ends = ends_of(problem)
    true = np.add.reduceat(problem.p * problem.d, problem.cell_starts)
    people = np.add.reduceat(problem.p, problem.cell_starts)
    rate = ratio(true, people)
    cap = np.clip(rate, ends.low, np.maximum(ends.low, ends.high))  # a constant, where one will do
    free = np.isinf(ends.factor) | (people == 0)
    floor = np.minimum(cap, ends.high)
    return problem.between(np.where(free, 0.0, floor), np.where(free, 1.0, cap))


def lowest_range(ends: Ends, factor: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Between which l lie in [l, u(l)] mappings with an odds factor of at most `factor`; it is at least the least."""
    lowest = np.maximum(ends.low / factor, 1 - factor * (1 - ends.low))
    return np.minimum(np.maximum(lowest, 0.0), ends.high), ends.high


def within(problem: Problem, lowest: FloatArray, factor: FloatArray) -> Problem:
    """The same with every cell of a group between l and u(l)."""
    return problem.between(lowest, _highest(lowest, factor))


def _highest(lowest: FloatArray, factor: FloatArray) -> FloatArray:
    """u(l)."""
    return np.minimum(factor * lowest, 1 - (1 - lowest) / factor)


def around(problem: Problem, left: FloatArray, right: FloatArray, factor: FloatArray) -> Problem:
    """Bounds that leave everything which some l between left and right leaves: what they prove holds for all of them."""
    return problem.between(left, _highest(right, factor))


Rank = Callable[[FloatArray], Sequence[FloatArray]]
"""By group, what a point l is worth: the first number counts, of equal ones the second, and so on; less is better."""


def search(
    left: FloatArray, right: FloatArray, rank: Rank
) -> tuple[FloatArray, tuple[FloatArray, FloatArray]]:
    """By group: the best l between left and right, and a narrow interval around it; by golden sections."""
    inner = [right - _GOLDEN * (right - left), left + _GOLDEN * (right - left)]
    ranks = [rank(inner[0]), rank(inner[1])]
    best, best_rank = inner[0], ranks[0]
    for point in (left, right, inner[1]):
        best, best_rank = _better(best, best_rank, point, rank(point))
    for _ in range(_STEPS):
        keep_left = ~is_less(ranks[1], ranks[0])
        left, right = np.where(keep_left, left, inner[0]), np.where(keep_left, inner[1], right)
        new = np.where(keep_left, right - _GOLDEN * (right - left), left + _GOLDEN * (right - left))
        new_rank = rank(new)
        best, best_rank = _better(best, best_rank, new, new_rank)
        inner = [np.where(keep_left, new, inner[1]), np.where(keep_left, inner[0], new)]
        ranks = [
            [np.where(keep_left, n, b) for n, b in zip(new_rank, ranks[1], strict=True)],
            [np.where(keep_left, a, n) for a, n in zip(ranks[0], new_rank, strict=True)],
        ]
    return best, (np.minimum(left, best), np.maximum(right, best))


def is_less(one: Sequence[FloatArray], other: Sequence[FloatArray]) -> NDArray[np.bool_]:
    """By group: whether one rank comes before another."""
    less = np.zeros(len(one[0]), dtype=bool)
    equal = np.ones(len(one[0]), dtype=bool)
    for a, b in zip(one, other, strict=True):
        less |= equal & (a < b)
        equal &= a == b
    return less


def _better(
    best: FloatArray, best_rank: Sequence[FloatArray], point: FloatArray, rank: Sequence[FloatArray]
) -> tuple[FloatArray, Sequence[FloatArray]]:
    better = is_less(rank, best_rank)
    return np.where(better, point, best), [
        np.where(better, n, b) for n, b in zip(rank, best_rank, strict=True)
    ]


def _level(problem: Problem, lower: FloatArray, most: FloatArray) -> FloatArray:
    """By group: the largest l with Σ p·max(lower, l) ≤ most, at most 1: Newton's method from the right."""
    p, starts = problem.p, problem.cell_starts
    level = np.ones(len(starts))
    for _ in range(len(p) + 1):
        of_cells = each(level, starts, len(p))
        excess = np.add.reduceat(p * np.maximum(lower, of_cells), starts) - most
        slope = np.add.reduceat(np.where(lower < of_cells, p, 0.0), starts)
        following = np.maximum(level - ratio(np.maximum(excess, 0.0), slope), 0.0)
        moved = following < level * (1 - 1e-15)
        if not moved.any():
            break
        level = np.where(moved, following, level)
    return level


def _quotient(above: FloatArray, below: FloatArray) -> FloatArray:
    """Their quotient; infinite where only the denominator is 0, and 1 where both are."""
    return np.divide(above, below, out=np.where(above > 0, np.inf, 1.0), where=below > 0)
