"""What every letter about one decision has: the person's data, what certainly moved the result, the publisher's words."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel

from atreport.pages.forms.form_context import FormContext, FormSection, form_field, numbered
from atreport.pages.letter_details import (
    UNDECIDED,
    LetterDetails,
    data_fields,
    data_words,
    heading_lines,
    letter_cover,
)
from atreport.pages.own_case import Record, own_case
from atreport.pages.reasons import CERTAIN, reason_sentences, reasons_for
from atreport.report.model import Report
from atreport.text.language import gettext
from atreport.text.numbers import full_percent, full_percent_interval, long_date


@dataclass(frozen=True, kw_only=True)
class Letter:
    """A letter to one person, from which its parts are made: the report, their record, and the words of its form."""

    report: Report
    record: Record
    details: LetterDetails
    form: BaseModel
    labels: Mapping[str, str]

    def composed(
        self,
        *,
        title: str,
        subtitle: str,
        law: str,
        sender: object,
        opening: str,
        sections: tuple[FormSection, ...],
    ) -> FormContext:
        """The whole letter: its heading, what it is about and made from, and its sections with their numbers."""
        return FormContext(
            cover=letter_cover(self.report, title, sender, self.report.report.contact),
            subtitle=subtitle,
            law=law,
            notice=(*heading_lines(self.details), f"{opening} {self._source()}"),
            sections=numbered(sections),
        )

    def _source(self) -> str:
        """What the letter was made from."""
        info = self.report.report
        return gettext(
            "This letter is made from the published report “{title}”, version {version}, of {date}, which anyone can check.",
            title=info.title,
            version=info.version,
            date=long_date(info.date),
        )

    def decision(self) -> FormSection:
        """What was decided about the person, or that the letter does not know it."""
        outcome = self.details.outcome
        told = (
            gettext(UNDECIDED)
            if outcome is None
            else gettext("The decision about you was “{outcome}”.", outcome=outcome)
        )
        return FormSection(id="decision", title=gettext("The decision about you"), text=(told,))

    def words(self, id: str, title: str, *names: str) -> FormSection:
        """The publisher's own words in some fields of the form; those that are not filled in are left out."""
        stated = ((self.labels[name], getattr(self.form, name)) for name in names)
        return FormSection(
            id=id,
            title=title,
            fields=tuple(form_field(gettext(label), value) for label, value in stated if value is not None),
        )

    def data(self, title: str) -> FormSection:
        """The data that the decision looks at, with the person's values."""
        return FormSection(
            id="record",
            title=title,
            text=(data_words(self.report),),
            fields=data_fields(self.report, self.record),
        )

    def reasons(self, title: str) -> FormSection:
        """What is announced for people with these data, and what moved it, as far as that is certain."""
        return FormSection(id="reasons", title=title, text=(self._share(), *self._moved()))

    def _share(self) -> str:
        favourable = self.report.process.outcome.favourable
        own = own_case(self.report, self.record).announced[favourable]
        if own.low == own.high:
            return gettext(
                "Of people with exactly your data, {share} get “{outcome}”.",
                share=full_percent(own.value),
                outcome=favourable,
            )
        return gettext(
            "Of people with exactly your data, {share} get “{outcome}”, as announced. The exact share lies in this range "
            "for certain: {range}.",
            share=full_percent(own.value),
            outcome=favourable,
            range=full_percent_interval(own.low, own.high),
        )

    def _moved(self) -> tuple[str, ...]:
        reasons = reasons_for(self.report, self.record)
        if reasons is None:
            return (
                gettext(
                    "The published report does not say exactly how many people there are, so what moved the result cannot "
                    "be calculated from it."
                ),
            )
        return (*reason_sentences(self.report, reasons), gettext(CERTAIN))
