"""Along the values of an attribute: partial dependence, individual curves and accumulated effects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from atreport.kit.language import message, say
from atreport.kit.language.words import quote
from atreport.kit.numbers import full_percent, full_percent_interval, hundredths
from atreport.kit.panels import Plot
from atreport.kit.tables import MAX_ROWS, Column, Table, make_table
from atreport.pages.explanations.blocks import Block, reach_text, words_of
from atreport.pages.explanations.curves import attributes_of, curves_of, plot_curves
from atreport.pages.explanations.tables import figure_columns, figure_fields, headed_kinds, left_out
from atreport.report.explanation import Influence, Kind
from atreport.report.model import Report
from atreport.spec.models.process import Process

TERMS: dict[str, dict[str, str]] = {
    "pdp": {
        message("Partial dependence (PDP)"): message(
            "The favourable rate if everybody had a certain value and kept the rest."
        )
    },
    "ice": {
        message("Individual curve (ICE)"): message(
            "The announced probabilities of people who are alike but for one attribute."
        )
    },
    "ale": {
        message("Accumulated local effect (ALE)"): message(
            "Differences between neighbouring values, added up and centred on 0."
        )
    },
}

_HEADINGS: dict[Kind, str] = {
    "pdp": message("If everybody had it (PDP)"),
    "ale": message("Local effect (ALE)"),
}
"""Individual curves are drawn only: their figures stand in the table of cells."""


_WORDS: dict[Kind, str] = {
    "pdp": message(
        "Partial dependence (PDP) is what the favourable rate would be if everybody had the value and kept the rest."
    ),
    "ice": message("Individual curves (ICE) follow people who are alike in everything else."),
    "ale": message(
        "Accumulated local effects (ALE) compare each value with the one before it, among the people who are at either. The "
        "steps are added up, and the sums are centred on 0."
    ),
}


def blocks(report: Report) -> Iterator[Block]:
    """All attributes in one table, a chart for each."""
    process, figures = report.process, curves_of(report)
    if not figures:
        return
    tabled = [figure for figure in figures if figure.kind in _HEADINGS]
    yield Block(
        id="dependence",
        title=say("Along the values of an attribute"),
        paragraphs=(words_of(figures, _WORDS),),
        tables=(_table(process, tabled),) if tabled else (),
        fine=" ".join(filter(None, (reach_text(figures), _broken_text(process, figures)))),
    )


def _broken_text(process: Process, figures: Sequence[Influence]) -> str:
    """For which attributes there is no accumulated effect, where there is one for others."""
    whole = {figure.attributes[0] for figure in figures if figure.kind == "ale"}
    broken = [process.attribute(name).title for name in attributes_of(figures) if whole and name not in whole]
    if not broken:
        return ""
    return say(
        "No accumulated effect can be given for: {attributes}. Between two neighbouring values of such an attribute, nobody "
        "could step.",
        attributes=", ".join(map(quote, broken)),
    )


def _table(process: Process, figures: Sequence[Influence]) -> Table:
    """Partial dependence and accumulated effects at every value."""
    found = {(f.kind, f.attributes[0], (f.at or {}).get(f.attributes[0])): f for f in figures}
    keys = list(dict.fromkeys((attribute, value) for _, attribute, value in found))
    kinds = headed_kinds(_HEADINGS, figures)
    return make_table(
        "dependence",
        say("How the rate varies with each value; effects and moves in percentage points"),
        [
            Column(say("Attribute"), names_row=True, said_once=True),
            Column(say("Value"), names_row=True),
            *(column for kind in kinds for column in figure_columns(say(_HEADINGS[kind]))),
        ],
        [
            [
                process.attribute(attribute).title,
                str(value),
                *(field for kind in kinds for field in _fields(found.get((kind, attribute, value)))),
            ]
            for attribute, value in keys[:MAX_ROWS]
        ],
        left_out(len(keys), message("{shown} of {total} values are shown. report.json has all of them.")),
    )


def _fields(figure: Influence | None) -> list[str]:
    """Effects are in percentage points with their sign; partial dependence is a rate."""
    if figure is None or figure.kind == "ale":
        return figure_fields(figure)
    inside = full_percent_interval(figure.result.low, figure.result.high)
    return [full_percent(figure.value), inside, hundredths(figure.a_priori)]


def plots(report: Report) -> Iterator[Plot]:
    """A chart for each attribute, or several."""
    return plot_curves(report)
