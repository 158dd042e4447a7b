"""Turn a report's fairness measures into charts: one for each unit of measure."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from atreport.kit.language import say, say_many
from atreport.kit.numbers import count
from atreport.kit.panels import EXTREMES, MAX_MARKS, Distribution, Dots, Mark, Plot, counts_in_bins, fit
from atreport.pages.disparities import directed
from atreport.pages.measures import measure_name, units
from atreport.pages.measures.unit import UNITS, Unit
from atreport.publication.small_numbers import GroupSizes
from atreport.report.fairness import Assessment
from atreport.report.model import Report


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
    results = [a.result for a in assessments if a.result is not None]
    id, title = f"chart-fairness-{unit.id}", say(unit.chart_title)
    if len(results) <= MAX_MARKS:
        marks = _marks(report, assessments)
        if fit([mark.label for mark in marks]):
            dots = Dots(marks=marks, axis=say(unit.chart_axis), logarithm=unit.logarithm)
            rows = say_many(
                len(results),
                "One row for {number} comparison.",
                "A row for each of {number} comparisons.",
            )
            alt = f"{rows} {_signs(marks)} {_run(assessments, unit)}"
            return Plot(id=id, title=title, alt=alt, panels=(dots,))
    values = np.array([float(result.value) for result in results])
    top = max(1.0, float(values.max()))
    whole = Distribution(
        series=((say("comparisons"), counts_in_bins(values, top)),),
        top=top,
        axis=say(unit.chart_axis_all, total=count(len(results))),
        things=say("Comparisons"),
        logarithm=unit.logarithm,
    )
    above = say_many(
        len(results),
        "Above, a histogram of {number} comparison.",
        "Above, a histogram of {number} comparisons.",
    )
    marks = _marks(report, _most_extreme(report, assessments, unit))
    if not marks:
        return Plot(id=id, title=title, alt=f"{above} {_run(assessments, unit)}", panels=(whole,))
    below = say_many(
        len(marks),
        "Below, the comparison that may be furthest from equal treatment.",
        "Below, the {number} comparisons that may be furthest from equal treatment, a row each.",
    )
    axis = say(unit.chart_axis_extremes, shown=count(len(marks)))
    return Plot(
        id=id,
        title=title,
        alt=f"{above} {_run(assessments, unit)} {below} {_signs(marks)}",
        panels=(whole, Dots(marks=marks, axis=axis, logarithm=unit.logarithm)),
    )


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
            say("{measure}: {compared}", measure=measure_name(a), compared=directed(report, a))
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
        return say(
            "A dot is the announced value, a bar shows where the true value lies, a dashed line is the threshold."
        )
    return say("A dot is the announced value, a bar shows where the true value lies.")


def _run(assessments: Sequence[Assessment], unit: Unit) -> str:
    """From the smallest to the largest announced value."""
    values = [a.result.value for a in assessments if a.result is not None]
    if min(values) == max(values):
        return say("The announced value is {value}.", value=unit.chart_value(values[0]))
    return say(
        "Announced values run from {low} to {high}.",
        low=unit.chart_value(min(values)),
        high=unit.chart_value(max(values)),
    )
