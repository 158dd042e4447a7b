"""The core of the solver: which totals, and which mapping, keep a ceiling on the confidence in every value.

Theorem. With ceilings c on the records of a group, a mapping exists exactly where every ceiling is at least the value's
prior and the total s can lie between

    max(least total, largest p·lo/c, S - s0)  and  min(most total, S - largest p·(1 - hi)/c, s1),

where s1 is the largest root of Σ min(p·hi, c·s) - s, which is concave, and s0 that of its mirror image. For q must lie
between max(p·lo, p - c·(S - s)) and min(p·hi, c·s), and sum to s. Any s between the two ends will do, so a test takes one
pass over the records. A ceiling of 1 is none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.core.cells import IntArray
from atreport.private.data.decision_table import FloatArray

# The closed form of the least confidence: four terms for each QID group.
#
# Names follow the mathematics: inside a group, record k has population p and bounds lo ≤ x ≤ hi on the
# announced probability.


@dataclass(frozen=True, kw_only=True, eq=False)
class Terms:
    """The four lower limits on a group's confidence; the optimum is the largest."""

    favourable: FloatArray  # β1: the favourable outcome cannot be shared more evenly
    unfavourable: FloatArray  # β0: nor the unfavourable one
    both: FloatArray  # βp: what both outcomes together must give away
    prior: FloatArray  # βmin: what the adversary knew before any report

    @property
    def optimum(self) -> FloatArray:
        """β* of each group."""
        return np.maximum(np.maximum(self.favourable, self.unfavourable), np.maximum(self.both, self.prior))


def optimal_terms(p: FloatArray, lo: FloatArray, hi: FloatArray, starts: IntArray) -> Terms:
    """The four terms of every group; groups are runs of records beginning at `starts`."""
    total = np.add.reduceat(p, starts)
    most_1, even_1 = _evened_out(p * lo, p * hi, starts)
    most_0, even_0 = _evened_out(p * (1 - hi), p * (1 - lo), starts)
    return Terms(
        favourable=ratio(most_1, even_1),
        unfavourable=ratio(most_0, even_0),
        both=ratio(most_1 + most_0, total),
        prior=ratio(np.maximum.reduceat(p, starts), total),
    )


def _evened_out(least: FloatArray, most: FloatArray, starts: IntArray) -> tuple[FloatArray, FloatArray]:
    """The largest q that some record must have, and the total when every record comes as near to it as it may."""
    largest = np.maximum.reduceat(least, starts)
    return largest, np.add.reduceat(np.minimum(most, each(largest, starts, len(least))), starts)


