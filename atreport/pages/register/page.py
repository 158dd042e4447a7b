"""The page of a register: every report as an article, readable without script; filters where there is one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from atreport.kit.numbers import counted, long_date
from atreport.kit.render import render_page
from atreport.kit.tables import Tone
from atreport.pages.catalogue.published_file import FILE_TITLES
from atreport.pages.register.entry import Entry, Listing
from atreport.report.figures import Verdict

TEMPLATE = "register/register.html.j2"

_VERDICTS: dict[Verdict, tuple[str, str, Tone]] = {
    "does_not_meet": ("does not meet its threshold", "do not meet their threshold", "bad"),
    "cannot_tell": ("cannot be told at this fidelity", "cannot be told at this fidelity", "open"),
    "meets": ("meets its threshold", "meet their threshold", "good"),
}
CHOICES: dict[str, str] = {
    "does_not_meet": "A comparison does not meet its threshold",
    "cannot_tell": "A comparison cannot be told",
    "meets": "A comparison meets its threshold",
    "none": "No comparison with a threshold",
}
"""The verdicts to filter by: a report may have several."""


@dataclass(frozen=True)
class RegisterCover:
    """What every page has at its head."""

    title: str
    publisher: str
    iso_date: str
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Shown:
    """One version as the page shows it."""

    entry: Entry
    date: str  # in words
    verdicts: tuple[tuple[str, Tone], ...]
    verdict_keys: str  # to filter by, with blanks between
    files: tuple[tuple[str, str, str], ...]  # address, name, what it is


@dataclass(frozen=True, kw_only=True)
class RegisterContext:
    """A register as text."""

    cover: RegisterCover
    counts: str
    date: str
    checked: str
    listings: tuple[tuple[Shown, tuple[Shown, ...]], ...]
    publishers: tuple[str, ...]
    forms: tuple[str, ...]
    languages: tuple[str, ...]
    choices: dict[str, str]


def register_page(title: str, publisher: str, newest: str, listings: Sequence[Listing], checked: str) -> str:
    """The page as one self-contained file."""
    entries = [entry for listing in listings for entry in (listing.newest, *listing.earlier)]
    versions = counted(len(entries), "version")
    context = RegisterContext(
        cover=RegisterCover(title=title, publisher=publisher, iso_date=newest),
        counts=f"{counted(len(listings), 'report')} in {versions}",
        date=_in_words(newest),
        checked=checked,
        listings=tuple((_shown(listing.newest), tuple(map(_shown, listing.earlier))) for listing in listings),
        publishers=tuple(sorted({entry.publisher for entry in entries})),
        forms=tuple(sorted({entry.form for entry in entries})),
        languages=tuple(sorted({entry.language for entry in entries})),
        choices=CHOICES,
    )
    return render_page(TEMPLATE, context)


def _shown(entry: Entry) -> Shown:
    return Shown(
        entry=entry,
        date=_in_words(entry.date),
        verdicts=tuple(_verdict(verdict, number) for verdict, number in entry.verdicts),
        verdict_keys=" ".join(verdict for verdict, _ in entry.verdicts) or "none",
        files=tuple((entry.address_of(name), name, FILE_TITLES.get(name, name)) for name in entry.files),
    )


def _verdict(verdict: Verdict, number: int) -> tuple[str, Tone]:
    one, many, tone = _VERDICTS[verdict]
    return f"{counted(number, 'comparison')} {one if number == 1 else many}", tone


def _in_words(date: str) -> str:
    return long_date(dt.date.fromisoformat(date))
