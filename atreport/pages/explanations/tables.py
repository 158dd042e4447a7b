"""What the tables of several blocks have in common: columns and fields of a figure, a list of rules, rows left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from atreport.kit.language import message, say
from atreport.kit.numbers import (
    count,
    full_percent,
    hundredths,
    signed_hundredths,
    signed_hundredths_interval,
)
from atreport.kit.tables import MAX_ROWS, NOTHING, Column, Table, make_table
from atreport.pages.explanations.wording import condition_text
from atreport.report.explanation import Influence, Kind, RuleSet
from atreport.spec.models.process import Process

RULES_LEFT_OUT = message("{shown} of {total} rules are shown. report.json has all of them.")


def left_out(number: int, sentence: str) -> str:
    """What is said under a table that does not show everything: a message with {shown} and {total}."""
    return "" if number <= MAX_ROWS else say(sentence, shown=count(MAX_ROWS), total=count(number))


def rules_table(process: Process, rule_set: RuleSet, caption: str, probability: str) -> Table:
    """If–then rules, or the leaves of a tree."""
    rules = rule_set.rules or ()
    shares = all(rule.share is not None for rule in rules)
    return make_table(
        f"rules-{rule_set.scheme}",
        caption,
        [
            Column(say("If"), names_row=True),
            Column(probability, numeric=True),
            *([Column(say("Share of people"), numeric=True)] if shares else []),
        ],
        [
            [
                condition_text(process, rule.condition),
                full_percent(rule.probability),
                *([full_percent(rule.share)] if shares else []),
            ]
            for rule in rules[:MAX_ROWS]
        ],
        left_out(len(rules), RULES_LEFT_OUT),
    )


def headed_kinds(headings: Mapping[Kind, str], figures: Sequence[Influence]) -> list[Kind]:
    """The kinds that have a heading and a figure."""
    return [kind for kind in headings if any(figure.kind == kind for figure in figures)]


def figure_columns(heading: str) -> list[Column]:
    """A figure, where the true one lies, and how far it can move."""
    return [
        Column(heading, numeric=True),
        Column(say("True figure lies in"), numeric=True),
        Column(say("Can move by at most"), numeric=True),
    ]


def figure_fields(figure: Influence | None) -> list[str]:
    """The same of one figure, in percentage points with their sign."""
    if figure is None:
        return [NOTHING, NOTHING, NOTHING]
    inside = signed_hundredths_interval(figure.result.low, figure.result.high)
    if figure.estimate is not None:
        inside = say("estimate, ±{error} (95%)", error=hundredths(figure.estimate.error))
    return [signed_hundredths(figure.value), inside, hundredths(figure.a_priori)]
