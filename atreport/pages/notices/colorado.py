"""The letter after an adverse outcome in Colorado: SB 26-189, C.R.S. 6-1-1704 and 6-1-1705. Titles paraphrase."""

from __future__ import annotations

from atreport.pages.forms.form_context import FormContext
from atreport.pages.letter_details import LetterDetails, heading_lines
from atreport.pages.notices.parts import (
    data_section,
    from_report,
    letter_cover,
    reasons_section,
    words_section,
)
from atreport.pages.own_case import Record, own_case
from atreport.report.model import Report
from atreport.spec.models.forms import ColoradoForm

LAW = "Notice after an adverse outcome (Colorado, SB 26-189, C.R.S. 6-1-1704 and 6-1-1705)"

LABELS = {
    "deployer": "Who decided",
    "decision": "The decision",
    "role": "The role of the technology",
    "more_information": "How to learn more about the technology",
    "data": "Which data was used, and where it came from",
    "correction": "How to see and correct your data",
    "human_review": "Review by a person",
    "applies_from": "Taken to apply to decisions from",
}
"""Every field of the form, as readers meet it."""


def context(report: Report, form: ColoradoForm, record: Record, details: LetterDetails) -> FormContext:
    """The letter as text."""
    case = own_case(report, record)
    return FormContext(
        cover=letter_cover(report, "About the decision on you", form.deployer),
        subtitle=f"Notice after an adverse outcome in “{report.process.name}”",
        law=LAW,
        notice=(
            *heading_lines(details),
            f"Automated decision-making technology took part in a decision about you, “{report.process.name}”. "
            f"{from_report(report)}",
        ),
        sections=(
            words_section(
                "decision", "1. The decision, and what the technology did", form, LABELS, ("decision", "role")
            ),
            reasons_section(report, case, "2. The principal reasons"),
            data_section(report, case, "3. The data about you"),
            words_section(
                "data",
                "4. Where data came from, and how to correct it",
                form,
                LABELS,
                ("data", "correction"),
            ),
            words_section("review", "5. Review by a person", form, LABELS, ("human_review",)),
            words_section("more", "6. Where to turn", form, LABELS, ("more_information", "deployer")),
        ),
    )
