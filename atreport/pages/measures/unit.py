"""How figures of measures are written: differences in points, ratios in percent, log ratios as they are.

Captions, titles and axes are messages in English, to be said in the report's language.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from atreport.kit.language import message, say
from atreport.kit.numbers import (
    few_points,
    figure,
    full_percent,
    full_percent_interval,
    full_points,
    full_points_interval,
    hundredths_interval,
    interval,
    percent,
    points,
    short,
)


@dataclass(frozen=True, kw_only=True)
class Unit:
    """How figures and intervals are written in tables and sentences, and what a chart of them is called."""

    id: str  # part of the chart's id
    value: Callable[[Decimal | None], str]  # with every printed digit
    interval: Callable[[Decimal, Decimal], str]
    beside: Callable[[Decimal, Decimal], str]  # an interval beside a value that names the unit
    brief: Callable[[Decimal], str]  # in a sentence
    between: Callable[[Decimal, Decimal], str]
    caption: str  # of the summary's figure; {compared}: whom it compares
    chart_title: str
    chart_axis: str
    chart_axis_all: str  # above a distribution; {total}: how many comparisons
    chart_axis_extremes: str  # below one; {shown}: how many rows
    chart_value: Callable[[Decimal], str]  # in the words for those who do not see the chart
    logarithm: bool = False  # the axis has no upper end and is not in percent
    is_share: bool = False  # of 1, which means equal: the smaller, the further apart


def _between(low: str, high: str) -> str:
    return say("between {low} and {high}", low=low, high=high)


POINTS = Unit(
    id="points",
    value=full_points,
    interval=full_points_interval,
    beside=hundredths_interval,
    brief=few_points,
    between=lambda low, high: _between(short(low.scaleb(2)), points(high)),
    caption=message("announced gap, {compared}"),
    chart_title=message("Differences in treatment"),
    chart_axis=message("Difference in percentage points"),
    chart_axis_all=message("Difference in percentage points, all {total} comparisons"),
    chart_axis_extremes=message("Difference in percentage points, the {shown} that may be largest"),
    chart_value=points,
)
PERCENT = Unit(
    id="percent",
    value=full_percent,
    interval=full_percent_interval,
    beside=full_percent_interval,
    brief=percent,
    between=lambda low, high: _between(percent(low), percent(high)),
    caption=message("lower rate as a share of the higher, {compared}"),
    chart_title=message("Ratios of favourable rates"),
    chart_axis=message("Lower rate as a share of the higher"),
    chart_axis_all=message("Lower rate as a share of the higher, all {total} comparisons"),
    chart_axis_extremes=message("Lower rate as a share of the higher, the {shown} that may be smallest"),
    chart_value=percent,
    is_share=True,
)
LOGARITHM = Unit(
    id="logarithm",
    value=figure,
    interval=interval,
    beside=interval,
    brief=short,
    between=lambda low, high: _between(short(low), short(high)),
    caption=message("announced bias, on a logarithmic scale"),
    chart_title=message("Relative differences in treatment"),
    chart_axis=message("Bias (natural logarithm)"),
    chart_axis_all=message("Bias (natural logarithm), all {total} comparisons"),
    chart_axis_extremes=message("Bias (natural logarithm), the {shown} that may be largest"),
    chart_value=short,
    logarithm=True,
)
UNITS = (POINTS, PERCENT, LOGARITHM)
"""In the order in which their charts stand; a measure with a unit of its own has its chart after them."""
