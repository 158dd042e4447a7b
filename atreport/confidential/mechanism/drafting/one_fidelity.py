"""The draft at one fidelity: solve, round, certify; and ask for a little less where rounding misses a ceiling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.announcement import Announcement, certify
from atreport.announcement.ceilings import Ceilings, ceilings_of
from atreport.confidential.data.decision_table import DecisionTable, FloatArray, without_cells
from atreport.confidential.mechanism import MECHANISMS
from atreport.confidential.mechanism.aims import Aims, aims_of
from atreport.confidential.mechanism.drafting.rates import on_grid, rate_promise, rate_room, with_rates
from atreport.confidential.mechanism.factors import confidence_of, lift_of, odds_of
from atreport.confidential.mechanism.fidelity import Bounds, fidelity_bounds, is_rounding, rounded_truth
from atreport.confidential.mechanism.solver import solve_table
from atreport.confidential.mechanism.table_solution import TableSolution
from atreport.errors import PolicyCannotBeMet
from atreport.inference import UNBOUNDED, by_group
from atreport.kit.rounding import shortest_decimal
from atreport.population.band import Closeness
from atreport.population.cells import IntArray
from atreport.rule_table import CellBounds
from atreport.spec.models.policy import MAX_DECIMALS, Aim, Mechanism
from atreport.spec.models.spec import Spec

Solver = Callable[[DecisionTable, Bounds, Aims], TableSolution]
"""Solves every group of a table."""

_MOST_TRIES = 10
"""How often ceilings are asked for a little lower, where rounding missed them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Draft:
    """A certified announcement, and the solution it was rounded from, which stays behind the wall."""

    solution: TableSolution
    announcement: Announcement
    enough_decimals: int | None = (
        None  # where rounding alone exceeds a ceiling: with so many decimals it would not
    )


def draft_again(spec: Spec, table: DecisionTable, announcement: Announcement, mechanism: Mechanism) -> Draft:
    """The draft of any true rule at the fidelity of an announcement: what one who knows the method can try."""
    rates = announcement.rule.rates if mechanism == "optimal" else None
    fidelity = spec.policy.fidelity.model_copy(update={"rates": rates})
    policy = spec.policy.model_copy(update={"mechanism": mechanism, "fidelity": fidelity})
    closeness = announcement.fidelity if isinstance(announcement.fidelity, Closeness) else None
    again = spec.model_copy(update={"policy": policy})
    return draft_at(again, table, closeness, near=policy.objective == "fidelity")


def announcement_at(spec: Spec, table: DecisionTable, closeness: Closeness | None) -> Announcement:
    """What :func:`draft_at` announces; quicker where a mechanism needs no solver to announce it."""
    if MECHANISMS[spec.policy.mechanism].steps is None:
        return draft_at(spec, table, closeness).announcement
    bounds = fidelity_bounds(table, closeness, spec.policy.decimals)
    return _fixed(spec, table, closeness, bounds, closeness if closeness is not None else _cell_bounds(table))


def draft_at(
    spec: Spec,
    table: DecisionTable,
    closeness: Closeness | None,
    solve: Solver = solve_table,
    *,
    near: bool = False,
    ceilings: Ceilings | None = None,
) -> Draft:
    """The draft at one fidelity: as private as possible or, `near` the truth, as close to it as the ceilings allow.

    The ceilings are those of the spec, unless others are given. They may be exceeded where they cannot be kept.
    """
    if closeness is not None and is_rounding(closeness, spec.policy.decimals, table):
        return _rounded(spec, table, closeness)
    bounds = fidelity_bounds(table, closeness, spec.policy.decimals)
    fidelity = closeness if closeness is not None else _cell_bounds(table)
    if MECHANISMS[spec.policy.mechanism].steps is not None:
        least = solve(table, bounds, Aims(minimise=("beta",), decimals=spec.policy.decimals))
        return Draft(solution=least, announcement=_fixed(spec, table, closeness, bounds, fidelity))
    policy, decimals = spec.policy, spec.policy.decimals
    asked = ceilings_of(policy, table.cells.process) if ceilings is None else ceilings
    promise = rate_promise(policy, table)
    if promise is not None:
        bounds = with_rates(bounds, table, promise, decimals)
    elif policy.minimise[0] == "odds":
        bounds = on_grid(bounds, decimals)
    room = None if promise is None else rate_room(spec, table, promise)
    wanted = partial(aims_of, table.cells, asked, decimals=decimals, rate_move=room)
    order = policy.minimise[:-1] if policy.minimise[1:] and policy.minimise[-1] == "odds" else policy.minimise
    minimise = () if near else order
    solution = solve(table, bounds, wanted(minimise=order))
    candidates = [solution.mapping]
    if near:
        candidates = [table.probability, solve(table, bounds, wanted(minimise=())).mapping, solution.mapping]
    if promise is not None:
        candidates.append(table.probability)  # keeps rates where nothing else that can be printed does
    # version 0.1 did not move single steps, and what it announced can still be had
    refined = not near and (promise is not None or order != ("beta",))
    printed = partial(
        certify,
        table.cells,
        lowest=bounds.lowest_step,
        highest=bounds.highest_step,
        decimals=decimals,
        fidelity=fidelity,
        population=spec.disclosure.population,
        minimise=minimise,
        ceilings=asked,
        rates=promise,
        ideal={"beta": solution.optimum, "lift": solution.lift, "odds": solution.odds} if refined else None,
    )

    def solved(groups: NDArray[np.bool_], below: float = 0.0, **other: Any) -> FloatArray:
        """The mapping with some groups solved anew: with linear programs a whole table can take long."""
        rows = groups[table.cells.group]
        part = without_cells(table, ~rows)
        aims = aims_of(part.cells, asked, minimise, decimals, rate_move=room, below=below)
        found = solution.mapping.copy()
        found[rows] = solve(part, bounds.at(rows), replace(aims, **other)).mapping
        return found

    announcement = printed(candidates)
    missed = announcement.group_beta > np.ceil(solution.optimum * 10**decimals - 1e-9)
    if refined and missed.any():
        # a mapping that was solved for exactly the printed β leaves rounding no room: in some groups others have more
        spare = [solved(missed, decimals=decimals + 1), solved(missed, minimise=("beta",))]
        announcement = printed([announcement.mapping / 10**decimals, *spare])
    announcement = _within(asked, solution, announcement, printed, solved)
    if not near and order != policy.minimise and (groups := _with_odds_to_spare(announcement, bounds)).any():
        less = [announcement.mapping / 10**decimals, solved(groups, minimise=policy.minimise)]
        ideal: dict[Aim, FloatArray] = {
            "beta": solution.optimum,
            "lift": solution.lift,
            "odds": np.ones_like(solution.odds),
        }
        announcement = _without_loss(announcement, partial(printed, minimise=policy.minimise), less, ideal)
    return Draft(solution=solution, announcement=announcement)


