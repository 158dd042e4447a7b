"""What a report adds to what the population alone tells, in words: in points, and how many times as likely.

Every sentence is a function of the Report, and holds for every group and every sensitive value that it does not exclude.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from atreport.kit.language import message, say
from atreport.kit.language.words import quote
from atreport.publication.small_numbers import large_group_of
from atreport.publication.words.told import (
    Told,
    Value,
    a_factor,
    a_share,
    a_text,
    an_attribute,
    as_text,
    each_told,
    tell,
)
from atreport.report.model import Report
from atreport.report.people import AttributePrivacy, ValuePrivacy


def largest_rise(report: Report) -> tuple[AttributePrivacy, ValuePrivacy] | None:
    """The sensitive value that the report makes more likely by most, in points; None where that is not stated."""
    each = [(a, v) for a in report.privacy.attributes or () for v in a.values]
    return max(each, key=lambda entry: entry[1].rise.after - entry[1].rise.before, default=None)


def rise_told(report: Report) -> Told:
    """What the report adds, for the value for which it adds most; that it adds nothing only where all are treated alike.

    A lift of 1 is not enough: where two attributes decide together, whoever knows one of them can learn the other.
    """
    found, lift = largest_rise(report), report.privacy.lift
    if found is None or lift is None:
        return Told("")
    if report.privacy.odds == 1:
        return tell("Within a group, this report adds nothing to what is known without it.")
    if lift == 1:
        return tell(
            "Taken one by one, no sensitive value becomes more likely in any group than the population alone makes it. "
            "About several of them together, or to somebody who knows more of a person, this report can tell more."
        )
    attribute, value = found
    if value.rise.before == value.rise.after:
        return tell(
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
    if not value.rise.qid:
        return tell(
            "This report adds most about “{value}” of “{attribute}”: someone who would be {before} sure of it without "
            "the report can be at most {after} sure with it.",
            **about,
        )
    if not large_group_of(report, value.rise.qid):
        return tell(
            "This report adds most about “{value}” of “{attribute}”, in a small group: someone who would be {before} "
            "sure of it without the report can be at most {after} sure with it.",
            **about,
        )
    return tell(
        "This report adds most about “{value}” of “{attribute}”, in the group {group}: someone who would be {before} "
        "sure of it without the report can be at most {after} sure with it.",
        group=_group(report, value.rise.qid),
        **about,
    )


def _group(report: Report, qid: Mapping[str, str]) -> Value:
    """A group by its public attributes, in quotation marks."""
    named = (
        say("{attribute}: {value}", attribute=report.process.attribute(name).title, value=value)
        for name, value in qid.items()
    )
    return Value(written=quote(" · ".join(named)), argument=tuple(qid.values()))


_MORE_LIKELY = {
    "you": message(
        "No statement about your “{attribute}” becomes more than {lift} times as likely as it is in your group."
    ),
    "a person": message(
        "No statement about a person’s “{attribute}” becomes more than {lift} times as likely as it is in "
        "their group."
    ),
}
_NOT_MORE_LIKELY = {
    "you": message("No statement about your “{attribute}” becomes more likely than it is in your group."),
    "a person": message(
        "No statement about a person’s “{attribute}” becomes more likely than it is in their group."
    ),
}


def lift_told(report: Report) -> Told:
    """How many times as likely any statement about the reader can become; empty where nothing is stated."""
    return each_told(_lift(report, each, "you") for each in report.privacy.attributes or ())


def lift_of_a_person(report: Report) -> Told:
    """The same about anybody."""
    return each_told(_lift(report, each, "a person") for each in report.privacy.attributes or ())


def _lift(report: Report, of: AttributePrivacy, about: Literal["you", "a person"]) -> Told:
    attribute = an_attribute(report.process.attribute(of.name))
    if of.lift > 1:
        return tell(_MORE_LIKELY[about], attribute=attribute, lift=a_factor(of.lift))
    return tell(_NOT_MORE_LIKELY[about], attribute=attribute)


rise_words = as_text(rise_told)
lift_words = as_text(lift_told)
"""The same as plain texts, for pages: what fills them stays here."""
