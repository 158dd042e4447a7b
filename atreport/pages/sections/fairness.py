"""Turn a report into its section on fairness: the measures, and the rates they are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from atreport.kit.numbers import count, full_percent, full_percent_interval, hundredths
from atreport.kit.tables import Cell, Column, Table, extremes, make_table
from atreport.pages.disparities import directed, find_disparity
from atreport.pages.measures import (
    interval_text,
    measure_name,
    measures_used,
    sampling_text,
    threshold_text,
    units,
)
from atreport.pages.measures.error_rates import KINDS
from atreport.pages.measures.unit import PERCENT, Unit
from atreport.pages.wording import named_values, verdict_cell
from atreport.population.cells import IntArray
from atreport.publication.small_numbers import GroupSizes, among_large
from atreport.report.fairness import Assessment, GroupRate
from atreport.report.model import Report
from atreport.report.rule import steps

CHANCE = "With chance in the records (95%)"
"""The heading of the interval that covers chance too, where the rule was estimated from records."""

UNKNOWN = "Announced, whoever the unknown are"
"""The heading of what a measure could be, where the group of some people is unknown."""


def measure_definitions(report: Report) -> tuple[tuple[str, str], ...]:
    """The measures that the report has: name, and what it means."""
    favourable = report.process.outcome.favourable
    rates = {assessment.rate for assessment in report.fairness}
    told: list[tuple[str, str]] = []
    for words in measures_used(report.fairness):
        of_rates = [each for rate, each in words.rates.items() if rate in rates]
        told += [(each.name, each.definition) for each in of_rates] or [(words.name, words.definition)]
    return tuple((name, meaning.replace("{favourable}", favourable)) for name, meaning in told)


def measure_table(report: Report) -> Table | None:
    """Every fairness measure; of many, those that could be furthest from equal treatment."""
    in_unit = [
        (unit, a) for unit, a in zip(units(report), report.fairness, strict=True) if not a.is_of_one_group
    ]
    if not in_unit:
        return None
    unit, assessments = zip(*in_unit, strict=True)
    sizes = GroupSizes(report)
    large = np.array([all(sizes.is_large(a, rate) for rate in a.rates or ()) for a in assessments])
    chosen = extremes(_urgency(assessments), both_ends=False, among=large)
    chance = any(a.sampling for a in assessments)
    unknown = any(a.unknown for a in assessments)
    rated = any(a.rates for a in assessments)
    return make_table(
        "measures",
        "Fairness measures",
        [
            Column("Measure", names_row=True),
            Column("Compared", names_row=True),
            *([Column("Rates announced", numeric=True)] if rated else []),
            Column("Announced", numeric=True),
            Column("True value lies in", numeric=True),
            *([Column(CHANCE, numeric=True)] if chance else []),
            *([Column(UNKNOWN, numeric=True)] if unknown else []),
            Column("Verdict"),
        ],
        [
            [
                measure_name(a),
                directed(report, a),
                *([_both_rates(report, a)] if rated else []),
                unit[i].value(a.value),
                interval_text(a.interval, unit[i], a.at_least),
                *([sampling_text(a.sampling, unit[i])] if chance else []),
                *([unit[i].interval(*a.unknown.interval) if a.unknown else "–"] if unknown else []),
                _verdict(a, unit[i]),
            ]
            for i, a in ((i, assessments[i]) for i in chosen.rows)
        ],
        chosen.left_out(
            "comparisons",
            f"those that may be furthest from equal treatment{among_large(report, 'groups', large)}",
            "measures.csv",
        ),
    )


def _verdict(assessment: Assessment, unit: Unit) -> Cell:
    """The verdict, and the threshold that it is about."""
    cell = verdict_cell(assessment.verdict)
    if assessment.threshold is None:
        return cell
    threshold = threshold_text(assessment.threshold, unit, is_ratio=assessment.is_ratio)
    return replace(cell, text=f"{cell.text} ({threshold})")


def _both_rates(report: Report, assessment: Assessment) -> str:
    """The announced rates of the two groups, in the order in which the row names them."""
    found = find_disparity(report, assessment)
    if found is None:
        return "–"
    return f"{hundredths(found.lower.value)} and {full_percent(found.higher.value)}"


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
    each: dict[tuple[GroupRate, str, str], bool] = {}
    sizes = GroupSizes(report)
    for assessment in report.fairness:
        given = named_values(report.process, assessment.given or {})
        by = " · ".join(report.process.attribute(name).title for name in assessment.by or ())
        for rate in assessment.rates or ():
            if rate.kind is None:
                each.setdefault((rate, by, given), sizes.is_large(assessment, rate))
    if not each:
        return None
    entries, large = list(each), np.array(list(each.values()))
    chosen = extremes(
        np.array([steps(rate.value, report.policy.decimals) for rate, _, _ in entries], dtype=np.int64),
        among=large,
    )
    counts = any(rate.people is not None for rate, _, _ in entries)
    chance = any(rate.sampling for rate, _, _ in entries)
    titled = any(by for _, by, _ in entries)
    return make_table(
        "rates",
        f"Rate of “{report.process.outcome.favourable}” in each group that is compared",
        [
            *([Column("By", names_row=True)] if titled else []),
            Column("Group", names_row=True),
            Column("Among", names_row=True),
            Column("Announced rate", numeric=True),
            Column("True rate lies in", numeric=True),
            *([Column(CHANCE, numeric=True)] if chance else []),
            *([Column("People", numeric=True)] if counts else []),
        ],
        [
            [
                *([by or "–"] if titled else []),
                rate.group,
                among,
                full_percent(rate.value),
                full_percent_interval(rate.low, rate.high),
                *([sampling_text(rate.sampling, PERCENT)] if chance else []),
                *(["–" if rate.people is None else count(rate.people)] if counts else []),
            ]
            for rate, by, among in (entries[i] for i in chosen.rows)
        ],
        chosen.left_out(
            "rates", f"the highest and the lowest{among_large(report, 'groups', large)}", "report.json"
        ),
    )


def verdict_summary(assessments: Sequence[Assessment]) -> str:
    """How many thresholds are met, missed, or undecided, in one sentence."""
    verdicts = Counter(a.verdict for a in assessments if a.verdict is not None and not a.is_of_one_group)
    number = sum(verdicts.values())
    if not number:
        return "No threshold was set, so there is no verdict." if assessments else ""
    meets, misses, open_ = (verdicts[verdict] for verdict in ("meets", "does_not_meet", "cannot_tell"))
    if number == 1:
        (verdict,) = verdicts
        return {
            "meets": "The one comparison with a threshold is certain to meet it.",
            "does_not_meet": "The one comparison with a threshold is certain not to meet it.",
            "cannot_tell": "Whether the one comparison with a threshold meets it cannot be told at this "
            "fidelity.",
        }[verdict]
    if open_ == number:
        return f"For none of {count(number)} comparisons with a threshold can it be told at this fidelity whether it is met."
    rest = f"; for {count(open_)} it cannot be told at this fidelity" if open_ else ""
    return (
        f"Of {count(number)} comparisons with a threshold, {_how_many(meets)} certain to meet it and "
        f"{_how_many(misses)} certain not to{rest}."
    )


def _how_many(number: int) -> str:
    return "none is" if number == 0 else "1 is" if number == 1 else f"{count(number)} are"


def error_table(report: Report) -> Table | None:
    """Every error rate that is compared, each once."""
    entries = list(
        dict.fromkeys(rate for a in report.fairness for rate in a.rates or () if rate.kind is not None)
    )
    if not entries:
        return None
    chosen = extremes(
        np.array([steps(rate.value, report.policy.decimals) for rate in entries], dtype=np.int64)
    )
    chance = any(rate.sampling for rate in entries)
    favourable = report.process.outcome.favourable
    return make_table(
        "error-rates",
        "Error rates of each group that is compared",
        [
            Column("Group", names_row=True),
            Column("Share of people", names_row=True),
            Column("Announced", numeric=True),
            Column("True share lies in", numeric=True),
            *([Column(CHANCE, numeric=True)] if chance else []),
        ],
        [
            [
                rate.group,
                KINDS[rate.kind or ""].replace("{favourable}", favourable),
                full_percent(rate.value),
                full_percent_interval(rate.low, rate.high),
                *([sampling_text(rate.sampling, PERCENT)] if chance else []),
            ]
            for rate in (entries[i] for i in chosen.rows)
        ],
        chosen.left_out("rates", "the highest and the lowest", "report.json"),
    )
