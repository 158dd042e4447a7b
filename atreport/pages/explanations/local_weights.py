"""What counts near a chosen record: local weights, in the manner of LIME."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from atreport.kit.panels import MAX_MARKS, Dots, Plot
from atreport.kit.tables import MAX_ROWS, Column, Table, make_table
from atreport.pages.explanations.blocks import Block, influences_of
from atreport.pages.explanations.marks import figure_mark, points_extent
from atreport.pages.explanations.tables import figure_columns, figure_fields, left_out
from atreport.pages.explanations.wording import attributes_text, record_text
from atreport.report.explanation import Influence
from atreport.report.model import Report
from atreport.spec.models.process import Process

TERMS: dict[str, dict[str, str]] = {"lime": {}}


def blocks(report: Report) -> Iterator[Block]:
    """All records in one table."""
    if figures := influences_of(report, "lime"):
        yield Block(
            id="local-weights",
            title="What counts near a chosen record",
            paragraphs=(
                "People count for half as much for every attribute in which they differ from the record. Among them, a "
                "linear model says what it adds to have the record’s value of an attribute rather than another.",
            ),
            charts=("chart-local",),
            tables=(_table(report.process, figures),),
        )


def _table(process: Process, figures: Sequence[Influence]) -> Table:
    return make_table(
        "local-weights",
        "What having the record’s value adds, among people like it, in percentage points",
        [Column("Record", names_row=True), Column("Attribute", names_row=True), *figure_columns("Adds")],
        [
            [
                record_text(process, figure.at or {}),
                attributes_text(process, figure.attributes),
                *figure_fields(figure),
            ]
            for figure in figures[:MAX_ROWS]
        ],
        left_out(len(figures), "weights"),
    )


def plots(report: Report) -> Iterator[Plot]:
    """A panel for each record, without the base."""
    process, figures = report.process, influences_of(report, "lime")
    panels, texts = [], []
    for record in dict.fromkeys(tuple((figure.at or {}).items()) for figure in figures):
        chosen = [f for f in figures if tuple((f.at or {}).items()) == record and f.attributes]
        name = record_text(process, dict(record))
        marks = tuple(figure_mark(process, figure) for figure in chosen[:MAX_MARKS])
        panels.append(Dots(marks=marks, axis=f"Near {name}: percentage points", signed=True))
        texts.append(f"near {name}, weights from {points_extent([float(f.value) for f in chosen])}")
    if panels:
        yield Plot(
            id="chart-local",
            title="What counts near a chosen record",
            alt="Dots for what the record’s own values add, with a bar where the true figure lies: "
            f"{'; '.join(texts)}.",
            panels=tuple(panels),
        )
