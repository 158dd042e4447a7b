"""Regions in which one attribute decides."""

from collections.abc import Iterator

from atreport.pages.explanations.blocks import (
    RULES_LEFT_OUT,
    Block,
    closeness_text,
    condition_text,
    left_out,
    plot_rules,
    rules_of,
)
from atreport.pages.panels import Plot
from atreport.report.explanation import RuleSet
from atreport.report.model import Report
from atreport.spec.process import Process
from atreport.text.language import gettext, ngettext
from atreport.text.numbers import full_percent
from atreport.text.tables import MAX_ROWS, Column, Table, make_table

TERMS: dict[str, dict[str, str]] = {"regions": {}}


def blocks(report: Report) -> Iterator[Block]:
    """The regions, with the rule in each."""
    for rule_set in rules_of(report, "regions"):
        closeness = closeness_text(report, rule_set, gettext("Regions"))
        yield Block(
            id="regions",
            title=gettext("Regions in which one attribute decides"),
            paragraphs=(f"{_number(rule_set)} {closeness}",),
            tables=(_table(report.process, rule_set),),
        )


def _number(rule_set: RuleSet) -> str:
    return ngettext(
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
        title = gettext("Regions with a rule each, and the rule they stand for")
        yield plot_rules(report, "chart-regions", title, rules)


def _table(process: Process, rule_set: RuleSet) -> Table:
    rows = [(region, rule) for region in rule_set.regions or () for rule in region.rules]
    shares = all(rule.share is not None for _, rule in rows)
    return make_table(
        "regions",
        gettext("Regions, and the rule in each"),
        [
            Column(gettext("Region"), names_row=True, said_once=True),
            Column(gettext("Rule in it"), names_row=True),
            Column(gettext("Announced rate"), numeric=True),
            *([Column(gettext("Share of people"), numeric=True)] if shares else []),
        ],
        [
            [
                condition_text(process, region.condition),
                gettext("no difference is made")
                if region.attribute is None
                else condition_text(process, rule.condition),
                full_percent(rule.probability),
                *([full_percent(rule.share)] if shares else []),
            ]
            for region, rule in rows[:MAX_ROWS]
        ],
        left_out(len(rows), RULES_LEFT_OUT),
    )
