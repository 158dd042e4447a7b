"""The announced rule in a few sentences."""

from __future__ import annotations

from collections.abc import Iterator

from atreport.kit.numbers import count, counted
from atreport.kit.panels import Plot
from atreport.pages.explanations.blocks import Block, rules_of
from atreport.pages.explanations.tables import rules_table
from atreport.report.model import Report

TERMS: dict[str, dict[str, str]] = {"exact": {}}


def blocks(report: Report) -> Iterator[Block]:
    """The sentences, if there are few."""
    for rule_set in rules_of(report, "exact"):
        yield Block(
            id="rules-in-words",
            title="The announced rule in a few sentences",
            paragraphs=(_follows(len(report.cells), len(rule_set.rules or ())),),
            tables=(rules_table(report.process, rule_set, "announced rule", "Announced"),),
        )


def plots(_report: Report) -> Iterator[Plot]:
    """None: the rule itself has a chart of its own."""
    return iter(())


def _follows(cells: int, sentences: int) -> str:
    """How much is said in how few words."""
    rule = (
        "The one cell of the announced rule follows"
        if cells == 1
        else f"The {count(cells)} cells of the announced rule follow"
    )
    holds = "it holds" if sentences == 1 else "exactly one of them holds"
    return f"{rule} from {counted(sentences, 'sentence')}. Nothing is left out: for everybody, {holds}."
