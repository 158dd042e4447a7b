"""Turn assessments into the tables on fairness: the measures, and the rates they are made of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from atreport.analysis.assessment import Assessment, GroupRate
from atreport.announcement import Release
from atreport.kit.numbers import count, full_percent, full_percent_interval
from atreport.kit.tables import Column, Table, extremes, table
from atreport.pages.wording import (
    comparison,
    interval_text,
    measure_name,
    named_values,
    sampling_text,
    threshold_text,
    units,
    unknown_text,
    value_text,
    verdict_cell,
)
from atreport.population.cells import IntArray
from atreport.spec.models.spec import PublicSpec

CHANCE = "Chance alone (95%)"
"""The heading of what chance may have done, where the rule was estimated from records."""

UNKNOWN = "Announced, whoever the unknown are"
"""The heading of what a measure could be, where the group of some people is unknown."""


def measure_table(spec: PublicSpec, assessments: Sequence[Assessment]) -> Table | None:
    """Every fairness measure; of many, those that could be furthest from equal treatment."""
    if not assessments:
        return None
    unit = units(spec, assessments)
    chosen = extremes(_urgency(assessments), both_ends=False)
    chance = any(a.sampling for a in assessments)
    unknown = any(a.unknown for a in assessments)
    return table(
        "measures",
        "Fairness measures",
        [
            Column("Measure", names_row=True),
            Column("Compared", names_row=True),
            Column("Announced", numeric=True),
            Column("True value lies in", numeric=True),
            *([Column(CHANCE, numeric=True)] if chance else []),
            *([Column(UNKNOWN, numeric=True)] if unknown else []),
            Column("Can move by at most", numeric=True),
            Column("Threshold", numeric=True),
            Column("Verdict"),
        ],
        [
            [
                measure_name(a),
                comparison(a, spec.process),
                value_text(a.result.value if a.result else None, unit[i]),
                interval_text(a.result, unit[i]),
                *([sampling_text(a.sampling, unit[i])] if chance else []),
                *([unknown_text(a.unknown, unit[i])] if unknown else []),
                value_text(a.a_priori, unit[i]),
                threshold_text(a.threshold, unit[i]),
                verdict_cell(a.verdict),
            ]
            for i, a in ((i, assessments[i]) for i in chosen.rows)
        ],
        chosen.left_out("comparisons", "those that may be furthest from equal treatment", "measures.csv"),
    )


def _urgency(assessments: Sequence[Assessment]) -> IntArray:
    """How far from equal treatment a true value may be, in millionths: unbounded first."""
    far = [
        2**40
        if a.result is None
        else int(a.result.high * 10**6)
        if not a.is_ratio
        else 10**6 - int(a.result.low * 10**6)
        for a in assessments
    ]
    return np.array(far, dtype=np.int64)


def rate_table(release: Release, spec: PublicSpec, assessments: Sequence[Assessment]) -> Table | None:
    """The favourable rate of every group that is compared, each once."""
    each: dict[tuple[GroupRate, str], None] = {}
    for assessment in assessments:
        given = named_values(spec.process, assessment.given or {})
        for rate in assessment.rates:
            each.setdefault((rate, given))
    if not each:
        return None
    entries = list(each)
    chosen = extremes(np.array([int(rate.rate.value * release.scale) for rate, _ in entries], dtype=np.int64))
    counts = release.population == "counts" and release.small_cells.is_exact
    chance = any(rate.sampling for rate, _ in entries)
    return table(
        "rates",
        f"Rate of “{release.cells.process.outcome.favourable}” in each group that is compared",
        [
            Column("Group", names_row=True),
            Column("Among", names_row=True),
            Column("Announced rate", numeric=True),
            Column("True rate lies in", numeric=True),
            *([Column(CHANCE, numeric=True)] if chance else []),
            *([Column("People", numeric=True)] if counts else []),
        ],
        [
            [
                rate.group,
                among,
                full_percent(rate.rate.value),
                full_percent_interval(rate.rate.low, rate.rate.high),
                *([sampling_text(rate.sampling, "percent")] if chance else []),
                *([count(rate.people)] if counts else []),
            ]
            for rate, among in (entries[i] for i in chosen.rows)
        ],
        chosen.left_out("rates", "the highest and the lowest", "report.json"),
    )
