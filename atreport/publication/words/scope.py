"""How far the promise goes: the ceilings that the publisher set, and what is not covered.

Every sentence is a function of the Report, and holds for every group and every sensitive value that it does not exclude.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from atreport.kit.language import say
from atreport.kit.numbers import factor, percent, short
from atreport.kit.rounding import rounded_up
from atreport.publication.words.odds import is_stated
from atreport.publication.words.told import Told, a_factor, attributes_listed, tell
from atreport.report.model import Report

TIMES_DECIDED = (2, 3)
"""For so many decisions on one person the odds factor is worked out."""


def promised_words(report: Report) -> tuple[str, ...]:
    """The ceilings that the publisher set, each in a few words."""
    ceiling, found = report.policy.privacy, []
    if ceiling is not None and ceiling.beta is not None:
        found.append(
            say(
                "confidence in any sensitive value at most {beta} (β ≤ {number})",
                beta=percent(ceiling.beta),
                number=short(ceiling.beta),
            )
        )
    if ceiling is not None and ceiling.gamma is not None:
        found.append(
            say(
                "uncertainty about any sensitive value at least {gamma} (γ ≥ {gamma})",
                gamma=short(ceiling.gamma),
            )
        )
    if ceiling is not None and ceiling.lift is not None:
        found.append(
            say("no sensitive value more than {lift} times as likely as before", lift=factor(ceiling.lift))
        )
    if ceiling is not None and ceiling.odds is not None:
        found.append(
            say(
                "odds changed by at most a factor of {odds} for anybody who knows the group",
                odds=factor(ceiling.odds),
            )
        )
    found.extend(
        say(
            "confidence in “{value}” of “{attribute}” at most {most}",
            value=value,
            attribute=attribute.title,
            most=percent(most),
        )
        for attribute in report.process.attributes
        for value, most in (attribute.ceilings or {}).items()
    )
    return tuple(found)


def uncovered_told(report: Report) -> Iterator[Told]:
    """What the promise does not cover, whatever the mechanism: a sentence or two each."""
    odds = report.privacy.odds if is_stated(report) else None
    if odds is None:
        yield tell(
            "Somebody may know more about a person than the attributes marked public, or may know the records of other "
            "people of the group. They start from another belief than the population tells, and the confidence does not "
            "bound them."
        )
    else:
        yield tell(
            "Somebody may know more about a person than the attributes marked public, or may know the records of other "
            "people of the group. They start from another belief than the population tells: the confidence does not bound "
            "them, the odds factor does."
        )
    yield tell("A person about whom several decisions are made gives more away with each of them.")
    if odds is not None and odds > 1:
        twice, thrice = (a_factor(rounded_up(Fraction(odds) ** k, 2)) for k in TIMES_DECIDED)
        yield tell(
            "Two independent decisions on the same record can change odds by a factor of {twice}, three by a factor of "
            "{thrice}.",
            twice=twice,
            thrice=thrice,
        )
    yield _protected(report)


def _protected(report: Report) -> Told:
    sensitive = report.process.of_role("sensitive")
    values = {"protected_attributes": attributes_listed(sensitive)}
    if len(sensitive) == 1:
        return tell(
            "Only {protected_attributes} is protected, not the decision itself: whoever knows a person’s data can tell from "
            "the announced rule how likely each outcome is.",
            **values,
        )
    return tell(
        "Only {protected_attributes} are protected, not the decision itself: whoever knows a person’s data can tell from "
        "the announced rule how likely each outcome is.",
        **values,
    )


def uncovered_words(report: Report) -> tuple[str, ...]:
    """What the promise does not cover, as plain texts."""
    return tuple(map(str, uncovered_told(report)))
