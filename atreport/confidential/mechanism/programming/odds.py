"""The least odds factor of a group: how many times as likely an outcome is in one cell as in another.

It is taken over cells, not over values merged by the people in them: only then does it hold whatever a reader knew before.
Two outcomes without ceilings have a closed form: every mapping has a cell with at least L = max lower and one with at most
H = min upper, and the factor grows with the one and falls with the other. So the best mappings are those between H and L.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from atreport.confidential.data.decision_table import FloatArray
from atreport.confidential.mechanism.programming.group import Group


def narrowed(group: Group) -> tuple[Group, float]:
    """The group with the bounds that the least odds factor leaves, and that factor; two outcomes, no ceilings.

    Where some outcome must be certain in one cell and impossible in another, nothing is narrowed, and the factor is inf.
    """
    lower, upper = group.lower[:, 0], group.upper[:, 0]
    most, least = float(lower.max()), float(upper.min())
    if group.rate_move is not None:
        rate = group.rates[0]
        most = max(most, _evened_up(group.p, upper, rate - group.rate_move))
        least = min(least, 1.0 - _evened_up(group.p, 1.0 - lower, 1.0 - rate - group.rate_move))
    if most <= least:
        constant = float(np.clip(group.rates[0], most, least))
        return _between(group, constant, constant), 1.0
    if least <= 0 or most >= 1:
        return group, float("inf")
    return _between(group, least, most), max(most / least, (1 - least) / (1 - most))


def _evened_up(p: FloatArray, upper: FloatArray, rate: float) -> float:
    """The least u for which probabilities of at most u, within their bounds, can have the rate; 0 for one of 0 or less."""
    corners = np.unique(np.append(upper, [0.0, 1.0]))
    reached = np.minimum(upper[None, :], corners[:, None]) @ p
    rising = np.append(True, np.diff(reached) > 0)
    return float(np.interp(rate, reached[rising], corners[rising]))


def _between(group: Group, least: float, most: float) -> Group:
    """The group with its bounds on the first of two outcomes drawn in."""
    lower, upper = (np.clip(bound[:, 0], least, most) for bound in (group.lower, group.upper))
    return replace(
        group, lower=np.column_stack([lower, 1.0 - upper]), upper=np.column_stack([upper, 1.0 - lower])
    )
