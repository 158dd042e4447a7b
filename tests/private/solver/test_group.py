"""What linear programs see of a group, and the rows they are made of: against the definitions, term by term."""

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from atreport.core.band import Closeness
from atreport.private.solver.fidelity import float_bounds
from atreport.private.solver.group import (
    Group,
    beta_of,
    confidences,
    floors,
    groups_of,
    lift_of,
    odds_factor,
)
from atreport.private.solver.objective import Objective
from atreport.private.solver.programming import solve_by_programming, solve_group
from tests.many_outcomes import FloatArray, table_of


def random_groups(aims: Objective | None = None, *, groups: int = 1) -> list[Group]:
    """Groups of two sensitive attributes and two to four outcomes."""
    found: list[Group] = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        table = table_of(rng, 2 + seed % 3, 2, groups=groups)
        found += groups_of(table, *float_bounds(table, Closeness(delta=Decimal("0.9"))), aims or Objective())
    return found


def test_odds_factor_is_the_largest_ratio_of_two_cells() -> None:
    """Over all outcomes that occur; infinite where one cell has an outcome that another never has."""
    assert odds_factor(np.array([[0.2, 0.5, 0.3], [0.1, 0.5, 0.4]])) == pytest.approx(2.0)
    assert odds_factor(np.array([[0.2, 0.8], [0.8, 0.2]])) == pytest.approx(4.0)
    assert odds_factor(np.array([[0.0, 1.0], [0.5, 0.5]])) == np.inf
    assert odds_factor(np.array([[0.0, 1.0], [0.0, 1.0]])) == 1.0  # the first outcome never occurs


@pytest.mark.parametrize(("share", "certain"), [(0.5e-15, False), (1e-15, False), (2e-15, True)])
def test_an_outcome_that_hardly_anybody_has_teaches_nothing(share: float, certain: bool) -> None:
    """Up to a share of 10^-15, which is rounding of floats; with more, whoever has it is given away."""
    two = np.array([5, 5])
    group = replace(random_groups()[0], people=two, p=two / 10, holds=np.eye(2, dtype=bool))
    mapping = np.array([[2 * share, 1 - 2 * share], [0.0, 1.0]])
    np.testing.assert_allclose(confidences(group, mapping), [1.0 if certain else 0.5, 0.5])


def test_figures_of_a_table_are_those_of_its_worst_attribute() -> None:
    """Groups in order; of every group the largest figure, and the largest proven limit."""
    table = table_of(np.random.default_rng(5), 3, 2, groups=3)
    bounds = float_bounds(table, Closeness(delta=Decimal("0.9")))
    found = solve_by_programming(table, *bounds, Objective())
    alone = [solve_group(group, Objective()) for group in groups_of(table, *bounds, Objective())]
    for name, figure in (("optimum", "beta"), ("proven", "beta_proven"), ("lift", "lift")):
        np.testing.assert_array_equal(getattr(found, name), [getattr(each, figure).max() for each in alone])
    np.testing.assert_array_equal(found.attribute_beta, [each.beta for each in alone])
    np.testing.assert_array_equal(found.mapping, np.vstack([each.mapping for each in alone]))


def test_floors_hold_for_every_mapping_and_are_met_where_one_attribute_is_all() -> None:
    """A limit that some mapping breaks would be a false promise; one that is far off would cost linear programs."""
    close = 0
    for number, group in enumerate(random_groups()):
        for of, gauge in ((beta_of, np.ones(len(group.holds))), (lift_of, group.share)):
            found = floors(group, gauge)
            for j in range(group.attributes):
                quantity = of(group, {j})
                for seed in range(20):
                    x = within(group, number * 100 + seed)
                    assert found[j] <= quantity.of(group, x) * (1 + 1e-12)
                assert found[j] >= (group.share / gauge)[group.attribute == j].max() * (1 - 1e-9)
                close += quantity.of(group, group.truth) <= found[j] * 1.5
    assert close > 10


def within(group: Group, seed: int) -> FloatArray:
    """A mapping inside the bounds."""
    x, rng = group.truth.copy(), np.random.default_rng(seed)
    for _ in range(3):  # move as much as there is room for from one outcome to another
        for cell in range(len(x)):
            a, b = rng.choice(x.shape[1], 2, replace=False)
            room = min(group.upper[cell, a] - x[cell, a], x[cell, b] - group.lower[cell, b])
            part = max(room, 0.0) * rng.choice([0.3, 1.0])
            x[cell, a] += part
            x[cell, b] -= part
    return x


def test_floors_know_the_smallest_case() -> None:
    """Two values of one attribute, of which one is always and the other never approved, up to a tenth."""
    group = Group(
        people=np.array([60, 40]),
        p=np.array([0.6, 0.4]),
        truth=np.array([[0.0, 1.0], [1.0, 0.0]]),
        lower=np.array([[0.0, 0.9], [0.9, 0.0]]),
        upper=np.array([[0.1, 1.0], [1.0, 0.1]]),
        holds=np.eye(2, dtype=bool),
        attribute=np.array([0, 0]),
        given=np.full(2, np.inf),
        rate_move=None,
    )
    # approved: the first has at least 0.54 and the second at most 0.04; denied: 0.36 beside 0.06
    np.testing.assert_allclose(floors(group, np.ones(2)), [0.54 / (0.54 + 0.04)], rtol=1e-9)
    # only the first value has a ceiling: its outcomes alone make 0.54, and before any report it is 0.6
    np.testing.assert_allclose(floors(group, np.array([1.0, np.inf])), [0.6], rtol=1e-9)
    never = Group(
        **{**vars(group), "lower": np.tile([0.0, 1.0], (2, 1)), "upper": np.tile([0.0, 1.0], (2, 1))}
    )
    # an outcome nobody gets tells nothing
    np.testing.assert_allclose(floors(never, np.ones(2)), [0.6], rtol=1e-9)
