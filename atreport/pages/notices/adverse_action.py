"""A notice of adverse action on credit: Regulation B, 12 CFR 1002.9.

The regulation wants the principal reasons, and reasons that describe the factors actually considered. So a reason is told
only where it lowered the result under every true rule that the published figures allow, in an order that holds under all of
them. Where no reason is that certain, or the published rule only describes the decisions, the notice tells of the right to a
statement of reasons instead, as § 1002.9(a)(2)(ii) allows.
"""

from typing import Any

from atreport.compose.estimation import is_described
from atreport.errors import UsageError
from atreport.pages.forms.form_context import FormField, ShownSection, unless_spoken, written_fields
from atreport.pages.own_case import Record
from atreport.pages.reasons import Place, RankedReasons, Reasons, named_reasons, places, reasons_for
from atreport.report.model import Report
from atreport.text.language import gettext, list_and, list_or, message, use_locale

MOST_REASONS = 4
"""More reasons than these are not likely to be helpful (comment 9(b)(2)-1 of the official interpretation)."""

# § 1002.9(b)(1) gives these words; a notice has to be substantially similar to them, so they stay in its language.
ENGLISH = "en"
ECOA_NOTICE = (
    "The Federal Equal Credit Opportunity Act prohibits creditors from discriminating against credit applicants on the "
    "basis of race, color, religion, national origin, sex, marital status, age (provided the applicant has the capacity to "
    "enter into a binding contract); because all or part of the applicant’s income derives from any public assistance "
    "program; or because the applicant has in good faith exercised any right under the Consumer Credit Protection Act. The "
    "Federal agency that administers compliance with this law concerning this creditor is {agency}."
)

RIGHT_TO_REASONS = message(
    "You have the right to a statement of specific reasons within 30 days, if you ask for it within 60 days of this notice."
)


def ecoa(form: Any) -> ShownSection:
    """What the act prohibits, and who sees to it."""
    return ShownSection(
        id="ecoa",
        title="Equal Credit Opportunity Act",
        language=unless_spoken(ENGLISH),
        text=(ECOA_NOTICE.format(agency=form.agency.rstrip(".")),),
    )


def principal_reasons(report: Report, record: Record, form: Any) -> ShownSection:
    """The principal reasons that are certain, or the right to a statement of reasons where none is."""
    reasons = None if is_described(report) else reasons_for(report, record)
    told = _principal(reasons) if reasons is not None else ()
    if not told:
        return ShownSection(
            id="reasons",
            title=gettext("Your right to a statement of reasons"),
            text=(gettext(RIGHT_TO_REASONS),),
            fields=written_fields(form, {"reasons_office": form.asks["reasons_office"]}),
        )
    _refuse_without_words(form, told)
    return ShownSection(
        id="reasons",
        title=gettext("Principal reasons for the action taken"),
        text=(
            gettext("This certainly lowered your result.")
            if sum(len(rank.reasons) for rank in told) == 1
            else gettext(
                "Each of these certainly lowered your result. They stand in the order of their weight, as far as that order "
                "is certain."
            ),
            *_may_weigh_more(told),
        ),
        fields=tuple(
            FormField(label=_reason_label(place), text=(form.reasons[reason.attribute],))
            for reason, place in places(told)
        ),
    )


def _reason_label(place: Place) -> str:
    if place.is_certain:
        return gettext("Reason {place}", place=place.first)
    return gettext("One of reasons {first} to {last}, order not certain", first=place.first, last=place.last)


def _may_weigh_more(told: tuple[RankedReasons, ...]) -> tuple[str, ...]:
    """Reasons of unclear direction that could weigh as much as those that are told."""
    more = list(dict.fromkeys(reason for rank in told for reason in rank.may_weigh_more))
    if not more:
        return ()
    return (
        gettext(
            "It cannot be told from the published figures whether {reasons} weighed as much.",
            reasons=list_or(named_reasons(more)),
        ),
    )


def _principal(reasons: Reasons) -> tuple[RankedReasons, ...]:
    """The weightiest ranks, whole, of at most four reasons together; the first rank in any case."""
    told: list[RankedReasons] = []
    for rank in reasons.lowered:
        if told and sum(len(each.reasons) for each in (*told, rank)) > MOST_REASONS:
            break
        told.append(rank)
    return tuple(told)


def _refuse_without_words(form: Any, told: tuple[RankedReasons, ...]) -> None:
    """A principal reason without words cannot be told, and a notice without it would not state the principal reasons."""
    silent = [reason for rank in told for reason in rank.reasons if reason.attribute not in form.reasons]
    if silent:
        with use_locale(ENGLISH):  # to the publisher
            named = list_and(named_reasons(silent))
        raise UsageError(
            f"no notice is made: {named} certainly lowered the result for this record, and the report has "
            "no words for it as a reason.\n"
            "  A notice without it would not state the principal reasons (12 CFR 1002.9(b)(2)). Add it to 'reasons' under "
            "form and build the report again; if it may not count against an applicant, look at the rule first."
        )
