"""What is made least, in order: each stage is solved under the ceilings of those before it, kept as they will be printed.

A stage is a family of ceilings, so its least number is exact. The last one is kept at its very least, and of the mappings
that are left the nearest to the truth is taken. The odds factor comes first, as tighter bounds, or it is a ceiling.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from atreport.private.data.decision_table import FloatArray
from atreport.private.solver.closed_form import (
    Ends,
    GroupProblem,
    GroupRecords,
    Rank,
    announced_cells,
    around,
    each,
    ends_of,
    is_less,
    is_unique,
    least_scale,
    limits_at,
    lowest_range,
    nearest_mapping,
    optimal_terms,
    ratio,
    search,
    span,
    totals_allowed,
    with_least_odds,
    within,
)
from atreport.private.solver.objective import Objective
from atreport.spec.policy import Aim


@dataclass(frozen=True, kw_only=True, eq=False)
class Solved:
    """By group what was made least, with proven lower limits; by cell what is announced."""

    least: dict[Aim, FloatArray]
    proven: dict[Aim, FloatArray]
    announced: FloatArray
    unique: NDArray[np.bool_]  # by group: no other mapping does as well


Stages = Callable[[GroupProblem, FloatArray, Sequence[Aim], int], Solved]
"""Solves the stages of every group under ceilings that it can keep (by value; 1 is none), for so many decimals."""


def printed(number: FloatArray, decimals: int) -> FloatArray:
    """The number as it is printed, rounded up; never below the number itself, nor a step up for rounding of floats."""
    steps = np.where(np.isfinite(number), number, 0.0) * 10.0**decimals
    return np.maximum(np.ceil(steps - 1e-9 - 1e-14 * steps) / 10.0**decimals, number)


def weights_of(aim: Aim, records: GroupRecords) -> FloatArray:
    """The family of ceilings of an aim: so much at t = 1."""
    return records.prior if aim == "lift" else np.ones_like(records.p)


def solve_stages(problem: GroupProblem, given: FloatArray, stages: Sequence[Aim], decimals: int) -> Solved:
    """The stages in plain NumPy."""
    records, ceilings = problem.records, given
    least: dict[Aim, FloatArray] = {}
    for place, aim in enumerate(stages):
        weights = weights_of(aim, records)
        if aim == "beta" and problem.rate_move is None and (ceilings == 1).all():
            number = optimal_terms(records.p, records.lo, records.hi, records.starts).optimum
        else:
            number = least_scale(records, weights, ceilings)
        least[aim] = number
        ceilings = tightened(
            ceilings, number, weights, records, None if place == len(stages) - 1 else decimals
        )
    return Solved(
        least=least,
        proven=least,
        announced=announced_cells(problem, nearest_mapping(records, ceilings)),
        unique=only_one(problem, ceilings),
    )


def tightened(
    ceilings: FloatArray, number: FloatArray, weights: FloatArray, records: GroupRecords, decimals: int | None
) -> FloatArray:
    """The ceilings with a stage's number kept as printed; without decimals, as it is."""
    kept = number if decimals is None else printed(number, decimals)
    return np.minimum(ceilings, records.each(kept) * weights)


def only_one(problem: GroupProblem, ceilings: FloatArray) -> NDArray[np.bool_]:
    """By group: whether no other mapping keeps the ceilings; with several cells to a value there are others."""
    alone = np.diff(np.append(problem.values, len(problem.p))) == 1
    return is_unique(problem.records, ceilings) & np.logical_and.reduceat(alone, problem.starts)


# From aims to stages: which ceilings each group can keep, and what is then solved under which of them.

Groups = NDArray[np.bool_]


