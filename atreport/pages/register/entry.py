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
from atreport.kit.language import message
from atreport.kit.language.spoken import speaking
from atreport.pages.catalogue.dcat import describe_dataset, description_of, identifier_of
from atreport.pages.catalogue.published_file import PublishedFile, describe_files
from atreport.report.figures import Verdict
from atreport.report.model import Report
from atreport.report.translated import translated

FORM_NAMES: Mapping[str, str] = {
    "standard": message("Standard report"),
    "ll144": message("Bias audit (New York City Local Law 144)"),
    "eeoc": message("Selection rates (EEOC Uniform Guidelines)"),
    "atrs": message("Algorithmic Transparency Recording Standard (UK)"),
    "gdpr15": message("Information for data subjects (GDPR, Article 15)"),
    "algoritmeregister": message("Algoritmeregister (Netherlands)"),
    "model_card": message("Model card"),
    "canada_adm": message("Directive on Automated Decision-Making (Canada)"),
    "ai_act": message("AI Act (European Union)"),
    "adverse_action": message("Adverse action (United States)"),
    "colorado": message("Consequential decisions (Colorado)"),
    "california": message("Automated decisions (California)"),
}
"""Every form of a report, in words to filter by; to be said with `say`."""

READ_FIRST = ("report.html", "report.pdf", "report.json")
"""What a title leads to: the first of these that is there."""

_EDITION = re.compile(r"report\.([a-z]{2,3}(?:-[A-Za-z0-9]+)*)\.(?:html|pdf)")
"""The page or the file for print of a report in a further language."""

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
    form: str  # in words, to be said
    summary: str
    verdicts: tuple[tuple[Verdict, int], ...]  # how many comparisons have each verdict, where any has
    files: tuple[str, ...]
    sha256: str  # of report.json
    dataset: Mapping[str, Any]  # as a catalogue describes it

    @property
    def address(self) -> str:
        """Where to read it."""
        return self.address_of(next(name for name in (*READ_FIRST, *self.files) if name in self.files))

    @property
    def editions(self) -> tuple[tuple[str, str], ...]:
        """Where to read it in each language, its own first: report.fr.html beside report.html is French."""
        further = {
            found[1]: self.address_of(name)
            for name in sorted(self.files, reverse=True)  # of two, the page is the last, and is kept
            if (found := _EDITION.fullmatch(name))
        }
        return ((self.language, self.address), *sorted(further.items()))

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
    shown, described = translated(report), describe_files(files)
    info = shown.report
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
        summary=_line(_described(shown)),
        verdicts=tuple((verdict, found[verdict]) for verdict in order if found[verdict]),
        files=tuple(file.name for file in described if file.holds_the_report),
        sha256=next((file.sha256 for file in described if file.name == "report.json"), ""),
        dataset=_dataset(shown, described, folder),
    )


def _described(report: Report) -> str:
    """What a report is about, in its own language."""
    with speaking(report.report.language):
        return description_of(report)


def _dataset(report: Report, files: Sequence[PublishedFile], folder: str) -> dict[str, Any]:
    """What a catalogue says of a report, in its own language."""
    with speaking(report.report.language):
        return describe_dataset(report, files, folder)


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
