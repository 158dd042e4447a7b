"""Limits that hold whatever is announced within the bounds: against mappings drawn from them, and where they are reached."""

import numpy as np
import pytest

from atreport.private.solver.group import least_odds, odds_factor
from tests.many_outcomes import FloatArray


def bounds_around(
    rng: np.random.Generator, cells: int, outcomes: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """A mapping, with outcomes that some cells never have, and bounds of every width around it."""
    mapping = rng.dirichlet(np.ones(outcomes), cells) * rng.choice([0, 1, 1], (cells, outcomes))
    mapping[:, 0] += 1 - mapping.sum(axis=1)
    width = rng.choice([0.0, 0.05, 0.3], (cells, 1))
    return mapping, np.clip(mapping - width, 0, 1), np.clip(mapping + width, 0, 1)


def test_no_mapping_within_the_bounds_has_a_smaller_odds_factor() -> None:
    """Nor is the limit less than what two cells alone force, outcome by outcome."""
    rng, limited, endless = np.random.default_rng(1), 0, 0
    for _ in range(300):
        mapping, lower, upper = bounds_around(rng, int(rng.integers(1, 5)), int(rng.integers(2, 4)))
        found = least_odds(lower, upper)
        assert found <= odds_factor(mapping)
        ratios = [1.0]
        for low in lower:
            for high in upper:
                forced = [(float(a), float(b)) for a, b in zip(low, high, strict=True) if a > b]
                ratios += [a / b if b else np.inf for a, b in forced]
        assert found == pytest.approx(max(ratios), rel=1e-11)
        limited += 1 < found < np.inf
        endless += np.isinf(found)
    assert min(limited, endless) > 20


def test_an_outcome_that_nobody_can_have_forces_no_odds() -> None:
    """It divides nothing by nothing, and says nothing of the others."""
    lower = np.array([[0.0, 0.1, 0.5], [0.0, 0.6, 0.2]])
    upper = np.array([[0.0, 0.2, 0.9], [0.0, 0.8, 0.4]])
    assert least_odds(lower, upper) == pytest.approx(3.0)
    upper[0, 0] = 0.1  # only the second cell never has it, and the first need not
    assert least_odds(lower, upper) == pytest.approx(3.0)
