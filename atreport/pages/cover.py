"""The cover that every document about a report has: who publishes what, and when.

Texts become paragraphs here too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from atreport.kit.numbers import long_date
from atreport.report.model import Report
from atreport.spec.models.spec import PublicSpec

_BLANKS = re.compile(r"[ \t\r\n]+")


@dataclass(frozen=True, kw_only=True)
class Cover:
    """Who publishes what, and when."""

    title: str
    publisher: str
    version: str
    date: str  # in words
    iso_date: str
    language: str
    contact: str | None
    process: str


def paragraphs(text: str | None) -> tuple[str, ...]:
    """A text as the paragraphs it is made of: blank lines part them. Spaces that must not break stay as they are."""
    return tuple(_BLANKS.sub(" ", part).strip(" ") for part in (text or "").split("\n\n") if part.strip())


def make_cover(about: Report | PublicSpec) -> Cover:
    """The cover of any document about a report, published or (of the annex) to be."""
    report = about.report
    return Cover(
        title=report.title,
        publisher=report.publisher,
        version=report.version,
        date=long_date(report.date),
        iso_date=report.date.isoformat(),
        language=report.language,
        contact=report.contact,
        process=about.process.name,
    )