def solve_problem(
    problem: GroupProblem, aims: Objective, solve: Stages = solve_stages
) -> tuple[Solved, Groups]:
    """Solve every group, and say which can keep the ceilings; the others are solved without them.

    `solve` solves stages: in plain NumPy, or compiled.
    """
    stages = _stages(aims)
    ceilings = policy_ceilings(problem.records, aims)
    box = with_least_odds(problem) if _odds_first(aims) else problem
    kept, given = _can_keep(box, ceilings, aims)
    if _odds_first(aims) and aims.odds is not None:
        kept &= ends_of(problem).factor <= aims.odds * (1 + KEEPS)
        given = np.where(problem.records.each(kept), given, 1.0)
    solved = solve(box, given, stages, aims.decimals)
    if _odds_first(aims) and not kept.all():
        kept, solved = _with_more_odds(problem, ceilings, kept, solved, aims)
    elif not _odds_first(aims) and aims.odds is not None:
        kept, solved = _with_less_odds(problem, ceilings, kept, solved, aims)
    if aims.minimise[1:] and aims.minimise[-1] == "odds":
        kept_ceilings = np.where(problem.records.each(kept), given, 1.0)
        solved = _with_least_odds_last(problem, kept_ceilings, solved, aims)
    if not aims.minimise and not kept.all():
        solved = _patched(problem, solved, ~kept, _without_ceilings(problem.only(~kept), ("beta",), aims))
    return solved, kept


def keeps(problem: GroupProblem, aims: Objective) -> Groups:
    """By group: whether ceilings and rates can be kept. No mapping is made, so that is quick."""
    ceilings = policy_ceilings(problem.records, aims)
    kept, _ = _can_keep(problem, ceilings, aims)
    if aims.odds is None:
        return kept
    kept &= ends_of(problem).factor <= aims.odds * (1 + KEEPS)
    at_once, _ = _can_keep(with_least_odds(problem), ceilings, aims)
    doubtful = kept & ~at_once
    if doubtful.any():
        part = problem.only(doubtful)
        factor = np.full(int(doubtful.sum()), aims.odds)
        scale = scale_under_odds(part, ceilings[problem.records.each(doubtful)], factor)
        kept[doubtful] = scale <= 1 + KEEPS
    return kept


def policy_ceilings(records: GroupRecords, aims: Objective) -> FloatArray:
    """By value: the smallest of the ceilings asked for; 1 is none."""
    ceilings = np.full_like(records.p, 1.0 if aims.beta is None else min(aims.beta, 1.0))
    if aims.lift is not None:
        ceilings = np.minimum(ceilings, aims.lift * records.prior)
    if aims.values is not None:
        ceilings = np.minimum(ceilings, aims.values[0])
    return ceilings


def _can_keep(problem: GroupProblem, ceilings: FloatArray, aims: Objective) -> tuple[Groups, FloatArray]:
    """By group whether the ceilings can be kept; by value those that are kept, 1 where they cannot be."""
    records = problem.records
    if aims.beta is None and aims.lift is None and aims.values is None:
        return np.ones(len(records.starts), dtype=bool), ceilings
    scale = least_scale(records, ceilings, np.ones_like(ceilings))
    kept = scale <= 1 + KEEPS
    exact = np.minimum(ceilings * records.each(np.maximum(scale, 1.0)), 1.0)
    return kept, np.where(records.each(kept), exact, 1.0)


def _with_less_odds(
    problem: GroupProblem, ceilings: FloatArray, kept: Groups, solved: Solved, aims: Objective
) -> tuple[Groups, Solved]:
    """Groups whose best mapping breaks the ceiling on the odds factor are solved again under it, if they can keep it."""
    assert aims.odds is not None
    broken = kept & (odds_factor(problem, solved.announced) > aims.odds * (1 + KEEPS))
    if not broken.any():
        return kept, solved
    part, of_part = problem.only(broken), ceilings[problem.records.each(broken)]
    factor = np.full(len(part.starts), aims.odds)
    scale = scale_under_odds(part, of_part, factor)
    fits = scale <= 1 + KEEPS
    kept = kept.copy()
    kept[broken] = fits
    again = _without_ceilings(part, _stages(aims), aims)
    if fits.any():
        inside, members = part.only(fits), part.records.each(fits)
        given = np.minimum(of_part[members] * inside.records.each(np.maximum(scale[fits], 1.0)), 1.0)
        factor = np.maximum(factor[fits], ends_of(inside).factor)
        found = solve_under_odds(inside, given, _stages(aims), aims.decimals, factor)
        again = _patched(part, again, fits, found)
    return kept, _patched(problem, solved, broken, again)