# QID groups as the mathematics sees them: records of a sensitive value each, and how near to the truth they
# must stay.
#
# Inside a group, record k has population p, true probability d and bounds lo ≤ x ≤ hi on the announced
# probability x; q = p·x, and s is the sum of q over the group. All groups are solved at once: a group is a
# run of records.


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupRecords:
    """The sensitive values of many groups, and between which totals s of each group must lie."""

    p: FloatArray
    d: FloatArray
    lo: FloatArray
    hi: FloatArray
    starts: IntArray  # where each group begins
    least_total: FloatArray  # by group: rates are kept, or at least bounds
    most_total: FloatArray

    @cached_property
    def total(self) -> FloatArray:
        """By group: how many people."""
        return self.sum(self.p)

    @cached_property
    def prior(self) -> FloatArray:
        """By record: how likely its value is before any report."""
        return ratio(self.p, self.each(self.total))

    @cached_property
    def other(self) -> GroupRecords:
        """The same seen from the other outcome."""
        return GroupRecords(
            p=self.p,
            d=1 - self.d,
            lo=1 - self.hi,
            hi=1 - self.lo,
            starts=self.starts,
            least_total=self.total - self.most_total,
            most_total=self.total - self.least_total,
        )

    def sum(self, of_records: FloatArray) -> FloatArray:
        """By group: the sum."""
        return np.asarray(np.add.reduceat(of_records, self.starts))

    def most(self, of_records: FloatArray) -> FloatArray:
        """By group: the largest."""
        return np.asarray(np.maximum.reduceat(of_records, self.starts))

    def each(self, of_groups: NDArray[Any]) -> NDArray[Any]:
        """By record: the number of its group."""
        return each(of_groups, self.starts, len(self.p))


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupProblem:
    """The groups of a table, cell by cell, with what must be kept in every one of them."""

    p: FloatArray  # by cell
    d: FloatArray
    lo: FloatArray
    hi: FloatArray
    values: IntArray  # where each sensitive value begins among the cells
    starts: IntArray  # where each group begins among the values
    rate_move: float | None = None  # the most that the group's rate may move

    @cached_property
    def cell_starts(self) -> IntArray:
        """Where each group begins among the cells."""
        return np.asarray(self.values[self.starts])

    @cached_property
    def totals(self) -> tuple[FloatArray, FloatArray]:
        """By group: the least and greatest total that bounds and rates allow.

        Where rounding of bounds to printed steps has left no total near enough to the true one, the nearest there is.
        """
        people = np.add.reduceat(self.p, self.cell_starts)
        if self.rate_move is None:
            return np.zeros_like(people), people
        true, lowest, highest = (
            np.add.reduceat(self.p * a, self.cell_starts) for a in (self.d, self.lo, self.hi)
        )
        least, most = true - self.rate_move * people, true + self.rate_move * people
        return np.clip(least, lowest, highest), np.clip(most, lowest, highest)

    @cached_property
    def records(self) -> GroupRecords:
        """Cells that share a sensitive value count as one, for it is what is protected."""
        least, most = self.totals
        if len(self.values) == len(self.p):
            p, d, lo, hi = self.p, self.d, self.lo, self.hi
        else:
            p = np.add.reduceat(self.p, self.values)
            d, lo, hi = (
                ratio(np.add.reduceat(self.p * a, self.values), p) for a in (self.d, self.lo, self.hi)
            )
        return GroupRecords(p=p, d=d, lo=lo, hi=hi, starts=self.starts, least_total=least, most_total=most)

    def between(self, floor: FloatArray, cap: FloatArray) -> GroupProblem:
        """The same where no cell of a group is announced below its floor nor above its cap."""
        floors, caps = (each(a, self.cell_starts, len(self.p)) for a in (floor, cap))
        lo = np.maximum(self.lo, floors)
        return replace(self, lo=lo, hi=np.maximum(np.minimum(self.hi, caps), lo))  # rounding of floats

    def only(self, chosen: NDArray[np.bool_]) -> GroupProblem:
        """Some of the groups."""
        sizes = np.diff(np.append(self.starts, len(self.values)))
        of_values = np.repeat(chosen, sizes)
        lengths = np.diff(np.append(self.values, len(self.p)))
        of_cells = np.repeat(of_values, lengths)
        return GroupProblem(
            p=self.p[of_cells],
            d=self.d[of_cells],
            lo=self.lo[of_cells],
            hi=self.hi[of_cells],
            values=_beginnings(lengths[of_values]),
            starts=_beginnings(sizes[chosen]),
            rate_move=self.rate_move,
        )


def _beginnings(lengths: IntArray) -> IntArray:
    """Where runs of these lengths begin."""
    return np.cumsum(lengths) - lengths


def ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Their quotient, 0 where the denominator is 0."""
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)


def each(per_group: NDArray[Any], starts: IntArray, length: int) -> NDArray[Any]:
    """A number of each group, repeated for each of its records."""
    return np.repeat(per_group, np.diff(np.append(starts, length)))


LEVEL = 1e-13
"""Relative differences below this are rounding of floats."""


def span(records: GroupRecords, ceilings: FloatArray) -> tuple[FloatArray, FloatArray]:
    """By group: the two ends of the totals that keep the ceilings; the first is above the second where none does."""
    r, o = records, records.other
    least_1, least_0 = (np.maximum(x.least_total, x.most(ratio(x.p * x.lo, ceilings))) for x in (r, o))
    low = np.maximum(least_1, r.total - _largest_total(o, ceilings))
    high = np.minimum(r.total - least_0, _largest_total(r, ceilings))
    return low, high


def totals_allowed(records: GroupRecords, ceilings: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The same for ceilings that can be kept, up to rounding of floats."""
    low, high = span(records, ceilings)
    return low, np.maximum(low, high)


def nearest_mapping(records: GroupRecords, ceilings: FloatArray) -> FloatArray:
    """The mapping that keeps the ceilings and is nearest to the truth; the ceilings can be kept.

    First the group's total s is chosen as close as possible to the true one; then each q = p·x starts from the true p·d,
    is clipped to what the ceilings and s allow, and the rest is spread in proportion to the room left. Among mappings
    with this s none moves fewer people, and the order of the records makes no difference.
    """
    r = records
    s = np.clip(r.sum(r.p * r.d), *totals_allowed(r, ceilings))
    least, most = limits_at(s, r, ceilings)
    q = spread(r.p * r.d, least, most, s, r.starts)
    return np.clip(_probability(q, r.p, r.d), r.lo, r.hi)


