"""Turn what the measures found on a rule table into the report's part on fairness."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from atreport.core.band import Range
from atreport.core.rule_table import RuleTable
from atreport.measures.chance import COMPARISON_METHOD, RATE_METHOD
from atreport.measures.comparisons import log_range
from atreport.measures.measured import Measured, MeasuredRate, NotMeasured, log_bound
from atreport.measures.membership import range_over_splits
from atreport.measures.rates import rates, strata_of
from atreport.report.fairness import (
    Assessment,
    GroupRate,
    LogRatio,
    NotAssessed,
    OutcomeResult,
    UnknownRange,
    ValueRate,
)
from atreport.report.figures import (
    Verdict,
    draw_verdict,
    printed_chance,
    printed_interval,
    printed_value,
)
from atreport.spec.fairness import GroupMeasure, PPercentRule
from atreport.text.numbers import rounded_down, rounded_up
from atreport.text.tables import MAX_ROWS, extremes


def print_assessments(table: RuleTable, found: Sequence[Measured]) -> tuple[Assessment, ...]:
    """Every measure as printed, with its verdict."""
    return tuple(_assessment(table, each) for each in found)


def verdict_of(found: Measured, decimals: int) -> Verdict | None:
    """The verdict that :func:`print_assessments` gives a measure: from its ends as printed; None without a threshold."""
    interval = None if found.ranges is None else printed_interval(found.ranges, decimals)
    at_least = None if found.at_least is None else rounded_down(found.at_least, decimals)
    return draw_verdict(interval, at_least, found.asked.limit, is_ratio=found.asked.is_ratio)


def print_not_assessed(found: Sequence[NotMeasured]) -> tuple[NotAssessed, ...]:
    """The comparisons that could not be made."""
    return tuple(_left_out(each) for each in found)


def _left_out(found: NotMeasured) -> NotAssessed:
    further: dict[str, Any] = {}  # what is not stated is no key of the report
    if found.reason != "nobody":
        further["reason"] = found.reason
    if found.rate is not None:
        further["rate"] = found.rate
    return NotAssessed(
        measure=found.asked.measure,
        groups=found.groups,
        given=None if found.given is None else dict(found.given),
        **further,
    )


def print_value_rates(table: RuleTable) -> tuple[ValueRate, ...]:
    """The favourable rate at each value of each attribute; none where every cell is printed."""
    return tuple(
        ValueRate(
            attribute=each.attribute,
            of=each.value,
            value=printed_value(each.ranges, table.decimals),
            interval=printed_interval(each.ranges, table.decimals),
        )
        for each in value_rates(table)
    )


def _assessment(table: RuleTable, found: Measured) -> Assessment:
    asked, decimals = found.asked, table.decimals
    interval = None if found.ranges is None else printed_interval(found.ranges, decimals)
    at_least = None if found.at_least is None else rounded_down(found.at_least, decimals)
    further: dict[str, Any] = {}  # what is not stated is no key of the report
    if at_least:
        further["at_least"] = at_least
    if found.value_at_most is not None:
        further["value_at_most"] = rounded_up(found.value_at_most, decimals)
    if found.rates:
        further["rates"] = tuple(_rate(table, rate) for rate in found.rates)
    if isinstance(asked, GroupMeasure) and asked.group_attributes:
        further["by"] = asked.group_attributes
    if isinstance(asked, PPercentRule):
        further["log_ratio"] = _log_ratio(table, found)
    if found.by_outcome is not None:
        further["outcome"] = found.outcome
        further["by_outcome"] = tuple(
            OutcomeResult(
                outcome=outcome,
                value=printed_value(ranges, decimals),
                interval=printed_interval(ranges, decimals),
            )
            for outcome, ranges in found.by_outcome.items()
        )
    if found.unknown is not None:
        further["unknown"] = UnknownRange(
            interval=(
                rounded_down(found.unknown.low, decimals),
                rounded_up(found.unknown.high, decimals),
            ),
            attained=found.unknown.is_exact,
            **_people(table, found.unknown.people),
        )
    if found.chance is not None:
        further["sampling"] = printed_chance(found.chance, decimals, COMPARISON_METHOD)
    if found.rate is not None:
        further["rate"] = found.rate
    return Assessment(
        measure=asked.measure,
        title=asked.title,
        groups=found.groups,
        given=None if found.given is None else dict(found.given),
        value=None if found.ranges is None else printed_value(found.ranges, decimals),
        interval=interval,
        a_priori=found.a_priori,
        threshold=asked.limit,
        verdict=verdict_of(found, decimals),
        **further,
    )


def _rate(table: RuleTable, rate: MeasuredRate) -> GroupRate:
    further = _people(table, rate.people)
    if rate.kind is not None:
        further["kind"] = rate.kind
    if rate.chance is not None:
        further["sampling"] = printed_chance(rate.chance, table.decimals, RATE_METHOD)
    return GroupRate(
        group=rate.group,
        value=printed_value(rate.ranges, table.decimals),
        interval=printed_interval(rate.ranges, table.decimals),
        **further,
    )


def _people(table: RuleTable, people: int | None) -> dict[str, Any]:
    """A number of people, where it is known and numbers are published as they are."""
    stated = people is not None and table.population == "counts" and table.small_cells.is_exact
    return {"people": people} if stated else {}


def _log_ratio(table: RuleTable, found: Measured) -> LogRatio:
    logs = None if found.ranges is None else log_range(found.ranges, table.decimals)
    return LogRatio(
        value=None if logs is None else printed_value([logs], table.decimals),
        interval=None if logs is None else printed_interval([logs], table.decimals),
        a_priori=log_bound(table) if table.small_cells.is_exact and not table.cells.left_out else None,
    )


# Turn a rule table into favourable rates by value of each attribute, where the rule has too many cells to be
# printed.

MAX_VALUES = 12
"""An attribute with more values is left out."""


@dataclass(frozen=True, kw_only=True)
class ExactValueRate:
    """The favourable rate of everybody who has one value of one attribute."""

    attribute: str
    value: str
    ranges: tuple[Range, ...]  # once for each population that must hold


def value_rates(table: RuleTable) -> tuple[ExactValueRate, ...]:
    """The rates, in the order of the spec; none where every cell is printed."""
    if extremes(table.announced).whole:
        return ()
    everybody = np.ones(len(table.cells), dtype=bool)
    found = []
    for attribute in table.cells.process.attributes:
        if len(attribute.values) > MAX_VALUES:
            continue
        strata = strata_of(table.cells, [attribute.name])
        of_values = rates(table, everybody, strata)
        for stratum in range(len(strata)):
            ranges = of_values.in_stratum(stratum)
            if ranges is not None:
                value = strata.labels(stratum)[attribute.name]
                ranges = range_over_splits(table, table.truth, ranges, [{attribute.name: (value,)}])
                found.append(ExactValueRate(attribute=attribute.name, value=value, ranges=tuple(ranges)))
    return tuple(found[:MAX_ROWS])