def _with_more_odds(
    problem: GroupProblem, ceilings: FloatArray, kept: Groups, solved: Solved, aims: Objective
) -> tuple[Groups, Solved]:
    """Groups that cannot keep the ceilings with the least odds factor of all get the least one with which they can."""
    possible, given = _can_keep(problem, ceilings, aims)
    if aims.odds is not None:
        possible &= ends_of(problem).factor <= aims.odds * (1 + KEEPS)
    again = possible & ~kept
    if not again.any():
        return kept, solved
    part, given = problem.only(again), given[problem.records.each(again)]
    factor = least_odds(part, given)
    if aims.odds is not None:
        fits = factor <= aims.odds * (1 + KEEPS)
        again[again] = fits
        if not fits.any():
            return kept, solved
        part, given, factor = part.only(fits), given[part.records.each(fits)], factor[fits]
    endless = np.isinf(factor)
    found = solve_stages(part, given, _stages(aims), aims.decimals)
    if not endless.all():
        inside = part.only(~endless)
        members = part.records.each(~endless)
        found = _patched(
            part,
            found,
            ~endless,
            solve_under_odds(
                inside, given[members], _stages(aims), aims.decimals, printed(factor[~endless], aims.decimals)
            ),
        )
    return kept | again, _patched(problem, solved, again, found)


def _with_least_odds_last(
    problem: GroupProblem, given: FloatArray, solved: Solved, aims: Objective
) -> Solved:
    """Of the mappings that keep what was made least before as it is printed, one with the least odds factor.

    A group keeps what it has where no other has less.
    """
    records, ceilings = problem.records, given
    for aim in _stages(aims):
        ceilings = tightened(ceilings, solved.least[aim], weights_of(aim, records), records, aims.decimals)
    box = with_least_odds_under(problem, ceilings)
    found = announced_cells(box, nearest_mapping(box.records, ceilings))
    less = odds_factor(problem, found) < odds_factor(problem, solved.announced)
    return replace(
        solved, announced=np.where(each(less, problem.cell_starts, len(problem.p)), found, solved.announced)
    )


def _stages(aims: Objective) -> tuple[Aim, ...]:
    """What is made least by ceilings: the odds factor is not."""
    return tuple(aim for aim in aims.minimise if aim != "odds")


def _odds_first(aims: Objective) -> bool:
    return aims.minimise[:1] == ("odds",)


def _without_ceilings(problem: GroupProblem, stages: tuple[Aim, ...], aims: Objective) -> Solved:
    return solve_stages(problem, np.ones_like(problem.records.p), stages, aims.decimals)


def odds_factor(problem: GroupProblem, announced: FloatArray) -> FloatArray:
    """By group: the odds factor of what is announced in its cells."""
    high = np.maximum.reduceat(announced, problem.cell_starts)
    low = np.minimum.reduceat(announced, problem.cell_starts)
    return Ends(high=low, low=high).factor


def _patched(problem: GroupProblem, solved: Solved, chosen: Groups, part: Solved) -> Solved:
    """The solution with some groups solved otherwise."""

    def put(into: NDArray[np.float64], where: Groups, values: FloatArray) -> FloatArray:
        result = into.copy()
        result[where] = values
        return result

    unique = solved.unique.copy()
    unique[chosen] = part.unique
    return Solved(
        least={aim: put(number, chosen, part.least[aim]) for aim, number in solved.least.items()},
        proven={aim: put(number, chosen, part.proven[aim]) for aim, number in solved.proven.items()},
        announced=put(solved.announced, each(chosen, problem.cell_starts, len(problem.p)), part.announced),
        unique=unique,
    )


# The stages under a ceiling ρ on the odds factor: for every l all cells lie in [l, u(l)], and the best l is
# searched.
#
# Guarantee: the proven lower limit is the least number of bounds that leave everything which any l of the
# last, narrow interval leaves.

