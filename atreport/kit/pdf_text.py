"""Turn a report's PDF into the lines of text on its pages, in the order in which they were drawn.

Only what is needed to compare the PDF with the page it was made from: text is looked up in the tables that the file
itself gives to copy and to search, which is also what a screen reader hears.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

from atreport.errors import NotAReport

if TYPE_CHECKING:
    from pypdf import PdfReader

_TEXT = re.compile(
    rb"/(?P<font>[^\s/<>\[\]()]+)\s+[-\d.]+\s+Tf\b"
    rb"|\[(?P<several>[^\]]*)\]\s*TJ\b"
    rb"|<(?P<one>[0-9a-fA-F]*)>\s*Tj\b"
    rb"|/(?P<drawing>[^\s/<>\[\]()]+)\s+Do\b"
    rb"|/(?P<begin>\w+)\s*(?:<<[^>]*>>\s*BDC|BMC)\b"
    rb"|(?P<end>\bEMC\b)"
)
_GLYPHS = re.compile(rb"<([0-9a-fA-F]*)>")
_MAP = re.compile(rb"<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>")


@lru_cache(maxsize=1)
def open_pdf(content: bytes) -> PdfReader:
    """A PDF, read once for all that is asked of it."""
    from pypdf import PdfReader

    return PdfReader(BytesIO(content))


@dataclass(frozen=True)
class Line:
    """A piece of text that was drawn at once, without white space; of a chart usually a letter."""

    text: str
    chart: bool


def pdf_lines(content: bytes) -> list[list[Line]]:
    """The lines of every page. Drawn text that cannot be read shows as U+FFFD."""
    from pypdf.errors import PyPdfError

    try:
        return [_lines(page, page.get_contents()) for page in open_pdf(content).pages]
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        raise NotAReport("the text of the PDF is damaged and cannot be read") from None


def _lines(owner: Any, contents: Any, *, chart: bool = False) -> list[Line]:
    """The lines of a page, or of a drawing on it."""
    if contents is None:
        return []
    resources = owner["/Resources"].get_object()
    fonts = resources.get("/Font", {})
    drawings = resources.get("/XObject", {})
    letters: dict[bytes, str] = {}
    inside: list[bytes] = []  # the kinds of content that are open
    lines: list[Line] = []
    for found in _TEXT.finditer(contents.get_data()):
        match found.lastgroup:
            case "font":
                table = fonts["/" + found["font"].decode("latin-1")]["/ToUnicode"].get_object()
                letters = _letters(table.get_data())
            case "drawing":
                inner = drawings["/" + found["drawing"].decode("latin-1")].get_object()
                if inner.get("/Subtype") == "/Form":
                    lines += _lines(inner if "/Resources" in inner else owner, inner, chart=True)
            case "begin":
                inside.append(found["begin"])
            case "end":
                inside.pop()
            case _:
                glyphs = (
                    b"".join(_GLYPHS.findall(found["several"])) if found["several"] else found["one"] or b""
                )
                pieces = (glyphs[i : i + 4].lower() for i in range(0, len(glyphs), 4))
                if text := without_space("".join(letters.get(piece, "\ufffd") for piece in pieces)):
                    lines.append(Line(text, chart or b"Figure" in inside))
    return lines


@cache
def _letters(table: bytes) -> dict[bytes, str]:
    """Glyph → text, from a font's own table."""
    return {
        glyph.lower(): bytes.fromhex(text.decode()).decode("utf-16-be", errors="replace")
        for glyph, text in _MAP.findall(table)
    }


def without_space(text: str) -> str:
    """A text as it is compared: white space and places where a word may be broken do not count."""
    return re.sub(r"[\s\u00ad\u200b\u2060]+", "", text)
