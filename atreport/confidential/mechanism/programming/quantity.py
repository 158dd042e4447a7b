"""What a linear program makes least: the largest confidence or lift of some sensitive attributes, or the odds factor.

Confidence and lift are one thing with two gauges: the largest N / (g·D) over values and outcomes, where the gauge g of
a value is 1 for the confidence in it and its share for its lift. Measured against ceilings, a largest ratio of at most 1
says that all of them are kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from atreport.confidential.data.decision_table import FloatArray
from atreport.confidential.mechanism.programming.group import Group, confidences, odds_factor

_FLOATS = 1e-12
"""More than what rounding of floats can do to a sum of shares."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Quantity:
    """Something that a mapping of a group has, the less of it the better."""

    kind: Literal["beta", "lift", "odds", "ceilings"]
    gauge: FloatArray  # (values,); inf: the value is left out

    def of(self, group: Group, mapping: FloatArray) -> float:
        """How much of it a mapping has."""
        if self.kind == "odds":
            return odds_factor(mapping)
        return float((confidences(group, mapping) / self.gauge).max())


def beta_of(group: Group, attributes: set[int]) -> Quantity:
    """The largest confidence in a value of some attributes."""
    return Quantity(kind="beta", gauge=_only(group, np.ones(len(group.holds)), attributes))


def lift_of(group: Group, attributes: set[int]) -> Quantity:
    """The largest lift of a value of some attributes."""
    return Quantity(kind="lift", gauge=_only(group, group.share, attributes))


def odds_of(group: Group) -> Quantity:
    """The odds factor; no value has a gauge."""
    return Quantity(kind="odds", gauge=np.full(len(group.holds), np.inf))


def excess_over(ceilings: FloatArray) -> Quantity:
    """The largest ratio of a confidence to its ceiling."""
    return Quantity(kind="ceilings", gauge=ceilings)


def _only(group: Group, gauge: FloatArray, attributes: set[int]) -> FloatArray:
    return np.where(group.of_some(attributes), gauge, np.inf)


def floors(group: Group, gauge: FloatArray) -> FloatArray:
    """For each attribute a lower limit on its largest N / (g·D) in any mapping within the bounds; proven, in closed form.

    With A the least and U the greatest N of a value for an outcome, and B = max A / g over the attribute's values: since
    D ≥ B / t, and D = Σ N ≤ Σ min(U, t·g·D) holds for every smaller D too (the right side is concave),
    t ≥ B / Σ min(U, g·B); the D of all outcomes make 1, so t ≥ Σ B; confidences average to the share, so t ≥ share / g.
    """
    least, most = (group.holds @ (group.p[:, None] * bound) for bound in (group.lower, group.upper))
    found = np.zeros(group.attributes)
    for attribute in range(group.attributes):
        own = (group.attribute == attribute) & np.isfinite(gauge)
        if not own.any():
            continue
        g = gauge[own][:, None]
        needed = (least[own] / g).max(axis=0)
        if own.sum() == (group.attribute == attribute).sum():
            together = np.minimum(most[own], g * needed).sum(axis=0)
            ratio = np.divide(needed, together, out=np.zeros_like(needed), where=together > 0).max()
        else:
            ratio = 0.0  # some values have no ceiling: they can take any part of D
        found[attribute] = max(ratio, needed.sum(), (group.share[own] / gauge[own]).max())
    return found * (1 - _FLOATS)


def least_odds(lower: FloatArray, upper: FloatArray) -> float:
    """A lower limit on the odds factor of any mapping within the bounds."""
    most, least = lower.max(axis=0), upper.min(axis=0)
    if (most[least <= 0] > 0).any():
        return float("inf")
    ratio = np.divide(most, least, out=np.ones_like(most), where=least > 0) * (1 - _FLOATS)
    return float(ratio.max(initial=1.0))
