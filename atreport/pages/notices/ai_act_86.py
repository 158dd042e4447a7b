"""The explanation to an affected person: Article 86 of the AI Act, Regulation (EU) 2024/1689."""

from __future__ import annotations

from atreport.errors import NotAReport
from atreport.pages.forms.form_context import FormContext
from atreport.pages.letter_details import LetterDetails, heading_lines
from atreport.pages.notices.parts import (
    data_section,
    decision_told,
    from_report,
    letter_cover,
    reasons_section,
    words_section,
)
from atreport.pages.own_case import Record, own_case
from atreport.report.model import Report
from atreport.spec.models.forms import AIActForm

LAW = "Explanation under Article 86 of Regulation (EU) 2024/1689"

LABELS = {
    "deployer": "Who decided",
    "contact": "Where to turn",
    "role": "The role of the system",
    "elements": "The main elements of the decision",
    "complaint_authority": "Where you can complain",
}


def context(report: Report, form: AIActForm, record: Record, details: LetterDetails) -> FormContext:
    """The letter as text."""
    words = form.explanation
    if words is None:
        raise NotAReport(
            "this report has no texts for an explanation to a person (role, elements, contact …).\n"
            "  Add a section 'explanation' to its form and build it again; docs/spec.md lists the fields."
        )
    case = own_case(report, record)
    return FormContext(
        cover=letter_cover(report, "How the decision about you was made", words.deployer),
        subtitle=f"Explanation of a decision in “{report.process.name}”",
        law=LAW,
        notice=(
            *heading_lines(details),
            f"You asked for an explanation of the decision about you in “{report.process.name}”. {from_report(report)}",
            decision_told(details),
        ),
        sections=(
            words_section("role", "1. The role of the AI system", words, LABELS, ("role",)),
            words_section("elements", "2. The main elements of the decision", words, LABELS, ("elements",)),
            data_section(report, case, "3. The data about you"),
            reasons_section(report, case, "4. What moved the result of the system"),
            words_section(
                "turn", "5. Where to turn", words, LABELS, ("deployer", "contact", "complaint_authority")
            ),
        ),
    )
