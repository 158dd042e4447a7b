"""What is enough to know of a record."""

from collections.abc import Iterator, Sequence

from atreport.pages.explanations.blocks import Block, condition_text, percent_run, record_text, rules_of
from atreport.pages.panels import MAX_MARKS, Dots, Mark, Plot, rows_that_fit
from atreport.report.explanation import Anchor
from atreport.report.model import Report
from atreport.spec.process import Process
from atreport.text.language import gettext, message, ngettext, quote
from atreport.text.numbers import full_percent, full_percent_interval
from atreport.text.tables import Column, Table, make_table

TERMS: dict[str, dict[str, str]] = {
    "anchor": {
        message("Anchor"): message(
            "The smallest part of a record that is enough to know: among all people who share it, the record’s likeliest "
            "announced outcome follows as often as was asked for."
        )
    }
}


def blocks(report: Report) -> Iterator[Block]:
    """All anchors in one table."""
    if anchors := _anchors(report):
        yield Block(
            id="anchors",
            title=gettext("What is enough to know"),
            paragraphs=(
                gettext(
                    "An anchor is the smallest part of a record that is enough to know: among all people who share it, "
                    "the record’s likeliest announced outcome follows as often as was asked for."
                ),
            ),
            tables=(_table(report.process, anchors),),
        )


def _anchors(report: Report) -> list[Anchor]:
    return [each.anchor for each in rules_of(report, "anchor") if each.anchor is not None]


def _table(process: Process, anchors: Sequence[Anchor]) -> Table:
    coverage = all(anchor.coverage is not None for anchor in anchors)
    return make_table(
        "anchors",
        gettext("The anchor of each record"),
        [
            Column(gettext("Record"), names_row=True),
            Column(gettext("Likeliest outcome"), said_once=True),
            Column(gettext("Enough to know")),
            Column(gettext("Outcome follows in"), numeric=True),
            Column(gettext("True figure lies in"), numeric=True),
            *([Column(gettext("Holds for"), numeric=True)] if coverage else []),
        ],
        [
            [
                record_text(process, anchor.record),
                quote(anchor.outcome),
                gettext("nothing reaches {precision}", precision=full_percent(anchor.wanted))
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
    anchors = _anchors(report)
    each = [
        Mark(
            gettext("{record}: “{outcome}”", record=record_text(report.process, a.record), outcome=a.outcome),
            float(a.precision),
            float(a.interval[0]),
            float(a.interval[1]),
            float(a.wanted),
        )
        for a in anchors[:MAX_MARKS]
    ]
    if not each:
        return
    marks = tuple(each[: rows_that_fit([mark.label for mark in each])])
    shows = ngettext(
        len(marks),
        "One row for {number} record: a dot for how often the outcome follows from what is enough to know, a bar where the "
        "true figure lies, a dashed line at the precision asked for.",
        "A row for each of {number} records: a dot for how often the outcome follows from what is enough to know, a bar "
        "where the true figure lies, a dashed line at the precision asked for.",
    )
    alt = f"{shows} {percent_run(mark.value for mark in marks)}"
    panel = Dots(marks=marks, axis=gettext("How often the outcome follows"))
    yield Plot(
        id="chart-anchors",
        title=gettext("How often the outcome follows from the anchor"),
        alt=alt,
        panels=(panel,),
    )
