"""The least move of rates with which ceilings can be kept, by formula and by trying."""

from dataclasses import replace

import numpy as np
import pytest

from atreport.private.solver.objective import Objective
from atreport.private.solver.stages import keeps, least_rate_moves
from tests.ceiling_problems import random_problem

AIMS = [
    Objective(beta=0.7),
    Objective(beta=0.8, lift=3.0),
    Objective(minimise=("odds", "beta"), beta=0.8),
    Objective(lift=4.0, odds=15.0),
]


@pytest.mark.parametrize("aims", AIMS, ids=["beta", "beta and lift", "odds first", "odds"])
@pytest.mark.parametrize("cells", [1, 3])
def test_formula_gives_the_least_move_that_serves(aims: Objective, cells: int) -> None:
    """With a little more than the stated move of the rate every ceiling is kept, with a little less it is not."""
    problem = random_problem(np.random.default_rng(8), 200, cells_a_value=cells)
    moves = least_rate_moves(problem, aims)
    possible = np.isfinite(moves)
    kept_at_all = keeps(problem, aims)
    if aims.minimise[0] == "odds":  # the least odds factor comes first, and may leave no room for the ceiling
        assert (possible <= kept_at_all).all()
        return
    np.testing.assert_array_equal(possible, kept_at_all)
    assert 20 < possible.sum() < 200
    for group in np.flatnonzero(possible)[:60].tolist():
        alone = problem.only(np.arange(len(moves)) == group)
        assert keeps(replace(alone, rate_move=moves[group] + 1e-7), aims).all()
        if moves[group] > 1e-6:
            assert not keeps(replace(alone, rate_move=moves[group] - 1e-6), aims).any()


def test_no_rate_need_move_where_nothing_is_asked() -> None:
    """Without ceilings the true rate can be kept in every group."""
    problem = random_problem(np.random.default_rng(9), 200)
    np.testing.assert_allclose(least_rate_moves(problem, Objective()), 0.0, atol=1e-12)
