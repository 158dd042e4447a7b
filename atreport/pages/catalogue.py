"""What catalogues say of one published file: what it is, of which type, how large, and its checksum."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from atreport.compose.generator import identify
from atreport.pages.forms import FORM_FILE_TITLES
from atreport.pages.sections.fairness import measure_definitions
from atreport.report.model import SCHEMA_ID, Report
from atreport.report.writer import json_bytes
from atreport.resources import VERIFIER
from atreport.spec.disclosure import Law
from atreport.spec.spec import ReportInfo
from atreport.spec.style import LOGO_FILES
from atreport.text.language import get_locale, gettext, message, primary
from atreport.write_folder import ADDED_LATER, language_of

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
"""What each public file is, in words for readers; to be said with `gettext`."""


def file_title(name: str) -> str:
    """What a public file is, in the language that is spoken; its name where it is none of a report's."""
    return gettext(FILE_TITLES[name]) if name in FILE_TITLES else name


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


# Describe a report to search engines, in the words of schema.org: what report.html carries for them.
#
# It names the checksums of the data files, which are made before the page; dcat.jsonld names those of all
# files.


def page_catalogue(report: Report, data: Mapping[str, bytes]) -> str:
    """The description as a page carries it: no text in it can end the element or open a comment."""
    document = json.dumps(describe_report(report, data), ensure_ascii=False, separators=(",", ":"))
    return document.replace("<", "\\u003c")


def describe_report(report: Report, data: Mapping[str, bytes]) -> dict[str, Any]:
    """The report and the dataset of its figures."""
    info, identifier = report.report, identifier_of(report)
    laws = [_describe_law(law) for law in info.legislation or ()]
    common: dict[str, Any] = {
        "version": info.version,
        "datePublished": info.date.isoformat(),
        "inLanguage": info.language,
        "publisher": {"@type": "Organization", "name": info.publisher},
        "license": info.licence and {"@id": info.licence},
        "url": info.url and {"@id": info.url},
    }
    described = {
        "@id": identifier,
        "@type": "Report",
        "identifier": identifier,
        "name": info.title,
        "description": description_of(report),
        **common,
        "about": laws,
        "hasPart": {"@id": f"{identifier}#data"},
    }
    dataset = {
        "@id": f"{identifier}#data",
        "@type": "Dataset",
        "identifier": f"{identifier}#data",
        "name": gettext("{title}: figures", title=info.title),
        "description": gettext(
            "The announced rule of “{process}” and the measures of its fairness, as printed.",
            process=report.process.name,
        ),
        **common,
        "isPartOf": {"@id": identifier},
        "variableMeasured": [
            {"@type": "PropertyValue", "name": name, "description": meaning}
            for name, meaning in measure_definitions(report)
        ],
        "distribution": [
            {
                "@type": "DataDownload",
                "name": file.title,
                "contentUrl": {"@id": file.name},
                "encodingFormat": file.media_type,
                "contentSize": f"{file.size} B",
                "sha256": file.sha256,
            }
            for file in describe_files(data)
        ],
    }
    graph = [{term: value for term, value in node.items() if value} for node in (described, dataset)]
    return {"@context": {"@vocab": "https://schema.org/"}, "@graph": graph}


def _describe_law(law: Law) -> dict[str, Any]:
    """A law; a judgment is none, and schema.org has no type for it."""
    if law.kind == "ecli":
        return {"@id": law.link, "@type": "CreativeWork", "name": law.name, "identifier": law.identifier}
    return {
        "@id": law.link,
        "@type": "Legislation",
        "name": law.name,
        "legislationIdentifier": law.identifier,
    }


# Describe a report as a dataset of a data catalogue: DCAT 3, in the way of the European profile DCAT-AP.
#
# Whoever keeps a register of many reports puts what :func:`describe_dataset` gives for each under
# ``dcat:dataset`` of one ``dcat:Catalog``, with :data:`CONTEXT` above it and `folder` saying where each
# report lies.

