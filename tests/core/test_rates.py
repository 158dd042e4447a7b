"""Rates that are kept: decided in fractions wherever floats cannot tell, to the last person and step."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from atreport.core.cells import arrange
from atreport.core.certify import RatePromise
from tests.example import process_with


@pytest.mark.parametrize("up", [1, -1])
@pytest.mark.parametrize(("further", "broken"), [(-1, False), (0, False), (1, True)])
def test_a_rate_is_kept_up_to_its_limit_and_not_a_step_of_one_person_further(
    further: int, broken: bool, up: int
) -> None:
    """One step of 10^-9 of one person among 10^9: 10^-18 of a rate, far less than a float can tell."""
    codes = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0]], dtype=np.int32)
    cells, _ = arrange(process_with(2, 2), codes, np.array([10**9, 1, 5]))
    steps = np.full(3, 5 * 10**8)
    steps[:2] += up * 10**7
    steps[1] += up * further
    promise = RatePromise(rates=Decimal("0.99"), truth=np.full((3, 2), 0.5))
    mapping = np.column_stack([10**9 - steps, steps])
    found = promise.broken(cells, mapping, [cells.population], 9)
    assert found.tolist() == [broken, False]


@pytest.mark.parametrize("seed", range(5))
def test_rates_are_broken_exactly_where_fractions_say_so(seed: int) -> None:
    """For each of several weights, and for every outcome; limits are met exactly in many groups."""
    rng = np.random.default_rng(seed)
    outcomes = 2 + seed % 2
    codes = np.array([(g, v, 0) for g in range(40) for v in range(3)], dtype=np.int32)
    cells, _ = arrange(process_with(40, 3), codes, rng.integers(1, 6, len(codes)) * 5)
    true, mapping = (rng.multinomial(10, np.ones(outcomes) / outcomes, len(codes)) for _ in range(2))
    mapping = np.where(rng.random((len(codes), 1)) < 0.5, mapping, true)
    promise = RatePromise(rates=Decimal("0.9"), truth=true / 10)
    weights = [cells.population, rng.integers(1, 6, len(codes))]
    found, ties = promise.broken(cells, mapping, weights, 1), 0
    for group in range(40):
        rows = np.flatnonzero(cells.group == group).tolist()
        moves = []
        for weight in weights:
            for outcome in range(outcomes):
                change = sum(
                    int(weight[k]) * Fraction(int(mapping[k, outcome] - true[k, outcome]), 10) for k in rows
                )
                moves.append(abs(Fraction(change)) / int(weight[rows].sum()))
        assert found[group] == (max(moves) > Fraction(1, 10))
        ties += max(moves) == Fraction(1, 10)
    assert ties > 0
