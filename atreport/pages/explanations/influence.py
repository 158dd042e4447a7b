"""What moves rates and gaps: influences (QII) and Shapley values, in one table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from atreport.kit.panels import MAX_MARKS, Dots, Plot
from atreport.kit.tables import MAX_ROWS, Column, Table, make_table
from atreport.pages.explanations.blocks import Block, influences_of, reach_text, words_of
from atreport.pages.explanations.marks import figure_mark, points_extent
from atreport.pages.explanations.tables import figure_columns, figure_fields, headed_kinds, left_out
from atreport.pages.explanations.wording import attributes_text, quantity_text
from atreport.publication.estimation_words import by_source
from atreport.report.explanation import Influence, Kind
from atreport.report.model import Report

TERMS: dict[str, dict[str, str]] = {
    "qii": {
        "Influence (QII)": "Quantitative input influence: a rate or gap as announced, less what it is when an attribute is "
        "drawn anew."
    },
    "shapley": {"Shapley value": "An attribute’s fair share of a difference: all shares add up to it."},
}

_WORDS: dict[Kind, str] = {
    "qii": "The influence (QII) of an attribute is the figure as announced, less what it would be if the attribute "
    "were drawn anew for each person of the group: above 0, the group’s own values raise it.",
    "shapley": "Shapley values share a figure out among all attributes: together they make the difference between "
    "the group and everybody, or the whole gap between two groups.",
}
_HEADINGS: dict[Kind, str] = {"qii": "Influence (QII)", "shapley": "Shapley value"}
_MARKS: dict[Kind, str] = {"qii": "drawn anew (QII)", "shapley": "Shapley value"}


def blocks(report: Report) -> Iterator[Block]:
    """All quantities in one table."""
    if figures := influences_of(report, *_WORDS):
        yield Block(
            id="influence",
            title=_title(report),
            paragraphs=(words_of(figures, _WORDS),),
            charts=("chart-influence",),
            tables=(_table(report, figures),),
            fine=reach_text(figures),
        )


def _title(report: Report) -> str:
    return by_source(report, given="What moves rates and gaps", described="What rates and gaps go with")


def _table(report: Report, figures: Sequence[Influence]) -> Table:
    process = report.process
    keys = list(dict.fromkeys((quantity_text(figure), figure.attributes) for figure in figures))
    found = {(figure.kind, quantity_text(figure), figure.attributes): figure for figure in figures}
    kinds = headed_kinds(_HEADINGS, figures)
    return make_table(
        "influence",
        by_source(report, given="What moves each quantity", described="What each quantity goes with")
        + ", in percentage points",
        [
            Column("Of what", names_row=True),
            Column("Attribute", names_row=True),
            *(column for kind in kinds for column in figure_columns(_HEADINGS[kind])),
        ],
        [
            [
                title,
                attributes_text(process, attributes),
                *(field for kind in kinds for field in figure_fields(found.get((kind, title, attributes)))),
            ]
            for title, attributes in keys[:MAX_ROWS]
        ],
        left_out(len(keys), "influences"),
    )


def plots(report: Report) -> Iterator[Plot]:
    """A panel for each quantity."""
    figures = influences_of(report, *_WORDS)
    panels, texts = [], []
    for title in dict.fromkeys(quantity_text(figure) for figure in figures):
        chosen = [figure for figure in figures if quantity_text(figure) == title]
        marks = tuple(figure_mark(report.process, f, _MARKS[f.kind]) for f in chosen[:MAX_MARKS])
        panels.append(Dots(marks=marks, axis=f"{title}: percentage points", signed=True))
        texts.append(f"{title}, values from {points_extent([m.value for m in marks])}")
    if panels:
        yield Plot(
            id="chart-influence",
            title=_title(report),
            alt="For each quantity, a dot for every influence and a bar where the true one lies: "
            f"{'; '.join(texts)}.",
            panels=tuple(panels),
        )
