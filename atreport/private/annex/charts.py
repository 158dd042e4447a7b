"""Turn trade-off curves and the flattening of a group into charts. Confidential: they are drawn from true figures.

Colours and type are those of the report (:mod:`atreport.pages.drawing`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from atreport.core.band import Closeness
from atreport.core.certify import Announcement
from atreport.errors import OutputError
from atreport.pages.drawing import COLOURS, as_chart, house_style
from atreport.pages.panels import MAX_MARKS, WIDTH, Chart, broken
from atreport.pages.wording import group_name
from atreport.private.annex import Annex
from atreport.private.tradeoff import Tradeoff
from atreport.private.tradeoff.curve import BetaCurve
from atreport.text.numbers import shortest_decimal

_STROKES = ((0, (6, 2)), (0, (2, 1.5)), (0, (6, 2, 1.5, 2)), (0, (1, 1)))
"""Groups are told apart by the pattern of their line, never by colour alone."""

_PLACES = 9


@dataclass(frozen=True, kw_only=True)
class FlattenedRow:
    """One sensitive value: shares of the group with the value and an outcome."""

    value: str
    true: float
    announced: float
    low: float
    high: float


MOST_LINES = 3
"""So many groups are drawn beside the whole report."""


def curve_chart(annex: Annex) -> Chart | None:
    """β against the allowed distortion, of the report and of its most exposed groups."""
    curves = annex.trade_off
    if curves is None:
        return None
    with house_style():
        figure = _trade_off(curves, annex.announcement)
        alt = (
            f"β against the allowed distortion, from {float(curves.true_confidence):.1%} for the true rule down to "
            f"{float(curves.floor):.1%}, which the population alone tells. The knee is at a distortion of "
            f"{float(curves.knee):.1%}."
        )
        return as_chart(figure, "chart-trade-off", "What each distortion buys", alt)


def save_curve(curves: Tradeoff | None, announcement: Announcement, path: Path) -> bool:
    """Draw the curve to a file, SVG or PNG by its name, that its owner alone can read. False where there is none to draw."""
    if curves is None:
        return False
    with house_style():
        figure = _trade_off(curves, announcement)
        figure.set_facecolor("white")
        try:
            path.touch(mode=0o600)
            path.chmod(0o600)
            figure.savefig(path, dpi=200, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)
        except OSError as error:
            raise OutputError(f"{path}: the chart could not be written: {error.strerror}.") from None
    return True


def _trade_off(curves: Tradeoff, announcement: Announcement) -> Figure:
    figure = Figure(figsize=(WIDTH, 3.1), layout="constrained")
    axes = figure.subplots()
    fidelity, cells = announcement.fidelity, announcement.cells
    chosen = None
    if isinstance(fidelity, Closeness) and fidelity.delta is not None:
        chosen = float(1 - fidelity.delta), float(announcement.beta)
    groups = curves.groups[:MOST_LINES] if len(cells.group_starts) > 1 else ()
    drawn = [curves.report, *(curve for _, curve in groups)]
    flat = max(float(curve.first_at_most(curve(Fraction(1))) or 0) for curve in drawn)
    right = min(1.0, max(1.15 * flat, 1.4 * (chosen[0] if chosen else 0), 0.05))
    for (group, curve), stroke in zip(groups, _STROKES, strict=False):
        name = _short(group_name(cells, int(cells.group_starts[group])))
        axes.plot(*_points(curve, right), color=COLOURS["muted"], linestyle=stroke, label=name)
    axes.plot(*_points(curves.report, right), color=COLOURS["accent"], linewidth=2.2, label="whole report")
    knee = float(curves.knee), float(curves.report(curves.knee))
    axes.plot(
        *np.round(knee, _PLACES),
        "s",
        color=COLOURS["ink"],
        markersize=6,
        markerfacecolor="none",
        label="knee",
    )
    if chosen is not None:
        axes.plot(*chosen, "D", color=COLOURS["limit"], markersize=6.5, label="this policy")
    axes.set_xlim(-0.01 * right, right)
    axes.set_ylim(0, min(1.02, 1.15 * max(float(curve(Fraction(0))) for curve in drawn)))
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_xlabel("Allowed distortion 1 − δ, in percentage points")
    axes.set_ylabel("Least possible confidence β*")
    axes.grid()
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, borderaxespad=0.2, columnspacing=1.4)
    return figure


def _points(curve: BetaCurve, right: float) -> tuple[list[float], list[float]]:
    """Points that draw every piece smoothly."""
    at = [
        piece.start + (piece.end - piece.start) * Fraction(part, 16)
        for piece in curve.pieces
        if piece.start <= right
        for part in range(17)
    ]
    return [round(float(w), _PLACES) for w in at], [round(float(curve(w)), _PLACES) for w in at]


def _flattened(axes: Axes, outcome: str, rows: Sequence[FlattenedRow]) -> None:
    places = np.arange(len(rows))
    axes.hlines(
        places,
        [r.low for r in rows],
        [r.high for r in rows],
        color=COLOURS["grid"],
        linewidth=7,
        label="allowed",
    )
    axes.axvline(
        max(r.low for r in rows),
        color=COLOURS["limit"],
        linestyle=(0, (3, 2)),
        linewidth=1.4,
        label="largest that must stay",
    )
    axes.plot(
        [r.true for r in rows],
        places,
        "o",
        color=COLOURS["muted"],
        markerfacecolor=COLOURS["paper"],
        markersize=6.5,
        markeredgewidth=1.6,
        label="true",
    )
    axes.plot(
        [r.announced for r in rows], places, "D", color=COLOURS["accent"], markersize=5.5, label="announced"
    )
    axes.set_yticks(places, [_short(r.value) for r in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_ylabel("\n".join(broken(outcome, 16, 2)))


def _short(name: str) -> str:
    """As much of a name as has room in a third of the width."""
    return " ".join(broken(name, 30, 1))


def evening_out_chart(annex: Annex) -> Chart | None:
    """How the joint shares of the most exposed group were flattened; None where it has too many cells to draw."""
    announcement = annex.announcement
    cells = announcement.cells
    group = max(
        range(len(annex.groups)), key=lambda g: annex.groups[g].true_confidence - annex.groups[g].prior
    )
    start = int(cells.group_starts[group])
    inside = range(start, start + annex.groups[group].cells)
    if len(inside) > MAX_MARKS or announcement.mapping.shape[1] != 2:
        return None
    people = annex.groups[group].people
    others = (*cells.process.of_role("sensitive"), *cells.process.of_role("private"))
    favourable = cells.process.outcome.favourable
    (other,) = (value for value in cells.process.outcome.values if value != favourable)
    panels = []
    for outcome in (favourable, other):
        rows = []
        for cell in inside:
            part = annex.cells[cell].people / people
            true, announced = annex.cells[cell].true, annex.cells[cell].announced
            low, high = _allowed(annex, cell)
            if outcome != favourable:
                true, announced, low, high = 1 - true, 1 - announced, 1 - high, 1 - low
            rows.append(
                FlattenedRow(
                    value=" · ".join(cells.labels(cell, others).values()),
                    true=round(part * true, 9),
                    announced=round(part * announced, 9),
                    low=round(part * low, 9),
                    high=round(part * high, 9),
                )
            )
        panels.append((outcome, rows))
    name = group_name(cells, start)
    with house_style():
        figure = Figure(figsize=(WIDTH, len(panels) * (0.95 + 0.25 * len(inside))), layout="constrained")
        all_axes = figure.subplots(len(panels), 1, squeeze=False, sharex=True)[:, 0]
        for axes, (outcome, found) in zip(all_axes, panels, strict=True):
            _flattened(axes, outcome, found)
        all_axes[0].legend(
            loc="lower left", bbox_to_anchor=(0, 1), ncols=4, borderaxespad=0.2, columnspacing=1.4
        )
        all_axes[-1].set_xlabel("Share of the group with this value and this outcome")
        alt = (
            f"For {name}: for each outcome and each of {len(inside)} sensitive values, a bar for what the fidelity allows, "
            "a circle for the true share, a diamond for the announced one. The announced shares lie closer together than "
            "the true ones. The table of cells has the figures."
        )
        return as_chart(figure, "chart-flattened", f"How the announced rule evens out {name}", alt)


def _allowed(annex: Annex, cell: int) -> tuple[float, float]:
    """What the fidelity allowed to be announced in a cell."""
    fidelity = annex.announcement.fidelity
    if isinstance(fidelity, Closeness):
        low, high = fidelity.around(shortest_decimal(annex.cells[cell].true))
        return float(low), float(high)
    whole = 10**fidelity.decimals
    return int(fidelity.lower[cell]) / whole, int(fidelity.upper[cell]) / whole
