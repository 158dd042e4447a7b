"""Charts hold their words, however long and wide these are: what sticks out would be cut off, and `verify` doubts a cut page."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from matplotlib.text import Text

from atreport.pages.drawing import drawing, house_style
from atreport.pages.panels import Arrows, Curve, Curves, Distribution, Dots, HeatMap, Mark, Panel, Plot

NAMES = {
    "short": "Women",
    "usual": "Highest level of education: upper secondary or more",
    "wide": "W" * 100,
    "words": "very " * 60,
    "thin": "i" * 200,
    "many": "M m · " * 30,
}


def panels(name: str) -> Iterator[Panel]:
    """Every kind of panel, with the same name wherever a name stands."""
    dots = Dots(marks=(Mark(name, 0.5, 0.4, 0.6, 0.7),) * 3, axis=name)
    yield dots
    yield replace(dots, signed=True, band=name, dot=name)
    yield Arrows(labels=(name, name), before=(0.1, 0.2), after=(0.3, 0.4), axis=name, names=(name, name))
    yield Distribution(series=((name, (1, 2, 3)), (name, (3, 4, 5))), top=1.0, axis=name, things=name)
    for columns in (1, 8):
        fields = (((0.5, "50%"),) * columns,) * 2
        yield HeatMap(rows=(name, name), columns=(name,) * columns, fields=fields, column_title=name)


def curves(name: str, places: int, columns: int) -> Plot:
    """Curves over so many values, with the rates beside or above the effects."""
    main = Curve(label=name, values=(0.5,) * places, lows=(0.4,) * places, highs=(0.6,) * places)
    thin = Curve(label=name, values=(0.3,) * places)
    rates = Curves(
        places=(name,) * places,
        curves=(main, thin, thin, thin),
        axis=name,
        ordered=True,
        legend_columns=columns,
    )
    effects = replace(rates, signed=True)
    return Plot(id="a", title="t", alt="x", panels=(rates, effects), beside=places <= 4)


def words_outside(plot: Plot) -> list[str]:
    """The words of a chart that stick out of it by half a point or more."""
    with house_style():
        figure = drawing(plot)
        figure.draw_without_rendering()
        point = figure.dpi / 72
        outside = []
        for text in figure.findobj(Text):
            assert isinstance(text, Text)
            if text.get_visible() and text.get_text():
                box = text.get_window_extent()
                over = max(-box.x0, -box.y0, box.x1 - figure.bbox.x1, box.y1 - figure.bbox.y1)
                if over > point / 2:
                    outside.append(f"{text.get_text()[:20]!r} by {over / point:.1f} points")
    return outside


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_words_stand_inside_of_the_chart(name: str) -> None:
    """Rows, columns, axes and legends of every kind of panel."""
    for panel in panels(name):
        assert words_outside(Plot(id="a", title="t", alt="x", panels=(panel,))) == [], panel


@pytest.mark.parametrize(("places", "columns"), [(2, 1), (4, 1), (5, 2), (14, 2)])
@pytest.mark.parametrize(
    "name", [NAMES["usual"], NAMES["wide"], NAMES["words"]], ids=["usual", "wide", "words"]
)
def test_words_stand_inside_of_curves(name: str, places: int, columns: int) -> None:
    """The same of charts along an attribute, whose values stand side by side or below one another."""
    assert words_outside(curves(name, places, columns)) == []
