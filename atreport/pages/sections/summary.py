"""Turn a report into its summary: three answers in plain words."""

from __future__ import annotations

import numpy as np

from atreport.analysis.sampling import LEVEL
from atreport.kit.language import say, say_many
from atreport.kit.numbers import few_points, percent, short
from atreport.pages.sections.headline import Headline
from atreport.pages.sections.worse_off import is_it_fair
from atreport.pages.wording import group_name
from atreport.publication.notes import (
    distance_sentence,
    is_only_rounded,
    is_unchanged,
    rates_kept,
    rounded_sentence,
)
from atreport.publication.small_numbers import large_groups
from atreport.publication.words.estimation import is_described
from atreport.publication.words.odds import odds_in_short
from atreport.publication.words.promise import confidence_words, no_protection_words
from atreport.publication.words.rise import rise_words
from atreport.publication.words.unprotectable import left_out_in_short
from atreport.report.model import Report


def headlines(report: Report) -> tuple[Headline, ...]:
    """The three questions that the summary answers."""
    return (is_it_fair(report), _how_sure(report), _what_about_me(report))


def _how_sure(report: Report) -> Headline:
    figure, caption = _closeness(report)
    return Headline(
        question=say("How sure are we?"),
        figure=figure,
        caption=caption,
        answer=_paragraphs(
            (_changed(report), rates_kept(report)),
            (_left_out(report), left_out_in_short(report), _found(report)),
        ),
        link="method",
    )


def _closeness(report: Report) -> tuple[str, str]:
    """How close an announced probability is to the true one: a figure, and what the figure is."""
    fidelity = report.policy.fidelity
    if fidelity.bounds is not None:
        return say("own bounds"), say("each announced probability has published bounds")
    if is_unchanged(fidelity):
        return say("exact"), say("the announced rule is the true one")
    if is_only_rounded(report):
        return say("rounded"), say("the announced rule is the true one, as far as its decimals go")
    if fidelity.delta is not None:
        amount = few_points(1 - fidelity.delta)
        return say("±{amount}", amount=amount), say(
            "the most by which an announced probability differs from the true one"
        )
    assert fidelity.alpha is not None
    alpha = short(fidelity.alpha)
    return say("{low} to {high}", low=alpha, high=f"1/{alpha}"), say(
        "announced probability as a multiple of the true one"
    )


def _paragraphs(*texts: tuple[str, ...]) -> tuple[str, ...]:
    """Sentences that belong together in a paragraph, without those that have nothing to say."""
    return tuple(filter(None, (" ".join(filter(None, sentences)) for sentences in texts)))


def _changed(report: Report) -> str:
    """What was changed, and what that leaves certain."""
    fidelity = report.policy.fidelity
    if is_unchanged(fidelity) and report.privacy.unprotectable.left_out:
        return say("The rule in this report is the true one, unchanged.")
    if is_unchanged(fidelity):
        return say(
            "The rule in this report is the true one, unchanged. So are the rates and measures that follow from it."
        )
    why = (
        rounded_sentence(report)
        if is_only_rounded(report)
        else say("To protect people, the rule was changed.")
    )
    leaves = say("So rates and measures come with intervals, and the true ones lie in them for certain.")
    return f"{why} {distance_sentence(fidelity)} {leaves}"


def _left_out(report: Report) -> str:
    """What was done with groups that no change can protect; empty where nothing was."""
    account = report.privacy.unprotectable
    if not account.groups:
        return ""
    if account.policy == "suppress":
        return say_many(
            account.groups,
            "{number} group, with at most {share} of all people, was left out of this report, because the population "
            "alone gives a sensitive value away.",
            "{number} groups, with at most {share} of all people, were left out of this report, because the population "
            "alone gives a sensitive value away.",
            share=percent(account.share),
        )
    if account.policy == "merge":
        return say_many(
            account.groups,
            "{number} group, with at most {share} of all people, was joined with others, because the population alone gives "
            "a sensitive value away.",
            "{number} groups, with at most {share} of all people, were joined with others, because the population alone "
            "gives a sensitive value away.",
            share=percent(account.share),
        )
    return ""


def _found(report: Report) -> str:
    """Where the rule was found in cases: what “true” means, and what chance adds."""
    if not is_described(report):
        return ""
    true = say("“True” stands here for the rule that was found by looking at cases.")
    if report.process.estimated_from is None:
        more = say("A note says how it was found.")
    elif not any(a.sampling for a in report.fairness):
        more = say("Chance in the cases comes on top, and no interval here covers it.")
    else:
        more = say(
            "Chance in the cases comes on top. A second interval covers both, at a confidence of {level}.",
            level=percent(LEVEL),
        )
    return f"{true} {more}"


def _what_about_me(report: Report) -> Headline:
    return Headline(
        question=say("What could someone learn about me?"),
        figure=percent(report.privacy.beta),
        caption=say("how sure someone can be of a sensitive value, at most"),
        answer=_paragraphs(
            (no_protection_words(report),),
            (confidence_words(report), _without_report(report)),
            (rise_words(report), odds_in_short(report)),
        ),
        link="privacy",
    )


def _without_report(report: Report) -> str:
    """What the population alone tells about the group with the highest confidence."""
    group = int(np.argmax(report.group_beta))
    before = percent(report.privacy.groups[group].prior)
    already = (
        say("Without any report they could already be up to {before} sure.", before=before)
        if report.policy.small_cells.is_exact
        else say(
            "Without any report they could already be up to {before} sure: the published numbers do not rule it out.",
            before=before,
        )
    )
    if len(report.privacy.groups) == 1:
        return already
    where = (
        say("Both figures are for {group}.", group=_group_name(report, group))
        if large_groups(report)[group]
        else say("Both figures are for a small group.")
    )
    return f"{already} {where}"


def _group_name(report: Report, group: int) -> str:
    cells = report.rule_table.cells
    return group_name(cells, int(cells.group_starts[group]))
