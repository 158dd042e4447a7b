"""Turn a report into its charts. Every number drawn is one that the report also prints.

Few rows are shown one by one; of many, the distribution and the extremes.
"""

from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from atreport.compose.small_numbers import GroupSizes, large_groups
from atreport.core.band import outward
from atreport.core.cells import IntArray
from atreport.core.rule_table import RuleTable
from atreport.pages.explanations import plot_explanation
from atreport.pages.measures import UNITS, Unit, measure_name, units
from atreport.pages.panels import (
    EXTREMES,
    MAX_MARKS,
    Arrows,
    Chart,
    Distribution,
    Dots,
    HeatMap,
    Mark,
    Panel,
    Plot,
    counts_in_bins,
    fit,
    lower_median,
    rows_that_fit,
)
from atreport.pages.sections.fairness import directed
from atreport.pages.wording import cell_name, group_name
from atreport.report.fairness import Assessment
from atreport.report.model import Report
from atreport.text.language import count, gettext, message, ngettext
from atreport.text.numbers import percent
from atreport.text.tables import MAX_ROWS


class Charts:
    """The charts of a report, drawn."""

    def __init__(self, report: Report) -> None:
        # Here and not above: it imports matplotlib, a third of a second, and most that is done with a report draws nothing.
        from atreport.pages.drawing import draw_plot, house_style

        values = plot_values(report)
        with house_style():
            self.rule = draw_plot(plot_rule(report))
            self.values = draw_plot(values) if values else None  # sensitive values, before and after
            self.confidence = draw_plot(plot_confidence(report))
            # one for each unit of measure
            self.fairness = tuple(draw_plot(plot) for plot in plot_fairness(report))
            # of rules, influence and dependence
            self.explanation = tuple(draw_plot(plot) for plot in plot_explanation(report))

    @property
    def all(self) -> tuple[Chart, ...]:
        """Every chart, in the order of the document."""
        values = (self.values,) if self.values else ()
        return (self.rule, *self.explanation, *self.fairness, *values, self.confidence)


# Turn a report into the charts on privacy: confidence before and after, by sensitive value and by group.


def plot_confidence(report: Report) -> Plot:
    """Confidence before and after: a row for each group, or the distribution and the highest groups.

    Of so many groups that their table shows the highest first, the distribution alone: the table stands below it.
    """
    table, beta, prior = report.rule_table, report.group_beta, report.group_prior
    number = len(table.cells.group_starts)
    everyone = _arrows(report, np.arange(number)) if number <= MAX_MARKS else None
    large = np.flatnonzero(large_groups(report))
    chosen = large[np.argsort(-beta[large], kind="stable")[:EXTREMES]]
    half_before, half_after = (percent(table.printed(lower_median(steps))) for steps in (prior, beta))
    panels: list[Panel] = [
        Distribution(
            series=(
                (gettext("after this report"), counts_in_bins(beta / table.scale, 1.0)),
                (gettext("before any report"), counts_in_bins(prior / table.scale, 1.0)),
            ),
            top=1.0,
            axis=ngettext(
                number,
                "Highest confidence in a sensitive value, {number} group",
                "Highest confidence in a sensitive value, all {number} groups",
            ),
            things=gettext("Groups"),
        )
    ]
    alt = []
    if everyone is not None and fit(everyone.labels):
        alt.append(
            ngettext(
                number,
                "One row for {number} group: an open circle for the confidence before any report and a diamond for the "
                "confidence after this report.",
                "A row for each of {number} groups: an open circle for the confidence before any report and a diamond for "
                "the confidence after this report.",
            )
        )
        panels = [everyone]
    elif number > MAX_ROWS:
        alt.append(
            gettext(
                "A histogram of the confidence in {total} groups before any report, and one after this report: half of the "
                "groups lie at {before} or below before, and at {after} or below after.",
                total=count(number),
                before=half_before,
                after=half_after,
            )
        )
    else:
        alt.append(
            ngettext(
                number,
                "Above, a histogram of the confidence in {number} group before any report and one after this report: half "
                "of the groups lie at {before} or below before, and at {after} or below after.",
                "Above, a histogram of the confidence in {number} groups before any report and one after this report: half "
                "of the groups lie at {before} or below before, and at {after} or below after.",
                before=half_before,
                after=half_after,
            )
        )
        if len(chosen):
            alt.append(
                ngettext(
                    len(chosen),
                    "Below, the group with the highest confidence.",
                    "Below, the {number} groups with the highest confidence.",
                )
            )
            panels.append(_arrows(report, chosen, extremes=True))
    return Plot(
        id="chart-confidence",
        title=gettext("Confidence before and after this report"),
        alt=" ".join([*alt, _largest_rise(report)]),
        panels=tuple(panels),
    )


