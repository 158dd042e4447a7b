"""Turn a report into a deployer's documents under the AI Act, Regulation (EU) 2024/1689.

The fundamental rights impact assessment (Article 27), the summary for the register (Annex VIII, section C), and an annex on
the performance for groups of persons (Annex IV, point 3; Article 13(3)(b)). Labels paraphrase the points they name.
"""

from __future__ import annotations

from typing import Any

from atreport.pages.cover import make_cover
from atreport.pages.forms.figures import CERTAIN, figures_section, group_figures
from atreport.pages.forms.form_context import (
    FormContext,
    FormSection,
    announced_notice,
    checking_section,
    form_field,
    notes_section,
)
from atreport.report.form import fields_json
from atreport.report.model import Report
from atreport.report.writer import json_bytes
from atreport.spec.models.forms import AIActForm

FILE = "ai-act.json"
FILE_TITLES = {FILE: "This document for programs, by article and annex"}
REGULATION = "Regulation (EU) 2024/1689"

SECTIONS: dict[str, tuple[str, dict[str, tuple[str, str]]]] = {
    "system": (
        "The AI system",
        {
            "name": ("System", ""),
            "provider": ("Provider", ""),
            "area": ("High-risk under", "Annex III"),
            "first_use": ("First use", "Article 27(2)"),
            "applies_from": ("Duties taken to apply from", ""),
        },
    ),
    "impact_assessment": (
        "Fundamental rights impact assessment (Article 27)",
        {
            "processes": ("Processes in which it is used", "Article 27(1)(a)"),
            "period_and_frequency": ("Period and frequency of use", "Article 27(1)(b)"),
            "affected_groups": ("Persons and groups likely to be affected", "Article 27(1)(c)"),
            "risks": ("Specific risks of harm", "Article 27(1)(d)"),
            "human_oversight": ("Human oversight", "Article 27(1)(e)"),
            "measures": ("Measures if risks materialise", "Article 27(1)(f)"),
            "governance": ("Internal governance", "Article 27(1)(f)"),
            "complaints": ("Complaints", "Article 27(1)(f)"),
            "notification": ("Notification of the authority", "Article 27(3)"),
            "data_protection": ("Data protection impact assessment", "Article 27(4)"),
        },
    ),
    "registration": (
        "Summary for the EU database (Annex VIII, section C)",
        {
            "deployer": ("Deployer", "Annex VIII, C, point 1"),
            "submitted_by": ("Submitted by", "Annex VIII, C, point 2"),
            "provider_entry": ("The provider’s entry", "Annex VIII, C, point 3"),
            "impact_assessment_summary": (
                "Findings on fundamental rights",
                "Annex VIII, C, point 4",
            ),
            "data_protection_summary": (
                "Data protection impact assessment",
                "Annex VIII, C, point 5",
            ),
        },
    ),
    "performance": (
        "Performance for groups of persons (Annex IV, point 3; Article 13(3)(b))",
        {
            "accuracy": ("What is accurate, and how it was tested", "Article 13(3)(b)(ii)"),
            "persons": ("Persons and groups it is meant for", "Article 13(3)(b)(v)"),
            "limitations": ("Limitations", "Annex IV, point 3"),
        },
    ),
    "explanation": (
        "Explanation to affected persons (Article 86)",
        {
            "deployer": ("Who decides", "Article 86(1)"),
            "contact": ("Where to ask for an explanation", "Article 86(1)"),
            "role": ("The role of the system in the decision", "Article 86(1)"),
            "elements": ("The main elements of a decision", "Article 86(1)"),
            "complaint_authority": ("Where to complain", "Article 85"),
        },
    ),
}
"""Every section of the document and every field: its label, and the point that asks for it."""


def files(report: Report) -> dict[str, bytes]:
    """The document for programs."""
    return {FILE: json_bytes(record_json(report))}


def record_json(report: Report) -> dict[str, Any]:
    """The content of ai-act.json: each field with the point that asks for it, and the figures of groups."""
    form = _form(report)
    return {
        "regulation": REGULATION,
        **{
            name: {
                field: {"answer": answer} | ({"asked_by": fields[field][1]} if fields[field][1] else {})
                for field, answer in fields_json(getattr(form, name)).items()
            }
            for name, (_title, fields) in SECTIONS.items()
            if getattr(form, name) is not None
        },
        "group_performance": {
            "intervals": CERTAIN,
            "figures": [each.as_json() for each in group_figures(report)],
        },
    }


def context(report: Report) -> FormContext:
    """The document as text."""
    form = _form(report)
    return FormContext(
        cover=make_cover(report),
        subtitle="Deployer’s documents under the AI Act (Regulation (EU) 2024/1689)",
        notice=announced_notice(
            report.policy.fidelity,
            "The impact assessment and the registration are the deployer’s own words. The annex has figures of groups.",
        ),
        sections=(
            *(
                FormSection(
                    id=name.replace("_", "-"),
                    title=title,
                    fields=tuple(
                        form_field(label, getattr(section, field), also=point)
                        for field, (label, point) in fields.items()
                        if getattr(section, field) is not None
                    ),
                )
                for name, (title, fields) in SECTIONS.items()
                for section in [getattr(form, name)]
                if section is not None
            ),
            figures_section(report, "Annex: figures of groups", text=(CERTAIN,)),
            notes_section(report.notes),
            checking_section((FILE, "cells.csv", "measures.csv", "SHA256SUMS")),
        ),
    )


def _form(report: Report) -> AIActForm:
    form = report.form.fields if report.form is not None else None
    assert isinstance(form, AIActForm)
    return form
