"""Press a manuscript: make the PDF for print and archive, tagged and meant to be PDF/A-3a and PDF/UA-1 at once.

Guarantee: it fetches nothing, reads no clock, and is the same bytes on every run; a letter without a glyph is refused.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from atreport.errors import MissingLibrary
from atreport.kit.typesetting.manuscript import Manuscript
from atreport.kit.typesetting.tags import (
    Identity,
    mark_header_scope,
    mark_identity,
    mark_languages,
    mark_pdf_ua,
)

_INSTALL = """\
The PDF needs the Pango library, which is not on this machine (or the Python package weasyprint is not).
  Debian, Ubuntu  sudo apt-get install -y libpango-1.0-0 libpangoft2-1.0-0
  Fedora          sudo dnf install -y pango
  Alpine          sudo apk add pango ttf-dejavu
  macOS           brew install pango
Or build without it: --formats html,json"""

_NO_FONT = """\
No font on this machine has these characters of the spec: {letters}
  Debian, Ubuntu  sudo apt-get install -y fonts-noto-core fonts-noto-cjk
  Fedora          sudo dnf install -y google-noto-sans-fonts google-noto-sans-cjk-fonts
  Alpine          sudo apk add font-noto font-noto-cjk
  macOS           brew install --cask font-noto-sans
Or build without the PDF: --formats html,json"""


@dataclass(frozen=True, kw_only=True)
class Attachment:
    """A file inside a PDF."""

    name: str
    content: bytes
    description: str


def press(
    manuscript: Manuscript,
    attachments: Sequence[Attachment] = (),
    *,
    day: dt.date | None = None,
    identity: Identity | None = None,
) -> bytes:
    """A document as PDF; `day` is when the attachments were made, `identity` what archives know it by."""
    proof = manuscript.for_print()
    midnight = None if day is None else dt.datetime(day.year, day.month, day.day, tzinfo=dt.UTC)
    weasyprint = _weasyprint()
    fetcher = _data_only(weasyprint)

    def finish(document: Any, pdf: Any) -> None:
        _refuse_missing_letters(document)
        mark_header_scope(pdf)
        mark_languages(document, pdf)
        mark_pdf_ua(pdf)
        if identity is not None:
            mark_identity(pdf, identity)

    data: bytes = weasyprint.HTML(string=proof.page, url_fetcher=fetcher).write_pdf(
        pdf_variant="pdf/a-3a",
        # The embedded fonts are cut down already; cutting again would make the bytes depend on a system library.
        full_fonts=proof.has_every_glyph,
        finisher=finish,
        attachments=[
            weasyprint.Attachment(
                string=each.content,
                name=each.name,
                description=each.description,
                relationship="Data",
                created=midnight,
                modified=midnight,
                url_fetcher=fetcher,
            )
            for each in attachments
        ],
    )
    return data


def _data_only(weasyprint: Any) -> Any:
    """Everything a page needs is inside it, so nothing else may be opened."""
    return weasyprint.urls.URLFetcher(allowed_protocols={"data"}, allow_redirects=False)


def _refuse_missing_letters(document: Any) -> None:
    """An empty box in place of a letter would make the file invalid, and the reader guess."""
    missing = sorted({code for font in document.fonts.values() for code in font.missing})
    if missing:
        letters = " ".join(f"{chr(code)} (U+{code:04X})" for code in missing[:10])
        raise MissingLibrary(_NO_FONT.format(letters=letters))


def why_no_pdf() -> str | None:
    """Why no PDF can be made on this machine, and what to install; None where it can."""
    try:
        _weasyprint()
    except MissingLibrary as error:
        return str(error)
    return None


@cache
def _weasyprint() -> Any:
    """WeasyPrint, quiet; imported only here, because it takes a second and needs system libraries."""
    for name in ("weasyprint", "fontTools"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        import weasyprint
    except (ImportError, OSError) as problem:
        raise MissingLibrary(_INSTALL) from problem
    logging.getLogger("weasyprint").handlers.clear()
    return weasyprint
