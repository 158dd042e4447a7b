"""What is enough to know of a record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from atreport.kit.numbers import counted, full_percent, full_percent_interval
from atreport.kit.panels import MAX_MARKS, Dots, Mark, Plot
from atreport.kit.tables import Column, Table, make_table
from atreport.pages.explanations.blocks import Block, rules_of
from atreport.pages.explanations.marks import percent_extent
from atreport.pages.explanations.wording import condition_text, record_text
from atreport.report.explanation import Anchor
from atreport.report.model import Report
from atreport.spec.models.process import Process

TERMS: dict[str, dict[str, str]] = {
    "anchor": {
        "Anchor": "The smallest part of a record that leads to its announced outcome, whatever the rest is."
    }
}


def blocks(report: Report) -> Iterator[Block]:
    """All anchors in one table."""
    if anchors := _anchors(report):
        yield Block(
            id="anchors",
            title="What is enough to know",
            paragraphs=(
                "An anchor is the smallest part of a record that already leads to its likeliest announced outcome, "
                "whatever the rest of the record is.",
            ),
            charts=("chart-anchors",),
            tables=(_table(report.process, anchors),),
        )


def _anchors(report: Report) -> list[Anchor]:
    return [each.anchor for each in rules_of(report, "anchor") if each.anchor is not None]


def _table(process: Process, anchors: Sequence[Anchor]) -> Table:
    coverage = all(anchor.coverage is not None for anchor in anchors)
    return make_table(
        "anchors",
        "What is enough to know of a record",
        [
            Column("Record", names_row=True),
            Column("Likeliest outcome"),
            Column("Enough to know"),
            Column("Outcome follows in", numeric=True),
            Column("True figure lies in", numeric=True),
            *([Column("Holds for", numeric=True)] if coverage else []),
        ],
        [
            [
                record_text(process, anchor.record),
                f"“{anchor.outcome}”",
                f"nothing reaches {full_percent(anchor.wanted)}"
                if anchor.condition is None
                else condition_text(process, anchor.condition),
                full_percent(anchor.precision),
                full_percent_interval(*anchor.interval),
                *([full_percent(anchor.coverage)] if coverage else []),
            ]
            for anchor in anchors
        ],
    )


def plots(report: Report) -> Iterator[Plot]:
    """A row for each record."""
    marks = tuple(
        Mark(
            f"{record_text(report.process, anchor.record)}: “{anchor.outcome}”",
            float(anchor.precision),
            float(anchor.interval[0]),
            float(anchor.interval[1]),
            float(anchor.wanted),
        )
        for anchor in _anchors(report)[:MAX_MARKS]
    )
    if not marks:
        return
    alt = (
        f"{counted(len(marks), 'record')}, a row each: a dot for how often the outcome follows from what is enough to know, "
        f"a bar where the true figure lies, a dashed line at the precision asked for. Dots run from "
        f"{percent_extent([m.value for m in marks])}."
    )
    panel = Dots(marks=marks, axis="How often the outcome follows")
    yield Plot(id="chart-anchors", title="What is enough to know", alt=alt, panels=(panel,))
