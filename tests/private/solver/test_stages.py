"""Least confidence, lift and odds under ceilings and rates, against linear programming."""

import numpy as np
import pytest

from atreport.private.solver.closed_form import ends_of, least_scale
from atreport.private.solver.objective import Objective
from atreport.private.solver.stages import keeps, odds_factor, solve_problem
from tests.ceiling_problems import judge, random_problem

ORDERS = {
    "beta": Objective(minimise=("beta",)),
    "beta, lift": Objective(minimise=("beta", "lift")),
    "lift, beta": Objective(minimise=("lift", "beta"), decimals=2),
    "odds, beta, lift": Objective(minimise=("odds", "beta", "lift")),
    "beta, lift under ceilings": Objective(minimise=("beta", "lift"), beta=0.7, lift=2.5),
    "nearest under ceilings": Objective(minimise=(), beta=0.8, lift=3.0),
    "beta, lift, odds": Objective(minimise=("beta", "lift", "odds")),
    "lift, odds": Objective(minimise=("lift", "odds"), decimals=2),
    "beta, lift, odds under ceilings": Objective(
        minimise=("beta", "lift", "odds"), beta=0.8, lift=4.0, odds=30.0
    ),
    "beta, lift under odds": Objective(minimise=("beta", "lift"), odds=12.0),
    "all under ceilings": Objective(minimise=("odds", "beta", "lift"), beta=0.8, lift=4.0, odds=30.0),
}
KINDS = [(rate, cells) for rate in (None, 0.02, 0.0) for cells in (1, 3)]


def _judge_many(name: str, groups: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    for rate_move, cells in KINDS:
        judge(random_problem(rng, groups, cells_a_value=cells, rate_move=rate_move), ORDERS[name])


@pytest.mark.parametrize("name", ORDERS)
def test_every_stage_is_the_optimum_of_the_linear_program(name: str) -> None:
    """HiGHS finds no mapping 1e-6 better at any stage, given the earlier ones as printed; a quick slice."""
    _judge_many(name, 8, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize("seed", range(5))
def test_every_stage_is_the_optimum_on_many_groups(name: str, seed: int) -> None:
    """3,000 groups of every order: with and without rates, one or several cells to a value."""
    _judge_many(name, 100, seed=100 + seed)


@pytest.mark.parametrize("seed", [2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 8))])
def test_ceilings_for_values_are_kept_where_they_can_be(seed: int) -> None:
    """Every value has a ceiling of its own; HiGHS agrees on who can keep them, and on what is then least."""
    rng = np.random.default_rng(seed)
    for rate_move, cells in KINDS:
        problem = random_problem(rng, 25, cells_a_value=cells, rate_move=rate_move)
        ceilings = np.minimum(problem.records.prior * rng.uniform(1, 4, len(problem.values)), 1.0)
        judge(problem, Objective(minimise=("beta", "lift"), values=(ceilings,)))


def test_lift_alone_has_its_closed_form() -> None:
    """λ* = max(1, L / Σ q min(hi, L), (1 - H) / Σ q min(1 - lo, 1 - H), 1 + L - H), with q the priors."""
    problem = random_problem(np.random.default_rng(3), 3_000)
    r = problem.records
    high, low = 1 - r.most(1 - r.hi), r.most(r.lo)
    terms = [np.ones_like(low), 1 + low - high]
    for largest, most in ((low, r.hi), (1 - high, 1 - r.lo)):
        even = r.sum(r.prior * np.minimum(most, r.each(largest)))
        terms.append(np.divide(largest, even, out=np.zeros_like(low), where=even > 0))
    found = least_scale(r, r.prior, np.ones_like(r.p))
    np.testing.assert_allclose(found, np.maximum.reduce(terms), rtol=1e-12)


def test_clip_is_the_least_odds_factor() -> None:
    """No mapping has a smaller odds factor than max(L/H, (1-H)/(1-L)); under δ it is at most (1-w)/w."""
    rng = np.random.default_rng(6)
    problem = random_problem(rng, 1_000, cells_a_value=2)
    solved, _ = solve_problem(problem, Objective(minimise=("odds", "beta")))
    least = ends_of(problem).factor
    found = odds_factor(problem, solved.announced)
    np.testing.assert_allclose(found, least, rtol=1e-9)
    width = (problem.hi - problem.lo).max()
    for _ in range(50):
        x = problem.lo + rng.random(len(problem.lo)) * (problem.hi - problem.lo)
        assert (odds_factor(problem, x) >= least * (1 - 1e-12)).all()
    assert width <= 0.8


def test_unmoved_groups_are_the_very_truth() -> None:
    """Where nothing is to be made least, a group whose true rule keeps the ceilings is announced to the last bit."""
    problem = random_problem(np.random.default_rng(7), 500, cells_a_value=3)
    aims = Objective(minimise=(), beta=0.9, lift=6.0, odds=40.0)
    solved, kept = solve_problem(problem, aims)
    np.testing.assert_array_equal(kept, keeps(problem, aims))
    r = problem.records
    q = np.add.reduceat(problem.p * problem.d, problem.values)
    s, people = r.sum(q), r.total
    ceilings = np.minimum(0.9, 6.0 * r.prior)
    over = np.maximum(q - ceilings * r.each(s), r.p - q - ceilings * r.each(people - s))
    fine = (r.most(over) <= 0) & (odds_factor(problem, problem.d) <= 40.0)
    assert fine.sum() > 50
    cells = np.repeat(fine, np.diff(np.append(problem.cell_starts, len(problem.p))))
    np.testing.assert_array_equal(solved.announced[cells], problem.d[cells])
