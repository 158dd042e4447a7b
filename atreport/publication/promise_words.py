"""What a report promises about people, in words: confidence, lift and odds, before and after, and what it does not cover.

Every sentence is a function of the Report, and holds for every group and every sensitive value that it does not exclude.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from atreport.kit.numbers import counted, factor, percent, short
from atreport.kit.rounding import rounded_up
from atreport.population.cells import run_starts
from atreport.publication.small_numbers import large_group_of
from atreport.report.model import Report
from atreport.report.people import AttributePrivacy, ValuePrivacy
from atreport.spec.models.process import Attribute

TIMES_DECIDED = (2, 3)
"""For so many decisions on one person the odds factor is worked out."""


def quoted(attributes: tuple[Attribute, ...], joined: str = "and") -> str:
    """The titles of some attributes, as in “Gender” and “Age”."""
    *others, last = [f"“{a.title}”" for a in attributes] or [""]
    return f"{', '.join(others)} {joined} {last}" if others else last


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


def confidence_words(report: Report, *, your: str = "your", you: str = "you", of: str = "your") -> str:
    """The promise in one sentence."""
    public, sensitive = (
        quoted(report.process.of_role("public")),
        quoted(report.process.of_role("sensitive"), "or"),
    )
    knows = f"{your} {public} and " if public else ""
    return (
        f"Someone who knows {knows}the decision about {you}, and takes this report at its word, can be at most "
        f"{percent(report.privacy.beta)} sure of {of} {sensitive}."
    )


def no_protection_words(report: Report) -> str:
    """Where somebody can be certain of a sensitive value: in how many groups, of how many people; empty where nowhere."""
    exact = certain_groups(report)
    certain = exact | (report.group_beta == report.rule_table.scale)
    if not certain.any():
        return ""
    table, number, people = report.rule_table, int(certain.sum()), ""
    if table.population == "counts" and table.small_cells.is_exact:
        affected = int(table.cells.population[certain[table.cells.group]].sum())
        people = f" ({counted(affected, 'person', 'people')})"
    sure = "certain" if exact[certain].all() else "certain, or all but certain,"
    text = f"No protection: someone can be {sure} of a sensitive value in {counted(number, 'group')}{people}."
    groups = report.privacy.groups
    known = sum(groups[g].prior == 1 for g in np.flatnonzero(certain))
    if known:
        where = "There" if known == number else f"In {known} of them"
        text += f" {where} everybody has the same value: it is known before any report, and no report can hide it."
    rest = [groups[g].beta for g in np.flatnonzero(~certain)]
    return text + (
        f" In all other groups the confidence stays at or below {percent(max(rest))}." if rest else ""
    )


def largest_rise(report: Report) -> tuple[AttributePrivacy, ValuePrivacy] | None:
    """The sensitive value that the report makes more likely by most, in points; None where that is not stated."""
    each = [(a, v) for a in report.privacy.attributes or () for v in a.values]
    return max(each, key=lambda entry: entry[1].rise.after - entry[1].rise.before, default=None)


def rise_words(report: Report) -> str:
    """What the report adds, for the value for which it adds most; that it adds nothing only where no value rises at all."""
    found, lift = largest_rise(report), report.privacy.lift
    if found is None or lift is None:
        return ""
    if lift == 1:
        return "This report adds nothing to what the population alone tells, about any value in any group."
    attribute, value = found
    if value.rise.before == value.rise.after:
        return f"To the digits printed here, no confidence rises; none becomes more than {factor(lift)} times as likely."
    process = report.process
    qid = " · ".join(f"{process.attribute(name).title}: {of}" for name, of in value.rise.qid.items())
    if not large_group_of(report, value.rise.qid):
        qid = "in a small group"
    return (
        f"This report adds most for “{value.value}” of “{process.attribute(attribute.name).title}”"
        f"{f', {qid}' if qid else ''}: from {percent(value.rise.before)} before to {percent(value.rise.after)} at most."
    )


def lift_words(report: Report, *, your: str = "your") -> str:
    """How many times as likely any statement about a sensitive attribute can become; empty where nothing is stated."""
    stated = report.privacy.attributes
    if not stated:
        return ""
    first, *rest = (
        f"about {your} “{report.process.attribute(each.name).title}” becomes "
        + (
            f"more than {factor(each.lift)} times as likely as the population alone makes it"
            if each.lift > 1
            else "any more likely"
        )
        for each in stated
    )
    return f"No statement {first}" + "".join(f", none {each}" for each in rest) + "."


def sure_after(before: Fraction, odds: Decimal) -> Fraction:
    """How sure somebody is at most whose odds change by this factor: πR / (1 - π + πR)."""
    gained = before * Fraction(odds)
    return gained / (1 - before + gained)


def odds_words(report: Report, *, you: str = "you") -> str:
    """The promise to readers who believed something else before; empty where nothing is stated."""
    if "odds" not in report.privacy.model_fields_set:
        return ""
    odds = report.privacy.odds
    if odds is None:
        return _without_limit(report)
    if odds == 1:
        return f"Whatever somebody believed about {you} before, the decision tells them nothing."
    return (
        f"Somebody who was 50% sure of something about {you} is at most {after_even(report, odds)} sure afterwards, "
        "whatever they believed before, if they take the announced rule for the truth. No value is ever excluded, and "
        f"none becomes certain that was not before: odds change by a factor of at most {factor(odds)}."
    )


def odds_in_short(report: Report) -> str:
    """The same in a line or two, for the summary."""
    if "odds" not in report.privacy.model_fields_set:
        return ""
    odds = report.privacy.odds
    if odds is None:
        return (
            "For somebody who believes something else than the population tells, the report promises nothing."
        )
    if odds == 1:
        return odds_words(report)
    return (
        f"Whatever somebody believed before: who was 50% sure of something about you is at most {after_even(report, odds)} "
        "sure afterwards, and nothing is ever ruled out."
    )


def after_even(report: Report, odds: Decimal) -> str:
    """How sure somebody is at most who was 50% sure; rounded up."""
    return percent(rounded_up(sure_after(Fraction(1, 2), odds), report.policy.decimals))


def _without_limit(report: Report) -> str:
    number = sum(group.odds is None for group in report.privacy.groups)
    text = (
        "For somebody who believes something else than the population tells, there is no limit: in "
        f"{counted(number, 'group')} an outcome rules a combination of values out for certain."
    )
    if report.policy.fidelity.alpha is not None:
        text += (
            " At this kind of fidelity a probability of 0 stays 0, so no announced rule could prevent that."
        )
    return text


def prior_words(report: Report) -> str:
    """What “before” means where numbers of people are not published as they are; empty elsewhere."""
    if report.policy.small_cells.is_exact:
        return ""
    return (
        "Numbers of people are published within limits only. So “before” is the highest confidence that the published "
        "numbers do not rule out; with the exact numbers it may be lower."
    )


def promised_words(report: Report) -> tuple[str, ...]:
    """The ceilings that the publisher set, each in a few words."""
    ceiling, found = report.policy.privacy, []
    if ceiling is not None and ceiling.beta is not None:
        found.append(
            f"confidence in any sensitive value at most {percent(ceiling.beta)} (β ≤ {short(ceiling.beta)})"
        )
    if ceiling is not None and ceiling.gamma is not None:
        found.append(
            f"uncertainty about any sensitive value at least {short(ceiling.gamma)} (γ ≥ {short(ceiling.gamma)})"
        )
    if ceiling is not None and ceiling.lift is not None:
        found.append(f"no sensitive value more than {factor(ceiling.lift)} times as likely as before")
    if ceiling is not None and ceiling.odds is not None:
        found.append(f"nobody’s odds changed by more than a factor of {factor(ceiling.odds)}")
    for attribute in report.process.attributes:
        for value, most in (attribute.ceilings or {}).items():
            found.append(f"confidence in “{value}” of “{attribute.title}” at most {percent(most)}")
    return tuple(found)


def uncovered_words(report: Report) -> Iterator[str]:
    """What the promise does not cover, whatever the mechanism: a sentence or two each."""
    odds = report.privacy.odds
    stated = "odds" in report.privacy.model_fields_set
    text = (
        "Somebody who knows more about a person than the attributes marked public, or who knows the records of other people "
        "of the group, starts from another belief than the population: the confidence does not bound them"
    )
    yield text + (", the odds factor does." if stated and odds is not None else ".")
    repeated = "Who is decided on more than once gives away more each time."
    if stated and odds is not None and odds > 1:
        twice, thrice = (factor(rounded_up(Fraction(odds) ** k, 2)) for k in TIMES_DECIDED)
        repeated += (
            f" Of independent decisions on the same record, two can change odds by a factor of {twice}, three by one of "
            f"{thrice}."
        )
    yield repeated
    sensitive = quoted(report.process.of_role("sensitive"))
    are = "are" if len(report.process.of_role("sensitive")) > 1 else "is"
    yield (
        f"Only {sensitive} {are} protected, not the decision itself: who knows a person’s data can tell from the announced "
        "rule how likely each outcome is."
    )
