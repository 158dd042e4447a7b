"""Lower limits on a quantity that hold for every mapping: weak duality, checked in whole numbers.

Weights on the constraints (HiGHS proposes them) turn them into one inequality, Σ c·x ≤ h, which every mapping keeps that
keeps them all. Its left side separates by cell, and its least value within the bounds is found exactly: where that is above
h, there is no such mapping. The weights need not be the best for that, so nothing rests on the solver's arithmetic.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.decision_table import FloatArray
from atreport.confidential.mechanism.programming.group import Group, Limits
from atreport.confidential.mechanism.programming.quantity import Quantity

_MARGIN = 1e-12
"""How far below its estimate in floats a limit is claimed, so that it can be proven."""

_ONE = 2**60
"""What stands for 1 in whole numbers. Whatever is rounded to them is rounded so that it allows more mappings."""

WholeNumbers = NDArray[np.object_]
"""Python integers, which do not overflow."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Weights:
    """Weights, not negative, on the constraints of a group; shares and rates are of a group scaled to one."""

    pressed: FloatArray  # (values, outcomes): on N ≤ t·g·D
    kept: FloatArray  # (values, outcomes): on N ≤ c·D
    above: FloatArray  # (outcomes,): on rate ≤ true rate + move
    below: FloatArray  # (outcomes,): on rate ≥ true rate - move
    most: FloatArray  # (cells, outcomes): a mean of x by these weights …
    least: (
        FloatArray  # … is at most the odds factor times a mean by these; both have the same sum in an outcome
    )


def proven_limit(group: Group, limits: Limits, quantity: Quantity, weights: Weights, start: float) -> float:
    """The largest t, up to rounding of floats, for which the weights show that no mapping has less; 0: they show nothing.

    An estimate: :func:`is_proven` decides.
    """
    gain, cost, constant = _inequality(group, limits, quantity, weights)
    if not cost.any():
        return 0.0
    t = start
    for _ in range(50):
        x = _cheapest(gain - t * cost, group.lower, group.upper, 1.0)
        rise = float((cost * x).sum())
        if rise <= 0:
            return 0.0
        # the least sum is concave in t: the first step may lead beyond its root, all others come back towards it
        following, before = float((gain * x).sum() + constant) / rise, t
        t = following
        if abs(following - before) <= 1e-14 * max(1.0, t):
            break
    return max(0.0, t - _MARGIN * max(1.0, t))


def _inequality(
    group: Group, limits: Limits, quantity: Quantity, weights: Weights
) -> tuple[FloatArray, FloatArray, float]:
    """The weighted sum of the constraints as (gain - t·cost)·x + constant ≤ 0, in floats."""
    gauge, ceilings = (np.where(np.isfinite(a), a, 0.0) for a in (quantity.gauge, limits.ceilings))
    of_cell = group.holds.T @ (weights.pressed + weights.kept)
    of_outcome = weights.above - weights.below - ceilings @ weights.kept
    gain = group.p[:, None] * (of_cell + of_outcome) + weights.most
    cost = group.p[:, None] * (gauge @ weights.pressed)[None, :]
    if quantity.kind == "odds":
        cost = cost + weights.least
    elif np.isfinite(limits.odds):
        gain = gain - limits.odds * weights.least
    constant = 0.0
    if group.rate_move is not None:
        constant = float(
            weights.below @ (group.rates - group.rate_move) - weights.above @ (group.rates + group.rate_move)
        )
    return gain, cost, constant


def _cheapest(coefficients: NDArray[Any], lower: NDArray[Any], upper: NDArray[Any], one: Any) -> NDArray[Any]:
    """For each cell the outcomes' probabilities with the least weighted sum: fill the cheapest outcomes first."""
    if coefficients.shape[1] == 2:
        return _cheapest_of_two(coefficients, lower, upper, one)
    order = np.argsort(coefficients, axis=1, kind="stable")
    room = np.take_along_axis(upper - lower, order, axis=1)
    before = np.cumsum(room, axis=1) - room
    fill = np.minimum(np.maximum((one - lower.sum(axis=1))[:, None] - before, 0 * one), room)
    x = lower.copy()
    np.put_along_axis(x, order, np.take_along_axis(lower, order, axis=1) + fill, axis=1)
    return x


