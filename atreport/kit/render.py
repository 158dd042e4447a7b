"""Turn a template and its context into HTML and PDF. Both come from the same templates.

Guarantee: a document is a function of its context: it fetches nothing, reads no clock, and is the same
bytes on every run. The PDF is tagged and meant to be PDF/A-3a and PDF/UA-1 at once.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import json
import logging
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from atreport.errors import MissingLibrary
from atreport.kit.fonts import embed_fonts
from atreport.kit.language import say, say_many
from atreport.kit.language.signs import signs_of
from atreport.kit.language.spoken import spoken
from atreport.kit.numbers import count
from atreport.kit.pdf.tags import Identity, mark_header_scope, mark_identity, mark_languages, mark_pdf_ua
from atreport.kit.resources import templates_folder
from atreport.kit.style.look import PLAIN, Look

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

_WORDS = "words.js"
"""What every script of a page begins with: its words in the page's language."""

_OWN_SCRIPTS = {"register/register.html.j2": (_WORDS, "register/register.js")}
"""Pages with another script than that of a report."""

_SAID = re.compile(r'\bsay\("([^"]*)"')
"""A message of a script."""

_LONG_WORD = re.compile(r"\S{25,}")
_EACH_PIECE = re.compile(r".{8}(?=.)")

_FONTS_GO_HERE = "/*! fonts */"
_VARIABLE = re.compile(r"var\(--chart-(\w+), (#[0-9a-f]{6})\)")


@dataclass(frozen=True, kw_only=True)
class Attachment:
    """A file inside a PDF."""

    name: str
    content: bytes
    description: str


@dataclass(frozen=True, kw_only=True)
class Edition:
    """The same document in one of its languages."""

    language: str
    name: str  # of the language, in itself
    file: str
    is_this: bool


def render_page(
    template: str,
    context: object,
    data: str = "",
    catalogue: str = "",
    *,
    editions: Sequence[Edition] = (),
    look: Look = PLAIN,
) -> str:
    """A document as one self-contained file for the screen.

    `data` is what it carries for its own check, `catalogue` what it tells search engines: JSON that ends no element.
    `editions` are those that it leads to, itself included; `look` is the publisher's house style.
    """
    return _page(
        template, context, printed=False, data=data, catalogue=catalogue, editions=editions, look=look
    )[0]


def render_part(template: str, context: object) -> str:
    """A part of a page, to stand in one that somebody else made: no fonts, no styles, no script."""
    return _templates().get_template(template).render(doc=context)


def print_page(
    template: str,
    context: object,
    attachments: Sequence[Attachment] = (),
    day: dt.date | None = None,
    identity: Identity | None = None,
    *,
    editions: Sequence[Edition] = (),
    look: Look = PLAIN,
) -> bytes:
    """A document for print and archive; `day` is when the attachments were made, `identity` what archives know it by."""
    page, all_glyphs = _page(template, context, printed=True, editions=editions, look=look)
    return _press(page, attachments, all_glyphs=all_glyphs, day=day, identity=identity)


def page_to_print(
    template: str, context: object, editions: Sequence[Edition] = (), look: Look = PLAIN
) -> str:
    """The page from which the PDF is set, without its fonts, which hold no words."""
    return _filled(template, context, printed=True, editions=editions, look=look)


def needs_other_fonts(
    template: str, context: object, editions: Sequence[Edition] = (), look: Look = PLAIN
) -> bool:
    """Whether a printed page has characters that are in none of its embedded fonts."""
    return not _page(template, context, printed=True, editions=editions, look=look)[1]


def _page(
    template: str,
    context: object,
    *,
    printed: bool,
    data: str = "",
    catalogue: str = "",
    editions: Sequence[Edition] = (),
    look: Look = PLAIN,
) -> tuple[str, bool]:
    """A whole page, and whether every character in it is in an embedded font."""
    page = _filled(
        template, context, printed=printed, data=data, catalogue=catalogue, editions=editions, look=look
    )
    fonts = embed_fonts(page, "truetype" if printed else "woff2", look.fonts)
    return page.replace(_FONTS_GO_HERE, fonts.css), fonts.complete


