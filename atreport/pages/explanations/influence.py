"""What moves rates and gaps: influences (QII) and Shapley values, in one table."""

from collections.abc import Iterator, Sequence

from atreport.compose.estimation import by_source
from atreport.pages.explanations.blocks import (
    Block,
    attributes_text,
    figure_columns,
    figure_fields,
    figure_mark,
    furthest,
    headed_kinds,
    influences_of,
    left_out,
    points_run,
    quantity_text,
    reach_text,
    titled,
    words_of,
)
from atreport.pages.panels import Dots, Plot
from atreport.report.explanation import Influence, Kind
from atreport.report.model import Report
from atreport.text.language import gettext, message
from atreport.text.tables import MAX_ROWS, Column, Table, make_table

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
                given=gettext("What moves rates and gaps"),
                described=gettext("What rates and gaps go with"),
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
            given=gettext("What moves each quantity, in percentage points"),
            described=gettext("What each quantity goes with, in percentage points"),
        ),
        [
            Column(gettext("Of what"), names_row=True, said_once=True),
            Column(gettext("Attribute"), names_row=True),
            *(column for kind in kinds for column in figure_columns(gettext(_HEADINGS[kind]))),
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
            figure_mark(report.process, figure, gettext(_MARKS[figure.kind]))
            for figure in figures
            if quantity_text(figure) == quantity
        ]
        marks = furthest(each)
        shows = gettext("A dot for every influence and a bar where the true one lies.")
        yield Plot(
            id=f"chart-influence-{number}",
            title=titled(_title(report, quantity), marks, each),
            alt=f"{shows} {points_run(mark.value for mark in marks)}",
            panels=(Dots(marks=marks, axis=gettext("Percentage points"), signed=True),),
        )


def _title(report: Report, quantity: str) -> str:
    return by_source(
        report,
        given=gettext("“{quantity}”: what moves it", quantity=quantity),
        described=gettext("“{quantity}”: what it goes with", quantity=quantity),
    )
