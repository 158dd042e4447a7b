"""Look for what a policy leaves open: the highest fidelity, or the closest rates, at which the ceilings are kept."""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from math import ceil

import numpy as np

from atreport.announcement.ceilings import Ceilings, ceilings_of
from atreport.announcement.rates import published_rates
from atreport.confidential.data.decision_table import DecisionTable
from atreport.confidential.mechanism.aims import aims_of
from atreport.confidential.mechanism.drafting.one_fidelity import Draft, Solver, draft_at
from atreport.confidential.mechanism.drafting.rates import on_grid, rate_promise, rate_room
from atreport.confidential.mechanism.fidelity import Bounds, closeness_of, fidelity_bounds, float_bounds
from atreport.confidential.mechanism.solver import optimum_of
from atreport.errors import PolicyCannotBeMet
from atreport.population.band import Closeness, rounding
from atreport.spec.models.policy import MAX_DECIMALS
from atreport.spec.models.spec import Spec

_MOST_STEPS_BACK = 1000
"""How far below the best fidelity of the exact optimum to look for one whose rounded figures keep the ceilings."""

_MOST_DECIMALS_MORE = 3
"""How many more decimals are tried, where rounding misses a ceiling."""

_MOST_STEPS_WIDER = 10
"""How many steps wider than the best rates to look for some whose rounded figures keep the ceilings."""


def closest_draft(spec: Spec, table: DecisionTable, floor: Closeness, solve: Solver) -> Draft:
    """The draft at the highest fidelity, not below the spec's, that keeps the ceilings as printed."""
    asked = ceilings_of(spec.policy, table.cells.process)
    scale = 10**spec.policy.decimals
    relative = floor.alpha is not None
    given = floor.alpha if relative else floor.delta
    assert given is not None
    lowest = max(ceil(Fraction(given) * scale), 1 if relative else 0)

    def at(steps: int) -> Closeness:
        if steps == scale and not relative:
            return rounding(spec.policy.decimals, table.probability.shape[1])
        number = Decimal(steps).scaleb(-spec.policy.decimals)
        return Closeness(alpha=number) if relative else Closeness(delta=number)

    best, above = lowest, scale + 1  # the floor may not keep them: then it is tried itself, and refused
    while above - best > 1:
        middle = (best + above) // 2
        best, above = (middle, above) if _keeps(spec, table, at(middle), asked, solve) else (best, middle)
    draft: Draft | None = None
    for steps in range(best, max(lowest, best - _MOST_STEPS_BACK) - 1, -1):
        try:
            draft = draft_at(spec, table, at(steps), solve, near=True)
        except PolicyCannotBeMet:  # no printable figure this close to the truth: a step further away there is
            if steps == lowest:
                raise
            continue
        if not draft.announcement.above(asked):
            break
    assert draft is not None
    return draft


def with_enough_decimals(spec: Spec, table: DecisionTable, draft: Draft, solve: Solver) -> Draft:
    """The draft; where rounding alone exceeds a ceiling, with the number of decimals that would keep it."""
    asked = ceilings_of(spec.policy, table.cells.process)
    above = draft.announcement.above(asked).values()
    if spec.policy.mechanism != "optimal" or not any(
        (groups & draft.solution.kept).any() for groups in above
    ):
        return draft
    decimals = spec.policy.decimals
    for more in range(decimals + 1, min(decimals + _MOST_DECIMALS_MORE, MAX_DECIMALS) + 1):
        finer = spec.model_copy(update={"policy": spec.policy.model_copy(update={"decimals": more})})
        closeness = closeness_of(finer.policy, table)
        if not draft_at(finer, table, closeness, solve).announcement.above(asked):
            return replace(draft, enough_decimals=more)
    return draft


def _keeps(spec: Spec, table: DecisionTable, closeness: Closeness, asked: Ceilings, solve: Solver) -> bool:
    """Whether some rule at this fidelity keeps the ceilings and the rates, printed or not."""
    lower, upper = float_bounds(table, closeness)
    promise = rate_promise(spec.policy, table)
    if promise is None and asked == Ceilings(beta=asked.beta):
        return optimum_of(table, lower, upper) <= float(asked.beta or 1) + 1e-12
    no_steps = np.empty((0, lower.shape[1]), dtype=np.int64)
    room = None if promise is None else rate_room(spec, table, promise)
    aims = aims_of(table.cells, asked, (), spec.policy.decimals, rate_move=room)
    bounds = Bounds(lower=lower, upper=upper, lowest_step=no_steps, highest_step=no_steps)
    return bool(solve(table, bounds, aims).kept.all())


def draft_with_best_rates(
    spec: Spec, table: DecisionTable, closeness: Closeness | None, solve: Solver
) -> Draft:
    """The draft with the closest rates at which the ceilings are kept; without ceilings, at which the least β is.

    Every group may go up to the report's β, not only to its own.
    """
    asked = ceilings_of(spec.policy, table.cells.process)
    plain = draft_at(_with_rates(spec, None), table, closeness, solve)
    if not asked:
        asked = Ceilings(beta=plain.announcement.beta)
    elif plain.announcement.above(asked):
        return plain  # no rates help, and the report is refused
    least = _least_move(spec, table, closeness, asked, solve)
    decimals = spec.policy.decimals
    step, half = Decimal(1).scaleb(-decimals), Decimal(5).scaleb(-decimals - 1)
    move = (Decimal(repr(least)) + half).quantize(step, ROUND_CEILING) if least > 0 else half
    draft = plain
    for _ in range(_MOST_STEPS_WIDER + 1):
        rates = published_rates(1 - move, decimals)
        draft = draft_at(_with_rates(spec, rates), table, closeness, solve, ceilings=asked)
        if not draft.announcement.above(asked):
            break
        move = (move + step).quantize(step, ROUND_CEILING)
    return draft


def _least_move(
    spec: Spec, table: DecisionTable, closeness: Closeness | None, asked: Ceilings, solve: Solver
) -> float:
    """The least move of rates, in floats, for which every group can keep the ceilings.

    The rule that keeps them nearest to the truth gives one that is enough; from there it is halved down, to a tenth of a
    printed step.
    """
    decimals = spec.policy.decimals
    bounds = on_grid(fidelity_bounds(table, closeness, decimals), decimals)

    def kept(move: float | None) -> float | None:
        """The move that the rule found for it makes, where it keeps the ceilings in every group."""
        found = solve(table, bounds, aims_of(table.cells, asked, (), decimals, rate_move=move))
        return _largest_move(table, found.mapping) if found.kept.all() else None

    if (exactly := kept(0.0)) is not None:
        return 0.0 if exactly <= 1e-12 else exactly
    enough, too_little = kept(None), 0.0
    if enough is None:
        return 1.0
    while enough - too_little > 0.1 / 10**decimals:
        middle = (enough + too_little) / 2
        found = kept(middle)
        enough, too_little = (min(middle, found), too_little) if found is not None else (enough, middle)
    return enough


def _largest_move(table: DecisionTable, mapping: np.typing.NDArray[np.float64]) -> float:
    """The most that a rate of an outcome moves in a QID group."""
    starts, people = table.cells.group_starts, table.cells.in_lowest_terms.astype(np.float64)
    change = np.add.reduceat(people[:, None] * (mapping - table.probability), starts, axis=0)
    return float((np.abs(change) / np.add.reduceat(people, starts)[:, None]).max())


def _with_rates(spec: Spec, rates: Decimal | None) -> Spec:
    fidelity = spec.policy.fidelity.model_copy(update={"rates": rates})
    return spec.model_copy(update={"policy": spec.policy.model_copy(update={"fidelity": fidelity})})
