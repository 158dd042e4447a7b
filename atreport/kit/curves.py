"""Draw curves along an attribute, and axes that run to both sides of 0, onto axes that are handed in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor
from typing import Any, Literal

import numpy as np

from atreport.kit.language import say
from atreport.kit.language.signs import signed_as_spoken, with_percent
from atreport.kit.lines import broken
from atreport.kit.numbers import MINUS
from atreport.kit.panels import Curve, Curves, curve_names, room_across, wrapped

Direction = Literal["x", "y"]

AXIS_WIDTH = 60
"""Characters: the title of an axis below a chart that is longer stands on several lines."""

_AXIS_HEIGHT = 24
"""Characters: the same of an axis that goes up."""

_AXIS_LINES = 3
_AXIS_LINE = 0.16
"""Inches."""

_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 5.0)
_LINES = ("-", (0, (4, 1.5)), (0, (1, 1)), (0, (4, 1.5, 1, 1.5)))
_MARKS = ("s", "^", "D", "v", "P", "X")


def draw_curves(axes: Any, panel: Curves, colours: Mapping[str, str]) -> None:
    """The main curve with its intervals in front, the others thin behind it, told apart by line and mark.

    Values stand side by side, or below one another where their names have no room for that.
    """
    for index, curve in enumerate(curve for curve in panel.curves if not curve.is_main):
        _thin(axes, panel, curve, index, colours["muted"])
    for curve in panel.curves:
        if curve.is_main:
            _main(axes, panel, curve, colours["accent"])
    _name_places(axes, panel)
    which: Direction = "x" if panel.is_down else "y"
    axes.grid(axis=which)
    if panel.signed:
        ends = [end for c in panel.curves for end in (*c.values, *c.lows, *c.highs) if end is not None]
        signed_axis(axes, which, panel.axis, ends, colours["muted"])
    else:
        percent = [with_percent(str(tick)) for tick in range(0, 101, 20)]
        axes.set(**{f"{which}lim": (-0.04, 1.04)})
        title_axis(axes, which, panel.axis)
        getattr(axes, f"set_{which}ticks")(np.linspace(0, 1, 6), percent)
    marks, names = axes.get_legend_handles_labels()
    axes.legend(
        marks,
        curve_names(panel, names),
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=panel.legend_columns,
        borderaxespad=0.2,
        columnspacing=1.0,
        fontsize=7,
    )


def _name_places(axes: Any, panel: Curves) -> None:
    """The values along their axis: from the left, or from the top."""
    places = panel.places
    if panel.is_down:
        axes.set_ylim(len(places) - 0.5, -0.5)
        axes.set_yticks(range(len(places)), [wrapped(place) for place in places])
        return
    room = room_across(len(places))
    names = ["\n".join(broken(place, room, 3)) for place in places]
    axes.set_xlim(-0.4, len(places) - 0.6)
    axes.set_xticks(range(len(places)), names)


def _main(axes: Any, panel: Curves, curve: Curve, colour: str) -> None:
    places, values = _points(curve.values)
    axes.plot(
        *_turned(panel, places, values),
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
    bars = axes.hlines if panel.is_down else axes.vlines
    bars(places, lows, highs, color=colour, linewidth=1.6, label=say("where the true value lies"), zorder=3)
    for ends in (lows, highs):
        axes.plot(
            *_turned(panel, places, ends),
            "|" if panel.is_down else "_",
            color=colour,
            markersize=7,
            markeredgewidth=1.6,
            zorder=3,
        )


def _thin(axes: Any, panel: Curves, curve: Curve, index: int, colour: str) -> None:
    places, values = _points(curve.values)
    axes.plot(
        *_turned(panel, places, values),
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


def _turned(panel: Curves, places: list[int], values: list[float]) -> tuple[Sequence[float], Sequence[float]]:
    """Places and values as x and y: the other way round where places stand below one another."""
    return (values, places) if panel.is_down else (places, values)


def signed_axis(
    axes: Any, which: Direction, title: str, ends: Sequence[float], colour: str, *, unit: int = 100
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
    texts = [_tick(round(t * unit, 2)) for t in ticks]
    margin = 0.03 * (ticks[-1] - ticks[0])
    limits = (ticks[0] - margin, ticks[-1] + margin)
    if which == "x":
        axes.set_xlim(*limits)
        axes.set_xticks(ticks, texts)
        axes.axvline(0, color=colour, linewidth=1.0)
    else:
        axes.set_ylim(*limits)
        axes.set_yticks(ticks, texts)
        axes.axhline(0, color=colour, linewidth=1.0)
    title_axis(axes, which, title)


def title_axis(axes: Any, which: Direction, title: str) -> None:
    """What an axis shows, on as many lines as it needs, up to three. Those below a chart make it higher."""
    lines = broken(title, AXIS_WIDTH if which == "x" else _AXIS_HEIGHT, _AXIS_LINES)
    axes.set(**{f"{which}label": "\n".join(lines)})
    if which == "x":
        grow(axes, _AXIS_LINE * (len(lines) - 1))


def grow(axes: Any, inches: float) -> None:
    """Make a drawing higher, so that lines beyond the first take no room of what is drawn."""
    figure = axes.get_figure(root=True)
    figure.set_figheight(figure.get_figheight() + inches)


def _tick(number: float) -> str:
    sign = "+" if number > 0 else MINUS if number < 0 else ""
    return sign + signed_as_spoken(f"{abs(number):g}")
