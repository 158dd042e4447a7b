"""The ends of exact binomial intervals: those of SciPy, never inside the interval, from one case to more than there are people."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import betaincinv

from atreport.measures.chance import ERROR, lower_end

CHANCES = (0.025, 0.025 / 3, 1e-5)


@pytest.mark.parametrize("chance", CHANCES)
@pytest.mark.parametrize("size", [1, 3, 30, 99, 100, 1000, 10**5, 10**7, 10**9])
def test_ends_are_those_of_scipy(size: int, chance: float) -> None:
    """Within a tenth of what is added for safety, which leaves every end outside."""
    rng = np.random.default_rng(size)
    cases = rng.integers(max(size // 2, 1), size + 1, 500)
    few = np.minimum(rng.integers(1, 20, 500), cases)
    for favourable in (np.ones_like(cases), few, 1 + rng.integers(cases), cases - few + 1, cases):
        exact = betaincinv(favourable, cases - favourable + 1, chance)
        found = lower_end(favourable, cases, chance)
        assert (found <= exact).all()
        np.testing.assert_allclose(found, np.maximum(exact - ERROR, 0), rtol=0, atol=ERROR / 5)


@pytest.mark.parametrize("chance", CHANCES)
def test_more_cases_than_people_are_on_the_safe_side(chance: float) -> None:
    """Where rounding is coarsest the end is still outside, and near."""
    cases = np.full(200, 10**12)
    favourable = np.linspace(1, 10**12, 200).astype(np.int64)
    exact = betaincinv(favourable, cases - favourable + 1, chance)
    found = lower_end(favourable, cases, chance)
    assert (found <= exact).all()
    np.testing.assert_allclose(found, exact, rtol=0, atol=1e-9)


def test_one_pair_of_counts_is_like_many() -> None:
    """Plain numbers give what arrays give; nobody favourable, or everybody, too."""
    cases = np.arange(1, 60)
    for favourable in (0 * cases, cases // 2, cases):
        many = lower_end(favourable, cases, 0.025)
        assert many.shape == cases.shape
        one_by_one = [
            float(lower_end(k, n, 0.025)) for k, n in zip(favourable.tolist(), cases.tolist(), strict=True)
        ]
        np.testing.assert_allclose(many, one_by_one, rtol=0, atol=1e-14)
    assert not lower_end(0 * cases, cases, 0.025).any()
    assert float(lower_end(7, 7, 0.025)) == pytest.approx(0.025 ** (1 / 7), abs=2e-10)


@pytest.mark.parametrize("chance", CHANCES)
def test_no_end_is_inside_the_interval_in_exact_arithmetic(chance: float) -> None:
    """With the probability found, so many cases or more are no likelier than the chance: sums of fractions, no library."""
    for cases in (1, 2, 7, 20, 45):
        for favourable in range(1, cases + 1):
            p = Fraction(float(lower_end(favourable, cases, chance)))
            tail = sum(
                math.comb(cases, k) * p**k * (1 - p) ** (cases - k) for k in range(favourable, cases + 1)
            )
            assert tail <= Fraction(chance)
