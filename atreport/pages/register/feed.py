"""The feed of a register (Atom, RFC 4287): one entry a version of a report, the newest first."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from atreport.kit.language import say
from atreport.kit.language.spoken import speaking, spoken
from atreport.pages.register.entry import Entry, Listing

ATOM = "http://www.w3.org/2005/Atom"
_XML = "{http://www.w3.org/XML/1998/namespace}"


def atom_feed(
    title: str, publisher: str, identifier: str, url: str | None, newest: str, listings: Sequence[Listing]
) -> bytes:
    """The bytes of feed.atom. Addresses are relative to the feed, or to `url` where that is known."""
    feed = ET.Element(
        "feed", {"xmlns": ATOM, f"{_XML}lang": spoken(), **({f"{_XML}base": url} if url is not None else {})}
    )
    _add(feed, "id", identifier)
    _add(feed, "title", title)
    _add(feed, "updated", _day(newest))
    _add(ET.SubElement(feed, "author"), "name", publisher)
    ET.SubElement(feed, "link", {"rel": "self", "type": "application/atom+xml", "href": "feed.atom"})
    ET.SubElement(feed, "link", {"rel": "alternate", "type": "text/html", "href": "index.html"})
    entries = [entry for listing in listings for entry in (listing.newest, *listing.earlier)]
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
    with speaking(entry.language):
        _add(part, "title", say("{title}, version {version}", title=entry.title, version=entry.version))
    _add(part, "updated", _day(entry.date))
    _add(part, "published", _day(entry.date))
    _add(ET.SubElement(part, "author"), "name", entry.publisher)
    ET.SubElement(part, "category", {"term": say(entry.form)})
    for language, address in entry.editions:
        ET.SubElement(part, "link", {"rel": "alternate", "href": address, "hreflang": language})
    _add(part, "summary", entry.summary)


def _add(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = text


def _day(date: str) -> str:
    """A day as feeds write it: they ask for a time of day, and a report has none."""
    return f"{date}T00:00:00Z"
