"""Letters to one person about one decision, other than the one under Article 15 of the GDPR: a file a kind, listed here.

Guarantee: a letter is a function of the published report and the record. A reason is told only where it is certain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from atreport.errors import NotAReport
from atreport.pages.forms.form_context import FormContext, form_field
from atreport.pages.letter import letter_context
from atreport.pages.notices import adverse_action, ai_act_86, california, colorado
from atreport.pages.own_case import Record
from atreport.report.model import Report

GDPR = "gdpr15"


@dataclass(frozen=True, kw_only=True)
class Notice:
    """One kind of letter: the form whose words it needs, and how it is made of them."""

    template: str
    context: Callable[[Report, Any, Record], FormContext]
    labels: Mapping[str, str]
    """The fields that stand in the published report, as readers meet them; none where the form has a document."""


NOTICES = {
    "adverse-action": Notice(
        template="adverse_action", context=adverse_action.context, labels=adverse_action.LABELS
    ),
    "ai-act-86": Notice(template="ai_act", context=ai_act_86.context, labels={}),
    "colorado": Notice(template="colorado", context=colorado.context, labels=colorado.LABELS),
    "california": Notice(template="california", context=california.context, labels=california.LABELS),
}
"""Every kind by its name in ``atreport letter --as``."""

KINDS = (GDPR, *NOTICES)


def compose_letter(report: Report, record: Record, kind: str | None = None) -> FormContext:
    """The letter of one kind; without it, of the kind that the report's form is for."""
    template = report.form.template if report.form is not None else ""
    kind = kind or next((name for name, notice in NOTICES.items() if notice.template == template), GDPR)
    if kind == GDPR:
        return letter_context(report, record)
    notice = NOTICES[kind]
    if report.form is None or template != notice.template:
        raise NotAReport(
            f"this report has no texts for a letter of the kind '{kind}'.\n"
            f"  Build it from a spec with 'template: {notice.template}' under report and a section 'form'; docs/spec.md "
            "lists the fields."
        )
    return notice.context(report, report.form.fields, record)


def letter_json(letter: FormContext) -> dict[str, Any]:
    """A letter for programs: its sections in their order, with texts, fields and tables."""
    return {
        "title": letter.cover.title,
        "law": letter.law,
        "from": letter.cover.publisher,
        "sections": [
            {
                "id": section.id,
                "title": section.title,
                "text": list(section.text),
                "fields": [{"label": field.label, "text": list(field.text)} for field in section.fields],
                "tables": [
                    {
                        "caption": each.table.caption,
                        "columns": [column.heading for column in each.table.columns],
                        "rows": [[cell.text for cell in row] for row in each.table.rows],
                    }
                    for each in section.tables
                ],
            }
            for section in letter.sections
        ],
    }


def standing_texts(report: Report) -> tuple[tuple[str, str], ...]:
    """What the published report says to the people who are decided on, where its form is one of letters."""
    for notice in NOTICES.values():
        if report.form is not None and report.form.template == notice.template:
            fields = report.form.fields
            return tuple(
                (label, " ".join(form_field(label, value).text))
                for name, label in notice.labels.items()
                if (value := getattr(fields, name)) is not None
            )
    return ()
