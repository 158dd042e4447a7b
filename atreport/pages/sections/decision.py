"""Turn a report into its section on the decision: what it looks at, and the announced rule."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from atreport.kit.numbers import count, counted, full_percent, full_percent_interval
from atreport.kit.tables import Column, Table, extremes, make_table
from atreport.pages.cover import paragraphs
from atreport.pages.wording import row_names
from atreport.population.band import outward
from atreport.publication.estimation_words import by_source, range_words
from atreport.publication.promise_words import quoted
from atreport.publication.small_numbers import among_large, large_cells
from atreport.report.model import Report
from atreport.report.people import PublishedCell
from atreport.spec.models.process import Attribute, Process

MAX_OTHERS = 3
"""The most outcomes that are printed beside the favourable one."""

_ROLES = {
    "public": "Public: others may know it of a person",
    "sensitive": "Sensitive: must not be inferred",
    "private": "Private: neither known to others nor protected here",
}

LABEL = "Label: what really happened; counts in error rates only"
"""The role of an attribute that error rates are about."""


@dataclass(frozen=True, kw_only=True)
class DecisionText:
    """How the decision works, in words."""

    paragraphs: tuple[str, ...]
    outcome: str  # the publisher's name for what is decided; empty where there is none
    favourable: str
    others: str  # the other outcomes
    outcomes: str  # how many
    sensitive: str
    public: str
    cells: str
    groups: str


@dataclass(frozen=True, kw_only=True)
class SectionTitles:
    """Headings that say no more than is known of where the rule comes from."""

    decision: str
    attributes: str
    explanation: str


def section_titles(report: Report) -> SectionTitles:
    """A rule that was found in cases describes people; one that was given says how the decision works."""
    return SectionTitles(
        decision=by_source(report, given="How the decision works", described="How people are decided on"),
        attributes=by_source(
            report, given="What the decision looks at", described="What this report describes people by"
        ),
        explanation=by_source(
            report, given="What moves the decision", described="What goes with the outcome"
        ),
    )


def decision_text(report: Report) -> DecisionText:
    """How the decision works, in the publisher's words and in figures."""
    process = report.process
    number = len(process.outcome.values)
    return DecisionText(
        paragraphs=paragraphs(process.description),
        outcome=process.outcome.label or "",
        favourable=process.outcome.favourable,
        others=", ".join(
            f"“{value}”" for value in process.outcome.values if value != process.outcome.favourable
        ),
        outcomes={2: "two", 3: "three", 4: "four"}.get(number, str(number)),
        sensitive=quoted(process.of_role("sensitive")),
        public=quoted(process.of_role("public")) or "nothing about a person",
        cells=counted(len(report.cells), "combination"),
        groups=counted(len(report.privacy.groups), "group"),
    )


def attribute_table(process: Process, labels: Collection[str] = ()) -> Table:
    """What the process knows about a person, and what is known of them afterwards."""
    return make_table(
        "attributes",
        "Attributes, their roles and their values",
        [
            Column("Attribute", names_row=True),
            Column("Role in this report"),
            Column("Values"),
            Column("Meaning"),
        ]
        if any(a.description for a in process.attributes)
        else [Column("Attribute", names_row=True), Column("Role in this report"), Column("Values")],
        [
            [a.title, LABEL if a.name in labels else _ROLES[a.role], _values(a)]
            + ([a.description or ""] if any(b.description for b in process.attributes) else [])
            for a in process.attributes
        ],
    )


def _values(attribute: Attribute, most: int = 12) -> str:
    shown = ", ".join(attribute.values[:most])
    more = len(attribute.values) - most
    return f"{shown} and {count(more)} more" if more > 0 else shown


def range_table(report: Report) -> Table | None:
    """The numbers that each value of a binned attribute stands for; None where there are none."""
    estimation = report.estimation
    if estimation is None or not estimation.ranges:
        return None
    return make_table(
        "ranges",
        "The numbers that a value stands for",
        [Column("Attribute", names_row=True), Column("Value", names_row=True), Column("Numbers")],
        [
            [report.process.attribute(each.attribute).title, each.value, range_words(each)]
            for each in estimation.ranges
        ],
    )


def tabulate_rules(report: Report) -> Table:
    """The announced rule, cell by cell; of many cells those with the highest and lowest probability."""
    rule, process = report.rule_table, report.process
    large = large_cells(report)
    chosen = extremes(rule.announced, among=large)
    low, high = outward(rule.truth, rule.scale)
    people = {"shares": ["Share of all people"], "counts": ["People"], "withheld": []}
    names, name_columns = row_names(rule.cells, chosen.rows, process.attributes)
    favourable = process.outcome.favourable
    others = [value for value in process.outcome.values if value != favourable]
    # Of two outcomes one says it all; of many, the others are in the data.
    others = others if 1 < len(others) <= MAX_OTHERS else []
    return make_table(
        "rules",
        "The announced rule: probability of each outcome"
        if others
        else f"The announced rule: probability of “{favourable}”",
        [
            *name_columns,
            Column(f"“{favourable}” announced" if others else "Announced", numeric=True),
            Column("True probability lies in", numeric=True),
            *(Column(f"“{outcome}” announced", numeric=True) for outcome in others),
            *(Column(heading, numeric=True) for heading in people[report.policy.population]),
        ],
        [
            [
                *name,
                full_percent(cell.announced[favourable]),
                full_percent_interval(rule.printed(int(low[i])), rule.printed(int(high[i]))),
                *(full_percent(cell.announced[outcome]) for outcome in others),
                *_people(cell),
            ]
            for name, i in zip(names, chosen.rows, strict=True)
            for cell in [report.cells[i]]
        ],
        chosen.left_out(
            "cells",
            f"those with the highest and the lowest announced probability{among_large(report, 'cells', large)}",
            "cells.csv",
        ),
    )


def _people(cell: PublishedCell) -> list[str]:
    """The size of a cell as far as it is published."""
    if cell.is_suppressed:
        return ["suppressed"]
    if cell.share is not None:
        return [full_percent(cell.share)]
    return [] if cell.population is None else [count(cell.population)]


def value_rate_table(report: Report) -> Table | None:
    """Favourable rates by value of each attribute, where the rule itself has too many cells to be printed."""
    if not report.value_rates:
        return None
    return make_table(
        "value-rates",
        f"Rate of “{report.process.outcome.favourable}” by value of each attribute",
        [
            Column("Attribute", names_row=True),
            Column("Value", names_row=True),
            Column("Announced rate", numeric=True),
            Column("True rate lies in", numeric=True),
        ],
        [
            [
                report.process.attribute(each.attribute).title,
                each.of,
                full_percent(each.value),
                full_percent_interval(each.low, each.high),
            ]
            for each in report.value_rates
        ],
    )
