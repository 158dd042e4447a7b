"""Charts along the values of an attribute: side by side, or a row each where their names have no room for that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from atreport.kit.language import say, say_many
from atreport.kit.language.words import quote
from atreport.kit.numbers import count
from atreport.kit.panels import MAX_BESIDE, Curve, Curves, Plot, names_fit_across, rows_that_fit
from atreport.pages.explanations.blocks import influences_of
from atreport.pages.explanations.marks import in_percent, in_points
from atreport.pages.wording import named_values
from atreport.report.explanation import Influence
from atreport.report.model import Report
from atreport.spec.models.process import Process


def curves_of(report: Report) -> list[Influence]:
    """Every figure along the values of an attribute."""
    return influences_of(report, "pdp", "ice", "ale")


def attributes_of(figures: Sequence[Influence]) -> list[str]:
    """The attributes along which there are figures, each once."""
    return list(dict.fromkeys(figure.attributes[0] for figure in figures))


def _chart_id(process: Process, attribute: str) -> str:
    return f"chart-dependence-{[a.name for a in process.attributes].index(attribute) + 1}"


def plot_curves(report: Report) -> Iterator[Plot]:
    """A chart for each attribute; several, one after another, where it has too many values for one."""
    figures = curves_of(report)
    for attribute in attributes_of(figures):
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
        main = [_curve(say("if everybody had it (PDP)"), attribute, places, rates)]
        low, high = (in_percent(end([float(f.value) for f in rates])) for end in (min, max))
        texts.append(say("Partial dependence runs from {low} to {high}.", low=low, high=high))
    if lines:
        texts.append(
            say_many(
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
            curves=(_curve(say("accumulated local effect (ALE)"), attribute, places, effects),),
            axis=say("Percentage points"),
            ordered=attribute in report.transparency.ordered,
            signed=True,
            legend_columns=1 if len(places) <= MAX_BESIDE else 2,
        )
        yield panel, [say("Accumulated effects run from {low} to {high}.", low=low, high=high)]


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
                say("Bars show where true values lie."),
            )
        ),
        panels=tuple(panel for panel, _ in told),
        beside=len(places) <= MAX_BESIDE,
    )


def _title(attribute: str, part: int, parts: int) -> str:
    if parts == 1:
        return say("How the outcome varies with “{attribute}”", attribute=attribute)
    return say(
        "How the outcome varies with “{attribute}”, part {part} of {parts}",
        attribute=attribute,
        part=count(part),
        parts=count(parts),
    )


def _over(attribute: str, values: int, ordered: bool) -> str:
    """What is drawn over how many values."""
    if ordered:
        return say_many(
            values,
            "Lines over {number} value of “{attribute}”.",
            "Lines over {number} values of “{attribute}”.",
            attribute=attribute,
        )
    return say_many(
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
