"""Turn a true table and a policy into a draft: bounds, solution and certified announcement (stages 3 and 4) in one go.

With ``objective: privacy`` that is one pass. With ``objective: fidelity`` it looks for the highest fidelity, in printed
steps, at which the whole report keeps its ceiling; groups that keep it as they are, are announced unchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from math import ceil

import numpy as np

from atreport.announcement import Announcement, ceiling_on_beta, certify, within_ceiling
from atreport.confidential.data.decision_table import DecisionTable, FloatArray
from atreport.confidential.mechanism import MECHANISMS
from atreport.confidential.mechanism.fidelity import (
    Bounds,
    closeness_of,
    fidelity_bounds,
    float_bounds,
    shortest_decimal,
)
from atreport.confidential.mechanism.solver import TableSolution, optimum_of, solve_table
from atreport.errors import InvalidInput, PolicyCannotBeMet, Refused
from atreport.population.band import Closeness
from atreport.population.cells import IntArray
from atreport.population.protection import Protection
from atreport.population.small_cells import NOTHING_SMALL, SmallCellAccount
from atreport.rule_table import CellBounds
from atreport.spec.models.policy import MAX_DECIMALS, Mechanism
from atreport.spec.models.spec import Spec

_NOTHING_DONE = Protection()

Solver = Callable[[DecisionTable, Bounds, float], TableSolution]
"""Solves every group of a table for its optimum, or for a target confidence above it."""

_MOST_STEPS_BACK = 1000
"""How far below the best fidelity of the exact optimum to look for one whose rounded figures keep the ceiling."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Draft:
    """A certified announcement, and the solution it was rounded from, which stays behind the wall."""

    solution: TableSolution
    announcement: Announcement


def draft_announcement(
    spec: Spec,
    table: DecisionTable,
    protection: Protection = _NOTHING_DONE,
    small_cells: SmallCellAccount = NOTHING_SMALL,
    solve: Solver = solve_table,
) -> Draft:
    """Solve and certify. The draft may still exceed the spec's privacy ceiling: see :func:`refuse_above_ceiling`.

    `solve` is where groups are solved: here, or on a cluster. The result is the same.
    """
    closeness = closeness_of(spec.policy.fidelity)
    try:
        if spec.policy.objective == "privacy" or closeness is None:
            draft = draft_at(spec, table, closeness, None, solve)
        else:
            draft = _closest_draft(spec, table, closeness, solve)
    except PolicyCannotBeMet as error:
        problem = spec.document.problem(("policy", "fidelity"), error.message, error.hint)
        raise InvalidInput([problem]) from None
    return replace(
        draft, announcement=draft.announcement.with_account(protection, small_cells, table.estimation)
    )


def refuse_above_ceiling(spec: Spec, announcement: Announcement) -> None:
    """Raise :class:`Refused` if the announcement exceeds the policy's ceiling. The message reveals no true value."""
    ceiling = ceiling_on_beta(spec.policy.privacy)
    if within_ceiling(announcement.beta, ceiling):
        return
    assert spec.policy.privacy is not None
    asked = (
        f"beta: {spec.policy.privacy.beta}"
        if spec.policy.privacy.beta is not None
        else f"gamma: {spec.policy.privacy.gamma}"
    )
    limit = int(Fraction(ceiling or 0) * announcement.scale)
    above = int((announcement.group_beta > limit).sum())
    hopeless = int((announcement.group_prior > limit).sum())
    advice = MECHANISMS[announcement.mechanism].advice
    if hopeless:
        advice = (
            f"In {hopeless} of them the population alone gives more away than the ceiling allows, at any fidelity. "
            "Raise the ceiling, or make the public attributes coarser."
        )
    raise Refused(
        f"{spec.document.path}: refused: the report would not keep the policy's ceiling ({asked}) "
        f"in {above} of {len(announcement.group_beta)} groups.\n  {advice}\n"
        f"  Nothing was published. 'atreport check {spec.document.path}' shows the groups."
    )


