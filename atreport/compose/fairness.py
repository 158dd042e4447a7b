"""Turn what the measures found on a rule table into the report's part on fairness."""

from collections.abc import Sequence

import numpy as np

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
    printed_chance,
    printed_interval,
    printed_value,
    verdict_on,
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
    return verdict_on(interval, found.asked.limit, is_ratio=found.asked.is_ratio, at_least=at_least)


def print_not_assessed(found: Sequence[NotMeasured]) -> tuple[NotAssessed, ...]:
    """The comparisons that could not be made."""
    return tuple(
        NotAssessed(
            measure=each.asked.measure,
            groups=each.groups,
            given=None if each.given is None else dict(each.given),
            reason=None if each.reason == "nobody" else each.reason,
            rate=each.rate,
        )
        for each in found
    )


def _assessment(table: RuleTable, found: Measured) -> Assessment:
    asked, decimals = found.asked, table.decimals
    by = asked.group_attributes if isinstance(asked, GroupMeasure) else ()
    unknown, chance = found.unknown, found.chance
    return Assessment(
        measure=asked.measure,
        title=asked.title,
        groups=found.groups,
        given=None if found.given is None else dict(found.given),
        value=None if found.ranges is None else printed_value(found.ranges, decimals),
        interval=None if found.ranges is None else printed_interval(found.ranges, decimals),
        a_priori=found.a_priori,
        threshold=asked.limit,
        verdict=verdict_of(found, decimals),
        at_least=None if found.at_least is None else rounded_down(found.at_least, decimals) or None,
        value_at_most=None if found.value_at_most is None else rounded_up(found.value_at_most, decimals),
        rates=tuple(_rate(table, rate) for rate in found.rates) or None,
        by=by or None,
        log_ratio=_log_ratio(table, found) if isinstance(asked, PPercentRule) else None,
        outcome=found.outcome,
        by_outcome=None
        if found.by_outcome is None
        else tuple(
            OutcomeResult(
                outcome=outcome,
                value=printed_value(ranges, decimals),
                interval=printed_interval(ranges, decimals),
            )
            for outcome, ranges in found.by_outcome.items()
        ),
        unknown=None
        if unknown is None
        else UnknownRange(
            interval=(rounded_down(unknown.low, decimals), rounded_up(unknown.high, decimals)),
            attained=unknown.is_exact,
            people=_people(table, unknown.people),
        ),
        sampling=None if chance is None else printed_chance(chance, decimals, COMPARISON_METHOD),
        rate=found.rate,
    )


def _rate(table: RuleTable, rate: MeasuredRate) -> GroupRate:
    return GroupRate(
        group=rate.group,
        kind=rate.kind,
        value=printed_value(rate.ranges, table.decimals),
        interval=printed_interval(rate.ranges, table.decimals),
        people=_people(table, rate.people),
        sampling=None if rate.chance is None else printed_chance(rate.chance, table.decimals, RATE_METHOD),
    )


def _people(table: RuleTable, people: int | None) -> int | None:
    """A number of people, where it is known and numbers are published as they are."""
    return people if table.population == "counts" and table.small_cells.is_exact else None


def _log_ratio(table: RuleTable, found: Measured) -> LogRatio:
    logs = None if found.ranges is None else log_range(found.ranges, table.decimals)
    return LogRatio(
        value=None if logs is None else printed_value([logs], table.decimals),
        interval=None if logs is None else printed_interval([logs], table.decimals),
        a_priori=log_bound(table) if table.small_cells.is_exact and not table.cells.left_out else None,
    )


MAX_VALUES = 12
"""An attribute with more values has no rates of its values."""


def print_value_rates(table: RuleTable) -> tuple[ValueRate, ...]:
    """The favourable rate at each value of each attribute, in the order of the spec; none where every cell is printed."""
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
                found.append(
                    ValueRate(
                        attribute=attribute.name,
                        of=value,
                        value=printed_value(ranges, table.decimals),
                        interval=printed_interval(ranges, table.decimals),
                    )
                )
    return tuple(found[:MAX_ROWS])
