"""Read a font, cut it down and say what is wrong with it: what the process runs that `font_file.py` starts for it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fontTools import subset
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont, newTable

from atreport.kit.language import message
from atreport.kit.language.later import Remembered, say_later
from atreport.kit.style.font_file import NotAFont
from atreport.kit.style.glyph_shapes import other_looks

_TABLES = {"GlyphOrder", "OS/2", "cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "name", "post"}
_KEPT = (
    (0x20, 0x24F), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x4FF), (0x1E00, 0x1EFF), (0x2010, 0x205E), (0x20A0, 0x20BF),
)  # fmt: skip
"""Latin, Greek and Cyrillic letters, marks of punctuation and money: what a house font is chosen for."""
_NOT_KEPT = {0xAD, 0xB1, 0xD7, 0xF7}
"""Signs of arithmetic are those of every report."""
_NAMES = (*range(7), 13, 14)
"""What a font is called, whose it is, and its licence."""
_CURVES = 1.0
"""By how many units of a font a cubic curve may differ from the quadratic ones in its place."""
_PERMISSIONS = {
    0x0002: message("its licence bits (fsType) forbid embedding"),
    0x0004: message(
        "its licence bits (fsType) allow embedding for print and preview only, and a report is also a page and a file"
    ),
    0x0008: message(
        "its licence bits (fsType) allow embedding in documents only, and a cut-down copy is published beside them"
    ),
    0x0100: message("its licence bits (fsType) forbid cutting it down"),
    0x0200: message("its licence bits (fsType) allow pictures of letters only"),
}


def prepare(content: bytes) -> bytes:
    """The font that is published, as the process makes it that was started for it."""
    with _opened(content) as font:
        if "fvar" in font:
            raise NotAFont("it is a variable font; give one cut of it, such as Regular")
        if not {"glyf", "CFF "} & {*font.keys()}:
            raise NotAFont("it has no outlines of letters")
        for problem in _problems(font):
            raise NotAFont(problem)
        options = subset.Options(
            layout_features=[],
            hinting=False,
            notdef_outline=True,
            recalc_timestamp=False,
            name_IDs=[*_NAMES],
            legacy_kern=False,
        )
        cutter = subset.Subsetter(options)
        kept = {code for first, last in _KEPT for code in range(first, last + 1)} - _NOT_KEPT
        cutter.populate(unicodes=kept & {*font.getBestCmap()})
        cutter.subset(font)
        if "CFF " in font:
            _to_truetype(font)
        for name in {*font.keys()} - _TABLES:
            del font[name]
        font["cmap"].tables = [table for table in font["cmap"].tables if _is_plain(table)]
        font["post"].formatType = 3.0
        buffer = io.BytesIO()
        font.save(buffer)
    return buffer.getvalue()


def refuse_foreign(content: bytes) -> bytes:
    """Look at a published font, in the process that was started for it. Raises :class:`NotAFont` where it is none."""
    with _opened(content) as font:
        if {*font.keys()} != _TABLES:
            raise NotAFont(say_later("it holds something besides outlines and widths of letters"))
        if not all(map(_is_plain, font["cmap"].tables)):
            raise NotAFont(say_later("it maps characters to letters in another way than Unicode does"))
        for problem in _problems(font):
            raise NotAFont(problem)
    return b""


@contextmanager
def _opened(content: bytes) -> Iterator[Any]:
    """A font whose tables were read. Whatever goes wrong with it: :class:`NotAFont`."""
    try:
        with TTFont(io.BytesIO(content), recalcTimestamp=False, lazy=False) as font:
            if font.getBestCmap() is None:
                raise NotAFont(say_later("it has no letters"))
            yield font
    except (NotAFont, MemoryError):
        raise
    except Exception:  # the reader of fonts ends in as many ways as files can be damaged
        raise NotAFont(say_later("it is damaged")) from None


def _problems(font: Any) -> Iterator[Remembered]:
    """What is wrong with a font whose tables can be read."""
    allowed = font["OS/2"].fsType
    yield from (say_later(problem) for bit, problem in _PERMISSIONS.items() if allowed & bit)
    letters = font.getBestCmap()
    for table in filter(_is_plain, font["cmap"].tables):  # programs differ in which of them they use
        if any(letters.get(code) != name for code, name in table.cmap.items()):
            yield say_later("its tables draw one character as two different letters")
            return
    if missing := [chr(code) for code in range(0x21, 0x7F) if code not in letters]:
        yield say_later(
            "it lacks {signs}, and a font of a report has all letters, digits and signs of ASCII",
            signs=" ".join(missing[:10]),
        )
        return
    em, head, widths = font["head"].unitsPerEm, font["hhea"], font["hmtx"]
    if not (
        0.5 * em <= head.ascent <= 1.7 * em and -0.9 * em <= head.descent <= 0 and 0 <= head.lineGap <= em
    ):
        yield say_later("its lines are much higher or lower than its letters")
    if bad := [
        chr(code) for code in range(0x21, 0x7F) if not 0.08 * em <= widths[letters[code]][0] <= 1.6 * em
    ]:
        yield say_later(
            "its {signs} takes no room, or too much, so that letters stand on one another",
            signs=" ".join(bad[:10]),
        )
    if bad := [chr(code) for code in range(0x21, 0x7F) if not _on_its_place(font, letters[code])]:
        yield say_later(
            "its {signs} is drawn far from its place, over other letters", signs=" ".join(bad[:10])
        )
    if bad := list(other_looks(font)):
        yield say_later(
            "its {signs} looks like another sign, or like nothing, beside the fonts of reports",
            signs=" ".join(bad),
        )


def _is_plain(table: Any) -> bool:
    """Whether a map leads from Unicode to letters, one by one."""
    return bool(table.isUnicode() and table.format in (4, 12))


def _on_its_place(font: Any, name: str) -> bool:
    """Whether a letter is drawn where it stands: not over its neighbours, nor over other lines."""
    em, width = font["head"].unitsPerEm, font["hmtx"][name][0]
    pen = BoundsPen(font.getGlyphSet())
    font.getGlyphSet()[name].draw(pen)
    left, low, right, top = pen.bounds or (0, 0, 0, 0)
    return bool(-0.4 * em <= left and right <= width + 0.4 * em and -0.7 * em <= low and top <= 1.4 * em)


def _to_truetype(font: Any) -> None:
    """Outlines of OpenType (CFF) as those of TrueType, which every page and PDF of a report has."""
    order, glyphs = font.getGlyphOrder(), font.getGlyphSet()
    outlines = {}
    for name in order:
        pen = TTGlyphPen(glyphs)
        glyphs[name].draw(Cu2QuPen(pen, _CURVES, reverse_direction=True))
        outlines[name] = pen.glyph()
    font["loca"], font["glyf"] = newTable("loca"), newTable("glyf")
    font["glyf"].glyphOrder, font["glyf"].glyphs = order, outlines
    for name, outline in outlines.items():
        outline.recalcBounds(font["glyf"])
        font["hmtx"][name] = (font["hmtx"][name][0], getattr(outline, "xMin", 0))
    most = font["maxp"] = newTable("maxp")
    most.tableVersion = 0x00010000
    most.maxZones, most.maxTwilightPoints, most.maxStorage, most.maxFunctionDefs = 1, 0, 0, 0
    most.maxInstructionDefs = most.maxStackElements = most.maxSizeOfInstructions = 0
    most.maxComponentElements = most.maxComponentDepth = 0
    most.numGlyphs = len(order)
    font.sfntVersion = "\0\1\0\0"
    font["post"].extraNames, font["post"].mapping = [], {}