KEEPS = 1e-12
"""Ceilings that are missed by less, relatively, are kept: that much is rounding of floats."""

_BISECTIONS = 45
_ROOM = 1e-9
"""The least odds factor is kept but for so much, relatively, so that rounding of floats leaves a mapping that has it."""

_ENDLESS = 1e9
"""An odds factor above this is as good as none."""


def solve_under_odds(
    problem: GroupProblem, given: FloatArray, stages: Sequence[Aim], decimals: int, factor: FloatArray
) -> Solved:
    """Solve every group under ceilings that it can keep together with the odds factor (by group)."""
    ends = lowest_range(ends_of(problem), factor)
    ceilings, lowest = given, ends[0]
    least: dict[Aim, FloatArray] = {}
    proven: dict[Aim, FloatArray] = {}
    for place, aim in enumerate(stages):
        weights = weights_of(aim, problem.records)
        lowest, narrow = search(*ends, _rank_by_scale(problem, factor, ceilings, weights))
        least[aim] = least_scale(within(problem, lowest, factor).records, weights, ceilings)
        looser = around(problem, *narrow, factor).records
        proven[aim] = np.minimum(least_scale(looser, weights, ceilings), least[aim])
        last = place == len(stages) - 1
        ceilings = tightened(ceilings, least[aim], weights, problem.records, None if last else decimals)
    by_distance = _rank_by_distance(problem, factor, ceilings)
    nearest, _ = search(*ends, by_distance)
    if stages:  # what is least was found at one l, and may be so at no other
        nearest = np.where(is_less(by_distance(nearest), by_distance(lowest)), nearest, lowest)
    box = within(problem, nearest, factor)
    return Solved(
        least=least,
        proven=proven,
        announced=announced_cells(box, nearest_mapping(box.records, ceilings)),
        unique=only_one(box, ceilings),
    )


def scale_under_odds(problem: GroupProblem, ceilings: FloatArray, factor: FloatArray) -> FloatArray:
    """By group: by how much the ceilings must grow to be kept together with the odds factor; infinite if that cannot be."""
    ends = ends_of(problem)
    possible = ends.factor <= factor * (1 + KEEPS)
    factor = np.where(possible, np.maximum(factor, ends.factor), factor)
    free = np.ones_like(ceilings)

    def scale(lowest: FloatArray) -> FloatArray:
        return least_scale(within(problem, lowest, factor).records, ceilings, free)

    best, _ = search(*lowest_range(ends, factor), lambda lowest: [scale(lowest)])
    return np.where(possible, scale(best), np.inf)


def least_odds(problem: GroupProblem, ceilings: FloatArray) -> FloatArray:
    """By group: the least odds factor with which the ceilings can be kept, which they can without; infinite if endless."""
    closest = 1 / ends_of(problem).factor  # at 0 anything goes
    kept, missed = np.zeros_like(closest), closest
    for _ in range(_BISECTIONS):
        middle = (kept + missed) / 2
        factor = 1 / np.maximum(middle, 1 / _ENDLESS)
        fits = scale_under_odds(problem, ceilings, factor) <= 1 + KEEPS
        kept, missed = np.where(fits, middle, kept), np.where(fits, missed, middle)
    return np.where(kept > 1 / _ENDLESS, 1 / np.maximum(kept, 1 / _ENDLESS), np.inf)


def with_least_odds_under(problem: GroupProblem, ceilings: FloatArray) -> GroupProblem:
    """The same with bounds that leave, under ceilings that can be kept, mappings of the least odds factor only.

    At a total s every value's q = p·x lies between two ends. All cells can be at least m where raising them to m overfills
    neither a value nor s, and at most M likewise, whatever the other of the two is; so R at s is that of the largest m and
    the least M, and it is quasi-convex in s. Where it is infinite, nothing is narrowed.
    """
    records = problem.records
    best, _ = search(
        *totals_allowed(records, ceilings), lambda total: [_ends_at(problem, ceilings, total).factor]
    )
    ends = _ends_at(problem, ceilings, best)
    finite = np.isfinite(ends.factor)
    factor = np.where(finite, ends.factor, 1.0) * (1 + _ROOM)
    low, high = (
        np.minimum(ends.high, ends.low),
        np.maximum(ends.high, ends.low),
    )  # one apart from the other by rounding
    low = (low + np.maximum(high / factor, 1 - factor * (1 - high))) / 2
    cap = np.maximum(np.minimum(factor * low, 1 - (1 - low) / factor), high)
    return problem.between(np.where(finite, low, 0.0), np.where(finite, cap, 1.0))


