"""Turn a report into its section on the decision: what it looks at, and the announced rule."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal

from atreport.kit.language import message, say, say_many
from atreport.kit.language.words import list_and, list_or, quote
from atreport.kit.numbers import count, full_percent, full_percent_interval
from atreport.kit.tables import (
    Column,
    Selection,
    Table,
    Written,
    extremes,
    make_long_table,
    make_table,
)
from atreport.pages.cover import paragraphs
from atreport.pages.wording import row_names
from atreport.population.band import outward
from atreport.publication.small_numbers import large_cells
from atreport.publication.words.estimation import is_described, range_words
from atreport.report.model import Report
from atreport.report.people import PublishedCell
from atreport.spec.models.process import Attribute, Process

MAX_OTHERS = 3
"""The most outcomes that are printed beside the favourable one."""

_ROLES = {
    "public": message("Public: others may know it of a person"),
    "sensitive": message("Sensitive: nobody should be able to infer it"),
    "private": message("Private: neither known to others nor protected here"),
}

LABEL = message("Label: what really happened; counts in error rates only")
"""The role of an attribute that error rates are about."""


@dataclass(frozen=True, kw_only=True)
class DecisionText:
    """How the decision works, in words; names stand in quotation marks, for the sentences of the templates."""

    paragraphs: tuple[str, ...]
    outcome: str  # the publisher's name for what is decided; empty where there is none
    favourable: str
    others: str  # the other outcomes
    sensitive: str
    public: str  # empty where others may know nothing about a person
    size: str  # how many cells and groups there are


@dataclass(frozen=True, kw_only=True)
class SectionTitles:
    """Headings that say no more than is known of where the rule comes from."""

    decision: str
    attributes: str
    explanation: str


def section_titles(report: Report) -> SectionTitles:
    """A rule that was found in cases describes people; one that was given says how the decision works."""
    if is_described(report):
        return SectionTitles(
            decision=say("How people are decided on"),
            attributes=say("What this report describes people by"),
            explanation=say("What goes with the outcome"),
        )
    return SectionTitles(
        decision=say("How the decision works"),
        attributes=say("What the decision looks at"),
        explanation=say("What moves the decision"),
    )


def decision_text(report: Report) -> DecisionText:
    """How the decision works, in the publisher's words and in figures."""
    process = report.process
    return DecisionText(
        paragraphs=paragraphs(process.description),
        outcome=process.outcome.label or "",
        favourable=process.outcome.favourable,
        others=list_or(
            quote(value) for value in process.outcome.values if value != process.outcome.favourable
        ),
        sensitive=list_and(quote(a.title) for a in process.of_role("sensitive")),
        public=list_and(quote(a.title) for a in process.of_role("public")),
        size=_size(len(report.cells), len(report.privacy.groups)),
    )


def _size(cells: int, groups: int) -> str:
    """How many cells and groups there are."""
    of_cells = say_many(cells, "This report has {number} cell.", "This report has {number} cells.")
    of_groups = say_many(
        groups,
        "The people in this report are in {number} group.",
        "The people in this report are in {number} groups.",
    )
    return f"{of_cells} {of_groups}"


def attribute_table(process: Process, labels: Collection[str] = ()) -> Table:
    """What the process knows about a person, and what is known of them afterwards."""
    described = any(a.description for a in process.attributes)
    return make_table(
        "attributes",
        say("Attributes, their roles and their values"),
        [
            Column(say("Attribute"), names_row=True),
            Column(say("Role in this report")),
            Column(say("Values")),
            *([Column(say("Meaning"))] if described else []),
        ],
        [
            [
                a.title,
                say(LABEL if a.name in labels else _ROLES[a.role]),
                _values(a),
                *([a.description or ""] if described else []),
            ]
            for a in process.attributes
        ],
    )


def _values(attribute: Attribute, most: int = 12) -> str:
    shown = ", ".join(attribute.values[:most])
    more = len(attribute.values) - most
    return (
        shown
        if more <= 0
        else say_many(more, "{values} and {number} more", "{values} and {number} more", values=shown)
    )


