"""What a report promises to those who believe something else than the population tells.

Every sentence is a function of the Report, and holds for every group and every sensitive value that it does not exclude.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from atreport.kit.language import message
from atreport.kit.language.words import list_or
from atreport.kit.rounding import rounded_up
from atreport.publication.words.told import (
    Told,
    Value,
    a_factor,
    a_share,
    as_text,
    attributes_listed,
    tell,
    tell_many,
    together,
)
from atreport.report.model import Report

EVEN = Decimal("0.5")
"""How sure somebody is before, of whom it is said how sure they are afterwards."""


def sure_after(before: Fraction, odds: Decimal) -> Fraction:
    """How sure somebody is at most whose odds change by this factor: πR / (1 - π + πR)."""
    gained = before * Fraction(odds)
    return gained / (1 - before + gained)


@dataclass(frozen=True, kw_only=True)
class _Promise:
    """The promise to those who believed something else before, as messages."""

    nothing: str  # the decision tells them nothing
    at_most: str  # how sure they are afterwards


_ABOUT_YOU = _Promise(
    nothing=message(
        "Somebody who knows your group learns nothing about your {private} from the decision, whatever they believed."
    ),
    at_most=message(
        "Somebody who knows your group and is {half} sure of something about your {private} before the decision is at most "
        "{afterwards} sure after it."
    ),
)
_ABOUT_A_PERSON = _Promise(
    nothing=message(
        "Somebody who knows a person’s group learns nothing about {private} from the decision, whatever they believed."
    ),
    at_most=message(
        "Somebody who knows a person’s group and is {half} sure of something about their {private} before the decision is "
        "at most {afterwards} sure after it."
    ),
)


def odds_told(report: Report) -> Told:
    """The promise about the reader to those who believed something else before; empty where nothing is stated."""
    return _odds(report, _ABOUT_YOU)


def odds_of_a_person(report: Report) -> Told:
    """The same about anybody."""
    return _odds(report, _ABOUT_A_PERSON)


def _odds(report: Report, promise: _Promise) -> Told:
    if not is_stated(report):
        return Told("")
    odds = report.privacy.odds
    if odds is None:
        return _without_limit(report)
    if odds == 1:
        return tell(promise.nothing, private=_private(report))
    afterwards = _after_even(report, odds)
    return together(
        tell(promise.at_most, half=a_share(EVEN), private=_private(report), afterwards=afterwards),
        _whatever_they_believed(odds),
    )


def _whatever_they_believed(odds: Decimal) -> Told:
    return tell(
        "This holds whatever they believed before, if they believe this report. In other words: the odds of something are "
        "its probability divided by the probability of the opposite, and they change by a factor of at most {odds}.",
        odds=a_factor(odds),
    )


def odds_told_in_short(report: Report) -> Told:
    """The promise about the reader in a line or two, for the summary."""
    if not is_stated(report):
        return Told("")
    odds = report.privacy.odds
    if odds is None:
        return tell(
            "For somebody who believes something else than the population tells, the report promises nothing."
        )
    if odds == 1:
        return odds_told(report)
    return tell(
        "Whatever somebody who knows your group believed before: if they were {half} sure of something about your "
        "{private}, they are at most {afterwards} sure after the decision.",
        half=a_share(EVEN),
        private=_private(report),
        afterwards=_after_even(report, odds),
    )


def after_even(report: Report, odds: Decimal) -> str:
    """How sure somebody is at most who was 50% sure; rounded up."""
    return _after_even(report, odds).written


def _after_even(report: Report, odds: Decimal) -> Value:
    return a_share(rounded_up(sure_after(Fraction(EVEN), odds), report.policy.decimals))


def _private(report: Report) -> Value:
    return attributes_listed(report.process.of_role("sensitive"), list_or)


def is_stated(report: Report) -> bool:
    """Whether the report says anything about those who believed something else before; early ones do not."""
    return "odds" in report.privacy.model_fields_set


def _without_limit(report: Report) -> Told:
    number = sum(group.odds is None for group in report.privacy.groups)
    text = tell_many(
        "without_limit",
        number,
        "For somebody who believes something else than the population tells, there is no limit: in {number} group an "
        "outcome rules a combination of values out for certain.",
        "For somebody who believes something else than the population tells, there is no limit: in {number} groups an "
        "outcome rules a combination of values out for certain.",
    )
    if report.policy.fidelity.alpha is None:
        return text
    unpreventable = tell(
        "At this kind of fidelity a probability of zero stays zero, so no announced rule could prevent that."
    )
    return together(text, unpreventable)


def prior_told(report: Report) -> Told:
    """What “before” means where numbers of people are not published as they are; empty elsewhere."""
    if report.policy.small_cells.is_exact:
        return Told("")
    return tell(
        "Numbers of people are published within limits only. So “before” is the highest confidence that the published "
        "numbers do not rule out. With the exact numbers it may be lower."
    )


odds_words = as_text(odds_told)
odds_in_short = as_text(odds_told_in_short)
prior_words = as_text(prior_told)
"""The same as plain texts, for pages: what fills them stays here."""
