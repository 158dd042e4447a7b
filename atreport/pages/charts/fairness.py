"""Turn a report's fairness measures into charts: one for each unit of measure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from atreport.kit.numbers import counted
from atreport.kit.panels import EXTREMES, MAX_MARKS, Distribution, Dots, Mark, Plot, counts_in_bins
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
    values, lows, highs = (
        np.array([float(getattr(r, end)) for r in results]) for end in ("value", "low", "high")
    )
    many = len(results) > MAX_MARKS
    # The most telling first: the smallest ratio that is possible, the largest difference that is possible.
    urgency = lows if unit.is_share else -highs
    sizes = GroupSizes(report)
    large = np.flatnonzero([all(sizes.is_large(a, rate) for rate in a.rates or ()) for a in assessments])
    order = large[np.argsort(urgency[large], kind="stable")[:EXTREMES]] if many else np.arange(len(results))
    several = len({measure_name(a) for a in assessments}) > 1
    marks = tuple(
        Mark(
            (f"{measure_name(a)}: " if several else "") + directed(report, a),
            float(values[i]),
            float(lows[i]),
            float(highs[i]),
            None if a.threshold is None else float(a.threshold),
        )
        for i, a in ((int(i), assessments[int(i)]) for i in order)
    )
    axis = f"{unit.chart_axis}, the {len(marks)} most extreme" if many else unit.chart_axis
    dots = Dots(marks=marks, axis=axis, logarithm=unit.logarithm)
    number = counted(len(results), "comparison")
    low, high = (unit.chart_value(end([r.value for r in results])) for end in (min, max))
    limits = ", a dashed line at the threshold" if any(m.limit is not None for m in marks) else ""
    shown = f"a dot for the announced value, a bar where the true value lies{limits}"
    id = f"chart-fairness-{unit.id}"
    if not many:
        alt = f"{number}: {shown}. Announced values run from {low} to {high}."
        return Plot(id=id, title=unit.chart_title, alt=alt, panels=(dots,))
    top = max(1.0, float(values.max()))
    whole = Distribution(
        series=(("comparisons", counts_in_bins(values, top)),),
        top=top,
        axis=f"{unit.chart_axis}, all {number}",
        things="Comparisons",
        logarithm=unit.logarithm,
    )
    below = f" Below, the {len(marks)} most extreme: {shown}." if marks else ""
    alt = f"Above, a histogram of {number}; announced values run from {low} to {high}.{below}"
    return Plot(id=id, title=unit.chart_title, alt=alt, panels=(whole, dots) if marks else (whole,))