def announced_cells(problem: GroupProblem, of_values: FloatArray) -> FloatArray:
    """What is announced of each cell, given the value's: as close to the truth as the cells' bounds allow."""
    if len(problem.values) == len(problem.p):
        return of_values
    p, lengths = problem.p, np.diff(np.append(problem.values, len(problem.p)))
    totals = problem.records.p * of_values
    q = spread(p * problem.d, p * problem.lo, p * problem.hi, totals, problem.values)
    x = np.clip(_probability(q, p, problem.d), problem.lo, problem.hi)
    inside = np.logical_and.reduceat((problem.lo <= problem.d) & (problem.d <= problem.hi), problem.values)
    unmoved = np.repeat(inside & (of_values == problem.records.d), lengths)
    return np.where(unmoved, problem.d, x)


def _probability(q: FloatArray, p: FloatArray, d: FloatArray) -> FloatArray:
    """Q / p, and the very truth where it was not moved."""
    return np.divide(q, p, out=d.copy(), where=(p > 0) & (q != p * d))


def is_unique(records: GroupRecords, ceilings: FloatArray) -> NDArray[np.bool_]:
    """By group: whether one mapping only keeps the ceilings.

    That is so where one total is possible and, at that total, every record is at its least, or every one at its most, or
    at most one record has room.
    """
    r = records
    low, high = totals_allowed(r, ceilings)
    least, most = limits_at(low, r, ceilings)
    tolerance = 1e-9 * r.total
    with_room = r.sum((most - least > r.each(tolerance)).astype(np.float64))
    at_least = low - r.sum(least) <= tolerance
    at_most = r.sum(most) - low <= tolerance
    return np.asarray((high - low <= tolerance) & (at_least | at_most | (with_room <= 1)))


