"""Which attributes matter over all people: permutation importance and FIRM, in one table."""

from collections.abc import Iterator, Sequence

from atreport.compose.estimation import by_source
from atreport.pages.explanations.blocks import (
    Block,
    attributes_text,
    figure_columns,
    figure_mark,
    furthest,
    headed_kinds,
    in_points,
    influences_of,
    left_out,
    reach_text,
    titled,
    words_of,
)
from atreport.pages.panels import Dots, Plot
from atreport.report.explanation import Influence, Kind
from atreport.report.model import Report
from atreport.text.language import gettext, message
from atreport.text.numbers import hundredths
from atreport.text.tables import MAX_ROWS, Column, Table, make_table

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
                given=gettext("Which attributes matter"),
                described=gettext("Which attributes the outcome goes with"),
            ),
            paragraphs=(words_of(figures, _WORDS),),
            tables=(_table(report, figures),),
            fine=reach_text(figures),
        )


def _title(report: Report) -> str:
    return by_source(
        report,
        given=gettext("How much each attribute matters, in percentage points"),
        described=gettext("How much the outcome goes with each attribute, in percentage points"),
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
            Column(gettext("Attribute"), names_row=True),
            *(column for kind in kinds for column in figure_columns(gettext(_HEADINGS[kind]))),
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
    inside = gettext("{low} to {high}", low=low, high=high)
    return [hundredths(figure.value), inside, hundredths(figure.a_priori)]


def plots(report: Report) -> Iterator[Plot]:
    """A chart for each kind."""
    for kind, axis in _AXES.items():
        each = [figure_mark(report.process, figure) for figure in influences_of(report, kind)]
        if not each:
            continue
        marks = furthest(each)
        most = max(marks, key=lambda mark: mark.value)
        alt = gettext(
            "Dots with a bar where the true value lies. The highest is {value}, for {attribute}.",
            value=in_points(most.value),
            attribute=most.label,
        )
        yield Plot(
            id=f"chart-importance-{kind}",
            title=titled(gettext(_HEADINGS[kind]), marks, each),
            alt=alt,
            panels=(Dots(marks=marks, axis=gettext(axis), signed=True),),
        )
