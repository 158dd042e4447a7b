"""Turn a report into the charts on privacy: confidence before and after, by sensitive value and by group."""

from __future__ import annotations

import numpy as np

from atreport.kit.numbers import count, counted, percent
from atreport.kit.panels import EXTREMES, MAX_MARKS, Arrows, Distribution, Plot, counts_in_bins, lower_median
from atreport.pages.wording import group_name
from atreport.publication.small_numbers import large_groups
from atreport.report.model import Report


def plot_confidence(report: Report) -> Plot:
    """Confidence before and after: a row for each group, or the distribution and the highest groups."""
    table, beta, prior = report.rule_table, report.group_beta, report.group_prior
    cells, starts = table.cells, table.cells.group_starts
    many = len(starts) > MAX_MARKS
    large = np.flatnonzero(large_groups(report))
    chosen = large[np.argsort(-beta[large], kind="stable")[:EXTREMES]] if many else np.arange(len(starts))
    most = int(np.argmax(beta - prior))
    named = group_name(cells, int(starts[most])) if most in large else "a small group"
    before, after = (percent(table.printed(int(steps[most]))) for steps in (prior, beta))
    rise = f"The largest rise is from {before} to {after}, for {named}."
    arrows = Arrows(
        labels=tuple(group_name(cells, int(starts[g])) for g in chosen),
        before=tuple(float(steps) / table.scale for steps in prior[chosen]),
        after=tuple(float(steps) / table.scale for steps in beta[chosen]),
        axis=_highest(len(chosen)) if many else "Highest confidence in a sensitive value",
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
    below = f" Below, t{_highest(len(chosen))[1:]}." if len(chosen) else ""
    alt = (
        f"Above, histograms of the confidence in {number} before and after the report: half of them lie at "
        f"{half_before} or below before, at {half_after} or below after.{below} {rise}"
    )
    distribution = Distribution(series=series, top=1.0, axis=axis, things="Groups")
    return Plot(
        id="chart-confidence",
        title=title,
        alt=alt,
        panels=(distribution, arrows) if len(chosen) else (distribution,),
    )


def plot_values(report: Report) -> Plot | None:
    """Confidence in each sensitive value before and after: a row for each, or the highest; None where it is not stated."""
    attributes = report.privacy.attributes or ()
    each = [(report.process.attribute(a.name).title, v) for a in attributes for v in a.values]
    if not each:
        return None
    many = len(each) > MAX_MARKS
    shown = sorted(each, key=lambda entry: -entry[1].after)[:MAX_MARKS] if many else each
    several = " in any group" if len(report.privacy.groups) > 1 else ""
    title, most = max(each, key=lambda entry: entry[1].after)
    rows = (
        f"the {len(shown)} of {counted(len(each), 'value')} with the highest"
        if many
        else counted(len(each), "value")
    )
    return Plot(
        id="chart-values",
        title="How sure someone can be of each value, before and after this report",
        alt=f"For {rows}, an open circle for the highest confidence before the report and a diamond for the highest after "
        f"it. The highest after it is {percent(most.after)}, for {title}: {most.value}.",
        panels=(
            Arrows(
                labels=tuple(f"{title}: {value.value}" for title, value in shown),
                before=tuple(float(value.before) for _, value in shown),
                after=tuple(float(value.after) for _, value in shown),
                axis=f"Highest confidence{several}",
                names=("before any report", "after this report, at most"),
            ),
        ),
    )


def _highest(number: int) -> str:
    return (
        "The group with the highest confidence"
        if number == 1
        else f"The {number} groups with the highest confidence"
    )
