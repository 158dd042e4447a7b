"""An independent judge of ceilings: whether any mapping of a group keeps them, by linear programming (HiGHS)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import block_diag

FloatArray = NDArray[np.float64]
TOLERANCE = 1e-10
"""To this HiGHS keeps its constraints."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Question:
    """One group: can every value keep its ceiling, with the total inside its limits and the odds factor below its own?"""

    p: FloatArray  # people in each cell
    lo: FloatArray
    hi: FloatArray
    value: NDArray[np.int64]  # the sensitive value of each cell, 0, 1, 2 …
    ceilings: FloatArray  # of each value
    totals: tuple[float, float]  # limits on Σ p·x
    odds: float = np.inf
    near: float = 0.5  # about where Σ p·x lies, as a share of all people: sets the scale of what is missing


def missing(questions: Sequence[Question]) -> FloatArray:
    """By how much, relatively, the ceilings of each group must be raised at least; 0 where they can be kept, infinite where odds or rates cannot be.

    All groups are one linear program with separate blocks, so that thousands take seconds.
    """
    blocks, limits, bounds, cost = [], [], [], []
    for q in questions:
        rows, right = _rows(q)
        blocks.append(rows)
        limits.append(right)
        bounds += [*zip(q.lo, q.hi, strict=True), (0.0, 1.0), (0.0, None)]  # x, l, how much is missing
        cost += [*([0.0] * len(q.p)), 0.0, 1.0]
    call: Any = linprog
    found: Any = None
    for tolerance in (TOLERANCE, 10 * TOLERANCE, 1000 * TOLERANCE):  # an odd block may need the larger ones
        found = call(
            cost,
            A_ub=block_diag(blocks, format="csr"),
            b_ub=np.concatenate(limits),
            bounds=bounds,
            method="highs",
            options={"primal_feasibility_tolerance": tolerance, "dual_feasibility_tolerance": tolerance},
        )
        if found.status != 0 and len(questions) > 1:  # one odd block must not spoil the others
            half = len(questions) // 2
            return np.concatenate([missing(questions[:half]), missing(questions[half:])])
        if found.status == 0:
            break
    if found.status == 2:
        return np.array([np.inf])
    assert found.status == 0, found.message
    ends = np.cumsum([len(q.p) + 2 for q in questions])
    return np.asarray(found.x[ends - 1])


def none_keeps(questions: Sequence[Question]) -> NDArray[np.bool_]:
    """Of each group, whether no mapping keeps the ceilings; where many at once leave a doubt, each is asked alone."""
    found = missing(questions)
    for k in np.flatnonzero(found <= TOLERANCE).tolist():
        found[k] = missing([questions[k]])[0]
    return np.asarray(found > TOLERANCE)


def some_keeps(questions: Sequence[Question]) -> NDArray[np.bool_]:
    """Of each group, whether some mapping keeps the ceilings, or would if they were raised by 1e-7."""
    found = missing(questions)
    for k in np.flatnonzero(found > 1e-7).tolist():
        found[k] = missing([questions[k]])[0]
    return np.asarray(found <= 1e-7)


def _rows(q: Question) -> tuple[FloatArray, FloatArray]:
    """Rows · (x, l, missing) ≤ right; every row is scaled so that 1 is what it is about."""
    p = q.p / q.p.sum()
    near = min(max(q.near, 1e-6), 1 - 1e-6)
    rows, right = [], []
    for v, ceiling in enumerate(q.ceilings):
        own = np.where(q.value == v, p, 0.0)
        for scale, sign in ((ceiling * near, 1.0), (ceiling * (1 - near), -1.0)):
            rows.append([*(sign * (own - ceiling * p) / scale), 0.0, -1.0])
            right.append(0.0 if sign > 0 else (ceiling - own.sum()) / scale)
    least, most = (total / q.p.sum() for total in q.totals)
    rows += [[*(-p), 0.0, 0.0], [*p, 0.0, 0.0]]
    right += [-least, most]
    if np.isfinite(q.odds):
        for k in range(len(p)):
            unit = np.eye(len(p))[k]
            rows += [
                [*(-unit), 1.0, 0.0],
                [*unit, -q.odds, 0.0],
                [*unit, -1 / q.odds, 0.0],
            ]
            right += [0.0, 0.0, 1 - 1 / q.odds]
    return np.array(rows), np.array(right)
