"""Turn a release and its assessments into plain words: the three answers of the summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from atreport.analysis.assessment import Assessment
from atreport.announcement import Release
from atreport.kit.numbers import count, counted, percent, percent_interval, points, short
from atreport.pages.notes import distance_allowed
from atreport.pages.wording import Unit, comparison, group_name, measure_name, quoted, units
from atreport.population.band import Closeness
from atreport.spec.models.spec import PublicSpec


@dataclass(frozen=True, kw_only=True)
class Headline:
    """One question of the summary: a figure, what the figure is, and the answer."""

    question: str
    figure: str
    caption: str
    answer: tuple[str, ...]
    link: str  # the section that says more


def headlines(release: Release, spec: PublicSpec, assessments: Sequence[Assessment]) -> tuple[Headline, ...]:
    """The three questions that the summary answers."""
    return (_is_it_fair(spec, assessments), _how_sure(release), _what_about_me(release, spec))


def _is_it_fair(spec: PublicSpec, assessments: Sequence[Assessment]) -> Headline:
    question, link = "Is it fair?", "fairness"
    shown = next((a for a in assessments if a.threshold is not None), assessments[0] if assessments else None)
    if shown is None or shown.result is None:
        return Headline(
            question=question,
            figure="not assessed" if shown is None else "unbounded",
            caption="no fairness measure was asked for" if shown is None else measure_name(shown),
            answer=("This report does not assess fairness.",)
            if shown is None
            else (verdict_summary(assessments),),
            link=link,
        )
    unit = units(spec, assessments)[[a is shown for a in assessments].index(True)]
    caption = {
        "points": f"announced gap, {comparison(shown, spec.process)}",
        "percent": f"lower rate as a share of the higher, {comparison(shown, spec.process)}",
        "logarithm": "announced bias, on a logarithmic scale",
    }[unit]
    result = shown.result
    inside = {
        "points": f"between {short(result.low.scaleb(2))} and {points(result.high)}",
        "percent": f"between {percent_interval(result.low, result.high).replace(' to ', ' and ')}",
        "logarithm": f"between {short(result.low)} and {short(result.high)}",
    }[unit]
    answer = [
        f"{measure_name(shown)}: the announced rule gives {_short_value(result.value, unit)}; the true figure is "
        f"certain to be {inside}.",
        verdict_summary(assessments),
        "Figures like these help to assess fairness. They do not settle it.",
    ]
    return Headline(
        question=question,
        figure=_short_value(result.value, unit),
        caption=caption,
        answer=tuple(filter(None, answer)),
        link=link,
    )


def _short_value(number: Decimal, unit: Unit) -> str:
    if unit == "points":
        return f"{short(number.scaleb(2))} points"
    return percent(number) if unit == "percent" else short(number)


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
            "cannot_tell": "Whether the one comparison with a threshold meets it cannot be told at this fidelity.",
        }[verdict]
    return (
        f"Of {count(number)} comparisons with a threshold, {_how_many(meets)} certain to meet it and {_how_many(misses)} "
        f"certain not to; for {count(open_) if open_ else 'none'} it cannot be told at this fidelity."
    )


def _how_many(number: int) -> str:
    return "none is" if number == 0 else "1 is" if number == 1 else f"{count(number)} are"


def _how_sure(release: Release) -> Headline:
    fidelity = release.fidelity
    if not isinstance(fidelity, Closeness):
        figure, caption = "own bounds", "each announced probability has published bounds"
    elif is_exact(release):
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
        if is_exact(release)
        else (
            f"The rule in this report was changed on purpose to protect people. For every announced probability: "
            f"{distance_allowed(release)}.",
            "So each figure comes with an interval, and the true figure lies in it for certain. It is no estimate and "
            "there is no margin of chance.",
        ),
        link="method",
    )


def _what_about_me(release: Release, spec: PublicSpec) -> Headline:
    sensitive, public = quoted(spec.process.of_role("sensitive")), quoted(spec.process.of_role("public"))
    knows = f"your {public} and " if public else ""
    answer = [
        f"Someone who knows {knows}the decision about you, and takes this report at its word, can be at most "
        f"{percent(release.beta)} sure of your {sensitive}. {_without_report(release)}",
        largest_rise(release),
    ]
    certain = release.group_prior >= release.scale
    if certain.any():
        rest = release.group_beta[~certain]
        answer.insert(
            1,
            f"In {counted(int(certain.sum()), 'group')} everybody has the same value, so it is known before any report "
            "and no report can hide it."
            + (
                f" In all other groups the confidence stays at or below {percent(release.printed(int(rest.max())))}."
                if len(rest)
                else ""
            ),
        )
    return Headline(
        question="What could someone learn about me?",
        figure=percent(release.beta),
        caption="the highest confidence in any sensitive value",
        answer=tuple(answer),
        link="privacy",
    )


def _without_report(release: Release) -> str:
    """What the population alone tells about the group with the highest confidence."""
    group = int(np.argmax(release.group_beta))
    before = percent(release.printed(int(release.group_prior[group])))
    name = group_name(release.cells, int(release.cells.group_starts[group]))
    where = "" if len(release.group_beta) == 1 else f" That is for {name}."
    return f"Without any report it would already be up to {before}.{where}"


def largest_rise(release: Release) -> str:
    """The group to whose members this report adds the most, before and after."""
    added = release.group_beta - release.group_prior
    group = int(np.argmax(added))
    before, after = (
        release.printed(int(steps[group])) for steps in (release.group_prior, release.group_beta)
    )
    if not added[group]:
        return "This report adds nothing to what the population alone tells."
    if len(added) == 1:
        return f"This report adds {points(after - before)}."
    name = group_name(release.cells, int(release.cells.group_starts[group]))
    return f"This report adds the most for {name}: {points(after - before)}, from {percent(before)} to {percent(after)}."


def is_exact(release: Release) -> bool:
    """Whether the true rule is announced as it is."""
    return isinstance(release.fidelity, Closeness) and release.fidelity.largest_move == 0


def fidelity_formula(release: Release) -> str:
    """The definition of fidelity with its figure, as a formula."""
    fidelity = release.fidelity
    if not isinstance(fidelity, Closeness):
        return "lower ≤ announced ≤ upper and lower ≤ true ≤ upper, with bounds for each cell"
    if fidelity.delta is not None:
        return f"|announced − true| ≤ 1 − δ = {short(1 - fidelity.delta)}, with δ = {short(fidelity.delta)}"
    assert fidelity.alpha is not None
    return f"α ≤ announced / true ≤ 1/α, with α = {short(fidelity.alpha)}, for each outcome"
