"""What counts: over all people (permutation, FIRM), for rates and gaps (QII, Shapley values), near a record (LIME)."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from atreport.compose.estimation import by_source
from atreport.pages.explanations.blocks import (
    Block,
    ShownKinds,
    attributes_text,
    figure_columns,
    figure_fields,
    figure_mark,
    furthest,
    headed_kinds,
    in_points,
    influences_of,
    left_out,
    points_run,
    quantity_text,
    reach_text,
    record_text,
    titled,
    words_of,
)
from atreport.pages.panels import Dots, Mark, Plot
from atreport.report.explanation import Influence, Kind
from atreport.report.model import Report
from atreport.text.language import gettext, message
from atreport.text.numbers import hundredths
from atreport.text.tables import MAX_ROWS, Column, make_table


def _plot(id: str, title: str, each: Sequence[Mark], alt: Callable[[Sequence[Mark]], str], axis: str) -> Plot:
    """Those marks of figures in percentage points that are furthest from 0."""
    marks = furthest(each)
    panel = Dots(marks=marks, axis=axis, signed=True)
    return Plot(id=id, title=titled(title, marks, each), alt=alt(marks), panels=(panel,))


def _run(shows: str) -> Callable[[Sequence[Mark]], str]:
    """What a chart shows, and from where to where its dots run."""
    return lambda marks: f"{shows} {points_run(mark.value for mark in marks)}"


# Which attributes matter over all people: permutation importance and FIRM, in one table.

_IMPORTANCE: dict[Kind, str] = {
    "permutation": message(
        "Suppose that one attribute of a person is drawn anew, the way its values occur in the population, and the rest "
        "stays as it is. The average change is how far the announced probability then moves, up or down."
    ),
    "firm": message(
        "The spread of rates (FIRM) is the standard deviation of the rates at the attribute’s values: 0 where all rates are "
        "equal."
    ),
}
_IMPORTANCE_HEADINGS: dict[Kind, str] = {
    "permutation": message("Average change"),
    "firm": message("Spread of rates (FIRM)"),
}
_IMPORTANCE_AXES: dict[Kind, str] = {
    "permutation": message("Average change when the attribute is drawn anew, in percentage points"),
    "firm": message("Spread of the rate over the attribute’s values (FIRM), in percentage points"),
}


def _importance(report: Report) -> Iterator[Block]:
    """All attributes in one table."""
    figures = influences_of(report, *_IMPORTANCE)
    if not figures:
        return
    kinds = headed_kinds(_IMPORTANCE_HEADINGS, figures)
    found = {(figure.kind, figure.attributes): figure for figure in figures}
    attributes = list(dict.fromkeys(figure.attributes for figure in figures))
    table = make_table(
        "importance",
        by_source(
            report,
            given=gettext("How much each attribute matters, in percentage points"),
            described=gettext("How much the outcome goes with each attribute, in percentage points"),
        ),
        [
            Column(gettext("Attribute"), names_row=True),
            *(column for kind in kinds for column in figure_columns(gettext(_IMPORTANCE_HEADINGS[kind]))),
        ],
        [
            [
                attributes_text(report.process, names),
                *(field for kind in kinds for field in _unsigned_fields(found[kind, names])),
            ]
            for names in attributes[:MAX_ROWS]
        ],
        left_out(
            len(attributes), message("{shown} of {total} attributes are shown. report.json has all of them.")
        ),
    )
    yield Block(
        id="importance",
        title=by_source(
            report,
            given=gettext("Which attributes matter"),
            described=gettext("Which attributes the outcome goes with"),
        ),
        paragraphs=(words_of(figures, _IMPORTANCE),),
        tables=(table,),
        fine=reach_text(figures),
    )


def _unsigned_fields(figure: Influence) -> list[str]:
    """A figure that is never below 0, so that it needs no sign."""
    low, high = hundredths(figure.result.low), hundredths(figure.result.high)
    inside = gettext("{low} to {high}", low=low, high=high)
    return [hundredths(figure.value), inside, hundredths(figure.a_priori)]


def _plot_importance(report: Report) -> Iterator[Plot]:
    """A chart for each kind."""

    def highest(marks: Sequence[Mark]) -> str:
        most = max(marks, key=lambda mark: mark.value)
        return gettext(
            "Dots with a bar where the true value lies. The highest is {value}, for {attribute}.",
            value=in_points(most.value),
            attribute=most.label,
        )

    for kind, axis in _IMPORTANCE_AXES.items():
        if each := [figure_mark(report.process, figure) for figure in influences_of(report, kind)]:
            title = gettext(_IMPORTANCE_HEADINGS[kind])
            yield _plot(f"chart-importance-{kind}", title, each, highest, gettext(axis))


# What moves rates and gaps: influences (QII) and Shapley values, in one table.

_INFLUENCE: dict[Kind, str] = {
    "qii": message(
        "The influence (QII) of an attribute is the figure as announced, less what it would be if the attribute were drawn "
        "anew for each person of the group. Above 0, the group’s own values raise the figure; below 0, they lower it."
    ),
    "shapley": message(
        "Shapley values share a figure out among all attributes. Together they make the difference between the group and "
        "everybody, or the whole gap between two groups."
    ),
}
_INFLUENCE_HEADINGS: dict[Kind, str] = {
    "qii": message("Influence (QII)"),
    "shapley": message("Shapley value"),
}
_INFLUENCE_MARKS: Mapping[Kind, str] = {**_INFLUENCE_HEADINGS, "qii": message("drawn anew (QII)")}


def _influence(report: Report) -> Iterator[Block]:
    """All quantities in one table."""
    figures = influences_of(report, *_INFLUENCE)
    if not figures:
        return
    kinds = headed_kinds(_INFLUENCE_HEADINGS, figures)
    found = {(figure.kind, quantity_text(figure), figure.attributes): figure for figure in figures}
    keys = list(dict.fromkeys((quantity_text(figure), figure.attributes) for figure in figures))
    table = make_table(
        "influence",
        by_source(
            report,
            given=gettext("What moves each quantity, in percentage points"),
            described=gettext("What each quantity goes with, in percentage points"),
        ),
        [
            Column(gettext("Of what"), names_row=True, said_once=True),
            Column(gettext("Attribute"), names_row=True),
            *(column for kind in kinds for column in figure_columns(gettext(_INFLUENCE_HEADINGS[kind]))),
        ],
        [
            [
                title,
                attributes_text(report.process, attributes),
                *(field for kind in kinds for field in figure_fields(found.get((kind, title, attributes)))),
            ]
            for title, attributes in keys[:MAX_ROWS]
        ],
        left_out(len(keys), message("{shown} of {total} influences are shown. report.json has all of them.")),
    )
    yield Block(
        id="influence",
        title=by_source(
            report,
            given=gettext("What moves rates and gaps"),
            described=gettext("What rates and gaps go with"),
        ),
        paragraphs=(words_of(figures, _INFLUENCE),),
        tables=(table,),
        fine=reach_text(figures),
    )


def _plot_influence(report: Report) -> Iterator[Plot]:
    """A chart for each quantity."""
    figures = influences_of(report, *_INFLUENCE)
    shows = gettext("A dot for every influence and a bar where the true one lies.")
    for number, quantity in enumerate(dict.fromkeys(quantity_text(figure) for figure in figures), start=1):
        each = [
            figure_mark(report.process, figure, gettext(_INFLUENCE_MARKS[figure.kind]))
            for figure in figures
            if quantity_text(figure) == quantity
        ]
        title = by_source(
            report,
            given=gettext("“{quantity}”: what moves it", quantity=quantity),
            described=gettext("“{quantity}”: what it goes with", quantity=quantity),
        )
        yield _plot(f"chart-influence-{number}", title, each, _run(shows), gettext("Percentage points"))


# What counts near a chosen record: local weights, in the manner of LIME.


def _local_weights(report: Report) -> Iterator[Block]:
    """All records in one table."""
    figures = influences_of(report, "lime")
    if not figures:
        return
    table = make_table(
        "local-weights",
        gettext("What having the record’s value adds, among people like it, in percentage points"),
        [
            Column(gettext("Record"), names_row=True, said_once=True),
            Column(gettext("Attribute"), names_row=True),
            *figure_columns(gettext("Adds")),
        ],
        [
            [
                record_text(report.process, figure.at or {}),
                attributes_text(report.process, figure.attributes),
                *figure_fields(figure),
            ]
            for figure in figures[:MAX_ROWS]
        ],
        left_out(len(figures), message("{shown} of {total} weights are shown. report.json has all of them.")),
    )
    yield Block(
        id="local-weights",
        title=gettext("What counts near a chosen record"),
        paragraphs=(
            gettext(
                "Here, people who are like a chosen record count most: for every attribute in which a person differs from "
                "it, they count half as much. A linear model says what it adds, among people counted in this way, to have "
                "the record’s value of an attribute rather than another."
            ),
        ),
        tables=(table,),
    )


def _plot_local_weights(report: Report) -> Iterator[Plot]:
    """A chart for each record, without the base."""
    process, figures = report.process, influences_of(report, "lime")
    shows = gettext("A dot for what each of the record’s values adds, with a bar where the true figure lies.")
    records = dict.fromkeys(tuple((figure.at or {}).items()) for figure in figures)
    for number, record in enumerate(records, start=1):
        each = [
            figure_mark(process, figure)
            for figure in figures
            if tuple((figure.at or {}).items()) == record and figure.attributes
        ]
        title = gettext("What counts near the record {record}", record=record_text(process, dict(record)))
        yield _plot(f"chart-local-{number}", title, each, _run(shows), gettext("Percentage points"))


INFLUENCES = (
    ShownKinds(
        {
            "permutation": {
                message("Drawn anew"): message(
                    "Replaced by a value that is drawn the way values occur in the population. Where that makes a "
                    "combination nobody has, nothing is replaced."
                )
            },
            "firm": {
                message("FIRM"): message(
                    "The standard deviation of the favourable rate over the values of an attribute."
                )
            },
        },
        _importance,
        _plot_importance,
    ),
    ShownKinds(
        {
            "qii": {
                _INFLUENCE_HEADINGS["qii"]: message(
                    "Quantitative input influence: a rate or gap as announced, less what it is when an attribute is drawn "
                    "anew."
                )
            },
            "shapley": {
                _INFLUENCE_HEADINGS["shapley"]: message(
                    "The share of a difference that is put down to an attribute. The shares of all attributes add up to the "
                    "difference."
                )
            },
        },
        _influence,
        _plot_influence,
    ),
    ShownKinds({"lime": {}}, _local_weights, _plot_local_weights),
)
"""In the order of the report."""
