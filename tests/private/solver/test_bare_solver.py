"""The solver for arrays: rates that are kept, and how many cells are brought together for the compiled solver."""

import numpy as np
import pytest

from atreport import solve
from atreport.spec.policy import Aim
from tests.ceiling_problems import random_problem


@pytest.mark.parametrize("rates", [1, 0.98, 0.5, 0])
def test_rates_are_kept_as_close_as_asked(rates: float) -> None:
    """1 exactly, 0.98 within 0.02, 0 not at all: any number from 0 to 1, and none of the others."""
    problem = random_problem(np.random.default_rng(1), 40)
    labels = np.repeat(np.arange(40), np.diff(np.append(problem.cell_starts, len(problem.p))))
    given = problem.p, problem.d, problem.lo, problem.hi, labels
    found = solve(*given, rates=rates)
    people = np.add.reduceat(problem.p, problem.cell_starts)
    moves = np.abs(np.add.reduceat(problem.p * (found.announced - problem.d), problem.cell_starts)) / people
    assert (moves <= 1 - rates + 1e-11).all()
    assert rates == 1 or (moves > 1e-3).any()
    for wrong in (-0.01, 1.01):
        with pytest.raises(ValueError, match="rates"):
            solve(*given, rates=wrong)


def test_decimals_are_those_that_figures_are_printed_with_by_default() -> None:
    """Four, as in a spec that does not say: every stage but the last is kept as rounded up to these."""
    problem = random_problem(np.random.default_rng(2), 60)
    labels = np.repeat(np.arange(60), np.diff(np.append(problem.cell_starts, len(problem.p))))
    given = problem.p, problem.d, problem.lo, problem.hi, labels
    order: tuple[Aim, ...] = ("beta", "lift")
    four, five = (solve(*given, minimise=order, decimals=decimals).announced for decimals in (4, 5))
    np.testing.assert_array_equal(solve(*given, minimise=order).announced, four)
    assert (four != five).any()
