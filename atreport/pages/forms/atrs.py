"""Turn a report into a record of the UK Algorithmic Transparency Recording Standard (ATRS), version 4.

Sections and fields are named as in the standard's template, in English; the announced figures follow them.
"""

from collections.abc import Iterator
from typing import Any

from atreport.forms.written import FieldData, WrittenSection
from atreport.pages.forms.form_context import (
    FormContext,
    FormField,
    ShownSection,
    filled_in,
    form_field,
    unless_spoken,
    written_document,
)
from atreport.report.form import fields_json
from atreport.report.model import Report
from atreport.report.writer import json_bytes
from atreport.text.language import gettext

ENGLISH = "en"
"""The language of the standard's names, whatever that of the report."""

FRONT = "front"


def label(key: str, asked: FieldData) -> str:
    """A field as the standard calls it: senior_responsible_owner is “Senior responsible owner”."""
    return asked.name or key.replace("_", " ").capitalize()


def files(report: Report) -> dict[str, bytes]:
    """The record for programs."""
    return {name: json_bytes(record_json(report)) for name in filled_in(report).written.document.files}


def record_json(report: Report) -> dict[str, Any]:
    """The content of atrs.json: the front, and both tiers, each field under its name in the standard."""
    form = filled_in(report)
    sections = fields_json(form)
    front, tier_1 = sections.pop(FRONT, {}), sections.pop("tier_1")
    return {
        **form.written.document.file_begins,
        "title": report.report.title,
        "organisation": report.report.publisher,
        **front,
        "record_version": report.report.version,
        "date": report.report.date.isoformat(),
        "tier_1": tier_1,
        "tier_2": sections,
    }


def context(report: Report) -> FormContext:
    """The record as text."""
    return written_document(report, (*_front(report), *_record(filled_in(report))))


def _front(report: Report) -> Iterator[ShownSection]:
    """What the repository lists a record by; nothing in a report that does not have it."""
    front: WrittenSection | None = filled_in(report).front
    if front is None:
        return
    fields = (
        form_field(gettext("Title"), report.report.title),
        form_field(gettext("Organisation"), report.report.publisher),
        *(_named_field(label(key, asked), getattr(front, key)) for key, asked in front.asks.items()),
        form_field(gettext("Version of this record"), report.report.version),
        form_field(gettext("Date of this record"), report.report.date),
    )
    yield ShownSection(id=FRONT, title=gettext("The record"), fields=fields)


def _record(form: Any) -> Iterator[ShownSection]:
    """Both tiers; a section for each model where there are several."""
    for key, asked in form.asks.items():
        if key == FRONT:
            continue
        section = getattr(form, key)
        parts = section if isinstance(section, tuple) else (section,)
        for place, part in enumerate(parts, start=1):
            id, number = key.replace("_", "-"), len(parts)
            yield ShownSection(
                id=f"{id}-{place}" if number > 1 else id,
                title=f"{asked.name} ({place} of {number})" if number > 1 else asked.name,
                title_language=unless_spoken(ENGLISH),
                fields=tuple(_part_fields(asked.number, part)),
            )


def _part_fields(before: str, part: WrittenSection) -> Iterator[FormField]:
    """The fields that are filled in, with their numbers: 4.2.1 is a model's name, and 1.4.1 a part of 1.4."""
    own = inner = 0
    for key, asked in part.asks.items():
        own, inner = (own, inner + 1) if asked.asked_where else (own + 1, 0)
        value = getattr(part, key)
        if value is not None:
            number = f"{before}{own}.{inner}" if inner else f"{before}{own}"
            yield _named_field(f"{number} {label(key, asked)}", value)


def _named_field(name: str, value: object) -> FormField:
    """A field under the name that the standard gives it."""
    return form_field(name, value, label_language=unless_spoken(ENGLISH))
