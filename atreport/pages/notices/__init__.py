"""Letters to one person about one decision, other than the one under Article 15 of the GDPR: a file a kind, listed here.

Guarantee: a letter is a function of the published report and the record. A reason is told only where it is certain.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from atreport.errors import NotAReport, UsageError
from atreport.pages.forms.form_context import FormContext, form_field
from atreport.pages.letter import NO_DETAILS, letter_context
from atreport.pages.letter_details import LetterDetails, details_as_shown
from atreport.pages.notices import adverse_action, explanations
from atreport.pages.notices.parts import Letter
from atreport.pages.own_case import Record, as_shown, own_case
from atreport.report.model import Report, translated
from atreport.spec.yaml import did_you_mean
from atreport.text.language import gettext, use_locale

GDPR = "gdpr15"


@dataclass(frozen=True, kw_only=True)
class Notice:
    """One kind of letter: the form whose words it needs, and how it is made of them."""

    template: str
    context: Callable[[Letter, Any], FormContext]
    labels: Mapping[str, str]
    """The fields of its words, as readers meet them; to be said."""
    stands_in_the_report: bool = True
    """Whether these words stand in the published report too; not where the form has a document of its own."""
    tells_outcome: bool = False
    """Whether the decision about the person is told, where it is given; otherwise the form's words tell of it."""


NOTICES = {
    "adverse-action": Notice(
        template="adverse_action", context=adverse_action.context, labels=adverse_action.LABELS
    ),
    "ai-act-86": Notice(
        template="ai_act",
        context=explanations.ai_act_context,
        labels=explanations.AI_ACT_LABELS,
        stands_in_the_report=False,
        tells_outcome=True,
    ),
    "colorado": Notice(
        template="colorado", context=explanations.colorado_context, labels=explanations.COLORADO_LABELS
    ),
    "california": Notice(
        template="california",
        context=explanations.california_context,
        labels=explanations.CALIFORNIA_LABELS,
        tells_outcome=True,
    ),
}
"""Every kind by its name in ``atreport letter --as``."""

KINDS = (GDPR, *NOTICES)


def kind_of_letter(report: Report, asked: str | None) -> str:
    """The kind that is asked for, or the one that the report's form is for. Raises :class:`UsageError` for another word."""
    if asked is not None and asked not in KINDS:
        raise UsageError(f"--as: there is no letter '{asked}'; {did_you_mean(asked, KINDS, listing='kinds')}")
    template = report.form.template if report.form is not None else ""
    return asked or next((name for name, notice in NOTICES.items() if notice.template == template), GDPR)


def tells_outcome(kind: str) -> bool:
    """Whether letters of this kind say what was decided about the person, where that is given."""
    return kind == GDPR or NOTICES[kind].tells_outcome


def compose_letter(
    report: Report, record: Record, details: LetterDetails = NO_DETAILS, kind: str | None = None
) -> FormContext:
    """The letter of one kind, in the language of the report; without it, of the kind that the report's form is for."""
    kind = kind_of_letter(report, kind)
    if kind == GDPR:
        return letter_context(report, record, details)
    notice = NOTICES[kind]
    if report.form is None or report.form.template != notice.template:
        raise NotAReport(
            f"this report has no texts for a letter of the kind '{kind}'.\n"
            f"  Build it from a spec with 'template: {notice.template}' under report and a section 'form'; docs/spec.md "
            "lists the fields."
        )
    outcome = report.process.outcome
    if not notice.tells_outcome and details.outcome == outcome.favourable:
        raise UsageError(
            f"a letter of the kind '{kind}' is about an adverse outcome, and '{details.outcome}' is none"
        )
    own_case(report, record)  # refuses a record that the report says nothing about
    shown = translated(report)
    fields = report.form.fields if shown.form is None else shown.form.fields
    letter = Letter(
        report=shown,
        record=as_shown(report, record),
        details=details_as_shown(report, details),
        form=fields,
        labels=notice.labels,
    )
    with use_locale(report.report.language):
        return notice.context(letter, fields)


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
    for notice in NOTICES.values():
        if (
            notice.stands_in_the_report
            and report.form is not None
            and report.form.template == notice.template
        ):
            fields = report.form.fields
            return tuple(
                (gettext(label), " ".join(form_field(label, value).text))
                for name, label in notice.labels.items()
                if (value := getattr(fields, name)) is not None
            )
    return ()
