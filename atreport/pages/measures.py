"""How fairness measures are named and written for readers."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from atreport.pages.wording import named_values
from atreport.report.fairness import Assessment, entries_of
from atreport.report.figures import Sampling
from atreport.report.model import Report
from atreport.spec.fairness import AnyMeasure, ErrorRate, ErrorRates, IndividualFairness, RateKind
from atreport.spec.process import Process
from atreport.text.language import gettext, list_or, message, quote
from atreport.text.numbers import (
    few_points,
    figure,
    full_percent,
    full_percent_interval,
    full_points,
    full_points_interval,
    hundredths_interval,
    interval,
    percent,
    points,
    short,
)

# How figures of measures are written: differences in points, ratios in percent, log ratios as they are.
#
# Captions, titles and axes are messages in English, to be said in the report's language.


@dataclass(frozen=True, kw_only=True)
class Unit:
    """How figures and intervals are written in tables and sentences, and what a chart of them is called."""

    id: str  # part of the chart's id
    value: Callable[[Decimal | None], str]  # with every printed digit
    interval: Callable[[Decimal, Decimal], str]
    beside: Callable[[Decimal, Decimal], str]  # an interval beside a value that names the unit
    brief: Callable[[Decimal], str]  # in a sentence
    between: Callable[[Decimal, Decimal], str]
    caption: str  # of the summary's figure; {compared}: whom it compares
    chart_title: str
    chart_axis: str
    chart_axis_all: str  # above a distribution; {total}: how many comparisons
    chart_axis_extremes: str  # below one; {shown}: how many rows
    chart_value: Callable[[Decimal], str]  # in the words for those who do not see the chart
    logarithm: bool = False  # the axis has no upper end and is not in percent
    is_share: bool = False  # of 1, which means equal: the smaller, the further apart


def _between(low: str, high: str) -> str:
    return gettext("between {low} and {high}", low=low, high=high)


POINTS = Unit(
    id="points",
    value=full_points,
    interval=full_points_interval,
    beside=hundredths_interval,
    brief=few_points,
    between=lambda low, high: _between(short(low.scaleb(2)), points(high)),
    caption=message("announced gap, {compared}"),
    chart_title=message("Differences in treatment"),
    chart_axis=message("Difference in percentage points"),
    chart_axis_all=message("Difference in percentage points, all {total} comparisons"),
    chart_axis_extremes=message("Difference in percentage points, the {shown} that may be largest"),
    chart_value=points,
)
PERCENT = Unit(
    id="percent",
    value=full_percent,
    interval=full_percent_interval,
    beside=full_percent_interval,
    brief=percent,
    between=lambda low, high: _between(percent(low), percent(high)),
    caption=message("lower rate as a share of the higher, {compared}"),
    chart_title=message("Ratios of favourable rates"),
    chart_axis=message("Lower rate as a share of the higher"),
    chart_axis_all=message("Lower rate as a share of the higher, all {total} comparisons"),
    chart_axis_extremes=message("Lower rate as a share of the higher, the {shown} that may be smallest"),
    chart_value=percent,
    is_share=True,
)
LOGARITHM = Unit(
    id="logarithm",
    value=figure,
    interval=interval,
    beside=interval,
    brief=short,
    between=lambda low, high: _between(short(low), short(high)),
    caption=message("announced bias, on a logarithmic scale"),
    chart_title=message("Relative differences in treatment"),
    chart_axis=message("Bias (natural logarithm)"),
    chart_axis_all=message("Bias (natural logarithm), all {total} comparisons"),
    chart_axis_extremes=message("Bias (natural logarithm), the {shown} that may be largest"),
    chart_value=short,
    logarithm=True,
)
UNITS = (POINTS, PERCENT, LOGARITHM)
"""In the order in which their charts stand; a measure with a unit of its own has its chart after them."""


# What readers are told of a fairness measure: one object, filled in by the module of the measure.
#
# Names, definitions and terms are messages in English, which :func:`atreport.text.language.say` says in the
# report's language.

Compared = Callable[[tuple[str, str], Mapping[str, str] | None, Process], str]
"""Names two groups, and what they have in common where the measure compares within strata."""


def two_groups(groups: tuple[str, str], given: Mapping[str, str] | None, process: Process) -> str:
    """Two groups and perhaps what they have in common, such as F and M, among Annual income: <100k."""
    one, other = groups
    if not given:
        return gettext("{one} and {other}", one=one, other=other)
    return gettext(
        "{one} and {other}, among {people}", one=one, other=other, people=named_values(process, given)
    )


@dataclass(frozen=True)
class RateWords:
    """What readers are told of one of the rates that a measure is about."""

    name: str
    definition: str  # follows the name and a colon; {favourable}: the favourable outcome
    term: str  # what the glossary says of it


@dataclass(frozen=True, kw_only=True)
class MeasureWords:
    """The words of a measure."""

    name: str
    definition: str  # follows the name and a colon; {favourable}: the favourable outcome
    term: str  # what the glossary says of it
    of_many_outcomes: tuple[str, str] | None = None
    """Where its figure is another for more than two outcomes: the definition then, and what the glossary says of it."""
    unit: Unit
    unit_asked: Callable[[Any], Unit] | None = None
    """Where the unit depends on the spec's entry: the unit of its assessment."""
    compared: Compared = two_groups
    is_gap: bool = False  # with two outcomes its figure is the difference between the two favourable rates
    names_at: Mapping[Decimal, str] = field(
        default_factory=dict
    )  # what it is called with a certain threshold

    rates: Mapping[ErrorRate, RateWords] = field(default_factory=dict)  # where it is about several

    def defined(self, outcomes: int) -> str:
        """Its definition in a report with so many outcomes."""
        return self.definition if outcomes == 2 or self.of_many_outcomes is None else self.of_many_outcomes[0]

    def terms_with(self, outcomes: int) -> Mapping[str, str]:
        """Its terms of the glossary in a report with so many outcomes."""
        own = self.term if outcomes == 2 or self.of_many_outcomes is None else self.of_many_outcomes[1]
        return {self.name: own, **{rate.name: rate.term for rate in self.rates.values()}}

    def named_at(self, threshold: Decimal | None, rate: ErrorRate | None = None) -> str:
        """Its usual name, or the one it has with this threshold, or of one of its rates; in the language that is spoken."""
        if rate is not None:
            return gettext(self.rates[rate].name)
        return gettext(self.name if threshold is None else self.names_at.get(threshold, self.name))


