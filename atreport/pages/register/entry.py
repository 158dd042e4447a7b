"""What a register says of one published report: a few facts, and its description for catalogues.

Texts come from strangers: they are kept to one line, and characters that steer or deceive are written out. Whoever writes
them into a page, a feed or a catalogue escapes them there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from urllib.parse import quote

from atreport.errors import visible
from atreport.pages.catalogue.dcat import describe_dataset, description_of, identifier_of
from atreport.pages.catalogue.published_file import describe_files
from atreport.report.figures import Verdict
from atreport.report.model import Report

FORM_NAMES: Mapping[str, str] = {
    "standard": "Standard report",
    "ll144": "Bias audit (New York City Local Law 144)",
    "eeoc": "Selection rates (EEOC Uniform Guidelines)",
    "atrs": "Algorithmic Transparency Recording Standard (UK)",
    "gdpr15": "Information for data subjects (GDPR, Article 15)",
    "algoritmeregister": "Algoritmeregister (Netherlands)",
    "model_card": "Model card",
    "canada_adm": "Directive on Automated Decision-Making (Canada)",
    "ai_act": "AI Act (European Union)",
    "adverse_action": "Adverse action (United States)",
    "colorado": "Consequential decisions (Colorado)",
    "california": "Automated decisions (California)",
}
"""Every form of a report, in words to filter by."""

READ_FIRST = ("report.html", "report.pdf", "report.json")
"""What a title leads to: the first of these that is there."""

_NOT_IN_XML = re.compile("[\ufffe\uffff]")


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One version of a report, as a register lists it."""

    folder: str  # the address of its public folder, relative to the register; ends in a slash
    identifier: str
    title: str
    publisher: str
    version: str
    date: str  # as ISO 8601 writes it
    language: str
    form: str  # in words
    summary: str
    verdicts: tuple[tuple[Verdict, int], ...]  # how many comparisons have each verdict, where any has
    files: tuple[str, ...]
    sha256: str  # of report.json
    dataset: Mapping[str, Any]  # as a catalogue describes it

    @property
    def address(self) -> str:
        """Where to read it."""
        return self.address_of(next(name for name in (*READ_FIRST, *self.files) if name in self.files))

    def address_of(self, name: str) -> str:
        """Where one of its files lies."""
        return self.folder + quote(name)


@dataclass(frozen=True, kw_only=True)
class Listing:
    """One report with all its versions, the newest first."""

    newest: Entry
    earlier: tuple[Entry, ...]


def describe_entry(report: Report, files: Mapping[str, bytes], folder: str) -> Entry:
    """What a register says of a report whose files lie in `folder`, an address that ends in a slash."""
    info, described = report.report, describe_files(files)
    found = Counter(each.verdict for each in report.fairness if each.verdict is not None)
    order: tuple[Verdict, ...] = ("does_not_meet", "cannot_tell", "meets")
    return Entry(
        folder=folder,
        identifier=identifier_of(report),
        title=_line(info.title),
        publisher=_line(info.publisher),
        version=_line(info.version),
        date=info.date.isoformat(),
        language=info.language,
        form=FORM_NAMES[info.template],
        summary=_line(description_of(report)),
        verdicts=tuple((verdict, found[verdict]) for verdict in order if found[verdict]),
        files=tuple(file.name for file in described if file.holds_the_report),
        sha256=next((file.sha256 for file in described if file.name == "report.json"), ""),
        dataset=describe_dataset(report, described, folder),
    )


def list_entries(entries: Sequence[Entry]) -> list[Listing]:
    """Versions of one report together (the same publisher and title), the newest first; reports in the same order."""
    known = sorted(entries, key=lambda entry: (entry.publisher, entry.title))
    listings = []
    for _, versions in groupby(known, key=lambda entry: (entry.publisher, entry.title)):
        newest, *earlier = sorted(
            versions, key=lambda entry: (entry.date, _counted(entry.version)), reverse=True
        )
        listings.append(Listing(newest=newest, earlier=tuple(earlier)))
    listings.sort(key=lambda listing: (listing.newest.title, listing.newest.publisher))
    return sorted(listings, key=lambda listing: listing.newest.date, reverse=True)


def _counted(version: str) -> list[tuple[int, str]]:
    """A version so that 1.10 comes after 1.9."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.findall(r"\d+|\D+", version)]


def _line(text: str) -> str:
    return visible(" ".join(_NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text).split()))
