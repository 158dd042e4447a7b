"""Turn a true table and a policy into a draft: bounds, solution and certified announcement (stages 3 and 4) in one go.

With ``objective: privacy`` that is one pass. With ``objective: fidelity`` it looks for the highest fidelity, in printed
steps, at which the whole report keeps its ceilings; groups that keep them as they are, are announced unchanged. With
``rates: best`` it looks for the closest rates at which they are kept.
"""

from __future__ import annotations

from dataclasses import replace

from atreport.confidential.data.decision_table import DecisionTable
from atreport.confidential.mechanism.drafting.one_fidelity import (
    Draft,
    Solver,
    announcement_at,
    draft_again,
    draft_at,
)
from atreport.confidential.mechanism.drafting.search import (
    closest_draft,
    draft_with_best_rates,
    with_enough_decimals,
)
from atreport.confidential.mechanism.fidelity import closeness_of, is_rounding
from atreport.confidential.mechanism.solver import solve_table
from atreport.errors import InvalidInput, PolicyCannotBeMet
from atreport.population.band import Closeness
from atreport.population.protection import Protection
from atreport.population.small_cells import NOTHING_SMALL, SmallCellAccount
from atreport.spec.models.spec import Spec

__all__ = ["Draft", "announcement_at", "draft_again", "draft_announcement", "draft_at"]

_NOTHING_DONE = Protection()


def draft_announcement(
    spec: Spec,
    table: DecisionTable,
    protection: Protection = _NOTHING_DONE,
    small_cells: SmallCellAccount = NOTHING_SMALL,
    solve: Solver = solve_table,
) -> Draft:
    """Solve and certify. The draft may still exceed the spec's ceilings: see :mod:`atreport.confidential.mechanism.refusal`.

    `solve` is where groups are solved: here, or on a cluster. The result is the same.
    """
    closeness, objective = closeness_of(spec.policy, table), spec.policy.objective
    try:
        if is_rounding(closeness, spec.policy.decimals, table):
            draft = with_enough_decimals(spec, table, draft_at(spec, table, closeness, solve), solve)
        elif spec.policy.fidelity.rates == "best":
            draft = draft_with_best_rates(spec, table, closeness, solve)
        elif objective == "privacy" or closeness is None or _only_rounds(spec, closeness):
            draft = draft_at(spec, table, closeness, solve, near=objective == "fidelity")
            draft = with_enough_decimals(spec, table, draft, solve)
        else:
            draft = closest_draft(spec, table, closeness, solve)
    except PolicyCannotBeMet as error:
        problem = spec.document.problem(("policy", "fidelity"), error.message, error.hint)
        raise InvalidInput([problem]) from None
    return replace(
        draft, announcement=draft.announcement.with_account(protection, small_cells, table.estimation)
    )


def _only_rounds(spec: Spec, closeness: Closeness) -> bool:
    """Whether there is no higher fidelity to look for: the true rule is published, as nearly as it can be printed."""
    return closeness.only_rounds(spec.policy.decimals, len(spec.process.outcome.values))
