"""Aims of one group: ceilings kept or given up as a whole, orders of what is made least, nearness to the truth."""

from decimal import Decimal

import numpy as np
import pytest

from atreport.core.band import Closeness
from atreport.private.solver.fidelity import float_bounds
from atreport.private.solver.group import Group, confidences, groups_of, odds_factor
from atreport.private.solver.objective import Objective
from atreport.private.solver.programming import GroupSolution, narrowed, solve_group
from tests.many_outcomes import Reference, table_of

CLOSENESS = Closeness(delta=Decimal("0.9"))


def solved(seed: int, aims: Objective, outcomes: int | None = None) -> tuple[Group, GroupSolution, Reference]:
    """A random group of two sensitive attributes and what is found for it."""
    rng = np.random.default_rng(seed)
    table = table_of(rng, outcomes or int(rng.integers(2, 5)), 2)
    lower, upper = float_bounds(table, CLOSENESS)
    (group,) = groups_of(table, lower, upper, aims)
    return group, solve_group(group, aims), Reference(table, lower, upper, aims.rate_move)


@pytest.mark.parametrize("seed", range(12))
def test_a_ceiling_is_kept_exactly_where_it_can_be(seed: int) -> None:
    """`kept` says what plain linear programs say, for confidence and lift at once; a kept one is kept."""
    aims = Objective(minimise=("beta",), beta=0.8, lift=2.5)
    group, found, reference = solved(seed, aims)
    beta, lift = np.full(2, 0.8), np.full(2, 2.5)
    assert found.kept == reference.possible(beta, lift)
    if found.kept:
        confidence = confidences(group, found.mapping)
        assert (confidence <= 0.8 + 1e-7).all()
        assert (confidence <= 2.5 * group.share + 1e-7).all()


@pytest.mark.parametrize("seed", range(12))
def test_without_anything_to_make_least_the_nearest_mapping_is_found(seed: int) -> None:
    """An empty list keeps the ceilings and moves people's probabilities no further than the least confidence would."""
    ceiling = Objective(minimise=(), beta=0.85)
    group, near, _ = solved(seed, ceiling)
    _, least, _ = solved(seed, Objective(minimise=("beta",)))
    if near.kept:
        assert (confidences(group, near.mapping) <= 0.85 + 1e-7).all()
        assert distance(group, near) <= distance(group, least) + 1e-9
    else:
        np.testing.assert_allclose(near.beta, least.beta, atol=1e-9)
    if (confidences(group, group.truth) <= 0.85).all():
        np.testing.assert_array_equal(near.mapping, group.truth)


def distance(group: Group, found: GroupSolution) -> float:
    """How far people's probabilities are from the truth in total."""
    return float((group.p[:, None] * np.abs(found.mapping - group.truth)).sum())


@pytest.mark.parametrize("seed", range(8))
def test_a_ceiling_on_one_value_is_kept(seed: int) -> None:
    """Halfway between a rare value's share and what it would otherwise become; the others stay free."""
    group, free, _ = solved(seed, Objective(minimise=("beta",)))
    rare = int(np.argmin(group.share))
    ceiling = (confidences(group, free.mapping)[rare] + group.share[rare]) / 2
    given = np.full(len(group.share), np.inf)
    given[rare] = ceiling
    starts = [given[group.attribute == j] for j in range(group.attributes)]
    aims = Objective(minimise=("beta",), values=tuple(starts))
    _, found, _ = solved(seed, aims)
    if found.kept:
        assert confidences(group, found.mapping)[rare] <= ceiling + 1e-7
        assert max(found.beta) >= max(free.beta_proven)
    else:
        np.testing.assert_allclose(found.beta, free.beta, atol=1e-9)


@pytest.mark.parametrize("seed", range(14))
@pytest.mark.parametrize("rate_move", [None, 0.02])
def test_odds_first_is_the_least_odds_factor(seed: int, rate_move: float | None) -> None:
    """The closed form of two outcomes and the programs of more agree with plain linear programs."""
    aims = Objective(minimise=("odds", "beta", "lift"), rate_move=rate_move)
    group, found, reference = solved(seed, aims, outcomes=2 + seed % 2)
    least = reference.least_odds()
    if np.isinf(least):
        assert np.isinf(found.odds)
    else:
        printed = np.ceil(least * 1e4 - 1e-6) / 1e4 if group.truth.shape[1] > 2 else least
        assert least * (1 - 1e-6) <= found.odds <= printed * (1 + 1e-6)
    if rate_move is not None:
        assert (np.abs(group.p @ (found.mapping - group.truth)) <= rate_move + 1e-8).all()


@pytest.mark.parametrize("seed", range(10))
def test_a_ceiling_on_odds_is_kept_exactly_where_it_can_be(seed: int) -> None:
    """Nine to one, with and without the least confidence."""
    aims = Objective(minimise=("beta",), odds=9.0)
    _, found, reference = solved(seed, aims)
    nothing = np.full(2, np.inf)
    assert found.kept == reference.possible(nothing, nothing, 9.0)
    if found.kept:
        assert odds_factor(found.mapping) <= 9.0 * (1 + 1e-6)
        at_ceiling = reference.possible(np.full(2, max(found.beta) - 1e-6), nothing, 9.0)
        assert not at_ceiling, "a lower confidence keeps the ceiling too"


def test_where_one_figure_fits_all_it_is_announced() -> None:
    """Two cells whose bands meet get one constant: the odds factor is 1, and nothing is learnt."""
    group, found, _ = solved(3, Objective(minimise=("odds", "beta")), outcomes=2)
    wide = Group(**{**vars(group), "lower": np.zeros_like(group.truth), "upper": np.ones_like(group.truth)})
    constant, odds = narrowed(wide)
    assert odds == 1.0
    assert np.ptp(constant.lower[:, 0]) == 0.0
    whole = solve_group(wide, Objective(minimise=("odds", "beta")))
    np.testing.assert_allclose(whole.mapping, np.tile(group.rates, (len(group.p), 1)), atol=1e-12)
    assert found.odds >= 1.0


def test_ceilings_and_the_least_odds_agree() -> None:
    """Where a ceiling on confidence leaves no mapping between the closed form's ends, the programs find the least odds."""
    kept = 0
    for seed in range(12):
        free = solved(seed, Objective(minimise=("odds",)), outcomes=2)[1]
        least = solved(seed, Objective(minimise=("beta",)), outcomes=2)[1]
        if np.isinf(free.odds) or max(free.beta) <= max(least.beta) + 1e-6:
            continue
        ceiling = (max(free.beta) + max(least.beta)) / 2
        group, found, reference = solved(seed, Objective(minimise=("odds",), beta=ceiling), outcomes=2)
        kept += 1
        assert found.kept
        assert (confidences(group, found.mapping) <= ceiling + 1e-7).all()
        everything = np.full(2, np.inf)
        if np.isfinite(found.odds):
            assert not reference.possible(np.full(2, ceiling), everything, found.odds * (1 - 1e-5))
    assert kept
