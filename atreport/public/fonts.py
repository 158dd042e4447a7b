"""Turn the text of a document into the fonts it needs: open fonts, cut down to the glyphs used, inside the page.

The look of a report then depends on no font of the reader's machine. The fonts come from packages that were installed
with the program; where one is missing, or a font lacks a letter, the reader's own fonts step in and nothing fails.

Guarantee: the same characters give the same bytes.
"""

from __future__ import annotations

import base64
import io
import string
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

SANS = "Source Sans Pro"
SERIF = "Source Serif Pro"

_COMMON = string.ascii_letters + string.digits + string.punctuation + " ‘’“”–—…·•×±≤≥→↑↓−✓αβγδ\N{NARROW NO-BREAK SPACE}\N{NO-BREAK SPACE}"
"""Always kept, so that all documents of one build share one set of fonts."""

_FEATURES = ["kern", "lnum", "tnum"]


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


@dataclass(frozen=True)
class EmbeddedFonts:
    """The fonts of one document."""

    css: str  # @font-face rules, the font files inside
    complete: bool  # every character of the document is in them


def embed_fonts(text: str) -> EmbeddedFonts:
    """The fonts for a text, ready to stand in a style sheet."""
    return _embed(frozenset(c for c in text if c.isprintable()) | frozenset(_COMMON))


@cache
def _embed(characters: frozenset[str]) -> EmbeddedFonts:
    rules: list[str] = []
    complete = True
    for face in (TEXT, STRONG, HEADING):
        path = face.path
        if path is None:
            complete = False
            continue
        data, covered = _cut_down(path, characters)
        complete &= covered
        rules.append(
            f'@font-face{{font-family:"{face.family}";font-weight:{face.weight};font-style:normal;font-display:swap;'
            f"src:url(data:font/woff2;base64,{base64.b64encode(data).decode('ascii')}) format('woff2')}}"
        )
    return EmbeddedFonts("\n".join(rules), complete)


def _cut_down(path: Path, characters: frozenset[str]) -> tuple[bytes, bool]:
    """A font file with these characters only, as WOFF2, and whether it has them all."""
    from fontTools import subset
    from fontTools.ttLib import TTFont

    options = subset.Options(layout_features=_FEATURES, hinting=False, notdef_outline=True, recalc_timestamp=False)
    # Without recalcTimestamp=False the file would carry the time it was made.
    with TTFont(path, recalcTimestamp=False, lazy=True) as font:
        known = {chr(code) for code in font.getBestCmap()}
        cutter = subset.Subsetter(options)
        cutter.populate(text="".join(sorted(characters)))
        cutter.subset(font)
        font.flavor = "woff2"
        buffer = io.BytesIO()
        font.save(buffer)
    return buffer.getvalue(), characters <= known