def range_table(report: Report) -> Table | None:
    """The numbers that each value of a binned attribute stands for; None where there are none."""
    estimation = report.estimation
    if estimation is None or not estimation.ranges:
        return None
    return make_table(
        "ranges",
        say("The numbers that a value stands for"),
        [
            Column(say("Attribute"), names_row=True),
            Column(say("Value"), names_row=True),
            Column(say("Numbers")),
        ],
        [
            [report.process.attribute(each.attribute).title, each.value, range_words(each)]
            for each in estimation.ranges
        ],
    )


def tabulate_rules(report: Report) -> Table:
    """The announced rule, cell by cell; of many cells those with the highest and lowest probability."""
    rule, favourable = report.rule_table, report.process.outcome.favourable
    large = large_cells(report)
    chosen = extremes(rule.announced, among=large)
    low, high = outward(rule.truth, rule.scale)
    others = [value for value in report.process.outcome.values if value != favourable]
    # Of two outcomes one says it all; of many, the others are in the data.
    others = others if 1 < len(others) <= MAX_OTHERS else []
    step = Decimal(1).scaleb(-report.policy.decimals)

    def write(cells: Sequence[int]) -> Written:
        names, name_columns = row_names(rule.cells, cells, report.process.attributes)
        rows = [
            [
                *name,
                full_percent(cell.announced[favourable]),
                full_percent_interval(rule.printed(int(low[i])), rule.printed(int(high[i]))),
                *(full_percent(cell.announced[outcome]) for outcome in others),
                *_people(cell, step),
            ]
            for name, i in zip(names, cells, strict=True)
            for cell in [report.cells[i]]
        ]
        return [*name_columns, *_rule_columns(report, favourable, others)], rows

    caption = (
        say("The announced rule: probability of each outcome")
        if others
        else say("The announced rule: probability of “{outcome}”", outcome=favourable)
    )
    left_out = _cells_left_out(report, chosen, all_large=bool(large.all()))
    return make_long_table("rules", caption, chosen, write, left_out)


def _rule_columns(report: Report, favourable: str, others: Sequence[str]) -> list[Column]:
    """The columns of figures: the favourable outcome, the others where they are few, and the people."""
    announced = say("“{outcome}” announced", outcome=favourable) if others else say("Announced")
    headings = [
        announced,
        say("True probability lies in"),
        *(say("“{outcome}” announced", outcome=outcome) for outcome in others),
    ]
    if report.policy.population == "shares":
        step = Decimal(1).scaleb(-report.policy.decimals)
        whole = all(cell.share is None or cell.share % step == 0 for cell in report.cells)
        headings.append(say("Share of people") if whole else say("Share of people, rounded"))
    elif report.policy.population == "counts":
        headings.append(say("People"))
    return [Column(heading, numeric=True) for heading in headings]


def _cells_left_out(report: Report, chosen: Selection, *, all_large: bool) -> str:
    """Which cells a long table shows, and where the rest is."""
    numbers = {"shown": count(len(chosen.rows)), "total": count(chosen.total), "file": "cells.csv"}
    if all_large:
        return say(
            "{shown} of {total} cells are shown: those with the highest and the lowest announced probability. All of "
            "them are in {file}.",
            **numbers,
        )
    return say(
        "{shown} of {total} cells are shown: those with the highest and the lowest announced probability, among cells "
        "of at least {people} people. All of them are in {file}.",
        **numbers,
        people=count(report.policy.small_cells.under),
    )


def _people(cell: PublishedCell, step: Decimal) -> list[str]:
    """The size of a cell as far as it is published; shares have all their digits in cells.csv."""
    if cell.is_suppressed:
        return [say("suppressed")]
    if cell.share is not None:
        shown = cell.share.quantize(step)
        return [
            full_percent(shown) if shown or not cell.share else say("under {share}", share=full_percent(step))
        ]
    return [] if cell.population is None else [count(cell.population)]


def value_rate_table(report: Report) -> Table | None:
    """Favourable rates by value of each attribute, where the rule itself has too many cells to be printed."""
    if not report.value_rates:
        return None
    return make_table(
        "value-rates",
        say("Rate of “{outcome}” by value of each attribute", outcome=report.process.outcome.favourable),
        [
            Column(say("Attribute"), names_row=True),
            Column(say("Value"), names_row=True),
            Column(say("Announced rate"), numeric=True),
            Column(say("True rate lies in"), numeric=True),
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
