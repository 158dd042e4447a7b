"""The stages under a ceiling ρ on the odds factor: for every l all cells lie in [l, u(l)], and the best l is searched.

Guarantee: the proven lower limit is the least number of bounds that leave everything which any l of the last, narrow
interval leaves.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from atreport.confidential.data.decision_table import FloatArray
from atreport.confidential.mechanism.closed_form.ceilings import (
    announced_cells,
    limits_at,
    nearest_mapping,
    span,
    totals_allowed,
)
from atreport.confidential.mechanism.closed_form.families import least_scale
from atreport.confidential.mechanism.closed_form.odds import (
    Ends,
    Rank,
    around,
    ends_of,
    is_less,
    lowest_range,
    search,
    within,
)
from atreport.confidential.mechanism.closed_form.records import Problem, each, ratio
from atreport.confidential.mechanism.closed_form.stages import Solved, only_one, tightened, weights_of
from atreport.spec.models.policy import Aim

KEEPS = 1e-12
"""Ceilings that are missed by less, relatively, are kept: that much is rounding of floats."""

_BISECTIONS = 45
_ROOM = 1e-9
"""The least odds factor is kept but for so much, relatively, so that rounding of floats leaves a mapping that has it."""

_ENDLESS = 1e9
"""An odds factor above this is as good as none."""


def solve_under_odds(
    problem: Problem, given: FloatArray, stages: Sequence[Aim], decimals: int, factor: FloatArray
) -> Solved:
    """Solve every group under ceilings that it can keep together with the odds factor (by group)."""
    ends = lowest_range(ends_of(problem), factor)
    ceilings, lowest = given, ends[0]
    least: dict[Aim, FloatArray] = {}
    proven: dict[Aim, FloatArray] = {}
    for place, aim in enumerate(stages):
        weights = weights_of(aim, problem.records)
        lowest, narrow = search(*ends, _rank_by_scale(problem, factor, ceilings, weights))
        least[aim] = least_scale(within(problem, lowest, factor).records, weights, ceilings)
        looser = around(problem, *narrow, factor).records
        proven[aim] = np.minimum(least_scale(looser, weights, ceilings), least[aim])
        last = place == len(stages) - 1
        ceilings = tightened(ceilings, least[aim], weights, problem.records, None if last else decimals)
    by_distance = _rank_by_distance(problem, factor, ceilings)
    nearest, _ = search(*ends, by_distance)
    if stages:  # what is least was found at one l, and may be so at no other
        nearest = np.where(is_less(by_distance(nearest), by_distance(lowest)), nearest, lowest)
    box = within(problem, nearest, factor)
    return Solved(
        least=least,
        proven=proven,
        announced=announced_cells(box, nearest_mapping(box.records, ceilings)),
        unique=only_one(box, ceilings),
    )


def scale_under_odds(problem: Problem, ceilings: FloatArray, factor: FloatArray) -> FloatArray:
    """By group: by how much the ceilings must grow to be kept together with the odds factor; infinite if that cannot be."""
    ends = ends_of(problem)
    possible = ends.factor <= factor * (1 + KEEPS)
    factor = np.where(possible, np.maximum(factor, ends.factor), factor)
    free = np.ones_like(ceilings)

    def scale(lowest: FloatArray) -> FloatArray:
        return least_scale(within(problem, lowest, factor).records, ceilings, free)

    best, _ = search(*lowest_range(ends, factor), lambda lowest: [scale(lowest)])
    return np.where(possible, scale(best), np.inf)


def rate_under_odds(problem: Problem, ceilings: FloatArray, factor: FloatArray) -> FloatArray:
    """By group: the least move of the rate with which ceilings and odds factor can be kept, if they can be."""
    ends = ends_of(problem)
    factor = np.where(ends.factor <= factor * (1 + KEEPS), np.maximum(factor, ends.factor), factor)
    rank = _rank_by_distance(problem, factor, ceilings)
    best, _ = search(*lowest_range(ends, factor), rank)
    return rank(best)[1] / problem.records.total


def least_odds(problem: Problem, ceilings: FloatArray) -> FloatArray:
    """By group: the least odds factor with which the ceilings can be kept, which they can without; infinite if endless."""
    closest = 1 / ends_of(problem).factor  # at 0 anything goes
    kept, missed = np.zeros_like(closest), closest
    for _ in range(_BISECTIONS):
        middle = (kept + missed) / 2
        factor = 1 / np.maximum(middle, 1 / _ENDLESS)
        fits = scale_under_odds(problem, ceilings, factor) <= 1 + KEEPS
        kept, missed = np.where(fits, middle, kept), np.where(fits, missed, middle)
    return np.where(kept > 1 / _ENDLESS, 1 / np.maximum(kept, 1 / _ENDLESS), np.inf)


def with_least_odds_under(problem: Problem, ceilings: FloatArray) -> Problem:
    """The same with bounds that leave, under ceilings that can be kept, mappings of the least odds factor only.

    At a total s every value's q = p·x lies between two ends. All cells can be at least m where raising them to m overfills
    neither a value nor s, and at most M likewise, whatever the other of the two is; so R at s is that of the largest m and
    the least M, and it is quasi-convex in s. Where it is infinite, nothing is narrowed.
    """
    records = problem.records
    best, _ = search(
        *totals_allowed(records, ceilings), lambda total: [_ends_at(problem, ceilings, total).factor]
    )
    ends = _ends_at(problem, ceilings, best)
    finite = np.isfinite(ends.factor)
    factor = np.where(finite, ends.factor, 1.0) * (1 + _ROOM)
    low, high = (
        np.minimum(ends.high, ends.low),
        np.maximum(ends.high, ends.low),
    )  # one apart from the other by rounding
    low = (low + np.maximum(high / factor, 1 - factor * (1 - high))) / 2
    cap = np.maximum(np.minimum(factor * low, 1 - (1 - low) / factor), high)
    return problem.between(np.where(finite, low, 0.0), np.where(finite, cap, 1.0))


def _ends_at(problem: Problem, ceilings: FloatArray, total: FloatArray) -> Ends:
    """Between which probabilities the cells must reach at least, at a total that keeps the ceilings."""
    least, most = limits_at(total, problem.records, ceilings)
    people = problem.records.p
    up = _raised(problem, problem.lo, least, most, total)
    down = _raised(problem, 1 - problem.hi, people - most, people - least, problem.records.total - total)
    high = np.minimum.reduceat(problem.hi, problem.cell_starts)
    low = np.maximum.reduceat(problem.lo, problem.cell_starts)
    return Ends(high=np.minimum(high, up), low=np.maximum(low, 1 - down))


def _raised(
    problem: Problem, lower: FloatArray, least: FloatArray, most: FloatArray, total: FloatArray
) -> FloatArray:
    """By group: the highest level to which all cells can be raised, no value above its most and all not above the total.

    Newton's method from the right, for both at once: each is convex in the level.
    """
    p, values, starts = problem.p, problem.values, problem.starts
    level = np.ones(len(starts))
    for _ in range(len(p) + 1):
        of_cells = each(level, problem.cell_starts, len(p))
        reached = np.add.reduceat(p * np.maximum(lower, of_cells), values)
        rises = np.add.reduceat(np.where(lower < of_cells, p, 0.0), values)
        lacking = np.add.reduceat(np.maximum(reached, least), starts) - total
        slope = np.add.reduceat(np.where(reached > least, rises, 0.0), starts)
        above = np.maximum.reduceat(ratio(np.maximum(reached - most, 0.0), rises), starts)
        following = np.maximum(level - np.maximum(ratio(np.maximum(lacking, 0.0), slope), above), 0.0)
        moved = following < level * (1 - 1e-15)
        if not moved.any():
            break
        level = np.where(moved, following, level)
    return level


def _rank_by_scale(problem: Problem, factor: FloatArray, ceilings: FloatArray, weights: FloatArray) -> Rank:
    """First that the ceilings so far can be kept, then the least number of the family."""

    def rank(lowest: FloatArray) -> list[FloatArray]:
        records = within(problem, lowest, factor).records
        low, high = span(records, ceilings)
        missing = np.maximum(low - high - KEEPS * records.total, 0.0)
        return [missing, np.where(missing > 0, 0.0, least_scale(records, weights, ceilings))]

    return rank


def _rank_by_distance(problem: Problem, factor: FloatArray, ceilings: FloatArray) -> Rank:
    """First that the ceilings can be kept, then how little the rate moves, then how few people's probabilities do."""

    def rank(lowest: FloatArray) -> list[FloatArray]:
        box = within(problem, lowest, factor)
        records = box.records
        low, high = span(records, ceilings)
        missing = np.maximum(low - high - KEEPS * records.total, 0.0)
        true = records.sum(records.p * records.d)
        rate = np.maximum(np.maximum(low - true, true - high), 0.0)
        cells = announced_cells(box, nearest_mapping(records, ceilings))
        moved = np.add.reduceat(box.p * np.abs(cells - box.d), box.cell_starts)
        return [missing, rate, moved]

    return rank
