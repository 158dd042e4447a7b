"""Stage 10, **render**: turn a context into HTML and PDF. Both come from the same templates.

Guarantee: a document is a function of its context: it fetches nothing, reads no clock, and is the same bytes on every
run. The PDF is tagged and meant to be PDF/A-3a and PDF/UA-1 at once.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import logging
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from functools import cache
from typing import Any, Protocol

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from atreport.errors import MissingLibrary
from atreport.kit.fonts import embed_fonts
from atreport.kit.pdf_tags import mark_header_scope, mark_pdf_ua
from atreport.kit.resources import templates_folder
from atreport.kit.second_process import beside
from atreport.pages.context import ReportContext
from atreport.pages.cover import Cover
from atreport.pages.forms.form_context import FormContext

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

MAX_PAGE_DATA = 1_000_000
"""The most bytes of report.json that a page carries for its own check; beyond it, the folder is the place."""
_FONTS_GO_HERE = "/*! fonts */"
_VARIABLE = re.compile(r"var\(--chart-\w+, (#[0-9a-f]{6})\)")
_ATTACHMENTS = {
    "report.json": ("Every figure of this report, for programs", "Data"),
    "cells.csv": ("The announced rule, one row for each cell", "Data"),
    "measures.csv": ("The fairness measures, one row for each comparison", "Data"),
    "atrs.json": ("This record, for programs, under the field names of the standard", "Data"),
}


class Document(Protocol):
    """What every document has; the templates ask for the rest and fail loudly where it is missing."""

    @property
    def cover(self) -> Cover:
        """Title, publisher, version and date."""


def render_html(context: ReportContext | FormContext, data: bytes = b"") -> str:
    """The report, or the form in its place, as one self-contained file.

    It carries `data` (report.json) where that is not too large, so that the page can check itself.
    """
    return _page(_template_of(context), context, printed=False, data=page_data(data))[0]


def page_data(data: bytes) -> str:
    """report.json as the page carries it: no text in it can end the element. Empty where it is too large."""
    return "" if len(data) > MAX_PAGE_DATA else data.decode().strip().replace("<", "\\u003c")


def _template_of(context: ReportContext | FormContext) -> str:
    return "form.html.j2" if isinstance(context, FormContext) else "report.html.j2"


def render_pdf(context: ReportContext | FormContext, attachments: Mapping[str, bytes]) -> bytes:
    """The report, or the form in its place, for print and archive, with the data attached."""
    return _print(_template_of(context), context, attachments)


def render_letter_html(context: Document) -> str:
    """The letter to one person as one self-contained file."""
    return _page("letter.html.j2", context, printed=False)[0]


def render_letter_pdf(context: Document) -> bytes:
    """The letter to one person for print."""
    return _print("letter.html.j2", context, {})


def printed_page(context: ReportContext | FormContext) -> str:
    """The page from which the PDF is set, without its fonts, which hold no words."""
    return _filled(_template_of(context), context, printed=True)


def render_diff_html(context: Document) -> str:
    """A comparison of two reports as one self-contained file."""
    return _page("diff.html.j2", context, printed=False)[0]


def render_annex_html(context: Document) -> str:
    """The confidential annex as one self-contained file."""
    return _page("annex.html.j2", context, printed=False)[0]


def render_annex_pdf(context: Document) -> bytes:
    """The confidential annex for print and archive."""
    return _print("annex.html.j2", context, {})


def render_annex_beside(context: Document) -> AbstractContextManager[Callable[[], bytes]]:
    """The same, begun in a process of its own and fetched when this one is ready."""
    page, all_glyphs = _page("annex.html.j2", context, printed=True)
    packed = (b"1" if all_glyphs else b"0") + page.encode()
    return beside(print_packed, packed)


def print_packed(packed: bytes) -> bytes:
    """Print a packed page; what the other process runs."""
    return _press(packed[1:].decode(), {}, all_glyphs=packed[:1] == b"1")


def _page(template: str, context: Document, *, printed: bool, data: str = "") -> tuple[str, bool]:
    """A whole page, and whether every character in it is in an embedded font."""
    page = _filled(template, context, printed=printed, data=data)
    fonts = embed_fonts(page, "truetype" if printed else "woff2")
    return page.replace(_FONTS_GO_HERE, fonts.css), fonts.complete


def _filled(template: str, context: Document, *, printed: bool, data: str = "") -> str:
    """A page without its fonts."""
    script = _script()
    return (
        _templates()
        .get_template(template)
        .render(
            doc=context, printed=printed, data=data, script=script, script_hash=f"sha256-{_digest(script)}"
        )
    )


@cache
def _script() -> str:
    folder = templates_folder()
    return "".join((folder / name).read_text(encoding="utf-8") for name in ("report.js", "check.js"))


def _digest(script: str) -> str:
    """What the page's policy knows its one script by, so that no other can run."""
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(templates_folder(), encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["numbered"] = _numbered
    environment.filters["zip"] = zip
    environment.filters["fixed_colours"] = lambda svg: _VARIABLE.sub(r"\1", svg)
    return environment


def _numbered(sections: Iterable[tuple[str, str, object]]) -> dict[str, str]:
    """The titles of sections by their ids, each with its number."""
    return {id: f"{number}. {title}" for number, (id, title, _) in enumerate(sections, start=1)}


def _print(template: str, context: Document, attachments: Mapping[str, bytes]) -> bytes:
    page, all_glyphs = _page(template, context, printed=True)
    day = dt.datetime.fromisoformat(context.cover.iso_date).replace(tzinfo=dt.UTC)
    return _press(page, attachments, all_glyphs=all_glyphs, day=day)


def _press(
    page: str, attachments: Mapping[str, bytes], *, all_glyphs: bool, day: dt.datetime | None = None
) -> bytes:
    """The page as PDF; `day` is when the attachments were made."""
    weasyprint = _weasyprint()
    fetcher = _data_only(weasyprint)

    def finish(document: Any, pdf: Any) -> None:
        _refuse_missing_letters(document)
        mark_header_scope(pdf)
        mark_pdf_ua(pdf)

    data: bytes = weasyprint.HTML(string=page, url_fetcher=fetcher).write_pdf(
        pdf_variant="pdf/a-3a",
        # The embedded fonts are cut down already; cutting again would make the bytes depend on a system library.
        full_fonts=all_glyphs,
        finisher=finish,
        attachments=[
            weasyprint.Attachment(
                string=content,
                name=name,
                description=_ATTACHMENTS.get(name, (name, "Data"))[0],
                relationship=_ATTACHMENTS.get(name, (name, "Data"))[1],
                created=day,
                modified=day,
                url_fetcher=fetcher,
            )
            for name, content in attachments.items()
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


@cache
def _weasyprint() -> Any:
    """WeasyPrint, quiet; imported only here, because it takes a second and needs system libraries."""
    for name in ("weasyprint", "fontTools"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        import weasyprint
        import weasyprint.urls
    except (ImportError, OSError) as problem:
        raise MissingLibrary(_INSTALL) from problem
    logging.getLogger("weasyprint").handlers.clear()
    return weasyprint
