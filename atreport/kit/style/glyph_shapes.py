"""Whether the figures of a font look like what they are: a font that draws a 1 for every 7 would make a page lie.

Each digit, and each sign that changes what a number says, is laid on a grid and compared with those of the fonts of reports,
which are installed with the program: it has to look more like itself than like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont

from atreport.kit.fonts import HEADING, STRONG, TEXT

DIGITS = "0123456789"
_POINTS = 32
"""Of the grid, each way."""
_SOFTER = 3
"""How often a grid is blurred, so that thin and bold strokes that run alike look alike."""
_CURVE = np.linspace(0, 1, 9)[1:, None]
"""Into how many straight pieces a curve is cut, by where they end."""

_SIGNS = {
    #      lowest, highest, least and most height, least width
    ".": (-0.12, 0.35, 0.04, 0.4, 0.04),
    ",": (-0.5, 0.4, 0.08, 0.7, 0.03),
    ":": (-0.12, 0.9, 0.3, 0.95, 0.03),
    "%": (-0.4, 1.4, 0.6, 1.6, 0.4),
    "+": (-0.25, 1.1, 0.3, 1.1, 0.3),
    "-": (0.1, 0.7, 0.02, 0.3, 0.1),
}
"""Where a sign stands beside digits, and how large it is, in heights of a digit. What hardly any font breaks, and a sign
that is drawn as another or as nothing does."""

Grid = np.ndarray[Any, np.dtype[np.float64]]


def other_looks(font: TTFont) -> Iterator[str]:
    """The digits and signs of a font that look like another, or like nothing; a font has to have them all."""
    names, glyphs = font.getBestCmap(), font.getGlyphSet()
    edges = {
        character: _edges(glyphs, names[ord(character)]) if ord(character) in names else _NOTHING
        for character in (*DIGITS, *_SIGNS)
    }
    if nothing := [character for character, drawn in edges.items() if not len(drawn)]:
        yield from nothing
        return
    for digit in DIGITS:
        if _known() and _nearest(_grid(edges[digit])) != digit:
            yield digit
    high = max(edges[digit][..., 1].max() for digit in DIGITS)
    for sign, looks in _SIGNS.items():
        if not _stands(edges[sign] / high, *looks):
            yield sign
    if edges[","][..., 1].min() > edges["."][..., 1].min() - 0.03 * high:
        yield ","


def _nearest(grid: Grid) -> str:
    """The digit that looks most like this one."""
    known = _known()
    return min(DIGITS, key=lambda digit: min(float(np.abs(grid - each).mean()) for each in known[digit]))


def _stands(edges: Grid, lowest: float, highest: float, least: float, most: float, width: float) -> bool:
    low, top = edges.min(axis=(0, 1)), edges.max(axis=(0, 1))
    wide, high = top - low
    return bool(lowest <= low[1] and top[1] <= highest and least <= high <= most and wide >= width)


@cache
def _known() -> dict[str, list[Grid]]:
    """How digits look in the fonts of reports; none where those are not installed."""
    found: dict[str, list[Grid]] = {}
    for path in filter(None, (face.path for face in (TEXT, STRONG, HEADING))):
        with TTFont(path, lazy=True) as font:
            names, glyphs = font.getBestCmap(), font.getGlyphSet()
            for digit in DIGITS:
                found.setdefault(digit, []).append(_grid(_edges(glyphs, names[ord(digit)])))
    return found


def _grid(edges: Grid) -> Grid:
    """How dark an outline is on a grid as high as itself, and one and a half times as wide, after it was blurred."""
    low, top = edges.min(axis=(0, 1)), edges.max(axis=(0, 1))
    height, middle = max(top[1] - low[1], 1e-9), (low[0] + top[0]) / 2
    steps = (np.arange(_POINTS) + 0.5) / _POINTS
    grid = _inside(edges, middle + 1.5 * height * (steps - 0.5), low[1] + height * steps)
    for _ in range(_SOFTER):
        for axis in (0, 1):
            grid = (np.roll(grid, 1, axis) + grid + np.roll(grid, -1, axis)) / 3
    return grid


def _inside(edges: Grid, xs: Grid, ys: Grid) -> Grid:
    """Inside is where the outline goes round once or more (nonzero winding, as fonts are filled)."""
    (x1, y1), (x2, y2) = edges[:, 0].T, edges[:, 1].T
    y = ys[:, None]
    up, down = (y1 <= y) & (y < y2), (y2 <= y) & (y < y1)
    rise = np.where(y1 == y2, 1.0, y2 - y1)
    crossing = x1 + (y - y1) / rise * (x2 - x1)
    right = crossing[:, None, :] > xs[None, :, None]
    winding = (right & up[:, None, :]).sum(axis=2) - (right & down[:, None, :]).sum(axis=2)
    return np.asarray(winding != 0, dtype=float)


def _edges(glyphs: Any, name: str) -> Grid:
    """The outline of a glyph as straight pieces: begin and end of each."""
    pen = _Straight(glyphs)
    glyphs[name].draw(pen)
    return np.array(pen.edges, dtype=float).reshape(-1, 2, 2)


_NOTHING: Grid = np.empty((0, 2, 2))


class _Straight(BasePen):  # type: ignore[misc]
    """Draws with straight lines alone."""

    def __init__(self, glyphs: Any) -> None:
        super().__init__(glyphs)
        self.edges: list[tuple[Any, Any]] = []
        self._at: Any = (0, 0)
        self._begin: Any = (0, 0)

    def _moveTo(self, pt: Any) -> None:  # noqa: N802 the names are those of the library
        self._at = self._begin = pt

    def _lineTo(self, pt: Any) -> None:  # noqa: N802
        self.edges.append((self._at, pt))
        self._at = pt

    def _curveToOne(self, pt1: Any, pt2: Any, pt3: Any) -> None:  # noqa: N802
        a, b, c, d = (np.array(point, dtype=float) for point in (self._at, pt1, pt2, pt3))
        t = _CURVE
        for point in (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d:
            self._lineTo(tuple(point))

    def _closePath(self) -> None:  # noqa: N802
        self._lineTo(self._begin)

    def _endPath(self) -> None:  # noqa: N802
        self._lineTo(self._begin)
