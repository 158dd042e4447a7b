"""A document before it is set, and the pages that are made of it: one for the screen, one to print.

Guarantee: a page is a function of its manuscript and of the language that is spoken: it fetches nothing, reads no clock,
and is the same bytes on every run. Screen and paper come from the same templates.
"""

import base64
import hashlib
import io
import json
import re
import string
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from atreport.report.model import Report
from atreport.resources import templates_folder
from atreport.spec.spec import PublicSpec
from atreport.text.language import count, get_locale, gettext, ngettext, signs_of
from atreport.text.numbers import long_date

# Fill templates: how their words are said, long words broken and charts coloured.
#
# Guarantee: what a template gives is a function of what it is given, in the language that is spoken.

_LONG_WORD = re.compile(r"\S{25,}")
_EACH_PIECE = re.compile(r".{8}(?=.)")
_VARIABLE = re.compile(r"var\(--chart-(\w+), (#[0-9a-f]{6})\)")


def fill_template(name: str, content: object, **further: object) -> str:
    """A template, filled: it knows its content as `doc`. The parts of pages that somebody else makes need no more."""
    return _templates().get_template(name).render(doc=content, **further)


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
    environment.filters["numbered"] = lambda sections: {
        id: f"{number}. {title}" for number, (id, title, _) in enumerate(sections, start=1)
    }
    environment.filters["breakable"] = _breakable
    environment.filters["zip"] = zip
    environment.filters["fixed_colours"] = _fixed_colours
    environment.globals["look"] = PLAIN  # of a part of a page that somebody else made
    return environment


def _say_markup(message: str, /, **values: object) -> Markup:
    """A message of a template, which may hold tags; what fills its places is escaped."""
    return Markup(gettext(message)).format(**values)


def _say_many_markup(number: int, one: str, many: str, /, **values: object) -> Markup:
    """The same for a message that counts."""
    return Markup(
        ngettext(number, one, many, number="{number}", **{key: "{" + key + "}" for key in values})
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


# Turn the text of a document into the fonts it needs: open fonts, cut down to the glyphs used, inside the
# page.
#
# The look of a report then depends on no font of the reader's machine. The fonts come from packages that were
# installed with the program; where one is missing, or a font lacks a letter, the reader's own fonts step in
# and nothing fails.
#
# Guarantee: the same characters give the same bytes.

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
    import fontTools.ttLib  # which charts need to measure their words; not the cutter, which takes longer

    with fontTools.ttLib.TTFont(TEXT.path, lazy=True) as font:
        advances, size = font["hmtx"].metrics, font["head"].unitsPerEm
        return {chr(code): advances[glyph][0] / size for code, glyph in font.getBestCmap().items()}


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
        names.names = [
            name
            for name in names.names
            if name.nameID in _NAMES and name.isUnicode() and name.langID == 0x409  # in English
        ]
        del font["name"]
        cutter = tools.subset.Subsetter(options)
        cutter.populate(text="".join(sorted(characters)))
        cutter.subset(font)
        font["name"] = names
        font.save(buffer)
    return buffer.getvalue(), known


# The cover that every document about a report has: who publishes what, and when.
#
# Texts become paragraphs here too.

_BLANKS = re.compile(r"[ \t\r\n]+")


@dataclass(frozen=True, kw_only=True)
class Cover:
    """Who publishes what, and when."""

    title: str
    publisher: str
    version: str
    date: str  # in words
    iso_date: str
    language: str
    contact: str | None
    process: str


def paragraphs(text: str | None) -> tuple[str, ...]:
    """A text as the paragraphs it is made of: blank lines part them. Spaces that must not break stay as they are."""
    return tuple(_BLANKS.sub(" ", part).strip(" ") for part in (text or "").split("\n\n") if part.strip())


def make_cover(about: Report | PublicSpec) -> Cover:
    """The cover of any document about a report, published or (of the annex) to be."""
    report = about.report
    return Cover(
        title=report.title,
        publisher=report.publisher,
        version=report.version,
        date=long_date(report.date),
        iso_date=report.date.isoformat(),
        language=report.language,
        contact=report.contact,
        process=about.process.name,
    )


# How a document looks where its publisher has a house style: what templates are given beside the text.


@dataclass(frozen=True, kw_only=True)
class CoverPicture:
    """A picture that stands on the cover."""

    address: str  # a data: address, so that nothing is fetched
    alt: str


@dataclass(frozen=True, kw_only=True)
class OwnPart:
    """A section in the publisher's own words, for the screen and for paper."""

    id: str
    title: str
    after: str  # the id of the section that it follows
    screen: str  # HTML, made here of Markdown
    paper: str


@dataclass(frozen=True, kw_only=True)
class Look:
    """A house style, ready for templates; each part empty where nothing was asked for."""

    colours: str = ""  # rules of a style sheet, after those of every page
    chart_accent: str = ""  # what printed charts have in place of the accent
    logo: CoverPicture | None = None
    cover: tuple[str, ...] = ()  # paragraphs
    sections: tuple[OwnPart, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether it is that of every report."""
        return self == PLAIN

    @property
    def own_sections(self) -> dict[str, OwnPart]:
        """The publisher's own sections by their ids."""
        return {part.id: part for part in self.sections}

    def among(self, sections: Iterable[tuple[str, str, object]]) -> list[tuple[str, str, object]]:
        """The sections of a report (id, title, headings inside) with the publisher's own after those that they follow."""
        together: list[tuple[str, str, object]] = []
        for section in sections:
            own = [(part.id, part.title, ()) for part in self.sections if part.after == section[0]]
            together += [section, *own]
        return together


PLAIN = Look()
"""The look of a report without a house style."""


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
class Layout:
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
        # what the page's policy knows its one script by, so that no other can run
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
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
            script_hash=f"sha256-{digest}",
        )


@cache
def _script(template: str) -> str:
    folder, names = templates_folder(), _OWN_SCRIPTS.get(template, (_WORDS, "report.js", "check.js"))
    return "".join((folder / name).read_text(encoding="utf-8") for name in names)


def _words(script: str) -> str:
    """The messages of a script in the page's language, and number signs, as JSON that ends no element; none in English."""
    if get_locale() == "en":
        return ""
    signs = signs_of(get_locale())
    words = {
        "messages": {message: gettext(message) for message in sorted(set(_SAID.findall(script)))},
        "decimal": signs.decimal,
        "group": signs.group,
        "percent": signs.percent,
    }
    return json.dumps(words, ensure_ascii=False).replace("<", "\\u003c")
