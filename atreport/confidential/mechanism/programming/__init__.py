"""The solver where no closed form exists: more than two outcomes, or several sensitive attributes.

For each QID group a few linear programs (HiGHS) make one thing after another least: the confidence in the values of each
sensitive attribute, then their lift, or before them the odds factor. Every attribute gets the least that the worse ones
leave it (:mod:`.max_min`), and every figure comes with a proven lower limit (:mod:`.proof`).
"""

from __future__ import annotations

import pickle
from contextlib import ExitStack

import numpy as np

from atreport.confidential.data.decision_table import DecisionTable, FloatArray
from atreport.confidential.mechanism.aims import Aims
from atreport.confidential.mechanism.programming.group import Group, groups_of
from atreport.confidential.mechanism.programming.group_solution import GroupSolution, solve_group
from atreport.confidential.mechanism.table_solution import TableSolution
from atreport.kit.second_process import run_beside
from atreport.kit.worker_process import usable_cores

_MANY_GROUPS = 100
"""So many groups are worth the start of a further process."""


def solve_by_programming(
    table: DecisionTable, lower: FloatArray, upper: FloatArray, aims: Aims
) -> TableSolution:
    """Solve every QID group of a table, in as many processes as are worth their start. The result is the same.

    The figures of a group are those of its worst attribute.
    """
    groups = list(groups_of(table, lower, upper, aims))
    processes = max(1, min(usable_cores(), len(groups) // _MANY_GROUPS))
    parts = [groups[place::processes] for place in range(processes)]
    with ExitStack() as stack:
        beside = [
            stack.enter_context(run_beside(solve_packed, pickle.dumps((part, aims)))) for part in parts[1:]
        ]
        solved = [_solve(parts[0], aims), *(pickle.loads(fetch()) for fetch in beside)]
    found = [solved[place % processes][place // processes] for place in range(len(groups))]
    beta, lift = np.array([group.beta for group in found]), np.array([group.lift for group in found])
    return TableSolution(
        optimum=beta.max(axis=1),
        proven=np.array([group.beta_proven.max() for group in found]),
        lift=lift.max(axis=1),
        lift_proven=np.array([group.lift_proven.max() for group in found]),
        odds=np.array([group.odds for group in found]),
        kept=np.array([group.kept for group in found]),
        mapping=np.vstack([group.mapping for group in found]),
        terms=None,
        unique=None,
        attribute_beta=beta,
        attribute_lift=lift,
    )


def solve_packed(given: bytes) -> bytes:
    """What a further process does: solve its part of the groups."""
    return pickle.dumps(_solve(*pickle.loads(given)))


def _solve(groups: list[Group], aims: Aims) -> list[GroupSolution]:
    return [solve_group(group, aims) for group in groups]
