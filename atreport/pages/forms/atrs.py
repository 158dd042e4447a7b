"""Turn a report into a record of the UK Algorithmic Transparency Recording Standard (ATRS), version 4.

Sections and fields are named as in the standard's template; the announced figures follow them.
"""

from __future__ import annotations

from typing import Any

from atreport.pages.cover import make_cover
from atreport.pages.forms.form_context import (
    FormContext,
    FormSection,
    RemarkedTable,
    announced_notice,
    checking_section,
    form_field,
    notes_section,
)
from atreport.pages.sections.decision import tabulate_rules
from atreport.pages.sections.fairness import measure_table, rate_table
from atreport.report.form import fields_json
from atreport.report.model import Report
from atreport.report.writer import json_bytes
from atreport.spec.models.forms import ATRSForm

FILE = "atrs.json"
FILE_TITLES = {FILE: "This record, for programs, under the field names of the standard"}
VERSION = "4.0"

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

_LABELS = {
    "website_url": "Website URL",
    "companies_house_number": "Companies House Number",
    "system_level_input": "System-level input",
    "system_level_output": "System-level output",
}


def label(field: str) -> str:
    """A field as the standard calls it: senior_responsible_owner is “Senior responsible owner”."""
    return _LABELS.get(field, field.replace("_", " ").capitalize())


def files(report: Report) -> dict[str, bytes]:
    """The record for programs."""
    return {FILE: json_bytes(record_json(_form(report)))}


def record_json(form: ATRSForm) -> dict[str, Any]:
    """The content of atrs.json: both tiers, each field under its name in the standard."""
    sections = {name: fields_json(getattr(form, name)) for name in SECTIONS}
    tier_1 = sections.pop("tier_1")
    return {
        "standard": "Algorithmic Transparency Recording Standard",
        "standard_version": VERSION,
        "tier_1": tier_1,
        "tier_2": sections,
    }


def context(report: Report) -> FormContext:
    """The record as text."""
    form = _form(report)
    record = tuple(
        FormSection(
            id=name.replace("_", "-"),
            title=title,
            fields=tuple(
                form_field(label(field), getattr(section, field))
                for field in type(section).model_fields
                if getattr(section, field) is not None
            ),
        )
        for name, title in SECTIONS.items()
        for section in [getattr(form, name)]
    )
    tables = (tabulate_rules(report), measure_table(report), rate_table(report))
    return FormContext(
        cover=make_cover(report),
        subtitle="Algorithmic transparency record",
        notice=announced_notice(
            report.policy.fidelity,
            "This record follows the standard’s template, version 4, and adds figures.",
        ),
        sections=(
            *record,
            FormSection(
                id="figures",
                title="Figures: how the tool decides, and how it treats groups",
                text=(
                    "Each figure is what the announced rule gives; beside it stands the range in which the exact one lies "
                    "for certain. The measures help to assess fairness; none of them proves or disproves it.",
                ),
                tables=tuple(RemarkedTable(table=each) for each in tables if each is not None),
            ),
            notes_section(report.notes),
            checking_section((FILE, "cells.csv", "measures.csv", "SHA256SUMS")),
        ),
    )


def _form(report: Report) -> ATRSForm:
    form = report.form.fields if report.form is not None else None
    assert isinstance(form, ATRSForm)
    return form
