"""Turn what a chart shows into SVG, with text that stays text. Reports and the confidential annex use it.

Colours are never the only sign, and each is written as `var(--chart-…, fallback)`, so that a page can swap
them in the dark while a printer takes the fallback.

Guarantee: the same panels give the same bytes, and no two charts share an id.
"""

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from math import floor
from typing import Any, Literal

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator

from atreport.pages import layout
from atreport.pages.layout import SANS
from atreport.pages.panels import (
    CHARACTERS,
    MARK_WIDTH,
    TALL,
    WIDTH,
    Arrows,
    Chart,
    Curve,
    Curves,
    Distribution,
    Dots,
    HeatMap,
    Plot,
    broken,
    curve_names,
    height,
    labels_wide,
    room_across,
    width,
    wrapped,
)
from atreport.resources import templates_folder
from atreport.text.language import count, gettext, signed_as_spoken, with_percent
from atreport.text.numbers import MINUS


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
    sans = layout.TEXT.path
    if sans is not None:
        fontManager.addfont(sans)
    style: Any = _STYLE | ({"font.family": [layout.SANS]} if sans else {})
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
                _curves(axes, panel)
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
            limit,
            below,
            above,
            color=_LIMIT,
            linestyle=(0, (3, 2)),
            linewidth=1.6,
            label=gettext("threshold"),
        )
    _rows(axes, [m.label for m in marks])
    if panel.signed:
        ends = [end for mark in marks for end in (mark.low, mark.high)]
        _signed_axis(axes, "x", panel.axis, ends, unit=1 if panel.logarithm else 100)
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
    svg = svg_element(buffer.getvalue(), id, alt)
    return Chart(id=id, title=title, svg=svg, alt=alt, is_tall=bool(figure.get_figheight() > TALL))


# Draw curves along an attribute, and axes that run to both sides of 0, onto axes that are handed in.

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


def _curves(axes: Any, panel: Curves) -> None:
    """The main curve with its intervals in front, the others thin behind it, told apart by line and mark.

    Values stand side by side, or below one another where their names have no room for that.
    """
    for index, curve in enumerate(curve for curve in panel.curves if not curve.is_main):
        _thin(axes, panel, curve, index)
    for curve in panel.curves:
        if curve.is_main:
            _main(axes, panel, curve)
    _name_places(axes, panel)
    which: Direction = "x" if panel.is_down else "y"
    axes.grid(axis=which)
    if panel.signed:
        ends = [end for c in panel.curves for end in (*c.values, *c.lows, *c.highs) if end is not None]
        _signed_axis(axes, which, panel.axis, ends)
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


def _main(axes: Any, panel: Curves, curve: Curve) -> None:
    places, values = _points(curve.values)
    axes.plot(
        *_turned(panel, places, values),
        marker="o",
        markersize=6,
        linestyle="-" if panel.ordered else "none",
        linewidth=1.8,
        color=_ACCENT,
        label=curve.label,
        zorder=3,
    )
    _, lows = _points(curve.lows)
    _, highs = _points(curve.highs)
    bars = axes.hlines if panel.is_down else axes.vlines
    bars(
        places,
        lows,
        highs,
        color=_ACCENT,
        linewidth=1.6,
        label=gettext("where the true value lies"),
        zorder=3,
    )
    for ends in (lows, highs):
        axes.plot(
            *_turned(panel, places, ends),
            "|" if panel.is_down else "_",
            color=_ACCENT,
            markersize=7,
            markeredgewidth=1.6,
            zorder=3,
        )


def _thin(axes: Any, panel: Curves, curve: Curve, index: int) -> None:
    places, values = _points(curve.values)
    axes.plot(
        *_turned(panel, places, values),
        marker=_MARKS[index % len(_MARKS)],
        markersize=4,
        markerfacecolor="none",
        linestyle=_LINES[index % len(_LINES)] if panel.ordered else "none",
        linewidth=1.0,
        color=_MUTED,
        label=curve.label,
    )


def _points(values: Sequence[float | None]) -> tuple[list[int], list[float]]:
    """The places that have a value, and the values."""
    found = [(place, value) for place, value in enumerate(values) if value is not None]
    return [place for place, _ in found], [value for _, value in found]


def _turned(panel: Curves, places: list[int], values: list[float]) -> tuple[Sequence[float], Sequence[float]]:
    """Places and values as x and y: the other way round where places stand below one another."""
    return (values, places) if panel.is_down else (places, values)


def _signed_axis(axes: Any, which: Direction, title: str, ends: Sequence[float], *, unit: int = 100) -> None:
    """An axis in percentage points (or, with a unit of 1, plain numbers) that holds 0 and all ends.

    Its ticks stand at round numbers.
    """
    low, high = min(0.0, *ends), max(0.0, *ends)
    span = max(high - low, 0.02)
    step = next((s for s in _STEPS if span / s <= 7), _STEPS[-1])
    ticks = [step * k for k in range(floor(low / step), -floor(-high / step) + 1)]
    if len(ticks) == 1:  # all ends are 0: an axis with room on either side of it
        ticks = [-step, 0.0, step]
    numbers = [round(t * unit, 2) for t in ticks]
    signs = ["+" if number > 0 else MINUS if number < 0 else "" for number in numbers]
    texts = [sign + signed_as_spoken(f"{abs(number):g}") for sign, number in zip(signs, numbers, strict=True)]
    margin = 0.03 * (ticks[-1] - ticks[0])
    axes.set(**{f"{which}lim": (ticks[0] - margin, ticks[-1] + margin)})
    getattr(axes, f"set_{which}ticks")(ticks, texts)
    (axes.axvline if which == "x" else axes.axhline)(0, color=_MUTED, linewidth=1.0)
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


# Turn a drawing into one SVG element that can stand inside a page beside others, and be read aloud.


def svg_element(drawing: str, name: str, alt: str) -> str:
    """A whole SVG file as an element; `alt` is what it shows.

    Each colour becomes `var(--chart-…, colour)`, so that a page can set its own. The name is put before every id, because
    ids are made from the content and two drawings could share one.
    """
    size = re.search(r'viewBox="([^"]+)"', drawing)
    assert size is not None, "a drawing has a size"
    body = drawing[drawing.index(">", size.start()) + 1 :]
    # The style sheet inside would apply to the whole page.
    body = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", body, flags=re.DOTALL)
    body = re.sub(r"<[^>]+>", lambda tag: _shorter(tag[0]), body)
    body = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", body)
    for colour_name, colour in COLOURS.items():
        body = body.replace(colour, f"var(--chart-{colour_name}, {colour})")
    body = body.replace(f"font-family: '{SANS}'; ", "")  # said once, for the whole drawing
    opening = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        'class="chart" role="img" '
        f'aria-labelledby="{name}-alt" viewBox="{size[1]}" '
        f"style=\"stroke-linejoin: round; stroke-linecap: butt; font-family: '{SANS}', sans-serif\">"
        f'<title id="{name}-alt">{escape(alt)}</title>'
    )
    return opening + re.sub(r"\s*\n\s*", " ", body).strip()


def _shorter(tag: str) -> str:
    """A tag without what nobody needs: names of groups, turns by nothing, digits beyond hundredths."""
    tag = re.sub(r'^<g id="[^"]*"', "<g", tag)
    tag = re.sub(r' transform="rotate\(-?0 [^"]*"', "", tag)
    return re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), tag)