def _cheapest_of_two(
    coefficients: NDArray[Any], lower: NDArray[Any], upper: NDArray[Any], one: Any
) -> NDArray[Any]:
    """The same of two outcomes, without sorting; every sum is made in the same order, so the result is the same."""
    room = upper - lower
    swapped = coefficients[:, 1] < coefficients[:, 0]
    first, second = np.where(swapped, room[:, 1], room[:, 0]), np.where(swapped, room[:, 0], room[:, 1])
    left = one - lower.sum(axis=1)
    to_first = np.minimum(np.maximum(left, 0 * one), first)
    to_second = np.minimum(np.maximum(left - (first + second - second), 0 * one), second)
    fill = np.column_stack([np.where(swapped, to_second, to_first), np.where(swapped, to_first, to_second)])
    return np.asarray(lower + fill)


def is_proven(group: Group, limits: Limits, quantity: Quantity, weights: Weights, t: float) -> bool:
    """Whether the weights show that no mapping that keeps the limits has less than t of the quantity; exact."""
    everybody = int(group.people.sum())
    largest = max(float(a.max()) for a in vars(weights).values())
    if not largest > 0:
        return False
    on = {name: _whole(a / largest, up=name == "least") for name, a in vars(weights).items()}
    # the weighted sum, times everybody² and 1 in whole numbers
    of_values = group.holds.T.astype(object) @ (on["pressed"] + on["kept"]) + on["above"] - on["below"]
    ceilings = _whole(np.where(np.isfinite(limits.ceilings), limits.ceilings, 0.0), up=True)
    of_outcomes = _marks(group, quantity, t) @ on["pressed"] + everybody * (ceilings @ on["kept"])
    coefficients = group.people.astype(object)[:, None] * (everybody * _ONE * of_values - of_outcomes)
    if weights.most.any():
        odds = math.ceil(Fraction(t if quantity.kind == "odds" else limits.odds) * _ONE)
        on["least"][0] += np.maximum(on["most"].sum(axis=0) - on["least"].sum(axis=0), 0)  # never less weight
        coefficients = coefficients + everybody**2 * (_ONE * on["most"] - odds * on["least"])
    lower, upper = _whole(group.lower, up=False), _whole(group.upper, up=True)
    x = _cheapest(coefficients, lower, upper, _ONE)
    # should bounds leave a sliver that nothing can fill, it is charged at the worst
    sliver = np.abs(_ONE - x.sum(axis=1)) * np.abs(coefficients).max(axis=1)
    total = (coefficients * x).sum() - sliver.sum() + everybody * _ONE * _of_rates(group, on)
    return bool(total >= 0)


def _whole(numbers: FloatArray, *, up: bool) -> WholeNumbers:
    """Numbers up to 1 (ceilings may be more) as whole numbers, rounded down or up; scaling by a power of two is exact."""
    scaled = (np.ceil if up else np.floor)(np.minimum(numbers, 4.0) * _ONE)
    return np.asarray(scaled.astype(np.int64).astype(object))


def _marks(group: Group, quantity: Quantity, t: float) -> WholeNumbers:
    """What the share of each value may be of an outcome's, t·g, times everybody; rounded up; 0 where there is no gauge."""
    marked, everybody = np.isfinite(quantity.gauge), int(group.people.sum())
    if quantity.kind == "lift":
        of_gauge = [int(n) for n in group.holds @ group.people]
        mark = math.ceil(Fraction(t) * _ONE)
        return np.array([mark * n if m else 0 for m, n in zip(marked, of_gauge, strict=True)], dtype=object)
    return np.array(
        [
            everybody * math.ceil(Fraction(t) * Fraction(g) * _ONE) if m else 0
            for m, g in zip(marked, quantity.gauge.tolist(), strict=True)
        ],
        dtype=object,
    )


def _of_rates(group: Group, on: dict[str, WholeNumbers]) -> Any:
    """What the limits on rates add to the sum, times everybody and 1 in whole numbers; rounded down."""
    if group.rate_move is None:
        return 0
    move = math.ceil(Fraction(group.rate_move) * _ONE) * int(group.people.sum())
    people = group.people.astype(object)
    least, most = (people @ _whole(group.truth, up=up) for up in (False, True))
    return on["below"] @ (least - move) - on["above"] @ (most + move)
