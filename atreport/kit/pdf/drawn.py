"""Turn the pages of a PDF into lines of text in the order in which they were drawn, and name what hides or replaces text.

Guarantee: text that is drawn is in a line, or what draws it is named. Of the operators of PDF only those are known here that
set the pages of a report; any other is named. Outside charts text is upright, of readable size, on the page and not in the
colour of its ground, nothing is painted but straight lines and rectangles, and nothing over text that stands there already.

Text is looked up in the tables that the file itself gives to copy and to search, which is also what a screen reader
hears; `letters.py` checks that these tables say what is seen. pypdf's `extract_text` would take this walk over too, but
it is made to get something out of any file, and leaves out what it cannot decode.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from atreport.kit.language.later import Remembered, say_later
from atreport.kit.pdf.content import Gathered, Line, Picture, without_space
from atreport.kit.pdf.geometry import (
    PAGE,
    Box,
    Matrix,
    box_of,
    inside,
    meet,
    overlap,
    scale_of,
    times,
    widened,
)
from atreport.kit.pdf.operators import operations
from atreport.kit.pdf.text import codes_of, letters_of, read_glyphs
from atreport.kit.style.png_logo import digest_of

_DEEPEST = 6
"""Drawings inside drawings."""
_THIN = 1.6
"""Points: a line no thicker than this underlines or borders; anything else over text hides it."""
_KNOWN = frozenset(
    b"q Q cm gs w J j M d m l c h re S s f f* B B* b b* n W W* BT ET Tf Tm TJ Tj Tr rg RG BDC BMC EMC Do".split()
)
_CHARTS_ONLY = frozenset(b"c B B* b b* Do d J j M s".split())
_PAINTS = frozenset(b"S s f f* B B* b b*".split())
_FILLS = _PAINTS - {b"S", b"s"}
_WHITE = (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class _State:
    """What q keeps and Q brings back."""

    matrix: Matrix
    clip: Box
    fill: tuple[float, ...] = (0.0, 0.0, 0.0)
    opaque: bool = True
    width: float = 1.0  # of lines


class PageReader:
    """Reads one page."""

    @staticmethod
    def budget(size: int) -> list[int]:
        """How many operators a file of this size may have, drawings used again included; shared by its pages."""
        return [200_000 + 2 * size]

    def __init__(self, page: Any, number: int, budget: list[int], found: Gathered) -> None:
        self.page, self.number, self.left, self.found = page, number, budget, found
        self.fonts: list[tuple[Any, set[bytes]]] = []  # those in use, each with its glyphs that are
        self._box = box_of(
            [(float(a), float(b)) for a, b in zip(*[iter(page["/MediaBox"])] * 2, strict=True)]
        )
        self._texts: list[Box] = []
        self._grounds: list[tuple[Box, tuple[float, ...]]] = []
        self._inside: list[str] = []  # the kinds of content that are open

    def name(self, what: Remembered) -> None:
        """Something on this page that no page of a report has."""
        self.found.name(say_later("{what} on page {page}", what=what, page=self.number))

    def lines(self) -> Iterator[Line]:
        """The lines of the page."""
        if not inside(self._box, PAGE):
            self.name(say_later("a sheet of another size"))
        contents = self.page.get_contents()
        if contents is not None:
            yield from self._walk(self.page, contents, _State((1, 0, 0, 1, 0, 0), self._box), 0)

    @property
    def _in_chart(self) -> bool:
        return "/Figure" in self._inside

    def _walk(self, owner: Any, contents: Any, state: _State, depth: int) -> Iterator[Line]:
        resources = owner["/Resources"].get_object()
        kept: list[_State] = []
        path: list[tuple[float, float]] = []
        clip_next, text_matrix, size = False, state.matrix, 0.0
        letters: dict[bytes, str] = {}
        used: set[bytes] = set()
        for operands, operator in operations(contents.get_data()):
            self.left[0] -= 1
            if self.left[0] < 0:
                raise ValueError("more operators than a report of this size has")
            if operator not in _KNOWN:
                self.name(say_later("the operator “{name}”", name=operator.decode("latin-1")[:20]))
            elif operator in _CHARTS_ONLY and not self._in_chart:
                self.name(say_later("a drawing outside charts"))
            match operator:
                case b"q":
                    kept.append(state)
                case b"Q":
                    state = kept.pop()
                case b"cm" | b"gs" | b"w" | b"rg":
                    state = _changed(state, operator, operands, resources)
                case b"m" | b"l" | b"c":
                    points = _numbers(operands, 6 if operator == b"c" else 2)
                    path += zip(points[::2], points[1::2], strict=True)
                case b"re":
                    x, y, width, height = _numbers(operands, 4)
                    path += [(x, y), (x + width, y), (x, y + height), (x + width, y + height)]
                case b"W" | b"W*":
                    clip_next = True
                case b"BDC" | b"BMC":
                    self._open(operands)
                case b"EMC":
                    self._inside.pop()
                case b"Do":
                    yield from self._drawing(
                        resources["/XObject"][operands[0]].get_object(), owner, state, depth
                    )
                case b"Tr" if int(operands[0]) != 0:
                    self.name(say_later("invisible text"))
                case b"Tf":
                    font = resources["/Font"][operands[0]].get_object()
                    used = self._used(font)
                    letters, size = letters_of(font), float(operands[1])
                case b"Tm":
                    text_matrix = times(_numbers(operands, 6), state.matrix)
                case b"TJ" | b"Tj":
                    glyphs = _glyphs(operands[0] if operator == b"TJ" else operands)
                    used.update(codes_of(glyphs))
                    text = read_glyphs(glyphs, letters)
                    if shown := without_space(text):
                        self._set(state, text_matrix, size, len(text))
                        yield Line(shown, self._in_chart)
            if operator in _PAINTS or operator == b"n":
                if path:
                    state = self._painted(state, operator, box_of(path, state.matrix), clip=clip_next)
                path, clip_next = [], False
        if kept:
            self.name(say_later("a drawing that does not end"))

    def _used(self, font: Any) -> set[bytes]:
        """The glyphs of a font that are in use, to be added to."""
        for known, used in self.fonts:
            if known is font:
                return used
        self.fonts.append((font, set()))
        return self.fonts[-1][1]

    def _open(self, operands: Any) -> None:
        kind = str(operands[0])
        if kind not in ("/Span", "/Artifact", "/Figure"):
            self.name(say_later("content marked as “{kind}”", kind=kind[1:40]))
        further = operands[1] if len(operands) > 1 else set()
        if not isinstance(further, set):
            self.name(say_later("content that can be switched off"))
        elif further - {"/MCID"}:
            self.name(say_later("content with another text for those who listen"))
        self._inside.append(kind)

    def _drawing(self, inner: Any, owner: Any, state: _State, depth: int) -> Iterator[Line]:
        if depth >= _DEEPEST:
            raise ValueError("drawings inside drawings without end")
        if inner.get("/Subtype") != "/Form":
            self._picture(inner, state)
            return
        matrix = times(_numbers(inner.get("/Matrix", (1, 0, 0, 1, 0, 0)), 6), state.matrix)
        yield from self._walk(
            inner if "/Resources" in inner else owner, inner, replace(state, matrix=matrix), depth + 1
        )

    def _picture(self, inner: Any, state: _State) -> None:
        """A picture is shown: whether it is the logo is for those to say who know the logo."""
        plain = inner.get("/ColorSpace") == "/DeviceRGB" and inner.get("/BitsPerComponent") == 8
        if not plain or inner.get("/Subtype") != "/Image":
            self.name(say_later("a picture of another kind than a logo"))
        elif any(overlap(text, box_of([(0, 0), (1, 1)], state.matrix)) > 0.3 for text in self._texts):
            self.name(say_later("a picture over text"))
        else:
            digest = digest_of(int(inner["/Width"]), int(inner["/Height"]), inner.get_data())
            self.found.pictures.append(Picture(self.number, digest))

    def _painted(self, state: _State, operator: bytes, box: Box, *, clip: bool) -> _State:
        """A path was painted, or becomes the edge of what is seen."""
        if clip:
            state = replace(state, clip=meet(state.clip, box))
        if operator in _PAINTS:
            wide = 0.0 if operator in (b"f", b"f*") else state.width * scale_of(state.matrix)
            shown = meet(widened(box, wide / 2), state.clip)
            filled = operator in _FILLS and min(shown[2] - shown[0], shown[3] - shown[1]) > _THIN
            if (filled or wide > _THIN) and any(overlap(text, shown) > 0.3 for text in self._texts):
                self.name(say_later("paint over text"))
            if filled and not self._in_chart:
                self._grounds.append((shown, state.fill))
        return state

    def _set(self, state: _State, matrix: Matrix, size: float, number: int) -> None:
        """Text was set: can it be read where it stands?"""
        high = abs(size) * (matrix[2] ** 2 + matrix[3] ** 2) ** 0.5
        box = box_of([(0, 0), (0.3 * number * size, 0.6 * size)], matrix)
        origin = (matrix[4], matrix[5], matrix[4], matrix[5])
        if not inside(origin, state.clip, by=1.0) or not inside(origin, self._box):
            self.name(say_later("text outside of what is seen"))
        if not 4 <= high <= 60:
            self.name(say_later("text too small or too large to be read"))
        if self._in_chart:
            return
        ground = next((colour for area, colour in reversed(self._grounds) if inside(origin, area)), _WHITE)
        if not state.opaque or abs(_light(ground) - _light(state.fill)) < 0.25:
            self.name(say_later("text in the colour of its ground"))
        self._texts.append(box)


def _changed(state: _State, operator: bytes, operands: Any, resources: Any) -> _State:
    """The state after an operator that changes it."""
    match operator:
        case b"cm":
            return replace(state, matrix=times(_numbers(operands, 6), state.matrix))
        case b"w":
            return replace(state, width=_numbers(operands, 1)[0])
        case b"rg":
            return replace(state, fill=_numbers(operands, 3))
    found = resources["/ExtGState"][operands[0]]
    return replace(state, opaque=float(found["/ca"]) >= 0.5) if "/ca" in found else state


def _numbers(operands: Any, number: int) -> tuple[Any, ...]:
    found = tuple(float(each) for each in operands)
    if len(found) != number or not all(abs(each) < 1e7 for each in found):
        raise ValueError("an operator with other operands than it takes")
    return found


def _light(colour: tuple[float, ...]) -> float:
    return sum(part * share for part, share in zip(colour, (0.3, 0.59, 0.11), strict=True))


def _glyphs(pieces: Any) -> bytes:
    """The glyphs of a piece of text; between them may stand how far they are moved apart, by less than a letter."""
    glyphs = b""
    for piece in pieces:
        if isinstance(piece, bytes):
            glyphs += piece
        elif isinstance(piece, str) or abs(piece) > 1000:
            raise ValueError("text that is written in another way")
    return glyphs
