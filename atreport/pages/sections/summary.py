"""Turn a report into its summary: three answers in plain words."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from atreport.compose.estimation import is_described
from atreport.compose.notes import (
    distance_sentence,
    is_only_rounded,
    is_unchanged,
    left_out_in_short,
    rates_kept,
    rounded_sentence,
)
from atreport.compose.promise import confidence_words, no_protection_words, odds_in_short, rise_words
from atreport.compose.small_numbers import GroupSizes, large_groups
from atreport.measures.chance import LEVEL
from atreport.pages.measures import comparison, measure_name, units
from atreport.pages.sections.fairness import (
    Disparity,
    Order,
    all_disparities,
    chosen_by_publisher,
    compared_by,
    find_disparity,
    large_enough,
    named,
    rate_words,
    verdict_summary,
    who,
    with_rate,
)
from atreport.pages.wording import group_name, named_values
from atreport.report.fairness import Assessment
from atreport.report.model import Report
from atreport.text.language import capitalised, count, gettext, message, ngettext, plural
from atreport.text.numbers import few_points, full_points_interval, out_of, percent, points_between, short
from atreport.text.tables import Column, Table, make_table

# The gap between two groups in sentences: both rates, who is worse off and how sure that is, and what chance
# adds.

SHORT = 5
"""An outcome with so few letters (yes, true, 1) says nothing without the name of what is decided."""


_RATES = {
    (True, True): message(
        "{share}: {lower} of {base} both for {low_group} and for {high_group}, among {people}."
    ),
    (True, False): message("{share}: {lower} of {base} both for {low_group} and for {high_group}."),
    (False, True): message(
        "{share}: {higher} of {base} for {high_group}, {lower} of {base} for {low_group}, among {people}."
    ),
    (False, False): message(
        "{share}: {higher} of {base} for {high_group}, {lower} of {base} for {low_group}."
    ),
}
"""By whether both rates are the same, and whether people are alike in something."""


def rates_in_words(report: Report, found: Disparity) -> str:
    """Both rates and the true gap: Approved: 42 of 100 for Sex “men”, 20 of 100 for Sex “women”. The true gap is …."""
    base, (lower, higher) = out_of(found.lower.value, found.higher.value)
    rates = gettext(
        _RATES[found.is_tie, bool(found.assessment.given)],
        share=capitalised(_share_in_words(report, found)),
        base=base,
        lower=lower,
        higher=higher,
        low_group=named(report, found.assessment, found.lower.group),
        high_group=named(report, found.assessment, found.higher.group),
        people=named_values(report.process, found.assessment.given or {}),
    )
    gap = gettext("The true gap is {gap}.", gap=points_between(found.low, found.high))
    return f"{rates} {gap}"


def _share_in_words(report: Report, found: Disparity) -> str:
    """What the rates are the share of; a short outcome with the name of what is decided, such as Hired “yes”."""
    share = rate_words(report, found)
    if found.assessment.rate is None and len(share) <= SHORT:
        return gettext("{attribute} “{value}”", attribute=report.process.outcome.title, value=share)
    return share


_WORSE: dict[Order, str] = {
    "never_better": message("It is certain that {group} is not better off. The true rates may be equal."),
    "announced": message("In the announced rule, {group} is worse off."),
    "open": message("This report cannot tell which of the two is worse off."),
    "equal": message("Neither is worse off: the true rates are equal."),
}
_LOWER: dict[Order, str] = {
    "certain": message("It is certain that {group} has the lower rate."),
    "never_better": message(
        "It is certain that {group} does not have the higher rate. The true rates may be equal."
    ),
    "announced": message("As announced, {group} has the lower rate."),
    "open": message("This report cannot tell which of the two has the lower rate."),
    "equal": message("The true rates are equal."),
}
"""Where neither of two error rates is the better one."""


def order_in_words(report: Report, found: Disparity) -> str:
    """Who is worse off, and how sure that is."""
    group = named(report, found.assessment, (found.worse or found.lower).group)
    if found.worse is None:
        return gettext(_LOWER[found.order], group=group)
    if found.order == "certain":
        return _certain_in_words(report, group)
    if found.order == "open" and found.is_tie:
        return gettext("This report cannot tell which of the two is worse off, or whether either is.")
    return gettext(_WORSE[found.order], group=group)


def _certain_in_words(report: Report, group: str) -> str:
    """What is certain: of a rule that was found in cases, no more than what happened there."""
    if not is_described(report):
        return gettext("It is certain that {group} is worse off.", group=group)
    if report.process.estimated_from is not None:
        return gettext("It is certain that {group} was worse off in the recorded cases.", group=group)
    return gettext("It is certain that {group} is worse off by the rule that was found.", group=group)


def chance_in_words(found: Disparity) -> str:
    """Where the gap lies if chance in the records is taken in; empty where the rule is no estimate."""
    if found.chance is None:
        return ""
    return gettext(
        "Other cases of the same process would give other figures, by chance. With chance counted in, the gap in the "
        "long run is {gap}, at a confidence of {level}.",
        gap=points_between(*found.chance.interval),
        level=percent(found.chance.level),
    )


# One answer of a report's summary.


@dataclass(frozen=True, kw_only=True)
class Headline:
    """One question of the summary: a figure, what the figure is, and the answer."""

    question: str
    figure: str
    caption: str
    answer: tuple[str, ...]
    link: str  # the section that says more
    table: Table | None = None


def headlines(report: Report) -> tuple[Headline, ...]:
    """The three questions that the summary answers."""
    return (fairness_headline(report), _how_sure(report), _what_about_me(report))


def _how_sure(report: Report) -> Headline:
    figure, caption = _closeness(report)
    return Headline(
        question=gettext("How sure are we?"),
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
        return gettext("own bounds"), gettext("each announced probability has published bounds")
    if is_unchanged(fidelity):
        return gettext("exact"), gettext("the announced rule is the true one")
    if is_only_rounded(report):
        return gettext("rounded"), gettext("the announced rule is the true one, as far as its decimals go")
    if fidelity.delta is not None:
        amount = few_points(1 - fidelity.delta)
        return gettext("±{amount}", amount=amount), gettext(
            "the most by which an announced probability differs from the true one"
        )
    assert fidelity.alpha is not None
    alpha = short(fidelity.alpha)
    return gettext("{low} to {high}", low=alpha, high=f"1/{alpha}"), gettext(
        "announced probability as a multiple of the true one"
    )


def _paragraphs(*texts: tuple[str, ...]) -> tuple[str, ...]:
    """Sentences that belong together in a paragraph, without those that have nothing to say."""
    return tuple(filter(None, (" ".join(filter(None, sentences)) for sentences in texts)))


def _changed(report: Report) -> str:
    """What was changed, and what that leaves certain."""
    fidelity = report.policy.fidelity
    if is_unchanged(fidelity) and report.privacy.unprotectable.left_out:
        return gettext("The rule in this report is the true one, unchanged.")
    if is_unchanged(fidelity):
        return gettext(
            "The rule in this report is the true one, unchanged. So are the rates and measures that follow from it."
        )
    why = (
        rounded_sentence(report)
        if is_only_rounded(report)
        else gettext("To protect people, the rule was changed.")
    )
    leaves = gettext("So rates and measures come with intervals, and the true ones lie in them for certain.")
    return f"{why} {distance_sentence(fidelity)} {leaves}"


_DONE = {
    "suppress": plural(
        "{number} group, with at most {share} of all people, was left out of this report, because the population "
        "alone gives a sensitive value away.",
        "{number} groups, with at most {share} of all people, were left out of this report, because the population "
        "alone gives a sensitive value away.",
    ),
    "merge": plural(
        "{number} group, with at most {share} of all people, was joined with others, because the population alone gives "
        "a sensitive value away.",
        "{number} groups, with at most {share} of all people, were joined with others, because the population alone "
        "gives a sensitive value away.",
    ),
}


def _left_out(report: Report) -> str:
    """What was done with groups that no change can protect; empty where nothing was."""
    account = report.privacy.unprotectable
    if not account.groups or account.policy not in _DONE:
        return ""
    return ngettext(account.groups, *_DONE[account.policy], share=percent(account.share))


def _found(report: Report) -> str:
    """Where the rule was found in cases: what “true” means, and what chance adds."""
    if not is_described(report):
        return ""
    true = gettext("“True” stands here for the rule that was found by looking at cases.")
    if report.process.estimated_from is None:
        more = gettext("A note says how it was found.")
    elif not any(a.sampling for a in report.fairness):
        more = gettext("Chance in the cases comes on top, and no interval here covers it.")
    else:
        more = gettext(
            "Chance in the cases comes on top. A second interval covers both, at a confidence of {level}.",
            level=percent(LEVEL),
        )
    return f"{true} {more}"


def _what_about_me(report: Report) -> Headline:
    return Headline(
        question=gettext("What could someone learn about me?"),
        figure=percent(report.privacy.beta),
        caption=gettext("how sure someone can be of a sensitive value, at most"),
        answer=_paragraphs(
            (no_protection_words(report),),
            (confidence_words(report), _without_report(report)),
            (rise_words(report), odds_in_short(report)),
        ),
        link="privacy",
    )


def _without_report(report: Report) -> str:
    """What the population alone tells about the group with the highest confidence."""
    cells, group = report.rule_table.cells, int(np.argmax(report.group_beta))
    before = percent(report.privacy.groups[group].prior)
    words = message(
        "Without any report they could already be up to {before} sure: the published numbers do not rule it out."
    )
    if report.policy.small_cells.is_exact:
        words = message("Without any report they could already be up to {before} sure.")
    already = gettext(words, before=before)
    if len(report.privacy.groups) == 1:
        return already
    where = gettext("Both figures are for a small group.")
    if large_groups(report)[group]:
        named_group = group_name(cells, int(cells.group_starts[group]))
        where = gettext("Both figures are for {group}.", group=named_group)
    return f"{already} {where}"


# Turn a report into the first answer of its summary: is it fair, and who is worse off.

LINK = "fairness"
"""The section that says more."""
WORST = 5
"""How many comparisons the summary lists."""


def fairness_headline(report: Report) -> Headline:
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
    closing = gettext("Figures like these help to assess fairness. They do not settle it.")
    return Headline(
        question=gettext("Is it fair?"),
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
        return gettext("{number} each", number=lower)
    return gettext("{lower} against {higher}", lower=lower, higher=higher)


def _caption(report: Report, found: Disparity) -> str:
    """What the two numbers count, and of whom."""
    base, _ = out_of(found.lower.value, found.higher.value)
    return gettext(
        _CAPTIONS[found.assessment.rate is None, found.is_tie],
        base=base,
        share=rate_words(report, found),
        first=named(report, found.assessment, found.lower.group),
        second=named(report, found.assessment, found.higher.group),
    )


_CAPTIONS = {
    (True, True): message("how many of {base} get “{share}”: {first} and {second}, as announced"),
    (True, False): message("how many of {base} get “{share}”: {first} against {second}, as announced"),
    (False, True): message("how many of {base} ({share}): {first} and {second}, as announced"),
    (False, False): message("how many of {base} ({share}): {first} against {second}, as announced"),
}
"""By whether favourable rates are compared and no error rates, and whether both are the same."""


def _first(
    report: Report, sizes: GroupSizes, chosen: Sequence[Assessment], listed: Sequence[Disparity]
) -> Disparity | None:
    """The largest gap of the measures that the publisher chose; without a choice or large groups, of all that are listed."""
    found = [each for a in chosen if (each := find_disparity(report, a))]
    if chosen and not found:  # it compares no two rates, and is told by its own figure
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
        ngettext(len(shown), "The largest gap, as announced", "The {number} largest gaps, as announced"),
        [
            Column(gettext("By"), names_row=True),
            Column(gettext("Worse off")),
            Column(gettext("Lower rate")),
            Column(gettext("Higher rate")),
            Column(gettext("True gap lies in"), numeric=True),
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
        ngettext(
            left_out,
            *_NOT_LISTED[_sizes_are_known(report)],
            people=count(report.policy.small_cells.under),
        )
        if left_out
        else "",
    )


_NOT_LISTED = {
    True: plural(
        "{number} comparison with a group of fewer than {people} people is not listed here.",
        "{number} comparisons with a group of fewer than {people} people are not listed here.",
    ),
    False: plural(
        "{number} comparison with a group of perhaps fewer than {people} people is not listed here.",
        "{number} comparisons with a group of perhaps fewer than {people} people are not listed here.",
    ),
}
"""Comparisons with a group too small to be singled out, by whether it is sure how many people a group has."""


def _sizes_are_known(report: Report) -> bool:
    """Whether it is sure how many people a group has; of shares it is not."""
    return report.policy.population == "counts" and report.policy.small_cells.is_exact


def _not_assessed(report: Report) -> Headline:
    """No measure was asked for, or no comparison could be made."""
    caption = gettext("no fairness measure was asked for")
    answer = gettext("This report does not assess fairness.")
    if report.measures:
        caption = gettext("no comparison could be made")
        answer = gettext(
            "This report does not assess fairness: no comparison that was asked for could be made. A note says why."
        )
    return Headline(
        question=gettext("Is it fair?"),
        figure=gettext("not assessed"),
        caption=caption,
        answer=(answer,),
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
            figure=gettext("unbounded"),
            caption=measure_name(shown),
            answer=(gettext("{measure}: nothing bounds the figure.", measure=measure_name(shown)),),
        )
    value, low, high = (unit.brief(number) for number in (result.value, result.low, result.high))
    announced = gettext(
        "{measure}: the announced rule gives {value}.", measure=measure_name(shown), value=value
    )
    true = (
        gettext("The true figure is certain to be the same.")
        if result.low == result.value == result.high
        else gettext("The true figure is certain to lie between {low} and {high}.", low=low, high=high)
    )
    return _answered(
        report,
        figure=value,
        caption=gettext(unit.caption, compared=comparison(shown, report.process)),
        answer=(f"{announced} {true}",),
    )


_SMALL = {
    True: (
        message("fewer than {people} people in each comparison"),
        message(
            "Every comparison is with a group of fewer than {people} people. That is too few to be singled out here."
        ),
    ),
    False: (
        message("perhaps fewer than {people} people in each comparison"),
        message(
            "Every comparison is with a group of perhaps fewer than {people} people. That is too few to be singled out "
            "here."
        ),
    ),
}


def _small_groups(report: Report) -> Headline:
    """Every comparison is with a group that is too small to be singled out."""
    people = count(report.policy.small_cells.under)
    caption, answer = (gettext(words, people=people) for words in _SMALL[_sizes_are_known(report)])
    return _answered(report, figure=gettext("small groups"), caption=caption, answer=(answer,))
