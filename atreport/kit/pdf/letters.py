"""Check that the letters of a PDF look like what they are said to be: a font can draw a 1 where a 7 is read aloud.

Every Latin letter and digit must be drawn as in the fonts of reports, which are installed with the program, outline by
outline. Other characters may come from any font of the machine where the PDF was made.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cache
from typing import Any

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont

from atreport.kit.fonts import HEADING, STRONG, TEXT
from atreport.kit.language.later import Remembered, say_later
from atreport.kit.pdf.text import letters_of

Outlines = Mapping[str, Set[tuple[int, str]]]
"""How a letter may be drawn: units of the font, and the outline."""


def letter_findings(fonts: Iterable[tuple[Any, set[bytes]]]) -> Iterator[Remembered]:
    """What is wrong with the letters of some fonts of a PDF, of which these glyphs are in use."""
    if not _outlines():  # the fonts are not installed here, and no report made here would have them
        return
    for descriptor, letters in _by_descriptor(fonts):
        program = descriptor.get("/FontFile2")
        if letters and (program is None or not _as_read(program.get_object().get_data(), letters)):
            yield say_later("a font in which letters look otherwise than they are read")


def _by_descriptor(fonts: Iterable[tuple[Any, set[bytes]]]) -> Iterator[tuple[Any, set[tuple[int, str]]]]:
    """Every font once, with its glyphs in use that are said to be Latin letters and digits: number and text."""
    found: dict[int, tuple[Any, set[tuple[int, str]]]] = {}
    for font, used in fonts:
        descriptor = font["/DescendantFonts"][0].get_object()["/FontDescriptor"].get_object()
        letters = letters_of(font)
        plain = {
            (int.from_bytes(code, "big"), text)
            for code in used
            if (text := letters.get(code, "")).isascii() and text.isalnum()
        }
        found.setdefault(id(descriptor), (descriptor, set()))[1].update(plain)
    yield from found.values()


def _as_read(program: bytes, letters: set[tuple[int, str]]) -> bool:
    """Whether each glyph is drawn as the letter that it is said to be."""
    with TTFont(io.BytesIO(program), lazy=True) as read:
        glyphs, order, unit = read.getGlyphSet(), read.getGlyphOrder(), read["head"].unitsPerEm
        return all(
            len(text) == 1
            and number < len(order)
            and (unit, _outline(glyphs, order[number])) in _outlines().get(text, ())
            for number, text in letters
        )


@cache
def _outlines() -> Outlines:
    """How each Latin letter and digit is drawn, in any of the fonts of reports."""
    found: dict[str, set[tuple[int, str]]] = {}
    for face in (TEXT, STRONG, HEADING):
        if (path := face.path) is not None:
            for letter, outlines in _outlines_of_file(path.read_bytes()).items():
                found.setdefault(letter, set()).update(outlines)
    return found


def _outlines_of_file(content: bytes) -> Outlines:
    """How each Latin letter and digit is drawn in a font."""
    with TTFont(io.BytesIO(content), lazy=True) as read:
        glyphs, unit = read.getGlyphSet(), read["head"].unitsPerEm
        return {
            chr(code): {(unit, _outline(glyphs, name))}
            for code, name in read.getBestCmap().items()
            if chr(code).isascii() and chr(code).isalnum()
        }


def _outline(glyphs: Any, name: str) -> str:
    pen = DecomposingRecordingPen(glyphs)
    glyphs[name].draw(pen)
    return repr(pen.value)
