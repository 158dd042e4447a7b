"""Turn a true table and a policy into a draft: bounds, solution and certified announcement (stages 3 and 4) in one go.

With ``objective: privacy`` that is one pass. With ``objective: fidelity`` it looks for the highest fidelity, in printed
steps, at which the whole report keeps its ceilings; groups that keep them as they are, are announced unchanged. With
``rates: best`` it looks for the closest rates at which they are kept.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from functools import partial
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.core.band import Closeness, consistent, rounding
from atreport.core.cells import Cells, IntArray, Protection
from atreport.core.certify import (
    Announcement,
    Ceilings,
    RatePromise,
    ceilings_of,
    certify,
    in_steps,
    published_rates,
    smallest_share,
)
from atreport.core.inference import UNBOUNDED, by_group
from atreport.core.rule_table import CellBounds
from atreport.core.suppression import NOTHING_SMALL, SmallCellAccount
from atreport.errors import InvalidInput, PolicyCannotBeMet, Refused
from atreport.private.data.decision_table import DecisionTable, FloatArray, with_joined_cells, without_cells
from atreport.private.mechanisms import MECHANISMS
from atreport.private.solver.fidelity import (
    Bounds,
    closeness_of,
    fidelity_bounds,
    float_bounds,
    is_rounding,
    rounded_truth,
)
from atreport.private.solver.objective import (
    Objective,
    TableSolution,
    confidence_of,
    lift_of,
    objective_of,
    odds_of,
)
from atreport.private.solver.solver import can_keep, has_closed_form, optimum_of, solve_table
from atreport.spec.policy import MAX_DECIMALS, Aim, Mechanism, Policy
from atreport.spec.spec import Spec
from atreport.text.numbers import counted, shortest_decimal

# The draft at one fidelity: solve, round, certify; and ask for a little less where rounding misses a ceiling.

Solver = Callable[[DecisionTable, Bounds, Objective], TableSolution]
"""Solves every group of a table."""

_MOST_TRIES = 10
"""How often ceilings are asked for a little lower, where rounding missed them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Draft:
    """A certified announcement, and the solution it was rounded from, which stays behind the wall."""

    solution: TableSolution
    announcement: Announcement
    # where rounding alone exceeds a ceiling: with so many decimals it would not
    enough_decimals: int | None = None


def with_policy(spec: Spec, **changed: Any) -> Spec:
    """The spec with another policy: any of its keys, and `rates`, which are those of its fidelity."""
    if "rates" in changed:
        changed["fidelity"] = spec.policy.fidelity.model_copy(update={"rates": changed.pop("rates")})
    return spec.model_copy(update={"policy": spec.policy.model_copy(update=changed)})


def evaluate(
    spec: Spec,
    table: DecisionTable,
    closeness: Closeness | None,
    *,
    near: bool = False,
    quick: bool = False,
    **changed: Any,
) -> Announcement | None:
    """What a spec with another policy would announce of a table; None where nothing that close to the truth can be printed.

    Further arguments are those of :func:`with_policy`. The ceilings may be exceeded: see :func:`draft_at`.
    """
    try:
        return announcement_at(with_policy(spec, **changed), table, closeness, near=near, quick=quick)
    except PolicyCannotBeMet:
        return None


def evaluate_mechanism(
    spec: Spec, table: DecisionTable, announcement: Announcement, mechanism: Mechanism
) -> Announcement | None:
    """What a mechanism announces of any true rule at the fidelity of an announcement: one who knows it can try."""
    closeness = announcement.fidelity if isinstance(announcement.fidelity, Closeness) else None
    rates = announcement.rule.rates if mechanism == "optimal" else None
    near = spec.policy.objective == "fidelity"
    return evaluate(spec, table, closeness, near=near, mechanism=mechanism, rates=rates)


def announcement_at(
    spec: Spec,
    table: DecisionTable,
    closeness: Closeness | None,
    *,
    near: bool = False,
    quick: bool = False,
) -> Announcement:
    """What :func:`draft_at` announces; quicker where a mechanism needs no solver to announce it."""
    if MECHANISMS[spec.policy.mechanism].steps is None:
        return draft_at(spec, table, closeness, near=near, quick=quick).announcement
    bounds = fidelity_bounds(table, closeness, spec.policy.decimals)
    return _fixed(spec, table, closeness, bounds, closeness if closeness is not None else _cell_bounds(table))


