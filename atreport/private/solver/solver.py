"""The solver: turn a decision table and its bounds into the mapping to announce, for what the policy asks.

Two outcomes and one sensitive attribute are solved in time linear in the number of cells, for all groups at once (see
:mod:`atreport.private.mechanisms.closed_form`); the rest is linear programming.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from atreport.core.cells import run_starts
from atreport.private.data.decision_table import DecisionTable, FloatArray
from atreport.private.solver.closed_form import GroupProblem, Terms, optimal_terms
from atreport.private.solver.fidelity import Bounds
from atreport.private.solver.objective import Objective, TableSolution, confidence_of, lift_of, odds_of
from atreport.private.solver.stages import (
    is_large,
    keeps,
    solve_problem,
    solve_stages,
    solve_stages_compiled,
)


def solve_table(
    table: DecisionTable, bounds: Bounds, aims: Objective, *, compiled: bool | None = None
) -> TableSolution:
    """Solve every QID group of a table for these aims.

    Two outcomes and one sensitive attribute have a closed form; the rest is linear programming. A group that cannot keep
    the ceilings is solved without them, for the least confidence if nothing is to be made least. `compiled` says whether
    to use the compiled solver; when left out, the size of the table decides. A part of a table is solved as the whole
    would be, so its groups get the same floats.
    """
    if has_closed_form(table):
        return _solve_closed_form(table, bounds, aims, is_compiled(table) if compiled is None else compiled)
    return _solve_by_programming(table, bounds.lower, bounds.upper, aims)


def _solve_by_programming(
    table: DecisionTable, lower: FloatArray, upper: FloatArray, aims: Objective
) -> TableSolution:
    """The solution where there is no closed form."""
    from atreport.private.solver.programming import solve_by_programming

    return solve_by_programming(table, lower, upper, aims)


def optimum_of(table: DecisionTable, lower: FloatArray, upper: FloatArray) -> float:
    """β* of the whole table within bounds (cells, outcomes), without a mapping that attains it."""
    if not has_closed_form(table):
        return float(_solve_by_programming(table, lower, upper, Objective(minimise=("beta",))).optimum.max())
    return float(_terms(_problem(table, lower, upper, Objective())).optimum.max())


def can_keep(table: DecisionTable, lower: FloatArray, upper: FloatArray, aims: Objective) -> bool:
    """Whether every group can keep the ceilings and rates within bounds (cells, outcomes), without a mapping that does."""
    if not has_closed_form(table):
        return bool(_solve_by_programming(table, lower, upper, replace(aims, minimise=())).kept.all())
    return bool(keeps(_problem(table, lower, upper, aims), aims).all())


def is_compiled(table: DecisionTable) -> bool:
    """Whether this table is large enough for the compiled solver."""
    return is_large(len(table.cells.value_starts))


def has_closed_form(table: DecisionTable) -> bool:
    """Whether two outcomes and one sensitive attribute are all there is."""
    return table.probability.shape[1] == 2 and len(table.cells.protected) == 1


def terms_of(table: DecisionTable, lower: FloatArray, upper: FloatArray) -> Terms:
    """The four terms of every group within bounds (cells, outcomes)."""
    return _terms(_problem(table, lower, upper, Objective()))


def _problem(table: DecisionTable, lower: FloatArray, upper: FloatArray, aims: Objective) -> GroupProblem:
    """A table as the closed form sees it."""
    cells, place = table.cells, table.favourable_place
    return GroupProblem(
        p=cells.in_lowest_terms.astype(np.float64),
        d=table.favourable,
        lo=lower[:, place],
        hi=upper[:, place],
        values=cells.value_starts,
        starts=run_starts(cells.group[cells.value_starts]),
        rate_move=aims.rate_move,
    )


def _terms(problem: GroupProblem) -> Terms:
    records = problem.records
    return optimal_terms(records.p, records.lo, records.hi, records.starts)


def _solve_closed_form(
    table: DecisionTable, bounds: Bounds, aims: Objective, compiled: bool
) -> TableSolution:
    problem = _problem(table, bounds.lower, bounds.upper, aims)
    solved, kept = solve_problem(problem, aims, solve_stages_compiled if compiled else solve_stages)
    columns: list[Any] = [1 - solved.announced] * 2
    columns[table.favourable_place] = solved.announced
    mapping = np.column_stack(columns)
    # the four terms are the optimum where nothing but the bounds holds β up
    plain = aims.minimise[:1] == ("beta",) and aims.rate_move is None
    plain &= aims.lift is None and aims.odds is None and aims.values is None
    confidence, lift = confidence_of(table.cells, mapping), lift_of(table.cells, mapping)
    prior = problem.records.most(problem.records.prior)
    return TableSolution(
        optimum=solved.least.get("beta", confidence),
        proven=solved.proven.get("beta", prior),
        lift=solved.least.get("lift", lift),
        lift_proven=solved.proven.get("lift", np.ones_like(lift)),
        odds=odds_of(table.cells, mapping),
        kept=kept,
        mapping=mapping,
        terms=_terms(problem) if plain else None,
        unique=solved.unique,
    )
