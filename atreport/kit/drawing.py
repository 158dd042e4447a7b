"""Turn what a chart shows into SVG, with text that stays text. Reports and the confidential annex use it.

Colours are never the only sign, and each is written as `var(--chart-…, fallback)`, so that a page can swap
them in the dark while a printer takes the fallback.

Guarantee: the same panels give the same bytes, and no two charts share an id.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator

from atreport.kit import fonts
from atreport.kit.curves import draw_curves, grow, signed_axis, title_axis
from atreport.kit.language import say
from atreport.kit.language.signs import count, signed_as_spoken, with_percent
from atreport.kit.lines import broken, width
from atreport.kit.panels import (
    CHARACTERS,
    MARK_WIDTH,
    TALL,
    WIDTH,
    Arrows,
    Chart,
    Curves,
    Distribution,
    Dots,
    HeatMap,
    Plot,
    height,
    labels_wide,
    wrapped,
)
from atreport.kit.resources import templates_folder
from atreport.kit.svg import svg_element


def _chart_colours() -> dict[str, str]:
    """The colours of charts by name, in the light. The style sheet of every page is the one place where they are set.

    Paper is not plain white, which the heat map uses for writing on dark fields.
    """
    light = (templates_folder() / "colours.css").read_text(encoding="utf-8").partition("@media")[0]
    return dict(re.findall(r"--chart-(\w+): (#[0-9a-f]{6})", light))


COLOURS = _chart_colours()
_INK, _MUTED, _ACCENT, _LIMIT, _GRID, _PAPER = (
    COLOURS[name] for name in ("ink", "muted", "accent", "limit", "grid", "paper")
)
_HEAT = matplotlib.colormaps["Blues"]
_LEGEND_LINE = 0.18
"""Inches."""
_LEGEND_LINES = 2
_COLUMN_WIDTH = 12
"""Characters: the name of a column of a heat map."""
_COLUMN_LINES = 6
_BESIDE_LABELS = 0.25
"""Inches: the space around the labels of rows."""
_VALUES_WIDTH = 0.7
"""Inches: a vertical axis of numbers with its title."""
_STYLE: dict[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "atreport",
    "text.parse_math": False,  # a $ in a label is a $
    "font.size": 9,
    "text.color": _INK,
    "figure.facecolor": "none",
    "figure.edgecolor": "none",
    "axes.facecolor": "none",
    "axes.edgecolor": _MUTED,
    "axes.labelcolor": _INK,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": _GRID,
    "grid.linewidth": 0.6,
    "xtick.color": _MUTED,
    "ytick.color": _MUTED,
    "xtick.labelcolor": _INK,
    "ytick.labelcolor": _INK,
    "hatch.color": _ACCENT,
    "legend.frameon": False,
    "legend.handlelength": 1.6,
}


@contextmanager
def house_style() -> Iterator[None]:
    """Draw with the document's own font, lines and colours."""
    sans = fonts.TEXT.path
    if sans is not None:
        fontManager.addfont(sans)
    style: Any = _STYLE | ({"font.family": [fonts.SANS]} if sans else {})
    with matplotlib.rc_context(style):
        yield


def draw_plot(plot: Plot) -> Chart:
    """Every panel of a chart, in the house style, which the caller has set."""
    return as_chart(drawing(plot), plot.id, plot.title, plot.alt)


def drawing(plot: Plot) -> Figure:
    """The same as a figure. All its words stand inside of it, however long and wide they are."""
    heights = [height(panel) for panel in plot.panels]
    figure = Figure(figsize=(WIDTH, max(heights) if plot.beside else sum(heights)), layout="constrained")
    if plot.beside:
        places = figure.subplots(1, len(heights), squeeze=False)[0, :]
    else:
        places = figure.subplots(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
    for panel, axes in zip(plot.panels, places, strict=True):
        match panel:
            case Dots():
                _dots(axes, panel)
            case Arrows():
                _arrows(axes, panel)
            case Distribution():
                _distribution(axes, panel)
            case HeatMap():
                _heat_map(axes, panel)
            case Curves():
                draw_curves(axes, panel, COLOURS)
    return figure


def _dots(axes: Axes, panel: Dots) -> None:
    marks = panel.marks
    places = np.arange(len(marks))
    if panel.band:
        lows, highs = [m.low for m in marks], [m.high for m in marks]
        axes.hlines(places, lows, highs, color=_ACCENT, linewidth=1.6, label=panel.band)
        for ends in (lows, highs):
            axes.plot(ends, places, "|", color=_ACCENT, markersize=7, markeredgewidth=1.6)
    axes.plot([m.value for m in marks], places, "o", color=_ACCENT, markersize=6, label=panel.dot)
    limits = [(place, m.limit) for place, m in enumerate(marks) if m.limit is not None]
    if limits:
        at, limit = zip(*limits, strict=True)
        below, above = np.array(at) - 0.5, np.array(at) + 0.5
        axes.vlines(
            limit, below, above, color=_LIMIT, linestyle=(0, (3, 2)), linewidth=1.6, label=say("threshold")
        )
    _rows(axes, [m.label for m in marks])
    if panel.signed:
        ends = [end for mark in marks for end in (mark.low, mark.high)]
        signed_axis(axes, "x", panel.axis, ends, _MUTED, unit=1 if panel.logarithm else 100)
    else:
        _value_axis(axes, panel.axis, logarithm=panel.logarithm, top=max(m.high for m in marks))
    _legend(axes, labels_wide([m.label for m in marks]))


def _arrows(axes: Axes, panel: Arrows) -> None:
    places = np.arange(len(panel.labels))
    axes.hlines(places, panel.before, panel.after, color=_ACCENT, linewidth=1.6)
    axes.plot(
        panel.before,
        places,
        "o",
        color=_MUTED,
        markerfacecolor=_PAPER,
        markersize=6.5,
        markeredgewidth=1.6,
        label=panel.names[0],
    )
    axes.plot(panel.after, places, "D", color=_ACCENT, markersize=5.5, label=panel.names[1])
    _rows(axes, panel.labels)
    _value_axis(axes, panel.axis)
    _legend(axes, labels_wide(panel.labels))


def _distribution(axes: Axes, panel: Distribution) -> None:
    (name, counts), *others = panel.series
    edges = np.linspace(0, panel.top, len(counts) + 1)
    axes.stairs(counts, edges, fill=True, color=_ACCENT, label=name)
    for other, values in others:
        axes.stairs(values, edges, color=_INK, linewidth=1.4, linestyle=(0, (3, 1.5)), label=other)
    axes.grid(axis="y")
    title_axis(axes, "y", panel.things)
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda number, _: count(round(number))))
    _value_axis(axes, panel.axis, logarithm=panel.logarithm, top=panel.top)
    if others:
        _legend(axes, _VALUES_WIDTH)


