"""What a publisher wants to know first, in words: may it be published, what would it say, what stands in the way.

Confidential: what would be refused, and why, depends on the true rule. Everything else is what the report would print.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from atreport.commands.check import CheckResult
from atreport.kit.numbers import counted, factor, percent
from atreport.kit.tables import Column, Table, make_table
from atreport.pages.disparities import directed
from atreport.pages.measures import interval_text, measure_name, threshold_text, units
from atreport.pages.sections.fairness import verdict_summary
from atreport.pages.sections.worse_off import is_it_fair
from atreport.pages.wording import verdict_cell
from atreport.publication.notes import distance_sentence, is_only_rounded, is_unchanged, rates_kept
from atreport.publication.words.promise import confidence_in_a_person, no_protection_words
from atreport.publication.words.unprotectable import left_out_in_short
from atreport.report.model import Report

MOST_VERDICTS = 3
"""How many thresholds that are not met are listed; ``--details`` lists all verdicts."""

Line = tuple[str, str]
"""What it is about, in a word; and a sentence or two."""


def conclusion(result: CheckResult) -> str:
    """May it be published?"""
    if result.publishable:
        return "can be published"
    return f"CANNOT be published: {_stand(len(result.refusals))} in the way"


def _stand(number: int) -> str:
    return "one thing stands" if number == 1 else f"{number} things stand"


def summary(result: CheckResult) -> list[Line]:
    """What the report would say, what stands in the way, and what should be known first: a screen in all."""
    says, in_the_way = list(_says(result.report)), list(_in_the_way(result))
    # what stands in the way comes first: what the report would say matters once it can be published
    first = [*says, *in_the_way] if result.publishable else [*in_the_way, *says]
    return [*first, *_to_know(result)]


def _says(report: Report) -> Iterator[Line]:
    """What readers would learn: the headline, the verdicts, the promise, and how close to the truth it is."""
    yield "says", is_it_fair(report).answer[0]
    verdicts = verdict_summary(report.fairness)
    if verdicts:
        yield "verdicts", verdicts
        yield from (("", f"- {each}") for each in _listed(report))
    before = max(group.prior for group in report.privacy.groups)
    yield (
        "privacy",
        " ".join(
            filter(
                None,
                (
                    no_protection_words(report),
                    confidence_in_a_person(report),
                    f"Without any report they could already be up to {percent(before)} sure.",
                ),
            )
        ),
    )
    if "odds" in report.privacy.model_fields_set:
        yield "", _whatever_they_believed(report.privacy.odds)
    fidelity = report.policy.fidelity
    changed = (
        "The rule is printed as it is, unchanged."
        if is_unchanged(fidelity)
        else f"The rule is printed as it is, rounded to {counted(report.policy.decimals, 'decimal')}."
        if is_only_rounded(report)
        else distance_sentence(fidelity)
    )
    yield "fidelity", " ".join(filter(None, (changed, rates_kept(report))))


def _whatever_they_believed(odds: Decimal | None) -> str:
    """The promise to readers who start from another belief than the population."""
    if odds is None:
        return "For somebody who believes something else than the population tells, there is no limit."
    if odds == 1:
        return "Somebody who knows a person’s group learns nothing from the decision, whatever they believed before."
    return (
        f"Whatever somebody who knows a person’s group believed before, their odds change by a factor of at most "
        f"{factor(odds)}."
    )


def _listed(report: Report) -> Iterator[str]:
    """The thresholds that are certain not to be met: the first of them, and how many more there are."""
    missed = [
        f"{measure_name(a)}, {directed(report, a)} ({threshold_text(a.threshold, unit, is_ratio=a.is_ratio)})"
        for a, unit in zip(report.fairness, units(report), strict=True)
        if a.verdict == "does_not_meet" and a.threshold is not None and not a.is_of_one_group
    ]
    yield from (f"not met: {each}" for each in missed[:MOST_VERDICTS])
    if len(missed) > MOST_VERDICTS:
        yield f"and {counted(len(missed) - MOST_VERDICTS, 'more threshold')} not met"


def _in_the_way(result: CheckResult) -> Iterator[Line]:
    left_out = left_out_in_short(result.report)
    if left_out and any(each.verdict == "cannot_tell" for each in result.report.fairness):
        yield "in the way", f"{'Of publishing: nothing. ' * result.publishable}Of verdicts: {left_out}"
    elif result.publishable:
        yield "in the way", "Nothing."
    title = f"{result.spec.document.title}: "
    for refusal in result.refusals:
        yield "in the way", refusal.removeprefix(title)


def _to_know(result: CheckResult) -> Iterator[Line]:
    """What a build would publish all the same, and a publisher may not want."""
    small = len(result.small_cell_rows())
    if small and result.refused is None:
        what = "cell of the data has" if small == 1 else "cells of the data have"
        yield (
            "to know",
            f"{small:,} {what} fewer than {result.small_cell_limit} people ({what_is_done(result, small)}).",
        )
    certain = len(result.certain_cell_rows())
    if certain:
        yield "to know", f"{counted(certain, 'cell')} with an announced probability of exactly 0 or 1."
    shares = len(result.small_share_rows())
    if shares:
        yield "to know", f"{counted(shares, 'category', 'categories')} with under 2 % of all people."


def verdict_table(report: Report, most: int) -> Table:
    """Every comparison: where its true figure lies, and the verdict; so many of them."""
    judged = [
        (f"{measure_name(a)}, {directed(report, a)}", interval_text(a, unit), a)
        for a, unit in zip(report.fairness, units(report), strict=True)
        if not a.is_of_one_group
    ]
    more = len(judged) - most
    return make_table(
        "verdicts",
        "Verdicts",
        [Column("comparison", names_row=True), Column("true figure"), Column("verdict")],
        [(about, lies_in, verdict_cell(a.verdict)) for about, lies_in, a in judged[:most]],
        f"… and {counted(more, 'more comparison')}; measures.csv of a build lists all" if more > 0 else "",
    )


def what_is_done(result: CheckResult, number: int) -> str:
    """What a build does with so many small cells."""
    they_are, they = ("it is", "it") if number == 1 else ("they are", "they")
    return {
        "warn": f"published as {they_are}",
        "round": "all numbers are published rounded",
        "suppress": f"suppressed, with others from which {they} could be worked out",
        "refuse": "a build would be refused",
    }[result.spec.policy.small_cells.policy]
