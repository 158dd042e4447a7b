"""How the rule works, as readers see it: one module a block of the section, listed here in the report's order.

A block shows one method, or a few that belong in one table. Its module has

- ``TERMS``, the kinds of findings it shows, each with its words for the glossary (messages in English, to be said);
- ``blocks(report)``, the words and tables, if there is anything to show: one block, which has all charts of the module;
- ``plots(report)``, what its charts show. Every number drawn is one that the report also prints or publishes.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

from atreport.pages.explanations import (
    anchors,
    dependence,
    exact_rules,
    importance,
    influence,
    local_weights,
    models,
    regions,
    tree,
)
from atreport.pages.explanations.blocks import Block
from atreport.pages.panels import Plot
from atreport.report.model import Report


class Shows(Protocol):
    """A module that shows some kinds of findings."""

    TERMS: dict[str, dict[str, str]]

    def blocks(self, report: Report, /) -> Iterator[Block]:
        """The block, if there is anything to show."""
        ...

    def plots(self, report: Report, /) -> Iterator[Plot]:
        """Its charts."""
        ...


SHOWN: tuple[Shows, ...] = (
    exact_rules,
    tree,
    regions,
    models,
    anchors,
    importance,
    influence,
    local_weights,
    dependence,
)


def explanation_blocks(report: Report) -> tuple[Block, ...]:
    """Everything that explains the rule, in the order of the report, each with the charts of its module."""
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
        for kind, words in shown.TERMS.items()
        if kind in used
        for word, meaning in words.items()
    }
