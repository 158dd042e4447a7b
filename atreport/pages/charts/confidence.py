"""Turn a report into the charts on privacy: confidence before and after, by sensitive value and by group."""

from __future__ import annotations

import numpy as np

from atreport.kit.language import say, say_many
from atreport.kit.numbers import count, percent
from atreport.kit.panels import (
    EXTREMES,
    MAX_MARKS,
    Arrows,
    Distribution,
    Plot,
    counts_in_bins,
    fit,
    lower_median,
    rows_that_fit,
)
from atreport.kit.tables import MAX_ROWS
from atreport.pages.wording import group_name
from atreport.population.cells import IntArray
from atreport.publication.small_numbers import large_groups
from atreport.report.model import Report


def plot_confidence(report: Report) -> Plot:
    """Confidence before and after: a row for each group, or the distribution and the highest groups.

    Of so many groups that their table shows the highest first, the distribution alone: the table stands below it.
    """
    table, beta, prior = report.rule_table, report.group_beta, report.group_prior
    number = len(table.cells.group_starts)
    everyone = _arrows(report, np.arange(number)) if number <= MAX_MARKS else None
    title = say("Confidence before and after this report")
    if everyone is not None and fit(everyone.labels):
        rows = say_many(
            number,
            "One row for {number} group: an open circle for the confidence before any report and a diamond for the "
            "confidence after this report.",
            "A row for each of {number} groups: an open circle for the confidence before any report and a diamond for the "
            "confidence after this report.",
        )
        return Plot(
            id="chart-confidence", title=title, alt=f"{rows} {_largest_rise(report)}", panels=(everyone,)
        )
    large = np.flatnonzero(large_groups(report))
    chosen = large[np.argsort(-beta[large], kind="stable")[:EXTREMES]]
    distribution = Distribution(
        series=(
            (say("after this report"), counts_in_bins(beta / table.scale, 1.0)),
            (say("before any report"), counts_in_bins(prior / table.scale, 1.0)),
        ),
        top=1.0,
        axis=say_many(
            number,
            "Highest confidence in a sensitive value, {number} group",
            "Highest confidence in a sensitive value, all {number} groups",
        ),
        things=say("Groups"),
    )
    if number > MAX_ROWS:
        alt = f"{_histogram(report)} {_largest_rise(report)}"
        return Plot(id="chart-confidence", title=title, alt=alt, panels=(distribution,))
    half_before, half_after = (percent(table.printed(lower_median(steps))) for steps in (prior, beta))
    above = say_many(
        number,
        "Above, a histogram of the confidence in {number} group before any report and one after this report: half of the "
        "groups lie at {before} or below before, and at {after} or below after.",
        "Above, a histogram of the confidence in {number} groups before any report and one after this report: half of the "
        "groups lie at {before} or below before, and at {after} or below after.",
        before=half_before,
        after=half_after,
    )
    below = (
        say_many(
            len(chosen),
            "Below, the group with the highest confidence.",
            "Below, the {number} groups with the highest confidence.",
        )
        if len(chosen)
        else ""
    )
    return Plot(
        id="chart-confidence",
        title=title,
        alt=" ".join(filter(None, (above, below, _largest_rise(report)))),
        panels=(distribution, _arrows(report, chosen, extremes=True)) if len(chosen) else (distribution,),
    )


def _histogram(report: Report) -> str:
    """A histogram of the groups in words."""
    before, after = (
        percent(report.rule_table.printed(lower_median(steps)))
        for steps in (report.group_prior, report.group_beta)
    )
    return say(
        "A histogram of the confidence in {total} groups before any report, and one after this report: half of the groups "
        "lie at {before} or below before, and at {after} or below after.",
        total=count(len(report.group_beta)),
        before=before,
        after=after,
    )


def _arrows(report: Report, chosen: IntArray, *, extremes: bool = False) -> Arrows:
    """A row for each of these groups."""
    table, starts = report.rule_table, report.rule_table.cells.group_starts
    return Arrows(
        labels=tuple(group_name(table.cells, int(starts[g])) for g in chosen),
        before=tuple(float(steps) / table.scale for steps in report.group_prior[chosen]),
        after=tuple(float(steps) / table.scale for steps in report.group_beta[chosen]),
        axis=say_many(
            len(chosen),
            "The group with the highest confidence",
            "The {number} groups with the highest confidence",
        )
        if extremes
        else say("Highest confidence in a sensitive value"),
        names=(say("before any report"), say("after this report")),
    )


def _largest_rise(report: Report) -> str:
    """For whom confidence rises most, unless they are few."""
    table, beta, prior = report.rule_table, report.group_beta, report.group_prior
    most = int(np.argmax(beta - prior))
    before, after = (percent(table.printed(int(steps[most]))) for steps in (prior, beta))
    if beta[most] == prior[most]:
        return say("In no group does the confidence rise.")
    if not large_groups(report)[most]:
        return say(
            "The largest rise is from {before} to {after}, for a small group.", before=before, after=after
        )
    return say(
        "The largest rise is from {before} to {after}, for {group}.",
        before=before,
        after=after,
        group=group_name(table.cells, int(table.cells.group_starts[most])),
    )


def plot_values(report: Report) -> Plot | None:
    """Confidence in each sensitive value before and after: a row for each, or the highest; None where it is not stated."""
    each = [
        (say("{attribute}: {value}", attribute=report.process.attribute(a.name).title, value=v.value), v)
        for a in report.privacy.attributes or ()
        for v in a.values
    ]
    if not each:
        return None
    shown = each
    if not fit([label for label, _ in each]):
        by_confidence = sorted(each, key=lambda entry: -entry[1].after)[:MAX_MARKS]
        shown = by_confidence[: rows_that_fit([label for label, _ in by_confidence])]
    label, most = max(each, key=lambda entry: entry[1].after)
    rows = (
        say_many(
            len(each),
            "One row for {number} value: an open circle for the highest confidence before any report and a diamond for the "
            "highest after this report.",
            "A row for each of {number} values: an open circle for the highest confidence before any report and a diamond "
            "for the highest after this report.",
        )
        if len(shown) == len(each)
        else say(
            "A row for each of the {shown} of {total} values with the highest confidence: an open circle for the highest "
            "confidence before any report and a diamond for the highest after this report.",
            shown=count(len(shown)),
            total=count(len(each)),
        )
    )
    highest = say(
        "The highest after this report is {confidence}, for {value}.",
        confidence=percent(most.after),
        value=label,
    )
    return Plot(
        id="chart-values",
        title=say("How sure someone can be of each value, before and after this report"),
        alt=f"{rows} {highest}",
        panels=(
            Arrows(
                labels=tuple(name for name, _ in shown),
                before=tuple(float(value.before) for _, value in shown),
                after=tuple(float(value.after) for _, value in shown),
                axis=_values_axis(report, len(shown), len(each)),
                names=(say("before any report"), say("after this report, at most")),
            ),
        ),
    )


def _values_axis(report: Report, shown: int, total: int) -> str:
    """What the rows are, and which are left out."""
    if shown < total:
        return say(
            "Highest confidence, the {shown} highest of {total} values",
            shown=count(shown),
            total=count(total),
        )
    if len(report.privacy.groups) > 1:
        return say("Highest confidence in any group")
    return say("Highest confidence")
