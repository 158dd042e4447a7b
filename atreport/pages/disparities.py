"""Who is worse off: two groups with their favourable rates, in order, and how sure that order is.

Everything follows from printed figures. The order is called certain only where no rule and no population within the
printed intervals gives the other one; it is called open only where both orders are left by them.
"""

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from atreport.compose.small_numbers import GroupSizes
from atreport.pages.measures import KINDS, MEASURES, comparison
from atreport.pages.wording import named_values
from atreport.report.fairness import Assessment, GroupRate, entries_of
from atreport.report.figures import Sampling
from atreport.report.model import Report
from atreport.text.language import gettext, list_and, message, quote
from atreport.text.numbers import full_percent

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
    groups = {"lower": found.lower.group, "higher": found.higher.group}
    if found.is_tie:
        return gettext("{lower} and {higher} alike", **groups)
    if found.order == "open":
        return gettext("{lower} below {higher} (not certain)", **groups)
    return gettext("{lower} below {higher}", **groups)


def who(found: Disparity) -> str:
    """Which of the two is worse off, in few words."""
    if found.worse is None:
        return gettext("this rate does not say")
    group = found.worse.group
    match found.order:
        case "certain":
            return gettext("{group}, for certain", group=group)
        case "never_better":
            return gettext("{group}, or neither", group=group)
        case "announced":
            return gettext("{group}, as announced", group=group)
        case "open":
            return gettext("cannot be told")
        case "equal":
            return gettext("neither")
