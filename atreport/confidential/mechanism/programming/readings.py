"""Turn the solver's answer into a mapping that lies exactly within its bounds and makes one in every cell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.decision_table import FloatArray
from atreport.confidential.mechanism.programming.group import Group, Limits, confidences, odds_factor

_NOISE = 1e-9
"""HiGHS keeps its constraints to 1e-10; differences below this may mean nothing."""

_RARE = 1e-5
"""Outcomes with a smaller share of a group, which need not occur at all, may be the solver's noise."""

KEPT = 1 + 1e-8
"""Limits count as kept up to this factor, which is what the solver's tolerance can do to a ratio."""


def excess(group: Group, limits: Limits, mapping: FloatArray) -> float:
    """The largest ratio of what a mapping gives away to the limit on it; 0 where there is none."""
    has, ceilings = confidences(group, mapping), limits.ceilings
    endless = np.where(
        has > 0, np.inf, 0.0
    )  # anything is more than a ceiling of 0 allows, and nothing is not
    over = float(np.divide(has, ceilings, out=endless, where=ceilings > 0).max())
    return max(over, odds_factor(mapping) / limits.odds) if np.isfinite(limits.odds) else over


def reached(group: Group, limits: Limits, mapping: FloatArray) -> Limits:
    """The limits, widened by what a mapping that keeps them misses them by: the solver's tolerance at most.

    Otherwise the next program, which asks for a little more, might find no mapping at all.
    """
    over = max(1.0, excess(group, limits, mapping))
    return Limits(ceilings=limits.ceilings * over, odds=limits.odds * over)


def best_reading(group: Group, answer: FloatArray, cost: Callable[[FloatArray], Any]) -> FloatArray:
    """The solver's answer brought exactly within the bounds, each cell's outcomes making one.

    Noise of the solver in an outcome that should hardly occur looks like a rare outcome that gives a value away, and a
    rare outcome that should occur looks like noise. So each reading is tried, and the one of least cost taken.
    """
    mapping = answer.reshape(group.truth.shape)
    every = np.full(group.truth.shape[1], True)
    near_lower = mapping - group.lower < _NOISE
    snapped = np.where(
        near_lower, group.lower, np.where(group.upper - mapping < _NOISE, group.upper, mapping)
    )
    readings = [_made_whole(group, mapping, every)]
    if not np.array_equal(snapped, mapping):
        readings.append(_made_whole(group, snapped, every))
    share = group.p @ readings[0]
    common = (share > _RARE) | (group.lower > 0).any(axis=0)
    if not common.all():
        readings.append(_made_whole(group, np.where(common[None, :], mapping, 0.0), common))
    whole = [x for x in readings if np.abs(x.sum(axis=1) - 1.0).max() < 1e-12] or readings[:1]
    return whole[0] if len(whole) == 1 else min(whole, key=cost)


def _made_whole(group: Group, mapping: FloatArray, outcomes: NDArray[np.bool_]) -> FloatArray:
    """Clip to the bounds; settle what is lacking by outcomes strictly inside theirs, then by any of those allowed."""
    x = np.clip(mapping, group.lower, group.upper)
    inside = (x > group.lower) & (x < group.upper)
    for movable in (inside & outcomes, np.broadcast_to(outcomes, x.shape)):
        lacking = 1.0 - x.sum(axis=1)
        if not lacking.any():
            break
        room = np.where(lacking[:, None] > 0, group.upper - x, x - group.lower) * movable
        total = room.sum(axis=1)
        part = np.divide(lacking, total, out=np.zeros_like(lacking), where=total > np.abs(lacking))
        x = np.clip(x + room * part[:, None], group.lower, group.upper)
    return np.asarray(x)
