"""Turn a report into the first answer of its summary: is it fair, and who is worse off."""

from __future__ import annotations

from collections.abc import Sequence

from atreport.kit.language import say, say_many
from atreport.kit.numbers import count, full_points_interval, out_of
from atreport.kit.tables import Column, Table, make_table
from atreport.pages.disparities import (
    Disparity,
    all_disparities,
    chosen_by_publisher,
    compared_by,
    find_disparity,
    large_enough,
    named,
    rate_words,
    who,
    with_rate,
)
from atreport.pages.measures import comparison, measure_name, units
from atreport.pages.sections.fairness import verdict_summary
from atreport.pages.sections.gap_words import chance_in_words, order_in_words, rates_in_words
from atreport.pages.sections.headline import Headline
from atreport.publication.small_numbers import GroupSizes
from atreport.report.fairness import Assessment
from atreport.report.model import Report

LINK = "fairness"
"""The section that says more."""
WORST = 5
"""How many comparisons the summary lists."""


def is_it_fair(report: Report) -> Headline:
    """The largest gap that was found, or the measure that the publisher wants to see first; then the worst five."""
    if not report.fairness:
        return _not_assessed(report)
    found = all_disparities(report)
    sizes = GroupSizes(report)
    listed = [each for each in found if large_enough(sizes, each)]
    chosen = chosen_by_publisher(report)
    first = _first(report, sizes, chosen, listed)
    if first is None:
        asked = chosen or report.fairness
        small = any(find_disparity(report, a) for a in asked)
        return _without_groups(report, asked, small=small)
    return _answered(
        report,
        figure=_figure(first),
        caption=_caption(report, first),
        answer=(
            f"{rates_in_words(report, first)} {order_in_words(report, first)}",
            chance_in_words(first),
        ),
        table=_worst(report, listed, left_out=len(found) - len(listed)) if len(found) > 1 else None,
    )


def _answered(
    report: Report, *, figure: str, caption: str, answer: Sequence[str], table: Table | None = None
) -> Headline:
    """The headline: the answer, how many thresholds are met, and what figures are good for."""
    closing = say("Figures like these help to assess fairness. They do not settle it.")
    return Headline(
        question=say("Is it fair?"),
        figure=figure,
        caption=caption,
        answer=tuple(filter(None, (*answer, f"{verdict_summary(report.fairness)} {closing}"))),
        link=LINK,
        table=table,
    )


def _figure(found: Disparity) -> str:
    """Both rates, as so many of 100."""
    _, (lower, higher) = out_of(found.lower.value, found.higher.value)
    if found.is_tie:
        return say("{number} each", number=lower)
    return say("{lower} against {higher}", lower=lower, higher=higher)


def _caption(report: Report, found: Disparity) -> str:
    """What the two numbers count, and of whom."""
    base, _ = out_of(found.lower.value, found.higher.value)
    values = {
        "base": base,
        "share": rate_words(report, found),
        "first": named(report, found.assessment, found.lower.group),
        "second": named(report, found.assessment, found.higher.group),
    }
    if found.assessment.rate is None:
        if found.is_tie:
            return say("how many of {base} get “{share}”: {first} and {second}, as announced", **values)
        return say("how many of {base} get “{share}”: {first} against {second}, as announced", **values)
    if found.is_tie:
        return say("how many of {base} ({share}): {first} and {second}, as announced", **values)
    return say("how many of {base} ({share}): {first} against {second}, as announced", **values)


def _first(
    report: Report, sizes: GroupSizes, chosen: Sequence[Assessment], listed: Sequence[Disparity]
) -> Disparity | None:
    """The largest gap of the measures that the publisher chose; without a choice or large groups, of all that are listed."""
    if not chosen:
        return listed[0] if listed else None
    found = [each for a in chosen if (each := find_disparity(report, a))]
    if not found:  # it compares no two rates, and is told by its own figure
        return None
    large = [each for each in found if large_enough(sizes, each)]
    return max(large, key=lambda each: (each.gap, each.low), default=listed[0] if listed else None)