def draft_at(
    spec: Spec,
    table: DecisionTable,
    closeness: Closeness | None,
    solve: Solver = solve_table,
    *,
    near: bool = False,
    quick: bool = False,
    ceilings: Ceilings | None = None,
) -> Draft:
    """The draft at one fidelity: as private as possible or, `near` the truth, as close to it as the ceilings allow.

    The ceilings are those of the spec, unless others are given. They may be exceeded where they cannot be kept. A `quick`
    draft is solved and certified, without the search for single steps and for spare odds that a build adds.
    """
    if closeness is not None and is_rounding(closeness, spec.policy.decimals, table):
        return _rounded(spec, table, closeness)
    bounds = fidelity_bounds(table, closeness, spec.policy.decimals)
    fidelity = closeness if closeness is not None else _cell_bounds(table)
    if MECHANISMS[spec.policy.mechanism].steps is not None:
        least = solve(table, bounds, Objective(minimise=("beta",), decimals=spec.policy.decimals))
        return Draft(solution=least, announcement=_fixed(spec, table, closeness, bounds, fidelity))
    policy, decimals = spec.policy, spec.policy.decimals
    asked = ceilings_of(policy, table.cells.process) if ceilings is None else ceilings
    promise = rate_promise(policy, table)
    if promise is not None:
        bounds = with_rates(bounds, table, promise, decimals)
    elif policy.minimise[0] == "odds":
        bounds = on_grid(bounds, decimals)
    room = None if promise is None else rate_room(spec, table, promise)
    wanted = partial(objective_of, table.cells, asked, decimals=decimals, rate_move=room)
    spares_odds = not quick and len(policy.minimise) > 1 and policy.minimise[-1] == "odds"
    order = policy.minimise[:-1] if spares_odds else policy.minimise
    minimise = () if near else order
    solution = solve(table, bounds, wanted(minimise=order))
    candidates = [solution.mapping]
    if near:
        candidates = [table.probability, solve(table, bounds, wanted(minimise=())).mapping, solution.mapping]
    if promise is not None:
        candidates.append(table.probability)  # keeps rates where nothing else that can be printed does
    # version 0.1 did not move single steps, and what it announced can still be had
    refined = not near and not quick and (promise is not None or order != ("beta",))
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
        aims = objective_of(part.cells, asked, minimise, decimals, rate_move=room, below=below)
        found = solution.mapping.copy()
        found[rows] = solve(part, bounds.at(rows), replace(aims, **other)).mapping
        return found

    announcement = printed(candidates)
    if quick:
        return Draft(solution=solution, announcement=announcement)
    missed = announcement.group_beta > np.ceil(solution.optimum * 10**decimals - 1e-9)
    if refined and missed.any():
        # a mapping that was solved for exactly the printed β leaves rounding no room: in some groups others have more
        spare = [solved(missed, decimals=decimals + 1), solved(missed, minimise=("beta",))]
        announcement = printed([announcement.mapping / 10**decimals, *spare])
    announcement = _within(asked, solution, announcement, printed, solved)
    if not near and spares_odds and (groups := _with_odds_to_spare(announcement, bounds)).any():
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


_NOTHING_DONE = Protection()


