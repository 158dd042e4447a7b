"""A decision tree that comes close to the rule."""

from __future__ import annotations

from collections.abc import Iterator

from atreport.kit.language import message, say, say_many
from atreport.kit.numbers import count
from atreport.kit.panels import Plot
from atreport.pages.explanations.blocks import Block, closeness_text, rules_of
from atreport.pages.explanations.marks import plot_rules
from atreport.pages.explanations.tables import rules_table
from atreport.report.explanation import RuleSet
from atreport.report.model import Report

TERMS: dict[str, dict[str, str]] = {
    "tree": {
        message("Decision tree"): message(
            "A rule that asks one question after another, and depends on the answers alone."
        )
    }
}


def blocks(report: Report) -> Iterator[Block]:
    """The tree as a list of its leaves."""
    for rule_set in rules_of(report, "tree"):
        closeness = closeness_text(report, rule_set, say("Tree"))
        yield Block(
            id="tree",
            title=say("A simpler rule that comes close"),
            paragraphs=(f"{_questions(rule_set)} {closeness}",),
            tables=(rules_table(report.process, rule_set, _caption(report), say("Announced rate")),),
        )


def _questions(rule_set: RuleSet) -> str:
    return say_many(
        rule_set.depth or 0,
        "This is a decision tree that asks at most {number} question about a person.",
        "This is a decision tree that asks at most {number} questions about a person.",
    )


def _caption(report: Report) -> str:
    return say(
        "The tree: if … then “{favourable}” with probability …", favourable=report.process.outcome.favourable
    )


def plots(report: Report) -> Iterator[Plot]:
    """The leaves, and the cells each stands for."""
    for rule_set in rules_of(report, "tree"):
        title = say("A tree of depth {depth}, and the rule it stands for", depth=count(rule_set.depth or 0))
        leaves = [(rule.condition, rule.probability) for rule in rule_set.rules or ()]
        yield plot_rules(report, "chart-tree", title, leaves)