def draft_again(spec: Spec, table: DecisionTable, announcement: Announcement, mechanism: Mechanism) -> Draft:
    """The draft of any true rule at the fidelity of an announcement: what one who knows the method can try."""
    policy = spec.policy.model_copy(update={"mechanism": mechanism})
    closeness = announcement.fidelity if isinstance(announcement.fidelity, Closeness) else None
    ceiling = ceiling_on_beta(policy.privacy) if policy.objective == "fidelity" else None
    return draft_at(spec.model_copy(update={"policy": policy}), table, closeness, ceiling)


def draft_at(
    spec: Spec,
    table: DecisionTable,
    closeness: Closeness | None,
    ceiling: Decimal | None,
    solve: Solver = solve_table,
) -> Draft:
    """The draft at one fidelity: as private as possible or, with a ceiling, as close to the truth as it allows."""
    decimals = spec.policy.decimals
    bounds = fidelity_bounds(table, closeness, decimals)
    solution = solve(table, bounds, 0.0)
    candidates = [solution.mapping]
    if ceiling is not None:
        relaxed = solve(table, bounds, float(ceiling))
        candidates = [table.probability, relaxed.mapping, solution.mapping]
    lowest, highest = bounds.lowest_step, bounds.highest_step
    announced_steps = MECHANISMS[spec.policy.mechanism].steps
    if announced_steps is not None:
        # One printed figure is allowed in each cell, so that nothing about the truth can show in a rounding.
        steps = announced_steps(table, closeness, decimals)
        assert ((lowest <= steps) & (steps <= highest)).all(), "the mechanism keeps the fidelity"
        candidates, lowest, highest = [steps / 10**decimals], steps, steps
    announcement = certify(
        table.cells,
        candidates,
        lowest,
        highest,
        decimals=decimals,
        fidelity=closeness if closeness is not None else _cell_bounds(table),
        population=spec.disclosure.population,
        ceiling=ceiling,
        mechanism=spec.policy.mechanism,
    )
    return Draft(solution=solution, announcement=announcement)


def _closest_draft(spec: Spec, table: DecisionTable, floor: Closeness, solve: Solver) -> Draft:
    """The draft at the highest fidelity, not below the spec's, that keeps the ceiling as printed."""
    ceiling = ceiling_on_beta(spec.policy.privacy)
    assert ceiling is not None
    scale = 10**spec.policy.decimals
    relative = floor.alpha is not None
    given = floor.alpha if relative else floor.delta
    assert given is not None
    lowest = max(ceil(Fraction(given) * scale), 1 if relative else 0)

    def at(steps: int) -> Closeness:
        number = Decimal(steps).scaleb(-spec.policy.decimals)
        return Closeness(alpha=number) if relative else Closeness(delta=number)

    def keeps(steps: int) -> bool:
        return optimum_of(table, *float_bounds(table, at(steps))) <= float(ceiling) + 1e-12

    best, above = lowest, scale + 1  # keeps(best) may be false: then the floor itself is tried, and refused
    while above - best > 1:
        middle = (best + above) // 2
        best, above = (middle, above) if keeps(middle) else (best, middle)
    draft: Draft | None = None
    for steps in range(best, max(lowest, best - _MOST_STEPS_BACK) - 1, -1):
        try:
            draft = draft_at(spec, table, at(steps), ceiling, solve)
        except PolicyCannotBeMet:  # no printable figure this close to the truth: a step further away there is
            if steps == lowest:
                raise
            continue
        if within_ceiling(draft.announcement.beta, ceiling):
            break
    assert draft is not None
    return draft


def _cell_bounds(table: DecisionTable) -> CellBounds:
    """The policy's own bounds, exactly as the data give them, in steps of the finest decimals allowed."""
    assert table.lower is not None
    assert table.upper is not None
    return CellBounds(lower=_in_steps(table.lower), upper=_in_steps(table.upper), decimals=MAX_DECIMALS)


def _in_steps(bound: FloatArray) -> IntArray:
    distinct, inverse = np.unique(bound, return_inverse=True)
    steps = [shortest_decimal(number) * 10**MAX_DECIMALS for number in distinct.tolist()]
    if any(step.denominator != 1 for step in steps):
        raise PolicyCannotBeMet(
            f"a bound has more than {MAX_DECIMALS} decimals, so it cannot be published exactly",
            "round it outward",
        )
    return np.array([int(step) for step in steps], dtype=np.int64)[inverse]
