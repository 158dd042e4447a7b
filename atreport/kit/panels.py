"""What a chart shows before it is drawn: panels of marks, and the words that go with them.

Few rows are drawn one by one; of many, the distribution and the extremes. Nothing here knows what a mark
stands for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MAX_MARKS = 24
"""The most rows that are drawn one by one."""

EXTREMES = 8
"""How many rows are drawn under a distribution."""

BINS = 25
"""Bars of a distribution."""


@dataclass(frozen=True)
class Mark:
    """One row of a dot plot: a figure, the interval around it, and perhaps a limit."""

    label: str
    value: float
    low: float
    high: float
    limit: float | None = None


@dataclass(frozen=True, kw_only=True)
class Dots:
    """A dot and an interval in each row."""

    marks: tuple[Mark, ...]
    axis: str
    logarithm: bool = False  # the axis has no upper end and is not in percent
    band: str = "where the true value lies"  # empty: there is none
    dot: str = "announced"
    signed: bool = False  # the axis is in percentage points, with 0 somewhere on it


@dataclass(frozen=True, kw_only=True)
class Arrows:
    """From one figure to another in each row."""

    labels: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    axis: str
    names: tuple[str, str]  # what the two figures are


@dataclass(frozen=True, kw_only=True)
class Distribution:
    """How many things have which value: counts in equal steps from 0 to `top`, up to two series."""

    series: tuple[tuple[str, tuple[int, ...]], ...]
    top: float
    axis: str
    things: str
    logarithm: bool = False


@dataclass(frozen=True, kw_only=True)
class HeatMap:
    """A value in each field of a grid, drawn and written; None where no cell occurs."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    fields: tuple[tuple[tuple[float, str] | None, ...], ...]
    column_title: str


@dataclass(frozen=True, kw_only=True)
class Curve:
    """Figures along some places, None where there is none; the main curve has intervals."""

    label: str
    values: tuple[float | None, ...]
    lows: tuple[float | None, ...] = ()
    highs: tuple[float | None, ...] = ()

    @property
    def is_main(self) -> bool:
        """Whether it is drawn with its intervals."""
        return bool(self.lows)


@dataclass(frozen=True, kw_only=True)
class Curves:
    """Curves over the values of an attribute: lines where the values have an order, marks where not."""

    places: tuple[str, ...]
    curves: tuple[Curve, ...]
    axis: str
    ordered: bool
    signed: bool = False


Panel = Dots | Arrows | Distribution | HeatMap | Curves


@dataclass(frozen=True, kw_only=True)
class Plot:
    """One chart before it is drawn."""

    id: str
    title: str
    alt: str
    panels: tuple[Panel, ...]
    beside: bool = False  # panels stand beside one another, not below


@dataclass(frozen=True, kw_only=True)
class Chart:
    """One chart as drawn: an SVG element, and words for those who do not see it."""

    id: str
    title: str
    svg: str
    alt: str


def counts_in_bins(values: NDArray[np.float64], top: float) -> tuple[int, ...]:
    """How many values lie in each of the equal steps from 0 to `top`."""
    return tuple(int(number) for number in np.histogram(values, bins=BINS, range=(0.0, top))[0])


def lower_median(steps: NDArray[np.int64]) -> int:
    """The median, or the lower of two: itself one of the figures, so where those are printed, it is."""
    return int(np.sort(steps)[(len(steps) - 1) // 2])
