"""The catalogue of a register: DCAT 3, every report as the dataset that its own dcat.jsonld describes."""

from __future__ import annotations

from collections.abc import Sequence

from atreport.kit.language import say
from atreport.kit.language.spoken import spoken
from atreport.pages.catalogue.dcat import CONTEXT
from atreport.pages.register.entry import Listing
from atreport.report.writer import json_bytes


def catalogue_jsonld(
    title: str, publisher: str, identifier: str, url: str | None, newest: str, listings: Sequence[Listing]
) -> bytes:
    """The bytes of catalogue.jsonld. Addresses are relative to it, or to `url` where that is known."""
    entries = [entry for listing in listings for entry in (listing.newest, *listing.earlier)]
    return json_bytes(
        {
            "@context": CONTEXT if url is None else {"@base": url, **CONTEXT},
            "@id": identifier,
            "@type": "dcat:Catalog",
            "dct:title": {"@value": title, "@language": spoken()},
            "dct:description": {
                "@value": say(
                    "Algorithmic transparency reports: how processes decide, how fair they are, and what they give away "
                    "about people."
                ),
                "@language": spoken(),
            },
            "dct:publisher": {"@type": "foaf:Agent", "foaf:name": publisher},
            "dct:modified": {"@value": newest, "@type": "xsd:date"},
            "dcat:dataset": [entry.dataset for entry in entries],
        }
    )