CONDITIONAL_STATISTICAL_PARITY = MeasureWords(
    name=message("Conditional statistical parity"),
    definition=message(
        "how far apart the rates of “{favourable}” in two groups are, among people who are alike in the attribute named. "
        "0 means equal."
    ),
    term=message(
        "How far apart the favourable rates of two groups are, among people who are alike in the attributes named. "
        "0 means equal."
    ),
    of_many_outcomes=(
        message(
            "how far apart two groups are in the rates of all outcomes, among people who are alike in the attribute named: "
            "the differences, added up and divided by the number of outcomes. 0 means equal."
        ),
        message(
            "How far apart two groups are in the rates of all outcomes, among people who are alike in the attributes named: "
            "the differences, added up and divided by the number of outcomes. 0 means equal."
        ),
    ),
    unit=POINTS,
    is_gap=True,
)


ERROR_RATES = MeasureWords(
    name=message("Error rates"),
    definition=message(
        "how often decisions turned out right or wrong, compared between two groups. For each rate, 0 means equal."
    ),
    term=message(
        "How often decisions turned out right or wrong, given what really happened. The favourable outcome was right "
        "for some people and wrong for others, as the report says."
    ),
    unit=POINTS,
    rates={
        "equal_opportunity": RateWords(
            message("Equal opportunity"),
            message(
                "how far apart two groups’ rates of “{favourable}” are, among people for whom it was right. 0 means equal."
            ),
            message(
                "Of the people for whom the favourable outcome was right, the same share of each group got it."
            ),
        ),
        "equalised_odds": RateWords(
            message("Equalised odds"),
            message(
                "how far apart two groups’ rates of “{favourable}” are, once among people for whom it was right and once "
                "among people for whom it was wrong; the larger of the two differences counts. 0 means equal."
            ),
            message(
                "Equal shares of each group got the favourable outcome, both among the people for whom it was right and "
                "among those for whom it was wrong."
            ),
        ),
        "false_positive": RateWords(
            message("False positive rates"),
            message(
                "how far apart two groups’ rates of “{favourable}” are, among people for whom it was wrong. 0 means equal."
            ),
            message(
                "The share of a group who got the favourable outcome, among the people for whom it was wrong."
            ),
        ),
        "false_negative": RateWords(
            message("False negative rates"),
            message(
                "how far apart two groups’ shares of people who did not get “{favourable}” are, among people for whom it "
                "was right. 0 means equal."
            ),
            message(
                "The share of a group who did not get the favourable outcome, among the people for whom it was right."
            ),
        ),
        "predictive_parity": RateWords(
            message("Predictive parity"),
            message(
                "how far apart two groups’ shares of people for whom “{favourable}” was right are, among those who got it. "
                "0 means equal."
            ),
            message(
                "Of the people who got the favourable outcome, it was right for the same share of each group."
            ),
        ),
    },
)

