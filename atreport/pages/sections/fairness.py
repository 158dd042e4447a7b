"""Turn a report into its section on fairness: the measures, and the rates they are made of."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

import numpy as np

from atreport.compose.small_numbers import GroupSizes
from atreport.core.cells import IntArray
from atreport.pages.measures import (
    KINDS,
    MEASURES,
    PERCENT,
    Unit,
    comparison,
    interval_text,
    measure_name,
    measures_used,
    sampling_text,
    threshold_text,
    units,
)
from atreport.pages.wording import named_values, verdict_cell
from atreport.report.fairness import Assessment, GroupRate, entries_of
from atreport.report.figures import Sampling, Verdict
from atreport.report.model import Report
from atreport.report.rule import steps
from atreport.text.language import count, gettext, list_and, message, ngettext, plural, quote
from atreport.text.numbers import full_percent, full_percent_interval, hundredths
from atreport.text.tables import EXTREMES, NOTHING, Cell, Column, Table, Written, extremes, make_long_table

CHANCE = message("With chance in the records (95%)")
"""The heading of the interval that covers chance too, where the rule was estimated from records."""

UNKNOWN = message("Announced, whoever the unknown are")
"""The heading of what a measure could be, where the group of some people is unknown."""

MANY = 10
"""Of more comparisons than this, those that may be furthest from equal treatment come first."""

_MOST_UNEQUAL = message(
    "{shown} of {total} comparisons are shown: those that may be furthest from equal treatment. measures.csv has "
    "all of them."
)
_MOST_UNEQUAL_OF_LARGE = message(
    "{shown} of {total} comparisons are shown: those that may be furthest from equal treatment, among groups of at least "
    "{limit} people. measures.csv has all of them."
)
_RATES_AT_ENDS = message(
    "{shown} of {total} rates are shown: the highest and the lowest. report.json has all of them."
)
_RATES_AT_ENDS_OF_LARGE = message(
    "{shown} of {total} rates are shown: the highest and the lowest, among groups of at least {limit} people. report.json "
    "has all of them."
)

_ONE_VERDICT: dict[Verdict, str] = {
    "meets": message("The one comparison with a threshold is certain to meet it."),
    "does_not_meet": message("The one comparison with a threshold is certain not to meet it."),
    "cannot_tell": message(
        "Whether the one comparison with a threshold meets it cannot be told at this fidelity."
    ),
}


def measure_definitions(report: Report) -> tuple[tuple[str, str], ...]:
    """The measures that the report has: name, and what it means."""
    outcome = report.process.outcome
    rates = {assessment.rate for assessment in report.fairness}
    told: list[tuple[str, str]] = []
    for words in measures_used(report.fairness):
        of_rates = [each for rate, each in words.rates.items() if rate in rates]
        definition = words.defined(len(outcome.values))
        told += [(each.name, each.definition) for each in of_rates] or [(words.name, definition)]
    return tuple((gettext(name), gettext(meaning, favourable=outcome.favourable)) for name, meaning in told)


def measure_table(report: Report) -> Table | None:
    """Every fairness measure; of many, those that could be furthest from equal treatment first, or alone."""
    in_unit = [
        (unit, a) for unit, a in zip(units(report), report.fairness, strict=True) if not a.is_of_one_group
    ]
    if not in_unit:
        return None
    assessments = [a for _, a in in_unit]
    sizes = GroupSizes(report)
    large = np.array([all(sizes.is_large(a, rate) for rate in a.rates or ()) for a in assessments])
    urgency = _urgency(assessments)
    chosen = extremes(urgency, both_ends=False, among=large, whole=2 * EXTREMES)
    if len(chosen.rows) > MANY:
        chosen = replace(chosen, rows=sorted(chosen.rows, key=lambda i: -urgency[i]))
    columns = _measure_columns(assessments, whole=chosen.whole)

    def write(rows: Sequence[int]) -> Written:
        entries = [
            _measure_entries(report, assessment, unit) for unit, assessment in (in_unit[i] for i in rows)
        ]
        return list(columns.values()), [[entry[name] for name in columns] for entry in entries]

    left_out = chosen.explained(
        _MOST_UNEQUAL if large.all() else _MOST_UNEQUAL_OF_LARGE,
        limit=count(report.policy.small_cells.under),
    )
    return make_long_table("measures", gettext("Fairness measures"), chosen, write, left_out)


def _measure_columns(assessments: Sequence[Assessment], *, whole: bool) -> dict[str, Column]:
    """The columns of the table of measures, by the entries that stand in them."""
    several = not whole or len({measure_name(a) for a in assessments}) > 1
    measure = {"measure": Column(gettext("Measure"), names_row=True, said_once=not several)}
    verdict = {"verdict": Column(gettext("Verdict"), said_once=whole)}
    whom = {"whom": Column(gettext("Compared"), names_row=True)}
    # The verdict stands second, so that no width of a screen or page cuts it off.
    columns = measure | verdict | whom if several else measure | whom | verdict
    if any(a.rates for a in assessments):
        columns["rates"] = Column(gettext("Rates announced"))
    columns["value"] = Column(gettext("Announced"), numeric=True)
    columns["interval"] = Column(gettext("True value lies in"), numeric=True)
    if any(a.sampling for a in assessments):
        columns["chance"] = Column(gettext(CHANCE), numeric=True)
    if any(a.unknown for a in assessments):
        columns["unknown"] = Column(gettext(UNKNOWN), numeric=True)
    return columns


def _measure_entries(report: Report, assessment: Assessment, unit: Unit) -> dict[str, str | Cell]:
    """What the table of measures says of one of them. The announced value names the unit for all of them."""
    unknown = assessment.unknown
    return {
        "measure": measure_name(assessment),
        "verdict": _verdict(assessment, unit),
        "whom": directed(report, assessment),
        "rates": _both_rates(report, assessment),
        "value": unit.value(assessment.value),
        "interval": interval_text(assessment, unit, beside_value=True),
        "chance": sampling_text(assessment.sampling, unit),
        "unknown": unit.beside(*unknown.interval) if unknown else NOTHING,
    }


def _verdict(assessment: Assessment, unit: Unit) -> Cell:
    """The verdict, and the threshold that it is about."""
    cell = verdict_cell(assessment.verdict)
    if assessment.threshold is None:
        return cell
    threshold = threshold_text(assessment.threshold, unit, is_ratio=assessment.is_ratio)
    return replace(cell, text=gettext("{verdict} ({threshold})", verdict=cell.text, threshold=threshold))


def _both_rates(report: Report, assessment: Assessment) -> str:
    """The announced rates of the two groups, in the order in which the row names them."""
    found = find_disparity(report, assessment)
    if found is None:
        return NOTHING
    return gettext(
        "{lower} and {higher}", lower=hundredths(found.lower.value), higher=full_percent(found.higher.value)
    )


def _urgency(assessments: Sequence[Assessment]) -> IntArray:
    """How far from equal treatment a true value may be, in millionths: unbounded first."""
    far = [
        2**40
        if a.result is None
        else int(a.result.high * 10**6)
        if not a.is_ratio
        else 10**6 - int(a.result.low * 10**6)
        for a in assessments
    ]
    return np.array(far, dtype=np.int64)


def rate_table(report: Report) -> Table | None:
    """The favourable rate of every group that is compared, each once."""
    each: dict[tuple[GroupRate, str, str], bool] = {}
    sizes = GroupSizes(report)
    for assessment in report.fairness:
        given = named_values(report.process, assessment.given or {})
        by = " · ".join(report.process.attribute(name).title for name in assessment.by or ())
        for rate in assessment.rates or ():
            if rate.kind is None:
                each.setdefault((rate, by, given), sizes.is_large(assessment, rate))
    if not each:
        return None
    entries, large = list(each), np.array(list(each.values()))
    chosen = extremes(
        np.array([steps(rate.value, report.policy.decimals) for rate, _, _ in entries], dtype=np.int64),
        among=large,
    )
    counts = any(rate.people is not None for rate, _, _ in entries)
    chance = any(rate.sampling for rate, _, _ in entries)
    titled = any(by for _, by, _ in entries)
    columns = [
        *([Column(gettext("By"), names_row=True, said_once=True)] if titled else []),
        Column(gettext("Group"), names_row=True),
        Column(gettext("Among"), names_row=True, said_once=True),
        Column(gettext("Announced rate"), numeric=True),
        Column(gettext("True rate lies in"), numeric=True),
        *([Column(gettext(CHANCE), numeric=True)] if chance else []),
        *([Column(gettext("People"), numeric=True)] if counts else []),
    ]

    def write(rows: Sequence[int]) -> Written:
        return columns, [
            [
                *([by or NOTHING] if titled else []),
                rate.group,
                among,
                full_percent(rate.value),
                full_percent_interval(rate.low, rate.high),
                *([sampling_text(rate.sampling, PERCENT)] if chance else []),
                *([NOTHING if rate.people is None else count(rate.people)] if counts else []),
            ]
            for rate, by, among in (entries[i] for i in rows)
        ]

    caption = gettext(
        "Rate of “{favourable}” in each group that is compared",
        favourable=report.process.outcome.favourable,
    )
    left_out = chosen.explained(
        _RATES_AT_ENDS if large.all() else _RATES_AT_ENDS_OF_LARGE,
        limit=count(report.policy.small_cells.under),
    )
    return make_long_table("rates", caption, chosen, write, left_out)


_ALL_ALIKE: dict[Verdict, tuple[str, str]] = {
    "cannot_tell": plural(
        "{number} comparison has a threshold. It cannot be told at this fidelity whether it is met.",
        "{number} comparisons have a threshold. For none of them can it be told at this fidelity whether it is met.",
    ),
    "meets": plural(
        "{number} comparison has a threshold and is certain to meet it.",
        "All {number} comparisons with a threshold are certain to meet it.",
    ),
    "does_not_meet": plural(
        "{number} comparison has a threshold and is certain not to meet it.",
        "All {number} comparisons with a threshold are certain not to meet it.",
    ),
}
_SOME: dict[Verdict, tuple[str, str]] = {
    "does_not_meet": plural("{number} is certain not to meet it.", "{number} are certain not to meet it."),
    "meets": plural("{number} is certain to meet it.", "{number} are certain to meet it."),
    "cannot_tell": plural(
        "For {number} it cannot be told at this fidelity.",
        "For {number} it cannot be told at this fidelity.",
    ),
}
"""How many thresholds are missed, met and undecided, the worst first; nothing is said on what none is."""


def verdict_summary(assessments: Sequence[Assessment]) -> str:
    """How many thresholds are met, missed, or undecided."""
    verdicts = Counter(a.verdict for a in assessments if a.verdict is not None and not a.is_of_one_group)
    number = sum(verdicts.values())
    if not number:
        return gettext("No threshold was set, so there is no verdict.") if assessments else ""
    if len(verdicts) == 1:
        (verdict,) = verdicts
        return gettext(_ONE_VERDICT[verdict]) if number == 1 else ngettext(number, *_ALL_ALIKE[verdict])
    some = [ngettext(verdicts[verdict], *words) for verdict, words in _SOME.items() if verdicts[verdict]]
    return " ".join(
        [
            ngettext(
                number, "{number} comparison has a threshold.", "{number} comparisons have a threshold."
            ),
            *some,
        ]
    )


def error_table(report: Report) -> Table | None:
    """Every error rate that is compared, each once."""
    entries = list(
        dict.fromkeys(rate for a in report.fairness for rate in a.rates or () if rate.kind is not None)
    )
    if not entries:
        return None
    chosen = extremes(
        np.array([steps(rate.value, report.policy.decimals) for rate in entries], dtype=np.int64)
    )
    chance = any(rate.sampling for rate in entries)
    favourable = report.process.outcome.favourable
    columns = [
        Column(gettext("Group"), names_row=True),
        Column(gettext("Share of people"), names_row=True, said_once=True),
        Column(gettext("Announced"), numeric=True),
        Column(gettext("True share lies in"), numeric=True),
        *([Column(gettext(CHANCE), numeric=True)] if chance else []),
    ]

    def write(rows: Sequence[int]) -> Written:
        return columns, [
            [
                rate.group,
                gettext(KINDS[rate.kind], favourable=favourable),
                full_percent(rate.value),
                full_percent_interval(rate.low, rate.high),
                *([sampling_text(rate.sampling, PERCENT)] if chance else []),
            ]
            for rate in (entries[i] for i in rows)
            if rate.kind is not None
        ]

    caption = gettext("Error rates of each group that is compared")
    return make_long_table("error-rates", caption, chosen, write, chosen.explained(_RATES_AT_ENDS))


# Who is worse off: two groups with their favourable rates, in order, and how sure that order is.
#
# Everything follows from printed figures. The order is called certain only where no rule and no population within the
# printed intervals gives the other one; it is called open only where both orders are left by them.


Order = Literal["certain", "never_better", "announced", "open", "equal"]
"""Of the group that has the lower announced rate: certain to have the lower true one; certain not to have the higher;
lower as announced, and no more is said; not to be told from what is printed; or both true rates are certain to be equal."""


@dataclass(frozen=True, kw_only=True)
class Disparity:
    """Two groups, and the favourable rate of each; or an error rate of each, where that is compared."""

    assessment: Assessment
    lower: GroupRate  # of equal rates: the first that is named
    higher: GroupRate
    gap: Decimal  # as announced
    low: Decimal  # the least that the true gap can be
    high: Decimal
    order: Order
    chance: Sampling | None = None  # where the gap lies if chance in the records is taken in too

    @property
    def is_tie(self) -> bool:
        """Whether the announced rates are the same, as printed."""
        return self.lower.value == self.higher.value

    @property
    def worse(self) -> GroupRate | None:
        """The group that the announced rule treats worse; None where neither of two error rates is the better one.

        Not to get the favourable outcome though it was right is worse, and so is to get it less often.
        """
        if self.lower.kind == "false_negative":
            return self.higher
        return self.lower if self.lower.kind in (None, "true_positive") else None


def find_disparity(report: Report, assessment: Assessment) -> Disparity | None:
    """The two groups of one comparison; None where it is not one of two groups with a rate each."""
    if assessment.rate == "equalised_odds":  # of two rates each
        return None
    rates = {rate.group: rate for rate in assessment.rates or ()}
    if assessment.groups is None or assessment.is_of_one_group or not rates.keys() >= {*assessment.groups}:
        return None
    lower, higher = sorted((rates[group] for group in assessment.groups), key=lambda rate: rate.value)
    nothing = higher.value - higher.value  # with all its decimals
    low = max(nothing, higher.low - lower.high, lower.low - higher.high)
    high = max(higher.high - lower.low, lower.high - higher.low)
    gap = higher.value - lower.value
    two_outcomes = len(report.process.outcome.values) == 2
    is_gap = assessment.rate is not None or (MEASURES[assessment.measure].is_gap and two_outcomes)
    if is_gap and assessment.result is not None:
        gap, low, high = (
            assessment.result.value,
            max(low, assessment.result.low),
            min(high, assessment.result.high),
        )
    return Disparity(
        assessment=assessment,
        lower=lower,
        higher=higher,
        gap=gap,
        low=low,
        high=high,
        order=_order(report, lower, higher, low, high),
        chance=assessment.sampling if is_gap else None,
    )


def _order(report: Report, lower: GroupRate, higher: GroupRate, low: Decimal, high: Decimal) -> Order:
    if high == 0:
        return "equal"
    if lower.high < higher.low:
        return "certain"
    if lower.value == higher.value:
        return "open"
    if lower.high == higher.low:
        return "never_better"
    if low == 0:
        return "open"
    # Groups that overlap: their rates cannot cross though their intervals do. With one population that settles the order;
    # with several (shares as printed and exact counts) each has an order of its own, and they are not compared here.
    one = report.policy.population != "shares" and report.policy.small_cells.is_exact
    return "certain" if one else "announced"


def all_disparities(report: Report) -> list[Disparity]:
    """Every two groups whose favourable rates are compared, each pair once, the largest announced gap first.

    Of equal ones the surest. Error rates stand in for favourable rates only where no favourable rates are compared.
    """
    favourable = [a for a in report.fairness if a.rate is None and a.groups is not None]
    each: dict[object, Disparity] = {}
    for assessment in favourable or report.fairness:
        found = find_disparity(report, assessment)
        if found is None:
            continue
        key = (
            assessment.rate,
            assessment.by,
            frozenset(assessment.groups or ()),
            tuple(sorted((assessment.given or {}).items())),
        )
        each[key] = _tighter(each[key], found) if key in each else found
    return sorted(each.values(), key=lambda found: (-found.gap, -found.low))


def _tighter(one: Disparity, other: Disparity) -> Disparity:
    """The same two groups, with what either comparison says of their gap."""
    kept = one if MEASURES[one.assessment.measure].is_gap else other
    order = other.order if one.order == "open" else one.order
    return replace(kept, low=max(one.low, other.low), high=min(one.high, other.high), order=order)


def large_enough(sizes: GroupSizes, found: Disparity) -> bool:
    """Whether both groups have at least as many people as the limit on small cells asks for, as far as that is published."""
    return all(sizes.is_large(found.assessment, rate) for rate in (found.lower, found.higher))


def chosen_by_publisher(report: Report) -> list[Assessment]:
    """The comparisons of the measures that the publisher wants to see first."""
    entries = entries_of(report.measures, report.fairness)
    return [a for a, asked in zip(report.fairness, entries, strict=True) if asked and asked.headline]


def compared_by(report: Report, assessment: Assessment) -> str:
    """What makes the groups: the attributes, those in which people are alike, and the error rate that is compared."""
    titles = _made_by(report, assessment)
    among = (
        gettext("among {people}", people=named_values(report.process, assessment.given))
        if assessment.given
        else ""
    )
    rate = MEASURES[assessment.measure].named_at(None, assessment.rate) if assessment.rate else ""
    return ", ".join(filter(None, (titles, among, rate))) or gettext("Groups chosen by the publisher")


def _made_by(report: Report, assessment: Assessment) -> str:
    """The attributes that make the groups; empty where the publisher named the groups."""
    return list_and(report.process.attribute(name).title for name in assessment.by or ())


def rate_words(report: Report, found: Disparity) -> str:
    """What the rates are the share of: approved; or got “approved”, of those for whom it was right."""
    favourable = report.process.outcome.favourable
    return favourable if found.lower.kind is None else gettext(KINDS[found.lower.kind], favourable=favourable)


def named(report: Report, assessment: Assessment, group: str) -> str:
    """A group in a sentence, such as Gender “F”, or Gender and Region “F · north”."""
    titles = _made_by(report, assessment)
    return gettext("{attribute} “{value}”", attribute=titles, value=group) if titles else quote(group)


def with_rate(rate: GroupRate) -> str:
    """A group and its announced rate, for a table."""
    return gettext("{group}: {rate}", group=rate.group, rate=full_percent(rate.value))


def directed(report: Report, assessment: Assessment) -> str:
    """Whom a measure compares, with the direction: Gender: F below M, among Annual income: <100k."""
    found = find_disparity(report, assessment)
    if found is None or assessment.groups is None:
        return comparison(assessment, report.process)
    titles, pair = _made_by(report, assessment), _pair(found)
    if titles:
        pair = gettext("{attribute}: {value}", attribute=titles, value=pair)
    if assessment.measure in _REMARKS:
        pair = gettext(_REMARKS[assessment.measure], pair=pair)
    if assessment.given:
        pair = gettext(
            "{pair}, among {people}", pair=pair, people=named_values(report.process, assessment.given)
        )
    if assessment.outcome:
        pair = gettext("{pair} (smallest for “{outcome}”)", pair=pair, outcome=assessment.outcome)
    return pair


_REMARKS = {
    "impact_ratio": message("{pair}, the most favoured"),
    "group_disparity": message("{pair}, the furthest apart"),
}
"""What a measure says of the second of two groups, or of both."""


def _pair(found: Disparity) -> str:
    """Two groups, the one with the lower rate first."""
    words = message("{lower} below {higher}")
    if found.is_tie:
        words = message("{lower} and {higher} alike")
    elif found.order == "open":
        words = message("{lower} below {higher} (not certain)")
    return gettext(words, lower=found.lower.group, higher=found.higher.group)


_WHO: dict[Order, str] = {
    "certain": message("{group}, for certain"),
    "never_better": message("{group}, or neither"),
    "announced": message("{group}, as announced"),
    "open": message("cannot be told"),
    "equal": message("neither"),
}


def who(found: Disparity) -> str:
    """Which of the two is worse off, in few words."""
    if found.worse is None:
        return gettext("this rate does not say")
    return gettext(_WHO[found.order], group=found.worse.group)
