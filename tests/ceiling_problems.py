"""Random groups of every awkward kind, and what an independent judge must say of their solutions."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.private.solver.closed_form import GroupProblem, ends_of
from atreport.private.solver.objective import Objective
from atreport.private.solver.stages import Solved, odds_factor, policy_ceilings, printed, solve_problem
from tests.ceiling_oracle import Question, none_keeps, some_keeps

FloatArray = NDArray[np.float64]
WIDTHS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4)


def random_problem(
    rng: np.random.Generator, groups: int, *, cells_a_value: int = 1, rate_move: float | None = None
) -> GroupProblem:
    """Groups of 1 to 7 values, with hard and soft rules, small and large values, and bounds of every width."""
    of_group = rng.integers(1, 8, groups)
    of_value = rng.integers(1, cells_a_value + 1, int(of_group.sum()))
    values, starts = (np.cumsum(n) - n for n in (of_value, of_group))
    cells = int(of_value.sum())
    group = np.repeat(np.repeat(np.arange(groups), of_group), of_value)
    soft = rng.random(groups)[group] < 0.5
    d = np.where(soft, rng.random(cells), rng.integers(0, 2, cells).astype(float))
    d = np.where(rng.random(cells) < 0.1, d.round(1), d)
    width = rng.choice(WIDTHS, groups)[group]
    return GroupProblem(
        p=(rng.integers(1, 60, cells) * rng.choice([1, 1, 10], cells)).astype(float),
        d=d,
        lo=np.clip(d - width, 0, 1),
        hi=np.clip(d + width, 0, 1),
        values=values,
        starts=starts,
        rate_move=rate_move,
    )


def judge(problem: GroupProblem, aims: Objective) -> tuple[Solved, NDArray[np.bool_]]:
    """Solve, and let HiGHS say of every stage that its number can be kept and that 1e-6 less cannot be.

    What is announced keeps bounds, rates and all ceilings; groups that are said not to keep the ceilings cannot.
    """
    solved, kept = solve_problem(problem, aims)
    records, announced = problem.records, solved.announced
    assert (problem.lo <= announced).all()
    assert (announced <= problem.hi).all()
    asked = policy_ceilings(records, aims)
    odds = np.where(kept, np.inf if aims.odds is None else aims.odds, np.inf)
    if aims.minimise[:1] == ("odds",):  # where ceilings raise the least factor, it is kept as printed
        odds = odds_factor(problem, announced)
        least = ends_of(problem).factor
        odds = np.where(odds <= least * (1 + 1e-9), odds, printed(odds, aims.decimals))
    assert (odds_factor(problem, announced) <= odds * (1 + 1e-9)).all()
    if not kept.all():
        limit = np.full(len(kept), np.inf if aims.odds is None else aims.odds)
        lower = _questions(problem, asked * (1 - 1e-6), limit, announced)
        assert none_keeps([q for q, fine in zip(lower, kept, strict=True) if not fine]).all()
    ceilings = np.where(records.each(kept), asked, 1.0)
    stages = [aim for aim in aims.minimise if aim != "odds"]
    for aim in stages:
        number, weights = solved.least[aim], records.prior if aim == "lift" else np.ones_like(records.p)
        assert (solved.proven[aim] <= number).all()
        assert (number - solved.proven[aim] <= 1e-6 * np.maximum(number, 1)).all()
        last = aim == aims.minimise[-1]
        kept_at = number * (1 + 1e-9) if last else printed(number, aims.decimals)
        above = np.minimum(ceilings, records.each(kept_at) * weights)
        assert some_keeps(_questions(problem, above, odds * (1 + 1e-9), announced)).all()
        below = np.minimum(ceilings, records.each(number - 1e-6 * np.maximum(number, 1)) * weights)
        assert none_keeps(_questions(problem, below, odds * (1 + 1e-9), announced)).all()
        ceilings = np.minimum(
            ceilings, records.each(number if last else printed(number, aims.decimals)) * weights
        )
    if aims.minimise:
        check_mapping(problem, ceilings, announced)
    if aims.minimise[1:] and aims.minimise[-1] == "odds":
        less = 1 / (1 / odds_factor(problem, announced) + 1e-6)  # at most 1e6, where no factor is finite
        fewer = _questions(problem, ceilings, less, announced)
        assert none_keeps([q for q, factor in zip(fewer, less, strict=True) if factor >= 1]).all()
    return solved, kept


def check_mapping(problem: GroupProblem, ceilings: FloatArray, announced: FloatArray) -> None:
    """What is announced keeps every ceiling and the rate, up to rounding of floats."""
    records = problem.records
    q = np.add.reduceat(problem.p * announced, problem.values)
    s, people = records.sum(q), records.total
    each: Any = records.each
    assert (q - ceilings * each(s) <= 1e-11 * each(people)).all()
    assert (records.p - q - ceilings * each(people - s) <= 1e-11 * each(people)).all()
    least, most = problem.totals
    assert (least - s <= 1e-11 * people).all()
    assert (s - most <= 1e-11 * people).all()


def _questions(
    problem: GroupProblem, ceilings: FloatArray, odds: FloatArray, announced: FloatArray
) -> list[Question]:
    ends, value_ends = (
        np.append(problem.cell_starts, len(problem.p)),
        np.append(problem.starts, len(problem.values)),
    )
    value = np.repeat(np.arange(len(problem.values)), np.diff(np.append(problem.values, len(problem.p))))
    least, most = problem.totals
    found = []
    for g in range(len(problem.starts)):
        here = slice(ends[g], ends[g + 1])
        p = problem.p[here]
        found.append(
            Question(
                p=p,
                lo=problem.lo[here],
                hi=problem.hi[here],
                value=value[here] - problem.starts[g],
                ceilings=ceilings[value_ends[g] : value_ends[g + 1]],
                totals=(least[g] - 1e-12 * p.sum(), most[g] + 1e-12 * p.sum()),
                odds=float(odds[g]),
                near=float(p @ announced[here] / p.sum()),
            )
        )
    return found
