"""What is made least, in order: each stage is solved under the ceilings of those before it, kept as they will be printed.

A stage is a family of ceilings, so its least number is exact. The last one is kept at its very least, and of the mappings
that are left the nearest to the truth is taken. The odds factor comes first, as tighter bounds, or it is a ceiling: see
:mod:`atreport.confidential.mechanism.closed_form.odds_ceiling`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.decision_table import FloatArray
from atreport.confidential.mechanism.closed_form.ceilings import announced_cells, is_unique, nearest_mapping
from atreport.confidential.mechanism.closed_form.families import least_scale
from atreport.confidential.mechanism.closed_form.records import Problem, Records
from atreport.confidential.mechanism.closed_form.terms import optimal_terms
from atreport.spec.models.policy import Aim


@dataclass(frozen=True, kw_only=True, eq=False)
class Solved:
    """By group what was made least, with proven lower limits; by cell what is announced."""

    least: dict[Aim, FloatArray]
    proven: dict[Aim, FloatArray]
    announced: FloatArray
    unique: NDArray[np.bool_]  # by group: no other mapping does as well


Stages = Callable[[Problem, FloatArray, Sequence[Aim], int], Solved]
"""Solves the stages of every group under ceilings that it can keep (by value; 1 is none), for so many decimals."""


def printed(number: FloatArray, decimals: int) -> FloatArray:
    """The number as it is printed, rounded up; never below the number itself, nor a step up for rounding of floats."""
    steps = np.where(np.isfinite(number), number, 0.0) * 10.0**decimals
    return np.maximum(np.ceil(steps - 1e-9 - 1e-14 * steps) / 10.0**decimals, number)


def weights_of(aim: Aim, records: Records) -> FloatArray:
    """The family of ceilings of an aim: so much at t = 1."""
    return records.prior if aim == "lift" else np.ones_like(records.p)


def solve_stages(problem: Problem, given: FloatArray, stages: Sequence[Aim], decimals: int) -> Solved:
    """The stages in plain NumPy."""
    records, ceilings = problem.records, given
    least: dict[Aim, FloatArray] = {}
    for place, aim in enumerate(stages):
        weights = weights_of(aim, records)
        if aim == "beta" and problem.rate_move is None and (ceilings == 1).all():
            number = optimal_terms(records.p, records.lo, records.hi, records.starts).optimum
        else:
            number = least_scale(records, weights, ceilings)
        least[aim] = number
        ceilings = tightened(
            ceilings, number, weights, records, None if place == len(stages) - 1 else decimals
        )
    return Solved(
        least=least,
        proven=least,
        announced=announced_cells(problem, nearest_mapping(records, ceilings)),
        unique=only_one(problem, ceilings),
    )


def tightened(
    ceilings: FloatArray, number: FloatArray, weights: FloatArray, records: Records, decimals: int | None
) -> FloatArray:
    """The ceilings with a stage's number kept as printed; without decimals, as it is."""
    kept = number if decimals is None else printed(number, decimals)
    return np.minimum(ceilings, records.each(kept) * weights)


def only_one(problem: Problem, ceilings: FloatArray) -> NDArray[np.bool_]:
    """By group: whether no other mapping keeps the ceilings; with several cells to a value there are others."""
    alone = np.diff(np.append(problem.values, len(problem.p))) == 1
    return is_unique(problem.records, ceilings) & np.logical_and.reduceat(alone, problem.starts)
