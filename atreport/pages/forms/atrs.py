"""Turn a release into a record of the UK Algorithmic Transparency Recording Standard (ATRS), version 4.

Sections and fields are named as in the standard's template; the announced figures follow them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from atreport.analysis.assessment import Assessment
from atreport.announcement import Release
from atreport.pages.cover import make_cover
from atreport.pages.fairness_tables import measure_table, rate_table
from atreport.pages.forms.form_context import (
    FormContext,
    FormSection,
    FormTable,
    announced_notice,
    checking_section,
    form_field,
    notes_section,
)
from atreport.pages.forms.form_fields import field_entry
from atreport.pages.notes import Note
from atreport.pages.rule_tables import rule_table
from atreport.spec.models.forms import ATRSForm
from atreport.spec.models.spec import PublicSpec

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


def atrs_document(form: ATRSForm) -> dict[str, Any]:
    """The content of atrs.json: both tiers, each field under its name in the standard."""
    sections = {
        name: {
            field: field_entry(getattr(section, field))
            for field in type(section).model_fields
            if getattr(section, field) is not None
        }
        for name in SECTIONS
        for section in [getattr(form, name)]
    }
    tier_1 = sections.pop("tier_1")
    return {
        "standard": "Algorithmic Transparency Recording Standard",
        "standard_version": VERSION,
        "tier_1": tier_1,
        "tier_2": sections,
    }


def atrs_context(
    release: Release, spec: PublicSpec, assessments: Sequence[Assessment], notes: Sequence[Note]
) -> FormContext:
    """The record as text."""
    form = spec.form
    assert isinstance(form, ATRSForm)
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
    tables = (rule_table(release), measure_table(spec, assessments), rate_table(release, spec, assessments))
    return FormContext(
        cover=make_cover(spec),
        subtitle="Algorithmic transparency record",
        notice=announced_notice(
            release, "This record follows the standard’s template, version 4, and adds figures."
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
                tables=tuple(FormTable(table=each) for each in tables if each is not None),
            ),
            notes_section(notes),
            checking_section(("atrs.json", "cells.csv", "measures.csv", "SHA256SUMS")),
        ),
    )
