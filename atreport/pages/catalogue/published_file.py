"""What catalogues say of one published file: what it is, of which type, how large, and its checksum."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from atreport.kit.language import message, say
from atreport.kit.resources import VERIFIER
from atreport.pages.forms import FORM_FILE_TITLES
from atreport.publish import ADDED_LATER, language_of
from atreport.spec.models.style import LOGO_FILES

CATALOGUE_FILE = "dcat.jsonld"
METADATA_ENDING = "-metadata.json"

FILE_TITLES: Mapping[str, str] = {
    "report.html": message("The report as one page for the screen"),
    "report.pdf": message("The report for print and archive, with the data attached"),
    "report.json": message("Every figure of this report, for programs"),
    "report.ods": message("The tables of this report as an accessible spreadsheet (OpenDocument)"),
    "report.xlsx": message("The tables of this report as an accessible spreadsheet (Excel)"),
    "cells.csv": message("The announced rule, one row for each cell"),
    "measures.csv": message("The fairness measures, one row for each comparison"),
    f"cells.csv{METADATA_ENDING}": message("What each column of cells.csv holds (CSVW)"),
    f"measures.csv{METADATA_ENDING}": message("What each column of measures.csv holds (CSVW)"),
    **dict.fromkeys(LOGO_FILES.values(), message("The publisher's logo, which stands on the cover")),
    VERIFIER: message("A program that checks this report with nothing but Python"),
    **FORM_FILE_TITLES,
}
"""What each public file is, in words for readers; to be said with `say`."""


def file_title(name: str) -> str:
    """What a public file is, in the language that is spoken; its name where it is none of a report's."""
    return say(FILE_TITLES[name]) if name in FILE_TITLES else name


_MEDIA_TYPES = {
    METADATA_ENDING: "application/csvm+json",
    ".html": "text/html",
    ".pdf": "application/pdf",
    ".json": "application/json",
    ".ods": "application/vnd.oasis.opendocument.spreadsheet",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".csv": "text/csv",
    ".md": "text/markdown",
    ".py": "text/plain",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}


@dataclass(frozen=True, kw_only=True)
class PublishedFile:
    """One file of a report, as a catalogue describes it."""

    name: str
    sha256: str
    size: int  # in bytes

    @property
    def title(self) -> str:
        """What it is, in words."""
        return file_title(language_of(self.name)[0])

    @property
    def language(self) -> str | None:
        """Its language, where its name says that it is another than the main one of its report."""
        return language_of(self.name)[1]

    @property
    def media_type(self) -> str:
        """Its type, as the web knows it."""
        known = (kind for ending, kind in _MEDIA_TYPES.items() if self.name.endswith(ending))
        return next(known, "application/octet-stream")

    @property
    def holds_the_report(self) -> bool:
        """Whether it holds the report or its data, and does not only tell how to read or check them."""
        return self.name not in (VERIFIER, *LOGO_FILES.values()) and not self.name.endswith(METADATA_ENDING)


def describe_files(files: Mapping[str, bytes]) -> list[PublishedFile]:
    """The files that a catalogue lists: all but the catalogue itself, the checksums, and what is added to them later."""
    return [
        PublishedFile(name=name, sha256=hashlib.sha256(files[name]).hexdigest(), size=len(files[name]))
        for name in listed(files)
    ]


def listed(names: Iterable[str]) -> list[str]:
    """Those of the names that a catalogue lists, in their order."""
    return sorted(set(names) - {CATALOGUE_FILE, *ADDED_LATER})
