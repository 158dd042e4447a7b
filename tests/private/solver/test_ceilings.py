"""The core of the closed form on groups small enough to reason about, and against plain searches."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog

from atreport.private.solver.closed_form import (
    GroupProblem,
    ends_of,
    is_unique,
    least_scale,
)
from atreport.private.solver.objective import Objective
from atreport.private.solver.stages import odds_factor, policy_ceilings, solve_problem
from tests.ceiling_problems import FloatArray, check_mapping, random_problem


def one_group(p: list[float], lo: list[float], hi: list[float], d: list[float] | None = None) -> GroupProblem:
    """A group of one cell to a value; the truth is in the middle of its bounds."""
    least, most = np.array(lo, dtype=np.float64), np.array(hi, dtype=np.float64)
    return GroupProblem(
        p=np.array(p, dtype=np.float64),
        d=(least + most) / 2 if d is None else np.array(d, dtype=np.float64),
        lo=least,
        hi=most,
        values=np.arange(len(p)),
        starts=np.array([0]),
    )


def unique(problem: GroupProblem, ceiling: float) -> bool:
    """Whether one mapping only keeps a ceiling on the confidence in every value."""
    return bool(is_unique(problem.records, np.full(len(problem.p), ceiling))[0])


def test_one_mapping_only() -> None:
    """Where bounds leave no choice, and at the least confidence of a value that is held up; not where there is room."""
    fixed = one_group([10, 20], [0.3, 0.6], [0.3, 0.6])
    assert unique(fixed, 1.0)
    assert not unique(one_group([10, 20], [0.2, 0.5], [0.3, 0.6]), 1.0)
    # the favourable outcome of the second is at least 12 of at most 12 + 4, so 0.75 is reached in one way
    held = one_group([10, 20], [0.1, 0.6], [0.4, 0.9])
    assert unique(held, 0.75)
    assert not unique(held, 0.8)
    alone = one_group([10], [0.2], [0.9])
    assert not unique(alone, 1.0)


def room_left(group: GroupProblem, ceilings: FloatArray) -> float:
    """By how much some probability can differ between two mappings that keep the ceilings: two linear programs a value."""
    p, number, widest = group.p, len(group.p), 0.0
    own, total = np.eye(number), np.ones(number)
    limits = np.vstack([own - ceilings[:, None] * total, -own + ceilings[:, None] * total])
    bounds = np.concatenate([np.zeros(number), ceilings * p.sum() - p])
    box = list(zip(p * group.lo, p * group.hi, strict=True))
    for place in range(number):
        ends = [linprog(sign * own[place], A_ub=limits, b_ub=bounds + 1e-9, bounds=box) for sign in (1, -1)]
        least, most = (float(end.fun or 0.0) for end in ends)
        assert all(end.status == 0 for end in ends)
        widest = max(widest, (-most - least) / p[place])
    return widest


def test_a_mapping_is_the_only_one_exactly_where_linear_programs_leave_no_room() -> None:
    """At the least confidence, at the least lift, and a little above them, in groups of every kind."""
    problem, found = random_problem(np.random.default_rng(9), 20), {True: 0, False: 0}
    for number in range(20):
        group = problem.only(np.arange(20) == number)
        records, none = group.records, np.ones(len(group.p))
        for weights, wider in ((none, 1.0), (records.prior, 1.0), (none, 1.02)):
            ceilings = np.minimum(least_scale(records, weights, none)[0] * weights * wider, 1.0)
            room = room_left(group, ceilings)
            if 1e-6 < room < 1e-4:
                continue
            assert bool(is_unique(records, ceilings)[0]) == (room <= 1e-6), (number, wider)
            found[room <= 1e-6] += 1
    assert min(found.values()) > 10


def test_groups_alone_have_the_ends_that_they_have_among_others() -> None:
    """A single cell too: where its rate is kept exactly, nothing but the truth can be announced."""
    problem = random_problem(np.random.default_rng(1), 60, rate_move=0.0)
    ends = ends_of(problem)
    for number in range(60):
        alone = problem.only(np.arange(60) == number)
        found = ends_of(alone)
        np.testing.assert_allclose(
            [found.low[0], found.high[0]], [ends.low[number], ends.high[number]], atol=1e-12
        )
        if len(alone.p) == 1:
            np.testing.assert_allclose([found.low[0], found.high[0]], [alone.d[0]] * 2, atol=1e-12)


@pytest.mark.parametrize(
    "aims", [Objective(minimise=(), beta=0.75, odds=6.0), Objective(minimise=(), lift=2.0, odds=9.0)]
)
def test_what_is_nearest_to_the_truth_keeps_ceilings_and_odds_together(aims: Objective) -> None:
    """In every group that is said to keep them; some groups had to be solved again for their odds."""
    problem = random_problem(np.random.default_rng(12), 150)
    solved, kept = solve_problem(problem, aims)
    without, _ = solve_problem(problem, replace(aims, odds=None))
    again = kept & (odds_factor(problem, without.announced) > (aims.odds or 0) * 1.001)
    assert again.sum() > 2
    inside = problem.only(kept)
    cells = np.repeat(kept, np.diff(np.append(problem.cell_starts, len(problem.p))))
    check_mapping(inside, policy_ceilings(inside.records, aims), solved.announced[cells])
    assert (odds_factor(inside, solved.announced[cells]) <= (aims.odds or 0) * (1 + 1e-9)).all()


def test_more_odds_are_given_up_to_the_ceiling_itself() -> None:
    """A ceiling on confidence costs this group a factor of 2.99, which an odds ceiling of 2.995 allows."""
    group = one_group([1, 59, 56], [0, 0, 0.6], [0.4, 0.4, 1], d=[0, 0, 1])
    asked = Objective(minimise=("odds",), values=(np.full(3, 0.6041025999440872),), odds=2.995)
    solved, kept = solve_problem(group, asked)
    assert kept.all()
    assert odds_factor(group, solved.announced)[0] <= 2.995
    check_mapping(group, np.full(3, 0.6041025999440872), solved.announced)
    assert 2.98 < least_factor_by_search(group, 0.6041025999440872) < 3.01


def least_factor_by_search(group: GroupProblem, ceiling: float) -> float:
    """The least odds factor of a mapping that keeps the ceiling, over a fine grid of mappings of three cells."""
    first, second, third = np.meshgrid(
        *(np.linspace(lo, hi, 81) for lo, hi in zip(group.lo, group.hi, strict=True))
    )
    x: FloatArray = np.stack([first.ravel(), second.ravel(), third.ravel()])
    worst = np.zeros(x.shape[1])
    for of in (x, 1 - x):
        joint = group.p[:, None] * of
        worst = np.maximum(worst, joint.max(axis=0) / np.maximum(joint.sum(axis=0), 1e-12))
    fine = x[:, (worst <= ceiling) & (x.min(axis=0) > 0) & (x.max(axis=0) < 1)]
    rise, fall = fine.max(axis=0) / fine.min(axis=0), (1 - fine.min(axis=0)) / (1 - fine.max(axis=0))
    return float(np.maximum(rise, fall).min())
