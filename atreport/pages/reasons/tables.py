"""Reasons as a table: what each of a person's data moved, and what is certain about it."""

from __future__ import annotations

from atreport.kit.language import message, say
from atreport.kit.numbers import full_percent, signed_points, signed_points_interval
from atreport.kit.tables import Column, make_table
from atreport.pages.forms.form_context import RemarkedTable
from atreport.pages.own_case import OwnCase
from atreport.pages.reasons import Reason, Reasons, reasons_for
from atreport.pages.reasons.words import CERTAIN, Place, places, reason_sentences
from atreport.publication.words.estimation import by_source, is_described
from atreport.report.model import Report

PlaceWords = tuple[str, str]
"""How a place is told: one that is certain, and one that several reasons share."""

_LOWERED = (message("lowered it, place {place}"), message("lowered it, one of places {first} to {last}"))
_RAISED = (message("raised it, place {place}"), message("raised it, one of places {first} to {last}"))
_GOES_WITH_LESS = (
    message("goes with less, place {place}"),
    message("goes with less, one of places {first} to {last}"),
)
_GOES_WITH_MORE = (
    message("goes with more, place {place}"),
    message("goes with more, one of places {first} to {last}"),
)


def moved_tables(report: Report, case: OwnCase) -> tuple[RemarkedTable, ...]:
    """What each of the person's values moved; nothing where the report does not say how many people there are."""
    reasons = reasons_for(report, case.record)
    if reasons is None:
        return ()
    certain = _what_is_certain(report, reasons)
    return (
        RemarkedTable(
            table=make_table(
                "moved",
                by_source(
                    report,
                    given=say(
                        "How your data moved the announced probability of “{outcome}”",
                        outcome=reasons.outcome,
                    ),
                    described=say(
                        "What goes with your data in the announced probability of “{outcome}”",
                        outcome=reasons.outcome,
                    ),
                ),
                [
                    Column(say("Your data"), names_row=True),
                    Column(say("Your value"), names_row=True),
                    Column(
                        by_source(report, given=say("Moved it by"), described=say("Goes with")), numeric=True
                    ),
                    Column(say("Exact amount lies in"), numeric=True),
                    Column(say("What is certain")),
                ],
                [
                    [
                        reason.label,
                        reason.value,
                        signed_points(reason.amount.value),
                        signed_points_interval(reason.amount.low, reason.amount.high),
                        certain[reason],
                    ]
                    for reason in reasons.all
                ],
            ),
            remarks=(*reason_sentences(report, reasons), f"{say(CERTAIN)} {_average(reasons)}"),
        ),
    )


def _what_is_certain(report: Report, reasons: Reasons) -> dict[Reason, str]:
    """Of each reason its direction and place, that it has no effect, or that its direction is not certain."""
    lowered, raised = (_GOES_WITH_LESS, _GOES_WITH_MORE) if is_described(report) else (_LOWERED, _RAISED)
    return {
        **{reason: _in_place(lowered, place) for reason, place in places(reasons.lowered)},
        **{reason: _in_place(raised, place) for reason, place in places(reasons.raised)},
        **{reason: say("no effect") for reason in reasons.nothing},
        **{reason: say("direction not certain") for reason in reasons.unclear},
    }


def _in_place(words: PlaceWords, place: Place) -> str:
    certain, shared = words
    if place.is_certain:
        return say(certain, place=place.first)
    return say(shared, first=place.first, last=place.last)


def _average(reasons: Reasons) -> str:
    """What the amounts are amounts of."""
    average = say(
        "The announced probability of “{outcome}” is {average} on average over everybody, and {own} with your data.",
        outcome=reasons.outcome,
        average=full_percent(reasons.average),
        own=full_percent(reasons.announced),
    )
    amounts = (
        say(
            "The amounts divide the difference among your data (they are Shapley values). Apart from rounding, they add up "
            "to it."
        )
        if reasons.adds_up
        else say("Each amount is of one value by itself. The amounts need not add up to the difference.")
    )
    return f"{average} {amounts}"
