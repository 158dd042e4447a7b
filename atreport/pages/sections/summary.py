"""Turn a report into its summary: three answers in plain words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from atreport.kit.numbers import count, counted, percent, points, short
from atreport.pages.measures import comparison, measure_name, units
from atreport.pages.wording import group_name, quoted
from atreport.publication.notes import distance_allowed, is_unchanged
from atreport.report.fairness import Assessment
from atreport.report.model import Report


@dataclass(frozen=True, kw_only=True)
class Headline:
    """One question of the summary: a figure, what the figure is, and the answer."""

    question: str
    figure: str
    caption: str
    answer: tuple[str, ...]
    link: str  # the section that says more


def headlines(report: Report) -> tuple[Headline, ...]:
    """The three questions that the summary answers."""
    return (_is_it_fair(report), _how_sure(report), _what_about_me(report))


def _is_it_fair(report: Report) -> Headline:
    question, link = "Is it fair?", "fairness"
    assessments = report.fairness
    if not assessments:
        return Headline(
            question=question,
            figure="not assessed",
            caption="no fairness measure was asked for",
            answer=("This report does not assess fairness.",),
            link=link,
        )
    place = next((i for i, a in enumerate(assessments) if a.threshold is not None), 0)
    shown, unit = assessments[place], units(report)[place]
    result = shown.result
    if result is None:
        return Headline(
            question=question,
            figure="unbounded",
            caption=measure_name(shown),
            answer=(verdict_summary(assessments),),
            link=link,
        )
    answer = [
        f"{measure_name(shown)}: the announced rule gives {unit.brief(result.value)}; the true figure is "
        f"certain to be {unit.between(result.low, result.high)}.",
        verdict_summary(assessments),
        "Figures like these help to assess fairness. They do not settle it.",
    ]
    return Headline(
        question=question,
        figure=unit.brief(result.value),
        caption=unit.caption.replace("{compared}", comparison(shown, report.process)),
        answer=tuple(filter(None, answer)),
        link=link,
    )


def verdict_summary(assessments: Sequence[Assessment]) -> str:
    """How many thresholds are met, missed, or undecided, in one sentence."""
    verdicts = Counter(a.verdict for a in assessments if a.verdict is not None)
    number = sum(verdicts.values())
    if not number:
        return "No threshold was set, so there is no verdict." if assessments else ""
    meets, misses, open_ = (verdicts[verdict] for verdict in ("meets", "does_not_meet", "cannot_tell"))
    if number == 1:
        (verdict,) = verdicts
        return {
            "meets": "The one comparison with a threshold is certain to meet it.",
            "does_not_meet": "The one comparison with a threshold is certain not to meet it.",
            "cannot_tell": "Whether the one comparison with a threshold meets it cannot be told at this "
            "fidelity.",
        }[verdict]
    return (
        f"Of {count(number)} comparisons with a threshold, {_how_many(meets)} certain to meet it and "
        f"{_how_many(misses)} certain not to; for {count(open_) if open_ else 'none'} it cannot be told at "
        "this fidelity."
    )


def _how_many(number: int) -> str:
    return "none is" if number == 0 else "1 is" if number == 1 else f"{count(number)} are"


def _how_sure(report: Report) -> Headline:
    fidelity = report.policy.fidelity
    if fidelity.bounds is not None:
        figure, caption = "own bounds", "each announced probability has published bounds"
    elif is_unchanged(fidelity):
        figure, caption = "exact", "the announced rule is the true one"
    elif fidelity.delta is not None:
        figure = f"±{short((1 - fidelity.delta).scaleb(2))} points"
        caption = "the most by which an announced probability differs from the true one"
    else:
        assert fidelity.alpha is not None
        figure = f"{short(fidelity.alpha)} to 1/{short(fidelity.alpha)}"
        caption = "announced probability as a multiple of the true one"
    exact = ("The rule in this report is the true one, unchanged. So is every figure that follows from it.",)
    return Headline(
        question="How sure are we?",
        figure=figure,
        caption=caption,
        answer=exact
        if is_unchanged(fidelity)
        else (
            "The rule in this report was changed on purpose to protect people. For every announced "
            f"probability: {distance_allowed(fidelity)}.",
            "So each figure comes with an interval, and the true figure lies in it for certain. It is no "
            "estimate and there is no margin of chance.",
        ),
        link="method",
    )


def _what_about_me(report: Report) -> Headline:
    process, groups = report.process, report.privacy.groups
    sensitive, public = quoted(process.of_role("sensitive")), quoted(process.of_role("public"))
    knows = f"your {public} and " if public else ""
    answer = [
        f"Someone who knows {knows}the decision about you, and takes this report at its word, can be at most "
        f"{percent(report.privacy.beta)} sure of your {sensitive}. {_without_report(report)}",
        largest_rise(report),
    ]
    rest = [group.beta for group in groups if group.prior < 1]
    if len(rest) < len(groups):
        answer.insert(
            1,
            f"In {counted(len(groups) - len(rest), 'group')} everybody has the same value, so it is known "
            "before any report and no report can hide it."
            + (
                f" In all other groups the confidence stays at or below {percent(max(rest))}." if rest else ""
            ),
        )
    return Headline(
        question="What could someone learn about me?",
        figure=percent(report.privacy.beta),
        caption="the highest confidence in any sensitive value",
        answer=tuple(answer),
        link="privacy",
    )


def _without_report(report: Report) -> str:
    """What the population alone tells about the group with the highest confidence."""
    group = int(np.argmax(report.group_beta))
    before = percent(report.privacy.groups[group].prior)
    where = "" if len(report.privacy.groups) == 1 else f" That is for {_group_name(report, group)}."
    return f"Without any report it would already be up to {before}.{where}"


def largest_rise(report: Report) -> str:
    """The group to whose members this report adds the most, before and after."""
    group = int(np.argmax(report.group_beta - report.group_prior))
    before, after = report.privacy.groups[group].prior, report.privacy.groups[group].beta
    if before == after:
        return "This report adds nothing to what the population alone tells."
    if len(report.privacy.groups) == 1:
        return f"This report adds {points(after - before)}."
    return (
        f"This report adds the most for {_group_name(report, group)}: {points(after - before)}, from "
        f"{percent(before)} to {percent(after)}."
    )


def _group_name(report: Report, group: int) -> str:
    cells = report.rule_table.cells
    return group_name(cells, int(cells.group_starts[group]))
