"""Check the font of a publisher, and make the one that is published of the one that was given.

What is published is TrueType outlines, widths and a map from characters to them, and nothing else: no programs for hinting,
no ligatures or exchanges of letters, no other shifts of them, no colours, no variations. So what is drawn of a text depends
on its characters alone, one by one, and `glyph_shapes.py` looks at those that figures are made of. Characters that a
font lacks are drawn with the fonts of every report.

A font may be hostile: every step on one is taken in a process of its own, with limits. `font_reading.py` is what it runs.
"""

from __future__ import annotations

from functools import lru_cache

from atreport.kit.language.later import say_later
from atreport.kit.strangers.bounded_process import TookTooMuch, run_bounded

MOST_GIVEN = 3_000_000
"""Bytes of the file that a publisher gives."""
MOST_BYTES = 400_000
"""Bytes of the one that is published."""
_SECONDS, _MEGABYTES = 20, 600
_PREPARE = "atreport.kit.style.font_reading:prepare"
_CHECK = "atreport.kit.style.font_reading:refuse_foreign"


class NotAFont(Exception):
    """A file is refused; why, is in words, or to be said with `say_now` where a reader may see it."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@lru_cache(maxsize=8)
def published_font(content: bytes) -> bytes:
    """The font that is published of one that was given. Raises :class:`NotAFont`."""
    if len(content) > MOST_GIVEN:
        raise NotAFont(f"it has {len(content):,} bytes, and a font may have {MOST_GIVEN:,}")
    made = _bounded(_PREPARE, content)
    if len(made) > MOST_BYTES:
        raise NotAFont(f"cut down it has {len(made):,} bytes, and may have {MOST_BYTES:,}")
    return made


@lru_cache(maxsize=8)
def font_problem(content: bytes) -> str | None:
    """Why a file is no font as they are published, to be said with `say_now`; None where it is one."""
    if len(content) > MOST_BYTES:
        size = len(content)
        return say_later("it has {size} bytes, and a font may have {most}", size=size, most=MOST_BYTES)
    try:
        _bounded(_CHECK, content)
    except NotAFont as problem:
        return problem.why
    return None


def _bounded(step: str, content: bytes) -> bytes:
    if content[:4] not in (b"\0\1\0\0", b"OTTO", b"true"):
        raise NotAFont(say_later("it is no TrueType or OpenType font (.ttf, .otf)"))
    try:
        return run_bounded(step, content, seconds=_SECONDS, megabytes=_MEGABYTES)
    except TookTooMuch as error:
        raise NotAFont(say_later("it cannot be read: {why}", why=error.args[0])) from None