def limits_at(s: FloatArray, r: GroupRecords, ceilings: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The least and greatest q = p·x of each record, once the group's total is chosen."""
    most = np.minimum(r.p * r.hi, ceilings * r.each(s))
    return np.minimum(np.maximum(r.p * r.lo, r.p - ceilings * r.each(r.total - s)), most), most


def _largest_total(records: GroupRecords, ceilings: FloatArray) -> FloatArray:
    """The largest s with Σ min(p·hi, c·s) = s, for every group: Newton's method from the right.

    The function Σ min(p·hi, c·s) - s is concave and piecewise linear, and not positive at the start Σ p·hi, so each step
    moves left to the root of the present piece, and there are no more steps than records in the largest group. A piece
    that is level (up to rounding of floats) lies at 0 and is all roots: its right end is the answer.
    """
    r, most = records, records.p * records.hi
    s = r.sum(most)
    for _ in range(len(most) + 1):
        capped = most > ceilings * r.each(s * (1 + LEVEL))
        slope = 1 - r.sum(np.where(capped, ceilings, 0.0))
        following = ratio(r.sum(np.where(capped, 0.0, most)), slope)
        moved = (slope > LEVEL) & (following < s * (1 - LEVEL))
        if not moved.any():
            break
        s = np.where(moved, following, s)
    return s


def spread(
    q: FloatArray, least: FloatArray, most: FloatArray, totals: FloatArray, starts: IntArray
) -> FloatArray:
    """Clip q to its bounds, then share what each run lacks (or has too much) in proportion to the room left."""
    q = np.clip(q, least, most)
    lacking = totals - np.add.reduceat(q, starts)

    def part(of: FloatArray, room: FloatArray) -> FloatArray:
        return each(np.clip(ratio(of, np.add.reduceat(room, starts)), 0.0, 1.0), starts, len(q)) * room

    return q + part(lacking, most - q) - part(-lacking, q - least)


# Ceilings that grow with one number t: the least t that can be kept, exactly.
#
# The ceilings of a family are min(given, t·w): with w = 1 that is the confidence β, with w the prior it is
# the lift λ, and with w the policy's own ceilings it tells whether they can be kept (t ≤ 1). The conditions
# of the theorem in :mod:`atreport.private.solver.closed_form` are, at the least total a =
# max(least total, largest p·lo/c) and its mirror image b: a + b ≤ S, Σ min(p·hi, c·a) ≥ a, and Σ min(p·(1 -
# lo), c·b) ≥ b. (Between the two roots there is then always a total, or one point would have Σ of the most
# below s and Σ of the least above it.) The first is solved at once. The others are concave and piecewise
# linear in t, once multiplied by t where a falls with t, so Newton's method from below never oversteps and
# ends at the least t after finitely many steps, one pass over the records each.


@dataclass(frozen=True, kw_only=True, eq=False)
class _Side:
    """One outcome: its records, and the least total it must have, which is max(fixed, falling / t)."""

    records: GroupRecords
    fixed: FloatArray
    falling: FloatArray


def least_scale(records: GroupRecords, weights: FloatArray, given: FloatArray) -> FloatArray:
    """By group: the least t for which the ceilings min(given, t·weights) can be kept, if the given ones can be.

    Guarantee: up to rounding of floats no smaller t is possible, and at this t a mapping exists.
    """
    sides = [
        _Side(
            records=r,
            fixed=np.maximum(r.least_total, r.most(ratio(r.p * r.lo, given))),
            falling=r.most(ratio(r.p * r.lo, weights)),
        )
        for r in (records, records.other)
    ]
    one, other = sides
    t: FloatArray = np.maximum.reduce(
        [
            records.most(ratio(records.prior, weights)),
            ratio(one.falling + other.falling, records.total),
            ratio(one.falling, records.total - other.fixed),
            ratio(other.falling, records.total - one.fixed),
        ]
    )
    for _ in range(4 * len(records.p) + 4):
        moves = [_step(t, side, weights, given) for side in sides]
        if not (moves[0][1] | moves[1][1]).any():
            break
        t = np.maximum(moves[0][0], moves[1][0])
    return t


def _step(
    t: FloatArray, side: _Side, weights: FloatArray, given: FloatArray
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Newton's step of one outcome's condition, and where it moved."""
    r = side.records
    falls = side.falling > side.fixed * t * (1 + LEVEL)
    # where the least total is falling / t, everything is multiplied by t: the pieces are straight again
    least = np.where(falls, side.falling, side.fixed)
    factor = r.each(np.where(falls, t, 1.0))
    bounded, capped, growing = (
        r.p * r.hi * factor,
        given * r.each(least),
        weights * r.each(t * least),
    )
    reached = r.sum(np.minimum(np.minimum(bounded, capped), growing))
    grows = (growing < bounded) & (growing < capped)
    rises = np.where(grows, weights * r.each(least), 0.0)
    rises += np.where(~grows & (bounded < capped) & r.each(falls), r.p * r.hi, 0.0)
    lacking = least - reached
    slope = r.sum(rises)
    following = t + np.divide(lacking, slope, out=np.full_like(t, np.inf), where=slope > 0)
    turn = np.divide(side.falling, side.fixed, out=np.full_like(t, np.inf), where=side.fixed > 0)
    following = np.where(falls, np.minimum(following, turn), following)
    following = np.where(np.isfinite(following), following, t)  # the given ceilings cannot be kept
    moved = (lacking > LEVEL * least) & (following > t * (1 + LEVEL))
    return np.where(moved, following, t), moved


# The odds factor R of a group: how far apart the announced probabilities of its cells may be.
#
# R = max(M / m, (1 - m) / (1 - M)), with M the largest and m the least announced probability of the group's
# cells (not of its values: only so does it hold whatever a reader believed). Every mapping has M ≥ L, the
# largest lower bound, and m ≤ H, the least upper bound, and both ratios rise with M and fall with m. So the
# least R is that of L and H, all mappings inside [H, L] have it, and no others do; where L ≤ H a constant can
# be announced and R is 1. Where the rate must be kept, no mapping has all cells above the level at which the
# cheapest total is the most allowed, nor all below its mirror image.
#
# R ≤ ρ means that all cells lie in [l, u(l)] for some l, with u(l) = min(ρ·l, 1 - (1 - l) / ρ), which is
# concave. So all that ceilings leave possible is an interval of l, and what can be made least inside it falls
# towards its least from both sides and is level nowhere else: a search along one line finds it.

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


def ends_of(problem: GroupProblem) -> Ends:
    """The ends of every group, with rates kept."""
    high = np.minimum.reduceat(problem.hi, problem.cell_starts)
    low = np.maximum.reduceat(problem.lo, problem.cell_starts)
    if problem.rate_move is not None:
        least, most = problem.totals
        people = np.add.reduceat(problem.p, problem.cell_starts)
        high = np.minimum(high, _level(problem, problem.lo, most))
        low = np.maximum(low, 1 - _level(problem, 1 - problem.hi, people - least))
    return Ends(high=high, low=low)


def with_least_odds(problem: GroupProblem) -> GroupProblem:
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


def within(problem: GroupProblem, lowest: FloatArray, factor: FloatArray) -> GroupProblem:
    """The same with every cell of a group between l and u(l)."""
    return problem.between(lowest, _highest(lowest, factor))


def _highest(lowest: FloatArray, factor: FloatArray) -> FloatArray:
    """u(l)."""
    return np.minimum(factor * lowest, 1 - (1 - lowest) / factor)


def around(problem: GroupProblem, left: FloatArray, right: FloatArray, factor: FloatArray) -> GroupProblem:
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


def _level(problem: GroupProblem, lower: FloatArray, most: FloatArray) -> FloatArray:
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
