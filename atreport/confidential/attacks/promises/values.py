"""Confidence and lift of sensitive values: what is promised, and what the policy allows. Confidential."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.announcement import Announcement
from atreport.announcement.ceilings import ceiling_on_beta
from atreport.confidential.attacks.promises.conclusions import Conclusions
from atreport.confidential.attacks.promises.tried import Tried
from atreport.spec.models.spec import Spec


def try_values(announcement: Announcement, conclusions: list[Conclusions]) -> Iterator[Tried]:
    """Confidence and lift, by group and value by value."""
    checked, scale = sum(len(each.own) for each in conclusions), announcement.scale
    confidence = max(float(each.confidence.max()) for each in conclusions)
    lift = max(float(each.lift.max()) for each in conclusions)
    for promise, promised, reached, broken in (
        (
            "Confidence in any value of a group (β)",
            float(announcement.beta),
            confidence,
            sum(e.beyond_confidence(announcement.group_beta[e.protected.group], scale) for e in conclusions),
        ),
        (
            "Confidence, value by value",
            max(float(each.after.max()) for each in announcement.attributes) / scale,
            confidence,
            sum(e.beyond_confidence(announcement.attributes[e.attribute].after, scale) for e in conclusions),
        ),
        (
            "Lift of any value of a group",
            float(announcement.lift),
            lift,
            sum(e.beyond_lift(announcement.group_lift[e.protected.group], scale) for e in conclusions),
        ),
        (
            "Lift, value by value",
            max(float(each.lift.max()) for each in announcement.attributes) / scale,
            lift,
            sum(e.beyond_lift(announcement.attributes[e.attribute].lift, scale) for e in conclusions),
        ),
    ):
        yield Tried(promise=promise, promised=promised, reached=reached, checked=checked, broken=broken)


def try_ceilings(spec: Spec, announcement: Announcement, conclusions: list[Conclusions]) -> Iterator[Tried]:
    """The ceilings of the policy: on confidence, lift and odds, and on single values."""
    privacy, beta = spec.policy.privacy, ceiling_on_beta(spec.policy.privacy)
    if beta is not None:
        yield _ceiling(
            "confidence", beta, conclusions, lambda each: each.confidence, Conclusions.beyond_confidence
        )
    if privacy is not None and privacy.lift is not None:
        yield _ceiling("lift", privacy.lift, conclusions, lambda each: each.lift, Conclusions.beyond_lift)
    if privacy is not None and privacy.odds is not None:
        most = announcement.odds
        yield Tried(
            promise="Ceiling on odds",
            asked=True,
            promised=float(privacy.odds),
            reached=None if most is None else float(most),
            checked=len(announcement.group_odds),
            broken=int(most is None or most > privacy.odds),
        )
    yield from _of_single_values(announcement, conclusions)


def _ceiling(
    name: str,
    ceiling: Decimal,
    conclusions: list[Conclusions],
    figures: Callable[[Conclusions], NDArray[np.float64]],
    beyond: Callable[[Conclusions, NDArray[Any], int], int],
) -> Tried:
    """One ceiling on every value."""
    limit = Fraction(ceiling)
    return Tried(
        promise=f"Ceiling on {name}",
        asked=True,
        promised=float(limit),
        reached=max(float(figures(each).max()) for each in conclusions),
        checked=sum(len(each.own) for each in conclusions),
        broken=sum(
            beyond(each, np.full(len(each.own), limit.numerator, dtype=object), limit.denominator)
            for each in conclusions
        ),
    )


def _of_single_values(announcement: Announcement, conclusions: list[Conclusions]) -> Iterator[Tried]:
    """Ceilings that the spec gives single values."""
    cells = announcement.cells
    for place, protected in enumerate(cells.protected):
        attribute = cells.process.attribute(protected.attribute)
        codes = cells.column(attribute.name)[protected.order[protected.starts]]
        for value, ceiling in (attribute.ceilings or {}).items():
            there = codes == attribute.values.index(value)
            limit = Fraction(ceiling)
            numerator = np.where(there, limit.numerator, limit.denominator).astype(object)
            own = [each for each in conclusions if each.attribute == place]
            yield Tried(
                promise=f"Ceiling on {attribute.title}: {value}",
                asked=True,
                promised=float(limit),
                reached=max((float(e.confidence[there].max(initial=0.0)) for e in own), default=0.0),
                checked=int(there.sum()) * len(own),
                broken=sum(e.beyond_confidence(numerator, limit.denominator) for e in own),
            )
