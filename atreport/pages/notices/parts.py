"""What every letter about one decision has: the person's data, what certainly moved the result, the publisher's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from atreport.kit.numbers import full_percent, full_percent_interval, long_date
from atreport.pages.cover import Cover
from atreport.pages.forms.form_context import FormField, FormSection, form_field
from atreport.pages.letter_details import LetterDetails
from atreport.pages.own_case import OwnCase
from atreport.pages.reasons import Reasons, reasons_for
from atreport.pages.reasons.words import CERTAIN, reason_sentences
from atreport.publication.estimation_words import DESCRIBES, by_source
from atreport.report.model import Report


def letter_cover(report: Report, title: str, sender: object) -> Cover:
    """Who writes, about what, and from which report."""
    info = report.report
    return Cover(
        title=title,
        publisher=str(sender),
        version=info.version,
        date=long_date(info.date),
        iso_date=info.date.isoformat(),
        language=info.language,
        contact=info.contact,
        process=report.process.name,
    )


def from_report(report: Report) -> str:
    """What a letter was made from."""
    info = report.report
    return (
        f"It is made from the published report “{info.title}”, version {info.version}, of {long_date(info.date)}, "
        "which anyone can check."
    )


def decision_told(details: LetterDetails) -> str:
    """What was decided about the person, or that the letter does not know it."""
    if details.outcome is not None:
        return f"The decision about you was “{details.outcome}”."
    return "What was decided about you is not part of the published report, and so not of this letter."


def data_section(report: Report, case: OwnCase, title: str) -> FormSection:
    """The data that the decision looks at, with the person's values."""
    return FormSection(
        id="record",
        title=title,
        text=(
            by_source(
                report,
                given="These are the data that the decision looks at, with the values you have.",
                described="These are the data by which the published report describes people, with the values you have. "
                + DESCRIBES,
            ),
        ),
        fields=tuple(
            FormField(label=report.process.attribute(name).title, text=(value,))
            for name, value in case.record.items()
        ),
    )


def reasons_section(report: Report, case: OwnCase, title: str) -> FormSection:
    """What is announced for people with these data, and what moved it, as far as that is certain."""
    favourable = report.process.outcome.favourable
    own = case.announced[favourable]
    share = f"Of people with exactly these data, {full_percent(own.value)} get “{favourable}”"
    if own.low != own.high:
        lies = full_percent_interval(own.low, own.high)
        share += f", as announced; the exact share lies in {lies}, for certain"
    reasons = reasons_for(report, case.record)
    return FormSection(id="reasons", title=title, text=(f"{share}.", *_told(report, reasons)))


def _told(report: Report, reasons: Reasons | None) -> tuple[str, ...]:
    if reasons is None:
        return (
            "The published report does not say exactly how many people there are, so what moved the result cannot be "
            "calculated from it.",
        )
    return (*reason_sentences(report, reasons), CERTAIN)


def words_section(
    id: str, title: str, form: BaseModel, labels: Mapping[str, str], names: tuple[str, ...], **further: Any
) -> FormSection:
    """The publisher's own words in some fields of the form; those that are not filled in are left out."""
    return FormSection(
        id=id,
        title=title,
        fields=tuple(
            form_field(labels[name], getattr(form, name)) for name in names if getattr(form, name) is not None
        ),
        **further,
    )
