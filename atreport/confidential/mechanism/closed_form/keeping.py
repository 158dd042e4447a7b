"""From aims to stages: which ceilings each group can keep, and what is then solved under which of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.decision_table import FloatArray
from atreport.confidential.mechanism.aims import Aims
from atreport.confidential.mechanism.closed_form.ceilings import announced_cells, nearest_mapping, span
from atreport.confidential.mechanism.closed_form.families import least_scale
from atreport.confidential.mechanism.closed_form.odds import (
    Ends,
    ends_of,
    with_least_odds,
)
from atreport.confidential.mechanism.closed_form.odds_ceiling import (
    KEEPS,
    least_odds,
    rate_under_odds,
    scale_under_odds,
    solve_under_odds,
    with_least_odds_under,
)
from atreport.confidential.mechanism.closed_form.records import Problem, Records, each
from atreport.confidential.mechanism.closed_form.stages import (
    Solved,
    Stages,
    printed,
    solve_stages,
    tightened,
    weights_of,
)
from atreport.spec.models.policy import Aim

Groups = NDArray[np.bool_]


def solve_problem(problem: Problem, aims: Aims, solve: Stages = solve_stages) -> tuple[Solved, Groups]:
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


def keeps(problem: Problem, aims: Aims) -> Groups:
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


def least_rate_moves(problem: Problem, aims: Aims) -> FloatArray:
    """By group: the least move of the rate with which the ceilings can be kept; infinite where they cannot be.

    The totals that the ceilings allow are an interval, so it is the distance of the true total from it.
    """
    free = replace(problem, rate_move=None)
    box = with_least_odds(free) if _odds_first(aims) else free
    ceilings = policy_ceilings(free.records, aims)
    kept, given = _can_keep(box, ceilings, aims)
    records = box.records
    low, high = span(records, given)
    true = records.sum(records.p * records.d)
    move = np.maximum(np.maximum(low - true, true - high), 0.0) / records.total
    if not _odds_first(aims) and aims.odds is not None:
        move = rate_under_odds(free, given, np.full_like(move, aims.odds))
        kept = keeps(free, replace(aims, rate_move=None))
    return np.where(kept, move, np.inf)


def policy_ceilings(records: Records, aims: Aims) -> FloatArray:
    """By value: the smallest of the ceilings asked for; 1 is none."""
    ceilings = np.full_like(records.p, 1.0 if aims.beta is None else min(aims.beta, 1.0))
    if aims.lift is not None:
        ceilings = np.minimum(ceilings, aims.lift * records.prior)
    if aims.values is not None:
        ceilings = np.minimum(ceilings, aims.values[0])
    return ceilings


def _can_keep(problem: Problem, ceilings: FloatArray, aims: Aims) -> tuple[Groups, FloatArray]:
    """By group whether the ceilings can be kept; by value those that are kept, 1 where they cannot be."""
    records = problem.records
    if aims.beta is None and aims.lift is None and aims.values is None:
        return np.ones(len(records.starts), dtype=bool), ceilings
    scale = least_scale(records, ceilings, np.ones_like(ceilings))
    kept = scale <= 1 + KEEPS
    exact = np.minimum(ceilings * records.each(np.maximum(scale, 1.0)), 1.0)
    return kept, np.where(records.each(kept), exact, 1.0)


def _with_less_odds(
    problem: Problem, ceilings: FloatArray, kept: Groups, solved: Solved, aims: Aims
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
    problem: Problem, ceilings: FloatArray, kept: Groups, solved: Solved, aims: Aims
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


def _with_least_odds_last(problem: Problem, given: FloatArray, solved: Solved, aims: Aims) -> Solved:
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


def _stages(aims: Aims) -> tuple[Aim, ...]:
    """What is made least by ceilings: the odds factor is not."""
    return tuple(aim for aim in aims.minimise if aim != "odds")


def _odds_first(aims: Aims) -> bool:
    return aims.minimise[:1] == ("odds",)


def _without_ceilings(problem: Problem, stages: tuple[Aim, ...], aims: Aims) -> Solved:
    return solve_stages(problem, np.ones_like(problem.records.p), stages, aims.decimals)


def odds_factor(problem: Problem, announced: FloatArray) -> FloatArray:
    """By group: the odds factor of what is announced in its cells."""
    high = np.maximum.reduceat(announced, problem.cell_starts)
    low = np.minimum.reduceat(announced, problem.cell_starts)
    return Ends(high=low, low=high).factor


def _patched(problem: Problem, solved: Solved, chosen: Groups, part: Solved) -> Solved:
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
