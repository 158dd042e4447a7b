"""Fairness measures on a rule table: one module a measure, listed here.

A module has one function ``measure(table, asked, unknown=…)``, which yields what it found for every comparison that the
spec's entry `asked` asks for, in the order in which they are printed.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from atreport.core.band import Range
from atreport.core.rule_table import RuleTable
from atreport.measures import (
    error_rates,
    group_disparity,
    impact_ratio,
    individual,
    odds_ratio,
    p_percent_rule,
    statistical_parity,
)
from atreport.measures.comparisons import difference_range, ratio_range
from atreport.measures.feasible_rules import JointRates
from atreport.measures.measured import Measured, NotMeasured
from atreport.spec.fairness import IndividualFairness, Measure, labels_of

MEASURES: dict[str, Callable[..., Iterator[Measured | NotMeasured]]] = {
    "statistical_parity": statistical_parity.measure,
    "conditional_statistical_parity": statistical_parity.measure,
    "p_percent_rule": p_percent_rule.measure,
    "impact_ratio": impact_ratio.measure,
    "odds_ratio": odds_ratio.measure,
    "group_disparity": group_disparity.measure,
    "error_rates": error_rates.measure,
    "individual": individual.measure,
}

OF_TWO_RATES: dict[str, Callable[[JointRates], Range]] = {
    "statistical_parity": difference_range,
    "conditional_statistical_parity": difference_range,
    "p_percent_rule": ratio_range,
    "impact_ratio": ratio_range,
    "odds_ratio": odds_ratio.odds_range,
}
"""Of each measure that compares two groups at a time: what it gives for one outcome, from its rates in both."""


def measure_one(
    table: RuleTable, asked: Measure, *, unknown: bool = True
) -> Iterator[Measured | NotMeasured]:
    """Every comparison that one entry of the spec asks for.

    `unknown` adds what each could be, whoever the people of unknown group are: a long search where they are many.
    """
    return MEASURES[asked.measure](table, asked, unknown=unknown)


def measure_all(
    table: RuleTable, asked: Sequence[Measure], *, unknown: bool = True
) -> tuple[list[Measured], list[NotMeasured]]:
    """Every measure the spec asks for, in the order of the spec; and what could not be compared."""
    found = measure_each(table, asked, unknown=unknown)
    return (
        [each for each in found if isinstance(each, Measured)],
        [each for each in found if isinstance(each, NotMeasured)],
    )


def measure_each(
    table: RuleTable, asked: Sequence[Measure], *, unknown: bool = True
) -> list[Measured | NotMeasured]:
    """Every comparison that the spec asks for, in its order: of the same people the same ones, whatever their rule.

    People are compared one by one as the rule describes them: by everything but labels.
    """
    labels = labels_of(asked)
    return [
        each
        for measure in asked
        for each in (
            _without_labels(table, measure, labels)
            if labels and isinstance(measure, IndividualFairness)
            else measure_one(table, measure, unknown=unknown)
        )
    ]


def _without_labels(
    table: RuleTable, asked: Measure, labels: Sequence[str]
) -> Iterator[Measured | NotMeasured]:
    """A measure on averages over labels: nothing is known of it before any figure."""
    for found in measure_one(table.without(labels), asked):
        yield replace(found, a_priori=None) if isinstance(found, Measured) else found
