"""How figures of measures are written: differences in points, ratios in percent, log ratios as they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from atreport.kit.numbers import (
    figure,
    full_percent,
    full_percent_interval,
    full_points,
    full_points_interval,
    interval,
    percent,
    percent_interval,
    points,
    short,
)


@dataclass(frozen=True, kw_only=True)
class Unit:
    """How figures and intervals are written in tables and sentences, and what a chart of them is called."""

    id: str  # part of the chart's id
    value: Callable[[Decimal | None], str]  # with every printed digit
    interval: Callable[[Decimal, Decimal], str]
    brief: Callable[[Decimal], str]  # in a sentence
    between: Callable[[Decimal, Decimal], str]
    caption: str  # of the summary's figure; {compared}: whom it compares
    chart_title: str
    chart_axis: str
    chart_value: Callable[[Decimal], str]  # in the words for those who do not see the chart
    logarithm: bool = False  # the axis has no upper end and is not in percent
    is_share: bool = False  # of 1, which means equal: the smaller, the further apart


POINTS = Unit(
    id="points",
    value=full_points,
    interval=full_points_interval,
    brief=lambda number: f"{short(number.scaleb(2))} points",
    between=lambda low, high: f"between {short(low.scaleb(2))} and {points(high)}",
    caption="announced gap, {compared}",
    chart_title="Differences in treatment",
    chart_axis="Difference in percentage points",
    chart_value=percent,
)
PERCENT = Unit(
    id="percent",
    value=full_percent,
    interval=full_percent_interval,
    brief=percent,
    between=lambda low, high: f"between {percent_interval(low, high).replace(' to ', ' and ')}",
    caption="lower rate as a share of the higher, {compared}",
    chart_title="Ratios of favourable rates",
    chart_axis="Lower rate as a share of the higher",
    chart_value=percent,
    is_share=True,
)
LOGARITHM = Unit(
    id="logarithm",
    value=figure,
    interval=interval,
    brief=short,
    between=lambda low, high: f"between {short(low)} and {short(high)}",
    caption="announced bias, on a logarithmic scale",
    chart_title="Relative differences in treatment",
    chart_axis="Bias (natural logarithm)",
    chart_value=short,
    logarithm=True,
)
UNITS = (POINTS, PERCENT, LOGARITHM)
"""In the order in which their charts stand; a measure with a unit of its own has its chart after them."""
