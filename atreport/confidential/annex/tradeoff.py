"""The annex's charts of the trade-off: the curve over all fidelities, and how one group was evened out."""

from __future__ import annotations

from pathlib import Path

from atreport.announcement import Announcement
from atreport.confidential.annex.annex import Annex
from atreport.confidential.annex.charts import (
    CurveLine,
    CurvePlot,
    FlattenedPlot,
    FlattenedRow,
    flattened_chart,
    save_trade_off,
    trade_off_chart,
)
from atreport.confidential.tradeoff.trade_off import Tradeoff
from atreport.kit.panels import MAX_MARKS, Chart
from atreport.kit.rounding import shortest_decimal
from atreport.pages.wording import group_name
from atreport.population.band import Closeness

MOST_LINES = 3
"""So many groups are drawn beside the whole report."""


def curve_plot(curves: Tradeoff | None, announcement: Announcement) -> CurvePlot | None:
    """What the trade-off chart shows."""
    if curves is None:
        return None
    fidelity, cells = announcement.fidelity, announcement.cells
    chosen = None
    if isinstance(fidelity, Closeness) and fidelity.delta is not None:
        chosen = float(1 - fidelity.delta), float(announcement.beta)
    several = len(cells.group_starts) > 1
    return CurvePlot(
        report=curves.report,
        groups=tuple(
            CurveLine(name=group_name(cells, int(cells.group_starts[group])), curve=curve)
            for group, curve in curves.groups[:MOST_LINES]
        )
        if several
        else (),
        chosen=chosen,
        knee=curves.knee,
    )


def curve_chart(annex: Annex) -> Chart | None:
    """The trade-off curve of the report and of its most exposed groups."""
    plot = curve_plot(annex.trade_off, annex.announcement)
    return None if plot is None else trade_off_chart(plot)


def save_curve(curves: Tradeoff | None, announcement: Announcement, path: Path) -> bool:
    """Draw the trade-off curve to a file that its owner alone can read. False where there is no exact curve to draw."""
    plot = curve_plot(curves, announcement)
    if plot is None:
        return False
    save_trade_off(plot, path)
    return True


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
        panels.append((outcome, tuple(rows)))
    return flattened_chart(FlattenedPlot(group=group_name(cells, start), panels=tuple(panels)))


def _allowed(annex: Annex, cell: int) -> tuple[float, float]:
    """What the fidelity allowed to be announced in a cell."""
    fidelity = annex.announcement.fidelity
    if isinstance(fidelity, Closeness):
        low, high = fidelity.around(shortest_decimal(annex.cells[cell].true))
        return float(low), float(high)
    whole = 10**fidelity.decimals
    return int(fidelity.lower[cell]) / whole, int(fidelity.upper[cell]) / whole
