"""The announced rule in a few sentences."""

from __future__ import annotations

from collections.abc import Iterator

from atreport.kit.language import say, say_many
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
            title=say("The announced rule in a few sentences"),
            paragraphs=(_follows(len(report.cells), len(rule_set.rules or ())),),
            tables=(rules_table(report.process, rule_set, _caption(report), say("Announced")),),
        )


def _caption(report: Report) -> str:
    return say(
        "The announced rule: if … then “{favourable}” with probability …",
        favourable=report.process.outcome.favourable,
    )


def plots(_report: Report) -> Iterator[Plot]:
    """None: the rule itself has a chart of its own."""
    return iter(())


def _follows(cells: int, sentences: int) -> str:
    """How much is said in how few words."""
    size = say_many(cells, "The announced rule has {number} cell.", "The announced rule has {number} cells.")
    holds = say_many(
        sentences,
        "All of it follows from {number} sentence, which holds for everybody in this report.",
        "All of it follows from {number} sentences. For everybody in this report, exactly one of them holds.",
    )
    return f"{size} {holds}"
