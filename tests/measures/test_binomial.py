"""The ends of exact binomial intervals: never inside the interval. Those of SciPy are asked of the intervals themselves."""

import math
from fractions import Fraction

import numpy as np
import pytest

from atreport.measures.chance import lower_end

CHANCES = (0.025, 0.025 / 3, 1e-5)


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
