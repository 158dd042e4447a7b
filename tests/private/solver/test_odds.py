"""The odds factor in closed form: ends, levels and the search along one line, against the definitions."""

from itertools import pairwise

import numpy as np
import pytest

from atreport.private.solver.closed_form import (
    Ends,
    GroupProblem,
    _highest,
    ends_of,
    lowest_range,
    with_least_odds,
)
from atreport.private.solver.stages import scale_under_odds
from tests.ceiling_problems import FloatArray, random_problem


def one_by_one(low: float, high: float) -> float:
    """The least factor of two cells, one of at least `low` and one of at most `high`, from the definition."""
    if low <= high:
        return 1.0
    if high == 0 or low == 1:
        return np.inf
    return max(low / high, (1 - high) / (1 - low))


def test_factor_of_two_ends_is_the_larger_ratio_of_both_outcomes() -> None:
    """1 where a constant will do, infinite where an outcome is certain in one cell and not in another."""
    ends = [(low, high) for low in np.linspace(0, 1, 6) for high in np.linspace(0, 1, 6)]
    low, high = np.array(ends).T
    expected = [one_by_one(a, b) for a, b in ends]
    np.testing.assert_allclose(Ends(high=high, low=low).factor, expected, rtol=1e-12)


def groups_apart(problem: GroupProblem) -> list[slice]:
    """The cells of each group."""
    ends = np.append(problem.cell_starts, len(problem.p))
    return [slice(a, b) for a, b in pairwise(ends)]


def level_of(p: FloatArray, lower: FloatArray, most: float) -> float:
    """The largest l up to 1 with Σ p·max(lower, l) ≤ most, by halving."""
    low, high = 0.0, 1.0
    if (p * np.maximum(lower, 1.0)).sum() <= most:
        return 1.0
    for _ in range(60):
        middle = (low + high) / 2
        fits = (p * np.maximum(lower, middle)).sum() <= most
        low, high = (middle, high) if fits else (low, middle)
    return low


@pytest.mark.parametrize("rate_move", [0.0, 0.03])
def test_ends_with_rates_kept_are_the_levels_at_which_the_rate_is_reached(rate_move: float) -> None:
    """No mapping that keeps the rate has all cells above the one, nor all below the other; single cells too."""
    problem = random_problem(np.random.default_rng(1), 60, rate_move=rate_move)
    ends, (least, most) = ends_of(problem), problem.totals
    assert min(np.diff(np.append(problem.cell_starts, len(problem.p)))) == 1
    for g, here in enumerate(groups_apart(problem)):
        p, lo, hi = problem.p[here], problem.lo[here], problem.hi[here]
        high = min(hi.min(), level_of(p, lo, most[g] * (1 + 1e-13)))
        low = max(lo.max(), 1 - level_of(p, 1 - hi, (p.sum() - least[g]) * (1 + 1e-13)))
        assert ends.high[g] == pytest.approx(high, abs=1e-9)
        assert ends.low[g] == pytest.approx(low, abs=1e-9)


def test_bounds_of_the_least_factor_are_a_constant_or_both_ends() -> None:
    """The rate itself where it fits all, the nearest constant to it else; without limit nothing is drawn in."""
    problem = random_problem(np.random.default_rng(2), 80, cells_a_value=2)
    ends, box = ends_of(problem), with_least_odds(problem)
    for g, here in enumerate(groups_apart(problem)):
        p, lo, hi = problem.p[here], problem.lo[here], problem.hi[here]
        low, high = lo.max(), hi.min()
        assert (ends.low[g], ends.high[g]) == (low, high)
        floor, cap = high, low
        if low <= high:
            floor = cap = np.clip((p * problem.d[here]).sum() / p.sum(), low, high)
        elif np.isinf(ends.factor[g]):
            floor, cap = 0.0, 1.0
        np.testing.assert_allclose(box.lo[here], np.maximum(lo, floor), atol=1e-15)
        np.testing.assert_allclose(box.hi[here], np.maximum(np.minimum(hi, cap), box.lo[here]), atol=1e-15)


def test_the_highest_above_the_lowest_has_exactly_the_factor() -> None:
    """[l, u(l)] has the odds factor it is made for, and the range of l reaches both ends."""
    rng = np.random.default_rng(3)
    lowest, factor = rng.uniform(0.01, 0.9, 200), rng.uniform(1.01, 9, 200)
    highest = _highest(lowest, factor)
    found = np.maximum(highest / lowest, (1 - lowest) / (1 - highest))
    np.testing.assert_allclose(found, factor, rtol=1e-9)
    low, high = highest, np.minimum(lowest * 1.001, 1)  # ends whose factor is a little less
    left, right = lowest_range(Ends(high=high, low=low), factor)
    np.testing.assert_array_equal(right, high)
    np.testing.assert_allclose(left, lowest, rtol=1e-9)  # u(left) is just enough to reach `low`
    assert lowest_range(Ends(high=np.array([0.5]), low=np.array([0.2])), np.array([50.0]))[0] == 0.2 / 50


def test_ceilings_are_not_kept_under_an_odds_factor_that_cannot_be() -> None:
    """Below the least factor nothing helps; at it, ceilings of 1 ask for nothing."""
    problem = random_problem(np.random.default_rng(4), 40)
    least = ends_of(problem).factor
    problem = problem.only(np.isfinite(least) & (least > 1.05))
    least, ones = ends_of(problem).factor, np.ones_like(problem.records.p)
    assert len(least) > 5
    assert np.isinf(scale_under_odds(problem, ones, least * 0.99)).all()
    assert (scale_under_odds(problem, ones, least) <= 1 + 1e-9).all()