KINDS: dict[RateKind, str] = {
    "true_positive": message("got “{favourable}”, of those for whom it was right"),
    "false_positive": message("got “{favourable}”, of those for whom it was wrong"),
    "false_negative": message("did not get “{favourable}”, of those for whom it was right"),
    "predictive": message("it was right for them, of those who got “{favourable}”"),
}
"""What an error rate is the share of, to be said with the favourable outcome."""


def what_was_right(process: Process, measures: Iterable[AnyMeasure]) -> tuple[str, ...]:
    """For whom the favourable outcome was right and for whom wrong: a sentence for each label."""
    found = []
    for asked in measures:
        if isinstance(asked, ErrorRates):
            label = process.attribute(asked.label)
            right, wrong = (
                list_or(quote(value) for value in values)
                for values in (asked.positive_values(process), asked.negative_values(process))
            )
            found.append(
                gettext(
                    "“{favourable}” counts as right for people whose “{label}” is {right}, and as wrong for people whose "
                    "“{label}” is {wrong}. “{label}” tells what really happened. This report does not use it to explain "
                    "decisions.",
                    favourable=process.outcome.favourable,
                    label=label.title,
                    right=right,
                    wrong=wrong,
                )
            )
    return tuple(dict.fromkeys(found))


def _furthest_apart(groups: tuple[str, str], _given: Mapping[str, str] | None, _process: Process) -> str:
    one, other = groups
    return gettext("{one} and {other}, the furthest apart", one=one, other=other)


GROUP_DISPARITY = MeasureWords(
    name=message("Group disparity"),
    definition=message(
        "the largest difference between the rates of “{favourable}” in any two groups. 0 means that all are equal."
    ),
    term=message(
        "The largest difference between the favourable rates of any two groups. 0 means that all are equal."
    ),
    unit=POINTS,
    compared=_furthest_apart,
)


def _with_most_favoured(groups: tuple[str, str], _given: Mapping[str, str] | None, _process: Process) -> str:
    group, favoured = groups
    if group == favoured:
        return gettext("{group}, the most favoured", group=group)
    return gettext("{one} and {favoured}, the most favoured", one=group, favoured=favoured)


IMPACT_RATIO = MeasureWords(
    name=message("Impact ratio"),
    definition=message(
        "a group’s rate of “{favourable}” as a share of the most favoured group’s rate. 100% means equal. A ratio under 80% "
        "is a sign to look closer, not a legal finding."
    ),
    term=message("A group’s favourable rate as a share of the most favoured group’s rate. 100% means equal."),
    unit=PERCENT,
    compared=_with_most_favoured,
)


def _unit_asked(asked: IndividualFairness) -> Unit:
    return LOGARITHM if asked.metric == "relative" else POINTS


INDIVIDUAL = MeasureWords(
    name=message("Individual fairness"),
    definition=message(
        "by how much, at most, two people are treated more differently than they differ. 0 means that no two are. The "
        "publisher chose how differences between people are counted."
    ),
    term=message("By how much, at most, two people are treated more differently than they differ."),
    unit=POINTS,
    unit_asked=_unit_asked,
)


ODDS = replace(
    PERCENT,
    id="odds",
    caption=message("lower odds as a share of the higher, {compared}"),
    chart_title=message("Ratios of odds"),
    chart_axis=message("Lower odds as a share of the higher"),
    chart_axis_all=message("Lower odds as a share of the higher, all {total} comparisons"),
    chart_axis_extremes=message("Lower odds as a share of the higher, the {shown} that may be smallest"),
)
"""In percent too, and in a chart of its own: a ratio of odds is not to be compared with a ratio of rates."""

ODDS_RATIO = MeasureWords(
    name=message("Odds ratio"),
    definition=message(
        "the lower of two groups’ odds of “{favourable}” as a share of the higher. Odds are how many people get the outcome "
        "for each one who does not. 100% means equal. This ratio is never nearer to 100% than the ratio of the rates."
    ),
    term=message(
        "The lower of two groups’ odds of the favourable outcome as a share of the higher. 100% means equal. Odds are "
        "how many people get the outcome for each one who does not."
    ),
    unit=ODDS,
)