def _filled(
    template: str,
    context: object,
    *,
    printed: bool,
    data: str = "",
    catalogue: str = "",
    editions: Sequence[Edition] = (),
    look: Look = PLAIN,
) -> str:
    """A page without its fonts."""
    script = _script(template)
    return (
        _templates()
        .get_template(template)
        .render(
            doc=context,
            printed=printed,
            data=data,
            catalogue=catalogue,
            editions=editions,
            look=look,
            script=script,
            words=_words(script),
            script_hash=f"sha256-{_digest(script)}",
        )
    )


@cache
def _script(template: str) -> str:
    folder, names = templates_folder(), _OWN_SCRIPTS.get(template, (_WORDS, "report.js", "check.js"))
    return "".join((folder / name).read_text(encoding="utf-8") for name in names)


def _words(script: str) -> str:
    """The messages of a script in the page's language, and number signs, as JSON that ends no element; none in English."""
    if spoken() == "en":
        return ""
    signs = signs_of(spoken())
    words = {
        "messages": {message: say(message) for message in sorted(set(_SAID.findall(script)))},
        "decimal": signs.decimal,
        "group": signs.group,
        "percent": signs.percent,
    }
    return json.dumps(words, ensure_ascii=False).replace("<", "\\u003c")


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
    environment.globals["say"] = _say_markup
    environment.globals["say_many"] = _say_many_markup
    environment.filters["numbered"] = _numbered
    environment.filters["breakable"] = _breakable
    environment.filters["zip"] = zip
    environment.filters["fixed_colours"] = _fixed_colours
    environment.globals["look"] = PLAIN  # of a part of a page that somebody else made
    return environment


def _say_markup(message: str, /, **values: object) -> Markup:
    """A message of a template, which may hold tags; what fills its places is escaped."""
    return Markup(say(message)).format(**values)


def _say_many_markup(number: int, one: str, many: str, /, **values: object) -> Markup:
    """The same for a message that counts."""
    return Markup(
        say_many(number, one, many, number="{number}", **{key: "{" + key + "}" for key in values})
    ).format(number=count(number), **values)


def _fixed_colours(svg: str, accent: str = "") -> str:
    """A chart for paper, which knows no variables: each colour as it is, the accent as the house style has it."""
    return _VARIABLE.sub(lambda found: accent if accent and found[1] == "accent" else found[2], svg)


def _breakable(text: str) -> str | Markup:
    """A text of a table whose very long words may break anywhere: without a blank they would run off the page.

    No line begins with the dot that parts the values of a name.
    """
    text = text.replace(" · ", "\N{NO-BREAK SPACE}· ")
    if not _LONG_WORD.search(text):
        return text
    pieces = _LONG_WORD.sub(lambda word: _EACH_PIECE.sub("\\g<0>\0", word[0]), text).split("\0")
    return Markup("<wbr>").join(pieces)


def _numbered(sections: Iterable[tuple[str, str, object]]) -> dict[str, str]:
    """The titles of sections by their ids, each with its number."""
    return {id: f"{number}. {title}" for number, (id, title, _) in enumerate(sections, start=1)}


def _press(
    page: str,
    attachments: Sequence[Attachment],
    *,
    all_glyphs: bool,
    day: dt.date | None = None,
    identity: Identity | None = None,
) -> bytes:
    """The page as PDF; `day` is when the attachments were made."""
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

    data: bytes = weasyprint.HTML(string=page, url_fetcher=fetcher).write_pdf(
        pdf_variant="pdf/a-3a",
        # The embedded fonts are cut down already; cutting again would make the bytes depend on a system
        # library.
        full_fonts=all_glyphs,
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
