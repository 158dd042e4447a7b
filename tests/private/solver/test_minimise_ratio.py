"""The steps between linear programs: marks, brackets, weights, readings of answers, and the nearest mapping."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog

from atreport.private.solver.group import (
    Group,
    GroupLimits,
    confidences,
    excess,
)
from atreport.private.solver.objective import Objective
from atreport.private.solver.programming import (
    _keeping,
    narrowed,
    nearest,
    solve_group,
)
from tests.private.solver.test_group import random_groups


def two_outcomes(lower: list[float], upper: list[float], rate_move: float | None = None) -> Group:
    """A group of equal cells, each with a value of its own; bounds on the first of two outcomes; true is the middle."""
    low, high = np.array(lower), np.array(upper)
    people, true = np.arange(1, len(low) + 1) * 10, (low + high) / 2
    return Group(
        people=people,
        p=people / people.sum(),
        truth=np.column_stack([true, 1 - true]),
        lower=np.column_stack([low, 1 - high]),
        upper=np.column_stack([high, 1 - low]),
        holds=np.eye(len(low), dtype=bool),
        attribute=np.zeros(len(low), dtype=np.int64),
        given=np.full(len(low), np.inf),
        rate_move=rate_move,
    )


def test_excess_is_the_largest_ratio_to_a_limit() -> None:
    """Of confidences to their ceilings, and of the odds factor to its own."""
    group = two_outcomes([0.0, 0.0], [1.0, 1.0])
    x = np.array([[0.6, 0.4], [0.3, 0.7]])
    first = max(1 * 0.6 / (1 * 0.6 + 2 * 0.3), 1 * 0.4 / (1 * 0.4 + 2 * 0.7))
    assert excess(group, GroupLimits(ceilings=np.array([0.25, np.inf])), x) == pytest.approx(first / 0.25)
    assert excess(group, GroupLimits(ceilings=np.full(2, np.inf), odds=4.0), x) == pytest.approx(2.0 / 4.0)


@pytest.mark.parametrize("part", [0.6, 0.97])
def test_the_nearest_mapping_is_that_of_a_plain_linear_program(part: float) -> None:
    """Σ p·|x - truth| is the least that SciPy finds under the same ceilings, this far down to the least that can be had.

    The ceilings are kept, and the bounds, which hold most cells where hardly any room is left.
    """
    moved = 0
    for group in random_groups():
        least = solve_group(group, Objective(minimise=("beta",)))
        has = confidences(group, group.truth)
        ceilings = np.maximum(
            confidences(group, least.mapping), has - part * (has - confidences(group, least.mapping))
        )
        limits = GroupLimits(ceilings=ceilings)
        near = nearest(group, limits, least.mapping)
        assert (confidences(group, near) <= ceilings * (1 + 1e-7)).all()
        away = (group.p[:, None] * np.abs(near - group.truth)).sum()
        assert away == pytest.approx(reference_distance(group, ceilings), abs=1e-7)
        moved += away > 1e-6
    assert moved > 4


def reference_distance(group: Group, ceilings: np.ndarray) -> float:
    """The least distance, by a dense linear program over x and how far each is away."""
    cells, outcomes = group.truth.shape
    size, rows, limits = cells * outcomes, [], []
    for v in range(len(ceilings)):
        for a in range(outcomes):
            row = np.zeros((cells, outcomes))
            row[:, a] = group.p * (group.holds[v] - ceilings[v])
            rows.append(np.append(row.ravel(), np.zeros(size)) / max(1e-6, group.p @ group.truth[:, a]))
            limits.append(0.0)
    for sign in (1, -1):
        for k in range(size):
            row = np.zeros(2 * size)
            row[k], row[size + k] = sign, -1.0
            rows.append(row)
            limits.append(sign * group.truth.ravel()[k])
    found = linprog(
        np.append(np.zeros(size), np.repeat(group.p, outcomes)), A_ub=np.array(rows), b_ub=limits,
        A_eq=np.hstack([np.kron(np.eye(cells), np.ones(outcomes)), np.zeros((cells, size))]), b_eq=np.ones(cells),
        bounds=[*zip(group.lower.ravel(), group.upper.ravel(), strict=True), *[(0, None)] * size], method="highs",
    )  # fmt: skip
    assert found.fun is not None
    return float(found.fun)


def test_bounds_are_narrowed_to_the_least_odds_factor() -> None:
    """A constant where one fits, which is the first outcome's rate; else between the ends; nothing where it is endless."""
    fits, factor = narrowed(two_outcomes([0.1, 0.2, 0.0], [0.6, 0.9, 0.8]))
    rate = (1 * 0.35 + 2 * 0.55 + 3 * 0.4) / 6
    np.testing.assert_allclose(fits.lower, np.tile([rate, 1 - rate], (3, 1)))
    np.testing.assert_allclose(fits.upper, fits.lower)
    assert factor == 1.0
    apart, factor = narrowed(two_outcomes([0.1, 0.5], [0.2, 0.9]))
    np.testing.assert_allclose(apart.lower[:, 0], [0.2, 0.5])
    np.testing.assert_allclose(apart.upper[:, 0], [0.2, 0.5])
    assert factor == pytest.approx(max(0.5 / 0.2, 0.8 / 0.5))
    for certain in (0.0, 1.0):
        assert narrowed(two_outcomes([certain] * 2, [certain] * 2))[1] == 1.0
    assert narrowed(two_outcomes([0.0, 0.5], [0.0, 0.9]))[1] == np.inf
    assert narrowed(two_outcomes([0.1, 1.0], [0.2, 1.0]))[1] == np.inf