P_PERCENT_RULE = MeasureWords(
    name=message("p% rule"),
    names_at={Decimal("0.8"): message("Four-fifths screening rule")},
    definition=message(
        "the lower of two rates of “{favourable}” as a share of the higher. 100% means equal. With a threshold of 80% it is "
        "known as the four-fifths rule: a screening rule that tells where to look closer, not a legal finding."
    ),
    term=message(
        "The lower of two favourable rates as a share of the higher. 100% means equal. A screening rule asks for at "
        "least p, often four fifths (80%)."
    ),
    unit=PERCENT,
)


STATISTICAL_PARITY = MeasureWords(
    name=message("Statistical parity"),
    definition=message("how far apart the rates of “{favourable}” in two groups are. 0 means equal."),
    term=message("How far apart the favourable rates of two groups are. 0 means equal."),
    of_many_outcomes=(
        message(
            "how far apart two groups are in the rates of all outcomes: the differences, added up and divided by the number "
            "of outcomes. 0 means equal."
        ),
        message(
            "How far apart two groups are in the rates of all outcomes: the differences, added up and divided by the number "
            "of outcomes. 0 means equal."
        ),
    ),
    unit=POINTS,
    is_gap=True,
)


MEASURES: dict[str, MeasureWords] = {
    "statistical_parity": STATISTICAL_PARITY,
    "conditional_statistical_parity": CONDITIONAL_STATISTICAL_PARITY,
    "p_percent_rule": P_PERCENT_RULE,
    "impact_ratio": IMPACT_RATIO,
    "odds_ratio": ODDS_RATIO,
    "group_disparity": GROUP_DISPARITY,
    "error_rates": ERROR_RATES,
    "individual": INDIVIDUAL,
}
"""In the order in which they are defined for readers."""

EVERYBODY_COMPARED = message("All pairs of people")
"""Whom a measure compares that compares everybody with everybody, to be said."""


def measures_used(assessments: Iterable[Assessment]) -> list[MeasureWords]:
    """The measures that a report has, each once."""
    used = {assessment.measure for assessment in assessments}
    return [words for name, words in MEASURES.items() if name in used]


def measure_name(assessment: Assessment) -> str:
    """What the publisher calls the measure, or its usual name."""
    usual = MEASURES[assessment.measure].named_at(assessment.threshold, assessment.rate)
    if assessment.title is None or assessment.rate is None:
        return assessment.title or usual
    return gettext("{title}: {rate}", title=assessment.title, rate=usual)


def comparison(assessment: Assessment, process: Process) -> str:
    """Whom a measure compares, such as F and M, among Annual income: <100k."""
    pair = compared(assessment.measure, assessment.groups, assessment.given, process)
    if not assessment.outcome:
        return pair
    return gettext("{pair} (smallest for “{outcome}”)", pair=pair, outcome=assessment.outcome)


def compared(
    measure: str, groups: tuple[str, str] | None, given: Mapping[str, str] | None, process: Process
) -> str:
    """Two groups and perhaps what they have in common; or everybody."""
    if groups is None:
        return gettext(EVERYBODY_COMPARED)
    return MEASURES[measure].compared(groups, given, process)


def units(report: Report) -> list[Unit]:
    """The unit of each of a report's assessments."""
    words = [MEASURES[assessment.measure] for assessment in report.fairness]
    entries = entries_of(report.measures, report.fairness)
    return [
        each.unit_asked(asked) if each.unit_asked else each.unit
        for each, asked in zip(words, entries, strict=True)
    ]


def interval_text(assessment: Assessment, unit: Unit, *, beside_value: bool = False) -> str:
    """The interval of a measure; or the least it can be, where nothing bounds it from above.

    Beside the value, which names the unit, it need not be named again.
    """
    if assessment.interval is None:
        if assessment.at_least is None:
            return gettext("unbounded")
        return gettext("at least {figure}", figure=unit.value(assessment.at_least))
    return (unit.beside if beside_value else unit.interval)(*assessment.interval)


def threshold_text(threshold: Decimal, unit: Unit, *, is_ratio: bool) -> str:
    """The threshold with its direction: ratios should reach it, differences should not exceed it."""
    if is_ratio:
        return gettext("at least {figure}", figure=unit.brief(threshold))
    return gettext("at most {figure}", figure=unit.brief(threshold))


def sampling_text(sampling: Sampling | None, unit: Unit) -> str:
    """Where the long-run figure lies if chance in the records is taken in too, beside a value that names the unit."""
    return gettext("none given") if sampling is None else unit.beside(*sampling.interval)
