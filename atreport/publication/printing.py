"""How an exact range becomes a printed figure: the value to the nearest step, the ends outward.

Guarantee: the printed interval holds the ranges for all populations. Verdicts are drawn from the printed ends only.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from atreport.analysis.ranges import Range
from atreport.analysis.sampling import LEVEL
from atreport.kit.rounding import nearest, rounded_down, rounded_up
from atreport.report.figures import Sampling, Verdict

Interval = tuple[Decimal, Decimal]


def printed_value(ranges: Sequence[Range], decimals: int) -> Decimal:
    """The value of the first range."""
    return nearest(ranges[0].value, decimals)


def printed_interval(ranges: Sequence[Range], decimals: int) -> Interval:
    """An interval that holds all the ranges."""
    low, high = min(r.low for r in ranges), max(r.high for r in ranges)
    return rounded_down(low, decimals), rounded_up(high, decimals)


def printed_chance(found: Range, decimals: int, method: str) -> Sampling:
    """An interval for what chance may have done, rounded outward."""
    return Sampling(interval=printed_interval([found], decimals), level=LEVEL, method=method)


def should_not_exceed(interval: Interval | None, threshold: Decimal | None) -> Verdict | None:
    """The verdict on a measure that should not exceed the threshold."""
    if threshold is None:
        return None
    if interval is None:
        return "cannot_tell"
    if interval[1] <= threshold:
        return "meets"
    return "does_not_meet" if interval[0] > threshold else "cannot_tell"


def does_exceed(at_least: Decimal, threshold: Decimal | None) -> Verdict | None:
    """The verdict on a measure that should not exceed the threshold, of which nothing is known but the least it can be."""
    if threshold is None:
        return None
    return "does_not_meet" if at_least > threshold else "cannot_tell"


def should_reach(interval: Interval | None, threshold: Decimal | None) -> Verdict | None:
    """The verdict on a measure that should reach the threshold."""
    if threshold is None:
        return None
    if interval is None:
        return "cannot_tell"
    if interval[0] >= threshold:
        return "meets"
    return "does_not_meet" if interval[1] < threshold else "cannot_tell"
