"""How fairness measures are named and written for readers: one module a measure, listed here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal

from atreport.kit.language import message, say
from atreport.pages.measures import (
    conditional_statistical_parity,
    error_rates,
    group_disparity,
    impact_ratio,
    individual,
    odds_ratio,
    p_percent_rule,
    statistical_parity,
)
from atreport.pages.measures.unit import Unit
from atreport.pages.measures.words import MeasureWords
from atreport.report.fairness import Assessment
from atreport.report.figures import Sampling
from atreport.report.model import Report
from atreport.spec.models.process import Process

MEASURES: dict[str, MeasureWords] = {
    "statistical_parity": statistical_parity.WORDS,
    "conditional_statistical_parity": conditional_statistical_parity.WORDS,
    "p_percent_rule": p_percent_rule.WORDS,
    "impact_ratio": impact_ratio.WORDS,
    "odds_ratio": odds_ratio.WORDS,
    "group_disparity": group_disparity.WORDS,
    "error_rates": error_rates.WORDS,
    "individual": individual.WORDS,
}
"""In the order in which they are defined for readers."""

EVERYBODY_COMPARED = message("All pairs of people")
"""Whom a measure compares that compares everybody with everybody, to be said."""


def measures_used(assessments: Iterable[Assessment]) -> list[MeasureWords]:
    """The measures that a report has, each once."""
    used = {assessment.measure for assessment in assessments}
    return [words for name, words in MEASURES.items() if name in used]


def measure_name(assessment: Assessment) -> str:
    """What the publisher calls the measure, or its usual name."""
    usual = MEASURES[assessment.measure].named_at(assessment.threshold, assessment.rate)
    if assessment.title is None or assessment.rate is None:
        return assessment.title or usual
    return say("{title}: {rate}", title=assessment.title, rate=usual)


def comparison(assessment: Assessment, process: Process) -> str:
    """Whom a measure compares, such as F and M, among Annual income: <100k."""
    pair = compared(assessment.measure, assessment.groups, assessment.given, process)
    if not assessment.outcome:
        return pair
    return say("{pair} (smallest for “{outcome}”)", pair=pair, outcome=assessment.outcome)


def compared(
    measure: str, groups: tuple[str, str] | None, given: Mapping[str, str] | None, process: Process
) -> str:
    """Two groups and perhaps what they have in common; or everybody."""
    if groups is None:
        return say(EVERYBODY_COMPARED)
    return MEASURES[measure].compared(groups, given, process)


def units(report: Report) -> list[Unit]:
    """The unit of each of a report's assessments."""
    entries = {name: iter([each for each in report.measures if each.measure == name]) for name in MEASURES}
    found = []
    for assessment in report.fairness:
        words = MEASURES[assessment.measure]
        found.append(words.unit_asked(next(entries[assessment.measure])) if words.unit_asked else words.unit)
    return found


def interval_text(assessment: Assessment, unit: Unit, *, beside_value: bool = False) -> str:
    """The interval of a measure; or the least it can be, where nothing bounds it from above.

    Beside the value, which names the unit, it need not be named again.
    """
    if assessment.interval is None:
        if assessment.at_least is None:
            return say("unbounded")
        return say("at least {figure}", figure=unit.value(assessment.at_least))
    return (unit.beside if beside_value else unit.interval)(*assessment.interval)


def threshold_text(threshold: Decimal, unit: Unit, *, is_ratio: bool) -> str:
    """The threshold with its direction: ratios should reach it, differences should not exceed it."""
    if is_ratio:
        return say("at least {figure}", figure=unit.brief(threshold))
    return say("at most {figure}", figure=unit.brief(threshold))


def sampling_text(sampling: Sampling | None, unit: Unit) -> str:
    """Where the long-run figure lies if chance in the records is taken in too, beside a value that names the unit."""
    return say("none given") if sampling is None else unit.beside(*sampling.interval)
