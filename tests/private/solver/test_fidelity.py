"""Bounds of every outcome at a fidelity: what the definition leaves of each, given what it leaves of the others."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from atreport.core.band import Closeness
from atreport.errors import PolicyCannotBeMet
from atreport.private.data.decision_table import DecisionTable
from atreport.private.solver.fidelity import _bounds, _own_bounds, fidelity_bounds, float_bounds
from atreport.text.numbers import shortest_decimal
from tests.many_outcomes import table_of

FIDELITIES = [Closeness(delta=Decimal(d)) for d in ("1", "0.95", "0.6")] + [
    Closeness(alpha=Decimal(a)) for a in ("1", "0.9", "0.3")
]


def exactly_left(table: DecisionTable, closeness: Closeness, row: int) -> list[tuple[Fraction, Fraction]]:
    """The ends of each outcome of a cell, in fractions: by itself, and by what all others leave of one."""
    truth = [shortest_decimal(number) for number in table.probability[row].tolist()]
    bands = [closeness.alone(number) for number in truth]
    low, high = (sum(end) for end in zip(*bands, strict=True))
    return [(max(a, 1 - (high - b)), min(b, 1 - (low - a))) for a, b in bands]


@pytest.mark.parametrize("closeness", FIDELITIES, ids=str)
@pytest.mark.parametrize("outcomes", [2, 3, 4])
def test_bounds_are_those_of_the_definition(outcomes: int, closeness: Closeness) -> None:
    """As floats they hold the truth itself; as printed steps they are the outermost inside, exactly."""
    for seed in range(6):
        table = table_of(np.random.default_rng(seed), outcomes, 1, groups=2)
        lower, upper = float_bounds(table, closeness)
        place = table.favourable_place
        assert (lower[:, place] <= table.favourable).all()
        assert (table.favourable <= upper[:, place]).all()
        # of two outcomes the other one is the rest of one, in floats
        assert (lower - table.probability <= 1e-15).all()
        assert (table.probability - upper <= 1e-15).all()
        bounds = _bounds(table, closeness, 3)
        for row in range(len(table.cells)):
            ends = exactly_left(table, closeness, row)
            np.testing.assert_allclose(lower[row], [float(low) for low, _ in ends], atol=1e-12)
            np.testing.assert_allclose(upper[row], [float(high) for _, high in ends], atol=1e-12)
            for outcome, (low, high) in enumerate(ends):
                if bounds.lowest_step[row, outcome] <= bounds.highest_step[row, outcome]:
                    assert low <= Fraction(int(bounds.lowest_step[row, outcome]), 1000)
                    assert Fraction(int(bounds.highest_step[row, outcome]), 1000) <= high


def test_every_printed_rule_is_within_the_bounds_or_none_is_printed() -> None:
    """Steps of all outcomes that keep the fidelity: each end of the bounds is in one of them, found by trying all."""
    found = 0
    for seed in range(8):
        table = table_of(np.random.default_rng(seed), 3, 1)
        closeness = Closeness(delta=Decimal("0.8"))
        try:
            bounds = fidelity_bounds(table, closeness, 1)
        except PolicyCannotBeMet:
            continue
        for row, truth in enumerate(table.probability.tolist()):
            bands = [closeness.alone(shortest_decimal(number)) for number in truth]
            rules = [
                (a, b, 10 - a - b)
                for a in range(11)
                for b in range(11 - a)
                if all(
                    low <= Fraction(x, 10) <= high
                    for x, (low, high) in zip((a, b, 10 - a - b), bands, strict=True)
                )
            ]
            assert [min(column) for column in zip(*rules, strict=True)] == bounds.lowest_step[row].tolist()
            assert [max(column) for column in zip(*rules, strict=True)] == bounds.highest_step[row].tolist()
            found += 1
    assert found > 10


def test_bounds_that_data_give_are_those_of_the_favourable_outcome() -> None:
    """Two outcomes are each other's rest; of more, each other one may be anything that the favourable one leaves."""
    for outcomes in (2, 3):
        table = table_of(np.random.default_rng(1), outcomes, 1)
        number = len(table.cells)
        low, high = np.full(number, 0.0), np.full(number, 0.75)
        low[0], high[0] = 0.25, 0.25
        high[1] = 0.0
        given = DecisionTable(cells=table.cells, probability=table.probability, lower=low, upper=high)
        lower, upper, lowest, highest = _own_bounds(given, 100)
        place = given.favourable_place
        others = [k for k in range(outcomes) if k != place]
        np.testing.assert_array_equal(lower[:, place], low)
        np.testing.assert_array_equal(upper[:, place], high)
        np.testing.assert_array_equal(lowest[:, place], low * 100)
        np.testing.assert_array_equal(highest[:, place], high * 100)
        assert (lower[:, others] == 0).all()
        assert (lowest[:, others] == 0).all()
        np.testing.assert_array_equal(upper[:, others], np.tile(1 - low[:, None], len(others)))
        np.testing.assert_array_equal(highest[:, others], np.tile(100 - low[:, None] * 100, len(others)))