def _ends_at(problem: GroupProblem, ceilings: FloatArray, total: FloatArray) -> Ends:
    """Between which probabilities the cells must reach at least, at a total that keeps the ceilings."""
    least, most = limits_at(total, problem.records, ceilings)
    people = problem.records.p
    up = _raised(problem, problem.lo, least, most, total)
    down = _raised(problem, 1 - problem.hi, people - most, people - least, problem.records.total - total)
    high = np.minimum.reduceat(problem.hi, problem.cell_starts)
    low = np.maximum.reduceat(problem.lo, problem.cell_starts)
    return Ends(high=np.minimum(high, up), low=np.maximum(low, 1 - down))


def _raised(
    problem: GroupProblem, lower: FloatArray, least: FloatArray, most: FloatArray, total: FloatArray
) -> FloatArray:
    """By group: the highest level to which all cells can be raised, no value above its most and all not above the total.

    Newton's method from the right, for both at once: each is convex in the level.
    """
    p, values, starts = problem.p, problem.values, problem.starts
    level = np.ones(len(starts))
    for _ in range(len(p) + 1):
        of_cells = each(level, problem.cell_starts, len(p))
        reached = np.add.reduceat(p * np.maximum(lower, of_cells), values)
        rises = np.add.reduceat(np.where(lower < of_cells, p, 0.0), values)
        lacking = np.add.reduceat(np.maximum(reached, least), starts) - total
        slope = np.add.reduceat(np.where(reached > least, rises, 0.0), starts)
        above = np.maximum.reduceat(ratio(np.maximum(reached - most, 0.0), rises), starts)
        following = np.maximum(level - np.maximum(ratio(np.maximum(lacking, 0.0), slope), above), 0.0)
        moved = following < level * (1 - 1e-15)
        if not moved.any():
            break
        level = np.where(moved, following, level)
    return level


def _rank_by_scale(
    problem: GroupProblem, factor: FloatArray, ceilings: FloatArray, weights: FloatArray
) -> Rank:
    """First that the ceilings so far can be kept, then the least number of the family."""

    def rank(lowest: FloatArray) -> list[FloatArray]:
        records = within(problem, lowest, factor).records
        low, high = span(records, ceilings)
        missing = np.maximum(low - high - KEEPS * records.total, 0.0)
        return [missing, np.where(missing > 0, 0.0, least_scale(records, weights, ceilings))]

    return rank


def _rank_by_distance(problem: GroupProblem, factor: FloatArray, ceilings: FloatArray) -> Rank:
    """First that the ceilings can be kept, then how little the rate moves, then how few people's probabilities do."""

    def rank(lowest: FloatArray) -> list[FloatArray]:
        box = within(problem, lowest, factor)
        records = box.records
        low, high = span(records, ceilings)
        missing = np.maximum(low - high - KEEPS * records.total, 0.0)
        true = records.sum(records.p * records.d)
        rate = np.maximum(np.maximum(low - true, true - high), 0.0)
        cells = announced_cells(box, nearest_mapping(records, ceilings))
        moved = np.add.reduceat(box.p * np.abs(cells - box.d), box.cell_starts)
        return [missing, rate, moved]

    return rank


# Whether a table is large enough for the compiled solver, and the stages solved by it.

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
    from atreport.private.solver import compiled

    return compiled


def solve_stages_compiled(
    problem: GroupProblem, given: FloatArray, stages: Sequence[Aim], decimals: int
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
