"""Which attributes matter over all people: permutation importance and FIRM, in one table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from atreport.kit.numbers import hundredths, points
from atreport.kit.panels import MAX_MARKS, Dots, Plot
from atreport.kit.tables import MAX_ROWS, Column, Table, make_table
from atreport.pages.explanations.blocks import Block, influences_of, reach_text, words_of
from atreport.pages.explanations.marks import figure_mark
from atreport.pages.explanations.tables import figure_columns, headed_kinds, left_out
from atreport.pages.explanations.wording import attributes_text
from atreport.publication.estimation_words import by_source
from atreport.report.explanation import Influence, Kind
from atreport.report.model import Report

TERMS: dict[str, dict[str, str]] = {
    "permutation": {
        "Drawn anew": "Replaced by a value that is drawn the way values occur in the population. Where that makes a "
        "combination nobody has, nothing is replaced."
    },
    "firm": {"FIRM": "The standard deviation of the favourable rate over the values of an attribute."},
}

_WORDS: dict[Kind, str] = {
    "permutation": "Draw one attribute of a person anew, the way its values occur in the population, and leave the "
    "rest: the average change is how far the announced probability then moves, up or down.",
    "firm": "The spread of rates (FIRM) is the standard deviation of the rates at the attribute’s values.",
}
_HEADINGS: dict[Kind, str] = {"permutation": "Average change", "firm": "Spread of rates (FIRM)"}
_AXES: dict[Kind, str] = {
    "permutation": "Average change when the attribute is drawn anew, in percentage points",
    "firm": "Spread of the rate over the attribute’s values (FIRM), in percentage points",
}


def blocks(report: Report) -> Iterator[Block]:
    """All attributes in one table."""
    if figures := influences_of(report, *_WORDS):
        yield Block(
            id="importance",
            title=by_source(
                report, given="Which attributes matter", described="Which attributes the outcome goes with"
            ),
            paragraphs=(words_of(figures, _WORDS),),
            charts=("chart-importance",),
            tables=(_table(report, figures),),
            fine=reach_text(figures),
        )


def _title(report: Report) -> str:
    return by_source(
        report,
        given="How much each attribute matters",
        described="How much the outcome goes with each attribute",
    )


def _table(report: Report, figures: Sequence[Influence]) -> Table:
    process = report.process
    kinds = headed_kinds(_HEADINGS, figures)
    by_attribute = {(figure.kind, figure.attributes): figure for figure in figures}
    attributes = list(dict.fromkeys(figure.attributes for figure in figures))
    return make_table(
        "importance",
        f"{_title(report)}, in percentage points",
        [
            Column("Attribute", names_row=True),
            *(column for kind in kinds for column in figure_columns(_HEADINGS[kind])),
        ],
        [
            [
                attributes_text(process, names),
                *(field for kind in kinds for field in _fields(by_attribute[kind, names])),
            ]
            for names in attributes[:MAX_ROWS]
        ],
        left_out(len(attributes), "attributes"),
    )


def _fields(figure: Influence) -> list[str]:
    """A figure that is never below 0, so that it needs no sign."""
    inside = f"{hundredths(figure.result.low)} to {hundredths(figure.result.high)}"
    return [hundredths(figure.value), inside, hundredths(figure.a_priori)]


def plots(report: Report) -> Iterator[Plot]:
    """A panel for each kind."""
    figures = influences_of(report, *_WORDS)
    panels, texts = [], []
    for kind, axis in _AXES.items():
        chosen = [figure for figure in figures if figure.kind == kind]
        marks = tuple(figure_mark(report.process, figure) for figure in chosen[:MAX_MARKS])
        if marks:
            panels.append(Dots(marks=marks, axis=axis, signed=True))
            most = max(marks, key=lambda mark: mark.value)
            texts.append(f"{axis}: the highest is {points(Decimal(repr(most.value)))}, for {most.label}")
    if panels:
        alt = f"Dots with a bar where the true value lies. {'. '.join(texts)}."
        yield Plot(id="chart-importance", title=_title(report), alt=alt, panels=tuple(panels))
