"""Words in the language that is spoken: the only place that reads catalogues of messages.

The words stand in the code, in English. `say` gives a message in the language that is spoken, `say_many` one that
counts; a catalogue (``atreport/languages/fr.po``) has the translations, and ``tools/messages.py`` keeps the catalogues up to
date. Values fill the places in braces, so that a translator can move them:

    say("At most {share} of the people", share=percent(share))

Functions that make a document begin with ``with speaking(report.language)``; everything below them speaks that language.
Outside of it English is spoken: by the command line, the annex and the messages of errors. A function that is cached
(``functools.cache``) must not say anything: its answer would be kept in the first language that asked.

Guarantee: a message without a translation is said in English, never left out. What is said is a function of the message, its
values and the language: no locale of the machine plays a part.
"""

from __future__ import annotations

from functools import cache
from gettext import NullTranslations
from pathlib import Path

from atreport.kit.language.signs import count
from atreport.kit.language.spoken import load_cldr, spoken

CATALOGUES = Path(__file__).parents[2] / "languages"
"""The folder of the catalogues, one PO file a language."""


@cache
def catalogue(language: str) -> NullTranslations:
    """The messages of a language; those that a translator marked as unsure (fuzzy) are left out."""
    if language == "en":
        return NullTranslations()
    found: NullTranslations = load_cldr().read_catalogue(CATALOGUES / f"{language}.po")
    return found


def say(message: str, /, **values: object) -> str:
    """A message in the language that is spoken, its places filled with these values."""
    return _filled(catalogue(spoken()).gettext(message), values)


def say_in(context: str, message: str, /, **values: object) -> str:
    """The same for a message that means different things in different contexts, such as a heading and a button."""
    return _filled(catalogue(spoken()).pgettext(context, message), values)


def say_many(number: int, one: str, many: str, /, **values: object) -> str:
    """A message that counts: `one` where the number is 1, otherwise `many`; {number} is the number as it is written.

    Other languages have their own rules, and as many forms as they need.
    """
    found = catalogue(spoken()).ngettext(one, many, number)
    return _filled(found, {"number": count(number), **values})


def message(text: str, /) -> str:
    """Mark a message that is said later, by `say`, such as a constant of a module. Gives it back as it is."""
    return text


def _filled(text: str, values: dict[str, object]) -> str:
    return text.format_map(values) if values else text
