"""How groups, measures and verdicts are named for readers, in tables and charts alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Literal

from atreport.analysis.assessment import Assessment, Interval, Sampling, UnknownRange, Verdict
from atreport.kit.numbers import (
    figure,
    full_percent,
    full_percent_interval,
    full_points,
    full_points_interval,
    interval,
)
from atreport.kit.tables import Cell, Column, Tone
from atreport.population.cells import Cells
from atreport.spec.models.measures import IndividualFairness
from atreport.spec.models.process import Attribute, Process
from atreport.spec.models.spec import PublicSpec

MEASURES = {
    "statistical_parity": "Statistical parity",
    "conditional_statistical_parity": "Conditional statistical parity",
    "p_percent_rule": "p% rule",
    "impact_ratio": "Impact ratio",
    "group_disparity": "Group disparity",
    "individual": "Individual fairness",
}

VERDICTS: dict[Verdict, tuple[str, Tone]] = {
    "meets": ("Meets", "good"),
    "does_not_meet": ("Does not meet", "bad"),
    "cannot_tell": ("Cannot be told at this fidelity", "open"),
}

EVERYBODY = "Everybody"

MAX_NAME_COLUMNS = 4
"""With more attributes than this, a row of a table is named in one column."""

LONG_NAME = 48
"""A name with more characters leaves out the attributes."""

Unit = Literal["points", "percent", "logarithm"]
"""How a measure is written: differences in percentage points, ratios in percent, log ratios as they are."""


def quoted(attributes: tuple[Attribute, ...]) -> str:
    """The titles of some attributes, as in “Gender” and “Age”."""
    *others, last = [f"“{a.title}”" for a in attributes] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def group_name(cells: Cells, group_start: int) -> str:
    """A QID group by its public attributes, such as Gender: F."""
    return named_values(cells.process, cells.labels(group_start, cells.process.of_role("public")))


def cell_name(cells: Cells, cell: int) -> str:
    """A cell by all its attributes."""
    return named_values(cells.process, cells.labels(cell, cells.process.attributes))


def named_values(process: Process, labels: Mapping[str, str]) -> str:
    """Each attribute with its value; the values alone where that would be long."""
    full = " · ".join(f"{process.attribute(name).title}: {value}" for name, value in labels.items())
    return (full if len(full) <= LONG_NAME else " · ".join(labels.values())) or EVERYBODY


def row_names(
    cells: Cells, rows: Sequence[int], attributes: tuple[Attribute, ...]
) -> tuple[list[list[str]], list[Column]]:
    """How rows of a table are named: a column for each attribute, or one for all where there are many."""
    names = [list(cells.labels(row, attributes).values()) or [EVERYBODY] for row in rows]
    titles = [a.title for a in attributes] or ["People"]
    if len(titles) > MAX_NAME_COLUMNS:
        names, titles = [[" · ".join(values)] for values in names], [" · ".join(titles)]
    return names, [Column(title, names_row=True) for title in titles]


def measure_name(assessment: Assessment) -> str:
    """What the publisher calls the measure, or its usual name."""
    if assessment.title:
        return assessment.title
    if assessment.measure == "p_percent_rule" and assessment.threshold == Decimal("0.8"):
        return "Four-fifths screening rule"
    return MEASURES[assessment.measure]


def comparison(assessment: Assessment, process: Process) -> str:
    """Whom a measure compares, such as F and M, Annual income: <100k."""
    pair = compared(assessment.measure, assessment.groups, assessment.given, process)
    return f"{pair} (smallest for “{assessment.outcome}”)" if assessment.outcome else pair


def compared(
    measure: str, groups: tuple[str, str] | None, given: Mapping[str, str] | None, process: Process
) -> str:
    """Two groups and perhaps what they have in common; or everybody."""
    if groups is None:
        return "All pairs of people"
    if measure == "impact_ratio":
        same = groups[0] == groups[1]
        return (
            f"{groups[0]}, the most favoured" if same else f"{groups[0]} and {groups[1]}, the most favoured"
        )
    if measure == "group_disparity":
        return f"{groups[0]} and {groups[1]}, the furthest apart"
    return " and ".join(groups) + (f", {named_values(process, given)}" if given else "")


def units(spec: PublicSpec, assessments: Sequence[Assessment]) -> list[Unit]:
    """The unit of each assessment. Only relative individual fairness is measured in logarithms."""
    individual = iter([measure for measure in spec.fairness if isinstance(measure, IndividualFairness)])
    return [_unit(a, next(individual) if a.measure == "individual" else None) for a in assessments]


def _unit(assessment: Assessment, individual: IndividualFairness | None) -> Unit:
    if individual is not None and individual.metric == "relative":
        return "logarithm"
    return "percent" if assessment.is_ratio else "points"


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


def sampling_text(sampling: Sampling | None, unit: Unit) -> str:
    """What chance alone may have done, in the measure's own unit."""
    if sampling is None:
        return "none"
    return interval_text(Interval(value=sampling.low, low=sampling.low, high=sampling.high), unit)


def unknown_text(found: UnknownRange | None, unit: Unit) -> str:
    """What the measure could be, whoever the people of unknown group are, in its own unit."""
    if found is None:
        return "–"
    return interval_text(Interval(value=found.low, low=found.low, high=found.high), unit)


def verdict_cell(verdict: Verdict | None) -> Cell:
    """The verdict in words, with the tone that goes with it."""
    return Cell("No threshold set") if verdict is None else Cell(*VERDICTS[verdict])
