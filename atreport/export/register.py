"""Make the files of a register of many reports: a page, a feed, a catalogue and their checksums.

Guarantee: they are functions of the entries and of what the register is called; no clock and no network has a part in them.
"""

import datetime as dt
import json
import re
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as ET

from atreport.compose.generator import NAMESPACE
from atreport.errors import visible
from atreport.export.files import CHECKSUMS, checksums
from atreport.forms import FORMS
from atreport.pages.catalogue import (
    CONTEXT,
    describe_dataset,
    describe_files,
    description_of,
    file_title,
    identifier_of,
)
from atreport.pages.layout import Layout
from atreport.report.figures import Verdict
from atreport.report.model import Report, translated
from atreport.report.writer import json_bytes
from atreport.text.language import (
    LANGUAGES,
    count,
    get_locale,
    gettext,
    message,
    ngettext,
    primary,
    use_locale,
)
from atreport.text.numbers import long_date
from atreport.text.tables import Tone

# What a register says of one published report: a few facts, and its description for catalogues.
#
# Texts come from strangers: they are kept to one line, and characters that steer or deceive are written out.
# Whoever writes them into a page, a feed or a catalogue escapes them there.

STANDARD = message("Standard report")
"""The report that is no form, among the forms to filter by; to be said."""

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


Listing = Sequence[Entry]
"""One report with all its versions, the newest first."""


def describe_entry(report: Report, files: Mapping[str, bytes], folder: str) -> Entry:
    """What a register says of a report whose files lie in `folder`, an address that ends in a slash."""
    shown, described = translated(report), describe_files(files)
    info = shown.report
    found = Counter(each.verdict for each in report.fairness if each.verdict is not None)
    order: tuple[Verdict, ...] = ("does_not_meet", "cannot_tell", "meets")
    with use_locale(info.language):  # whatever the register speaks
        about, dataset = description_of(shown), describe_dataset(shown, described, folder)
    return Entry(
        folder=folder,
        identifier=identifier_of(report),
        title=_line(info.title),
        publisher=_line(info.publisher),
        version=_line(info.version),
        date=info.date.isoformat(),
        language=info.language,
        form=FORMS[info.template].called if info.template in FORMS else STANDARD,
        summary=_line(about),
        verdicts=tuple((verdict, found[verdict]) for verdict in order if found[verdict]),
        files=tuple(file.name for file in described if file.holds_the_report),
        sha256=next((file.sha256 for file in described if file.name == "report.json"), ""),
        dataset=dataset,
    )


def list_entries(entries: Sequence[Entry]) -> list[Listing]:
    """Versions of one report together (the same publisher and title), the newest first; reports in the same order."""
    known = sorted(entries, key=lambda entry: (entry.title, entry.publisher))
    listings: list[Listing] = [
        sorted(versions, key=lambda entry: (entry.date, _counted(entry.version)), reverse=True)
        for _, versions in groupby(known, key=lambda entry: (entry.title, entry.publisher))
    ]
    return sorted(listings, key=lambda listing: listing[0].date, reverse=True)


def _counted(version: str) -> list[tuple[int, str]]:
    """A version so that 1.10 comes after 1.9."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.findall(r"\d+|\D+", version)]


def _line(text: str) -> str:
    return visible(" ".join(_NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text).split()))


PAGE, FEED, CATALOGUE = "index.html", "feed.atom", "catalogue.jsonld"


@dataclass(frozen=True, kw_only=True)
class Naming:
    """What a register is called, and where it is published, if that is known."""

    title: str
    publisher: str
    url: str | None = None  # of the folder, with a slash at its end
    language: str = "en"  # that it speaks itself; each report is listed in its own

    @property
    def identifier(self) -> str:
        """What feeds and catalogues know the register by: where it is, or else a UUID of its title and publisher."""
        if self.url is not None:
            return self.url
        named = json.dumps(["register", self.publisher, self.title], ensure_ascii=False)
        return f"urn:uuid:{uuid.uuid5(NAMESPACE, named)}"


def register_files(naming: Naming, entries: Sequence[Entry], checked: str) -> dict[str, bytes]:
    """Every file of a register, by name; `checked` is the message on what was looked at before they were listed."""
    listings = list_entries(entries)
    listed = [entry for versions in listings for entry in versions]
    newest = max(entry.date for entry in entries)
    with use_locale(naming.language):
        files = {
            PAGE: register_page(naming, newest, listings, checked).encode(),
            FEED: atom_feed(naming, newest, listed),
            CATALOGUE: catalogue_jsonld(naming, newest, listed),
        }
    return {**files, CHECKSUMS: checksums(files)}


# The catalogue of a register: DCAT 3, every report as the dataset that its own dcat.jsonld describes.


def catalogue_jsonld(naming: Naming, newest: str, entries: Sequence[Entry]) -> bytes:
    """The bytes of catalogue.jsonld. Addresses are relative to it, or to the register's own where that is known."""
    return json_bytes(
        {
            "@context": CONTEXT if naming.url is None else {"@base": naming.url, **CONTEXT},
            "@id": naming.identifier,
            "@type": "dcat:Catalog",
            "dct:title": {"@value": naming.title, "@language": get_locale()},
            "dct:description": {
                "@value": gettext(
                    "Algorithmic transparency reports: how processes decide, how fair they are, and what they give away "
                    "about people."
                ),
                "@language": get_locale(),
            },
            "dct:publisher": {"@type": "foaf:Agent", "foaf:name": naming.publisher},
            "dct:modified": {"@value": newest, "@type": "xsd:date"},
            "dcat:dataset": [entry.dataset for entry in entries],
        }
    )


