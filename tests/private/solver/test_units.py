"""What is announced does not depend on the unit in which people are counted: ones, thousands or parts of all."""

from dataclasses import replace

import numpy as np
import pytest

from atreport.private.solver.objective import Objective
from atreport.private.solver.stages import keeps, solve_problem
from tests.ceiling_problems import random_problem

AIMS = [
    Objective(minimise=("beta", "lift")),
    Objective(minimise=("lift", "beta"), beta=0.8),
    Objective(minimise=("odds", "beta", "lift"), lift=3.0),
    Objective(minimise=("beta",), lift=2.0, odds=6.0),
    Objective(minimise=(), beta=0.7),
]


@pytest.mark.parametrize("rate_move", [None, 0.02])
@pytest.mark.parametrize("aims", AIMS, ids=str)
@pytest.mark.parametrize("unit", [2.0**-16, 2.0**20])
def test_people_in_another_unit_give_the_same_figures_to_the_last_bit(
    unit: float, aims: Objective, rate_move: float | None
) -> None:
    """A power of two changes no digit of a float: what differs was compared with a number of people."""
    problem = random_problem(np.random.default_rng(8), 40, cells_a_value=2, rate_move=rate_move)
    scaled = replace(problem, p=problem.p * unit)
    (one, kept), (other, kept_too) = solve_problem(problem, aims), solve_problem(scaled, aims)
    np.testing.assert_array_equal(kept, kept_too)
    np.testing.assert_array_equal(one.announced, other.announced)
    np.testing.assert_array_equal(one.unique, other.unique)
    for aim in one.least:
        np.testing.assert_array_equal(one.least[aim], other.least[aim])
        np.testing.assert_array_equal(one.proven[aim], other.proven[aim])
    np.testing.assert_array_equal(keeps(problem, aims), keeps(scaled, aims))
