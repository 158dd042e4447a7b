"""What moves rates and gaps: influences (QII) and Shapley values, in one table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from atreport.kit.language import message, say
from atreport.kit.panels import Dots, Plot
from atreport.kit.tables import MAX_ROWS, Column, Table, make_table
from atreport.pages.explanations.blocks import Block, influences_of, reach_text, words_of
from atreport.pages.explanations.marks import figure_mark, furthest, points_run, titled
from atreport.pages.explanations.tables import figure_columns, figure_fields, headed_kinds, left_out
from atreport.pages.explanations.wording import attributes_text, quantity_text
from atreport.publication.words.estimation import by_source
from atreport.report.explanation import Influence, Kind
from atreport.report.model import Report

TERMS: dict[str, dict[str, str]] = {
    "qii": {
        message("Influence (QII)"): message(
            "Quantitative input influence: a rate or gap as announced, less what it is when an attribute is drawn anew."
        )
    },
    "shapley": {
        message("Shapley value"): message(
            "The share of a difference that is put down to an attribute. The shares of all attributes add up to the "
            "difference."
        )
    },
}

_WORDS: dict[Kind, str] = {
    "qii": message(
        "The influence (QII) of an attribute is the figure as announced, less what it would be if the attribute were drawn "
        "anew for each person of the group. Above 0, the group’s own values raise the figure; below 0, they lower it."
    ),
    "shapley": message(
        "Shapley values share a figure out among all attributes. Together they make the difference between the group and "
        "everybody, or the whole gap between two groups."
    ),
}
_HEADINGS: dict[Kind, str] = {"qii": message("Influence (QII)"), "shapley": message("Shapley value")}
_MARKS: dict[Kind, str] = {"qii": message("drawn anew (QII)"), "shapley": message("Shapley value")}


def blocks(report: Report) -> Iterator[Block]:
    """All quantities in one table."""
    if figures := influences_of(report, *_WORDS):
        yield Block(
            id="influence",
            title=by_source(
                report,
                given=say("What moves rates and gaps"),
                described=say("What rates and gaps go with"),
            ),
            paragraphs=(words_of(figures, _WORDS),),
            tables=(_table(report, figures),),
            fine=reach_text(figures),
        )


def _table(report: Report, figures: Sequence[Influence]) -> Table:
    process = report.process
    keys = list(dict.fromkeys((quantity_text(figure), figure.attributes) for figure in figures))
    found = {(figure.kind, quantity_text(figure), figure.attributes): figure for figure in figures}
    kinds = headed_kinds(_HEADINGS, figures)
    return make_table(
        "influence",
        by_source(
            report,
            given=say("What moves each quantity, in percentage points"),
            described=say("What each quantity goes with, in percentage points"),
        ),
        [
            Column(say("Of what"), names_row=True, said_once=True),
            Column(say("Attribute"), names_row=True),
            *(column for kind in kinds for column in figure_columns(say(_HEADINGS[kind]))),
        ],
        [
            [
                title,
                attributes_text(process, attributes),
                *(field for kind in kinds for field in figure_fields(found.get((kind, title, attributes)))),
            ]
            for title, attributes in keys[:MAX_ROWS]
        ],
        left_out(len(keys), message("{shown} of {total} influences are shown. report.json has all of them.")),
    )


def plots(report: Report) -> Iterator[Plot]:
    """A chart for each quantity."""
    figures = influences_of(report, *_WORDS)
    for number, quantity in enumerate(dict.fromkeys(quantity_text(figure) for figure in figures), start=1):
        each = [
            figure_mark(report.process, figure, say(_MARKS[figure.kind]))
            for figure in figures
            if quantity_text(figure) == quantity
        ]
        marks = furthest(each)
        shows = say("A dot for every influence and a bar where the true one lies.")
        yield Plot(
            id=f"chart-influence-{number}",
            title=titled(_title(report, quantity), marks, each),
            alt=f"{shows} {points_run(mark.value for mark in marks)}",
            panels=(Dots(marks=marks, axis=say("Percentage points"), signed=True),),
        )


def _title(report: Report, quantity: str) -> str:
    return by_source(
        report,
        given=say("“{quantity}”: what moves it", quantity=quantity),
        described=say("“{quantity}”: what it goes with", quantity=quantity),
    )
