"""How the rule works, as readers see it: the blocks of the section, listed in the report's order."""

from dataclasses import replace

from atreport.pages.explanations.blocks import Block, ShownKinds
from atreport.pages.explanations.dependence import DEPENDENCE
from atreport.pages.explanations.influences import INFLUENCES
from atreport.pages.explanations.rules import RULES
from atreport.pages.panels import Plot
from atreport.report.model import Report

SHOWN: tuple[ShownKinds, ...] = (*RULES, *INFLUENCES, DEPENDENCE)


def explanation_blocks(report: Report) -> tuple[Block, ...]:
    """Everything that explains the rule, in the order of the report, each with its charts."""
    return tuple(
        replace(block, charts=tuple(plot.id for plot in shown.plots(report)))
        for shown in SHOWN
        for block in shown.blocks(report)
    )


def plot_explanation(report: Report) -> tuple[Plot, ...]:
    """Every chart on how the rule decides."""
    return tuple(plot for shown in SHOWN for plot in shown.plots(report))


def explanation_terms(report: Report) -> dict[str, str]:
    """The words that the explanations of a report use, with their meaning: messages, to be said."""
    used = {rule_set.scheme for rule_set in report.rules} | {figure.kind for figure in report.influence}
    return {
        word: meaning
        for shown in SHOWN
        for kind, words in shown.terms.items()
        if kind in used
        for word, meaning in words.items()
    }
