"""Check the logo of a publisher where it is a PNG file, and make the one that is published of the one that was given.

What is published has 8 bits for each of red, green and blue, stands on white and is nothing but its pixels: no words, no
place where the picture was taken, no colour profile, no second picture. `png_problem` reads that form alone, with no
library for pictures, so that whoever checks a report opens nothing that was not looked at first.
"""

from __future__ import annotations

import hashlib
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
_PARTS = 3
_SECONDS, _MEGABYTES = 10, 400
_READ = "atreport.kit.style.png_pixels:on_white"


class NotAPicture(Exception):
    """A file is refused; why, is in words, or to be said with `say_now` where a reader may see it."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def published_png(content: bytes) -> bytes:
    """The logo that is published: the same picture on white, and nothing else. Raises :class:`NotAPicture`."""
    if len(content) > MOST_GIVEN:
        raise NotAPicture(f"it has {len(content):,} bytes, and a logo may have {MOST_GIVEN:,}")
    width, height = _size(content)
    kinds = [kind for kind, _ in _chunks(content)]
    if kinds[-1] != b"IEND":
        raise NotAPicture("it is damaged")
    if b"acTL" in kinds:
        raise NotAPicture("it is animated, and paper shows one picture")
    try:
        pixels = run_bounded(_READ, content, seconds=_SECONDS, megabytes=_MEGABYTES)
    except TookTooMuch as error:
        raise NotAPicture(f"it cannot be read: {error}") from None
    if len(pixels) != _PARTS * width * height:
        raise NotAPicture("it is damaged")
    written = _written(width, height, pixels)
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
        pixels_of(content)
    except NotAPicture as problem:
        return problem.why
    return None


def pixels_of(content: bytes) -> str:
    """What a published logo shows, as the digest of its size and its pixels. Raises :class:`NotAPicture`."""
    width, height = _size(content)
    chunks = list(_chunks(content))
    kinds = [kind for kind, _ in chunks]
    if kinds[0] != b"IHDR" or kinds[-1] != b"IEND" or {*kinds[1:-1]} != {b"IDAT"} or chunks[-1][1]:
        raise NotAPicture(say_later("it holds something besides its pixels"))
    if chunks[0][1] != _HEAD.pack(width, height, 8, 2, 0, 0, 0):
        raise NotAPicture(
            say_later("its pixels are written in another way than those of a logo that is published")
        )
    packed = b"".join(data for kind, data in chunks if kind == b"IDAT")
    line = 1 + _PARTS * width  # a line begins with how it is written: 0 for its pixels as they are
    unpacking = zlib.decompressobj()
    try:
        lines = unpacking.decompress(packed, line * height + 1)
    except zlib.error as error:
        raise NotAPicture(say_later("it is damaged")) from error
    if len(lines) != line * height or not unpacking.eof or unpacking.unused_data:
        raise NotAPicture(say_later("it has more or fewer pixels than it says"))
    if any(lines[::line]):
        raise NotAPicture(
            say_later("its pixels are written in another way than those of a logo that is published")
        )
    return digest_of(
        width, height, b"".join(lines[start + 1 : start + line] for start in range(0, len(lines), line))
    )


def digest_of(width: int, height: int, pixels: bytes) -> str:
    """The digest of a picture: its size, and its pixels line by line, red, green and blue."""
    return hashlib.sha256(b"%d %d " % (width, height) + pixels).hexdigest()


def _written(width: int, height: int, pixels: bytes) -> bytes:
    """A PNG file of these pixels, in the one form that is published."""
    line = _PARTS * width
    lines = b"".join(b"\0" + pixels[start : start + line] for start in range(0, len(pixels), line))
    chunks = (
        (b"IHDR", _HEAD.pack(width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(lines, 9)),
        (b"IEND", b""),
    )
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def _size(content: bytes) -> tuple[int, int]:
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
    return width, height


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
