"""Regions in which one attribute decides."""

from __future__ import annotations

from collections.abc import Iterator

from atreport.kit.numbers import count, full_percent
from atreport.kit.panels import Plot
from atreport.kit.tables import MAX_ROWS, Column, Table, make_table
from atreport.pages.explanations.blocks import Block, closeness_text, rules_of
from atreport.pages.explanations.marks import plot_rules
from atreport.pages.explanations.tables import left_out
from atreport.pages.explanations.wording import condition_text
from atreport.report.explanation import RuleSet
from atreport.report.model import Report
from atreport.spec.models.process import Process

TERMS: dict[str, dict[str, str]] = {"regions": {}}


def blocks(report: Report) -> Iterator[Block]:
    """The regions, with the rule in each."""
    for rule_set in rules_of(report, "regions"):
        yield Block(
            id="regions",
            title="Regions in which one attribute decides",
            paragraphs=(
                f"The people fall into {count(len(rule_set.regions or ()))} regions; in each, one attribute says most about "
                "the outcome. " + closeness_text(report, rule_set, "This"),
            ),
            charts=("chart-regions",),
            tables=(_table(report.process, rule_set),),
        )


def plots(report: Report) -> Iterator[Plot]:
    """The rules of all regions, and the cells each stands for."""
    for rule_set in rules_of(report, "regions"):
        rules = [
            ({**region.condition, **rule.condition}, rule.probability)
            for region in rule_set.regions or ()
            for rule in region.rules
        ]
        title = "Regions with a rule each, and the rule they stand for"
        yield plot_rules(report, "chart-regions", title, rules)


def _table(process: Process, rule_set: RuleSet) -> Table:
    rows = [(region, rule) for region in rule_set.regions or () for rule in region.rules]
    shares = all(rule.share is not None for _, rule in rows)
    return make_table(
        "regions",
        "Regions, and the rule in each",
        [
            Column("Region", names_row=True),
            Column("Rule in it", names_row=True),
            Column("Announced rate", numeric=True),
            *([Column("Share of all people", numeric=True)] if shares else []),
        ],
        [
            [
                condition_text(process, region.condition),
                "no difference made" if region.attribute is None else condition_text(process, rule.condition),
                full_percent(rule.probability),
                *([full_percent(rule.share)] if shares else []),
            ]
            for region, rule in rows[:MAX_ROWS]
        ],
        left_out(len(rows), "rules"),
    )