def _with_odds_to_spare(announcement: Announcement, bounds: Bounds) -> NDArray[np.bool_]:
    """The groups in which bounds alone leave a smaller odds factor than the announced one."""
    starts, unbounded = announcement.cells.group_starts, np.full((len(announcement.group_odds), 1), np.inf)
    low = np.maximum.reduceat(bounds.lowest_step, starts).astype(np.float64)
    high = np.minimum.reduceat(bounds.highest_step, starts).astype(np.float64)
    factor = np.divide(low, high, out=np.where(low > 0, unbounded, 1.0), where=high > 0).max(axis=1)
    least = np.ceil(np.minimum(np.maximum(factor, 1.0) * announcement.scale - 1e-6, UNBOUNDED))
    return np.asarray(announcement.group_odds > least)


def _without_loss(
    announcement: Announcement,
    printed: Callable[..., Announcement],
    candidates: list[FloatArray],
    ideal: dict[Aim, FloatArray],
) -> Announcement:
    """The announcement with a smaller odds factor in groups where no other figure rises as printed, of any attribute."""
    found = printed(candidates, ideal=ideal)
    fine = found.group_odds < announcement.group_odds
    for was, now in zip(announcement.attributes, found.attributes, strict=True):
        for name in ("after", "lift"):
            before, after = (by_group(each.protected, getattr(each, name)) for each in (was, now))
            fine &= np.asarray(after <= before, dtype=bool)
    rows = fine[announcement.cells.group][:, None]
    mapping = np.where(rows, found.mapping, announcement.mapping)
    return printed([mapping / announcement.scale], ideal=None) if fine.any() else announcement


def _rounded(spec: Spec, table: DecisionTable, closeness: Closeness) -> Draft:
    """The true rule itself, rounded: nothing is solved, and nothing but rounding is told of it."""
    cells, decimals = table.cells, spec.policy.decimals
    steps = rounded_truth(table, decimals)
    announcement = certify(
        cells,
        [steps / 10**decimals],
        steps,
        steps,
        decimals=decimals,
        fidelity=closeness,
        population=spec.disclosure.population,
        rates=rate_promise(spec.policy, table),
    )
    mapping = steps / 10**decimals
    confidence, lift = confidence_of(cells, mapping), lift_of(cells, mapping)
    solution = TableSolution(
        optimum=confidence,
        proven=confidence,
        lift=lift,
        lift_proven=lift,
        odds=odds_of(cells, mapping),
        kept=np.ones(len(confidence), dtype=bool),
        mapping=mapping,
        terms=None,
        unique=None,
    )
    return Draft(solution=solution, announcement=announcement)


def _within(
    asked: Ceilings,
    solution: TableSolution,
    announcement: Announcement,
    printed: Callable[[list[FloatArray]], Announcement],
    solve_below: Callable[[NDArray[np.bool_], float], FloatArray],
) -> Announcement:
    """The announcement; where rounding alone exceeds a ceiling, one that was solved for a little less."""
    for attempt in range(_MOST_TRIES):
        above = announcement.above(asked).values()
        missed = np.logical_or.reduce([*above, np.zeros_like(solution.kept)]) & solution.kept
        if not missed.any():
            break
        lower = solve_below(missed, 0.5 * 2**attempt / announcement.scale)
        announcement = printed([announcement.mapping / announcement.scale, lower])
    return announcement


def _fixed(
    spec: Spec,
    table: DecisionTable,
    closeness: Closeness | None,
    bounds: Bounds,
    fidelity: Closeness | CellBounds,
) -> Announcement:
    """What a mechanism announces that allows one printed figure in each cell: no rounding tells anything of the truth."""
    announced_steps = MECHANISMS[spec.policy.mechanism].steps
    assert announced_steps is not None
    decimals = spec.policy.decimals
    steps = announced_steps(table, closeness, decimals)
    inside = (bounds.lowest_step <= steps) & (steps <= bounds.highest_step)
    assert inside.all(), "the mechanism keeps the fidelity"
    return certify(
        table.cells,
        [steps / 10**decimals],
        steps,
        steps,
        decimals=decimals,
        fidelity=fidelity,
        population=spec.disclosure.population,
        mechanism=spec.policy.mechanism,
    )


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
