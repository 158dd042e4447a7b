"""Turn a report into a record of the UK Algorithmic Transparency Recording Standard (ATRS), version 4.

Sections and fields are named as in the standard's template, in English; the announced figures follow them.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import BaseModel

from atreport.forms.atrs import ATRSForm
from atreport.forms.fields import FormSection as FormPart
from atreport.pages.forms.form_context import (
    FormContext,
    FormField,
    FormSection,
    announced_notice,
    checking_section,
    figures_section,
    filled_in,
    form_field,
    notes_section,
    unless_spoken,
)
from atreport.pages.layout import make_cover
from atreport.report.form import fields_json
from atreport.report.model import Report
from atreport.report.writer import json_bytes
from atreport.text.language import gettext, message

FILE = "atrs.json"
FILE_TITLES = {FILE: message("This record for programs, under the field names of the standard")}
VERSION = "4.0"
ENGLISH = "en"
"""The language of the standard's names, whatever that of the report."""

FRONT = "front"

SECTIONS = {
    "tier_1": "Tier 1: Summary Information",
    "owner_and_responsibility": "Tier 2: Owner and Responsibility",
    "description_and_rationale": "Tier 2: Description and Rationale",
    "deployment_context": "Tier 2: Deployment Context",
    "tool_specification": "Tier 2: Tool Specification",
    "model_specification": "Tier 2: Model Specification",
    "development_data": "Tier 2: Development Data",
    "operational_data": "Tier 2: Operational Data",
    "risks_mitigations_and_impact_assessments": "Tier 2: Risks, Mitigations and Impact Assessments",
}
"""The sections of a record, as the standard calls them."""

NUMBERS = {
    "tier_1": "",
    "owner_and_responsibility": "1.",
    "description_and_rationale": "2.",
    "deployment_context": "3.",
    "tool_specification": "4.1.",
    "model_specification": "4.2.",
    "development_data": "4.3.",
    "operational_data": "4.4.",
    "risks_mitigations_and_impact_assessments": "5.",
}
"""What the number of a section's first field begins with: 4.2.1 is the name of a model."""

_THIRD_PARTY = 4  # fields on a third party are parts of the fourth field of their section: 1.4.1 and so on

_LABELS = {
    "one_sentence_description": "Description in one sentence",
    "website_url": "Website URL",
    "companies_house_number": "Companies House Number",
    "system_level_input": "System-level input",
    "system_level_output": "System-level output",
}


def label(field: str) -> str:
    """A field as the standard calls it: senior_responsible_owner is “Senior responsible owner”."""
    return _LABELS.get(field, field.replace("_", " ").capitalize())


def numbered(section: str, model: type[BaseModel]) -> dict[str, str]:
    """The number of each field of a section in the standard's template."""
    before = NUMBERS[section]
    numbers: dict[str, str] = {}
    own = part = 0
    for name in model.model_fields:
        if section == "owner_and_responsibility" and own == _THIRD_PARTY:
            part += 1
            numbers[name] = f"{before}{own}.{part}"
        else:
            own += 1
            numbers[name] = f"{before}{own}"
    return numbers


def files(report: Report) -> dict[str, bytes]:
    """The record for programs."""
    return {FILE: json_bytes(record_json(report))}


def record_json(report: Report) -> dict[str, Any]:
    """The content of atrs.json: the front, and both tiers, each field under its name in the standard."""
    form = filled_in(report, ATRSForm)
    sections = {name: _section_json(getattr(form, name)) for name in SECTIONS}
    tier_1 = sections.pop("tier_1")
    front = {} if form.front is None else fields_json(form.front)
    return {
        "standard": "Algorithmic Transparency Recording Standard",
        "standard_version": VERSION,
        "title": report.report.title,
        "organisation": report.report.publisher,
        **front,
        "record_version": report.report.version,
        "date": report.report.date.isoformat(),
        "tier_1": tier_1,
        "tier_2": sections,
    }


def _section_json(section: FormPart | tuple[FormPart, ...]) -> Any:
    return list(map(fields_json, section)) if isinstance(section, tuple) else fields_json(section)


def context(report: Report) -> FormContext:
    """The record as text."""
    form = filled_in(report, ATRSForm)
    return FormContext(
        cover=make_cover(report),
        subtitle=gettext("Algorithmic transparency record"),
        notice=announced_notice(
            report,
            gettext("This record follows the standard’s template, version 4, and adds figures."),
        ),
        sections=(
            *_front(report, form),
            *_record(form),
            figures_section(report, gettext("Figures: how the tool decides, and how it treats groups")),
            notes_section(report.notes),
            checking_section(report, (FILE, "cells.csv", "measures.csv", "SHA256SUMS")),
        ),
    )


def _front(report: Report, form: ATRSForm) -> tuple[FormSection, ...]:
    """What the repository lists a record by; nothing in a report that does not have it."""
    if form.front is None:
        return ()
    fields = (
        form_field(gettext("Title"), report.report.title),
        form_field(gettext("Organisation"), report.report.publisher),
        *(_named_field(label(name), getattr(form.front, name)) for name in type(form.front).model_fields),
        form_field(gettext("Version of this record"), report.report.version),
        form_field(gettext("Date of this record"), report.report.date),
    )
    return (FormSection(id=FRONT, title=gettext("The record"), fields=fields),)


def _record(form: ATRSForm) -> Iterator[FormSection]:
    """Both tiers; a section for each model where there are several."""
    for name, title in SECTIONS.items():
        parts: Sequence[FormPart] = form.models if name == "model_specification" else (getattr(form, name),)
        for place, part in enumerate(parts, start=1):
            id, number = name.replace("_", "-"), len(parts)
            yield FormSection(
                id=f"{id}-{place}" if number > 1 else id,
                title=f"{title} ({place} of {number})" if number > 1 else title,
                title_language=unless_spoken(ENGLISH),
                fields=tuple(_part_fields(name, part)),
            )


def _part_fields(section: str, part: FormPart) -> Iterator[FormField]:
    numbers = numbered(section, type(part))
    for name in type(part).model_fields:
        value = getattr(part, name)
        if value is not None:
            yield _named_field(f"{numbers[name]} {label(name)}", value)


def _named_field(name: str, value: object) -> FormField:
    """A field under the name that the standard gives it."""
    return form_field(name, value, label_language=unless_spoken(ENGLISH))
