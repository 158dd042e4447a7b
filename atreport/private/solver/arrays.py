"""The bare binary solver of the Python API: arrays in, arrays out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from atreport.core.cells import IntArray, run_starts
from atreport.private.data.decision_table import FloatArray
from atreport.private.solver.closed_form import GroupProblem, GroupRecords, ratio
from atreport.private.solver.objective import Objective
from atreport.private.solver.stages import codes_of, compiled_solver, is_large, odds_factor, solve_problem
from atreport.spec.policy import Aim

AIMS: tuple[Aim, ...] = ("odds", "beta", "lift")

_NEVER = 1e-15
"""An outcome with less than this share of a group never occurs there: it teaches nothing."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Solution:
    """What each group can keep, by distinct label in ascending order, and a mapping that does."""

    beta: FloatArray  # the least possible confidence; where it was not made least, that of the mapping
    lift: FloatArray  # the most times as likely that a value becomes, likewise
    odds: FloatArray  # the most that the odds of any statement change by, of the mapping; inf: one can be excluded
    announced: FloatArray  # one for each cell, in the order given


def solve(
    population: npt.ArrayLike,
    probability: npt.ArrayLike,
    lower: npt.ArrayLike,
    upper: npt.ArrayLike,
    groups: npt.ArrayLike,
    *,
    minimise: Sequence[Aim] = ("beta",),
    rates: float | None = None,
    decimals: int = 4,
) -> Solution:
    """The bare binary solver: each cell is a distinct sensitive value of its group.

    Args:
        population: People in each cell, not negative.
        probability: True probability of the favourable outcome.
        lower: Least probability that may be announced.
        upper: Greatest probability that may be announced.
        groups: Whole-number label of each cell's group, in any order.
        minimise: What is made least, in this order: "beta" (confidence), "lift", and first, if at all, "odds".
        rates: How close the favourable rate of every group is kept: 0.99 within 0.01, 1 exactly, None not at all.
        decimals: Every stage but the last is kept at its least number rounded up to so many decimals.

    Returns:
        Confidence, lift and odds factor of each distinct label in ascending order, and the announced probability of each
        cell in the order given. The mapping lies within the bounds, attains the optimum up to rounding of floats, keeps
        the group's favourable rate where privacy allows, and does not depend on the order of the cells.
    """
    p, d, lo, hi = (
        np.ascontiguousarray(a, dtype=np.float64).ravel() for a in (population, probability, lower, upper)
    )
    labels = np.ascontiguousarray(groups).ravel()
    if not len(p) == len(d) == len(lo) == len(hi) == len(labels):
        raise ValueError("population, probability, lower, upper and groups must have the same length")
    aims = _aims(minimise, rates, decimals)
    if not len(p):
        return Solution(beta=np.empty(0), lift=np.empty(0), odds=np.empty(0), announced=np.empty(0))
    if not np.issubdtype(labels.dtype, np.integer):
        raise ValueError("groups must be whole numbers")
    order, starts = _grouped(labels)
    if order is None:
        return _solve_sorted(p, d, lo, hi, starts, aims)
    solution = _solve_sorted(p[order], d[order], lo[order], hi[order], starts, aims)
    announced = np.empty_like(d)
    announced[order] = solution.announced
    return Solution(beta=solution.beta, lift=solution.lift, odds=solution.odds, announced=announced)


def _aims(minimise: Sequence[Aim], rates: float | None, decimals: int) -> Objective:
    order = tuple(minimise)
    if not order or len(set(order)) != len(order) or not set(order) <= set(AIMS):
        raise ValueError(f"minimise must list some of {', '.join(AIMS)}, each once")
    if "odds" in order[1:]:
        raise ValueError("'odds' can only come first in minimise")
    if rates is not None and not 0 <= rates <= 1:
        raise ValueError("rates must be between 0 and 1")
    return Objective(minimise=order, decimals=decimals, rate_move=None if rates is None else 1 - rates)


def _grouped(labels: NDArray[Any]) -> tuple[IntArray | None, IntArray]:
    """An order that brings each group together (None: they are), and where each group then begins."""
    if not is_large(len(labels)):
        order = np.argsort(labels, kind="stable")
        return order, run_starts(labels[order])
    compiled = compiled_solver()
    starts = compiled.ascending_starts(labels)
    if len(starts):
        return None, starts[:-1]
    lowest, highest = int(labels.min()), int(labels.max())
    close = highest - lowest <= 4 * len(labels)
    order = compiled.counting_order(labels, lowest, highest) if close else np.argsort(labels, kind="stable")
    return order, run_starts(labels[order])


def _solve_sorted(
    p: FloatArray, d: FloatArray, lo: FloatArray, hi: FloatArray, starts: IntArray, aims: Objective
) -> Solution:
    """Groups that are runs; compiled where there are many records."""
    if is_large(len(p)):
        return _solve_compiled(p, d, lo, hi, starts, aims)
    _refuse_nonsense(p, d, lo, hi)
    problem = GroupProblem(
        p=p, d=d, lo=lo, hi=hi, values=np.arange(len(p)), starts=starts, rate_move=aims.rate_move
    )
    solved, _ = solve_problem(problem, aims)
    beta, lift = _figures(problem.records, solved.announced)
    empty = problem.records.total == 0
    return Solution(
        beta=np.where(empty, 0.0, solved.least.get("beta", beta)),
        lift=np.where(empty, 1.0, solved.least.get("lift", lift)),
        odds=odds_factor(problem, solved.announced),
        announced=solved.announced,
    )


def _solve_compiled(
    p: FloatArray, d: FloatArray, lo: FloatArray, hi: FloatArray, starts: IntArray, aims: Objective
) -> Solution:
    beta, lift, odds = (np.empty(len(starts)) for _ in range(3))
    announced = np.empty_like(d)
    odds_first = aims.minimise[0] == "odds"
    wrong = compiled_solver().solve_groups(
        p,
        d,
        lo,
        hi,
        np.append(starts, len(p)),
        np.empty(0),
        -1.0 if aims.rate_move is None else aims.rate_move,
        odds_first,
        codes_of(aims.minimise[odds_first:]),
        10.0**aims.decimals,
        beta,
        lift,
        odds,
        announced,
    )
    if wrong:
        _refuse_nonsense(p, d, lo, hi)
    return Solution(beta=beta, lift=lift, odds=odds, announced=announced)


def _figures(records: GroupRecords, announced: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Confidence and lift of what is announced."""
    beta, lift = np.zeros_like(records.total), np.ones_like(records.total)
    for x in (announced, 1 - announced):
        share = records.sum(records.p * x)
        share = np.where(share > _NEVER * records.total, share, 0.0)
        beta = np.maximum(beta, ratio(records.most(records.p * x), share))
        lift = np.maximum(lift, ratio(records.most(x) * records.total, share))
    return beta, lift


def _refuse_nonsense(p: FloatArray, d: FloatArray, lo: FloatArray, hi: FloatArray) -> None:
    if not all(np.isfinite(a).all() for a in (p, d, lo, hi)):
        raise ValueError("population, probability, lower and upper must be finite")
    if (p < 0).any():
        raise ValueError("population must not be negative")
    if (lo > hi).any() or (lo < 0).any() or (hi > 1).any():
        raise ValueError("bounds must satisfy 0 <= lower <= upper <= 1")
