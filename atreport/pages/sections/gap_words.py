"""The gap between two groups in sentences: both rates, who is worse off and how sure that is, and what chance adds."""

from __future__ import annotations

from atreport.kit.language import say
from atreport.kit.language.words import capitalised
from atreport.kit.numbers import out_of, percent, points_between
from atreport.pages.disparities import Disparity, Order, named, rate_words
from atreport.pages.wording import named_values
from atreport.publication.words.estimation import is_described
from atreport.report.model import Report

SHORT = 5
"""An outcome with so few letters (yes, true, 1) says nothing without the name of what is decided."""


def rates_in_words(report: Report, found: Disparity) -> str:
    """Both rates and the true gap: Approved: 42 of 100 for Sex “men”, 20 of 100 for Sex “women”. The true gap is …."""
    base, (lower, higher) = out_of(found.lower.value, found.higher.value)
    values = {
        "share": capitalised(_share_in_words(report, found)),
        "base": base,
        "lower": lower,
        "higher": higher,
        "low_group": named(report, found.assessment, found.lower.group),
        "high_group": named(report, found.assessment, found.higher.group),
        "people": named_values(report.process, found.assessment.given or {}),
    }
    if found.is_tie and found.assessment.given:
        rates = say(
            "{share}: {lower} of {base} both for {low_group} and for {high_group}, among {people}.", **values
        )
    elif found.is_tie:
        rates = say("{share}: {lower} of {base} both for {low_group} and for {high_group}.", **values)
    elif found.assessment.given:
        rates = say(
            "{share}: {higher} of {base} for {high_group}, {lower} of {base} for {low_group}, among {people}.",
            **values,
        )
    else:
        rates = say(
            "{share}: {higher} of {base} for {high_group}, {lower} of {base} for {low_group}.", **values
        )
    gap = say("The true gap is {gap}.", gap=points_between(found.low, found.high))
    return f"{rates} {gap}"


def _share_in_words(report: Report, found: Disparity) -> str:
    """What the rates are the share of; a short outcome with the name of what is decided, such as Hired “yes”."""
    share = rate_words(report, found)
    if found.assessment.rate is None and len(share) <= SHORT:
        return say("{attribute} “{value}”", attribute=report.process.outcome.title, value=share)
    return share


def order_in_words(report: Report, found: Disparity) -> str:
    """Who is worse off, and how sure that is."""
    if found.worse is None:
        return _lower_rate_in_words(named(report, found.assessment, found.lower.group), found.order)
    group = named(report, found.assessment, found.worse.group)
    match found.order:
        case "certain":
            return _certain_in_words(report, group)
        case "never_better":
            return say(
                "It is certain that {group} is not better off. The true rates may be equal.", group=group
            )
        case "announced":
            return say("In the announced rule, {group} is worse off.", group=group)
        case "open" if found.is_tie:
            return say("This report cannot tell which of the two is worse off, or whether either is.")
        case "open":
            return say("This report cannot tell which of the two is worse off.")
        case "equal":
            return say("Neither is worse off: the true rates are equal.")


def _lower_rate_in_words(group: str, order: Order) -> str:
    """The same where neither of two error rates is the better one."""
    match order:
        case "certain":
            return say("It is certain that {group} has the lower rate.", group=group)
        case "never_better":
            return say(
                "It is certain that {group} does not have the higher rate. The true rates may be equal.",
                group=group,
            )
        case "announced":
            return say("As announced, {group} has the lower rate.", group=group)
        case "open":
            return say("This report cannot tell which of the two has the lower rate.")
        case "equal":
            return say("The true rates are equal.")


def _certain_in_words(report: Report, group: str) -> str:
    """What is certain: of a rule that was found in cases, no more than what happened there."""
    if not is_described(report):
        return say("It is certain that {group} is worse off.", group=group)
    if report.process.estimated_from is not None:
        return say("It is certain that {group} was worse off in the recorded cases.", group=group)
    return say("It is certain that {group} is worse off by the rule that was found.", group=group)


def chance_in_words(found: Disparity) -> str:
    """Where the gap lies if chance in the records is taken in; empty where the rule is no estimate."""
    if found.chance is None:
        return ""
    return say(
        "Other cases of the same process would give other figures, by chance. With chance counted in, the gap in the "
        "long run is {gap}, at a confidence of {level}.",
        gap=points_between(*found.chance.interval),
        level=percent(found.chance.level),
    )
