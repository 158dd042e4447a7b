"""The page of a register: every report as an article, readable without script; filters where there is one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from atreport.kit.language import message, say, say_many
from atreport.kit.language.spoken import LANGUAGES, primary, spoken
from atreport.kit.numbers import count, long_date
from atreport.kit.tables import Tone
from atreport.kit.typesetting.manuscript import Manuscript
from atreport.pages.catalogue.published_file import file_title
from atreport.pages.register.entry import Entry, Listing
from atreport.report.figures import Verdict

TEMPLATE = "register/register.html.j2"

CHOICES: dict[str, str] = {
    "does_not_meet": message("A comparison does not meet its threshold"),
    "cannot_tell": message("Of a comparison it cannot be told whether it meets its threshold"),
    "meets": message("A comparison meets its threshold"),
    "none": message("No comparison with a threshold"),
}
"""The verdicts to filter by, to be said: a report may have several."""


@dataclass(frozen=True)
class RegisterCover:
    """What every page has at its head."""

    title: str
    publisher: str
    iso_date: str
    language: str


@dataclass(frozen=True, kw_only=True)
class Shown:
    """One version as the page shows it."""

    entry: Entry
    date: str  # in words
    form: str
    editions: tuple[tuple[str, str, str], ...]  # language, its own name, address
    language_keys: str  # to filter by, with blanks between
    verdicts: tuple[tuple[str, Tone], ...]
    verdict_keys: str  # to filter by, with blanks between
    files: tuple[tuple[str, str, str], ...]  # address, name, what it is


@dataclass(frozen=True, kw_only=True)
class RegisterContext:
    """A register as text."""

    cover: RegisterCover
    counts: str
    checked: str
    listings: tuple[tuple[Shown, tuple[Shown, ...]], ...]
    publishers: tuple[str, ...]
    forms: tuple[str, ...]
    languages: tuple[tuple[str, str], ...]
    choices: dict[str, str]


def register_page(title: str, publisher: str, newest: str, listings: Sequence[Listing], checked: str) -> str:
    """The page as one self-contained file."""
    entries = [entry for listing in listings for entry in (listing.newest, *listing.earlier)]
    context = RegisterContext(
        cover=RegisterCover(title=title, publisher=publisher, iso_date=newest, language=spoken()),
        counts=say(
            "Reports: {reports}. Versions: {versions}. The newest is of {date}.",
            reports=count(len(listings)),
            versions=count(len(entries)),
            date=_in_words(newest),
        ),
        checked=say(checked),
        listings=tuple((_shown(listing.newest), tuple(map(_shown, listing.earlier))) for listing in listings),
        publishers=tuple(sorted({entry.publisher for entry in entries})),
        forms=tuple(sorted({say(entry.form) for entry in entries})),
        languages=tuple(
            sorted({(language, _name(language)) for entry in entries for language, _ in entry.editions})
        ),
        choices={key: say(words) for key, words in CHOICES.items()},
    )
    return Manuscript(TEMPLATE, context).for_screen()


def _shown(entry: Entry) -> Shown:
    return Shown(
        entry=entry,
        date=_in_words(entry.date),
        form=say(entry.form),
        editions=tuple((language, _name(language), address) for language, address in entry.editions),
        language_keys=" ".join(language for language, _ in entry.editions),
        verdicts=tuple(_verdict(verdict, number) for verdict, number in entry.verdicts),
        verdict_keys=" ".join(verdict for verdict, _ in entry.verdicts) or "none",
        files=tuple((entry.address_of(name), name, file_title(name)) for name in entry.files),
    )


def _verdict(verdict: Verdict, number: int) -> tuple[str, Tone]:
    match verdict:
        case "does_not_meet":
            return say_many(
                number,
                "{number} comparison does not meet its threshold",
                "{number} comparisons do not meet their threshold",
            ), "bad"
        case "meets":
            return say_many(
                number,
                "{number} comparison meets its threshold",
                "{number} comparisons meet their threshold",
            ), "good"
        case "cannot_tell":
            return say_many(
                number,
                "{number} comparison cannot be told at this fidelity",
                "{number} comparisons cannot be told at this fidelity",
            ), "open"


def _name(language: str) -> str:
    """A language by its own name, or else by its tag."""
    return LANGUAGES.get(primary(language), language)


def _in_words(date: str) -> str:
    return long_date(dt.date.fromisoformat(date))