def _worst(report: Report, listed: Sequence[Disparity], left_out: int) -> Table | None:
    """The largest gaps that were found."""
    if not listed:
        return None
    shown = listed[:WORST]
    return make_table(
        "worst",
        say_many(len(shown), "The largest gap, as announced", "The {number} largest gaps, as announced"),
        [
            Column(say("By"), names_row=True),
            Column(say("Worse off")),
            Column(say("Lower rate")),
            Column(say("Higher rate")),
            Column(say("True gap lies in"), numeric=True),
        ],
        [
            [
                compared_by(report, each.assessment),
                who(each),
                with_rate(each.lower),
                with_rate(each.higher),
                full_points_interval(each.low, each.high),
            ]
            for each in shown
        ],
        _small_left_out(report, left_out) if left_out else "",
    )


def _small_left_out(report: Report, number: int) -> str:
    """Comparisons that are not listed because a group is too small to be singled out."""
    people = count(report.policy.small_cells.under)
    if _sizes_are_known(report):
        return say_many(
            number,
            "{number} comparison with a group of fewer than {people} people is not listed here.",
            "{number} comparisons with a group of fewer than {people} people are not listed here.",
            people=people,
        )
    return say_many(
        number,
        "{number} comparison with a group of perhaps fewer than {people} people is not listed here.",
        "{number} comparisons with a group of perhaps fewer than {people} people are not listed here.",
        people=people,
    )


def _sizes_are_known(report: Report) -> bool:
    """Whether it is sure how many people a group has; of shares it is not."""
    return report.policy.population == "counts" and report.policy.small_cells.is_exact


def _not_assessed(report: Report) -> Headline:
    """No measure was asked for, or no comparison could be made."""
    return Headline(
        question=say("Is it fair?"),
        figure=say("not assessed"),
        caption=say("no comparison could be made")
        if report.measures
        else say("no fairness measure was asked for"),
        answer=(
            say(
                "This report does not assess fairness: no comparison that was asked for could be made. A note says why."
            )
            if report.measures
            else say("This report does not assess fairness."),
        ),
        link=LINK,
    )


def _without_groups(report: Report, chosen: Sequence[Assessment], *, small: bool) -> Headline:
    """A measure that compares no two groups, such as individual fairness; or groups too small to be singled out."""
    of_people = [a for a in chosen if a.groups is None] or list(chosen)
    shown = max(of_people, key=lambda a: (a.threshold is not None, a.value is None, a.value or 0))
    unit, result = units(report)[report.fairness.index(shown)], shown.result
    if small and shown.groups is not None:
        return _small_groups(report)
    if result is None:
        return _answered(
            report,
            figure=say("unbounded"),
            caption=measure_name(shown),
            answer=(say("{measure}: nothing bounds the figure.", measure=measure_name(shown)),),
        )
    value, low, high = (unit.brief(number) for number in (result.value, result.low, result.high))
    announced = say("{measure}: the announced rule gives {value}.", measure=measure_name(shown), value=value)
    true = (
        say("The true figure is certain to be the same.")
        if result.low == result.value == result.high
        else say("The true figure is certain to lie between {low} and {high}.", low=low, high=high)
    )
    return _answered(
        report,
        figure=value,
        caption=say(unit.caption, compared=comparison(shown, report.process)),
        answer=(f"{announced} {true}",),
    )


def _small_groups(report: Report) -> Headline:
    """Every comparison is with a group that is too small to be singled out."""
    people = count(report.policy.small_cells.under)
    if _sizes_are_known(report):
        caption = say("fewer than {people} people in each comparison", people=people)
        answer = say(
            "Every comparison is with a group of fewer than {people} people. That is too few to be singled out here.",
            people=people,
        )
    else:
        caption = say("perhaps fewer than {people} people in each comparison", people=people)
        answer = say(
            "Every comparison is with a group of perhaps fewer than {people} people. That is too few to be singled out "
            "here.",
            people=people,
        )
    return _answered(report, figure=say("small groups"), caption=caption, answer=(answer,))