def _arrows(report: Report, chosen: IntArray, *, extremes: bool = False) -> Arrows:
    """A row for each of these groups."""
    table, starts = report.rule_table, report.rule_table.cells.group_starts
    return Arrows(
        labels=tuple(group_name(table.cells, int(starts[g])) for g in chosen),
        before=tuple(float(steps) / table.scale for steps in report.group_prior[chosen]),
        after=tuple(float(steps) / table.scale for steps in report.group_beta[chosen]),
        axis=ngettext(
            len(chosen),
            "The group with the highest confidence",
            "The {number} groups with the highest confidence",
        )
        if extremes
        else gettext("Highest confidence in a sensitive value"),
        names=(gettext("before any report"), gettext("after this report")),
    )


def _largest_rise(report: Report) -> str:
    """For whom confidence rises most, unless they are few."""
    table, beta, prior = report.rule_table, report.group_beta, report.group_prior
    most = int(np.argmax(beta - prior))
    before, after = (percent(table.printed(int(steps[most]))) for steps in (prior, beta))
    if beta[most] == prior[most]:
        return gettext("In no group does the confidence rise.")
    group = group_name(table.cells, int(table.cells.group_starts[most]))
    words = message("The largest rise is from {before} to {after}, for a small group.")
    if large_groups(report)[most]:
        words = message("The largest rise is from {before} to {after}, for {group}.")
    return gettext(words, before=before, after=after, group=group)


def plot_values(report: Report) -> Plot | None:
    """Confidence in each sensitive value before and after: a row for each, or the highest; None where it is not stated."""
    each = [
        (gettext("{attribute}: {value}", attribute=report.process.attribute(a.name).title, value=v.value), v)
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
        ngettext(
            len(each),
            "One row for {number} value: an open circle for the highest confidence before any report and a diamond for the "
            "highest after this report.",
            "A row for each of {number} values: an open circle for the highest confidence before any report and a diamond "
            "for the highest after this report.",
        )
        if len(shown) == len(each)
        else gettext(
            "A row for each of the {shown} of {total} values with the highest confidence: an open circle for the highest "
            "confidence before any report and a diamond for the highest after this report.",
            shown=count(len(shown)),
            total=count(len(each)),
        )
    )
    axis = gettext("Highest confidence")
    if len(shown) < len(each):  # the others are left out
        axis = gettext(
            "Highest confidence, the {shown} highest of {total} values",
            shown=count(len(shown)),
            total=count(len(each)),
        )
    elif len(report.privacy.groups) > 1:
        axis = gettext("Highest confidence in any group")
    highest = gettext(
        "The highest after this report is {confidence}, for {value}.",
        confidence=percent(most.after),
        value=label,
    )
    return Plot(
        id="chart-values",
        title=gettext("How sure someone can be of each value, before and after this report"),
        alt=f"{rows} {highest}",
        panels=(
            Arrows(
                labels=tuple(name for name, _ in shown),
                before=tuple(float(value.before) for _, value in shown),
                after=tuple(float(value.after) for _, value in shown),
                axis=axis,
                names=(gettext("before any report"), gettext("after this report, at most")),
            ),
        ),
    )


# Turn a report's fairness measures into charts: one for each unit of measure.


def plot_fairness(report: Report) -> list[Plot]:
    """One chart for each unit of measure: every comparison in a row, or the distribution and the extremes."""
    in_unit = list(zip(units(report), report.fairness, strict=True))
    return [
        _plot_measures(report, chosen, unit)
        for unit in dict.fromkeys([*UNITS, *(unit for unit, _ in in_unit)])
        if (
            chosen := [
                a
                for its_unit, a in in_unit
                if its_unit == unit and a.result is not None and not a.is_of_one_group
            ]
        )
    ]


def _plot_measures(report: Report, assessments: Sequence[Assessment], unit: Unit) -> Plot:
    values = np.array([float(a.result.value) for a in assessments if a.result is not None])
    number, run = len(values), _values_run(assessments, unit)
    marks = _marks(report, assessments) if number <= MAX_MARKS else ()
    panels: list[Panel]
    if marks and fit([mark.label for mark in marks]):
        rows = ngettext(number, "One row for {number} comparison.", "A row for each of {number} comparisons.")
        alt = f"{rows} {_signs(marks)} {run}"
        panels = [Dots(marks=marks, axis=gettext(unit.chart_axis), logarithm=unit.logarithm)]
    else:
        above = ngettext(
            number,
            "Above, a histogram of {number} comparison.",
            "Above, a histogram of {number} comparisons.",
        )
        alt, top = f"{above} {run}", max(1.0, float(values.max()))
        panels = [
            Distribution(
                series=((gettext("comparisons"), counts_in_bins(values, top)),),
                top=top,
                axis=gettext(unit.chart_axis_all, total=count(number)),
                things=gettext("Comparisons"),
                logarithm=unit.logarithm,
            )
        ]
        if marks := _marks(report, _most_extreme(report, assessments, unit)):
            below = ngettext(
                len(marks),
                "Below, the comparison that may be furthest from equal treatment.",
                "Below, the {number} comparisons that may be furthest from equal treatment, a row each.",
            )
            alt = f"{alt} {below} {_signs(marks)}"
            axis = gettext(unit.chart_axis_extremes, shown=count(len(marks)))
            panels.append(Dots(marks=marks, axis=axis, logarithm=unit.logarithm))
    title = gettext(unit.chart_title)
    return Plot(id=f"chart-fairness-{unit.id}", title=title, alt=alt, panels=tuple(panels))