def test_a_later_figure_uses_the_room_that_printing_leaves_and_the_last_none() -> None:
    """With one decimal the lift can be less than with nine; the figure made least last is had by the mapping itself."""
    less = 0
    for group in random_groups()[:6]:
        coarse, fine = (solve_group(group, Objective(minimise=("beta", "lift"), decimals=d)) for d in (1, 9))
        assert (coarse.beta <= fine.beta + 1e-7).all()
        assert coarse.lift.max() <= fine.lift.max() + 1e-6
        less += coarse.lift.max() < fine.lift.max() - 1e-3
        alone = solve_group(group, Objective(minimise=("beta",), decimals=1))
        assert (group.largest(confidences(group, alone.mapping)) <= alone.beta * (1 + 1e-7)).all()
        assert (
            group.largest(confidences(group, coarse.mapping) / group.share) <= coarse.lift * (1 + 1e-7)
        ).all()
    assert less


def test_under_a_limit_on_odds_the_nearest_mapping_is_nearer_than_any_constant() -> None:
    """The limit is kept, and the true rate announced to everybody, which keeps it too, is no nearer to the truth."""
    nearer = 0
    for group in random_groups():
        constant = np.tile(group.rates, (len(group.p), 1))
        wide = replace(group, lower=np.zeros_like(group.truth), upper=np.ones_like(group.truth))
        limits = GroupLimits(ceilings=np.full(len(group.holds), np.inf), odds=3.0)
        near = nearest(wide, limits, constant)
        assert excess(wide, limits, near) <= 1 + 1e-7
        away, before = ((group.p[:, None] * np.abs(x - group.truth)).sum() for x in (near, constant))
        assert away <= before + 1e-9
        nearer += away < before - 1e-3
    assert nearer > 4


def test_ceilings_may_use_all_the_odds_that_are_allowed() -> None:
    """A factor of 1.5 is the least here, and the ceiling costs one of 2.87: a limit of 4 leaves room for both."""
    people = np.array([1, 59, 56])
    shape = two_outcomes([0, 0, 0.6], [0.4, 0.4, 1])
    truth = np.array([[0.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    group = replace(shape, people=people, p=people / people.sum(), truth=truth)
    limits = GroupLimits(ceilings=np.full(3, 0.6042), odds=4.0)
    found = _keeping(group, limits)
    assert found is not None
    assert (confidences(group, found) <= 0.6042 * (1 + 1e-7)).all()
    assert found.max(axis=0)[0] / found.min(axis=0)[0] <= 4 * (1 + 1e-7)
    assert _keeping(group, GroupLimits(ceilings=np.full(3, 0.6042), odds=2.8)) is None


def test_a_ceiling_of_nothing_is_kept_by_nothing() -> None:
    """Without a warning on the terminal: a value that nobody can be suspected of is not exceeded, any other is."""
    group = two_outcomes([0.0, 0.5], [0.0, 0.9])
    one = np.array([[0.0, 1.0], [0.6, 0.4]])
    assert excess(group, GroupLimits(ceilings=np.array([0.0, np.inf])), one) == np.inf
    none = replace(group, holds=np.array([[False, False], [False, True]]))
    assert excess(none, GroupLimits(ceilings=np.array([0.0, np.inf])), one) == 0.0
