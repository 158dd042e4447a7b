"""The announced rule in a few sentences."""

from collections.abc import Iterator

from atreport.pages.explanations.blocks import Block, rules_of, rules_table
from atreport.pages.panels import Plot
from atreport.report.model import Report
from atreport.text.language import gettext, ngettext

TERMS: dict[str, dict[str, str]] = {"exact": {}}


def blocks(report: Report) -> Iterator[Block]:
    """The sentences, if there are few."""
    for rule_set in rules_of(report, "exact"):
        yield Block(
            id="rules-in-words",
            title=gettext("The announced rule in a few sentences"),
            paragraphs=(_follows(len(report.cells), len(rule_set.rules or ())),),
            tables=(rules_table(report.process, rule_set, _caption(report), gettext("Announced")),),
        )


def _caption(report: Report) -> str:
    return gettext(
        "The announced rule: if … then “{favourable}” with probability …",
        favourable=report.process.outcome.favourable,
    )


def plots(_report: Report) -> Iterator[Plot]:
    """None: the rule itself has a chart of its own."""
    return iter(())


def _follows(cells: int, sentences: int) -> str:
    """How much is said in how few words."""
    size = ngettext(cells, "The announced rule has {number} cell.", "The announced rule has {number} cells.")
    holds = ngettext(
        sentences,
        "All of it follows from {number} sentence, which holds for everybody in this report.",
        "All of it follows from {number} sentences. For everybody in this report, exactly one of them holds.",
    )
    return f"{size} {holds}"
