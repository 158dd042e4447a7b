"""The core of the solver: which totals, and which mapping, keep a ceiling on the confidence in every value.

Theorem. With ceilings c on the records of a group, a mapping exists exactly where every ceiling is at least the value's
prior and the total s can lie between

    max(least total, largest p·lo/c, S - s0)  and  min(most total, S - largest p·(1 - hi)/c, s1),

where s1 is the largest root of Σ min(p·hi, c·s) - s, which is concave, and s0 that of its mirror image. For q must lie
between max(p·lo, p - c·(S - s)) and min(p·hi, c·s), and sum to s. Any s between the two ends will do, so a test takes one
pass over the records. A ceiling of 1 is none.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.decision_table import FloatArray
from atreport.confidential.mechanism.closed_form.records import Problem, Records, each, ratio
from atreport.population.cells import IntArray

LEVEL = 1e-13
"""Relative differences below this are rounding of floats."""


def span(records: Records, ceilings: FloatArray) -> tuple[FloatArray, FloatArray]:
    """By group: the two ends of the totals that keep the ceilings; the first is above the second where none does."""
    r, o = records, records.other
    least_1, least_0 = (np.maximum(x.least_total, x.most(ratio(x.p * x.lo, ceilings))) for x in (r, o))
    low = np.maximum(least_1, r.total - _largest_total(o, ceilings))
    high = np.minimum(r.total - least_0, _largest_total(r, ceilings))
    return low, high


def totals_allowed(records: Records, ceilings: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The same for ceilings that can be kept, up to rounding of floats."""
    low, high = span(records, ceilings)
    return low, np.maximum(low, high)


def nearest_mapping(records: Records, ceilings: FloatArray) -> FloatArray:
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


def announced_cells(problem: Problem, of_values: FloatArray) -> FloatArray:
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


def is_unique(records: Records, ceilings: FloatArray) -> NDArray[np.bool_]:
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


def limits_at(s: FloatArray, r: Records, ceilings: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The least and greatest q = p·x of each record, once the group's total is chosen."""
    most = np.minimum(r.p * r.hi, ceilings * r.each(s))
    return np.minimum(np.maximum(r.p * r.lo, r.p - ceilings * r.each(r.total - s)), most), most


def _largest_total(records: Records, ceilings: FloatArray) -> FloatArray:
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
