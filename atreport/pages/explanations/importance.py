"""Which attributes matter over all people: permutation importance and FIRM, in one table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from atreport.kit.language import message, say
from atreport.kit.numbers import hundredths
from atreport.kit.panels import Dots, Plot
from atreport.kit.tables import MAX_ROWS, Column, Table, make_table
from atreport.pages.explanations.blocks import Block, influences_of, reach_text, words_of
from atreport.pages.explanations.marks import figure_mark, furthest, in_points, titled
from atreport.pages.explanations.tables import figure_columns, headed_kinds, left_out
from atreport.pages.explanations.wording import attributes_text
from atreport.publication.words.estimation import by_source
from atreport.report.explanation import Influence, Kind
from atreport.report.model import Report

TERMS: dict[str, dict[str, str]] = {
    "permutation": {
        message("Drawn anew"): message(
            "Replaced by a value that is drawn the way values occur in the population. Where that makes a combination "
            "nobody has, nothing is replaced."
        )
    },
    "firm": {
        message("FIRM"): message(
            "The standard deviation of the favourable rate over the values of an attribute."
        )
    },
}

_WORDS: dict[Kind, str] = {
    "permutation": message(
        "Suppose that one attribute of a person is drawn anew, the way its values occur in the population, and the rest "
        "stays as it is. The average change is how far the announced probability then moves, up or down."
    ),
    "firm": message(
        "The spread of rates (FIRM) is the standard deviation of the rates at the attribute’s values: 0 where all rates are "
        "equal."
    ),
}
_HEADINGS: dict[Kind, str] = {
    "permutation": message("Average change"),
    "firm": message("Spread of rates (FIRM)"),
}
_AXES: dict[Kind, str] = {
    "permutation": message("Average change when the attribute is drawn anew, in percentage points"),
    "firm": message("Spread of the rate over the attribute’s values (FIRM), in percentage points"),
}


def blocks(report: Report) -> Iterator[Block]:
    """All attributes in one table."""
    if figures := influences_of(report, *_WORDS):
        yield Block(
            id="importance",
            title=by_source(
                report,
                given=say("Which attributes matter"),
                described=say("Which attributes the outcome goes with"),
            ),
            paragraphs=(words_of(figures, _WORDS),),
            tables=(_table(report, figures),),
            fine=reach_text(figures),
        )


def _title(report: Report) -> str:
    return by_source(
        report,
        given=say("How much each attribute matters, in percentage points"),
        described=say("How much the outcome goes with each attribute, in percentage points"),
    )


def _table(report: Report, figures: Sequence[Influence]) -> Table:
    process = report.process
    kinds = headed_kinds(_HEADINGS, figures)
    by_attribute = {(figure.kind, figure.attributes): figure for figure in figures}
    attributes = list(dict.fromkeys(figure.attributes for figure in figures))
    return make_table(
        "importance",
        _title(report),
        [
            Column(say("Attribute"), names_row=True),
            *(column for kind in kinds for column in figure_columns(say(_HEADINGS[kind]))),
        ],
        [
            [
                attributes_text(process, names),
                *(field for kind in kinds for field in _fields(by_attribute[kind, names])),
            ]
            for names in attributes[:MAX_ROWS]
        ],
        left_out(
            len(attributes), message("{shown} of {total} attributes are shown. report.json has all of them.")
        ),
    )


def _fields(figure: Influence) -> list[str]:
    """A figure that is never below 0, so that it needs no sign."""
    low, high = hundredths(figure.result.low), hundredths(figure.result.high)
    inside = say("{low} to {high}", low=low, high=high)
    return [hundredths(figure.value), inside, hundredths(figure.a_priori)]


def plots(report: Report) -> Iterator[Plot]:
    """A chart for each kind."""
    for kind, axis in _AXES.items():
        each = [figure_mark(report.process, figure) for figure in influences_of(report, kind)]
        if not each:
            continue
        marks = furthest(each)
        most = max(marks, key=lambda mark: mark.value)
        alt = say(
            "Dots with a bar where the true value lies. The highest is {value}, for {attribute}.",
            value=in_points(most.value),
            attribute=most.label,
        )
        yield Plot(
            id=f"chart-importance-{kind}",
            title=titled(say(_HEADINGS[kind]), marks, each),
            alt=alt,
            panels=(Dots(marks=marks, axis=say(axis), signed=True),),
        )
