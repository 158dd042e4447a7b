"""Several sensitive attributes: make the largest figure least, then the next, and so on, one attribute after another.

One maximum over all attributes would let an attribute that cannot be protected switch off the protection of the others.
So whatever is made least (confidence, or lift) is a vector with a figure for each attribute, and of two vectors the one is
better whose largest figure is less; if those are equal, whose second largest is less; and so on. A stage makes the
largest figure of the attributes still open least, finds those that cannot have less, closes them at it, and goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from atreport.confidential.data.decision_table import FloatArray
from atreport.confidential.mechanism.programming.group import Group, Limits, confidences
from atreport.confidential.mechanism.programming.press import GAP, Bracket, press
from atreport.confidential.mechanism.programming.quantity import Quantity, floors
from atreport.confidential.mechanism.programming.readings import reached

_SAME = 5e-7
"""An attribute whose figure can be lessened by no more than this, at the cost of no other, is at its least."""

_HOLDS = 0.1
"""An attribute with this part of the weights that prove a limit is held at it: its figure cannot be less."""

OfAttributes = Callable[[Group, set[int]], Quantity]
"""The largest figure of some attributes: of their confidence, or of their lift."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Least:
    """The least figures, by attribute."""

    upper: FloatArray  # what the mapping has, up to the solver's tolerance
    lower: FloatArray  # proven, given the figures that were larger
    mapping: FloatArray


def least_of_each(group: Group, limits: Limits, mapping: FloatArray, of: OfAttributes) -> Least:
    """The least figure of every attribute, from a mapping that keeps the limits."""
    open_ = set(range(group.attributes))
    gauge = of(group, open_).gauge
    known = floors(group, gauge)
    upper, lower = np.empty(group.attributes), np.empty(group.attributes)
    while open_:
        bracket = press(group, limits, of(group, open_), mapping, max(known[j] for j in open_))
        mapping = bracket.mapping
        closed = _closed(group, limits, bracket, open_, of, known)
        for j in closed:
            upper[j], lower[j] = bracket.upper, bracket.lower
        capped = np.where(group.of_some(closed), bracket.upper * gauge, np.inf)
        limits = replace(limits, ceilings=np.minimum(limits.ceilings, capped))
        limits = reached(group, limits, mapping)
        open_ -= closed
    return Least(upper=upper, lower=lower, mapping=mapping)


def _closed(
    group: Group, limits: Limits, bracket: Bracket, open_: set[int], of: OfAttributes, known: FloatArray
) -> set[int]:
    """The open attributes that cannot have less than what the bracket shows, while the others have no more than it.

    At least one: where none is held (an outcome may vanish, and then teaches nothing), the first in the spec's order.
    """
    if len(open_) == 1:
        return set(open_)
    same, gauge = _SAME * max(1.0, bracket.upper), of(group, open_).gauge
    has = group.largest(confidences(group, bracket.mapping) / gauge)
    at_it = [j for j in sorted(open_) if has[j] >= bracket.upper - same]
    held = {j for j in at_it if known[j] >= bracket.upper - 3 * GAP * max(1.0, bracket.upper)}
    held |= _held_by_weights(group, bracket, at_it, gauge)
    for j in at_it:
        if j in held:
            continue
        others = np.where(group.of_some(open_ - {j}), bracket.upper * gauge, np.inf)
        kept = replace(limits, ceilings=np.minimum(limits.ceilings, others))
        kept = reached(group, kept, bracket.mapping)
        alone = press(group, kept, of(group, {j}), bracket.mapping, known[j], enough=bracket.upper - same)
        if alone.upper > bracket.upper - same:
            held.add(j)
    return held or {at_it[0]}


def _held_by_weights(group: Group, bracket: Bracket, at_it: list[int], gauge: FloatArray) -> set[int]:
    """Attributes without which the weights would prove nothing (complementary slackness)."""
    if bracket.weights is None or not bracket.is_narrow():
        return set()
    occurs = group.p @ bracket.mapping
    finite = np.where(np.isfinite(gauge), gauge, 0.0)
    of_values = finite * (bracket.weights.pressed @ occurs)
    of_attributes = np.bincount(group.attribute, of_values, minlength=group.attributes)
    return {j for j in at_it if of_attributes[j] >= _HOLDS * of_attributes.sum() > 0}
