"""Compare a chart of a page with the same chart drawn here, by other versions of the drawing libraries.

Guarantee: a chart in which anything stands but the few elements and attributes that our charts are made of, or other words,
is a finding, whatever library is said to have drawn it: a browser runs, loads and shows nothing that we did not look at.
A mark that stands more than a point off its place is one too. Libraries set labels and legends a little differently, so a
mark's place is taken relative to the frame of its own plot, which may be moved by a few points.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import sub

from atreport.kit.language import say

_TAG = re.compile(r'<(/?)([A-Za-z]+)((?: [A-Za-z:-]+="[^"<>&]*")*) ?(/?)>')
_ATTRIBUTE = re.compile(r' ([A-Za-z:-]+)="([^"]*)"')
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
_INSIDE = re.compile(r"^#[\w-]+$|^url\(#[\w-]+\)$")

_ALLOWED: Mapping[str, frozenset[str]] = {
    "svg": frozenset({"xmlns", "xmlns:xlink", "class", "role", "aria-labelledby", "viewBox", "style"}),
    "title": frozenset({"id"}),
    "defs": frozenset(),
    "g": frozenset({"clip-path", "style", "transform"}),
    "path": frozenset({"id", "d", "style", "clip-path", "transform"}),
    "use": frozenset({"xlink:href", "x", "y", "style"}),
    "text": frozenset({"style", "x", "y", "transform"}),
    "clipPath": frozenset({"id"}),
    "rect": frozenset({"x", "y", "width", "height", "style", "clip-path"}),
}
"""Everything that a chart of ours is made of."""

_STYLES = frozenset(
    {
        "fill", "fill-opacity", "font-family", "font-size", "font-weight", "opacity", "stroke", "stroke-dasharray",
        "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-opacity", "stroke-width",
        "text-anchor",
    }
)  # fmt: skip
_STYLE_VALUE = re.compile(r"[\w#.,% '()-]*")
_LENGTHS = frozenset({"x", "y", "width", "height", "d", "transform", "viewBox"})
_LINKS = frozenset({"id", "clip-path", "xlink:href"})

POINT = 1.0
"""How far a mark may be off."""
_FRAME = 4.0
"""How far the frame of a plot may be off: labels beside it are set a little wider or narrower."""


class Foreign(ValueError):
    """What is in a chart that none of ours has, in the language that is spoken."""


@dataclass(frozen=True)
class _Token:
    """A tag or a text."""

    kind: str  # "<" opens, "/" closes, "" text
    name: str  # of the element, or the text
    attributes: Mapping[str, str]


@dataclass(frozen=True)
class ChartComparison:
    """What is wrong with a chart, if anything, and whether it could be compared mark by mark."""

    finding: str | None = None
    compared: bool = True


def compare_charts(found: str, made: str) -> ChartComparison:
    """A chart as found beside the same drawn here; both whole `svg` elements."""
    if found == made:
        return ChartComparison()
    try:
        tokens = list(_tokens(found))
    except Foreign as error:
        return ChartComparison(str(error))
    expected = list(_tokens(made))
    words, right = ([t.name for t in each if not t.kind] for each in (tokens, expected))
    if words != right:
        other = next((word for word in words if word not in right), None)
        return ChartComparison(
            say("does not have the words that the figures give")
            if other is None
            else say("says “{text}”", text=other[:60])
        )
    if [(t.kind, t.name, [*t.attributes]) for t in tokens] != [
        (t.kind, t.name, [*t.attributes]) for t in expected
    ]:
        return ChartComparison(compared=False)
    return _compare_places(tokens, expected)


def _tokens(chart: str) -> Iterator[_Token]:
    """Tags and texts. Raises :class:`Foreign` for anything that no chart of ours has."""
    place = 0
    while place < len(chart):
        if chart[place] != "<":
            end = chart.find("<", place)
            text = chart[place:end] if end >= 0 else chart[place:]
            place += len(text)
            if text.strip():
                yield _Token("", text.strip(), {})
            continue
        tag = _TAG.match(chart, place)
        if tag is None:
            raise Foreign(say("holds “{text}”", text=chart[place : place + 60]))
        closing, name, written, empty = tag.groups()
        if name == "svg" and not closing and place > 0:
            raise Foreign(say("holds another drawing"))
        place = tag.end()
        attributes = dict(_ATTRIBUTE.findall(written))
        _refuse_foreign(name, attributes, written.count('="'))
        if not closing:
            yield _Token("<", name, attributes)
        if closing or empty:
            yield _Token("/", name, {})


def _refuse_foreign(name: str, attributes: Mapping[str, str], number: int) -> None:
    if name not in _ALLOWED:
        raise Foreign(say("holds the element “{name}”", name=name[:40]))
    foreign = attributes.keys() - _ALLOWED[name]
    if foreign or number != len(attributes):
        raise Foreign(say("holds the attribute “{name}”", name=min(foreign, default=name)[:40]))
    for key, value in attributes.items():
        if key in ("clip-path", "xlink:href") and not _INSIDE.match(value):
            raise Foreign(say("refers to “{target}”", target=value[:60]))
        if key == "style":
            for declaration in filter(None, (part.strip() for part in value.split(";"))):
                style, _, of = declaration.partition(":")
                if style.strip() not in _STYLES or not _STYLE_VALUE.fullmatch(of) or "url" in of:
                    raise Foreign(say("holds the style “{style}”", style=declaration[:60]))


def _compare_places(tokens: list[_Token], expected: list[_Token]) -> ChartComparison:
    """Tokens of the same kinds in the same order: are they drawn alike, and at the same places?"""
    names: dict[str, str] = {}
    frame = _Frame.same()
    compared = True
    marks = _are_marks(expected)
    for found, made, mark in zip(tokens, expected, marks, strict=True):
        if not _same_look(found.attributes, made.attributes, names):
            return ChartComparison(say("is drawn in another way than the figures give"))
        if _is_frame(made):
            frame = _Frame.between(found.attributes["d"], made.attributes["d"]) or frame
        off = _off(found.attributes, made.attributes, frame)
        if off is None:
            return ChartComparison(say("has lines of another form than the figures give"))
        if off > (_FRAME if made.name == "rect" else POINT) and mark:
            return ChartComparison(say("has a mark {points} points off its place", points=f"{off:.0f}"))
        compared = compared and off <= POINT
    return ChartComparison(compared=compared)


def _are_marks(tokens: list[_Token]) -> list[bool]:
    """For each token, whether it shows a figure: what is drawn inside the frame of a plot is clipped by it.

    The clips themselves count too: one that is moved hides marks.
    """
    found: list[bool] = []
    open_groups: list[bool] = []
    for token in tokens:
        if token.kind == "<":
            clips = token.name == "clipPath" or "clip-path" in token.attributes
            inside = clips or (bool(open_groups) and open_groups[-1])
            open_groups.append(inside)
        elif token.kind == "/":
            open_groups.pop()
        found.append(bool(open_groups) and open_groups[-1])
    return found


def _same_look(found: Mapping[str, str], made: Mapping[str, str], names: dict[str, str]) -> bool:
    """Styles, and links by whatever names."""
    for key, value in made.items():
        if key in _LINKS:
            if names.setdefault(value.strip("url(#)"), found[key].strip("url(#)")) != found[key].strip(
                "url(#)"
            ):
                return False
        elif key not in _LENGTHS and _declared(found[key]) != _declared(value):
            return False
    return True


def _declared(style: str) -> set[str]:
    return {part.strip() for part in style.split(";")}


def _is_frame(token: _Token) -> bool:
    """The background of a plot, with which matplotlib begins it: a rectangle that is not filled."""
    return (
        token.name == "path"
        and token.attributes.get("style") == "fill: none"
        and "id" not in token.attributes
    )


@dataclass(frozen=True)
class _Frame:
    """How the frame of a plot, as found, lies on the one drawn here: factor and shift for each direction."""

    x: tuple[float, float]
    y: tuple[float, float]

    @classmethod
    def same(cls) -> _Frame:
        """Nothing is moved."""
        return cls((1.0, 0.0), (1.0, 0.0))

    @classmethod
    def between(cls, found: str, made: str) -> _Frame | None:
        """From the paths of both frames; None where they are too far apart, so that nothing is moved."""
        ours, theirs = ([float(n) for n in _NUMBER.findall(path)] for path in (made, found))
        if len(ours) != len(theirs) or len(ours) < 4:
            return None
        if max(map(abs, map(sub, ours, theirs))) > _FRAME:
            return None
        sides = []
        for start in (0, 1):
            a, b = (sorted({min(of[start::2]), max(of[start::2])}) for of in (theirs, ours))
            if len(a) != 2 or len(b) != 2:
                return None
            factor = (b[1] - b[0]) / (a[1] - a[0])
            sides.append((factor, b[0] - a[0] * factor))
        return cls(sides[0], sides[1])

    def moved(self, number: float, place: int) -> float:
        """A coordinate as found, where it would stand in the frame drawn here."""
        factor, shift = self.x if place % 2 == 0 else self.y
        return number * factor + shift


def _off(found: Mapping[str, str], made: Mapping[str, str], frame: _Frame) -> float | None:
    """The furthest that a coordinate is off; None where the two do not have the same form."""
    furthest = 0.0
    for key in made.keys() & _LENGTHS:
        theirs, ours = (_NUMBER.split(of[key]) for of in (found, made))
        if [piece.strip() for piece in theirs] != [piece.strip() for piece in ours]:
            return None
        theirs, ours = (_NUMBER.findall(of[key]) for of in (found, made))
        in_frame = key in ("d", "x", "y") and "id" not in made
        for place, (a, b) in enumerate(zip(theirs, ours, strict=True)):
            direction = 1 if key == "y" else place
            here = frame.moved(float(a), direction) if in_frame else float(a)
            furthest = max(furthest, min(abs(here - float(b)), abs(float(a) - float(b))))
    return furthest
