"""Turn the text of a document into the fonts it needs: open fonts, cut down to the glyphs used, inside the page.

The look of a report then depends on no font of the reader's machine. The fonts come from packages that were installed
with the program; where one is missing, or a font lacks a letter, the reader's own fonts step in and nothing fails.

Guarantee: the same characters give the same bytes.
"""

from __future__ import annotations

import base64
import io
import string
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

SANS = "Source Sans Pro"
SERIF = "Source Serif Pro"

_COMMON = frozenset(
    string.ascii_letters
    + string.digits
    + string.punctuation
    + " ‘’“”–—…·•×±≤≥→↑↓−✓αβΒγδ§\N{NARROW NO-BREAK SPACE}\N{NO-BREAK SPACE}"
)
"""Always kept, so that all documents of one build, and most of one process, share one set of fonts."""

_WESTERN = frozenset("«»¡¿°ŒœŸßÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿ")
"""Kept together: a document with one of them often has others, and the next one has others again."""

_FEATURES = ["lnum", "tnum", "kern"]
"""Figures of one height and width, and letters as close to each other as they look best."""

_NAMES = range(7)
"""What a font is called, and whose it is; other texts in it are of no use in a page."""


@dataclass(frozen=True)
class Face:
    """One cut of a typeface, and where its package keeps it."""

    family: str
    weight: int
    package: str
    file: str

    @property
    def path(self) -> Path | None:
        """The font file, or None where its package is not installed."""
        package = find_spec(self.package)
        folders = package.submodule_search_locations if package else None
        found = [Path(folder) / "files" / self.file for folder in folders or ()]
        return next((path for path in found if path.is_file()), None)


TEXT = Face(SANS, 400, "font_source_sans_pro", "SourceSansPro-Regular.ttf")
STRONG = Face(SANS, 600, "font_source_sans_pro", "SourceSansPro-Semibold.ttf")
HEADING = Face(SERIF, 600, "font_source_serif_pro", "SourceSerifPro-Semibold.ttf")


Packing = Literal["woff2", "truetype"]
"""WOFF2 is small, for a page that travels; TrueType needs no unpacking, for a page that is printed at once."""


@dataclass(frozen=True)
class EmbeddedFonts:
    """The fonts of one document."""

    css: str  # @font-face rules, the font files inside
    complete: bool  # every character of the document is in them


def embed_fonts(text: str, packing: Packing = "woff2") -> EmbeddedFonts:
    """The fonts for a text, ready to stand in a style sheet."""
    # An e and the accent after it are drawn as é, where the font has it.
    used = frozenset(c for c in text + unicodedata.normalize("NFC", text) if c.isprintable())
    wanted = used | _COMMON | (_WESTERN if used & _WESTERN else frozenset())
    rules: list[str] = []
    # Headings fall back to the sans-serif face, so that is the one that has to have a character.
    known = wanted
    for face in (TEXT, STRONG, HEADING):
        path = face.path
        has = _cut_down(path, wanted)[1] if path else frozenset()
        known = known & has if face.family == SANS else known
        if path:
            rules.append(_rule(face.family, face.weight, _packed(path, wanted, packing), packing))
    return EmbeddedFonts("\n".join(rules), used <= known)


@cache
def letter_widths() -> Mapping[str, float]:
    """How wide each letter of the text face is, as a part of the size of the type; empty where it is not installed."""
    if TEXT.path is None:
        return {}
    with _font_reader().TTFont(TEXT.path, lazy=True) as font:
        advances, size = font["hmtx"].metrics, font["head"].unitsPerEm
        return {chr(code): advances[glyph][0] / size for code, glyph in font.getBestCmap().items()}


def _font_reader() -> Any:
    """The reader of fonts alone, which charts need to measure their words."""
    import fontTools.ttLib

    return fontTools.ttLib


def _rule(family: str, weight: int, data: str, packing: Packing) -> str:
    return (
        f'@font-face{{font-family:"{family}";font-weight:{weight};font-style:normal;font-display:swap;'
        f"src:url(data:font/{packing};base64,{data}) format('{packing}')}}"
    )


def _font_tools() -> Any:
    """The reader and the cutter of fonts. They take 0.1 s to import, and data files have no fonts."""
    import fontTools.subset

    return fontTools


@cache
def _packed(path: Path, characters: frozenset[str], packing: Packing) -> str:
    """A font file with these characters only, as text."""
    data = _cut_down(path, characters)[0]
    if packing == "woff2":
        buffer = io.BytesIO()
        with _font_tools().ttLib.TTFont(io.BytesIO(data), recalcTimestamp=False, lazy=True) as font:
            font.flavor = "woff2"
            font.save(buffer)
        data = buffer.getvalue()
    return base64.b64encode(data).decode("ascii")


@cache
def _cut_down(path: Path, characters: frozenset[str]) -> tuple[bytes, frozenset[str]]:
    """A font file with these characters only, and which of them it has."""
    tools = _font_tools()
    options = tools.subset.Options(
        layout_features=_FEATURES,
        hinting=False,
        notdef_outline=True,
        recalc_timestamp=False,
    )
    buffer = io.BytesIO()
    # Without recalcTimestamp=False the file would carry the time it was made.
    with tools.ttLib.TTFont(path, recalcTimestamp=False, lazy=True) as font:
        known = characters & {chr(code) for code in font.getBestCmap()}
        # Taken out meanwhile: the cutter would read every table for names in use, a third of its time.
        names = font["name"]
        names.names = [name for name in names.names if name.nameID in _NAMES and _is_english(name)]
        del font["name"]
        cutter = tools.subset.Subsetter(options)
        cutter.populate(text="".join(sorted(characters)))
        cutter.subset(font)
        font["name"] = names
        font.save(buffer)
    return buffer.getvalue(), known


def _is_english(name: Any) -> bool:
    """Whether a name of a font is written in English, as programs look for it today."""
    return bool(name.isUnicode() and name.langID == 0x409)
