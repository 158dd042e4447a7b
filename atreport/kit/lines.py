"""Break names and titles into lines by the width they have when they are drawn, so that no chart is too small for them.

Widths are in characters of average width. A W is nearly two of them and an i half a one, so that counting letters would
let a name of capitals run out of its chart. A letter that the document's font lacks counts as wide as letters get.

Guarantee: no line is wider than its room, unless a single letter with its ellipsis is. Where something is left out, an
ellipsis says so.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from atreport.kit.fonts import letter_widths

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
