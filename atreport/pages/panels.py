"""What a chart shows before it is drawn: panels of marks, and the words that go with them.

Few rows are drawn one by one; of many, the distribution and the extremes. Nothing here knows what a mark
stands for.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from atreport.pages.layout import letter_widths
from atreport.text.language import gettext

WIDTH = 6.7
"""Inches: the text column of the printed page."""

MAX_MARKS = 24
"""The most rows that are drawn one by one."""

EXTREMES = 8
"""How many rows are drawn under a distribution."""

BINS = 25
"""Bars of a distribution."""

MAX_BESIDE = 4
"""The most values for which two panels have room beside each other."""

MAX_ACROSS = 14
"""The most values whose names have room side by side, however short they are."""

_ROW = 0.25
"""Inches: how high a row with one line of text is."""

_WIDE_ROWS = 12
"""So many rows have all the room they like; more are closer together, so that their chart needs no page of its own."""

_CLOSER = 0.07
"""Inches: how much of a row's height is free, and is taken where there are many."""

_TALLEST = 9.0
"""Inches: a chart as high as this stands on one printed page, with its title."""

TALL = 3.5
"""Inches: a chart that is higher does not fit below half a page of text."""

_AROUND = 0.78
"""Inches: the axis and the legend of a chart with rows."""

_LABEL_WIDTH = 40
_LABEL_LINES = 4

CHARACTERS = 17.0
"""How many characters of average width stand in an inch of a chart's type."""
_SMALL_CHARACTERS = 21.8
"""The same of the smaller type in a legend of curves."""

MARK_WIDTH = 8.5
"""Characters: what a name in a legend needs besides its own width, for its mark and the space around it."""

_VALUES_WIDTH = 0.9
"""Inches: a vertical axis with its title."""

_LEGEND_LINES = 2


@dataclass(frozen=True)
class Mark:
    """One row of a dot plot: a figure, the interval around it, and perhaps a limit."""

    label: str
    value: float
    low: float
    high: float
    limit: float | None = None


@dataclass(frozen=True, kw_only=True)
class Dots:
    """A dot and an interval in each row."""

    marks: tuple[Mark, ...]
    axis: str
    logarithm: bool = False  # the axis has no upper end and is not in percent
    band: str = field(default_factory=lambda: gettext("where the true value lies"))  # empty: there is none
    dot: str = field(default_factory=lambda: gettext("announced"))
    signed: bool = False  # the axis is in percentage points, with 0 somewhere on it


@dataclass(frozen=True, kw_only=True)
class Arrows:
    """From one figure to another in each row."""

    labels: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    axis: str
    names: tuple[str, str]  # what the two figures are


@dataclass(frozen=True, kw_only=True)
class Distribution:
    """How many things have which value: counts in equal steps from 0 to `top`, up to two series."""

    series: tuple[tuple[str, tuple[int, ...]], ...]
    top: float
    axis: str
    things: str
    logarithm: bool = False


