"""Which language is spoken: set where a document begins, and asked where its words and numbers are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from types import MappingProxyType, ModuleType

LANGUAGES = MappingProxyType({"en": "English", "fr": "Français", "de": "Deutsch", "nl": "Nederlands"})
"""The languages in which reports are made, each by its own name."""

TAG = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}")
"""A tag of a language, perhaps with a region: fr, fr-CA. It may stand in the name of a file."""

_spoken: ContextVar[str] = ContextVar("language", default="en")


def primary(language: str) -> str:
    """The language of a tag such as fr-CA, without its region."""
    return language.split("-")[0].lower()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak this language (a tag such as fr or fr-CA) inside the block; outside of any block English is spoken."""
    token = _spoken.set(primary(language))
    try:
        yield
    finally:
        _spoken.reset(token)


def spoken() -> str:
    """The language that is spoken here."""
    return _spoken.get()


def load_cldr() -> ModuleType:
    """What Babel knows of languages, which English does without: imported when another one is first spoken."""
    return import_module("atreport.kit.language.cldr")
