"""Along the values of an attribute: partial dependence, individual curves and accumulated effects."""

from collections.abc import Iterator, Sequence

from atreport.pages.explanations.blocks import (
    Block,
    ShownKinds,
    figure_columns,
    figure_fields,
    headed_kinds,
    in_percent,
    in_points,
    influences_of,
    left_out,
    reach_text,
    words_of,
)
from atreport.pages.panels import MAX_BESIDE, Curve, Curves, Plot, names_fit_across, rows_that_fit
from atreport.pages.wording import named_values
from atreport.report.explanation import Influence, Kind
from atreport.report.model import Report
from atreport.spec.process import Process
from atreport.text.language import count, gettext, message, ngettext, quote
from atreport.text.numbers import full_percent, full_percent_interval, hundredths
from atreport.text.tables import MAX_ROWS, Column, Table, make_table

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


def _blocks(report: Report) -> Iterator[Block]:
    """All attributes in one table, a chart for each."""
    process, figures = report.process, _curves_of(report)
    if not figures:
        return
    tabled = [figure for figure in figures if figure.kind in _HEADINGS]
    yield Block(
        id="dependence",
        title=gettext("Along the values of an attribute"),
        paragraphs=(words_of(figures, _WORDS),),
        tables=(_table(process, tabled),) if tabled else (),
        fine=" ".join(filter(None, (reach_text(figures), _broken_text(process, figures)))),
    )


def _broken_text(process: Process, figures: Sequence[Influence]) -> str:
    """For which attributes there is no accumulated effect, where there is one for others."""
    whole = {figure.attributes[0] for figure in figures if figure.kind == "ale"}
    broken = [
        process.attribute(name).title for name in _attributes_of(figures) if whole and name not in whole
    ]
    if not broken:
        return ""
    return gettext(
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
        gettext("How the rate varies with each value; effects and moves in percentage points"),
        [
            Column(gettext("Attribute"), names_row=True, said_once=True),
            Column(gettext("Value"), names_row=True),
            *(column for kind in kinds for column in figure_columns(gettext(_HEADINGS[kind]))),
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


# Charts along the values of an attribute: side by side, or a row each where their names have no room for
# that.


def _curves_of(report: Report) -> list[Influence]:
    """Every figure along the values of an attribute."""
    return influences_of(report, "pdp", "ice", "ale")


def _attributes_of(figures: Sequence[Influence]) -> list[str]:
    """The attributes along which there are figures, each once."""
    return list(dict.fromkeys(figure.attributes[0] for figure in figures))


def _chart_id(process: Process, attribute: str) -> str:
    return f"chart-dependence-{[a.name for a in process.attributes].index(attribute) + 1}"


def _plot_curves(report: Report) -> Iterator[Plot]:
    """A chart for each attribute; several, one after another, where it has too many values for one."""
    figures = _curves_of(report)
    for attribute in _attributes_of(figures):
        chosen = [f for f in figures if f.attributes[0] == attribute]
        at = {(f.at or {}).get(attribute) for f in chosen}
        places = tuple(value for value in report.process.attribute(attribute).values if value in at)
        if names_fit_across(places):
            panels = [
                *_rates(report, attribute, chosen, places),
                *_effects(report, attribute, chosen, places),
            ]
            yield _plot(report, attribute, panels, (1, 1))
            continue
        panels = [p for some in _parts(places) for p in _rates(report, attribute, chosen, some)]
        panels += [p for some in _parts(places) for p in _effects(report, attribute, chosen, some)]
        for number, panel in enumerate(panels, start=1):
            yield _plot(report, attribute, [panel], (number, len(panels)))


def _parts(places: tuple[str, ...]) -> list[tuple[str, ...]]:
    """About equally many values in each of as few charts as hold them."""
    number = -(-len(places) // rows_that_fit(places))
    each = -(-len(places) // number)
    return [places[start : start + each] for start in range(0, len(places), each)]


_Told = tuple[Curves, list[str]]
"""A panel, and what it shows in words."""


def _rates(
    report: Report, attribute: str, figures: Sequence[Influence], places: tuple[str, ...]
) -> Iterator[_Told]:
    """Partial dependence and individual curves, if there are any."""
    here = [f for f in figures if (f.at or {}).get(attribute) in places]
    rates = [f for f in here if f.kind == "pdp"]
    lines = list(_individual(report.process, attribute, places, [f for f in here if f.kind == "ice"]))
    main, texts = [], []
    if rates:
        main = [_curve(gettext("if everybody had it (PDP)"), attribute, places, rates)]
        low, high = (in_percent(end([float(f.value) for f in rates])) for end in (min, max))
        texts.append(gettext("Partial dependence runs from {low} to {high}.", low=low, high=high))
    if lines:
        texts.append(
            ngettext(
                len(lines),
                "{number} individual curve shows people who are alike in everything else.",
                "{number} individual curves show people who are alike in everything else.",
            )
        )
    if rates or lines:
        panel = Curves(
            places=places,
            curves=(*main, *lines),
            axis=quote(report.process.outcome.favourable),
            ordered=attribute in report.transparency.ordered,
            legend_columns=1 if len(places) <= MAX_BESIDE else 2,
        )
        yield panel, texts


def _effects(
    report: Report, attribute: str, figures: Sequence[Influence], places: tuple[str, ...]
) -> Iterator[_Told]:
    """Accumulated effects, if there are any."""
    effects = [f for f in figures if f.kind == "ale" and (f.at or {}).get(attribute) in places]
    if effects:
        low, high = (in_points(end([float(f.value) for f in effects])) for end in (min, max))
        panel = Curves(
            places=places,
            curves=(_curve(gettext("accumulated local effect (ALE)"), attribute, places, effects),),
            axis=gettext("Percentage points"),
            ordered=attribute in report.transparency.ordered,
            signed=True,
            legend_columns=1 if len(places) <= MAX_BESIDE else 2,
        )
        yield panel, [gettext("Accumulated effects run from {low} to {high}.", low=low, high=high)]


def _plot(report: Report, attribute: str, told: Sequence[_Told], part: tuple[int, int]) -> Plot:
    title, (number, parts) = report.process.attribute(attribute).title, part
    places = told[0][0].places
    return Plot(
        id=_chart_id(report.process, attribute) + (f"-{number}" if parts > 1 else ""),
        title=_title(title, number, parts),
        alt=" ".join(
            (
                _over(title, len(places), told[0][0].ordered),
                *(text for _, texts in told for text in texts),
                gettext("Bars show where true values lie."),
            )
        ),
        panels=tuple(panel for panel, _ in told),
        beside=len(places) <= MAX_BESIDE,
    )


def _title(attribute: str, part: int, parts: int) -> str:
    if parts == 1:
        return gettext("How the outcome varies with “{attribute}”", attribute=attribute)
    return gettext(
        "How the outcome varies with “{attribute}”, part {part} of {parts}",
        attribute=attribute,
        part=count(part),
        parts=count(parts),
    )


def _over(attribute: str, values: int, ordered: bool) -> str:
    """What is drawn over how many values."""
    if ordered:
        return ngettext(
            values,
            "Lines over {number} value of “{attribute}”.",
            "Lines over {number} values of “{attribute}”.",
            attribute=attribute,
        )
    return ngettext(
        values,
        "Marks over {number} value of “{attribute}”.",
        "Marks over {number} values of “{attribute}”.",
        attribute=attribute,
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


DEPENDENCE = ShownKinds(
    {
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
    },
    _blocks,
    _plot_curves,
)
