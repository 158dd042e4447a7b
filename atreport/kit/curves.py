"""Draw curves along an attribute, and axes that run to both sides of 0, onto axes that are handed in."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from math import floor
from typing import Any

import numpy as np

from atreport.kit.numbers import MINUS
from atreport.kit.panels import Curve, Curves

MAX_BESIDE = 4
"""The most values for which two panels have room beside each other."""

_TITLE_WIDTH = 90
"""Characters on a line of an axis title."""

_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 5.0)
_LINES = ("-", (0, (4, 1.5)), (0, (1, 1)), (0, (4, 1.5, 1, 1.5)))
_MARKS = ("s", "^", "D", "v", "P", "X")


def draw_curves(axes: Any, panel: Curves, colours: Mapping[str, str]) -> None:
    """The main curve with its intervals in front, the others thin behind it, told apart by line and mark."""
    for index, curve in enumerate(curve for curve in panel.curves if not curve.is_main):
        _thin(axes, panel, curve, index, colours["muted"])
    for curve in panel.curves:
        if curve.is_main:
            _main(axes, panel, curve, colours["accent"])
    axes.set_xlim(-0.4, len(panel.places) - 0.6)
    axes.set_xticks(range(len(panel.places)), _labels(panel.places))
    axes.grid(axis="y")
    if panel.signed:
        ends = [end for c in panel.curves for end in (*c.values, *c.lows, *c.highs) if end is not None]
        signed_axis(axes, "y", panel.axis, ends, colours["muted"])
    else:
        axes.set_ylim(-0.04, 1.04)
        axes.set_yticks(np.linspace(0, 1, 6), [f"{tick}%" for tick in range(0, 101, 20)])
        axes.set_ylabel(panel.axis)
    # of a curve alone, below each other: beside a panel with long names there is no room for two
    columns = 1 if len(panel.curves) == 1 else 2
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=columns,
        borderaxespad=0.2,
        columnspacing=1.0,
        fontsize=7,
    )


def _main(axes: Any, panel: Curves, curve: Curve, colour: str) -> None:
    places, values = _points(curve.values)
    axes.plot(
        places,
        values,
        marker="o",
        markersize=6,
        linestyle="-" if panel.ordered else "none",
        linewidth=1.8,
        color=colour,
        label=curve.label,
        zorder=3,
    )
    _, lows = _points(curve.lows)
    _, highs = _points(curve.highs)
    axes.vlines(places, lows, highs, color=colour, linewidth=1.6, label="where the true value lies", zorder=3)
    for ends in (lows, highs):
        axes.plot(places, ends, "_", color=colour, markersize=7, markeredgewidth=1.6, zorder=3)


def _thin(axes: Any, panel: Curves, curve: Curve, index: int, colour: str) -> None:
    places, values = _points(curve.values)
    axes.plot(
        places,
        values,
        marker=_MARKS[index % len(_MARKS)],
        markersize=4,
        markerfacecolor="none",
        linestyle=_LINES[index % len(_LINES)] if panel.ordered else "none",
        linewidth=1.0,
        color=colour,
        label=curve.label,
    )


def _points(values: Sequence[float | None]) -> tuple[list[int], list[float]]:
    """The places that have a value, and the values."""
    found = [(place, value) for place, value in enumerate(values) if value is not None]
    return [place for place, _ in found], [value for _, value in found]


def _labels(places: Sequence[str]) -> list[str]:
    """Values as they fit under the axis: on up to three lines."""
    room = max(5, 72 // max(1, len(places))) if len(places) > MAX_BESIDE else 9
    return ["\n".join(textwrap.wrap(place, room, max_lines=3, placeholder=" …")) for place in places]


def axis_title(title: str) -> str:
    """The title of a level axis, on two lines at most: a longer one would run out of the chart."""
    return "\n".join(textwrap.wrap(title, _TITLE_WIDTH, max_lines=2, placeholder=" …"))


def signed_axis(
    axes: Any, which: str, title: str, ends: Sequence[float], colour: str, *, unit: int = 100
) -> None:
    """An axis in percentage points (or, with a unit of 1, plain numbers) that holds 0 and all ends.

    Its ticks stand at round numbers.
    """
    low, high = min(0.0, *ends), max(0.0, *ends)
    span = max(high - low, 0.02)
    step = next((s for s in _STEPS if span / s <= 7), _STEPS[-1])
    ticks = [step * k for k in range(floor(low / step), -floor(-high / step) + 1)]
    if len(ticks) == 1:  # all ends are 0: an axis with room on either side of it
        ticks = [-step, 0.0, step]
    texts = [f"{'+' if t > 0 else MINUS if t < 0 else ''}{abs(round(t * unit, 2)):g}" for t in ticks]
    margin = 0.03 * (ticks[-1] - ticks[0])
    limits = (ticks[0] - margin, ticks[-1] + margin)
    if which == "x":
        axes.set_xlim(*limits)
        axes.set_xticks(ticks, texts)
        axes.set_xlabel(axis_title(title))
        axes.axvline(0, color=colour, linewidth=1.0)
    else:
        axes.set_ylim(*limits)
        axes.set_yticks(ticks, texts)
        axes.set_ylabel(title)
        axes.axhline(0, color=colour, linewidth=1.0)
