"""Letters to one person about one decision: of the kind that the file of a form says, or under Article 15 of the GDPR.

Guarantee: a letter is a function of the published report and the record. A reason is told only where it is certain.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from atreport.errors import NotAReport, UsageError
from atreport.forms.written import (
    FieldData,
    LetterData,
    LetterSection,
    WrittenForm,
    form_data,
    names_of_files,
)
from atreport.pages.forms.form_context import FormContext, ShownSection, form_field, numbered
from atreport.pages.letter import NO_DETAILS, letter_context
from atreport.pages.letter_details import (
    UNDECIDED,
    LetterDetails,
    data_fields,
    data_words,
    details_as_shown,
    heading_lines,
    letter_cover,
)
from atreport.pages.notices.adverse_action import ecoa, principal_reasons
from atreport.pages.own_case import Record, as_shown, own_case
from atreport.pages.reasons import CERTAIN, reason_sentences, reasons_for
from atreport.report.model import Report, translated
from atreport.spec.yaml import did_you_mean
from atreport.text.language import gettext, use_locale
from atreport.text.numbers import full_percent, full_percent_interval, long_date

GDPR = "gdpr15"


@cache
def letters() -> dict[str, tuple[str, LetterData]]:
    """Every other kind by its name in ``atreport letter --as``: the form that has its words, and what is made of them."""
    return {
        letter.kind: (template, letter)
        for template in names_of_files()
        if (letter := form_data(template).letter) is not None
    }


def kinds() -> tuple[str, ...]:
    """The kinds of letters, by their names."""
    return GDPR, *letters()


def kind_of_letter(report: Report, asked: str | None) -> str:
    """The kind that is asked for, or the one that the report's form is for. Raises :class:`UsageError` for another word."""
    if asked is not None and asked not in kinds():
        raise UsageError(
            f"--as: there is no letter '{asked}'; {did_you_mean(asked, kinds(), listing='kinds')}"
        )
    own = report.form.template if report.form is not None else ""
    return asked or next((kind for kind, (template, _) in letters().items() if template == own), GDPR)


def tells_outcome(kind: str) -> bool:
    """Whether letters of this kind say what was decided about the person, where that is given."""
    return kind == GDPR or letters()[kind][1].tells_outcome


def compose_letter(
    report: Report, record: Record, details: LetterDetails = NO_DETAILS, kind: str | None = None
) -> FormContext:
    """The letter of one kind, in the language of the report; without it, of the kind that the report's form is for."""
    kind = kind_of_letter(report, kind)
    if kind == GDPR:
        return letter_context(report, record, details)
    template, words = letters()[kind]
    if report.form is None or report.form.template != template:
        raise NotAReport(
            f"this report has no texts for a letter of the kind '{kind}'.\n"
            f"  Build it from a spec with 'template: {template}' under report and a section 'form'; docs/spec.md "
            "lists the fields."
        )
    outcome = report.process.outcome
    if not words.tells_outcome and details.outcome == outcome.favourable:
        raise UsageError(
            f"a letter of the kind '{kind}' is about an adverse outcome, and '{details.outcome}' is none"
        )
    own_case(report, record)  # refuses a record that the report says nothing about
    shown = translated(report)
    form: Any = report.form.fields if shown.form is None else shown.form.fields
    if words.words and (form := getattr(form, words.words)) is None:
        raise NotAReport(
            "this report has no texts for an explanation to a person (role, elements, contact …).\n"
            f"  Add a section '{words.words}' to its form and build it again; docs/spec.md lists the fields."
        )
    letter = Letter(
        report=shown,
        record=as_shown(report, record),
        details=details_as_shown(report, details),
        form=form,
    )
    with use_locale(report.report.language):
        return letter.composed(words)


@dataclass(frozen=True, kw_only=True)
class Letter:
    """A letter to one person, from which its parts are made: the report, their record, and the words of its form."""

    report: Report
    record: Record
    details: LetterDetails
    form: Any

    def composed(self, words: LetterData) -> FormContext:
        """The whole letter: its heading, what it is about and made from, and its sections with their numbers."""
        process = self.report.process.name
        opening = gettext(words.opening, process=process)
        contact = self.report.report.contact
        return FormContext(
            cover=letter_cover(self.report, gettext(words.title), getattr(self.form, words.sender), contact),
            subtitle=gettext(words.subtitle, process=process),
            law=gettext(words.law),
            notice=(*heading_lines(self.details), f"{opening} {self._source()}"),
            sections=numbered(
                self._section(id, section or LetterSection()) for id, section in words.sections.items()
            ),
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

    def _section(self, id: str, section: LetterSection) -> ShownSection:
        """The publisher's own words in some fields of the form, as far as they are filled in; or what is made instead."""
        title = gettext(section.title) if section.title else ""
        if not section.fields:
            return _MADE[id](self, title)
        asked: Mapping[str, FieldData] = self.form.asks
        fields = tuple(
            form_field(gettext(asked[name].in_letter or asked[name].label), value)
            for name in section.fields
            if (value := getattr(self.form, name)) is not None
        )
        return ShownSection(id=id, title=title, fields=fields)

    def decision(self, _title: str) -> ShownSection:
        """What was decided about the person, or that the letter does not know it."""
        outcome = self.details.outcome
        told = (
            gettext(UNDECIDED)
            if outcome is None
            else gettext("The decision about you was “{outcome}”.", outcome=outcome)
        )
        return ShownSection(id="decision", title=gettext("The decision about you"), text=(told,))

    def data(self, title: str) -> ShownSection:
        """The data that the decision looks at, with the person's values."""
        fields = data_fields(self.report, self.record)
        return ShownSection(id="record", title=title, text=(data_words(self.report),), fields=fields)

    def reasons(self, title: str) -> ShownSection:
        """What is announced for people with these data, and what moved it, as far as that is certain."""
        return ShownSection(id="reasons", title=title, text=(self._share(), *self._moved()))

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


_MADE: dict[str, Callable[[Letter, str], ShownSection]] = {
    "decision": Letter.decision,
    "record": Letter.data,
    "reasons": Letter.reasons,
    "principal_reasons": lambda letter, _: principal_reasons(letter.report, letter.record, letter.form),
    "ecoa": lambda letter, _: ecoa(letter.form),
}
"""The sections of letters that are made from the report, or in words that a law gives."""


def letter_json(letter: FormContext) -> dict[str, Any]:
    """A letter for programs: its sections in their order, with texts, fields and tables."""
    return {
        "language": letter.cover.language,
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
    form = None if report.form is None else report.form.fields
    if report.form is None or not isinstance(form, WrittenForm) or not form.stands_in_the_report:
        return ()
    stated = ((asked.label, getattr(form, key)) for key, asked in form.asks.items() if asked.label)
    return tuple(
        (
            gettext(label),
            str(value) if report.form.template == GDPR else " ".join(form_field(label, value).text),
        )
        for label, value in stated
        if value is not None
    )
