"""What a report promises about people, in words: how sure somebody can be, and where there is no protection.

Every sentence is a function of the Report, and holds for every group and every sensitive value that it does not exclude.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from atreport.compose.message import (
    Message,
    Value,
    a_factor,
    a_share,
    a_text,
    an_attribute,
    attributes_listed,
    format_message,
    format_messages,
    numbered,
    together,
)
from atreport.compose.small_numbers import large_group_of
from atreport.core.cells import run_starts
from atreport.report.model import Report
from atreport.report.people import AttributePrivacy
from atreport.spec.process import Attribute
from atreport.text.language import gettext, list_or, message, plural, quote
from atreport.text.numbers import factor, percent, rounded_up, short


def certain_groups(report: Report) -> NDArray[np.bool_]:
    """The groups in which some outcome leaves a single value of a sensitive attribute: there somebody can be certain.

    Exact, and the same for every population: a value is left where the announced rule gives one of its cells the outcome.
    """
    table = report.rule_table
    found = np.zeros(len(table.cells.group_starts), dtype=bool)
    for protected in table.cells.protected:
        runs = run_starts(protected.group)
        for steps in table.mapping.T:
            possible = protected.sums((steps > 0).astype(np.int64)) > 0
            found |= np.add.reduceat(possible.astype(np.int64), runs) == 1
    return found


def single_valued_groups(report: Report) -> NDArray[np.bool_]:
    """The groups in which everybody has the same value of a sensitive attribute. Exact, as :func:`certain_groups`."""
    cells = report.rule_table.cells
    found = np.zeros(len(cells.group_starts), dtype=bool)
    for protected in cells.protected:
        found |= np.bincount(protected.group, minlength=len(found)) == 1
    return found


About = Literal["you", "a person"]
"""Whom a sentence speaks of: the reader, or anybody."""

_CONFIDENCE: dict[tuple[About, bool], str] = {
    ("you", False): message(
        "Someone who knows the decision about you, and believes this report, can be at most {beta} sure of your "
        "{sensitive}."
    ),
    ("you", True): message(
        "Someone who knows your {public} and the decision about you, and believes this report, can be at most {beta} "
        "sure of your {sensitive}."
    ),
    ("a person", False): message(
        "Someone who knows the decision about a person, and believes this report, can be at most {beta} sure of the "
        "person’s {sensitive}."
    ),
    ("a person", True): message(
        "Someone who knows a person’s {public} and the decision about them, and believes this report, can be at most "
        "{beta} sure of the person’s {sensitive}."
    ),
}
"""The promise, by whom it speaks of, and whether others know anything of them."""


def confidence_words(report: Report, about: About = "you") -> Message:
    """The promise in one sentence."""
    public, sensitive = (report.process.of_role(role) for role in ("public", "sensitive"))
    values = {"public": as_published(report, public)} if public else {}
    values |= {"beta": a_share(report.privacy.beta), "sensitive": attributes_listed(sensitive, list_or)}
    return together(
        format_message(_CONFIDENCE[about, bool(public)], **values),
        # where some were left out, the promise is not about them
        format_message("That holds for the people in this report, not for those who were left out of it.")
        if report.privacy.unprotectable.groups and report.privacy.unprotectable.policy == "suppress"
        else "",
    )


def as_published(report: Report, attributes: Sequence[Attribute]) -> Value:
    """What an observer knows of a person; where values are joined, no more than is published: the finer ones say more."""
    listed = attributes_listed(attributes)
    if not report.process.has_joined(each.name for each in attributes):
        return listed
    return Value(
        written=gettext("{attributes} (as published here)", attributes=listed.written),
        argument=listed.argument,
    )


def no_protection_words(report: Report) -> Message:
    """Where somebody can be certain of a sensitive value: in how many groups, of how many people; empty where nowhere."""
    exact = certain_groups(report)
    certain = exact | (report.group_beta == report.rule_table.scale)
    number = int(certain.sum())
    if not number:
        return Message("")
    return together(
        format_messages("unprotected", number, *_WITHOUT[bool(exact[certain].all())]),
        _people_affected(report, certain),
        _known_before(number, int((certain & single_valued_groups(report)).sum())),
        _other_groups(report, certain),
    )


_WITHOUT = {
    True: plural(
        "No protection in {number} group: there someone can be certain of a sensitive value.",
        "No protection in {number} groups: there someone can be certain of a sensitive value.",
    ),
    False: plural(
        "No protection in {number} group: there someone can be certain, or almost certain, of a sensitive value.",
        "No protection in {number} groups: there someone can be certain, or almost certain, of a sensitive value.",
    ),
}
"""By whether that is so in all of them whatever the decimals."""


def _people_affected(report: Report, certain: NDArray[np.bool_]) -> Message:
    table = report.rule_table
    if table.population != "counts" or not table.small_cells.is_exact:
        return Message("")
    affected = int(table.cells.population[certain[table.cells.group]].sum())
    return format_messages(
        "affected", affected, "This affects {number} person.", "This affects {number} people."
    )


def _known_before(number: int, known: int) -> Message:
    if not known:
        return Message("")
    if number == 1:
        return format_message(
            "Everybody in it has the same value. That is known before any report, and no report can hide it."
        )
    return format_messages(
        "known",
        known,
        "In {number} of them everybody has the same value. That is known before any report, and no report can hide it.",
        "In {number} of them everybody in the group has the same value. That is known before any report, and no report can "
        "hide it.",
    )


def _other_groups(report: Report, certain: NDArray[np.bool_]) -> Message:
    rest = [report.privacy.groups[g].beta for g in np.flatnonzero(~certain)]
    if not rest:
        return Message("")
    return format_messages(
        "protected",
        len(rest),
        "In the other group someone can be at most {elsewhere} sure.",
        "In the other {number} groups someone can be at most {elsewhere} sure.",
        elsewhere=a_share(max(rest)),
    )


# What a report adds to what the population alone tells, in words: in points, and how many times as likely.


def rise_words(report: Report) -> Message:
    """What the report adds, for the value for which it adds most; that it adds nothing only where all are treated alike.

    A lift of 1 is not enough: where two attributes decide together, whoever knows one of them can learn the other.
    """
    each, lift = [(a, v) for a in report.privacy.attributes or () for v in a.values], report.privacy.lift
    if not each or lift is None:
        return Message("")
    if report.privacy.odds == 1:
        return format_message("Within a group, this report adds nothing to what is known without it.")
    if lift == 1:
        return format_message(
            "Taken one by one, no sensitive value becomes more likely in any group than the population alone makes it. "
            "About several of them together, or to somebody who knows more of a person, this report can tell more."
        )
    attribute, value = max(each, key=lambda entry: entry[1].rise.after - entry[1].rise.before)
    if value.rise.before == value.rise.after:
        return format_message(
            "To the decimals printed here, no sensitive value becomes more likely in any group than the population alone "
            "makes it. None becomes more than {lift} times as likely.",
            lift=a_factor(lift),
        )
    about = {
        "value": a_text(value.value),
        "attribute": an_attribute(report.process.attribute(attribute.name)),
        "before": a_share(value.rise.before),
        "after": a_share(value.rise.after),
    }
    words = message(
        "This report adds most about “{value}” of “{attribute}”: someone who would be {before} sure of it without "
        "the report can be at most {after} sure with it."
    )
    if value.rise.qid and large_group_of(report, value.rise.qid):
        about = {"group": _group(report, value.rise.qid), **about}
        words = message(
            "This report adds most about “{value}” of “{attribute}”, in the group {group}: someone who would be {before} "
            "sure of it without the report can be at most {after} sure with it."
        )
    elif value.rise.qid:
        words = message(
            "This report adds most about “{value}” of “{attribute}”, in a small group: someone who would be {before} "
            "sure of it without the report can be at most {after} sure with it."
        )
    return format_message(words, **about)


def _group(report: Report, qid: Mapping[str, str]) -> Value:
    """A group by its public attributes, in quotation marks."""
    named = (
        gettext("{attribute}: {value}", attribute=report.process.attribute(name).title, value=value)
        for name, value in qid.items()
    )
    return Value(written=quote(" · ".join(named)), argument=tuple(qid.values()))


_LIKELIER: dict[tuple[About, bool], str] = {
    ("you", True): message(
        "No statement about your “{attribute}” becomes more than {lift} times as likely as it is in your group."
    ),
    ("you", False): message(
        "No statement about your “{attribute}” becomes more likely than it is in your group."
    ),
    ("a person", True): message(
        "No statement about a person’s “{attribute}” becomes more than {lift} times as likely as it is in "
        "their group."
    ),
    ("a person", False): message(
        "No statement about a person’s “{attribute}” becomes more likely than it is in their group."
    ),
}
"""What is promised of each sensitive attribute, by whom it speaks of, and whether anything becomes likelier."""


def lift_words(report: Report, about: About = "you") -> Message:
    """How many times as likely any statement about somebody can become; empty where nothing is stated."""
    return numbered(_lift(report, each, about) for each in report.privacy.attributes or ())


def _lift(report: Report, of: AttributePrivacy, about: About) -> Message:
    values = {"attribute": an_attribute(report.process.attribute(of.name))}
    if of.lift > 1:
        values["lift"] = a_factor(of.lift)
    return format_message(_LIKELIER[about, of.lift > 1], **values)


# How far the promise goes: the ceilings that the publisher set, and what is not covered.

TIMES_DECIDED = (2, 3)
"""For so many decisions on one person the odds factor is worked out."""


_PROMISED = {
    "beta": message("confidence in any sensitive value at most {beta} (β ≤ {number})"),
    "gamma": message("uncertainty about any sensitive value at least {gamma} (γ ≥ {gamma})"),
    "lift": message("no sensitive value more than {lift} times as likely as before"),
    "odds": message("odds changed by at most a factor of {odds} for anybody who knows the group"),
}
"""What each ceiling promises."""


def promised_words(report: Report) -> tuple[str, ...]:
    """The ceilings that the publisher set, each in a few words."""
    found = []
    for key, words in _PROMISED.items():
        if (most := getattr(report.policy.privacy, key, None)) is not None:
            number, times = short(most), factor(most)
            found.append(
                gettext(words, beta=percent(most), number=number, gamma=number, lift=times, odds=times)
            )
    found += [
        gettext(
            "confidence in “{value}” of “{attribute}” at most {most}",
            value=value,
            attribute=attribute.title,
            most=percent(most),
        )
        for attribute in report.process.attributes
        for value, most in (attribute.ceilings or {}).items()
    ]
    return tuple(found)


def uncovered_words(report: Report) -> Iterator[Message]:
    """What the promise does not cover, whatever the mechanism: a sentence or two each."""
    odds = report.privacy.odds if is_stated(report) else None
    if odds is None:
        yield format_message(
            "Somebody may know more about a person than the attributes marked public, or may know the records of other "
            "people of the group. They start from another belief than the population tells, and the confidence does not "
            "bound them."
        )
    else:
        yield format_message(
            "Somebody may know more about a person than the attributes marked public, or may know the records of other "
            "people of the group. They start from another belief than the population tells: the confidence does not bound "
            "them, the odds factor does."
        )
    yield format_message("A person about whom several decisions are made gives more away with each of them.")
    if odds is not None and odds > 1:
        twice, thrice = (a_factor(rounded_up(Fraction(odds) ** k, 2)) for k in TIMES_DECIDED)
        yield format_message(
            "Two independent decisions on the same record can change odds by a factor of {twice}, three by a factor of "
            "{thrice}.",
            twice=twice,
            thrice=thrice,
        )
    sensitive = report.process.of_role("sensitive")
    words = message(
        "Only {protected_attributes} are protected, not the decision itself: whoever knows a person’s data can tell "
        "from the announced rule how likely each outcome is."
    )
    if len(sensitive) == 1:
        words = message(
            "Only {protected_attributes} is protected, not the decision itself: whoever knows a person’s data can tell "
            "from the announced rule how likely each outcome is."
        )
    yield format_message(words, protected_attributes=attributes_listed(sensitive))


# What a report promises to those who believe something else than the population tells.

EVEN = Decimal("0.5")
"""How sure somebody is before, of whom it is said how sure they are afterwards."""


def sure_after(before: Fraction, odds: Decimal) -> Fraction:
    """How sure somebody is at most whose odds change by this factor: πR / (1 - π + πR)."""
    gained = before * Fraction(odds)
    return gained / (1 - before + gained)


_NOTHING_LEARNED: dict[About, str] = {
    "you": message(
        "Somebody who knows your group learns nothing about your {private} from the decision, whatever they believed."
    ),
    "a person": message(
        "Somebody who knows a person’s group learns nothing about {private} from the decision, whatever they believed."
    ),
}
_LEARNED_AT_MOST: dict[About, str] = {
    "you": message(
        "Somebody who knows your group and is {half} sure of something about your {private} before the decision is at most "
        "{afterwards} sure after it."
    ),
    "a person": message(
        "Somebody who knows a person’s group and is {half} sure of something about their {private} before the decision is "
        "at most {afterwards} sure after it."
    ),
}


def odds_words(report: Report, about: About = "you") -> Message:
    """The promise to those who believed something else before; empty where nothing is stated."""
    if not is_stated(report):
        return Message("")
    odds, private = report.privacy.odds, attributes_listed(report.process.of_role("sensitive"), list_or)
    if odds is None:
        return _without_limit(report)
    if odds == 1:
        return format_message(_NOTHING_LEARNED[about], private=private)
    afterwards = _after_even(report, odds)
    return together(
        format_message(_LEARNED_AT_MOST[about], half=a_share(EVEN), private=private, afterwards=afterwards),
        format_message(
            "This holds whatever they believed before, if they believe this report. In other words: the odds of something "
            "are its probability divided by the probability of the opposite, and they change by a factor of at most {odds}.",
            odds=a_factor(odds),
        ),
    )


def odds_in_short(report: Report) -> Message:
    """The promise about the reader in a line or two, for the summary."""
    if not is_stated(report):
        return Message("")
    odds = report.privacy.odds
    if odds is None:
        return format_message(
            "For somebody who believes something else than the population tells, the report promises nothing."
        )
    if odds == 1:
        return odds_words(report)
    return format_message(
        "Whatever somebody who knows your group believed before: if they were {half} sure of something about your "
        "{private}, they are at most {afterwards} sure after the decision.",
        half=a_share(EVEN),
        private=attributes_listed(report.process.of_role("sensitive"), list_or),
        afterwards=_after_even(report, odds),
    )


def after_even(report: Report, odds: Decimal) -> str:
    """How sure somebody is at most who was 50% sure; rounded up."""
    return _after_even(report, odds).written


def _after_even(report: Report, odds: Decimal) -> Value:
    return a_share(rounded_up(sure_after(Fraction(EVEN), odds), report.policy.decimals))


def is_stated(report: Report) -> bool:
    """Whether the report says anything about those who believed something else before; early ones do not."""
    return "odds" in report.privacy.model_fields_set


def _without_limit(report: Report) -> Message:
    number = sum(group.odds is None for group in report.privacy.groups)
    text = format_messages(
        "without_limit",
        number,
        "For somebody who believes something else than the population tells, there is no limit: in {number} group an "
        "outcome rules a combination of values out for certain.",
        "For somebody who believes something else than the population tells, there is no limit: in {number} groups an "
        "outcome rules a combination of values out for certain.",
    )
    if report.policy.fidelity.alpha is None:
        return text
    unpreventable = format_message(
        "At this kind of fidelity a probability of zero stays zero, so no announced rule could prevent that."
    )
    return together(text, unpreventable)


def prior_words(report: Report) -> Message:
    """What “before” means where numbers of people are not published as they are; empty elsewhere."""
    if report.policy.small_cells.is_exact:
        return Message("")
    return format_message(
        "Numbers of people are published within limits only. So “before” is the highest confidence that the published "
        "numbers do not rule out. With the exact numbers it may be lower."
    )
