"""Turn a report into tidy pandas frames: one row a measure, one row a group's rate, one row a cell."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pandas as pd

from atreport.report.fairness import Assessment
from atreport.report.model import Report

MEASURE_COLUMNS = (
    "measure",
    "title",
    "group_a",
    "group_b",
    "given",
    "outcome",
    "value",
    "interval_low",
    "interval_high",
    "a_priori",
    "threshold",
    "verdict",
    "sampling_low",
    "sampling_high",
    "rate",
)
RATE_COLUMNS = (
    "group",
    "kind",
    "given",
    "value",
    "interval_low",
    "interval_high",
    "sampling_low",
    "sampling_high",
)


def measures_frame(assessments: Sequence[Assessment]) -> pd.DataFrame:
    """Every measure with its certified interval and verdict, in the order of the spec.

    Numbers are the printed ones. Missing: None for texts, NaN for numbers (a measure that nothing bounds has
    no value).
    """
    rows = []
    for a in assessments:
        first, second = a.groups or (None, None)
        low, high = a.interval or (None, None)
        rows.append(
            (
                a.measure,
                a.title,
                first,
                second,
                _given(a),
                a.outcome,
                *map(_number, (a.value, low, high, a.a_priori, a.threshold)),
                a.verdict,
                *map(_number, a.sampling.interval if a.sampling else (None, None)),
                a.rate,
            )
        )
    return pd.DataFrame(rows, columns=list(MEASURE_COLUMNS))


def rates_frame(assessments: Sequence[Assessment]) -> pd.DataFrame:
    """The favourable rate of every group that is compared, and every error rate (`kind`), each once."""
    rows: dict[tuple[str, str | None, str | None], tuple[object, ...]] = {}
    for a in assessments:
        for rate in a.rates or ():
            ends = (rate.value, *rate.interval)
            chance = rate.sampling.interval if rate.sampling else (None, None)
            about = rate.group, rate.kind, _given(a)
            rows.setdefault(about, (*about, *map(_number, (*ends, *chance))))
    return pd.DataFrame(list(rows.values()), columns=list(RATE_COLUMNS))


def cells_frame(report: Report) -> pd.DataFrame:
    """The announced rule as cells.csv has it: values, share or number of people, the probability of each outcome.

    Values are ordered categories, as the report lists them. The outcomes' columns are named `announced: …`, since an
    attribute may have the name of an outcome.
    """
    process, size = report.process, {"shares": "share", "counts": "population"}.get(report.policy.population)
    columns: dict[str, Any] = {
        attribute.name: pd.Categorical(
            [cell.values[attribute.name] for cell in report.cells], attribute.values
        )
        for attribute in process.attributes
    }
    if size is not None:
        columns[size] = [_number(getattr(cell, size)) for cell in report.cells]
    for outcome in process.outcome.values:
        columns[f"announced: {outcome}"] = [_number(cell.announced[outcome]) for cell in report.cells]
    if report.policy.fidelity.bounds:
        for end, name in enumerate(("lower", "upper")):
            columns[name] = [_number(cell.bounds[end] if cell.bounds else None) for cell in report.cells]
    return pd.DataFrame(columns)


def _given(assessment: Assessment) -> str | None:
    return "; ".join(f"{name}={value}" for name, value in (assessment.given or {}).items()) or None


def _number(number: Decimal | int | None) -> float:
    return float("nan") if number is None else float(number)
