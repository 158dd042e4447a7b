"""What a report promises about people, in words: confidence and lift, before and after.

Every sentence is a function of the Report, and holds for every group and every sensitive value that it does not exclude.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from atreport.kit.language import message, say
from atreport.kit.language.words import list_and, list_or, quote
from atreport.population.cells import run_starts
from atreport.publication.odds_words import after_even as after_even
from atreport.publication.odds_words import odds_in_short as odds_in_short
from atreport.publication.odds_words import odds_words as odds_words
from atreport.publication.odds_words import prior_words as prior_words
from atreport.publication.odds_words import promised_words as promised_words
from atreport.publication.odds_words import uncovered_words as uncovered_words
from atreport.publication.small_numbers import large_group_of
from atreport.publication.told import (
    Told,
    Value,
    a_factor,
    a_share,
    a_text,
    an_attribute,
    as_text,
    attributes_listed,
    each_told,
    tell,
    tell_many,
    together,
)
from atreport.report.model import Report
from atreport.report.people import AttributePrivacy, ValuePrivacy
from atreport.spec.models.process import Attribute


def quoted(attributes: tuple[Attribute, ...], joined: Literal["and", "or"] = "and") -> str:
    """The titles of some attributes, as in “Gender” and “Age”."""
    return attributes_listed(attributes, list_and if joined == "and" else list_or).written


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


def confidence_told(report: Report) -> Told:
    """The promise in one sentence, to the reader."""
    public, values = _promised_about(report)
    if public is None:
        return tell(
            "Someone who knows the decision about you, and believes this report, can be at most {beta} sure of your "
            "{sensitive}.",
            **values,
        )
    return tell(
        "Someone who knows your {public} and the decision about you, and believes this report, can be at most {beta} sure "
        "of your {sensitive}.",
        public=public,
        **values,
    )


def confidence_in_a_person(report: Report) -> Told:
    """The same about anybody."""
    public, values = _promised_about(report)
    if public is None:
        return tell(
            "Someone who knows the decision about a person, and believes this report, can be at most {beta} sure of the "
            "person’s {sensitive}.",
            **values,
        )
    return tell(
        "Someone who knows a person’s {public} and the decision about them, and believes this report, can be at most {beta} "
        "sure of the person’s {sensitive}.",
        public=public,
        **values,
    )


def _promised_about(report: Report) -> tuple[Value | None, dict[str, Value]]:
    """What an observer knows of a person, if anything; and what of, and how sure, they can be."""
    public, sensitive = (report.process.of_role(role) for role in ("public", "sensitive"))
    values = {
        "beta": a_share(report.privacy.beta),
        "sensitive": attributes_listed(sensitive, list_or),
    }
    return (attributes_listed(public) if public else None), values


def no_protection_told(report: Report) -> Told:
    """Where somebody can be certain of a sensitive value: in how many groups, of how many people; empty where nowhere."""
    exact = certain_groups(report)
    certain = exact | (report.group_beta == report.rule_table.scale)
    if not certain.any():
        return Told("")
    return together(
        _without_protection(int(certain.sum()), certain=bool(exact[certain].all())),
        _people_affected(report, certain),
        _known_before(certain, single_valued_groups(report)),
        _other_groups(report, certain),
    )


def _without_protection(number: int, *, certain: bool) -> Told:
    if certain:
        return tell_many(
            "unprotected",
            number,
            "No protection in {number} group: there someone can be certain of a sensitive value.",
            "No protection in {number} groups: there someone can be certain of a sensitive value.",
        )
    return tell_many(
        "unprotected",
        number,
        "No protection in {number} group: there someone can be certain, or almost certain, of a sensitive value.",
        "No protection in {number} groups: there someone can be certain, or almost certain, of a sensitive value.",
    )


def _people_affected(report: Report, certain: NDArray[np.bool_]) -> Told:
    table = report.rule_table
    if table.population != "counts" or not table.small_cells.is_exact:
        return Told("")
    affected = int(table.cells.population[certain[table.cells.group]].sum())
    return tell_many("affected", affected, "This affects {number} person.", "This affects {number} people.")


def _known_before(certain: NDArray[np.bool_], single: NDArray[np.bool_]) -> Told:
    known, number = int((certain & single).sum()), int(certain.sum())
    if not known:
        return Told("")
    if number == 1:
        return tell(
            "Everybody in it has the same value. That is known before any report, and no report can hide it."
        )
    return tell_many(
        "known",
        known,
        "In {number} of them everybody has the same value. That is known before any report, and no report can hide it.",
        "In {number} of them everybody in the group has the same value. That is known before any report, and no report can "
        "hide it.",
    )


def _other_groups(report: Report, certain: NDArray[np.bool_]) -> Told:
    rest = [report.privacy.groups[g].beta for g in np.flatnonzero(~certain)]
    if not rest:
        return Told("")
    return tell_many(
        "protected",
        len(rest),
        "In the other group someone can be at most {elsewhere} sure.",
        "In the other {number} groups someone can be at most {elsewhere} sure.",
        elsewhere=a_share(max(rest)),
    )


def largest_rise(report: Report) -> tuple[AttributePrivacy, ValuePrivacy] | None:
    """The sensitive value that the report makes more likely by most, in points; None where that is not stated."""
    each = [(a, v) for a in report.privacy.attributes or () for v in a.values]
    return max(each, key=lambda entry: entry[1].rise.after - entry[1].rise.before, default=None)


def rise_told(report: Report) -> Told:
    """What the report adds, for the value for which it adds most; that it adds nothing only where no value rises at all."""
    found, lift = largest_rise(report), report.privacy.lift
    if found is None or lift is None:
        return Told("")
    if lift == 1:
        return tell(
            "This report adds nothing to what the population alone tells. That holds for every value, in every group."
        )
    attribute, value = found
    if value.rise.before == value.rise.after:
        return tell(
            "To the decimals printed here, this report makes nobody more sure of anything. It makes no value more than "
            "{lift} times as likely as the population alone does.",
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
        "No statement about your “{attribute}” becomes more than {lift} times as likely as the population alone makes it."
    ),
    "a person": message(
        "No statement about a person’s “{attribute}” becomes more than {lift} times as likely as the population alone makes "
        "it."
    ),
}
_NOT_MORE_LIKELY = {
    "you": message(
        "No statement about your “{attribute}” becomes more likely than the population alone makes it."
    ),
    "a person": message(
        "No statement about a person’s “{attribute}” becomes more likely than the population alone makes it."
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


confidence_words = as_text(confidence_told)
no_protection_words = as_text(no_protection_told)
rise_words = as_text(rise_told)
lift_words = as_text(lift_told)
"""The same as plain texts, for pages: what fills them stays here."""
