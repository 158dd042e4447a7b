"""What a letter says beside the report and the record: what was decided about the person, and to whom the letter goes.

Guarantee: a letter and its enclosure are functions of the report, the record and these details, to the last byte. None of
the details is looked up anywhere, and no date is taken from a clock.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from atreport.errors import UsageError
from atreport.kit.numbers import long_date
from atreport.pages.forms.form_context import FormField, FormSection
from atreport.pages.forms.gdpr15 import LABELS
from atreport.publication.notes import is_unchanged
from atreport.report.model import Report
from atreport.report.writer import json_bytes
from atreport.spec.models.forms import GDPR15Form, WithheldField
from atreport.spec.models.values import read_text
from atreport.spec.problems import did_you_mean

ENCLOSURE = "data.json"
"""The person's data for programs: what Article 15(3) calls a commonly used electronic form."""

WHO_DECIDES = (
    "If you need what is withheld to understand or to contest the decision, turn to the supervisory authority or to a "
    "court. What is said to be protected is then shown to them, and they decide how much of it you get, weighing your "
    "rights against those of others (Court of Justice of the European Union, judgment of 27 February 2025, C-203/22, "
    "ECLI:EU:C:2025:117)."
)


@dataclass(frozen=True, kw_only=True)
class LetterDetails:
    """What is known of one letter beside the record. Nothing of it has to be."""

    outcome: str | None = None  # what was decided about the person
    reference: str | None = None
    date: dt.date | None = None  # of the letter
    salutation: str | None = None


def read_details(report: Report, given: Mapping[str, str | None]) -> LetterDetails:
    """Details as they were written: outcome, reference, date and salutation. Raises :class:`UsageError`: all at once."""
    problems: list[str] = []
    texts = {name: text for name, text in given.items() if text is not None and text.strip()}
    for name, text in texts.items():
        try:
            if "\n" in read_text(text):
                problems.append(f"{name}: this has several lines")
        except ValueError as error:
            problems.append(f"{name}: {error}")
    outcome, values = texts.get("outcome"), report.process.outcome.values
    if outcome is not None and outcome.strip() not in values:
        problems.append(
            f"outcome: '{outcome}' is none; {did_you_mean(outcome, values, listing='the outcomes')}"
        )
    day = None
    if (date := texts.get("date")) is not None:
        try:
            day = dt.date.fromisoformat(date.strip())
        except ValueError:
            problems.append(f"date: '{date}' is no date such as 2026-02-28")
    if problems:
        raise UsageError("\n".join(problems))
    stripped = {name: text.strip() for name, text in texts.items()}
    return LetterDetails(
        outcome=stripped.get("outcome"),
        reference=stripped.get("reference"),
        date=day,
        salutation=stripped.get("salutation"),
    )


def heading_lines(details: LetterDetails) -> Iterator[str]:
    """Date and reference in a line, as far as they are given; then the salutation."""
    line = [
        *([] if details.date is None else [long_date(details.date)]),
        *([] if details.reference is None else [f"Reference: {details.reference}"]),
    ]
    if line:
        yield " · ".join(line)
    if details.salutation is not None:
        yield details.salutation


def enclosed_data(report: Report, record: Mapping[str, str], details: LetterDetails) -> bytes:
    """The enclosure: the data about the person, and the decision, for programs."""
    attributes = [report.process.attribute(name) for name in record]
    return json_bytes(
        {
            "about": f"{report.process.name}: data about one person, under Article 15(3) of the GDPR",
            "report": {
                "title": report.report.title,
                "version": report.report.version,
                "date": report.report.date.isoformat(),
            },
            **({} if details.reference is None else {"reference": details.reference}),
            "data": [{"name": a.name, "label": a.title, "value": record[a.name]} for a in attributes],
            **(
                {}
                if details.outcome is None
                else {"decision": {"name": report.process.outcome.name, "value": details.outcome}}
            ),
        }
    )


def decision_section(report: Report, fields: GDPR15Form, details: LetterDetails) -> FormSection:
    """That there is automated decision-making, and what it decided about this person."""
    decided = (
        f"“{details.outcome}”"
        if details.outcome is not None
        else "What was decided about you is not part of the published report, from which this letter is made, and so not of "
        "this letter. Ask the contact below for it."
    )
    existing = fields.automated_decision_making
    return FormSection(
        id="decision",
        title="1. The decision about you",
        fields=(
            *(() if existing is None else (_field("automated_decision_making", existing),)),
            FormField(label=f"Decision in “{report.process.name}”", text=(decided,)),
        ),
    )


def withheld_section(report: Report, fields: GDPR15Form) -> FormSection:
    """What this letter does not say, why, and who decides about that."""
    withheld = tuple(_withheld(report, fields))
    return FormSection(
        id="withheld",
        title="6. What is withheld, and who decides about that",
        text=(WHO_DECIDES,)
        if withheld
        else ("Nothing that Article 15 asks for is withheld in this letter.",),
        fields=withheld,
    )


def _withheld(report: Report, fields: GDPR15Form) -> Iterator[FormField]:
    if not is_unchanged(report.policy.fidelity):
        yield FormField(
            label="The exact rule",
            text=(
                "It is replaced by announced probabilities and by ranges in which the exact ones lie for certain, because "
                "the exact ones would give away private data of others (Article 15(4)).",
            ),
        )
    for name in LABELS:
        if isinstance(value := getattr(fields, name), WithheldField):
            yield _field(name, value)
    for each in report.disclosure.withheld if report.disclosure is not None else ():
        reason = each.because.removeprefix("because ")
        yield FormField(label=each.what, text=(f"Withheld, because {reason}",), withheld=True)


def _field(name: str, value: object) -> FormField:
    return FormField(label=LABELS[name], text=(str(value),), withheld=isinstance(value, WithheldField))
