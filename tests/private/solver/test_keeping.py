"""Which ceilings can be kept together, at their very limits; and who is solved again when one is missed."""

from dataclasses import replace

import numpy as np
import pytest

from atreport.private.solver.closed_form import GroupProblem, ends_of
from atreport.private.solver.objective import Objective
from atreport.private.solver.stages import (
    keeps,
    odds_factor,
    solve_problem,
)
from tests.ceiling_problems import judge, random_problem


def group_of(problem: GroupProblem, number: int) -> GroupProblem:
    """One group alone."""
    return problem.only(np.arange(len(problem.starts)) == number)


def test_an_odds_ceiling_at_the_least_factor_is_kept() -> None:
    """At the limit itself it is kept, a thousandth below it is not, whatever is made least first."""
    problem, tried = random_problem(np.random.default_rng(1), 30), 0
    for number, factor in enumerate(ends_of(problem).factor.tolist()):
        alone = group_of(problem, number)
        if not 1.01 < factor < np.inf:
            continue
        tried += 1
        for minimise in (("odds", "beta"), ("beta",)):
            at, below = (Objective(minimise=minimise, odds=odds) for odds in (factor, factor * 0.999))
            assert keeps(alone, at).all()
            assert solve_problem(alone, at)[1].all()
            assert not keeps(alone, below).any()
            assert not solve_problem(alone, below)[1].any()
    assert tried > 3


@pytest.mark.slow
def test_an_odds_ceiling_beside_another_is_kept_from_the_least_factor_on_that_both_allow() -> None:
    """Where a ceiling on confidence costs odds, a ceiling just above that cost is kept, and just below it is not."""
    problem = random_problem(np.random.default_rng(2), 40)
    records, has = problem.records, np.zeros(40)
    free = solve_problem(problem, Objective(minimise=("odds",)))[0].announced
    for x in (free, 1 - free):
        share = records.sum(records.p * x)
        has = np.maximum(has, np.divide(records.most(records.p * x), share, out=has.copy(), where=share > 0))
    least = solve_problem(problem, Objective(minimise=("beta",)))[0].least["beta"]
    first = Objective(minimise=("odds",), values=(records.each((has + least) / 2),))
    solved, kept = solve_problem(problem, first)
    factor = odds_factor(problem, solved.announced)
    costs = kept & (has - least > 1e-3) & (factor < 1e4) & (factor > ends_of(problem).factor * 1.01)
    assert costs.sum() > 3
    for number in np.flatnonzero(costs)[:2].tolist():
        alone, own = group_of(problem, number), records.each(np.arange(40) == number)
        asked = replace(first, values=(first.values[0][own],) if first.values else None)
        assert solve_problem(alone, replace(asked, odds=factor[number] * 1.001))[1].all()
        assert not solve_problem(alone, replace(asked, odds=factor[number] * 0.995))[1].any()


def test_groups_that_keep_the_odds_ceiling_are_not_solved_again() -> None:
    """Their announced figures are those without the ceiling, to the last bit; the others change."""
    problem = random_problem(np.random.default_rng(3), 120)
    for aims in (Objective(minimise=("beta", "lift")), Objective(minimise=(), beta=0.9)):
        before, kept_before = solve_problem(problem, aims)
        after, kept = solve_problem(problem, replace(aims, odds=8.0))
        fine = kept_before & (odds_factor(problem, before.announced) <= 8.0)
        cells = np.repeat(fine, np.diff(np.append(problem.cell_starts, len(problem.p))))
        assert 10 < fine.sum() < 110
        assert kept[fine].all()
        assert not kept[~kept_before].any()
        np.testing.assert_array_equal(after.announced[cells], before.announced[cells])


@pytest.mark.parametrize(
    "aims",
    [
        Objective(minimise=("beta", "lift"), beta=0.8, lift=2.5, odds=6.0),
        Objective(minimise=(), lift=2.0, odds=9.0),
    ],
)
def test_ceilings_and_odds_together_are_the_optimum_of_the_linear_program(aims: Objective) -> None:
    """HiGHS agrees on who can keep them all, and on what is then least."""
    _, kept = judge(random_problem(np.random.default_rng(4), 25), aims)
    assert kept.any()
    assert not kept.all()
