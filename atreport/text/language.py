"""Words in the language that is spoken: the only place that reads catalogues of messages.

The words stand in the code, in English. `gettext` gives a message in the language that is spoken, `ngettext` one that
counts; a catalogue (``atreport/languages/fr.po``) has the translations, and ``tools/messages.py`` keeps the catalogues up to
date. Values fill the places in braces, so that a translator can move them:

    gettext("At most {share} of the people", share=percent(share))

Functions that make a document begin with ``with use_locale(report.language)``; everything below them speaks that language.
Outside of it English is spoken: by the command line, the annex and the messages of errors. A function that is cached
(``functools.cache``) must not say anything: its answer would be kept in the first language that asked.

Guarantee: a message without a translation is said in English, never left out. What is said is a function of the message, its
values and the language: no locale of the machine plays a part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from gettext import NullTranslations
from importlib import import_module
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

CATALOGUES = Path(__file__).parents[1] / "languages"
"""The folder of the catalogues, one PO file a language."""


@cache
def catalogue(language: str) -> NullTranslations:
    """The messages of a language; those that a translator marked as unsure (fuzzy) are left out."""
    if language == "en":
        return NullTranslations()
    found: NullTranslations = load_cldr().read_catalogue(CATALOGUES / f"{language}.po")
    return found


def gettext(message: str, /, **values: object) -> str:
    """A message in the language that is spoken, its places filled with these values."""
    return _filled(catalogue(get_locale()).gettext(message), values)


def pgettext(context: str, message: str, /, **values: object) -> str:
    """The same for a message that means different things in different contexts, such as a heading and a button."""
    return _filled(catalogue(get_locale()).pgettext(context, message), values)


def ngettext(number: int, one: str, many: str, /, **values: object) -> str:
    """A message that counts: `one` where the number is 1, otherwise `many`; {number} is the number as it is written.

    Other languages have their own rules, and as many forms as they need.
    """
    found = catalogue(get_locale()).ngettext(one, many, number)
    return _filled(found, {"number": count(number), **values})


def message(text: str, /) -> str:
    """Mark a message that is said later, by `gettext`, such as a constant of a module. Gives it back as it is."""
    return text


def plural(one: str, many: str, /) -> tuple[str, str]:
    """The same for a message that counts, said later by `ngettext`."""
    return one, many


def _filled(text: str, values: dict[str, object]) -> str:
    return text.format_map(values) if values else text


# Which language is spoken: set where a document begins, and asked where its words and numbers are written.

LANGUAGES = MappingProxyType({"en": "English", "fr": "Français", "de": "Deutsch", "nl": "Nederlands"})
"""The languages in which reports are made, each by its own name."""

TAG = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}")
"""A tag of a language, perhaps with a region: fr, fr-CA. It may stand in the name of a file."""

_spoken: ContextVar[str] = ContextVar("language", default="en")


def primary(language: str) -> str:
    """The language of a tag such as fr-CA, without its region."""
    return language.split("-")[0].lower()


@contextmanager
def use_locale(language: str) -> Iterator[None]:
    """Speak this language (a tag such as fr or fr-CA) inside the block; outside of any block English is spoken."""
    token = _spoken.set(primary(language))
    try:
        yield
    finally:
        _spoken.reset(token)


def get_locale() -> str:
    """The language that is spoken here."""
    return _spoken.get()


def load_cldr() -> ModuleType:
    """What Babel knows of languages, which English does without: imported when another one is first spoken."""
    return import_module("atreport.text.cldr")


# Messages that are written down before anybody knows in which language they will be read.
#
# What is wrong with a file is found while it is read, often in another process, and its language stands
# inside it. So it is noted in English, as a text that remembers its message and what fills it, and is said
# when the language is known:
#
#     found = lazy_gettext("an element “{name}”", name=name)  # in the process that reads the file
#     resolve(found)  # for the reader
#
# Whole numbers are written as the language writes them; other values are texts, and stay as they are.
#
# Guarantee: a value is never taken for a message, whatever a hostile file has put there; a text that
# remembers nothing is said as it is; what is remembered travels from one process to another.

Value = str | int
"""What fills a place: a text, one that is remembered itself, or a whole number."""


class LazyMessage(str):
    """A message in English, and what it is made of."""

    __slots__ = ("message", "values")

    message: str
    values: Mapping[str, Value]

    def __new__(cls, message: str, values: Mapping[str, Value]) -> LazyMessage:
        """The message in English, its places filled with these values."""
        written = {name: f"{value:,}" if isinstance(value, int) else value for name, value in values.items()}
        text = super().__new__(cls, message.format_map(written) if values else message)
        text.message, text.values = message, values
        return text

    def __reduce__(self) -> tuple[Any, ...]:
        """Sent from one process to another by what it is made of."""
        return LazyMessage, (self.message, self.values)


def lazy_gettext(message: str, /, **values: Value) -> LazyMessage:
    """A message to be said by `resolve`; until then it reads as English."""
    return LazyMessage(message, values)


def resolve(text: str) -> str:
    """What was to be said later, in the language that is spoken now; any other text as it is."""
    if not isinstance(text, LazyMessage):
        return text
    values = {
        name: count(each) if isinstance(each, int) else resolve(each) for name, each in text.values.items()
    }
    return gettext(text.message, **values)


# How the language that is spoken writes numbers: its decimal sign, the sign between thousands, percent.
#
# Rounding is never left to a locale: digits come in as text that was rounded before, and only signs are
# exchanged.

NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True, kw_only=True)
class Signs:
    """The signs of one language."""

    decimal: str
    group: str
    percent: str  # with {number} in the place of the number


_ENGLISH = Signs(decimal=".", group=",", percent="{number}%")


@cache
def signs_of(language: str) -> Signs:
    """The signs of a language, by CLDR; the narrow space, which the report's fonts lack, is a plain no-break one."""
    if language == "en":
        return _ENGLISH
    decimal, group, percent = load_cldr().decimal_group_percent(language)
    return Signs(decimal=decimal, group=_in_our_fonts(group), percent=_in_our_fonts(percent))


