"""Turn a report into the chart on privacy: confidence before and after, by group."""

from __future__ import annotations

import numpy as np

from atreport.kit.numbers import count, counted, percent
from atreport.kit.panels import EXTREMES, MAX_MARKS, Arrows, Distribution, Plot, counts_in_bins, lower_median
from atreport.pages.wording import group_name
from atreport.report.model import Report


def plot_confidence(report: Report) -> Plot:
    """Confidence before and after: a row for each group, or the distribution and the highest groups."""
    table, beta, prior = report.rule_table, report.group_beta, report.group_prior
    cells, starts = table.cells, table.cells.group_starts
    many = len(starts) > MAX_MARKS
    chosen = np.argsort(-beta, kind="stable")[:EXTREMES] if many else np.arange(len(starts))
    most = int(np.argmax(beta - prior))
    before, after = (percent(table.printed(int(steps[most]))) for steps in (prior, beta))
    rise = f"The largest rise is from {before} to {after}, for {group_name(cells, int(starts[most]))}."
    arrows = Arrows(
        labels=tuple(group_name(cells, int(starts[g])) for g in chosen),
        before=tuple(float(steps) / table.scale for steps in prior[chosen]),
        after=tuple(float(steps) / table.scale for steps in beta[chosen]),
        axis=f"The {len(chosen)} groups with the highest confidence"
        if many
        else "Highest confidence in a sensitive value",
        names=("before any report", "after this report"),
    )
    number = counted(len(starts), "group")
    title = "Confidence before and after this report"
    if not many:
        alt = (
            f"For each of {number}, an open circle for the confidence before the report and a diamond for "
            f"after. {rise}"
        )
        return Plot(id="chart-confidence", title=title, alt=alt, panels=(arrows,))
    series = (
        ("after the report", counts_in_bins(beta / table.scale, 1.0)),
        ("before any report", counts_in_bins(prior / table.scale, 1.0)),
    )
    axis = f"Highest confidence in a sensitive value, all {count(len(starts))} groups"
    half_before, half_after = (percent(table.printed(lower_median(steps))) for steps in (prior, beta))
    alt = (
        f"Above, histograms of the confidence in {number} before and after the report: half of them lie at "
        f"{half_before} or below before, at {half_after} or below after. Below, the {len(chosen)} groups "
        f"with the highest confidence. {rise}"
    )
    distribution = Distribution(series=series, top=1.0, axis=axis, things="Groups")
    return Plot(id="chart-confidence", title=title, alt=alt, panels=(distribution, arrows))
