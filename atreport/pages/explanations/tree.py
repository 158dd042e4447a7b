"""A decision tree that comes close to the rule."""

from __future__ import annotations

from collections.abc import Iterator

from atreport.kit.numbers import counted
from atreport.kit.panels import Plot
from atreport.pages.explanations.blocks import Block, closeness_text, rules_of
from atreport.pages.explanations.marks import plot_rules
from atreport.pages.explanations.tables import rules_table
from atreport.report.model import Report

TERMS: dict[str, dict[str, str]] = {
    "tree": {
        "Decision tree": "A rule that asks one question after another, and depends on the answers alone."
    }
}


def blocks(report: Report) -> Iterator[Block]:
    """The tree as a list of its leaves."""
    for rule_set in rules_of(report, "tree"):
        yield Block(
            id="tree",
            title="A simpler rule that comes close",
            paragraphs=(
                f"A decision tree that asks at most {counted(rule_set.depth or 0, 'question')} of a person. "
                + closeness_text(report, rule_set, "It"),
            ),
            charts=("chart-tree",),
            tables=(rules_table(report.process, rule_set, "tree", "Announced rate"),),
        )


def plots(report: Report) -> Iterator[Plot]:
    """The leaves, and the cells each stands for."""
    for rule_set in rules_of(report, "tree"):
        title = f"A tree of depth {rule_set.depth}, and the rule it stands for"
        leaves = [(rule.condition, rule.probability) for rule in rule_set.rules or ()]
        yield plot_rules(report, "chart-tree", title, leaves)
