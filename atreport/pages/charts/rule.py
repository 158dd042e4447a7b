"""Turn a report into the chart of its rule: a row or a field for each cell, or the distribution."""

from __future__ import annotations

import numpy as np

from atreport.kit.language import say, say_many
from atreport.kit.numbers import percent
from atreport.kit.panels import (
    EXTREMES,
    MAX_MARKS,
    Distribution,
    Dots,
    HeatMap,
    Mark,
    Panel,
    Plot,
    counts_in_bins,
    fit,
    lower_median,
)
from atreport.pages.wording import cell_name, group_name
from atreport.population.band import outward
from atreport.report.model import Report
from atreport.rule_table import RuleTable


def plot_rule(report: Report) -> Plot:
    """The announced rule."""
    table, number = report.rule_table, len(report.rule_table.cells)
    axis = say("Announced probability of “{favourable}”", favourable=report.process.outcome.favourable)
    marks = _cell_marks(table) if number <= MAX_MARKS else ()
    if marks and fit([mark.label for mark in marks]):
        panel: Panel = Dots(marks=marks, axis=axis, band=say("where the true probability lies"))
        shows = say_many(
            number,
            "Dot plot of {number} cell. A dot is the announced probability, a bar shows where the true probability lies.",
            "Dot plot of {number} cells, a row each. A dot is the announced probability, a bar shows where the true "
            "probability lies.",
        )
    elif (grid := _heat_map(table)) is not None:
        panel = grid
        shows = say_many(
            number,
            "Heat map of {number} cell with the announced probability written in its field.",
            "Heat map of {number} cells with the announced probability written in each field.",
        )
    else:
        panel = Distribution(
            series=((say("cells"), counts_in_bins(table.announced / table.scale, 1.0)),),
            top=1.0,
            axis=axis,
            things=say("Cells"),
        )
        shows = say_many(
            number,
            "Histogram of {number} cell.",
            "Histogram of {number} cells. Half of them lie at {half} or below.",
            half=percent(table.printed(lower_median(table.announced))),
        )
    return Plot(id="chart-rules", title=axis, alt=f"{shows} {_run(report)}", panels=(panel,))


def _run(report: Report) -> str:
    """From the lowest to the highest announced probability."""
    table, favourable = report.rule_table, report.process.outcome.favourable
    lowest, highest = (int(end) for end in (table.announced.min(), table.announced.max()))
    if lowest == highest:
        return say(
            "The announced probability of “{favourable}” is {probability} in every cell.",
            favourable=favourable,
            probability=percent(table.printed(lowest)),
        )
    return say(
        "Announced probabilities of “{favourable}” run from {lowest} to {highest}.",
        favourable=favourable,
        lowest=percent(table.printed(lowest)),
        highest=percent(table.printed(highest)),
    )


def _cell_marks(table: RuleTable) -> tuple[Mark, ...]:
    low, high = outward(table.truth, table.scale)
    announced = table.announced
    return tuple(
        Mark(
            cell_name(table.cells, i),
            int(announced[i]) / table.scale,
            int(low[i]) / table.scale,
            int(high[i]) / table.scale,
        )
        for i in range(len(table.cells))
    )


def _heat_map(table: RuleTable) -> HeatMap | None:
    """Public attributes down, the others across; None where that is too large or has a name too many."""
    cells = table.cells
    starts = cells.group_starts
    across = (*cells.process.of_role("sensitive"), *cells.process.of_role("private"))
    codes = np.column_stack([cells.column(a.name) for a in across])
    columns, position = np.unique(codes, axis=0, return_inverse=True)
    if len(starts) > MAX_MARKS or len(columns) > EXTREMES or len(starts) * len(columns) < len(cells):
        return None
    steps = np.full((len(starts), len(columns)), -1, dtype=np.int64)
    steps[cells.group, position.ravel()] = table.announced
    grid = HeatMap(
        rows=tuple(group_name(cells, int(start)) for start in starts),
        columns=tuple(
            " · ".join(a.values[int(c)] for a, c in zip(across, row, strict=True)) for row in columns
        ),
        fields=tuple(
            tuple((step / table.scale, percent(table.printed(step))) if step >= 0 else None for step in row)
            for row in steps.tolist()
        ),
        column_title=" · ".join(a.title for a in across),
    )
    return grid if fit(grid.rows) else None