def _in_our_fonts(text: str) -> str:
    return text.replace("\N{NARROW NO-BREAK SPACE}", NO_BREAK_SPACE)


def signed_as_spoken(digits: str) -> str:
    """A number in English signs (1,234.5) with those of the language that is spoken."""
    signs = signs_of(get_locale())
    if signs is _ENGLISH:
        return digits
    return digits.translate({ord(","): signs.group, ord("."): signs.decimal})


def with_percent(digits: str) -> str:
    """A number, written as it is spoken, with the percent sign."""
    return signs_of(get_locale()).percent.replace("{number}", digits)


def count(number: int) -> str:
    """A whole number with thousands set apart."""
    return signed_as_spoken(f"{number:,}")


# Small words between others, in the language that is spoken: quotation marks, lists, first letters.


def quote(text: str) -> str:
    """A text in quotation marks: “Gender”."""
    return gettext("“{text}”", text=text)


def list_and(items: Iterable[str]) -> str:
    """Some things, all of which are meant: a, b and c. Empty where there is none."""
    *others, last = list(items) or [""]
    return gettext("{others} and {last}", others=", ".join(others), last=last) if others else last


def list_or(items: Iterable[str]) -> str:
    """Some things, any of which is meant: a, b or c. Empty where there is none."""
    *others, last = list(items) or [""]
    return gettext("{others} or {last}", others=", ".join(others), last=last) if others else last


def capitalised(text: str) -> str:
    """A text as the beginning of a sentence."""
    return f"{text[:1].upper()}{text[1:]}"


def without_because(reason: str) -> str:
    """A reason without the word “because” that may begin it, so that the sentence around it can have its own."""
    because = pgettext("begins a reason", "because")
    return reason.removeprefix("because ").removeprefix(f"{because} ")
