"""Along the values of an attribute: partial dependence, individual curves and accumulated effects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from atreport.kit.curves import MAX_BESIDE
from atreport.kit.numbers import counted, full_percent, full_percent_interval, hundredths
from atreport.kit.panels import Curve, Curves, Plot
from atreport.kit.tables import MAX_ROWS, Column, Table, make_table
from atreport.pages.explanations.blocks import Block, influences_of, reach_text, words_of
from atreport.pages.explanations.marks import percent_extent, points_extent
from atreport.pages.explanations.tables import figure_columns, figure_fields, headed_kinds, left_out
from atreport.pages.wording import named_values
from atreport.report.explanation import Influence, Kind
from atreport.report.model import Report
from atreport.spec.models.process import Process

TERMS: dict[str, dict[str, str]] = {
    "pdp": {"Partial dependence (PDP)": "The rate if everybody had a value and kept the rest."},
    "ice": {
        "Individual curve (ICE)": "The announced probabilities of people who are alike but for one attribute."
    },
    "ale": {
        "Accumulated local effect (ALE)": "Differences between neighbouring values, added up and centred on 0."
    },
}

_HEADINGS: dict[Kind, str] = {"pdp": "If everybody had it (PDP)", "ale": "Local effect (ALE)"}
"""Individual curves are drawn only: their figures stand in the table of cells."""


def blocks(report: Report) -> Iterator[Block]:
    """All attributes in one table, a chart for each."""
    process, figures = report.process, _curves(report)
    if not figures:
        return
    words: dict[Kind, str] = {
        "pdp": f"Partial dependence (PDP) is the rate of “{process.outcome.favourable}” if everybody had the value and kept "
        "the rest.",
        "ice": "Individual curves (ICE) follow people who are alike in everything else.",
        "ale": "Accumulated local effects (ALE) compare each value with the one before it among the people who are at "
        "either, add the steps up, and are centred on 0.",
    }
    tabled = [figure for figure in figures if figure.kind in _HEADINGS]
    yield Block(
        id="dependence",
        title="Along the values of an attribute",
        paragraphs=(words_of(figures, words),),
        charts=tuple(_chart_id(process, name) for name in _attributes(figures)),
        tables=(_table(process, tabled),) if tabled else (),
        fine=(reach_text(figures) + _broken_text(process, figures)).strip(),
    )


def _curves(report: Report) -> list[Influence]:
    return influences_of(report, "pdp", "ice", "ale")


def _attributes(figures: Sequence[Influence]) -> list[str]:
    return list(dict.fromkeys(figure.attributes[0] for figure in figures))


def _chart_id(process: Process, attribute: str) -> str:
    return f"chart-dependence-{[a.name for a in process.attributes].index(attribute) + 1}"


def _broken_text(process: Process, figures: Sequence[Influence]) -> str:
    """For which attributes there is no accumulated effect, where there is one for others."""
    whole = {figure.attributes[0] for figure in figures if figure.kind == "ale"}
    broken = [process.attribute(name).title for name in _attributes(figures) if whole and name not in whole]
    if not broken:
        return ""
    return f" For {', '.join(broken)} there is no accumulated effect: between two of its values nobody could step."


def _table(process: Process, figures: Sequence[Influence]) -> Table:
    """Partial dependence and accumulated effects at every value."""
    found = {(f.kind, f.attributes[0], (f.at or {}).get(f.attributes[0])): f for f in figures}
    keys = list(dict.fromkeys((attribute, value) for _, attribute, value in found))
    kinds = headed_kinds(_HEADINGS, figures)
    return make_table(
        "dependence",
        "How the rate varies with each value; effects and moves in percentage points",
        [
            Column("Attribute", names_row=True),
            Column("Value", names_row=True),
            *(column for kind in kinds for column in figure_columns(_HEADINGS[kind])),
        ],
        [
            [
                process.attribute(attribute).title,
                str(value),
                *(field for kind in kinds for field in _fields(found.get((kind, attribute, value)))),
            ]
            for attribute, value in keys[:MAX_ROWS]
        ],
        left_out(len(keys), "values"),
    )


def _fields(figure: Influence | None) -> list[str]:
    """Effects are in percentage points with their sign; partial dependence is a rate."""
    if figure is None or figure.kind == "ale":
        return figure_fields(figure)
    inside = full_percent_interval(figure.result.low, figure.result.high)
    return [full_percent(figure.value), inside, hundredths(figure.a_priori)]


def plots(report: Report) -> Iterator[Plot]:
    """A chart for each attribute."""
    figures = _curves(report)
    for attribute in _attributes(figures):
        yield _plot(report, attribute, [f for f in figures if f.attributes[0] == attribute])


def _plot(report: Report, attribute: str, figures: Sequence[Influence]) -> Plot:
    process, title = report.process, report.process.attribute(attribute).title
    ordered = attribute in report.transparency.ordered
    places = tuple(
        value
        for value in process.attribute(attribute).values
        if any((f.at or {}).get(attribute) == value for f in figures)
    )
    panels, texts = [], []
    rates = [f for f in figures if f.kind == "pdp"]
    lines = list(_individual(process, attribute, places, [f for f in figures if f.kind == "ice"]))
    if rates or lines:
        main = [_curve("if everybody had it (PDP)", attribute, places, rates)] if rates else []
        axis = f"“{process.outcome.favourable}”"
        panels.append(Curves(places=places, curves=(*main, *lines), axis=axis, ordered=ordered))
    if rates:
        texts.append(f"partial dependence runs from {percent_extent([float(f.value) for f in rates])}")
    if lines:
        texts.append(f"{counted(len(lines), 'individual curve')} of people alike in everything else")
    if effects := [f for f in figures if f.kind == "ale"]:
        curve = _curve("accumulated local effect (ALE)", attribute, places, effects)
        panels.append(
            Curves(places=places, curves=(curve,), axis="Percentage points", ordered=ordered, signed=True)
        )
        texts.append(f"accumulated effects run from {points_extent([float(f.value) for f in effects])}")
    how = "Lines" if ordered else "Marks"
    return Plot(
        id=_chart_id(process, attribute),
        title=f"How the outcome varies with “{title}”",
        alt=f"{how} over {counted(len(places), 'value')} of {title}: {'; '.join(texts)}. Bars show where true values lie.",
        panels=tuple(panels),
        beside=len(places) <= MAX_BESIDE,
    )


def _curve(label: str, attribute: str, places: Sequence[str], figures: Sequence[Influence]) -> Curve:
    found = {(f.at or {})[attribute]: f.result for f in figures}
    return Curve(
        label=label,
        values=tuple(float(found[p].value) if p in found else None for p in places),
        lows=tuple(float(found[p].low) if p in found else None for p in places),
        highs=tuple(float(found[p].high) if p in found else None for p in places),
    )


def _individual(
    process: Process, attribute: str, places: Sequence[str], figures: Sequence[Influence]
) -> Iterator[Curve]:
    """A curve for each class of people who are alike in everything else."""
    classes: dict[tuple[tuple[str, str], ...], dict[str, float]] = {}
    for figure in figures:
        at = dict(figure.at or {})
        value = at.pop(attribute)
        classes.setdefault(tuple(at.items()), {})[value] = float(figure.value)
    for others, values in classes.items():
        label = named_values(process, dict(others))
        yield Curve(label=label, values=tuple(values.get(place) for place in places))
