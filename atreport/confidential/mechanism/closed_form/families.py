"""Ceilings that grow with one number t: the least t that can be kept, exactly.

The ceilings of a family are min(given, t·w): with w = 1 that is the confidence β, with w the prior it is the lift λ, and
with w the policy's own ceilings it tells whether they can be kept (t ≤ 1). The conditions of the theorem in
:mod:`atreport.confidential.mechanism.closed_form.ceilings` are, at the least total a = max(least total, largest p·lo/c)
and its mirror image b: a + b ≤ S, Σ min(p·hi, c·a) ≥ a, and Σ min(p·(1 - lo), c·b) ≥ b. (Between the two roots there
is then always a total, or one point would have Σ of the most below s and Σ of the least above it.) The first is solved at
once. The others are concave and piecewise linear in t, once multiplied by t where a falls with t, so Newton's method from
below never oversteps and ends at the least t after finitely many steps, one pass over the records each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.decision_table import FloatArray
from atreport.confidential.mechanism.closed_form.ceilings import LEVEL
from atreport.confidential.mechanism.closed_form.records import Records, ratio


@dataclass(frozen=True, kw_only=True, eq=False)
class _Side:
    """One outcome: its records, and the least total it must have, which is max(fixed, falling / t)."""

    records: Records
    fixed: FloatArray
    falling: FloatArray


def least_scale(records: Records, weights: FloatArray, given: FloatArray) -> FloatArray:
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
