"""What every letter begins with, and what it says beside the report and the record: the decision, and to whom it goes.

Guarantee: a letter and its enclosure are functions of the report, the record and these details, to the last byte. None of
the details is looked up anywhere, and no date is taken from a clock.
"""

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from atreport.compose.estimation import DESCRIBES, by_source
from atreport.compose.notes import is_only_rounded, is_unchanged
from atreport.errors import UsageError
from atreport.forms.fields import WithheldField
from atreport.pages.forms.form_context import FormField, ShownSection
from atreport.pages.layout import Cover
from atreport.report.model import Report, own_words_of
from atreport.report.writer import json_bytes
from atreport.spec.values import read_text
from atreport.spec.yaml import did_you_mean
from atreport.text.language import gettext, message, quote, without_because
from atreport.text.numbers import long_date

ENCLOSURE = "data.json"
"""The person's data for programs: what Article 15(3) calls a commonly used electronic form."""

WHO_DECIDES = message(
    "If you need what is withheld to understand or to contest the decision, turn to the supervisory authority or to a "
    "court. They are then shown what is said to be protected. They weigh your rights against those of others and decide how "
    "much of it you get (Court of Justice of the European Union, judgment of 27 February 2025, C-203/22, "
    "ECLI:EU:C:2025:117)."
)

UNDECIDED = message(
    "This letter is made from the published report, and what was decided about you is not part of the published report. So "
    "this letter does not say it."
)


@dataclass(frozen=True, kw_only=True)
class LetterDetails:
    """What is known of one letter beside the record. Nothing of it has to be."""

    outcome: str | None = None  # what was decided about the person
    reference: str | None = None
    date: dt.date | None = None  # of the letter
    salutation: str | None = None


def details_as_shown(report: Report, details: LetterDetails) -> LetterDetails:
    """The details in the words in which readers of the report are shown its outcomes."""
    if details.outcome is None:
        return details
    return replace(details, outcome=own_words_of(report)(details.outcome))


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
        *(
            []
            if details.reference is None
            else [gettext("Reference: {reference}", reference=details.reference)]
        ),
    ]
    if line:
        yield " · ".join(line)
    if details.salutation is not None:
        yield details.salutation


def letter_cover(report: Report, title: str, sender: object, contact: str | None) -> Cover:
    """Who writes, about what, and from which report."""
    info = report.report
    return Cover(
        title=title,
        publisher=str(sender),
        version=info.version,
        date=long_date(info.date),  # of the report, whose version stands beside it
        iso_date=info.date.isoformat(),
        language=info.language,
        contact=contact,
        process=report.process.name,
    )


def data_fields(report: Report, record: Mapping[str, str]) -> tuple[FormField, ...]:
    """The person's data: each attribute with their value."""
    return tuple(
        FormField(label=report.process.attribute(name).title, text=(value,)) for name, value in record.items()
    )


def data_words(report: Report) -> str:
    """What these data are to the decision, or to the report that describes it."""
    return by_source(
        report,
        given=gettext("This is the data that the decision looks at, with your values."),
        described=" ".join(
            (
                gettext("This is the data by which the published report describes people, with your values."),
                gettext(DESCRIBES),
            )
        ),
    )


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


def decision_section(report: Report, fields: Any, details: LetterDetails) -> ShownSection:
    """That there is automated decision-making, and what it decided about this person."""
    decided = (
        quote(details.outcome)
        if details.outcome is not None
        else " ".join((gettext(UNDECIDED), gettext("Please ask the contact that is named below.")))
    )
    existing = fields.automated_decision_making
    return ShownSection(
        id="decision",
        title=gettext("The decision about you"),
        fields=(
            *(() if existing is None else (letter_field(fields, "automated_decision_making"),)),
            FormField(label=gettext("Decision in “{process}”", process=report.process.name), text=(decided,)),
        ),
    )


def withheld_section(report: Report, fields: Any) -> ShownSection:
    """What this letter does not say, why, and who decides about that."""
    withheld = tuple(_withheld(report, fields))
    return ShownSection(
        id="withheld",
        title=gettext("What is withheld, and who decides about that"),
        text=(
            gettext(WHO_DECIDES)
            if withheld
            else gettext("Nothing that Article 15 asks for is withheld in this letter."),
        ),
        fields=withheld,
    )


def _withheld(report: Report, fields: Any) -> Iterator[FormField]:
    if not is_unchanged(report.policy.fidelity) and not is_only_rounded(report):
        yield FormField(
            label=gettext("The exact rule"),
            text=(
                gettext(
                    "In its place stand announced probabilities, and ranges in which the exact ones lie for certain. The "
                    "exact ones could reveal private data of others (Article 15(4))."
                ),
            ),
        )
    for name in fields.asks:
        if isinstance(getattr(fields, name), WithheldField):
            yield letter_field(fields, name)
    for each in report.disclosure.withheld if report.disclosure is not None else ():
        reason = gettext("Withheld, because {reason}", reason=without_because(each.because))
        yield FormField(label=each.what, text=(reason,), withheld=True)


def letter_field(fields: Any, name: str) -> FormField:
    """A text of the form under Article 15, as it was filled in or withheld."""
    value = getattr(fields, name)
    return FormField(
        label=gettext(fields.asks[name].label), text=(str(value),), withheld=isinstance(value, WithheldField)
    )
