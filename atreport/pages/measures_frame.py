"""Turn a report's fairness measures into tidy pandas frames: one row a measure, one row a group's rate."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import pandas as pd

from atreport.report.fairness import Assessment

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


def _given(assessment: Assessment) -> str | None:
    return "; ".join(f"{name}={value}" for name, value in (assessment.given or {}).items()) or None


def _number(number: Decimal | None) -> float:
    return float("nan") if number is None else float(number)