CONTEXT: Mapping[str, str] = {
    "dcat": "http://www.w3.org/ns/dcat#",
    "dcatap": "http://data.europa.eu/r5r/",
    "dct": "http://purl.org/dc/terms/",
    "eli": "http://data.europa.eu/eli/ontology#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "spdx": "http://spdx.org/rdf/terms#",
    "vcard": "http://www.w3.org/2006/vcard/ns#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
"""The prefixes of the terms; written out in every document, so that no reader has to fetch anything."""

_DCAT_MEDIA_TYPES = "https://www.iana.org/assignments/media-types/"
_LANGUAGES = "http://id.loc.gov/vocabulary/iso639-1/"
_EMAIL = re.compile(r"[^@\s<>:]+@[A-Za-z0-9.-]+")


def dcat_jsonld(report: Report, files: Mapping[str, bytes]) -> bytes:
    """The bytes of dcat.jsonld: the report and all files beside it, with their checksums."""
    return json_bytes({"@context": CONTEXT, **describe_dataset(report, describe_files(files))})


def describe_dataset(report: Report, files: Sequence[PublishedFile], folder: str = "") -> dict[str, Any]:
    """The report as a dcat:Dataset. Addresses of files begin with `folder`, relative to the document they stand in."""
    info = report.report
    laws = info.legislation or ()
    described = [(file, _dcat_file(file, folder, info.licence)) for file in files]
    found = {
        "@id": identifier_of(report),
        "@type": "dcat:Dataset",
        "dct:identifier": identifier_of(report),
        "dct:title": _text(info, info.title),
        "dct:description": _text(info, description_of(report)),
        "dct:publisher": {"@type": "foaf:Agent", "foaf:name": _text(info, info.publisher)},
        "dcat:contactPoint": info.contact and _contact(info.publisher, info.contact),
        "dct:issued": _typed(info.date.isoformat(), "date"),
        "dcat:version": info.version,
        "dct:language": [_language(each) for each in info.languages]
        if info.languages is not None
        else _language(info.language),
        "dcat:landingPage": info.url and {"@id": info.url},
        "dcatap:applicableLegislation": [_dcat_law(law) for law in laws if law.kind != "ecli"],
        "dct:references": [_dcat_law(law) for law in laws if law.kind == "ecli"],
        "dcat:distribution": [entry for file, entry in described if file.holds_the_report],
        "dct:relation": [entry for file, entry in described if not file.holds_the_report],
    }
    return {term: value for term, value in found.items() if value}


def identifier_of(report: Report) -> str:
    """What catalogues know a report by; of one that states no identifier, the one that follows from its title."""
    return report.identifier or identify(report.report)


def description_of(report: Report) -> str:
    """The publisher's own summary, or what every report is about."""
    return report.report.summary or gettext(
        "How “{process}” decides, how fair it is and what it gives away about people: an algorithmic transparency report.",
        process=report.process.name,
    )


def _dcat_file(file: PublishedFile, folder: str, licence: str | None) -> dict[str, Any]:
    address = {"@id": folder + file.name}
    found: dict[str, Any] = {"@type": "dcat:Distribution" if file.holds_the_report else "foaf:Document"}
    if file.holds_the_report:
        found |= {"dcat:accessURL": address, "dcat:downloadURL": address}
    else:
        found |= address
    found |= {
        "dct:title": {"@value": file.title, "@language": get_locale()},
        "dcat:mediaType": {"@id": _DCAT_MEDIA_TYPES + file.media_type},
        "dcat:byteSize": _typed(str(file.size), "nonNegativeInteger"),
        "spdx:checksum": {
            "@type": "spdx:Checksum",
            "spdx:algorithm": {"@id": "spdx:checksumAlgorithm_sha256"},
            "spdx:checksumValue": _typed(file.sha256, "hexBinary"),
        },
    }
    if file.language is not None:
        found["dct:language"] = _language(file.language)
    if language_of(file.name)[0] == "report.json":
        found["dct:conformsTo"] = {"@id": SCHEMA_ID}
    if licence is not None and file.holds_the_report:
        found["dct:license"] = {"@id": licence}
    return found


def _language(tag: str) -> dict[str, str]:
    return {"@id": _LANGUAGES + primary(tag)}


def _dcat_law(law: Law) -> dict[str, Any]:
    kind = {} if law.kind == "ecli" else {"@type": "eli:LegalResource"}
    return {"@id": law.link, **kind, "dct:identifier": law.identifier, "dct:title": law.name}


def _contact(publisher: str, contact: str) -> dict[str, Any]:
    """Whom to ask: an address of electronic mail is one that programs can use, anything else a note for people."""
    known: dict[str, Any] = {"@type": "vcard:Kind", "vcard:fn": publisher}
    if _EMAIL.fullmatch(contact):
        return {**known, "vcard:hasEmail": {"@id": f"mailto:{contact}"}}
    return {**known, "vcard:note": contact}


def _text(info: ReportInfo, text: str) -> dict[str, str]:
    return {"@value": text, "@language": info.language}


def _typed(text: str, kind: str) -> dict[str, str]:
    return {"@value": text, "@type": f"xsd:{kind}"}
