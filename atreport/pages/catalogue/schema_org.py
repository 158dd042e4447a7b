"""Describe a report to search engines, in the words of schema.org: what report.html carries for them.

It names the checksums of the data files, which are made before the page; dcat.jsonld names those of all files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from atreport.kit.language import say
from atreport.pages.catalogue.dcat import description_of, identifier_of
from atreport.pages.catalogue.published_file import PublishedFile, describe_files
from atreport.pages.sections.fairness import measure_definitions
from atreport.report.model import Report
from atreport.spec.models.catalogue import Law


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
        "name": say("{title}: figures", title=info.title),
        "description": say(
            "The announced rule of “{process}” and the measures of its fairness, as printed.",
            process=report.process.name,
        ),
        **common,
        "isPartOf": {"@id": identifier},
        "variableMeasured": [
            {"@type": "PropertyValue", "name": name, "description": meaning}
            for name, meaning in measure_definitions(report)
        ],
        "distribution": [_describe_file(file) for file in describe_files(data)],
    }
    graph = [{term: value for term, value in node.items() if value} for node in (described, dataset)]
    return {"@context": {"@vocab": "https://schema.org/"}, "@graph": graph}


def _describe_file(file: PublishedFile) -> dict[str, Any]:
    return {
        "@type": "DataDownload",
        "name": file.title,
        "contentUrl": {"@id": file.name},
        "encodingFormat": file.media_type,
        "contentSize": f"{file.size} B",
        "sha256": file.sha256,
    }


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