def _most_extreme(report: Report, assessments: Sequence[Assessment], unit: Unit) -> list[Assessment]:
    """The most telling first: the smallest ratio that is possible, the largest difference that is possible."""
    sizes = GroupSizes(report)
    large = [a for a in assessments if all(sizes.is_large(a, rate) for rate in a.rates or ())]

    def urgency(assessment: Assessment) -> Decimal:
        assert assessment.result is not None, "only bounded figures are drawn"
        return assessment.result.low if unit.is_share else -assessment.result.high

    return sorted(large, key=urgency)[:EXTREMES]


def _marks(report: Report, assessments: Sequence[Assessment]) -> tuple[Mark, ...]:
    """A row for each comparison, which names its measure where there are several."""
    several = len({measure_name(a) for a in assessments}) > 1
    return tuple(
        Mark(
            gettext("{measure}: {compared}", measure=measure_name(a), compared=directed(report, a))
            if several
            else directed(report, a),
            float(a.result.value),
            float(a.result.low),
            float(a.result.high),
            None if a.threshold is None else float(a.threshold),
        )
        for a in assessments
        if a.result is not None
    )


def _signs(marks: Sequence[Mark]) -> str:
    """What is drawn in each row."""
    if any(mark.limit is not None for mark in marks):
        return gettext(
            "A dot is the announced value, a bar shows where the true value lies, a dashed line is the threshold."
        )
    return gettext("A dot is the announced value, a bar shows where the true value lies.")


def _values_run(assessments: Sequence[Assessment], unit: Unit) -> str:
    """From the smallest to the largest announced value."""
    values = [a.result.value for a in assessments if a.result is not None]
    if min(values) == max(values):
        return gettext("The announced value is {value}.", value=unit.chart_value(values[0]))
    return gettext(
        "Announced values run from {low} to {high}.",
        low=unit.chart_value(min(values)),
        high=unit.chart_value(max(values)),
    )


# Turn a report into the chart of its rule: a row or a field for each cell, or the distribution.


def plot_rule(report: Report) -> Plot:
    """The announced rule."""
    table, number = report.rule_table, len(report.rule_table.cells)
    axis = gettext("Announced probability of “{favourable}”", favourable=report.process.outcome.favourable)
    marks = _cell_marks(table) if number <= MAX_MARKS else ()
    if marks and fit([mark.label for mark in marks]):
        panel: Panel = Dots(marks=marks, axis=axis, band=gettext("where the true probability lies"))
        shows = ngettext(
            number,
            "Dot plot of {number} cell. A dot is the announced probability, a bar shows where the true probability lies.",
            "Dot plot of {number} cells, a row each. A dot is the announced probability, a bar shows where the true "
            "probability lies.",
        )
    elif (grid := _heat_map(table)) is not None:
        panel = grid
        shows = ngettext(
            number,
            "Heat map of {number} cell with the announced probability written in its field.",
            "Heat map of {number} cells with the announced probability written in each field.",
        )
    else:
        panel = Distribution(
            series=((gettext("cells"), counts_in_bins(table.announced / table.scale, 1.0)),),
            top=1.0,
            axis=axis,
            things=gettext("Cells"),
        )
        shows = ngettext(
            number,
            "Histogram of {number} cell.",
            "Histogram of {number} cells. Half of them lie at {half} or below.",
            half=percent(table.printed(lower_median(table.announced))),
        )
    return Plot(id="chart-rules", title=axis, alt=f"{shows} {_probabilities_run(report)}", panels=(panel,))


def _probabilities_run(report: Report) -> str:
    """From the lowest to the highest announced probability."""
    table, favourable = report.rule_table, report.process.outcome.favourable
    lowest, highest = (int(end) for end in (table.announced.min(), table.announced.max()))
    if lowest == highest:
        return gettext(
            "The announced probability of “{favourable}” is {probability} in every cell.",
            favourable=favourable,
            probability=percent(table.printed(lowest)),
        )
    return gettext(
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
