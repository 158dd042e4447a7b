"""Turn a report into its section on fairness: the measures, and the rates they are made of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from atreport.kit.numbers import count, full_percent, full_percent_interval
from atreport.kit.tables import Column, Table, extremes, make_table
from atreport.pages.measures import (
    comparison,
    interval_text,
    measure_name,
    measures_used,
    sampling_text,
    threshold_text,
    units,
)
from atreport.pages.measures.unit import PERCENT
from atreport.pages.wording import named_values, verdict_cell
from atreport.population.cells import IntArray
from atreport.report.fairness import Assessment, GroupRate
from atreport.report.model import Report
from atreport.report.rule import steps

CHANCE = "Chance alone (95%)"
"""The heading of what chance may have done, where the rule was estimated from records."""

UNKNOWN = "Announced, whoever the unknown are"
"""The heading of what a measure could be, where the group of some people is unknown."""


def measure_definitions(report: Report) -> tuple[tuple[str, str], ...]:
    """The measures that the report has: name, and what it means."""
    favourable = report.process.outcome.favourable
    return tuple(
        (words.name, words.definition.replace("{favourable}", favourable))
        for words in measures_used(report.fairness)
    )


def measure_table(report: Report) -> Table | None:
    """Every fairness measure; of many, those that could be furthest from equal treatment."""
    assessments = report.fairness
    if not assessments:
        return None
    unit = units(report)
    chosen = extremes(_urgency(assessments), both_ends=False)
    chance = any(a.sampling for a in assessments)
    unknown = any(a.unknown for a in assessments)
    return make_table(
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
                comparison(a, report.process),
                unit[i].value(a.value),
                interval_text(a.interval, unit[i]),
                *([sampling_text(a.sampling, unit[i])] if chance else []),
                *([unit[i].interval(*a.unknown.interval) if a.unknown else "–"] if unknown else []),
                unit[i].value(a.a_priori),
                threshold_text(a, unit[i]),
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


def rate_table(report: Report) -> Table | None:
    """The favourable rate of every group that is compared, each once."""
    each: dict[tuple[GroupRate, str], None] = {}
    for assessment in report.fairness:
        given = named_values(report.process, assessment.given or {})
        for rate in assessment.rates or ():
            each.setdefault((rate, given))
    if not each:
        return None
    entries = list(each)
    chosen = extremes(
        np.array([steps(rate.value, report.policy.decimals) for rate, _ in entries], dtype=np.int64)
    )
    counts = [rate.people for rate, _ in entries if rate.people is not None]  # of all of them, or of none
    chance = any(rate.sampling for rate, _ in entries)
    return make_table(
        "rates",
        f"Rate of “{report.process.outcome.favourable}” in each group that is compared",
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
                full_percent(rate.value),
                full_percent_interval(rate.low, rate.high),
                *([sampling_text(rate.sampling, PERCENT)] if chance else []),
                *([] if rate.people is None else [count(rate.people)]),
            ]
            for rate, among in (entries[i] for i in chosen.rows)
        ],
        chosen.left_out("rates", "the highest and the lowest", "report.json"),
    )
