"""What a policy would give, at once: from the solver, on a table that is held in memory. Confidential.

β, lift and odds are certified: exact, and for figures that could be printed. A build goes on to move single printed steps,
so its own can differ: β by a step or two, odds by more. Asked exactly, they take as long as a draft, and are what a build
prints.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from atreport.analysis.measures import measure_all
from atreport.announcement import Announcement, certify
from atreport.announcement.ceilings import ceilings_of
from atreport.confidential.data.decision_table import DecisionTable
from atreport.confidential.data.run_options import RunOptions
from atreport.confidential.data.table import read_table
from atreport.confidential.engines.opening import open_engine
from atreport.confidential.mechanism.aims import aims_of
from atreport.confidential.mechanism.draft import announcement_at, draft_announcement
from atreport.confidential.mechanism.drafting.rates import on_grid, rate_promise, rate_room, with_rates
from atreport.confidential.mechanism.fidelity import closeness_of, fidelity_bounds, is_rounding
from atreport.confidential.mechanism.guard import guard_small_cells
from atreport.confidential.mechanism.protect import protect_groups
from atreport.confidential.mechanism.solver import solve_table
from atreport.confidential.prepare import Progress
from atreport.errors import AtreportError, InvalidInput, PolicyCannotBeMet
from atreport.inference import factor_printed
from atreport.population.small_cells import SmallCellAccount
from atreport.publication.fairness import verdict_of
from atreport.spec.models.policy import Fidelity, Policy, PrivacyCeiling
from atreport.spec.models.spec import Spec

MOST_BINDING = 5
"""So many of the groups that hold β up are named."""


@dataclass(frozen=True, kw_only=True, eq=False)
class HeldTable:
    """A spec with its table, read once for many policies."""

    spec: Spec
    exact: DecisionTable
    guarded: DecisionTable
    small_cells: SmallCellAccount


def hold_table(spec: Spec, options: RunOptions, progress: Progress) -> HeldTable:
    """Read the table of a spec, and guard its small cells."""
    progress("data")
    with open_engine(options, progress) as workers:
        exact = read_table(spec, workers, options)
    guarded, small_cells = guard_small_cells(spec, exact)
    return HeldTable(spec=spec, exact=exact, guarded=guarded, small_cells=small_cells)


def policy_with(policy: Policy, chosen: dict[str, Decimal | None]) -> Policy:
    """The policy with other numbers. Raises ValueError, with what is wrong, where they make none."""
    rates = "best" if policy.fidelity.rates == "best" and chosen.get("rates") is None else chosen.get("rates")
    fidelity = policy.fidelity.model_dump() | {"rates": rates}
    fidelity |= {key: chosen.get(key) for key in ("delta", "alpha")}
    if policy.fidelity.bounds is not None:
        fidelity |= {"delta": None, "alpha": None}
    ceilings = {key: chosen[key] for key in ("beta", "lift", "odds") if chosen.get(key) is not None}
    return policy.model_copy(
        update={
            "fidelity": Fidelity.model_validate({k: v for k, v in fidelity.items() if v is not None}),
            "privacy": PrivacyCeiling.model_validate(ceilings) if ceilings else None,
        }
    )


def figures_of(held: HeldTable, policy: Policy, *, exactly: bool = False) -> dict[str, Any]:
    """β, lift and odds of a policy, which groups bind, which ceilings are not kept, and how many verdicts are decided."""
    spec = held.spec.model_copy(update={"policy": policy})
    try:
        table, protection = protect_groups(spec, held.guarded, solve_table)
        if exactly:
            announcement = draft_announcement(spec, table, protection, held.small_cells).announcement
        else:
            announcement = _announcement(spec, table)
            announcement = announcement.with_account(protection, held.small_cells, table.estimation)
    except PolicyCannotBeMet as error:
        return {"possible": False, "why": f"{error.message}; {error.hint}"}
    except InvalidInput as error:
        return {"possible": False, "why": " ".join(problem.message for problem in error.problems)}
    except AtreportError as error:
        return {"possible": False, "why": str(error)}
    public = held.spec.public_with(table.cells.process)
    measured, _ = measure_all(announcement.rule, public.fairness, unknown=False)
    verdicts = [v for each in measured if (v := verdict_of(each, announcement.decimals)) is not None]
    return {
        "possible": True,
        "beta": str(announcement.beta),
        "lift": str(announcement.lift),
        "odds": None if announcement.odds is None else str(announcement.odds),
        "before": str(announcement.printed(int(announcement.group_prior.max()))),
        "groups": len(announcement.group_beta),
        "binding": _binding(announcement),
        "above": {
            name: int(groups.sum())
            for name, groups in announcement.above(ceilings_of(policy, table.cells.process)).items()
        },
        "certain": len(announcement.certain_groups),
        "verdicts": {
            "all": len(verdicts),
            "decided": sum(verdict != "cannot_tell" for verdict in verdicts),
            "meets": verdicts.count("meets"),
            "does_not_meet": verdicts.count("does_not_meet"),
        },
    }


def _announcement(spec: Spec, table: DecisionTable) -> Announcement:
    """Solved and certified, without the search for single steps that a build adds."""
    policy, decimals = spec.policy, spec.policy.decimals
    closeness = closeness_of(policy, table)
    if policy.mechanism != "optimal" or closeness is None or is_rounding(closeness, decimals, table):
        return announcement_at(spec, table, closeness)
    bounds, promise = fidelity_bounds(table, closeness, decimals), rate_promise(policy, table)
    if promise is not None:
        bounds = with_rates(bounds, table, promise, decimals)
    elif policy.minimise[0] == "odds":
        bounds = on_grid(bounds, decimals)
    asked = ceilings_of(policy, table.cells.process)
    room = None if promise is None else rate_room(spec, table, promise)
    solution = solve_table(
        table, bounds, aims_of(table.cells, asked, policy.minimise, decimals, rate_move=room)
    )
    return certify(
        table.cells,
        [solution.mapping, *([table.probability] if promise is not None else [])],
        bounds.lowest_step,
        bounds.highest_step,
        decimals=decimals,
        fidelity=closeness,
        population=spec.disclosure.population,
        minimise=policy.minimise,
        ceilings=asked,
        rates=promise,
    )


def _binding(announcement: Announcement) -> dict[str, Any]:
    """The groups whose confidence is the report's: how many, and the first few by name."""
    cells, public = announcement.cells, announcement.cells.process.of_role("public")
    groups = np.flatnonzero(announcement.group_beta == announcement.group_beta.max()).tolist()
    starts = cells.group_starts
    odds = factor_printed(int(announcement.group_odds[groups[0]]), announcement.decimals)
    return {
        "number": len(groups),
        "names": [
            " · ".join(cells.labels(int(starts[g]), public).values()) or "everybody"
            for g in groups[:MOST_BINDING]
        ],
        "at_prior": bool((announcement.group_beta[groups] == announcement.group_prior[groups]).all()),
        "odds": None if odds is None else str(odds),
    }
