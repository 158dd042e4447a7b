"""A language that exists only in tests: every message stands in ⟦ ⟧, so that a text which is no message shows.

with pseudo_language():
    page = lay_out(report).html()
assert untold(page, publisher=publisher_texts(report)) == []
"""

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from gettext import NullTranslations
from html.parser import HTMLParser
from unittest.mock import patch

from atreport.report.model import Report
from atreport.text import language
from atreport.text.numbers import long_date

BEGIN, END = "\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}", "\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}"

SEEN_ATTRIBUTES = ("alt", "aria-label", "content", "placeholder", "summary", "title")
"""Attributes that a reader sees or hears."""
UNSEEN_ELEMENTS = frozenset({"script", "style", "code", "pre"})
"""What holds no words of ours: programs, and commands as they are typed."""
_META_OF_PROGRAMS = frozenset(
    {"viewport", "generator", "author", "dcterms.created", "dcterms.modified", "color-scheme"}
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_VOID = frozenset({"area", "br", "col", "hr", "img", "input", "link", "meta", "wbr"})


class PseudoCatalogue(NullTranslations):
    """Every message in brackets; its places are filled as ever."""

    def gettext(self, message: str) -> str:
        """The message in brackets."""
        return f"{BEGIN}{message}{END}"

    def pgettext(self, context: str, message: str) -> str:  # noqa: ARG002 the signature is gettext's
        """The message in brackets."""
        return self.gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The message that counts, in brackets."""
        return self.gettext(msgid1 if n == 1 else msgid2)


@contextmanager
def pseudo_language() -> Iterator[None]:
    """Speak the pseudo-language inside the block, whatever language is spoken."""
    with patch.object(language, "catalogue", lambda _language: PseudoCatalogue()):
        yield


def untold(page: str, publisher: Collection[str] = ()) -> list[str]:
    """Texts of an HTML page that are neither messages nor the publisher's, nor numbers and signs alone."""
    reader = _Texts()
    reader.feed(page)
    reader.close()
    return [text for text in reader.texts if untold_words(text, publisher)]


def untold_words(text: str, publisher: Collection[str] = ()) -> list[str]:
    """The words of a text outside of all brackets, without the publisher's."""
    rest = outside_brackets(text)
    for own in sorted(publisher, key=len, reverse=True):
        rest = rest.replace(own, " ")
    return _WORD.findall(rest)


def outside_brackets(text: str) -> str:
    """A text without its messages; brackets may stand in one another."""
    depth, kept = 0, []
    for letter in text:
        if letter == BEGIN:
            depth += 1
        elif letter == END:
            depth -= 1
        elif depth == 0:
            kept.append(letter)
    return "".join(kept)


def publisher_texts(report: Report) -> frozenset[str]:
    """Every text of a report that may be its publisher's: its date, and what its report.json holds but for the notes."""
    document = report.as_json()
    texts = _texts(
        {key: part for key, part in document.items() if key not in ("notes", "generator", "policy")}
    )
    return frozenset(texts) | {long_date(report.report.date)}


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for entry in value.values():
            yield from _texts(entry)
    elif isinstance(value, list):
        for entry in value:
            yield from _texts(entry)


class _Texts(HTMLParser):
    """The texts of a page: those of each block together, since a message may hold tags, and seen attributes."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self._open: list[str] = []
        self._text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag != "meta" or given.get("name", "viewport") not in _META_OF_PROGRAMS:
            self.texts += [value for name in SEEN_ATTRIBUTES if (value := given.get(name))]
        if tag not in _VOID:
            self._open.append(tag)
        self._end_outside_brackets()

    def handle_endtag(self, tag: str) -> None:
        self._end_outside_brackets()
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not UNSEEN_ELEMENTS & {*self._open}:
            self._text += data

    def close(self) -> None:
        super().close()
        self.texts.append(self._text)

    def _end_outside_brackets(self) -> None:
        """A tag ends a text, unless it stands inside a message."""
        if self._text.count(BEGIN) == self._text.count(END):
            self.texts += [self._text] if self._text.strip() else []
            self._text = ""
