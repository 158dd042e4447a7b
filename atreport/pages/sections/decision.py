"""Turn a report into its section on the decision: what it looks at, and the announced rule."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from atreport.compose.estimation import by_source, range_words
from atreport.compose.small_numbers import large_cells
from atreport.core.band import outward
from atreport.explain.interventions import MAX_EXACT
from atreport.pages.layout import paragraphs
from atreport.pages.own_case import average_of, moved_by
from atreport.pages.wording import row_names
from atreport.report.model import Report
from atreport.report.people import PublishedCell
from atreport.spec.process import Attribute
from atreport.text.language import count, gettext, list_and, list_or, message, ngettext, quote
from atreport.text.numbers import full_percent, full_percent_interval, nearest
from atreport.text.tables import Column, Table, Written, extremes, make_long_table, make_table

MAX_OTHERS = 3
"""The most outcomes that are printed beside the favourable one."""

_ROLES = {
    "public": message("Public: others may know it of a person"),
    "sensitive": message("Sensitive: nobody should be able to infer it"),
    "private": message("Private: neither known to others nor protected here"),
}

LABEL = message("Label: what really happened; counts in error rates only")
"""The role of an attribute that error rates are about."""


def section_titles(report: Report) -> dict[str, str]:
    """Headings that say no more than is known of where the rule comes from.

    A rule that was found in cases describes people; one that was given says how the decision works.
    """
    return {
        "decision": by_source(
            report,
            given=gettext("How the decision works"),
            described=gettext("How people are decided on"),
        ),
        "attributes": by_source(
            report,
            given=gettext("What the decision looks at"),
            described=gettext("What this report describes people by"),
        ),
        "explanation": by_source(
            report,
            given=gettext("What moves the decision"),
            described=gettext("What goes with the outcome"),
        ),
    }


class DecisionText:
    """How the decision works, in words; names stand in quotation marks, for the sentences of the templates."""

    def __init__(self, report: Report) -> None:
        process, outcome = report.process, report.process.outcome
        self.paragraphs = paragraphs(process.description)
        self.outcome = (
            outcome.label or ""
        )  # the publisher's name for what is decided; empty where there is none
        self.favourable = outcome.favourable
        self.others = list_or(quote(value) for value in outcome.values if value != outcome.favourable)
        self.sensitive = list_and(quote(a.title) for a in process.of_role("sensitive"))
        # empty where others may know nothing about a person
        self.public = list_and(quote(a.title) for a in process.of_role("public"))
        self.size = _size(len(report.cells), len(report.privacy.groups))


def _size(cells: int, groups: int) -> str:
    """How many cells and groups there are."""
    of_cells = ngettext(cells, "This report has {number} cell.", "This report has {number} cells.")
    of_groups = ngettext(
        groups,
        "The people in this report are in {number} group.",
        "The people in this report are in {number} groups.",
    )
    return f"{of_cells} {of_groups}"


def attribute_table(report: Report) -> Table:
    """What the process knows about a person, and what is known of them afterwards."""
    attributes = report.process.attributes
    described = any(a.description for a in attributes)
    return make_table(
        "attributes",
        gettext("Attributes, their roles and their values"),
        [
            Column(gettext("Attribute"), names_row=True),
            Column(gettext("Role in this report")),
            Column(gettext("Values")),
            *([Column(gettext("Meaning"))] if described else []),
        ],
        [
            [
                a.title,
                gettext(LABEL if a.name in report.labels else _ROLES[a.role]),
                _values(a),
                *([a.description or ""] if described else []),
            ]
            for a in attributes
        ],
    )


def _values(attribute: Attribute, most: int = 12) -> str:
    shown = ", ".join(attribute.values[:most])
    more = len(attribute.values) - most
    return (
        shown
        if more <= 0
        else ngettext(more, "{values} and {number} more", "{values} and {number} more", values=shown)
    )


def range_table(report: Report) -> Table | None:
    """The numbers that each value of a binned attribute stands for; None where there are none."""
    estimation = report.estimation
    if estimation is None or not estimation.ranges:
        return None
    return make_table(
        "ranges",
        gettext("The numbers that a value stands for"),
        [
            Column(gettext("Attribute"), names_row=True),
            Column(gettext("Value"), names_row=True),
            Column(gettext("Numbers")),
        ],
        [
            [report.process.attribute(each.attribute).title, each.value, range_words(each)]
            for each in estimation.ranges
        ],
    )


_CELLS_AT_ENDS = message(
    "{shown} of {total} cells are shown: those with the highest and the lowest announced probability. All of "
    "them are in {file}."
)
_CELLS_AT_ENDS_OF_LARGE = message(
    "{shown} of {total} cells are shown: those with the highest and the lowest announced probability, among cells "
    "of at least {people} people. All of them are in {file}."
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
        gettext("The announced rule: probability of each outcome")
        if others
        else gettext("The announced rule: probability of “{outcome}”", outcome=favourable)
    )
    left_out = chosen.explained(
        _CELLS_AT_ENDS if large.all() else _CELLS_AT_ENDS_OF_LARGE,
        file="cells.csv",
        people=count(report.policy.small_cells.under),
    )
    return make_long_table("rules", caption, chosen, write, left_out)


def _rule_columns(report: Report, favourable: str, others: Sequence[str]) -> list[Column]:
    """The columns of figures: the favourable outcome, the others where they are few, and the people."""
    announced = gettext("“{outcome}” announced", outcome=favourable) if others else gettext("Announced")
    headings = [
        announced,
        gettext("True probability lies in"),
        *(gettext("“{outcome}” announced", outcome=outcome) for outcome in others),
    ]
    if report.policy.population == "shares":
        step = Decimal(1).scaleb(-report.policy.decimals)
        whole = all(cell.share is None or cell.share % step == 0 for cell in report.cells)
        headings.append(gettext("Share of people") if whole else gettext("Share of people, rounded"))
    elif report.policy.population == "counts":
        headings.append(gettext("People"))
    return [Column(heading, numeric=True) for heading in headings]


def _people(cell: PublishedCell, step: Decimal) -> list[str]:
    """The size of a cell as far as it is published; shares have all their digits in cells.csv."""
    if cell.is_suppressed:
        return [gettext("suppressed")]
    if cell.share is not None:
        shown = cell.share.quantize(step)
        return [
            full_percent(shown)
            if shown or not cell.share
            else gettext("under {share}", share=full_percent(step))
        ]
    return [] if cell.population is None else [count(cell.population)]


def value_rate_table(report: Report) -> Table | None:
    """Favourable rates by value of each attribute, where the rule itself has too many cells to be printed."""
    if not report.value_rates:
        return None
    return make_table(
        "value-rates",
        gettext("Rate of “{outcome}” by value of each attribute", outcome=report.process.outcome.favourable),
        [
            Column(gettext("Attribute"), names_row=True),
            Column(gettext("Value"), names_row=True),
            Column(gettext("Announced rate"), numeric=True),
            Column(gettext("True rate lies in"), numeric=True),
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


# Turn a report into the data behind “look up your own case”: every cell in as few characters as possible.

MAX_CELLS = 4000
"""The most cells that a page carries for looking up; beyond it, cells.csv is the place."""

MAX_MOVES = 12_000
"""The most cells × attributes for which the page says what moved each outcome."""


@dataclass(frozen=True, kw_only=True)
class CaseLookup:
    """What the panel asks, and what it answers from."""

    choices: tuple[tuple[str, tuple[str, ...]], ...]  # each attribute and its values
    outcomes: tuple[str, ...]  # the favourable one first; of two, that one says it all
    json: str  # figures, no text


def case_lookup(report: Report) -> CaseLookup | None:
    """The panel's data, or None for a report with too many cells.

    A cell is found by one number: the positions of its values, read as digits of a number with mixed bases.
    """
    table = report.described_rule
    cells = table.cells
    if len(cells) > MAX_CELLS:
        return None
    attributes = cells.process.attributes
    key = np.zeros(len(cells), dtype=object)
    for column, attribute in enumerate(attributes):
        key = key * len(attribute.values) + cells.codes[:, column]
    outcome = cells.process.outcome
    others = tuple(value for value in outcome.values if value != outcome.favourable)
    outcomes = (outcome.favourable, *(others if len(others) > 1 else ()))
    bands = [outward(table.truth_of(outcome), table.scale) for outcome in outcomes]
    figures: dict[str, object] = {
        "scale": table.decimals,
        "key": [str(int(k)) for k in key],
        "announced": [table.announced_of(outcome).tolist() for outcome in outcomes],
        "low": [low.tolist() for low, _ in bands],
        "high": [high.tolist() for _, high in bands],
        "group": cells.group.tolist(),
        "beta": report.group_beta.tolist(),
        "prior": report.group_prior.tolist(),
    }
    # what moved an outcome is shown where report.json has all it follows from, and the page stays small
    few = len(attributes) <= MAX_EXACT and len(cells) * len(attributes) <= MAX_MOVES
    if table.everybody_is_printed and few:
        figures["average"] = int(nearest(average_of(table), table.decimals).scaleb(table.decimals))
        figures["moved"] = moved_by(table, np.arange(len(cells))).tolist()
    return CaseLookup(
        outcomes=outcomes,
        choices=tuple((a.title, a.values) for a in attributes),
        json=json.dumps(figures, separators=(",", ":")),
    )
