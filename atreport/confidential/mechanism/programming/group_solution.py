"""Solve one QID group for what the policy aims at: ceilings kept, one thing after another made least, near to the truth.

Each thing that is made least is then kept at its printed value, rounded up, and the last one as it is; so later ones never
undo what a reader of the report is promised.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from atreport.confidential.data.decision_table import FloatArray
from atreport.confidential.mechanism.aims import Aims
from atreport.confidential.mechanism.programming.group import Group, Limits, confidences, odds_factor
from atreport.confidential.mechanism.programming.max_min import least_of_each
from atreport.confidential.mechanism.programming.nearest import nearest
from atreport.confidential.mechanism.programming.odds import narrowed
from atreport.confidential.mechanism.programming.press import GAP, UNBOUNDED, press
from atreport.confidential.mechanism.programming.quantity import (
    beta_of,
    excess_over,
    floors,
    least_odds,
    lift_of,
    odds_of,
)
from atreport.confidential.mechanism.programming.readings import excess, reached

_REACHED = 1 + 5 * GAP
"""Ceilings that a mapping comes this close to are kept: a bracket is no narrower."""


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupSolution:
    """What one group can keep, by sensitive attribute, and the mapping to announce."""

    beta: FloatArray  # the least confidence; where it is not made least, that of the mapping
    beta_proven: FloatArray  # a proven lower limit on it, given the larger ones
    lift: FloatArray
    lift_proven: FloatArray
    odds: float  # of the mapping
    kept: bool  # whether the ceilings can be kept; where not, it was solved without them
    mapping: FloatArray


def solve_group(group: Group, aims: Aims) -> GroupSolution:
    """The solution of one group. Where the ceilings cannot be kept and nothing is made least, the confidence is."""
    limits = Limits(ceilings=group.given, odds=np.inf if aims.odds is None else aims.odds)
    start = _keeping(group, limits)
    kept = start is not None
    if start is None:
        limits = Limits(ceilings=np.full(len(group.given), np.inf))
        start = _inside(group)
        aims = replace(aims, minimise=aims.minimise or ("beta",))
    else:
        limits = reached(group, limits, start)
    return _solved(group, aims, limits, start, kept)


def _solved(group: Group, aims: Aims, limits: Limits, mapping: FloatArray, kept: bool) -> GroupSolution:
    """Make one thing after another least, from a mapping that keeps the limits."""
    proven = {"beta": floors(group, np.ones(len(group.holds))), "lift": np.ones(group.attributes)}
    found = {}
    for aim in aims.minimise:
        last = aim == aims.minimise[-1]
        if aim == "odds":
            group, limits, mapping = _least_odds(group, aims, limits, mapping, last)
            continue
        of = beta_of if aim == "beta" else lift_of
        gauge = of(group, set(range(group.attributes))).gauge
        least = least_of_each(group, limits, mapping, of)
        mapping, found[aim], proven[aim] = least.mapping, least.upper, least.lower
        figure = least.upper if last else _printed(least.upper, least.lower, aims.decimals)
        limits = replace(limits, ceilings=np.minimum(limits.ceilings, figure[group.attribute] * gauge))
        limits = reached(group, limits, mapping)
    mapping = nearest(group, limits, mapping)
    confidence = confidences(group, mapping)
    has = {"beta": group.largest(confidence), "lift": group.largest(confidence / group.share)}
    return GroupSolution(
        beta=found.get("beta", has["beta"]),
        beta_proven=np.minimum(proven["beta"], found.get("beta", has["beta"])),
        lift=found.get("lift", has["lift"]),
        lift_proven=np.minimum(proven["lift"], found.get("lift", has["lift"])),
        odds=odds_factor(mapping),
        kept=kept,
        mapping=mapping,
    )


def _printed(upper: FloatArray, lower: FloatArray, decimals: int) -> FloatArray:
    """Figures as they are printed, rounded up: that of the proven limit, but never less than what the mapping has."""
    scale = 10**decimals
    return np.asarray(np.maximum(upper, np.ceil(lower * scale - 1e-6) / scale))


def _inside(group: Group) -> FloatArray:
    """A mapping within the bounds that keeps the rates: the true one, or where bounds were drawn in the nearest to it."""
    inside = ((group.lower <= group.truth) & (group.truth <= group.upper)).all()
    if inside:
        return group.truth
    clipped = np.clip(group.truth, group.lower, group.upper)
    return nearest(group, Limits(ceilings=np.full(len(group.given), np.inf)), clipped)


def _keeping(group: Group, limits: Limits) -> FloatArray | None:
    """A mapping that keeps the limits, or None: it is proven, up to the width of a bracket, that there is none."""
    mapping, nothing = _inside(group), Limits(ceilings=np.full(len(group.given), np.inf))
    if excess(group, limits, mapping) <= 1.0:
        return mapping
    if (limits.ceilings < group.share * (1 - GAP)).any():
        return None
    if np.isfinite(limits.odds):
        bracket = press(
            group, nothing, odds_of(group), mapping, least_odds(group.lower, group.upper), limits.odds
        )
        if bracket.upper > limits.odds * _REACHED:
            return None
        mapping, nothing = bracket.mapping, replace(nothing, odds=max(limits.odds, bracket.upper))
    if np.isfinite(limits.ceilings).any():
        floor = float(floors(group, limits.ceilings).max())
        bracket = press(group, nothing, excess_over(limits.ceilings), mapping, floor, 1.0)
        mapping = bracket.mapping
        if bracket.upper > _REACHED:
            return None
    return mapping


def _least_odds(
    group: Group, aims: Aims, limits: Limits, mapping: FloatArray, last: bool
) -> tuple[Group, Limits, FloatArray]:
    """The group, its limits and a mapping, once the odds factor is at its least."""
    if group.truth.shape[1] == 2:
        drawn_in, odds = narrowed(group)
        start = _keeping(drawn_in, limits) if np.isfinite(odds) else None
        if start is not None:
            return drawn_in, limits, start
    floor = least_odds(group.lower, group.upper)
    if not np.isfinite(floor):
        return group, limits, mapping
    bracket = press(group, limits, odds_of(group), mapping, floor)
    if bracket.upper > UNBOUNDED:
        return group, limits, mapping
    scale = 10**aims.decimals
    printed = bracket.upper if last else max(bracket.upper, math.ceil(bracket.lower * scale - 1e-6) / scale)
    return group, replace(limits, odds=printed), bracket.mapping