@dataclass(frozen=True, kw_only=True)
class HeatMap:
    """A value in each field of a grid, drawn and written; None where no cell occurs."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    fields: tuple[tuple[tuple[float, str] | None, ...], ...]
    column_title: str


@dataclass(frozen=True, kw_only=True)
class Curve:
    """Figures along some places, None where there is none; the main curve has intervals."""

    label: str
    values: tuple[float | None, ...]
    lows: tuple[float | None, ...] = ()
    highs: tuple[float | None, ...] = ()

    @property
    def is_main(self) -> bool:
        """Whether it is drawn with its intervals."""
        return bool(self.lows)


@dataclass(frozen=True, kw_only=True)
class Curves:
    """Curves over the values of an attribute: lines where the values have an order, marks where not."""

    places: tuple[str, ...]
    curves: tuple[Curve, ...]
    axis: str
    ordered: bool
    signed: bool = False
    legend_columns: int = 2

    @property
    def is_down(self) -> bool:
        """Whether the values stand below one another, a row each, because their names have no room side by side."""
        return not names_fit_across(self.places)


Panel = Dots | Arrows | Distribution | HeatMap | Curves


@dataclass(frozen=True, kw_only=True)
class Plot:
    """One chart before it is drawn."""

    id: str
    title: str
    alt: str
    panels: tuple[Panel, ...]
    beside: bool = False  # panels stand beside one another, not below


@dataclass(frozen=True, kw_only=True)
class Chart:
    """One chart as drawn: an SVG element, and words for those who do not see it."""

    id: str
    title: str
    svg: str
    alt: str
    is_tall: bool = (
        False  # it stands below what may run over pages: above, it would often leave half of a page empty
    )


def counts_in_bins(values: NDArray[np.float64], top: float) -> tuple[int, ...]:
    """How many values lie in each of the equal steps from 0 to `top`."""
    return tuple(int(number) for number in np.histogram(values, bins=BINS, range=(0.0, top))[0])


def lower_median(steps: NDArray[np.int64]) -> int:
    """The median, or the lower of two: itself one of the figures, so where those are printed, it is."""
    return int(np.sort(steps)[(len(steps) - 1) // 2])


def wrapped(label: str) -> str:
    """A label of a row on a few lines; where several things are named, each line begins with one of them if it can."""
    lines: list[str] = []
    for part in label.split(" · "):
        if lines and width(f"{lines[-1]} · {part}") <= _LABEL_WIDTH:
            lines[-1] += f" · {part}"
        else:
            lines += broken(part, _LABEL_WIDTH)
    if len(lines) <= _LABEL_LINES:
        return "\n".join(lines)
    *most, last = lines[:_LABEL_LINES]
    return "\n".join((*most, cut(last, _LABEL_WIDTH)))


def labels_wide(labels: Sequence[str]) -> float:
    """Inches: how much room the labels of rows take."""
    lines = [line for label in labels for line in wrapped(label).split("\n")]
    return max(map(width, lines), default=0) / CHARACTERS


def _rows_high(labels: Sequence[str]) -> float:
    """Inches: every row is as high as the longest label needs."""
    each = _row_high(labels)
    return max(min(len(labels), _WIDE_ROWS) * each, len(labels) * (each - _CLOSER))


def _row_high(labels: Sequence[str]) -> float:
    return _ROW * (1 + 0.5 * max((wrapped(label).count("\n") for label in labels), default=0))


def height(panel: Panel) -> float:
    """Inches: a row for each mark and room for the axis and the legend."""
    match panel:
        case Dots():
            return _AROUND + _rows_high([mark.label for mark in panel.marks])
        case Arrows():
            return _AROUND + _rows_high(panel.labels)
        case HeatMap():
            return 1.0 + _rows_high(panel.rows)
        case Distribution():
            return 2.0
        case Curves():
            return _legend_height(panel) + (_AROUND + _rows_high(panel.places) if panel.is_down else 2.1)


def curve_names(panel: Curves, names: Sequence[str]) -> list[str]:
    """The names in the legend of a chart of curves, on lines that fit its columns.

    Few values stand in one of two panels beside each other.
    """
    across = WIDTH / 2 if len(panel.places) <= MAX_BESIDE else WIDTH
    inches = across - (labels_wide(panel.places) + 0.25 if panel.is_down else _VALUES_WIDTH)
    room = min(_LABEL_WIDTH, inches * _SMALL_CHARACTERS / panel.legend_columns - MARK_WIDTH)
    return ["\n".join(broken(name, room, _LEGEND_LINES)) for name in names]


def _legend_height(panel: Curves) -> float:
    """Inches: the highest column of the legend."""
    band = [gettext("where the true value lies")] if any(curve.is_main for curve in panel.curves) else []
    names = curve_names(panel, [*(curve.label for curve in panel.curves), *band])
    rows = -(-len(names) // panel.legend_columns)
    columns = [names[start : start + rows] for start in range(0, len(names), rows)]
    return max(sum(0.15 + 0.12 * name.count("\n") for name in column) for column in columns)


def rows_that_fit(labels: Sequence[str]) -> int:
    """How many rows with such labels are drawn one by one: so many that the chart stands on one printed page."""
    return min(MAX_MARKS, int((_TALLEST - _AROUND) / _row_high(labels)))


def fit(labels: Sequence[str]) -> bool:
    """Whether all these rows are drawn one by one."""
    return len(labels) <= rows_that_fit(labels)


def room_across(number: int) -> int:
    """How many characters the name of each of so many values has room for, side by side under an axis."""
    return 72 // number if number > MAX_BESIDE else 9


def names_fit_across(places: Sequence[str]) -> bool:
    """Whether the names of values stand side by side under an axis, on up to three lines each and with no word cut."""
    room = room_across(len(places))
    if len(places) > MAX_ACROSS:
        return False
    return len(places) <= MAX_BESIDE or all(
        len(broken(place, room)) <= 3 and max(map(width, re.split(r"[\s-]+", place))) <= room
        for place in places
    )


# Break names and titles into lines by the width they have when they are drawn, so that no chart is too small
# for them.
#
# Widths are in characters of average width. A W is nearly two of them and an i half a one, so that counting
# letters would let a name of capitals run out of its chart. A letter that the document's font lacks counts as
# wide as letters get.
#
# Guarantee: no line is wider than its room, unless a single letter with its ellipsis is. Where something is
# left out, an ellipsis says so.

_CHARACTER = 0.46
"""The width of an average character, as a part of the size of the type."""

_WIDEST = 1.25
"""The width of a letter that the font lacks, likewise."""

_BLANK = re.compile(r"[ \t\n]+")
_HYPHEN = re.compile(r"(?<=[^\W\d_]-)(?=[^\W\d_])")

ELLIPSIS = " …"


def width(text: str) -> float:
    """How wide a text is, in characters of average width."""
    known = letter_widths()
    return sum(0.0 if unicodedata.combining(c) else known.get(c, _WIDEST) for c in text) / _CHARACTER


def broken(text: str, room: float, most: int | None = None) -> list[str]:
    """A text on lines that fit the room, broken between words if that can be; cut short after `most` lines."""
    lines: list[str] = []
    for word in filter(None, _BLANK.split(text)):
        blank = " "
        for part in _HYPHEN.split(word):
            for piece in _pieces(part, room):
                if lines and width(lines[-1] + blank + piece) <= room:
                    lines[-1] += blank + piece
                else:
                    lines.append(piece)
                blank = ""
    if most is None or len(lines) <= most:
        return lines
    return [*lines[: most - 1], cut(lines[most - 1], room)]


def _pieces(word: str, room: float) -> Iterator[str]:
    """A word, or as much of it as has room at a time: up to its last hyphen, if there is one (100k- and 200k)."""
    piece = ""
    for letter in word:
        if piece and width(piece + letter) > room and not unicodedata.combining(letter):
            end = piece.rfind("-") + 1
            end = end if end > 1 else len(piece)  # a hyphen in front is a sign
            yield piece[:end]
            piece = piece[end:]
        piece += letter
    yield piece


def cut(line: str, room: float) -> str:
    """A line with an ellipsis after as much of it as has room."""
    while len(line) > 1 and width(line + ELLIPSIS) > room:
        line = line[:-1].rstrip()
    return line + ELLIPSIS
