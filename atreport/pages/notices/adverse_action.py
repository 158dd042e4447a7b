"""A notice of adverse action on credit: Regulation B, 12 CFR 1002.9.

The regulation wants the principal reasons, and reasons that describe the factors actually considered. So a reason is told
only where it lowered the result under every true rule that the published figures allow, in an order that holds under all of
them. Where no reason is that certain, or the published rule only describes the decisions, the notice tells of the right to a
statement of reasons instead, as § 1002.9(a)(2)(ii) allows.
"""

from __future__ import annotations

from atreport.errors import UsageError
from atreport.pages.forms.form_context import FormContext, FormField, FormSection, form_field
from atreport.pages.letter_details import LetterDetails, heading_lines
from atreport.pages.notices.parts import from_report, letter_cover, words_section
from atreport.pages.own_case import Record, own_case
from atreport.pages.reasons import RankedReasons, Reasons, reasons_for
from atreport.pages.reasons.words import place_words, quoted_reasons
from atreport.publication.estimation_words import is_described
from atreport.report.model import Report
from atreport.spec.models.forms import AdverseActionForm

MOST_REASONS = 4
"""More reasons than these are not likely to be helpful (comment 9(b)(2)-1 of the official interpretation)."""

LAW = "Notice under the Equal Credit Opportunity Act (Regulation B, 12 CFR 1002.9)"

LABELS = {
    "creditor": "Creditor",
    "action": "Action taken",
    "agency": "Federal agency",
    "reasons_office": "Where a statement of reasons can be had",
    "consumer_report": "Consumer report",
}
"""Every field of the form that stands in the report, as readers meet it."""

# § 1002.9(b)(1) gives these words; a notice has to be substantially similar to them.
ECOA_NOTICE = (
    "The Federal Equal Credit Opportunity Act prohibits creditors from discriminating against credit applicants on the "
    "basis of race, color, religion, national origin, sex, marital status, age (provided the applicant has the capacity to "
    "enter into a binding contract); because all or part of the applicant’s income derives from any public assistance "
    "program; or because the applicant has in good faith exercised any right under the Consumer Credit Protection Act. The "
    "Federal agency that administers compliance with this law concerning this creditor is {agency}."
)

RIGHT_TO_REASONS = (
    "You have the right to a statement of specific reasons within 30 days, "
    "if you ask for it within 60 days of this notice."
)


def context(report: Report, form: AdverseActionForm, record: Record, details: LetterDetails) -> FormContext:
    """The notice as text."""
    own_case(report, record)  # refuses a record that the report says nothing about
    return FormContext(
        cover=letter_cover(report, "Notice of action taken on your application", form.creditor),
        subtitle=f"Notice of adverse action on “{report.process.name}”",
        law=LAW,
        notice=(
            *heading_lines(details),
            f"This notice is about “{report.process.name}”. {from_report(report)}",
        ),
        sections=(
            words_section("action", "1. Action taken", form, LABELS, ("action",)),
            _reasons(report, form, record),
            FormSection(
                id="ecoa",
                title="3. Equal Credit Opportunity Act",
                text=(ECOA_NOTICE.format(agency=form.agency.rstrip(".")),),
            ),
            words_section("creditor", "4. Where to turn", form, LABELS, ("creditor", "consumer_report")),
        ),
    )


def _reasons(report: Report, form: AdverseActionForm, record: Record) -> FormSection:
    reasons = None if is_described(report) else reasons_for(report, record)
    told = _principal(reasons) if reasons is not None else ()
    if not told:
        return FormSection(
            id="reasons",
            title="2. Your right to a statement of reasons",
            text=(RIGHT_TO_REASONS,),
            fields=(form_field(LABELS["reasons_office"], form.reasons_office),),
        )
    _refuse_without_words(form, told)
    return FormSection(
        id="reasons",
        title="2. Principal reasons for the action taken",
        text=(
            "This certainly lowered your result."
            if sum(len(rank.reasons) for rank in told) == 1
            else "Each of these certainly lowered your result. They stand in the order of their weight, as far as that "
            "is certain.",
            *_may_weigh_more(told),
        ),
        fields=tuple(
            FormField(label=f"Reason {place}", text=(form.reasons[reason.attribute],))
            for reason, place in place_words(told)
        ),
    )


def _may_weigh_more(told: tuple[RankedReasons, ...]) -> tuple[str, ...]:
    """Reasons of unclear direction that could weigh as much as those that are told."""
    more = list(dict.fromkeys(reason for rank in told for reason in rank.may_weigh_more))
    if not more:
        return ()
    return (
        f"It cannot be told from the published figures whether {quoted_reasons(more, 'or')} weighed as much.",
    )


def _principal(reasons: Reasons) -> tuple[RankedReasons, ...]:
    """The weightiest ranks, whole, of at most four reasons together; the first rank in any case."""
    told: list[RankedReasons] = []
    for rank in reasons.lowered:
        if told and sum(len(each.reasons) for each in (*told, rank)) > MOST_REASONS:
            break
        told.append(rank)
    return tuple(told)


def _refuse_without_words(form: AdverseActionForm, told: tuple[RankedReasons, ...]) -> None:
    """A principal reason without words cannot be told, and a notice without it would not state the principal reasons."""
    silent = [reason for rank in told for reason in rank.reasons if reason.attribute not in form.reasons]
    if silent:
        raise UsageError(
            f"no notice is made: {quoted_reasons(silent)} certainly lowered the result for this record, and the report has "
            "no words for it as a reason.\n"
            "  A notice without it would not state the principal reasons (12 CFR 1002.9(b)(2)). Add it to 'reasons' under "
            "form and build the report again; if it may not count against an applicant, look at the rule first."
        )