def draft_announcement(
    spec: Spec,
    table: DecisionTable,
    protection: Protection = _NOTHING_DONE,
    small_cells: SmallCellAccount = NOTHING_SMALL,
    solve: Solver = solve_table,
) -> Draft:
    """Solve and certify. The draft may still exceed the spec's ceilings: see :mod:`atreport.private.draft`.

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


# What a promise on rates asks of the solver, so that printed figures keep it.


def rate_promise(policy: Policy, table: DecisionTable) -> RatePromise | None:
    """The promise of a policy as it is published: no closer than half a printed step. None where there is none.

    The true rule, rounded, keeps rates as close as probabilities, whatever is asked.
    """
    asked, closeness = policy.fidelity.rates, closeness_of(policy, table)
    if asked is not None and closeness is not None and is_rounding(closeness, policy.decimals, table):
        assert closeness.delta is not None
        rates = closeness.delta if asked == "best" else min(asked, closeness.delta)
        return RatePromise(rates=rates, truth=table.probability)
    if not isinstance(asked, Decimal):
        return None
    return RatePromise(rates=published_rates(asked, policy.decimals), truth=table.probability)


def rate_room(spec: Spec, table: DecisionTable, promise: RatePromise) -> float:
    """How far the solver may move rates: rounding to the nearest step moves them by half a step more at most.

    Where shares are published the promise also holds for people weighed by them. A share is off by half a step of its own,
    so a rate is by at most two halves of the smallest share.
    """
    decimals = spec.policy.decimals
    left = 1 - Fraction(promise.rates) - Fraction(1, 2 * 10**decimals)
    if spec.disclosure.population == "shares":
        left -= Fraction(1, smallest_share(table.cells.population, decimals))
    return max(0.0, float(left))


def on_grid(bounds: Bounds, decimals: int) -> Bounds:
    """The same bounds drawn in to printed steps: rounding then never leaves them, nor moves by more than half a step."""
    return replace(bounds, lower=bounds.lowest_step / 10**decimals, upper=bounds.highest_step / 10**decimals)


def with_rates(bounds: Bounds, table: DecisionTable, promise: RatePromise, decimals: int) -> Bounds:
    """Bounds for a rule that keeps rates, on printed steps.

    Where the counts of a group are not published exactly, each of its probabilities is kept as close as its rates: then
    they are kept whatever the counts are.
    """
    between = table.cells.between
    if between is not None:
        closer = fidelity_bounds(table, Closeness(delta=promise.rates), decimals)
        is_open = np.logical_or.reduceat(between[0] < between[1], table.cells.group_starts)
        rows = is_open[table.cells.group][:, None]
        lowest = np.where(rows, np.maximum(bounds.lowest_step, closer.lowest_step), bounds.lowest_step)
        highest = np.where(rows, np.minimum(bounds.highest_step, closer.highest_step), bounds.highest_step)
        lowest, highest = consistent(lowest, highest, 10**decimals)
        bounds = replace(bounds, lowest_step=lowest, highest_step=highest)
    return on_grid(bounds, decimals)


# Look for what a policy leaves open: the highest fidelity, or the closest rates, at which the ceilings are
# kept.

_MOST_STEPS_BACK = 1000
"""How far below the best fidelity of the exact optimum to look for one whose rounded figures keep the ceilings."""

_MOST_DECIMALS_MORE = 3
"""How many more decimals are tried, where rounding misses a ceiling."""

_MOST_STEPS_WIDER = 10
"""How many steps wider than the best rates to look for some whose rounded figures keep the ceilings."""


def _highest(lowest: int, highest: int, holds: Callable[[int], bool]) -> int:
    """The highest whole number for which something holds that holds below it too; the lowest is not asked about."""
    above = highest + 1
    while above - lowest > 1:
        middle = (lowest + above) // 2
        lowest, above = (middle, above) if holds(middle) else (lowest, middle)
    return lowest


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

    # the floor may not keep them: then it is tried itself, and refused
    best = _highest(lowest, scale, lambda steps: _keeps(spec, table, at(steps), asked, solve))
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
        finer = with_policy(spec, decimals=more)
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
    aims = objective_of(table.cells, asked, (), spec.policy.decimals, rate_move=room)
    bounds = Bounds(lower=lower, upper=upper, lowest_step=no_steps, highest_step=no_steps)
    return bool(solve(table, bounds, aims).kept.all())


def draft_with_best_rates(
    spec: Spec, table: DecisionTable, closeness: Closeness | None, solve: Solver
) -> Draft:
    """The draft with the closest rates at which the ceilings are kept; without ceilings, at which the least β is.

    Every group may go up to the report's β, not only to its own.
    """
    asked = ceilings_of(spec.policy, table.cells.process)
    plain = draft_at(with_policy(spec, rates=None), table, closeness, solve)
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
        draft = draft_at(with_policy(spec, rates=rates), table, closeness, solve, ceilings=asked)
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
        found = solve(table, bounds, objective_of(table.cells, asked, (), decimals, rate_move=move))
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


# What would keep a broken ceiling: another fidelity, or groups joined. Confidential: both depend on the true
# rule.
#
# Guarantee: at the fidelity that is named the ceilings are kept as printed. Of joined groups it is said only
# if the two together can keep them at the present fidelity, before rounding.

MOST_GROUPS = 3
"""So many groups are named, and tried with their neighbours."""

MOST_CELLS = 20_000
MOST_CELLS_PROGRAMMED = 200
"""Larger tables get no advice: many are solved to find it."""

_STEP = Decimal("0.001")
_MOST_REMEDIES = 10
"""So many steps below the fidelity that would do without rounding, one is looked for that does with it."""

AimsOf = Callable[[Cells], Objective]
"""What is asked of a table with these cells: the ceilings and rates of the policy."""


def keeps_at(table: DecisionTable, closeness: Closeness, aims_of: AimsOf) -> bool:
    """Whether the ceilings and rates can be kept at a fidelity, before rounding."""
    return can_keep(table, *float_bounds(table, closeness), aims_of(table.cells))


def fidelity_that_keeps(
    table: DecisionTable, present: Closeness, aims_of: AimsOf, is_kept: Callable[[Closeness], bool]
) -> Closeness | None:
    """The highest fidelity below the present one, in thousandths, at which the ceilings are kept as printed.

    `is_kept` makes the draft at a fidelity and says whether it keeps them. None where no fidelity does.
    """
    relative = present.alpha is not None
    number = present.alpha if relative else present.delta
    assert number is not None

    def at(steps: int) -> Closeness:
        return Closeness(alpha=steps * _STEP) if relative else Closeness(delta=steps * _STEP)

    first, last = (1 if relative else 0), int(number / _STEP)
    if first > last or not keeps_at(table, at(first), aims_of):
        return None
    best = _highest(first, last, lambda steps: keeps_at(table, at(steps), aims_of))
    lowest = max(best - _MOST_REMEDIES, first)
    return next((at(steps) for steps in range(best, lowest - 1, -1) if is_kept(at(steps))), None)


def partner_that_keeps(
    table: DecisionTable, group: int, present: Closeness, aims_of: AimsOf
) -> tuple[int, str] | None:
    """A group that differs in one public attribute, and that attribute, with which this one could keep the ceilings.

    The smallest that will do: it changes least.
    """
    cells = table.cells
    public = [i for i, a in enumerate(cells.process.attributes) if a.role == "public"]
    codes = cells.codes[cells.group_starts][:, public]
    differs = codes != codes[group]
    people = np.add.reduceat(cells.population, cells.group_starts)
    near = np.flatnonzero(differs.sum(axis=1) == 1)
    for other in near[np.argsort(people[near], kind="stable")].tolist():
        both = joined_groups(table, group, other)
        if keeps_at(both, present, aims_of):
            return other, cells.process.attributes[public[int(np.flatnonzero(differs[other])[0])]].name
    return None


def joined_groups(table: DecisionTable, group: int, other: int) -> DecisionTable:
    """Two groups as one, by the public values of the first."""
    cells = table.cells
    public = [i for i, a in enumerate(cells.process.attributes) if a.role == "public"]
    both = without_cells(table, (cells.group != group) & (cells.group != other))
    codes = both.cells.codes.copy()
    codes[:, public] = cells.codes[cells.group_starts[group]][public]
    return with_joined_cells(both, cells.process, codes)


# Refuse a draft above a ceiling, with advice: which ceiling, in which groups, and what would keep it.
#
# The message depends on the true rule: which groups break a ceiling, and which fidelity would not. It goes to
# the terminal of whoever holds the data and into no file. No true probability is in it.


def refuse_above_ceiling(
    spec: Spec, announcement: Announcement, table: DecisionTable, enough_decimals: int | None = None
) -> None:
    """Raise :class:`Refused` if the announcement exceeds one of the policy's ceilings.

    `enough_decimals` are those with which it would not, where only rounding is to blame.
    """
    asked = ceilings_of(spec.policy, announcement.cells.process)
    above = announcement.above(asked)
    if not above:
        return
    number = len(announcement.group_beta)
    broken = [
        f"({_in_words(spec, announcement, name)}) in {int(groups.sum())} of {counted(number, 'group')}: "
        f"{_named(announcement.cells, np.flatnonzero(groups).tolist())}"
        for name, groups in above.items()
    ]
    groups = np.flatnonzero(np.logical_or.reduce(list(above.values()))).tolist()
    lines = _advice(spec, announcement, table, asked, groups)
    if enough_decimals is not None:
        lines.insert(0, f"Only rounding exceeds it: write 'decimals: {enough_decimals}' under policy. Or:")
    advice = "\n  ".join(lines)
    raise Refused(
        f"{spec.document.title}: refused: the report would not keep the policy's ceiling\n  "
        + "\n  nor ".join(broken)
        + f".\n  {advice}\n"
        "  Which groups these are, and what would do, depends on the true rule: treat this message like the annex.\n"
        f"  Nothing was published.{spec.document.point_to_check('shows the groups')}"
    )


def _advice(
    spec: Spec, announcement: Announcement, table: DecisionTable, asked: Ceilings, groups: list[int]
) -> list[str]:
    """What would keep the ceilings, a sentence a line."""
    lines = []
    limit = None if asked.beta is None else in_steps(asked.beta, announcement.decimals)
    hopeless = 0 if limit is None else int((announcement.group_prior > limit).sum())
    if hopeless:
        lines.append(
            f"In {hopeless} of them the population alone gives more away than the ceiling allows, at any fidelity. "
            "Raise the ceiling, or make the public attributes coarser."
        )
    found = _found(spec, announcement, table, asked, groups)
    if found:
        lines.append(f"{'; or '.join(found)}.")
    elif not hopeless:
        lines.append(MECHANISMS[announcement.mechanism].advice)
    return lines


def _found(
    spec: Spec, announcement: Announcement, table: DecisionTable, asked: Ceilings, groups: list[int]
) -> list[str]:
    """Changes of the policy or of the values that would do, as far as they were found."""
    present, policy = announcement.fidelity, spec.policy
    most = MOST_CELLS if has_closed_form(table) else MOST_CELLS_PROGRAMMED
    if not isinstance(present, Closeness) or len(table.cells) > most:
        return []
    promise = rate_promise(policy, table)
    room = None if promise is None else rate_room(spec, table, promise)
    aims = partial(objective_of, ceilings=asked, minimise=(), decimals=policy.decimals, rate_move=room)
    found = []
    if announcement.mechanism != "optimal":
        return (
            ["'mechanism: optimal' would keep it at this fidelity"] if keeps_at(table, present, aims) else []
        )

    def is_kept(closeness: Closeness) -> bool:
        drafted = evaluate(spec, table, closeness)
        return drafted is not None and not drafted.above(asked)

    other = fidelity_that_keeps(table, present, aims, is_kept)
    if other is not None:
        number = f"delta: {other.delta}" if other.delta is not None else f"alpha: {other.alpha}"
        found.append(f"'{number}' would keep it")
    free = partial(objective_of, ceilings=asked, minimise=(), decimals=policy.decimals)
    if promise is not None and keeps_at(table, present, free):
        found.append("'rates: best', or no rates, would keep it")
    return found + list(_partners(table, present, aims, groups))


def _partners(table: DecisionTable, present: Closeness, aims: AimsOf, groups: list[int]) -> Iterable[str]:
    """Which of the first few groups could keep the ceilings together with another, if need be at a lower fidelity."""
    lowest = Closeness(delta=Decimal(0)) if present.delta is not None else Closeness(alpha=Decimal("0.001"))
    for group in groups[:MOST_GROUPS]:
        for fidelity, besides in ((present, ""), (lowest, ", with more distortion")):
            partner = partner_that_keeps(table, group, fidelity, aims)
            if partner is not None:
                other, attribute = partner
                label = table.cells.process.attribute(attribute).label or attribute
                names = f"{_name(table.cells, group)} with {_name(table.cells, other)}"
                yield f"join {names} under one value of {label}{besides}"
                break


def _in_words(spec: Spec, announcement: Announcement, name: str) -> str:
    """A ceiling as the spec has it."""
    written = spec.policy.privacy.model_dump(exclude_none=True) if spec.policy.privacy else {}
    asked = "gamma" if name == "beta" and "gamma" in written else name
    if asked in written:
        return f"{asked}: {written[asked]}"
    for attribute in announcement.cells.process.attributes:
        for value, ceiling in attribute.ceilings.items():
            if name == f"{attribute.name}: {value}":
                return f"{attribute.name}, ceilings: {{{value}: {ceiling}}}"
    return name


def _named(cells: Cells, groups: list[int]) -> str:
    """The first few groups by their public attributes, and how many more."""
    names = "; ".join(_name(cells, group) for group in groups[:MOST_GROUPS])
    return names + (f"; and {len(groups) - MOST_GROUPS} more" if len(groups) > MOST_GROUPS else "")


def _name(cells: Cells, group: int) -> str:
    labels = cells.labels(int(cells.group_starts[group]), cells.process.of_role("public"))
    return " · ".join(labels.values()) or "everybody"
