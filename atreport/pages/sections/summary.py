"""Turn a report into its summary: three answers in plain words."""

from __future__ import annotations

import numpy as np

from atreport.analysis.sampling import LEVEL
from atreport.kit.numbers import counted, percent, short
from atreport.pages.sections.headline import Headline
from atreport.pages.sections.worse_off import is_it_fair
from atreport.pages.wording import group_name
from atreport.publication.estimation_words import is_described
from atreport.publication.notes import distance_sentence, is_unchanged, rates_kept
from atreport.publication.promise_words import (
    confidence_words,
    no_protection_words,
    odds_in_short,
    rise_words,
)
from atreport.publication.small_numbers import large_groups
from atreport.report.model import Report


def headlines(report: Report) -> tuple[Headline, ...]:
    """The three questions that the summary answers."""
    return (is_it_fair(report), _how_sure(report), _what_about_me(report))


def _how_sure(report: Report) -> Headline:
    fidelity = report.policy.fidelity
    if fidelity.bounds is not None:
        figure, caption = "own bounds", "each announced probability has published bounds"
    elif is_unchanged(fidelity):
        figure, caption = "exact", "the announced rule is the true one"
    elif fidelity.delta is not None:
        amount = short((1 - fidelity.delta).scaleb(2))
        figure = f"±{amount} point{'' if amount == '1' else 's'}"
        caption = "the most by which an announced probability differs from the true one"
    else:
        assert fidelity.alpha is not None
        figure = f"{short(fidelity.alpha)} to 1/{short(fidelity.alpha)}"
        caption = "announced probability as a multiple of the true one"
    return Headline(
        question="How sure are we?",
        figure=figure,
        caption=caption,
        answer=_paragraphs((_changed(report), rates_kept(report)), (_left_out(report), _found(report))),
        link="method",
    )


def _paragraphs(*texts: tuple[str, ...]) -> tuple[str, ...]:
    """Sentences that belong together in a paragraph, without those that have nothing to say."""
    return tuple(filter(None, (" ".join(filter(None, sentences)) for sentences in texts)))


def _changed(report: Report) -> str:
    """What was changed, and what that leaves certain."""
    fidelity = report.policy.fidelity
    if is_unchanged(fidelity):
        return "The rule in this report is the true one, unchanged. So is every figure that follows from it."
    return (
        f"To protect people, the rule was changed. {distance_sentence(fidelity)} So "
        "each figure comes with an interval, and the true figure lies in it for certain."
    )


def _left_out(report: Report) -> str:
    """What was done with groups that no change can protect; empty where nothing was."""
    account = report.privacy.unprotectable
    done = {"suppress": "left out of this report", "merge": "joined with others"}.get(account.policy or "")
    if not account.groups or done is None:
        return ""
    were = "was" if account.groups == 1 else "were"
    return (
        f"{counted(account.groups, 'group')}, with {percent(account.share)} of all people, {were} {done}, because the "
        "population alone gives a sensitive value away."
    )


def _found(report: Report) -> str:
    """Where the rule was found in cases: what “true” means, and what chance adds."""
    if not is_described(report):
        return ""
    true = "“True” stands here for the rule that was found by looking at cases."
    if report.process.estimated_from is None:
        return f"{true} A note says how it was found."
    if not any(a.sampling for a in report.fairness):
        return f"{true} Chance in the cases comes on top, and no interval here covers it."
    return f"{true} Chance in the cases comes on top: a second interval covers both, at a confidence of {percent(LEVEL)}."


def _what_about_me(report: Report) -> Headline:
    return Headline(
        question="What could someone learn about me?",
        figure=percent(report.privacy.beta),
        caption="the highest confidence in any sensitive value",
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
    named = _group_name(report, group) if large_groups(report)[group] else "a small group"
    where = "" if len(report.privacy.groups) == 1 else f" That is for {named}."
    if not report.policy.small_cells.is_exact:
        return f"Without any report it could already be up to {before}: the published numbers do not rule it out.{where}"
    return f"Without any report it would already be up to {before}.{where}"


def _group_name(report: Report, group: int) -> str:
    cells = report.rule_table.cells
    return group_name(cells, int(cells.group_starts[group]))
