"""Words that are English and nothing else: what must not stand in a sentence of another language.

    assert english_words("fairness 1 : not the groups that are compared", "fr") == ["the", "groups", ...]

A word counts as English where it stands in an English message, in no message of the other language, and in nothing that is
quoted: names of files, keys of report.json and the publisher's own words are the same in every language.
"""

import json
import re
from collections.abc import Iterable
from functools import cache

from babel.messages.pofile import read_po

from atreport.report.model import Report
from atreport.text.language import CATALOGUES

_WORD = re.compile(r"[^\W\d_]{2,}")
_PLACE = re.compile(r"\{\w*\}")
_QUOTED = re.compile(r"«[^»]*»|„[^“]*“|“[^”]*”|<[^>]*>|`[^`]*`|\S*\w\.[a-z]\S*")
"""Between marks, and names of files."""
_NAMES = {"pdf", "odds", "lift", "atreport", "verify"}


def english_words(text: str, code: str, own: Iterable[str] = ()) -> list[str]:
    """The words of a text in this language that are English, without those that it quotes."""
    allowed = {word.lower() for each in own for word in _WORD.findall(each)}
    words = _WORD.findall(_QUOTED.sub(" ", text))
    return [word for word in words if word.lower() in _english_only(code) - allowed]


def own_words(report: Report) -> list[str]:
    """What a report.json calls its parts, and what its publisher calls things; not the notes, which are our sentences."""
    document = report.as_json()
    parts = {key: part for key, part in document.items() if key not in ("notes", "generator")}
    return [*document, json.dumps(parts, default=str, ensure_ascii=False)]


@cache
def _english_only(code: str) -> frozenset[str]:
    with (CATALOGUES / f"{code}.po").open("rb") as file:
        entries = [entry for entry in read_po(file, locale=code) if entry.id]
    english = {word for entry in entries for word in _words(entry.id)}
    return frozenset(english - {word for entry in entries for word in _words(entry.string or "")} - _NAMES)


def _words(forms: str | Iterable[str]) -> set[str]:
    texts = [forms] if isinstance(forms, str) else forms
    return {word.lower() for text in texts for word in _WORD.findall(_PLACE.sub(" ", text))}
