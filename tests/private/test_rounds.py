"""What is looked at again after rounding: which groups, with which ceilings, and how much room rates leave."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from atreport.core.band import Closeness
from atreport.core.certify import RatePromise
from atreport.private.data.table import read_table
from atreport.private.draft import rate_room, with_rates
from atreport.private.solver.fidelity import fidelity_bounds
from tests.example import example_spec, random_table


@pytest.mark.parametrize("population", ["shares", "counts", "withheld"])
def test_rates_leave_room_for_printing_and_for_shares(population: str) -> None:
    """Half a printed step of what is announced; where shares are printed also that of the smallest share, both ways."""
    spec = (
        example_spec(("population: shares", f"population: {population}"))
        if population != "shares"
        else example_spec()
    )
    spec = spec.model_copy(
        update={"disclosure": spec.disclosure.model_copy(update={"population": population})}
    )
    table = read_table(spec)
    promise = RatePromise(rates=Decimal("0.95"), truth=table.probability)
    expected = Fraction(5, 100) - Fraction(1, 2 * 10**spec.policy.decimals)
    if population == "shares":
        people = table.cells.population.tolist()
        decimals = spec.policy.decimals + len(str(sum(people) // min(people))) - 1 + 2
        expected -= Fraction(1, round(Fraction(min(people), sum(people)) * 10**decimals))
    assert rate_room(spec, table, promise) == pytest.approx(float(expected), abs=1e-15)


def test_bounds_of_groups_with_open_counts_are_as_close_as_their_rates() -> None:
    """Whatever the counts are, the rate is then kept; groups whose counts are published keep their bounds."""
    table = random_table(np.random.default_rng(4), groups=3)
    people = table.cells.population
    fewest = np.where(table.cells.group == 1, people - 1, people)
    table = replace(table, cells=replace(table.cells, between=(fewest, people + people - fewest)))
    bounds = fidelity_bounds(table, Closeness(delta=Decimal("0.8")), 3)
    promise = RatePromise(rates=Decimal("0.95"), truth=table.probability)
    found = with_rates(bounds, table, promise, 3)
    for row, (group, truth) in enumerate(zip(table.cells.group.tolist(), table.probability, strict=True)):
        wide = Fraction(5, 100) if group == 1 else Fraction(20, 100)
        for place, number in enumerate(truth.tolist()):
            exactly = Fraction(str(round(number, 3)))
            assert found.lowest_step[row, place] == 1000 * max(exactly - wide, Fraction(0))
            assert found.highest_step[row, place] == 1000 * min(exactly + wide, Fraction(1))
    np.testing.assert_array_equal(found.lower, found.lowest_step / 1000)
