"""The answer to a request for access to ADMT in California: 11 CCR 7221 and 7222. Titles paraphrase."""

from __future__ import annotations

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
from atreport.spec.models.forms import CaliforniaForm

LAW = "Answer to a request for access to automated decisionmaking technology (California, 11 CCR 7222)"

LABELS = {
    "business": "Who used the technology",
    "purpose": "What it was used for",
    "logic": "How it works",
    "outcome": "What its output was used for",
    "data": "Which personal information was used, and where it came from",
    "correction": "How to correct your information",
    "opt_out": "How to opt out, or appeal to a person",
    "rights": "Your other rights",
    "applies_from": "Taken to apply to decisions from",
}
"""Every field of the form, as readers meet it."""


def context(report: Report, form: CaliforniaForm, record: Record, details: LetterDetails) -> FormContext:
    """The letter as text."""
    case = own_case(report, record)
    return FormContext(
        cover=letter_cover(report, "How a decision about you was made", form.business),
        subtitle=f"Answer to a request for access on “{report.process.name}”",
        law=LAW,
        notice=(
            *heading_lines(details),
            f"You asked how automated decisionmaking technology was used on you in “{report.process.name}”. "
            f"{from_report(report)}",
            decision_told(details),
        ),
        sections=(
            words_section("purpose", "1. What the technology was used for", form, LABELS, ("purpose",)),
            words_section("logic", "2. How it works", form, LABELS, ("logic",)),
            data_section(report, case, "3. The information about you"),
            reasons_section(report, case, "4. What moved its output for you"),
            words_section("outcome", "5. What the output was used for", form, LABELS, ("outcome",)),
            words_section(
                "rights",
                "6. Your rights, and where to turn",
                form,
                LABELS,
                ("data", "correction", "opt_out", "rights", "business"),
            ),
        ),
    )
