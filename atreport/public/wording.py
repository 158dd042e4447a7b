"""How groups, measures and verdicts are named for readers, in tables and charts alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Literal

from atreport.cells import Cells
from atreport.public.assessment import Assessment, Interval, Verdict
from atreport.public.numbers import (
    figure,
    full_percent,
    full_percent_interval,
    full_points,
    full_points_interval,
    interval,
)
from atreport.public.tables import Cell, Tone
from atreport.spec.models import Attribute, IndividualFairness, Process, PublicSpec

MEASURES = {
    "statistical_parity": "Statistical parity",
    "conditional_statistical_parity": "Conditional statistical parity",
    "p_percent_rule": "p% rule",
    "individual": "Individual fairness",
}

VERDICTS: dict[Verdict, tuple[str, Tone]] = {
    "meets": ("Meets", "good"),
    "does_not_meet": ("Does not meet", "bad"),
    "cannot_tell": ("Cannot be told at this fidelity", "open"),
}

EVERYBODY = "Everybody"

Unit = Literal["points", "percent", "logarithm"]
"""How a measure is written: differences in percentage points, ratios in percent, log ratios as they are."""


def quoted(attributes: tuple[Attribute, ...]) -> str:
    """The titles of some attributes, as in “Gender” and “Age”."""
    titles = [f"“{a.title}”" for a in attributes]
    return titles[0] if len(titles) == 1 else ", ".join(titles[:-1]) + " and " + titles[-1] if titles else ""


def group_name(cells: Cells, group_start: int) -> str:
    """A QID group by its public attributes, such as Gender: F."""
    return _named(cells.process, cells.labels(group_start, cells.process.of_role("public")))


def cell_name(cells: Cells, cell: int) -> str:
    """A cell by all its attributes."""
    return _named(cells.process, cells.labels(cell, cells.process.attributes))


def _named(process: Process, labels: Mapping[str, str]) -> str:
    return " · ".join(f"{process.attribute(k).title}: {v}" for k, v in labels.items()) or EVERYBODY


def measure_name(assessment: Assessment) -> str:
    """What the publisher calls the measure, or its usual name."""
    if assessment.title:
        return assessment.title
    if assessment.measure == "p_percent_rule" and assessment.threshold == Decimal("0.8"):
        return "Four-fifths screening rule"
    return MEASURES[assessment.measure]


def comparison(assessment: Assessment, process: Process) -> str:
    """Whom a measure compares, such as F and M, Annual income: <100k."""
    if assessment.groups is None:
        return "All pairs of people"
    pair = f"{assessment.groups[0]} and {assessment.groups[1]}"
    return f"{pair}, {_named(process, assessment.given)}" if assessment.given else pair


def units(spec: PublicSpec, assessments: Sequence[Assessment]) -> list[Unit]:
    """The unit of each assessment. Only relative individual fairness is measured in logarithms."""
    individual = iter([measure for measure in spec.fairness if isinstance(measure, IndividualFairness)])
    return [_unit(a, next(individual) if a.measure == "individual" else None) for a in assessments]


def _unit(assessment: Assessment, individual: IndividualFairness | None) -> Unit:
    if individual is not None and individual.metric == "relative":
        return "logarithm"
    return "percent" if assessment.measure == "p_percent_rule" else "points"


def value_text(number: Decimal | None, unit: Unit) -> str:
    """One figure of a measure in its own unit."""
    return {"percent": full_percent, "points": full_points, "logarithm": figure}[unit](number)


def interval_text(result: Interval | None, unit: Unit) -> str:
    """The certified interval of a measure in its own unit."""
    if result is None:
        return "unbounded"
    of = {"percent": full_percent_interval, "points": full_points_interval, "logarithm": interval}[unit]
    return of(result.low, result.high)


def threshold_text(threshold: Decimal | None, unit: Unit) -> str:
    """The threshold with its direction: ratios should reach it, differences should not exceed it."""
    if threshold is None:
        return "none set"
    return f"{'at least' if unit == 'percent' else 'at most'} {value_text(threshold, unit)}"


def verdict_cell(verdict: Verdict | None) -> Cell:
    """The verdict in words, with the tone that goes with it."""
    return Cell("No threshold set") if verdict is None else Cell(*VERDICTS[verdict])