def _fields(panel: HeatMap) -> Iterator[tuple[int, int, float, str]]:
    """Row, column, value and text of every field that holds a cell."""
    for row, fields in enumerate(panel.fields):
        for column, field in enumerate(fields):
            if field is not None:
                yield row, column, *field


def _heat_map(axes: Axes, panel: HeatMap) -> None:
    for row, column, value, text in _fields(panel):
        red, green, blue, _ = _HEAT(0.08 + 0.87 * value)
        dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
        axes.add_patch(
            Rectangle(
                (column - 0.5, row - 0.5), 1, 1, facecolor=(red, green, blue), edgecolor=_MUTED, linewidth=0.6
            )
        )
        colour = "#ffffff" if dark else "#000000"
        axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=8)
    axes.set_xlim(-0.5, len(panel.columns) - 0.5)
    _rows(axes, panel.rows)
    _columns(axes, panel)
    title_axis(axes, "x", panel.column_title)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _columns(axes: Axes, panel: HeatMap) -> None:
    """Name the columns, each within its own width; the chart grows by lines beyond the second."""
    each = (WIDTH - labels_wide(panel.rows) - _BESIDE_LABELS) * CHARACTERS / len(panel.columns)
    names = [broken(name, min(_COLUMN_WIDTH, each), _COLUMN_LINES) for name in panel.columns]
    axes.set_xticks(range(len(names)), ["\n".join(name) for name in names])
    grow(axes, _LEGEND_LINE * max(0, max(map(len, names)) - 2))


def _rows(axes: Axes, labels: Sequence[str]) -> None:
    """Name the rows, the first on top."""
    axes.set_yticks(range(len(labels)), [wrapped(label) for label in labels])
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")


def _value_axis(axes: Axes, title: str, *, logarithm: bool = False, top: float = 1.0) -> None:
    """From 0 to 100%, or for logarithms from 0 to as far as they go."""
    end = max(1.0, top) if logarithm else 1.0
    axes.set_xlim(-0.015 * end, 1.015 * end)
    title_axis(axes, "x", title)
    if logarithm:
        axes.xaxis.set_major_formatter(FuncFormatter(lambda number, _: signed_as_spoken(f"{number:g}")))
    else:
        axes.set_xticks(np.linspace(0, 1, 6), [with_percent(str(tick)) for tick in range(0, 101, 20)])


def _legend(axes: Axes, left: float) -> None:
    """The marks with their names: in one line where they fit beside each other, otherwise below each other.

    Some languages need the second; the chart then grows by what the further lines need. `left` is how many inches the
    words on the left of the axes take.
    """
    marks, names = axes.get_legend_handles_labels()
    room = (WIDTH - left - _BESIDE_LABELS) * CHARACTERS
    beside = sum(width(name) + MARK_WIDTH for name in names) <= room
    if not beside:
        lines = [broken(name, room - MARK_WIDTH, _LEGEND_LINES) for name in names]
        names = ["\n".join(name) for name in lines]
        grow(axes, _LEGEND_LINE * (sum(map(len, lines)) - 1))
    axes.legend(
        marks,
        names,
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=len(names) if beside else 1,
        borderaxespad=0.2,
        columnspacing=1.4,
    )


def as_chart(figure: Figure, id: str, title: str, alt: str) -> Chart:
    """A drawing as it stands in a page."""
    buffer = io.StringIO()
    # Not figure.savefig, which draws twice: once for the layout alone, although drawing does it anyway.
    canvas: Any = FigureCanvasSVG(figure)
    canvas.print_svg(buffer, metadata={"Date": None})
    svg = svg_element(buffer.getvalue(), id, alt, COLOURS)
    return Chart(id=id, title=title, svg=svg, alt=alt, is_tall=bool(figure.get_figheight() > TALL))
