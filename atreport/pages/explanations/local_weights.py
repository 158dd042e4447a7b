"""What counts near a chosen record: local weights, in the manner of LIME."""

from collections.abc import Iterator, Sequence

from atreport.pages.explanations.blocks import (
    Block,
    attributes_text,
    figure_columns,
    figure_fields,
    figure_mark,
    furthest,
    influences_of,
    left_out,
    points_run,
    record_text,
    titled,
)
from atreport.pages.panels import Dots, Plot
from atreport.report.explanation import Influence
from atreport.report.model import Report
from atreport.spec.process import Process
from atreport.text.language import gettext, message
from atreport.text.tables import MAX_ROWS, Column, Table, make_table

TERMS: dict[str, dict[str, str]] = {"lime": {}}


def blocks(report: Report) -> Iterator[Block]:
    """All records in one table."""
    if figures := influences_of(report, "lime"):
        yield Block(
            id="local-weights",
            title=gettext("What counts near a chosen record"),
            paragraphs=(
                gettext(
                    "Here, people who are like a chosen record count most: for every attribute in which a person differs "
                    "from it, they count half as much. A linear model says what it adds, among people counted in this way, "
                    "to have the record’s value of an attribute rather than another."
                ),
            ),
            tables=(_table(report.process, figures),),
        )


def _table(process: Process, figures: Sequence[Influence]) -> Table:
    return make_table(
        "local-weights",
        gettext("What having the record’s value adds, among people like it, in percentage points"),
        [
            Column(gettext("Record"), names_row=True, said_once=True),
            Column(gettext("Attribute"), names_row=True),
            *figure_columns(gettext("Adds")),
        ],
        [
            [
                record_text(process, figure.at or {}),
                attributes_text(process, figure.attributes),
                *figure_fields(figure),
            ]
            for figure in figures[:MAX_ROWS]
        ],
        left_out(len(figures), message("{shown} of {total} weights are shown. report.json has all of them.")),
    )


def plots(report: Report) -> Iterator[Plot]:
    """A chart for each record, without the base."""
    process, figures = report.process, influences_of(report, "lime")
    records = dict.fromkeys(tuple((figure.at or {}).items()) for figure in figures)
    for number, record in enumerate(records, start=1):
        each = [
            figure_mark(process, figure)
            for figure in figures
            if tuple((figure.at or {}).items()) == record and figure.attributes
        ]
        marks = furthest(each)
        shows = gettext(
            "A dot for what each of the record’s values adds, with a bar where the true figure lies."
        )
        title = gettext("What counts near the record {record}", record=record_text(process, dict(record)))
        yield Plot(
            id=f"chart-local-{number}",
            title=titled(title, marks, each),
            alt=f"{shows} {points_run(mark.value for mark in marks)}",
            panels=(Dots(marks=marks, axis=gettext("Percentage points"), signed=True),),
        )
