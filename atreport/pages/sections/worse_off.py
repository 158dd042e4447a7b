"""Turn a report into the first answer of its summary: is it fair, and who is worse off."""

from __future__ import annotations

from collections.abc import Sequence

from atreport.kit.numbers import counted, full_points_interval, out_of, percent, points_between
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
from atreport.pages.sections.headline import Headline
from atreport.pages.wording import named_values
from atreport.publication.estimation_words import is_described
from atreport.publication.small_numbers import GroupSizes
from atreport.report.fairness import Assessment
from atreport.report.model import Report

QUESTION, LINK = "Is it fair?", "fairness"
WORST = 5
"""How many comparisons the summary lists."""
SHORT = 5
"""An outcome with so few letters (yes, true, 1) says nothing without the name of what is decided."""


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
    base, (lower, higher) = out_of(first.lower.value, first.higher.value)
    shares = rate_words(report, first)
    shares = f"get “{shares}”" if first.assessment.rate is None else f"({shares})"
    names = [named(report, first.assessment, rate.group) for rate in (first.lower, first.higher)]
    return Headline(
        question=QUESTION,
        figure=f"{lower} each" if first.is_tie else f"{lower} against {higher}",
        caption=f"of {base} {shares}: {names[0]} {'and' if first.is_tie else 'against'} {names[1]}, as announced",
        answer=_paragraphs(
            f"{rates_in_words(report, first)} {order_in_words(report, first)}",
            chance_in_words(first),
            _closing(report),
        ),
        link=LINK,
        table=_worst(report, listed, left_out=len(found) - len(listed)) if len(found) > 1 else None,
    )


def _paragraphs(*texts: str) -> tuple[str, ...]:
    return tuple(filter(None, texts))


def _closing(report: Report) -> str:
    """How many thresholds are met, and what figures are good for."""
    return f"{verdict_summary(report.fairness)} Figures like these help to assess fairness. They do not settle it."


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


def rates_in_words(report: Report, found: Disparity) -> str:
    """Both rates and the true gap: Approved: 42 of 100 for Sex “men”, 20 of 100 for Sex “women” (true gap …)."""
    shares, (base, (lower, higher)) = (
        rate_words(report, found),
        out_of(found.lower.value, found.higher.value),
    )
    low_name, high_name = (
        named(report, found.assessment, rate.group) for rate in (found.lower, found.higher)
    )
    given = found.assessment.given
    among = f", among {named_values(report.process, given)}" if given else ""
    rates = (
        f"{lower} of {base} both for {low_name} and for {high_name}"
        if found.is_tie
        else f"{higher} of {base} for {high_name}, {lower} of {base} for {low_name}"
    )
    if found.assessment.rate is None and len(shares) <= SHORT:
        shares = f"{report.process.outcome.name} “{shares}”"
    return f"{shares[:1].upper()}{shares[1:]}: {rates}{among} (true gap {points_between(found.low, found.high)})."


def order_in_words(report: Report, found: Disparity) -> str:
    """Who is worse off, and how sure that is."""
    if found.worse is None:
        name = named(report, found.assessment, found.lower.group)
        return {
            "certain": f"That {name} has the lower rate is certain.",
            "never_better": f"{name} is certain not to have the higher rate; the true rates may be equal.",
            "announced": f"As announced, {name} has the lower rate.",
            "open": "Which of the two has the lower rate cannot be told from this report.",
            "equal": "The true rates are equal.",
        }[found.order]
    name = named(report, found.assessment, found.worse.group)
    return {
        "certain": f"That {name} {_is_worse_off(report)} is certain.",
        "never_better": f"{name} is certain not to be better off; the true rates may be equal.",
        "announced": f"In the announced rule {name} is worse off.",
        "open": f"Which of the two is worse off{', if either,' if found.is_tie else ''} cannot be told from this report.",
        "equal": "Neither is worse off: the true rates are equal.",
    }[found.order]


def _is_worse_off(report: Report) -> str:
    """What is certain: of a rule that was found in cases, no more than what happened there."""
    if not is_described(report):
        return "is worse off"
    found_in_records = report.process.estimated_from is not None
    return (
        "was worse off in the recorded cases"
        if found_in_records
        else "is worse off by the rule that was found"
    )


def chance_in_words(found: Disparity) -> str:
    """Where the gap lies if chance in the records is taken in; empty where the rule is no estimate."""
    if found.chance is None:
        return ""
    low, high = found.chance.interval
    return (
        "Chance in the records comes on top: with it, the gap that the process has in the long run lies "
        f"{points_between(low, high)}, at a confidence of {percent(found.chance.level)}."
    )


def _worst(report: Report, listed: Sequence[Disparity], left_out: int) -> Table | None:
    """The largest gaps that were found."""
    if not listed:
        return None
    shown = listed[:WORST]
    small = (
        f"{counted(left_out, 'comparison')} with a group of {_fewer(report)} "
        f"{'is' if left_out == 1 else 'are'} not listed here."
        if left_out
        else ""
    )
    return make_table(
        "worst",
        "The largest gap, as announced"
        if len(shown) == 1
        else f"The {len(shown)} largest gaps, as announced",
        [
            Column("By", names_row=True),
            Column("Worse off"),
            Column("Lower rate"),
            Column("Higher rate"),
            Column("True gap lies in", numeric=True),
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
        small,
    )


def _fewer(report: Report) -> str:
    """Too few people to be singled out; of shares it is not sure that they are so few."""
    perhaps = (
        "" if report.policy.population == "counts" and report.policy.small_cells.is_exact else "perhaps "
    )
    return f"{perhaps}fewer than {report.policy.small_cells.under} people"


def _not_assessed(report: Report) -> Headline:
    """No measure was asked for, or no comparison could be made."""
    asked = bool(report.measures)
    return Headline(
        question=QUESTION,
        figure="not assessed",
        caption="no comparison could be made" if asked else "no fairness measure was asked for",
        answer=(
            "This report does not assess fairness: no comparison that was asked for could be made. A note says why."
            if asked
            else "This report does not assess fairness.",
        ),
        link=LINK,
    )


def _without_groups(report: Report, chosen: Sequence[Assessment], *, small: bool) -> Headline:
    """A measure that compares no two groups, such as individual fairness; or groups too small to be singled out."""
    of_people = [a for a in chosen if a.groups is None] or list(chosen)
    shown = max(of_people, key=lambda a: (a.threshold is not None, a.value is None, a.value or 0))
    unit, result = units(report)[report.fairness.index(shown)], shown.result
    if small and shown.groups is not None:
        return Headline(
            question=QUESTION,
            figure="small groups",
            caption=f"{_fewer(report)} in each comparison",
            answer=(
                f"Every comparison is with a group of {_fewer(report)}, too few to be singled out here.",
                _closing(report),
            ),
            link=LINK,
        )
    if result is None:
        return Headline(
            question=QUESTION,
            figure="unbounded",
            caption=measure_name(shown),
            answer=(f"{measure_name(shown)}: nothing bounds the figure.", _closing(report)),
            link=LINK,
        )
    return Headline(
        question=QUESTION,
        figure=unit.brief(result.value),
        caption=unit.caption.replace("{compared}", comparison(shown, report.process)),
        answer=(
            f"{measure_name(shown)}: the announced rule gives {unit.brief(result.value)}; the true figure is "
            f"certain to be {unit.between(result.low, result.high)}.",
            _closing(report),
        ),
        link=LINK,
    )
