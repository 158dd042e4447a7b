"""A document before it is set, and the pages that are made of it: one for the screen, one to print.

Guarantee: a page is a function of its manuscript and of the language that is spoken: it fetches nothing, reads no clock,
and is the same bytes on every run. Screen and paper come from the same templates.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import KW_ONLY, dataclass
from functools import cache

from atreport.kit.fonts import embed_fonts
from atreport.kit.language import say
from atreport.kit.language.signs import signs_of
from atreport.kit.language.spoken import spoken
from atreport.kit.resources import templates_folder
from atreport.kit.style.look import PLAIN, Look
from atreport.kit.typesetting.templates import fill_template

_WORDS = "words.js"
"""What every script of a page begins with: its words in the page's language."""

_OWN_SCRIPTS = {"register/register.html.j2": (_WORDS, "register/register.js")}
"""Pages with another script than that of a report."""

_SAID = re.compile(r'\bsay\("([^"]*)"')
"""A message of a script."""

_FONTS_GO_HERE = "/*! fonts */"


@dataclass(frozen=True, kw_only=True)
class Edition:
    """The same document in one of its languages."""

    language: str
    name: str  # of the language, in itself
    file: str
    is_this: bool


@dataclass(frozen=True)
class Proof:
    """The page from which the PDF is set, with its fonts."""

    page: str
    has_every_glyph: bool  # whether each of its characters is in an embedded font


@dataclass(frozen=True)
class Manuscript:
    """A document before it is set: its template, what stands in it, and how it shall look."""

    template: str
    content: object
    _: KW_ONLY
    editions: tuple[Edition, ...] = ()  # those that it leads to, itself included
    look: Look = PLAIN  # the publisher's house style

    def for_screen(self, data: str = "", catalogue: str = "") -> str:
        """One self-contained file.

        `data` is what it carries for its own check, `catalogue` what it tells search engines: JSON that ends no element.
        """
        page = self._filled(printed=False, data=data, catalogue=catalogue)
        return page.replace(_FONTS_GO_HERE, embed_fonts(page, "woff2").css)

    def for_print(self) -> Proof:
        """The page from which the PDF is set."""
        page = self.words_for_print()
        fonts = embed_fonts(page, "truetype")
        return Proof(page.replace(_FONTS_GO_HERE, fonts.css), fonts.complete)

    def words_for_print(self) -> str:
        """The page from which the PDF is set, without its fonts, which hold no words."""
        return self._filled(printed=True)

    def _filled(self, *, printed: bool, data: str = "", catalogue: str = "") -> str:
        """The page without its fonts."""
        script = _script(self.template)
        return fill_template(
            self.template,
            self.content,
            printed=printed,
            data=data,
            catalogue=catalogue,
            editions=self.editions,
            look=self.look,
            script=script,
            words=_words(script),
            script_hash=f"sha256-{_digest(script)}",
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
