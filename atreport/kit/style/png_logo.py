"""Check the logo of a publisher where it is a PNG file, and make the one that is published of the one that was given.

What is published is made by Pillow: 8 bits for each of red, green and blue, on white, and nothing but its pixels: no words,
no place where the picture was taken, no colour profile, no second picture. `png_problem` looks at the pieces of a file, so
that whoever checks a report opens nothing that was not looked at first.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

from atreport.kit.language.later import say_later
from atreport.kit.strangers.bounded_process import TookTooMuch, run_bounded

MOST_GIVEN = 2_000_000
"""Bytes of the file that a publisher gives."""
MOST_BYTES = 400_000
"""Bytes of the one that is published, which stands in every page."""
LONGEST_SIDE = 2_000
"""Pixels: more than paper shows of a logo, and few enough to unpack."""
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_HEAD = struct.Struct(">IIBBBBB")
_SECONDS, _MEGABYTES = 10, 400
_PUBLISH = "atreport.kit.style.png_on_white:png_on_white"


class NotAPicture(Exception):
    """A file is refused; why, is in words, or to be said with `say_now` where a reader may see it."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def published_png(content: bytes) -> bytes:
    """The logo that is published: the same picture on white, and nothing else. Raises :class:`NotAPicture`."""
    if len(content) > MOST_GIVEN:
        raise NotAPicture(f"it has {len(content):,} bytes, and a logo may have {MOST_GIVEN:,}")
    _head(content)
    kinds = [kind for kind, _ in _chunks(content)]
    if kinds[-1] != b"IEND":
        raise NotAPicture("it is damaged")
    if b"acTL" in kinds:
        raise NotAPicture("it is animated, and paper shows one picture")
    try:
        written = run_bounded(_PUBLISH, content, seconds=_SECONDS, megabytes=_MEGABYTES)
    except TookTooMuch as error:
        raise NotAPicture(f"it cannot be read: {error}") from None
    if not written:
        raise NotAPicture("it is damaged")
    if len(written) > MOST_BYTES:
        raise NotAPicture(
            f"it takes {len(written):,} bytes in a page, and may take {MOST_BYTES:,}; give one with fewer pixels"
        )
    return written


def png_problem(content: bytes) -> str | None:
    """Why a file is no PNG logo as they are published, to be said with `say_now`; None where it is one."""
    if len(content) > MOST_BYTES:
        size = len(content)
        return say_later("it has {size} bytes, and a logo may have {most}", size=size, most=MOST_BYTES)
    try:
        head = _head(content)
        chunks = list(_chunks(content))
    except NotAPicture as problem:
        return problem.why
    kinds = [kind for kind, _ in chunks]
    if kinds[0] != b"IHDR" or kinds[-1] != b"IEND" or {*kinds[1:-1]} != {b"IDAT"} or chunks[-1][1]:
        return say_later("it holds something besides its pixels")
    if chunks[0][1] != head:
        return say_later("its pixels are written in another way than those of a logo that is published")
    return None


def _head(content: bytes) -> bytes:
    """How the head of a published logo of this size is written. Raises :class:`NotAPicture` for a size that none has."""
    if content[:8] != _SIGNATURE or content[12:16] != b"IHDR" or len(content) < 33:
        raise NotAPicture(say_later("it is no PNG file"))
    width, height = struct.unpack(">II", content[16:24])
    if not (0 < width <= LONGEST_SIDE and 0 < height <= LONGEST_SIDE):
        raise NotAPicture(
            say_later(
                "it has {width} × {height} pixels, and a logo may have {most} on a side",
                width=width,
                height=height,
                most=LONGEST_SIDE,
            )
        )
    if not 0.1 <= width / height <= 12:
        raise NotAPicture(say_later("it is much higher or wider than a logo"))
    return _HEAD.pack(width, height, 8, 2, 0, 0, 0)


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The pieces of the file, to its very end."""
    place = len(_SIGNATURE)
    while place < len(content):
        (length,) = struct.unpack(">I", content[place : place + 4].rjust(4, b"\xff"))
        kind, data = content[place + 4 : place + 8], content[place + 8 : place + 8 + length]
        end = place + 12 + length
        if end > len(content) or content[end - 4 : end] != struct.pack(">I", zlib.crc32(kind + data)):
            raise NotAPicture(say_later("it is damaged"))
        yield kind, data
        place = end
