"""Turn a report into the chart of its rule: a row or a field for each cell, or the distribution."""

from __future__ import annotations

import numpy as np

from atreport.kit.numbers import counted, percent
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
    lower_median,
)
from atreport.pages.wording import cell_name, group_name
from atreport.population.band import outward
from atreport.report.model import Report
from atreport.rule_table import RuleTable


def plot_rule(report: Report) -> Plot:
    """The announced rule."""
    table = report.rule_table
    axis = f"Announced probability of “{report.process.outcome.favourable}”"
    lowest, highest = (
        percent(table.printed(int(end))) for end in (table.announced.min(), table.announced.max())
    )
    spread = (
        f"Announced probabilities of “{report.process.outcome.favourable}” run from {lowest} to {highest}."
    )
    number = counted(len(table.cells), "cell")
    if len(table.cells) <= MAX_MARKS:
        panel: Panel = Dots(marks=_cell_marks(table), axis=axis, band="where the true probability lies")
        alt = f"Dot plot of {number}, a row each; a bar shows where the true probability lies. {spread}"
    elif (grid := _heat_map(table)) is not None:
        panel = grid
        alt = f"Heat map of {number} with the announced probability written in each field. {spread}"
    else:
        series = (("cells", counts_in_bins(table.announced / table.scale, 1.0)),)
        panel = Distribution(series=series, top=1.0, axis=axis, things="Cells")
        half = percent(table.printed(lower_median(table.announced)))
        alt = f"Histogram of {number}. {spread} Half of them lie at {half} or below."
    return Plot(id="chart-rules", title=axis, alt=alt, panels=(panel,))


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
    return HeatMap(
        rows=tuple(group_name(cells, int(start)) for start in starts),
        columns=tuple(
            " · ".join(a.values[int(c)] for a, c in zip(across, row, strict=True)) for row in columns
        ),
        fields=tuple(
            tuple((step / table.scale, percent(table.printed(step))) if step >= 0 else None for step in row)
            for row in steps.tolist()
        ),
        column_title=", ".join(a.title for a in across),
    )
