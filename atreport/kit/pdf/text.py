"""Which text the glyphs of a font stand for, by the table that the font carries for copying, searching and listening."""

from __future__ import annotations

from functools import cache
from typing import Any

from pypdf.generic import ContentStream, StreamObject

_CODE = 2
"""Bytes that name a glyph, in the fonts that a report embeds."""


def letters_of(font: Any) -> dict[bytes, str]:
    """Glyph → text. Raises KeyError where a font has no such table."""
    return _letters(font["/ToUnicode"].get_object().get_data())


@cache
def _letters(table: bytes) -> dict[bytes, str]:
    """Glyph → text; the entries of the table are written like the operators of a page."""
    stream = StreamObject()
    stream.set_data(table)
    letters: dict[bytes, str] = {}
    for operands, operator in ContentStream(stream, None, "bytes").operations:
        if operator == b"endbfchar":
            for glyph, text in zip(operands[::2], operands[1::2], strict=True):
                if bytes(glyph) in letters:
                    raise ValueError("a glyph that stands for two texts")
                letters[bytes(glyph)] = bytes(text).decode("utf-16-be", errors="replace")
        elif operator == b"endbfrange":
            raise ValueError("a font whose letters are written in another way")
    return letters


def codes_of(glyphs: bytes) -> list[bytes]:
    """The codes of some glyphs, one by one."""
    return [glyphs[start : start + _CODE] for start in range(0, len(glyphs), _CODE)]


def read_glyphs(glyphs: bytes, letters: dict[bytes, str]) -> str:
    """The text of some glyphs; one that is not in the table shows as U+FFFD."""
    return "".join(letters.get(code, "\ufffd") for code in codes_of(glyphs))