# The feed of a register (Atom, RFC 4287): one entry a version of a report, the newest first.

ATOM = "http://www.w3.org/2005/Atom"
_XML = "{http://www.w3.org/XML/1998/namespace}"


def atom_feed(naming: Naming, newest: str, entries: Sequence[Entry]) -> bytes:
    """The bytes of feed.atom. Addresses are relative to the feed, or to the register's own where that is known."""
    base = {} if naming.url is None else {f"{_XML}base": naming.url}
    feed = ET.Element("feed", {"xmlns": ATOM, f"{_XML}lang": get_locale(), **base})
    _add(feed, "id", naming.identifier)
    _add(feed, "title", naming.title)
    _add(feed, "updated", _day(newest))
    _add(ET.SubElement(feed, "author"), "name", naming.publisher)
    ET.SubElement(feed, "link", {"rel": "self", "type": "application/atom+xml", "href": "feed.atom"})
    ET.SubElement(feed, "link", {"rel": "alternate", "type": "text/html", "href": "index.html"})
    by_name = sorted(entries, key=lambda entry: (entry.title, entry.identifier))
    for entry in sorted(by_name, key=lambda entry: entry.date, reverse=True):
        _add_entry(feed, entry)
    ET.indent(feed, "")
    return (
        b'<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(feed, encoding="unicode").encode() + b"\n"
    )


def _add_entry(feed: ET.Element, entry: Entry) -> None:
    part = ET.SubElement(feed, "entry", {f"{_XML}lang": entry.language})
    _add(part, "id", entry.identifier)
    with use_locale(entry.language):
        _add(part, "title", gettext("{title}, version {version}", title=entry.title, version=entry.version))
    _add(part, "updated", _day(entry.date))
    _add(part, "published", _day(entry.date))
    _add(ET.SubElement(part, "author"), "name", entry.publisher)
    ET.SubElement(part, "category", {"term": gettext(entry.form)})
    for language, address in entry.editions:
        ET.SubElement(part, "link", {"rel": "alternate", "href": address, "hreflang": language})
    _add(part, "summary", entry.summary)


def _add(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = text


def _day(date: str) -> str:
    """A day as feeds write it: they ask for a time of day, and a report has none."""
    return f"{date}T00:00:00Z"


# The page of a register: every report as an article, readable without script; filters where there is one.

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
    listings: tuple[tuple[Shown, ...], ...]  # the newest version of each first
    publishers: tuple[str, ...]
    forms: tuple[str, ...]
    languages: tuple[tuple[str, str], ...]
    choices: dict[str, str]


def register_page(naming: Naming, newest: str, listings: Sequence[Listing], checked: str) -> str:
    """The page as one self-contained file."""
    entries = [entry for versions in listings for entry in versions]
    context = RegisterContext(
        cover=RegisterCover(
            title=naming.title, publisher=naming.publisher, iso_date=newest, language=get_locale()
        ),
        counts=gettext(
            "Reports: {reports}. Versions: {versions}. The newest is of {date}.",
            reports=count(len(listings)),
            versions=count(len(entries)),
            date=_in_words(newest),
        ),
        checked=gettext(checked),
        listings=tuple(tuple(map(_shown, versions)) for versions in listings),
        publishers=tuple(sorted({entry.publisher for entry in entries})),
        forms=tuple(sorted({gettext(entry.form) for entry in entries})),
        languages=tuple(
            sorted({(language, _name(language)) for entry in entries for language, _ in entry.editions})
        ),
        choices={key: gettext(words) for key, words in CHOICES.items()},
    )
    return Layout(TEMPLATE, context).for_screen()


def _shown(entry: Entry) -> Shown:
    return Shown(
        entry=entry,
        date=_in_words(entry.date),
        form=gettext(entry.form),
        editions=tuple((language, _name(language), address) for language, address in entry.editions),
        language_keys=" ".join(language for language, _ in entry.editions),
        verdicts=tuple(_verdict(verdict, number) for verdict, number in entry.verdicts),
        verdict_keys=" ".join(verdict for verdict, _ in entry.verdicts) or "none",
        files=tuple((entry.address_of(name), name, file_title(name)) for name in entry.files),
    )


def _verdict(verdict: Verdict, number: int) -> tuple[str, Tone]:
    match verdict:
        case "does_not_meet":
            return ngettext(
                number,
                "{number} comparison does not meet its threshold",
                "{number} comparisons do not meet their threshold",
            ), "bad"
        case "meets":
            return ngettext(
                number,
                "{number} comparison meets its threshold",
                "{number} comparisons meet their threshold",
            ), "good"
        case "cannot_tell":
            return ngettext(
                number,
                "{number} comparison cannot be told at this fidelity",
                "{number} comparisons cannot be told at this fidelity",
            ), "open"


def _name(language: str) -> str:
    """A language by its own name, or else by its tag."""
    return LANGUAGES.get(primary(language), language)


def _in_words(date: str) -> str:
    return long_date(dt.date.fromisoformat(date))
