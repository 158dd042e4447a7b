"""Proven limits: whole numbers say what exact fractions say, and nothing more."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from atreport.private.solver.group import (
    Group,
    GroupLimits,
    GroupQuantity,
    beta_of,
    excess_over,
    lift_of,
    odds_of,
)
from atreport.private.solver.minimise_ratio import Weights, _marks, _of_rates, _whole, is_proven, proven_limit
from atreport.private.solver.objective import Objective
from tests.private.solver.test_group import random_groups

KINDS = ["beta", "lift", "odds", "ceilings", "beta under odds"]


def random_weights(group: Group, kind: str, rng: np.random.Generator) -> Weights:
    """Weights of every kind of constraint that there is, of most outcomes."""
    values, (cells, outcomes) = len(group.holds), group.truth.shape
    most = rng.random((cells, outcomes)) * (rng.random((cells, outcomes)) < 0.5)
    most *= {"odds": 1.0, "beta under odds": 0.05}.get(kind, 0.0)
    least = rng.random((cells, outcomes)) + 0.01
    has_rates = group.rate_move is not None
    return Weights(
        pressed=rng.random((values, outcomes)) * (rng.random((values, outcomes)) < 0.5) * (kind != "odds"),
        kept=rng.random((values, outcomes)) * 0.3,
        above=np.asarray(rng.random(outcomes) * 0.1 * has_rates),
        below=np.asarray(rng.random(outcomes) * 0.1 * has_rates),
        most=most,
        least=least * (most.sum(axis=0) / least.sum(axis=0)),
    )


def quantity_of(group: Group, kind: str) -> GroupQuantity:
    """What is pressed; now and then of one attribute only."""
    if kind == "lift":
        return lift_of(group, {0, 1})
    if kind == "odds":
        return odds_of(group)
    if kind == "ceilings":
        return excess_over(np.where(np.arange(len(group.holds)) % 2, np.inf, 0.7))
    return beta_of(group, {1})


def least_sum(
    group: Group, limits: GroupLimits, quantity: GroupQuantity, weights: Weights, t: float
) -> Fraction:
    """The least of Σ weight · (left side - right side) over all mappings within the bounds, in exact fractions.

    Every constraint, as it is written: N ≤ t·g·D, N ≤ c·D, rate ≤ true + move, rate ≥ true - move, and the mean by `most`
    at most the odds factor times the mean by `least`. Above 0, no mapping keeps them all.
    """
    everybody = int(group.people.sum())
    p = [Fraction(int(n), everybody) for n in group.people]
    cells, outcomes = group.truth.shape
    cost = [[Fraction(0)] * outcomes for _ in range(cells)]
    constant = Fraction(0)
    deficit = weights.most.sum(axis=0) - weights.least.sum(axis=0)
    for k, a in product(range(cells), range(outcomes)):
        for v in range(len(group.holds)):
            gauge = quantity.gauge[v]
            if quantity.kind == "lift":
                gauge = group.people[group.holds[v]].sum() / everybody if np.isfinite(gauge) else gauge
            for weight, ceiling in (
                (
                    weights.pressed[v, a],
                    Fraction(t) * Fraction(float(gauge)) if np.isfinite(gauge) else Fraction(0),
                ),
                (
                    weights.kept[v, a],
                    Fraction(float(limits.ceilings[v])) if np.isfinite(limits.ceilings[v]) else Fraction(0),
                ),
            ):
                cost[k][a] += Fraction(float(weight)) * p[k] * (int(group.holds[v, k]) - ceiling)
        cost[k][a] += Fraction(float(weights.above[a] - weights.below[a])) * p[k]
        if weights.most.any():
            odds = Fraction(t if quantity.kind == "odds" else limits.odds)
            least = weights.least[k, a] + (max(deficit[a], 0.0) if k == 0 else 0.0)
            cost[k][a] += Fraction(float(weights.most[k, a])) - odds * Fraction(float(least))
    for a in range(outcomes):
        if group.rate_move is not None:
            rate = sum(p[k] * Fraction(float(group.truth[k, a])) for k in range(cells))
            move = Fraction(group.rate_move)
            constant += Fraction(float(weights.below[a])) * (rate - move)
            constant -= Fraction(float(weights.above[a])) * (rate + move)
    total = constant
    for k in range(cells):
        left = 1 - sum(Fraction(float(b)) for b in group.lower[k])
        total += sum(c * Fraction(float(b)) for c, b in zip(cost[k], group.lower[k], strict=True))
        for c, a in sorted((cost[k][a], a) for a in range(outcomes)):
            part = min(left, Fraction(float(group.upper[k, a])) - Fraction(float(group.lower[k, a])))
            total, left = total + c * part, left - part
    return total


def cases(kind: str) -> list[tuple[Group, GroupLimits, GroupQuantity, Weights]]:
    """Groups with and without rates, limits and weights."""
    found = []
    for rates in (None, 0.02):
        for number, group in enumerate(random_groups(Objective(rate_move=rates))):
            rng = np.random.default_rng(number)
            ceilings = np.where(
                rng.random(len(group.holds)) < 0.5, np.inf, rng.uniform(0.4, 0.9, len(group.holds))
            )
            limits = GroupLimits(ceilings=ceilings, odds=3.0 if kind == "beta under odds" else np.inf)
            weights = random_weights(group, kind, rng)
            weights = Weights(
                **{**vars(weights), "kept": np.where(np.isfinite(ceilings)[:, None], weights.kept, 0.0)}
            )
            found.append((group, limits, quantity_of(group, kind), weights))
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_a_limit_is_proven_exactly_where_fractions_prove_it(kind: str) -> None:
    """A little below the t at which the inequality breaks it is proven, a little above it never is."""
    decided = 0
    for group, limits, quantity, weights in cases(kind):
        limit = proven_limit(group, limits, quantity, weights, 1.0)
        for t in (0.05, 0.6, 1.3, limit * (1 - 1e-9), limit * (1 + 1e-9) + 1e-9):
            exact = least_sum(group, limits, quantity, weights, t)
            if abs(exact) > 1e-13:
                assert is_proven(group, limits, quantity, weights, t) == (exact > 0)
        if limit > 0:
            decided += 1
            assert abs(least_sum(group, limits, quantity, weights, limit)) < 1e-9
    assert decided > 4


def test_weights_that_cheat_prove_nothing_false() -> None:
    """Weights of unequal sums would compare a whole mean with half of one; what is missing is added first."""
    for group, limits, quantity, weights in cases("odds"):
        cheat = Weights(**{**vars(weights), "least": weights.least * 0.3, "kept": weights.kept * 0.0})
        for t in (0.5, 1.0, 2.0, 3.3, 5.0):
            exact = least_sum(group, limits, quantity, cheat, t)
            if abs(exact) > 1e-13:
                assert is_proven(group, limits, quantity, cheat, t) == (exact > 0)


def test_no_weights_prove_nothing() -> None:
    """All zero: no constraint was used, so nothing follows; small ones prove as much as large ones."""
    group, limits, quantity, weights = cases("beta")[0]
    nothing = Weights(**{name: a * 0.0 for name, a in vars(weights).items()})
    assert not is_proven(group, limits, quantity, nothing, 0.0)
    assert proven_limit(group, limits, quantity, nothing, 1.0) == 0.0
    for factor in (1e-9, 1.0, 1e9):
        scaled = Weights(**{name: a * factor for name, a in vars(weights).items()})
        limit = proven_limit(group, limits, quantity, weights, 1.0)
        assert is_proven(group, limits, quantity, scaled, limit * (1 - 1e-9))
        assert not is_proven(group, limits, quantity, scaled, limit * (1 + 1e-9) + 1e-9)


@pytest.mark.parametrize("kind", ["beta", "lift"])
def test_whole_numbers_are_rounded_so_that_they_allow_more(kind: str) -> None:
    """A ceiling that was rounded down, or a rate that was rounded up, would prove what does not hold."""
    one, t = 2**60, 1 / 3000  # small numbers have more digits than there are
    for group, _, quantity, weights in cases(kind)[12:]:
        group, everybody = replace(group, truth=(group.truth + 1) / 7000), int(group.people.sum())
        for mark, gauge, holds in zip(_marks(group, quantity, t), quantity.gauge, group.holds, strict=True):
            share = Fraction(1) if kind == "beta" else Fraction(int(group.people[holds].sum()), everybody)
            exact = Fraction(t) * share * everybody * one if np.isfinite(gauge) else 0
            assert np.isinf(gauge) or 0 < mark - exact <= everybody
        on = {name: _whole(a, up=False) for name, a in vars(weights).items()}
        move = Fraction(group.rate_move or 0) * everybody
        for a, column in enumerate(group.truth.T):
            true = sum(int(n) * Fraction(float(x)) for n, x in zip(group.people, column, strict=True))
            for name, part in (("below", true - move), ("above", -true - move)):
                only = {**on, "below": on["below"] * 0, "above": on["above"] * 0}
                only[name] = np.where(np.arange(len(on[name])) == a, on[name], 0)
                assert 0 < int(on[name][a]) * part * one - _of_rates(group, only) < everybody * 2**61


def test_a_limit_that_is_reached_exactly_is_proven() -> None:
    """Of a single cell the confidence is 1, whatever is announced: 1 is the limit, and the least more is not."""
    group = replace(
        random_groups()[0],
        people=np.array([5]),
        p=np.ones(1),
        truth=np.array([[0.25, 0.75]]),
        lower=np.array([[0.25, 0.5]]),
        upper=np.array([[0.5, 0.75]]),
        holds=np.ones((1, 1), dtype=bool),
        attribute=np.zeros(1, dtype=np.int64),
    )
    weights = Weights(
        pressed=np.ones((1, 2)),
        kept=np.zeros((1, 2)),
        above=np.zeros(2),
        below=np.zeros(2),
        most=np.zeros((1, 2)),
        least=np.zeros((1, 2)),
    )
    free = GroupLimits(ceilings=np.full(1, np.inf))
    assert least_sum(group, free, beta_of(group, {0}), weights, 1.0) == 0
    assert is_proven(group, free, beta_of(group, {0}), weights, 1.0)
    assert not is_proven(group, free, beta_of(group, {0}), weights, 1 + 2**-52)
