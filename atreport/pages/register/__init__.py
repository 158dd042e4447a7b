"""Make the files of a register of many reports: a page, a feed, a catalogue and their checksums.

Guarantee: they are functions of the entries and of what the register is called; no clock and no network has a part in them.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from atreport.kit.language.spoken import speaking
from atreport.pages.register.catalogue import catalogue_jsonld
from atreport.pages.register.entry import Entry, list_entries
from atreport.pages.register.feed import atom_feed
from atreport.pages.register.page import register_page
from atreport.publication.identifier import NAMESPACE

PAGE, FEED, CATALOGUE, CHECKSUMS = "index.html", "feed.atom", "catalogue.jsonld", "SHA256SUMS"


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
    with speaking(naming.language):
        return _register_files(naming, entries, checked)


def _register_files(naming: Naming, entries: Sequence[Entry], checked: str) -> dict[str, bytes]:
    listings = list_entries(entries)
    newest = max(entry.date for entry in entries)
    names = (naming.title, naming.publisher, naming.identifier, naming.url)
    files = {
        PAGE: register_page(naming.title, naming.publisher, newest, listings, checked).encode(),
        FEED: atom_feed(*names, newest, listings),
        CATALOGUE: catalogue_jsonld(*names, newest, listings),
    }
    lines = [f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files)]
    return {**files, CHECKSUMS: "".join(lines).encode()}
