"""Turn a report into a deployer's documents under the AI Act, Regulation (EU) 2024/1689.

The fundamental rights impact assessment (Article 27), the summary for the register (Annex VIII, section C), and an annex on
the performance for groups of persons (Annex IV, point 3; Article 13(3)(b)). Labels paraphrase the points they name.
"""

from typing import Any

from atreport.forms.ai_act import AIActForm
from atreport.pages.forms.form_context import (
    CERTAIN,
    FormContext,
    FormSection,
    announced_notice,
    checking_section,
    figures_section,
    filled_in,
    form_field,
    group_figures,
    notes_section,
)
from atreport.pages.layout import make_cover
from atreport.report.form import fields_json
from atreport.report.model import Report
from atreport.report.writer import json_bytes
from atreport.text.language import gettext, message, use_locale

FILE = "ai-act.json"
FILE_TITLES = {FILE: message("This document for programs, by article and annex")}
REGULATION = "Regulation (EU) 2024/1689"

SECTIONS: dict[str, tuple[str, dict[str, tuple[str, str]]]] = {
    "system": (
        message("The AI system"),
        {
            "name": (message("System"), ""),
            "provider": (message("Provider"), ""),
            "area": (message("High-risk under"), message("Annex III")),
            "first_use": (message("First use"), message("Article 27(2)")),
            "applies_from": (message("Duties taken to apply from"), ""),
        },
    ),
    "impact_assessment": (
        message("Fundamental rights impact assessment (Article 27)"),
        {
            "processes": (message("Processes in which the system is used"), message("Article 27(1)(a)")),
            "period_and_frequency": (message("Period and frequency of use"), message("Article 27(1)(b)")),
            "affected_groups": (
                message("Persons and groups likely to be affected"),
                message("Article 27(1)(c)"),
            ),
            "risks": (message("Specific risks of harm"), message("Article 27(1)(d)")),
            "human_oversight": (message("Human oversight"), message("Article 27(1)(e)")),
            "measures": (message("Measures if risks materialise"), message("Article 27(1)(f)")),
            "governance": (message("Internal governance"), message("Article 27(1)(f)")),
            "complaints": (message("Complaints"), message("Article 27(1)(f)")),
            "notification": (message("Notification of the authority"), message("Article 27(3)")),
            "data_protection": (message("Data protection impact assessment"), message("Article 27(4)")),
        },
    ),
    "registration": (
        message("Summary for the EU database (Annex VIII, section C)"),
        {
            "deployer": (message("Deployer"), message("Annex VIII, C, point 1")),
            "submitted_by": (message("Submitted by"), message("Annex VIII, C, point 2")),
            "provider_entry": (message("The provider’s entry"), message("Annex VIII, C, point 3")),
            "impact_assessment_summary": (
                message("Findings on fundamental rights"),
                message("Annex VIII, C, point 4"),
            ),
            "data_protection_summary": (
                message("Data protection impact assessment"),
                message("Annex VIII, C, point 5"),
            ),
        },
    ),
    "performance": (
        message("Performance for groups of persons (Annex IV, point 3; Article 13(3)(b))"),
        {
            "accuracy": (
                message("How accurate the system is, and how that was tested"),
                message("Article 13(3)(b)(ii)"),
            ),
            "persons": (
                message("Persons and groups the system is meant for"),
                message("Article 13(3)(b)(v)"),
            ),
            "limitations": (message("Limitations"), message("Annex IV, point 3")),
        },
    ),
    "explanation": (
        message("Explanation to affected persons (Article 86)"),
        {
            "deployer": (message("Who decides"), message("Article 86(1)")),
            "contact": (message("Where to ask for an explanation"), message("Article 86(1)")),
            "role": (message("The role of the system in the decision"), message("Article 86(1)")),
            "elements": (message("The main elements of a decision"), message("Article 86(1)")),
            "complaint_authority": (message("Where to complain"), message("Article 85")),
        },
    ),
}
"""Every section of the document and every field: its label, and the point that asks for it; to be said."""


def files(report: Report) -> dict[str, bytes]:
    """The document for programs. What is not the publisher's in it is in English, whatever the report's language."""
    with use_locale("en"):
        return {FILE: json_bytes(record_json(report))}


def record_json(report: Report) -> dict[str, Any]:
    """The content of ai-act.json: each field with the point that asks for it, and the figures of groups."""
    form = filled_in(report, AIActForm)
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
            "intervals": gettext(CERTAIN),
            "figures": [each.as_json() for each in group_figures(report)],
        },
    }


def context(report: Report) -> FormContext:
    """The document as text."""
    form = filled_in(report, AIActForm)
    return FormContext(
        cover=make_cover(report),
        subtitle=gettext("Deployer’s documents under the AI Act (Regulation (EU) 2024/1689)"),
        notice=announced_notice(
            report,
            gettext(
                "The sections before the annex are in the deployer’s own words. The annex has figures of groups."
            ),
        ),
        sections=(
            *(
                FormSection(
                    id=name.replace("_", "-"),
                    title=gettext(title),
                    fields=tuple(
                        form_field(
                            gettext(label), getattr(section, field), also=gettext(point) if point else ""
                        )
                        for field, (label, point) in fields.items()
                        if getattr(section, field) is not None
                    ),
                )
                for name, (title, fields) in SECTIONS.items()
                for section in [getattr(form, name)]
                if section is not None
            ),
            figures_section(report, gettext("Annex: figures of groups"), text=(gettext(CERTAIN),)),
            notes_section(report.notes),
            checking_section(report, (FILE, "cells.csv", "measures.csv", "SHA256SUMS")),
        ),
    )
