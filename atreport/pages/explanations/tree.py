"""A decision tree that comes close to the rule."""

from collections.abc import Iterator

from atreport.pages.explanations.blocks import Block, closeness_text, plot_rules, rules_of, rules_table
from atreport.pages.panels import Plot
from atreport.report.explanation import RuleSet
from atreport.report.model import Report
from atreport.text.language import count, gettext, message, ngettext

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
        closeness = closeness_text(report, rule_set, gettext("Tree"))
        yield Block(
            id="tree",
            title=gettext("A simpler rule that comes close"),
            paragraphs=(f"{_questions(rule_set)} {closeness}",),
            tables=(rules_table(report.process, rule_set, _caption(report), gettext("Announced rate")),),
        )


def _questions(rule_set: RuleSet) -> str:
    return ngettext(
        rule_set.depth or 0,
        "This is a decision tree that asks at most {number} question about a person.",
        "This is a decision tree that asks at most {number} questions about a person.",
    )


def _caption(report: Report) -> str:
    return gettext(
        "The tree: if … then “{favourable}” with probability …", favourable=report.process.outcome.favourable
    )


def plots(report: Report) -> Iterator[Plot]:
    """The leaves, and the cells each stands for."""
    for rule_set in rules_of(report, "tree"):
        title = gettext(
            "A tree of depth {depth}, and the rule it stands for", depth=count(rule_set.depth or 0)
        )
        leaves = [(rule.condition, rule.probability) for rule in rule_set.rules or ()]
        yield plot_rules(report, "chart-tree", title, leaves)
