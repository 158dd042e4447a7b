"""Make one quantity of one group least, by a few linear programs, each of which improves the mapping or proves a limit.

Dinkelbach's method (Newton's, for a ratio): ask how far below a mark the quantity can be pressed while everything else is
kept. The answer is a better mapping; its multipliers prove a lower limit (:mod:`.proof`). The limit is often the optimum
long before the mappings get there, so marks lie at the best mapping and just above the limit in turn.

Guarantee: the upper end is what a mapping at hand has. The lower end holds for every mapping that keeps the limits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atreport.confidential.data.decision_table import FloatArray
from atreport.confidential.mechanism.programming.constraints import (
    occurrence,
    rows_kept,
    rows_of_odds,
    rows_pressed,
)
from atreport.confidential.mechanism.programming.group import Group, Limits
from atreport.confidential.mechanism.programming.highs import minimise
from atreport.confidential.mechanism.programming.proof import Weights, is_proven, proven_limit
from atreport.confidential.mechanism.programming.quantity import Quantity
from atreport.confidential.mechanism.programming.readings import KEPT, best_reading, excess

GAP = 1e-8
"""How far above the proven limit a mapping is looked for; brackets end up no wider than a few times this."""

UNBOUNDED = 1e6
"""Odds factors above this count as unbounded: an outcome one cell has and another hardly ever."""

_MOST_STEPS = 60

_MARGINS = (0.0, 1e-10, 1e-9, 1e-8)
"""How far below its estimate a limit is tried to be proven, relatively: large weights cost digits."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Bracket:
    """The least of a quantity: a proven lower limit, a mapping that has the upper one, and what holds it up."""

    lower: float
    upper: float
    mapping: FloatArray
    weights: Weights | None = None  # those that prove the limit; None: it was known before

    def is_narrow(self) -> bool:
        """Whether looking further is not worth it."""
        return self.upper <= self.lower + 3 * GAP * max(1.0, self.lower)


def press(
    group: Group,
    limits: Limits,
    quantity: Quantity,
    mapping: FloatArray,
    floor: float,
    enough: float = -np.inf,
) -> Bracket:
    """The least of a quantity over all mappings that keep the limits, from one that does and a limit known before.

    Stops as soon as it is known whether it can be `enough` or less.
    """
    upper, lower, improved = quantity.of(group, mapping), floor, True
    offers: list[tuple[float, Weights]] = []
    for step in range(_MOST_STEPS):
        if upper <= lower + 3 * GAP * max(1.0, lower) or upper <= enough or lower > enough > 0:
            break
        mark = _mark(lower, min(upper, UNBOUNDED), step, improved)
        found = _pressed_below(group, limits, quantity, mapping, mark)
        if found is None:
            break
        better, offered = found
        width = upper - lower
        limit = min(proven_limit(group, limits, quantity, offered, mark), upper)
        if limit > lower:
            lower = limit
            offers.append((limit, offered))
        has = quantity.of(group, better)
        if has < upper and excess(group, limits, better) <= KEPT:
            mapping, upper = better, has
        elif quantity.kind == "odds" and upper > UNBOUNDED and mark >= UNBOUNDED:
            break
        improved = upper - lower <= 0.9 * width
    while offers:
        limit, weights = offers.pop()
        for margin in _MARGINS:
            lower = min(limit, upper) * (1 - margin)
            if is_proven(group, limits, quantity, weights, lower):
                return Bracket(
                    lower=min(max(lower, floor), upper), upper=upper, mapping=mapping, weights=weights
                )
    return Bracket(lower=min(floor, upper), upper=upper, mapping=mapping)


def _mark(lower: float, upper: float, step: int, improved: bool) -> float:
    """Where to press next: just above the limit and at the mapping in turn; halving the bracket where that gets nowhere."""
    if not improved:
        return (upper + lower) / 2
    return upper if step % 2 else lower + GAP * max(1.0, lower)


def _pressed_below(
    group: Group, limits: Limits, quantity: Quantity, mapping: FloatArray, mark: float
) -> tuple[FloatArray, Weights] | None:
    """The mapping whose quantity is furthest below the mark (or least above), and the weights of its constraints."""
    cells, outcomes = group.truth.shape
    size, odds = cells * outcomes, quantity.kind == "odds" or np.isfinite(limits.odds)
    slack = size + outcomes * odds
    occurs = occurrence(group, mapping)
    blocks = rows_kept(group, limits, occurs)
    if quantity.kind == "odds":
        scale = np.maximum(mapping.min(axis=0), 1e-3)
        blocks |= rows_of_odds(group, mark, (slack, scale))
    else:
        blocks |= rows_pressed(group, quantity, mark, occurs, slack)
    more = outcomes * odds
    found = minimise(
        np.append(np.zeros(slack), 1.0),
        np.concatenate([group.lower.ravel(), np.zeros(more), [-np.inf]]),
        np.concatenate([group.upper.ravel(), np.ones(more), [np.inf]]),
        list(blocks.values()),
    )
    if found is None:
        return None
    multipliers = dict(zip(blocks, found.multipliers, strict=True))
    better = best_reading(
        group,
        found.variables[:size],
        lambda x: (max(KEPT, excess(group, limits, x)), quantity.of(group, x)),
    )
    return better, _weights(group, limits, quantity, multipliers, occurs)


def _weights(
    group: Group, limits: Limits, quantity: Quantity, multipliers: dict[str, FloatArray], occurs: FloatArray
) -> Weights:
    """The solver's multipliers as weights on the constraints as they are, not as they were scaled."""
    cells, outcomes = group.truth.shape

    def on_ratios(name: str, gauge: FloatArray) -> FloatArray:
        weights = np.zeros((len(group.holds), outcomes))
        if name in multipliers:
            limited = np.isfinite(gauge)
            scaled = np.maximum(multipliers[name], 0.0).reshape(outcomes, -1).T
            weights[limited] = scaled / gauge[limited][:, None] / occurs
        return weights

    rates = multipliers.get("rates", np.zeros(outcomes))
    most, least = (
        np.maximum(multipliers.get(name, np.zeros(cells * outcomes)), 0.0).reshape(cells, outcomes)
        for name in ("most", "least")
    )
    least = np.where(least.sum(axis=0) > 0, least, 1.0)
    return Weights(
        pressed=on_ratios("pressed", quantity.gauge),
        kept=on_ratios("kept", limits.ceilings),
        above=np.maximum(rates, 0.0),
        below=np.maximum(-rates, 0.0),
        most=most,
        least=least * (most.sum(axis=0) / least.sum(axis=0)),
    )
