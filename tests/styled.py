"""Specs with a house style, for tests: the example, a logo, colours, words of the cover and two sections."""

import io
import struct
import zlib
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw

from tests.example import EXAMPLE

LOGO = b"""<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 220 60"><title>Logo</title>
<defs><clipPath id="edge"><rect width="220" height="60"/></clipPath></defs>
<g clip-path="url(#edge)"><circle cx="30" cy="30" r="26" fill="#7a1f5c"/>
<path d="M18 38 L30 14 L42 38 Z" style="fill:#ffffff"/><rect x="70" y="14" width="130" height="12" fill="#7a1f5c"/></g>
</svg>
"""

ABOUT = """\
We decide on **applications for credit cards**. See [our page](https://example.org/about?a=1&b=2) or <https://example.org>.

## Who we are

- One *team*
  - of people

# What to do

3. Write to us
4. Wait

> Quoted words & <b>tags</b>
"""

STYLE = """\
style:
  logo: {file: logo.svg, alt: Example Financial Authority}
  colours: {accent: "#7a1f5c", band: "#3d0f2e"}
  cover: Published under our promise of openness.
  sections:
    - {title: About us, file: about.md, after: summary}
    - {title: Thanks, text: "Thanks to *all*."}
"""


WITH_PNG = STYLE.replace("logo.svg", "logo.png")
"""The same with a PNG logo."""


@cache
def png_logo(colour: str = "#7a1f5c") -> bytes:
    """A PNG logo on a ground that can be seen through, with words of its maker in it."""
    picture = Image.new("RGBA", (440, 120), (0, 0, 0, 0))
    draw = ImageDraw.Draw(picture)
    draw.ellipse((8, 8, 112, 112), fill=colour)
    draw.rectangle((140, 30, 420, 60), fill=colour)
    buffer = io.BytesIO()
    picture.save(buffer, format="PNG", exif=_exif())
    return buffer.getvalue()


def with_chunk(png: bytes, kind: bytes, data: bytes) -> bytes:
    """A PNG file with a further piece before its end, well-formed."""
    return (
        png[:-12]
        + struct.pack(">I", len(data))
        + kind
        + data
        + struct.pack(">I", zlib.crc32(kind + data))
        + png[-12:]
    )


def _exif() -> Image.Exif:
    exif = Image.Exif()
    exif[0x13B] = "Jane Maker"
    return exif


def write_styled(folder: Path, style: str = STYLE, text: str = EXAMPLE) -> Path:
    """The example with a house style, and the files that it names."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "logo.svg").write_bytes(LOGO)
    (folder / "logo.png").write_bytes(png_logo())
    (folder / "about.md").write_text(ABOUT, encoding="utf-8")
    path = folder / "styled.yaml"
    path.write_text(text + style, encoding="utf-8")
    return path
