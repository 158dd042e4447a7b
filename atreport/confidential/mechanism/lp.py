"""The solver where no closed form exists: more than two outcomes, or several sensitive attributes.

For each QID group the least possible largest ratio is found by Dinkelbach's method: a few linear programs (HiGHS), each
of which improves the mapping and proves how much better any mapping could still be.

Guarantee: the bracket is proven. The upper end is the confidence of a mapping at hand. The lower end follows from weak
duality and is checked in fractions: weights λ on the constraints turn "every ratio is at most β" into one inequality,
whose least possible value separates by cell and is found exactly. HiGHS only proposes; what it proposes is checked.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack, vstack

from atreport.confidential.data.decision_table import DecisionTable, FloatArray

_GAP = 1e-8
"""How far above the proven limit a mapping is looked for; brackets end up no wider than a few times this."""

_MOST_STEPS = 60

_NOISE = 1e-9
"""HiGHS keeps its constraints to 1e-10; differences below this may mean nothing."""

_RARE = 1e-5
"""Outcomes with a smaller share of a group, which need not occur at all, may be the solver's noise."""

_MANY_GROUPS = 400
"""From this many groups on, further processes are worth their start."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Group:
    """One QID group: everything the linear programs need."""

    p: FloatArray  # people in each cell, scaled so that the group makes one
    truth: FloatArray  # (cells, outcomes)
    lower: FloatArray
    upper: FloatArray
    holds: NDArray[np.bool_]  # (protected values, cells): which cells have which sensitive value
    people: NDArray[np.int64]
    target: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Bracket:
    """What is known of one group: a proven lower limit, and a mapping whose confidence is the upper one."""

    lower: float
    upper: float
    mapping: FloatArray


def solve_by_programming(
    table: DecisionTable, lower: FloatArray, upper: FloatArray, target: float = 0.0
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Confidence, proven lower limit, and mapping (cells, outcomes), for every group of a table."""
    groups = list(_groups(table, lower, upper, target))
    workers = min(os.cpu_count() or 1, len(groups) // (_MANY_GROUPS // 2))
    if workers > 1:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(workers, mp_context=context) as pool:
            brackets = list(pool.map(solve_group, groups, chunksize=max(1, len(groups) // (8 * workers))))
    else:
        brackets = [solve_group(group) for group in groups]
    return (
        np.array([bracket.upper for bracket in brackets]),
        np.array([bracket.lower for bracket in brackets]),
        np.vstack([bracket.mapping for bracket in brackets]),
    )


def _groups(table: DecisionTable, lower: FloatArray, upper: FloatArray, target: float) -> Iterator[Group]:
    cells = table.cells
    ends = np.append(cells.group_starts, len(cells))
    for start, end in pairwise(ends):
        here = slice(start, end)
        holds = [protected.index[here] for protected in cells.protected]
        people = cells.population[here]
        yield Group(
            p=people / people.sum(),
            truth=table.probability[here],
            lower=lower[here],
            upper=upper[here],
            holds=np.vstack([index == value for index in holds for value in np.unique(index)]),
            people=people,
            target=target,
        )


def solve_group(group: Group) -> Bracket:
    """The least confidence of one group, and the mapping closest to the truth that has it (or the target).

    Each linear program gives a better mapping and multipliers that prove a lower limit. The limit is often the optimum
    long before the mappings get there, so each time the limit itself is tried.
    """
    mapping, beta = group.truth, _confidence(group, group.truth)
    proven = float((group.holds @ group.p).max())  # known before any report: no mapping does better
    stalled = False
    for _ in range(_MOST_STEPS):
        attempt = _closest(group, min(beta, proven + _GAP))
        if attempt is not None and _confidence(group, attempt) < beta:
            mapping, beta = attempt, _confidence(group, attempt)
        if beta <= proven + 3 * _GAP:
            break
        # Dinkelbach's step is at β; where it gets nowhere, halving the bracket always does
        probe = (beta + proven) / 2 if stalled else beta
        found = _improve(group, mapping, probe)
        if found is None:
            break
        better, multipliers = found
        width = beta - proven
        proven = max(proven, min(beta, _proven_limit(group, multipliers, probe)))
        if _confidence(group, better) < beta:
            mapping, beta = better, _confidence(group, better)
        stalled = beta - proven > 0.9 * width
    proven = min(proven, beta)
    if _confidence(group, group.truth) <= max(beta, group.target):
        mapping = group.truth
    elif group.target > beta:
        relaxed = _closest(group, group.target)
        mapping = mapping if relaxed is None else relaxed
    return Bracket(lower=proven, upper=beta, mapping=mapping)


def _confidence(group: Group, mapping: FloatArray) -> float:
    """The largest confidence in any sensitive value, over all outcomes that occur."""
    joint = group.p[:, None] * mapping
    total = joint.sum(axis=0)
    occurs = total > 1e-15
    return float(((group.holds @ joint)[:, occurs] / total[occurs]).max())


def _ratios(group: Group, beta: float) -> csr_array:
    """Rows (sensitive value, outcome) of Σ p x over the value's cells, less β times the sum over the group."""
    m, outcomes = group.truth.shape
    blocks = []
    for outcome in range(outcomes):
        columns = np.arange(m) * outcomes + outcome
        dense = group.p[None, :] * (group.holds - beta)
        rows = np.repeat(np.arange(len(dense)), m)
        shape = (len(dense), m * outcomes)
        blocks.append(csr_array((dense.ravel(), (rows, np.tile(columns, len(dense)))), shape=shape))
    return csr_array(vstack(blocks))


def _sum_to_one(group: Group, extra: int) -> csr_array:
    """Rows that say: the outcomes of each cell make one (followed by columns of further variables)."""
    m, outcomes = group.truth.shape
    ones = np.ones(m * outcomes)
    rows, columns = np.repeat(np.arange(m), outcomes), np.arange(m * outcomes)
    return csr_array((ones, (rows, columns)), shape=(m, m * outcomes + extra))


def _minimise(cost: FloatArray, group: Group, rows: Any, limits: FloatArray, more: list[Any]) -> Any:
    """HiGHS: the least `cost` of a mapping and further variables (with bounds `more`) subject to rows · x ≤ limits."""
    call: Any = linprog
    return call(
        cost,
        A_ub=rows.tocsr(),
        b_ub=limits,
        A_eq=_sum_to_one(group, len(more)),
        b_eq=np.ones(len(group.p)),
        bounds=[*zip(group.lower.ravel(), group.upper.ravel(), strict=True), *more],
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )


def _improve(group: Group, mapping: FloatArray, beta: float) -> tuple[FloatArray, FloatArray] | None:
    """A mapping with less confidence than β, if there is one, and the constraints' multipliers (values, outcomes).

    Minimises t subject to ratio constraints relaxed by t times each outcome's present share, which keeps rare outcomes in
    sight of the solver's tolerances and makes the method converge fast.
    """
    m, outcomes = group.truth.shape
    ratios = _ratios(group, beta)
    share = np.maximum((group.p[:, None] * mapping).sum(axis=0), 1e-9)
    relax = csr_array(-np.repeat(share, len(group.holds))[:, None])
    cost = np.append(np.zeros(m * outcomes), 1.0)
    found = _minimise(cost, group, hstack([ratios, relax]), np.zeros(ratios.shape[0]), [(None, None)])
    if found.status != 0:
        return None
    multipliers = np.maximum(-np.asarray(found.ineqlin.marginals), 0.0)
    values = len(group.holds)
    return _feasible(group, found.x[:-1].reshape(m, outcomes)), multipliers.reshape(outcomes, values).T


def _closest(group: Group, beta: float) -> FloatArray | None:
    """The mapping with confidence β that moves people's probabilities the least in total, or None if there is none."""
    m, outcomes = group.truth.shape
    size = m * outcomes
    identity = csr_array((np.ones(size), (np.arange(size), np.arange(size))), shape=(size, size))
    # each outcome's rows are scaled by its share, so that rare outcomes are kept to the same relative precision
    share = np.maximum((group.p[:, None] * group.truth).sum(axis=0), 1e-6)
    ratios = _ratios(group, beta) / np.repeat(share, len(group.holds))[:, None]
    nothing = csr_array((ratios.shape[0], size))
    truth = group.truth.ravel()
    rows = vstack([hstack([ratios, nothing]), hstack([identity, -identity]), hstack([-identity, -identity])])
    limits = np.concatenate([np.zeros(ratios.shape[0]), truth, -truth])
    cost = np.concatenate([np.zeros(size), np.repeat(group.p, outcomes)])
    found = _minimise(cost, group, rows, limits, [(0.0, None)] * size)
    if found.status != 0:
        return None
    return _feasible(group, found.x[:size].reshape(m, outcomes))


def _feasible(group: Group, mapping: FloatArray) -> FloatArray:
    """The solver's answer brought exactly within the bounds, each cell's outcomes making one.

    Noise of the solver in an outcome that should hardly occur looks like a rare outcome that gives a value away, and a
    rare outcome that should occur looks like noise. So each reading is tried, and the one with least confidence taken.
    """
    every = np.ones(mapping.shape[1], dtype=bool)
    near_lower = mapping - group.lower < _NOISE
    snapped = np.where(
        near_lower, group.lower, np.where(group.upper - mapping < _NOISE, group.upper, mapping)
    )
    readings = [_made_whole(group, mapping, every), _made_whole(group, snapped, every)]
    share = (group.p[:, None] * readings[0]).sum(axis=0)
    common = (share > _RARE) | (group.lower > 0).any(axis=0)
    if not common.all():
        readings.append(_made_whole(group, np.where(common[None, :], mapping, 0.0), common))
    whole = [x for x in readings if np.abs(x.sum(axis=1) - 1.0).max() < 1e-12]
    return min(whole or readings[:1], key=lambda x: _confidence(group, x))


def _made_whole(group: Group, mapping: FloatArray, outcomes: NDArray[np.bool_]) -> FloatArray:
    """Clip to the bounds; settle what is lacking by outcomes strictly inside theirs, then by any of those allowed."""
    x = np.clip(mapping, group.lower, group.upper)
    inside = (x > group.lower) & (x < group.upper)
    for movable in (inside & outcomes, np.broadcast_to(outcomes, x.shape)):
        lacking = 1.0 - x.sum(axis=1)
        room = np.where(lacking[:, None] > 0, group.upper - x, x - group.lower) * movable
        total = room.sum(axis=1)
        part = np.divide(lacking, total, out=np.zeros_like(lacking), where=total > np.abs(lacking))
        x = np.clip(x + room * part[:, None], group.lower, group.upper)
    return np.asarray(x)


def _proven_limit(group: Group, multipliers: FloatArray, beta: float) -> float:
    """The largest β' for which the multipliers prove that no mapping has confidence below β'; 0 if they prove nothing.

    If a mapping x has confidence at most β', then Σ λ (N(x) - β' D(x)) ≤ 0 for any λ ≥ 0, with N the numerators and D the
    denominators of the ratios. So β' is a lower limit as soon as the least value of that sum over all x is not negative.
    """
    if not multipliers.any():
        return 0.0
    gain = group.p[:, None] * (group.holds.T.astype(float) @ multipliers)  # coefficients of N
    cost = group.p[:, None] * multipliers.sum(axis=0)[None, :]  # coefficients of D
    for _ in range(50):
        x = _least(gain - beta * cost, group.lower, group.upper)
        following = float((gain * x).sum() / (cost * x).sum())
        if following >= beta - 1e-14:
            break
        beta = following
    beta -= 1e-12  # rounding of floats in this estimate; the next line is the proof
    return beta if _is_proven(group, multipliers, beta) else 0.0


def _least(coefficients: FloatArray, lower: FloatArray, upper: FloatArray) -> FloatArray:
    """For each cell the outcomes' probabilities with the least weighted sum: fill the cheapest outcomes first."""
    order = np.argsort(coefficients, axis=1, kind="stable")
    room = np.take_along_axis(upper - lower, order, axis=1)
    before = np.cumsum(room, axis=1) - room
    fill = np.clip((1.0 - lower.sum(axis=1))[:, None] - before, 0.0, room)
    x = lower.copy()
    np.put_along_axis(x, order, np.take_along_axis(lower, order, axis=1) + fill, axis=1)
    return x


def _is_proven(group: Group, multipliers: FloatArray, beta: float) -> bool:
    """Whether the least value of Σ λ (N - β D) is not negative, in fractions."""
    limit = Fraction(beta)
    weights = [[Fraction(x) for x in row] for row in multipliers.tolist()]
    of_outcome = [sum((row[a] for row in weights), Fraction(0)) for a in range(multipliers.shape[1])]
    total = Fraction(0)
    for k, people in enumerate(group.people.tolist()):
        own = [v for v in range(len(weights)) if group.holds[v, k]]
        coefficients = [
            sum((weights[v][a] for v in own), Fraction(0)) - limit * of_outcome[a]
            for a in range(len(of_outcome))
        ]
        lower, upper = ([Fraction(x) for x in bound[k].tolist()] for bound in (group.lower, group.upper))
        rest = 1 - sum(lower, Fraction(0))
        value = sum((c * low for c, low in zip(coefficients, lower, strict=True)), Fraction(0))
        for a in sorted(range(len(of_outcome)), key=coefficients.__getitem__):
            step = min(rest, upper[a] - lower[a])
            value, rest = value + coefficients[a] * step, rest - step
        # bounds are floats: where they leave a sliver that nothing can fill, charge it at the worst
        total += people * (value - abs(rest) * max(abs(c) for c in coefficients))
    return bool(total >= 0)
