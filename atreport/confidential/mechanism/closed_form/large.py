"""Whether a table is large enough for the compiled solver, and the stages solved by it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from types import ModuleType

import numpy as np

from atreport.confidential.data.decision_table import FloatArray
from atreport.confidential.mechanism.closed_form.ceilings import announced_cells
from atreport.confidential.mechanism.closed_form.records import Problem
from atreport.confidential.mechanism.closed_form.stages import Solved, only_one, tightened, weights_of
from atreport.spec.models.policy import Aim

LARGE = 50_000
"""From this many records on the compiled solver is worth its start."""


def is_large(records: int) -> bool:
    """Whether so many records are worth a compiler, where what it compiles can be kept."""
    return records >= LARGE and _is_kept()


@cache
def _is_kept() -> bool:
    """Whether some folder takes what is compiled; none may in a read-only container.

    To compile it each time would take longer than NumPy does, which gives the same.
    """
    try:
        compiled_solver()
    except RuntimeError:  # "cannot cache function"
        return False
    return True


def compiled_solver() -> ModuleType:
    """The compiled solver; Numba takes a third of a second to import, which only a large table is worth."""
    from atreport.confidential.mechanism.closed_form import compiled

    return compiled


def solve_stages_compiled(
    problem: Problem, given: FloatArray, stages: Sequence[Aim], decimals: int
) -> Solved:
    """The stages by the compiled solver."""
    compiled, records = compiled_solver(), problem.records
    beta, lift, odds = (np.empty(len(records.starts)) for _ in range(3))
    of_values = np.empty_like(records.p)
    compiled.solve_groups(
        records.p,
        records.d,
        records.lo,
        records.hi,
        np.append(records.starts, len(records.p)),
        np.empty(0) if (given == 1).all() else given,
        -1.0 if problem.rate_move is None else problem.rate_move,
        False,
        codes_of(stages),
        10.0**decimals,
        beta,
        lift,
        odds,
        of_values,
    )
    numbers: dict[Aim, FloatArray] = {"beta": beta, "lift": lift}
    least = {aim: numbers[aim] for aim in stages}
    ceilings = given
    for place, aim in enumerate(stages):
        last = place == len(stages) - 1
        weights = weights_of(aim, records)
        ceilings = tightened(ceilings, least[aim], weights, records, None if last else decimals)
    return Solved(
        least=least,
        proven=least,
        announced=announced_cells(problem, of_values),
        unique=only_one(problem, ceilings),
    )


def codes_of(stages: Sequence[Aim]) -> FloatArray:
    """The stages as the compiled solver knows them."""
    compiled = compiled_solver()
    known = {"beta": compiled.BETA, "lift": compiled.LIFT}
    return np.array([known[aim] for aim in stages], dtype=np.int64)
