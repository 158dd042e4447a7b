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
    nearest_mapping,
    span,
)
from atreport.confidential.mechanism.closed_form.families import least_scale
from atreport.confidential.mechanism.closed_form.odds import (
    Rank,
    around,
    ends_of,
    is_less,
    lowest_range,
    search,
    within,
)
from atreport.confidential.mechanism.closed_form.records import Problem
from atreport.confidential.mechanism.closed_form.stages import Solved, only_one, tightened, weights_of
from atreport.spec.models.policy import Aim

KEEPS = 1e-12
"""Ceilings that are missed by less, relatively, are kept: that much is rounding of floats."""

_BISECTIONS = 45
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
