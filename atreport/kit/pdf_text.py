"""Turn a report's PDF into the files it carries, and the lines of text on its pages in the order in which they were drawn.

The PDF is read with pypdf: a file may have passed through other programs since it was published, which a reader written
for the output of one program only would not survive. Of its text, only what is needed to compare the PDF with the page
it was made from: text is looked up in the tables that the file itself gives to copy and to search, which is also what a
screen reader hears.

Guarantee: text that is drawn is in a line, or the file is refused. pypdf reads the file, its operators and its strings; its
`extract_text` would take this walk over too, but it is made to get something out of any file. A drawing that it cannot
decode, that has no fonts of its own, or that comes after the first 5,000 of a page is left out with no more than a line in a
log: a word that somebody put there would be seen by readers and not by this comparison.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from types import ModuleType
from typing import TYPE_CHECKING, Any

from atreport.errors import NotAReport

if TYPE_CHECKING:
    from pypdf import PdfReader

_CODE = 2
"""Bytes that name a glyph, in the fonts that a report embeds."""


def _pypdf() -> ModuleType:
    """pypdf, which takes 0.15 s to import; most reports are checked, compared and answered from without their PDF."""
    import pypdf

    return pypdf


@lru_cache(maxsize=1)
def open_pdf(content: bytes) -> PdfReader:
    """A PDF, read once for all that is asked of it."""
    reader: PdfReader = _pypdf().PdfReader(BytesIO(content))
    return reader


def pdf_attachments(content: bytes) -> dict[str, bytes]:
    """The files that a PDF carries, by their names."""
    broken = _pypdf().errors.PyPdfError
    try:
        # pypdf lists the contents by name; a name given twice would hide one of them
        found = open_pdf(content).attachments
        return {name: contents[0] for name, contents in found.items() if len(contents) == 1}
    except (broken, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise NotAReport("the PDF is damaged and cannot be read") from None


@dataclass(frozen=True)
class Line:
    """A piece of text that was drawn at once, without white space; of a chart usually a letter."""

    text: str
    chart: bool


def pdf_lines(content: bytes) -> list[list[Line]]:
    """The lines of every page. Drawn text that cannot be read shows as U+FFFD."""
    broken = _pypdf().errors.PyPdfError
    try:
        return [_lines(page, page.get_contents()) for page in open_pdf(content).pages]
    except (broken, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        raise NotAReport("the text of the PDF is damaged and cannot be read") from None


def _lines(owner: Any, contents: Any, *, chart: bool = False) -> list[Line]:
    """The lines of a page, or of a drawing on it."""
    if contents is None:
        return []
    resources = owner["/Resources"].get_object()
    fonts = resources.get("/Font", {})
    drawings = resources.get("/XObject", {})
    letters: dict[bytes, str] = {}
    inside: list[str] = []  # the kinds of content that are open
    lines: list[Line] = []
    for operands, operator in _operations(contents):
        match operator:
            case b"Tf":
                letters = _letters(fonts[operands[0]]["/ToUnicode"].get_object().get_data())
            case b"Do":
                inner = drawings[operands[0]].get_object()
                if inner.get("/Subtype") == "/Form":
                    lines += _lines(inner if "/Resources" in inner else owner, inner, chart=True)
            case b"BDC" | b"BMC":
                inside.append(operands[0])
            case b"EMC":
                inside.pop()
            case b"Tj" | b"TJ" | b"'" | b'"':
                pieces = operands[0] if operator == b"TJ" else operands[-1:]
                glyphs = b"".join(piece for piece in pieces if isinstance(piece, bytes))
                if text := without_space(_read(glyphs, letters)):
                    lines.append(Line(text, chart or "/Figure" in inside))
    return lines


def _operations(contents: Any) -> Any:
    """Operands and operator of everything in a stream, in order; strings as bytes."""
    return _pypdf().generic.ContentStream(contents, None, "bytes").operations


def _read(glyphs: bytes, letters: dict[bytes, str]) -> str:
    codes = (glyphs[start : start + _CODE] for start in range(0, len(glyphs), _CODE))
    return "".join(letters.get(code, "\ufffd") for code in codes)


@cache
def _letters(table: bytes) -> dict[bytes, str]:
    """Glyph → text, from a font's own table, whose entries are written like the operators of a page."""
    stream = _pypdf().generic.StreamObject()
    stream.set_data(table)
    letters: dict[bytes, str] = {}
    for operands, operator in _operations(stream):
        if operator == b"endbfchar":
            for glyph, text in zip(operands[::2], operands[1::2], strict=True):
                letters[bytes(glyph)] = bytes(text).decode("utf-16-be", errors="replace")
    return letters


def without_space(text: str) -> str:
    """A text as it is compared: white space and places where a word may be broken do not count."""
    return re.sub(r"[\s\u00ad\u200b\u2060]+", "", text)
