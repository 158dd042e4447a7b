"""Describe a report as a dataset of a data catalogue: DCAT 3, in the way of the European profile DCAT-AP.

Whoever keeps a register of many reports puts what :func:`describe_dataset` gives for each under ``dcat:dataset`` of one
``dcat:Catalog``, with :data:`CONTEXT` above it and `folder` saying where each report lies.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from atreport.kit.language import say
from atreport.kit.language.spoken import primary, spoken
from atreport.pages.catalogue.published_file import PublishedFile, describe_files
from atreport.publication.identifier import identify
from atreport.publish import language_of
from atreport.report.model import SCHEMA_ID, Report
from atreport.report.writer import json_bytes
from atreport.spec.models.catalogue import Law
from atreport.spec.models.spec import ReportInfo

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

_MEDIA_TYPES = "https://www.iana.org/assignments/media-types/"
_LANGUAGES = "http://id.loc.gov/vocabulary/iso639-1/"
_EMAIL = re.compile(r"[^@\s<>:]+@[A-Za-z0-9.-]+")


def dcat_jsonld(report: Report, files: Mapping[str, bytes]) -> bytes:
    """The bytes of dcat.jsonld: the report and all files beside it, with their checksums."""
    return json_bytes({"@context": CONTEXT, **describe_dataset(report, describe_files(files))})


def describe_dataset(report: Report, files: Sequence[PublishedFile], folder: str = "") -> dict[str, Any]:
    """The report as a dcat:Dataset. Addresses of files begin with `folder`, relative to the document they stand in."""
    info = report.report
    laws = info.legislation or ()
    described = [(file, _describe_file(file, folder, info.licence)) for file in files]
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
        "dct:language": _languages(info),
        "dcat:landingPage": info.url and {"@id": info.url},
        "dcatap:applicableLegislation": [_describe_law(law) for law in laws if law.kind != "ecli"],
        "dct:references": [_describe_law(law) for law in laws if law.kind == "ecli"],
        "dcat:distribution": [entry for file, entry in described if file.holds_the_report],
        "dct:relation": [entry for file, entry in described if not file.holds_the_report],
    }
    return {term: value for term, value in found.items() if value}


def identifier_of(report: Report) -> str:
    """What catalogues know a report by; of one that states no identifier, the one that follows from its title."""
    return report.identifier or identify(report.report)


def description_of(report: Report) -> str:
    """The publisher's own summary, or what every report is about."""
    return report.report.summary or say(
        "How “{process}” decides, how fair it is and what it gives away about people: an algorithmic transparency report.",
        process=report.process.name,
    )


def _describe_file(file: PublishedFile, folder: str, licence: str | None) -> dict[str, Any]:
    address = {"@id": folder + file.name}
    found: dict[str, Any] = {"@type": "dcat:Distribution" if file.holds_the_report else "foaf:Document"}
    if file.holds_the_report:
        found |= {"dcat:accessURL": address, "dcat:downloadURL": address}
    else:
        found |= address
    found |= {
        "dct:title": {"@value": file.title, "@language": spoken()},
        "dcat:mediaType": {"@id": _MEDIA_TYPES + file.media_type},
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


def _languages(info: ReportInfo) -> dict[str, str] | list[dict[str, str]]:
    """The language of a report, or all of them."""
    if info.languages is None:
        return _language(info.language)
    return [_language(language) for language in info.languages]


def _language(tag: str) -> dict[str, str]:
    return {"@id": _LANGUAGES + primary(tag)}


def _describe_law(law: Law) -> dict[str, Any]:
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
