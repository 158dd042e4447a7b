"""Regions in which one attribute decides."""

from __future__ import annotations

from collections.abc import Iterator

from atreport.kit.language import say, say_many
from atreport.kit.numbers import full_percent
from atreport.kit.panels import Plot
from atreport.kit.tables import MAX_ROWS, Column, Table, make_table
from atreport.pages.explanations.blocks import Block, closeness_text, rules_of
from atreport.pages.explanations.marks import plot_rules
from atreport.pages.explanations.tables import RULES_LEFT_OUT, left_out
from atreport.pages.explanations.wording import condition_text
from atreport.report.explanation import RuleSet
from atreport.report.model import Report
from atreport.spec.models.process import Process

TERMS: dict[str, dict[str, str]] = {"regions": {}}


def blocks(report: Report) -> Iterator[Block]:
    """The regions, with the rule in each."""
    for rule_set in rules_of(report, "regions"):
        closeness = closeness_text(report, rule_set, say("Regions"))
        yield Block(
            id="regions",
            title=say("Regions in which one attribute decides"),
            paragraphs=(f"{_number(rule_set)} {closeness}",),
            tables=(_table(report.process, rule_set),),
        )


def _number(rule_set: RuleSet) -> str:
    return say_many(
        len(rule_set.regions or ()),
        "The people in this report are in {number} region. One attribute says most about the outcome in it.",
        "The people fall into {number} regions. In each of them, one attribute says most about the outcome.",
    )


def plots(report: Report) -> Iterator[Plot]:
    """The rules of all regions, and the cells each stands for."""
    for rule_set in rules_of(report, "regions"):
        rules = [
            ({**region.condition, **rule.condition}, rule.probability)
            for region in rule_set.regions or ()
            for rule in region.rules
        ]
        title = say("Regions with a rule each, and the rule they stand for")
        yield plot_rules(report, "chart-regions", title, rules)


def _table(process: Process, rule_set: RuleSet) -> Table:
    rows = [(region, rule) for region in rule_set.regions or () for rule in region.rules]
    shares = all(rule.share is not None for _, rule in rows)
    return make_table(
        "regions",
        say("Regions, and the rule in each"),
        [
            Column(say("Region"), names_row=True, said_once=True),
            Column(say("Rule in it"), names_row=True),
            Column(say("Announced rate"), numeric=True),
            *([Column(say("Share of people"), numeric=True)] if shares else []),
        ],
        [
            [
                condition_text(process, region.condition),
                say("no difference is made")
                if region.attribute is None
                else condition_text(process, rule.condition),
                full_percent(rule.probability),
                *([full_percent(rule.share)] if shares else []),
            ]
            for region, rule in rows[:MAX_ROWS]
        ],
        left_out(len(rows), RULES_LEFT_OUT),
    )
