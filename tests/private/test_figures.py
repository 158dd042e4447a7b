"""What the solver says of a table, against fractions: figures of a mapping, printable bounds, certificates."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from atreport.core.band import Closeness
from atreport.private.solver.fidelity import _way_out, fidelity_bounds
from atreport.private.solver.minimise_ratio import _cheapest
from atreport.private.solver.objective import Objective, confidence_of, lift_of, odds_of
from atreport.private.solver.solver import solve_table
from tests.example import random_table
from tests.reference import exact_confidence


@pytest.mark.parametrize("seed", range(5))
def test_figures_of_a_mapping_are_those_of_the_definitions(seed: int) -> None:
    """Confidence by Bayes' rule, lift over the prior, odds as the largest ratio of two cells; in fractions."""
    rng = np.random.default_rng(seed)
    cells = random_table(rng, others=2).cells
    # in every other table no outcome is ruled out, so that odds are bounded
    certain = [0.0, 1.0] if seed % 2 else []
    yes = rng.choice([0.25, 0.5, 0.75, *certain], len(cells))
    mapping = np.column_stack([1 - yes, yes])
    found = confidence_of(cells, mapping), lift_of(cells, mapping), odds_of(cells, mapping)
    codes = cells.column("secret")
    for group in range(len(cells.group_starts)):
        here = cells.group == group
        people, secrets = cells.population[here].tolist(), codes[here].tolist()
        confidence = exact_confidence(people, [Fraction(x) for x in yes[here].tolist()], secrets)
        assert found[0][group] == pytest.approx(float(confidence), rel=1e-12)
        lift, odds = [Fraction(1)], [1.0]
        for outcome in (yes[here], 1 - yes[here]):
            chance = [Fraction(x) for x in outcome.tolist()]
            rate = sum(n * x for n, x in zip(people, chance, strict=True)) / sum(people)
            if not rate:
                continue
            for value in set(secrets):
                own = [(n, x) for n, x, s in zip(people, chance, secrets, strict=True) if s == value]
                lift.append(sum(n * x for n, x in own) / sum(n for n, _ in own) / rate)
            odds.append(float(max(chance) / min(chance)) if min(chance) else np.inf)
        assert found[1][group] == pytest.approx(float(max(lift)), rel=1e-12)
        assert found[2][group] == pytest.approx(max(odds), rel=1e-12)


def test_the_way_out_makes_every_cell_printable() -> None:
    """0.25 and 0.125 under exact fidelity: one decimal prints neither, one more the first, three print both."""
    table = random_table(np.random.default_rng(0))
    yes = np.where(np.arange(len(table.cells)) == 0, 0.25, 0.125)
    table = replace(table, probability=np.column_stack([1 - yes, yes]))
    assert len(yes) > 1
    assert "'decimals: 3'" in _way_out(table, Closeness(delta=Decimal(1)), 1)


@pytest.mark.parametrize("digits", range(2, 11))
def test_the_way_out_names_the_fewest_decimals_that_will_do(digits: int) -> None:
    """Of a probability that must be printed as it is: as many as it has, up to nine; beyond that, more distortion."""
    table = random_table(np.random.default_rng(0))
    true = np.full(len(table.cells), round(0.1234567891, digits))
    table = replace(table, probability=np.column_stack([1 - true, true]))
    words = _way_out(table, Closeness(delta=Decimal(1)), 1)
    assert words.startswith(f"write 'decimals: {digits}'" if digits < 10 else "write 'fidelity: {delta: 1}'")


def test_a_solution_is_a_mapping_and_its_terms_are_given_where_they_are_the_optimum() -> None:
    """Whatever else is made least after β; not where something else holds β up."""
    table = random_table(np.random.default_rng(2))
    bounds = fidelity_bounds(table, Closeness(delta=Decimal("0.9")), 4)
    for minimise in (("beta",), ("beta", "lift")):
        found = solve_table(table, bounds, Objective(minimise=minimise))
        np.testing.assert_allclose(found.mapping.sum(axis=1), 1.0, atol=1e-15)
        assert (found.mapping >= 0).all()
        assert found.terms is not None
        np.testing.assert_allclose(found.terms.optimum, found.optimum, rtol=1e-12)
    ceilings = (np.full(len(table.cells.protected[0].starts), 0.99),)
    for other in (
        Objective(values=ceilings),
        Objective(lift=50.0),
        Objective(rate_move=0.5),
        Objective(minimise=("lift", "beta")),
    ):
        assert solve_table(table, bounds, other).terms is None


@pytest.mark.parametrize("outcomes", [2, 3])
def test_the_cheapest_mapping_fills_the_cheapest_outcomes_first(outcomes: int) -> None:
    """Of whole numbers: none of all mappings within the bounds costs less, and each makes one."""
    rng, tried = np.random.default_rng(outcomes), 0
    for _ in range(200):
        lower = rng.integers(0, 3, (1, outcomes))
        upper = lower + rng.integers(0, 8, (1, outcomes))
        cost = rng.integers(-5, 6, (1, outcomes))
        if not lower.sum() <= 10 <= upper.sum():
            continue
        tried += 1
        found = _cheapest(cost, lower, upper, 10)
        assert found.sum() == 10
        assert (lower <= found).all()
        assert (found <= upper).all()
        every = np.array(list(np.ndindex(*(upper[0] + 1))))
        possible = every[(every.sum(axis=1) == 10) & (every >= lower).all(axis=1)]
        assert (found * cost).sum() == (possible * cost).sum(axis=1).min()
    assert tried > 40
