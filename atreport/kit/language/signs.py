"""How the language that is spoken writes numbers: its decimal sign, the sign between thousands, percent.

Rounding is never left to a locale: digits come in as text that was rounded before, and only signs are exchanged.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from atreport.kit.language.spoken import load_cldr, spoken

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
    signs = signs_of(spoken())
    if signs is _ENGLISH:
        return digits
    return digits.translate({ord(","): signs.group, ord("."): signs.decimal})


def with_percent(digits: str) -> str:
    """A number, written as it is spoken, with the percent sign."""
    return signs_of(spoken()).percent.replace("{number}", digits)


def count(number: int) -> str:
    """A whole number with thousands set apart."""
    return signed_as_spoken(f"{number:,}")
