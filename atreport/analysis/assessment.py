"""What a fairness measure says: a figure, a certified interval, and a verdict against a threshold.

Guarantee: the interval holds the value under the true mapping, whatever the true mapping is, as long as it is within the
published fidelity of the announced one. Ends are rounded outward, so the guarantee holds for the figures as printed;
verdicts are drawn from the printed ends only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal

Verdict = Literal["meets", "does_not_meet", "cannot_tell"]
MeasureName = Literal[
    "statistical_parity",
    "conditional_statistical_parity",
    "p_percent_rule",
    "impact_ratio",
    "group_disparity",
    "individual",
]
RATIOS: frozenset[MeasureName] = frozenset({"p_percent_rule", "impact_ratio"})
"""Measures that are a share of 1 and should reach their threshold; all others should not exceed it."""


@dataclass(frozen=True)
class Range:
    """An exact value and the exact interval it can move in."""

    value: Fraction
    low: Fraction
    high: Fraction


@dataclass(frozen=True, kw_only=True)
class Interval:
    """A figure and its certified interval as printed: the value to the nearest step, the ends outward."""

    value: Decimal
    low: Decimal
    high: Decimal

    @classmethod
    def printed(cls, ranges: list[Range], decimals: int) -> Interval:
        """Print the first range's value with an interval that holds all the ranges."""
        return cls(
            value=nearest(ranges[0].value, decimals),
            low=rounded_down(min(r.low for r in ranges), decimals),
            high=rounded_up(max(r.high for r in ranges), decimals),
        )


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """What chance alone may have done, where the rule was estimated from records. No part of the certified interval.

    Guarantee: if the announced rates are the frequencies in the records, an interval made this way holds the value of the
    process behind the records in at least the stated share of repetitions, whatever that process is.
    """

    low: Decimal
    high: Decimal
    level: Decimal
    method: str


@dataclass(frozen=True, kw_only=True)
class GroupRate:
    """The favourable rate of one group as announced, and where the true rate can lie."""

    group: str
    rate: Interval
    people: int
    sampling: Sampling | None = None


@dataclass(frozen=True, kw_only=True)
class UnknownRange:
    """Where a measure could lie, as announced, whichever groups the people of unknown group belong to."""

    people: int  # of unknown group
    low: Decimal
    high: Decimal
    is_exact: bool  # both ends are attained; otherwise no value is outside


@dataclass(frozen=True, kw_only=True)
class OutcomeResult:
    """A measure of one outcome, where it is taken over several."""

    outcome: str
    result: Interval


@dataclass(frozen=True, kw_only=True)
class Assessment:
    """One measure of some groups (or of all pairs of people), with what may be concluded from it.

    `groups` are the two that are compared. Of the impact ratio: a group and the most favoured one as announced, which
    may be the group itself. Of the group disparity: those with the highest and the lowest rate as announced.
    """

    measure: MeasureName
    title: str | None  # the publisher's own name for it
    groups: tuple[str, str] | None
    given: Mapping[str, str] | None
    result: Interval | None  # None: the measure is unbounded here
    a_priori: (
        Decimal | None
    )  # the most it can move at this fidelity, known before any figure; None: no such bound
    threshold: Decimal | None
    verdict: Verdict | None
    value_at_most: Decimal | None = (
        None  # where a search ended early: the value is the largest found, and at most this
    )
    rates: tuple[GroupRate, ...] = ()  # favourable rates of `groups`; of the disparity, of all groups
    log_ratio: Interval | None = None  # of the p% rule, |log(rate / rate)|; None where a rate may be 0
    outcome: str | None = None  # of the p% rule over all outcomes, the one with the smallest announced ratio
    by_outcome: tuple[OutcomeResult, ...] = ()  # of the p% rule over all outcomes, the ratio of each
    sampling: Sampling | None = None  # None: the rule is no estimate, or the counts are not published
    unknown: UnknownRange | None = None  # None: of nobody the group is unknown

    @property
    def is_ratio(self) -> bool:
        """Whether it should reach its threshold; otherwise it should not exceed it."""
        return self.measure in RATIOS


@dataclass(frozen=True, kw_only=True)
class NotAssessed:
    """A comparison that could not be made because nobody is in one of its groups."""

    measure: MeasureName
    groups: tuple[str, str]
    given: Mapping[str, str] | None


def at_most(result: Interval | None, threshold: Decimal | None) -> Verdict | None:
    """The verdict on a measure that should not exceed the threshold."""
    if threshold is None:
        return None
    if result is None:
        return "cannot_tell"
    if result.high <= threshold:
        return "meets"
    return "does_not_meet" if result.low > threshold else "cannot_tell"


def at_least(result: Interval, threshold: Decimal | None) -> Verdict | None:
    """The verdict on a measure that should reach the threshold."""
    if threshold is None:
        return None
    if result.low >= threshold:
        return "meets"
    return "does_not_meet" if result.high < threshold else "cannot_tell"


def nearest(number: Fraction, decimals: int) -> Decimal:
    """Rounded to the nearest printed step, halves to even."""
    whole, rest = divmod(number.numerator * 10**decimals, number.denominator)
    up = 2 * rest > number.denominator or (2 * rest == number.denominator and whole % 2)
    return Decimal(whole + bool(up)).scaleb(-decimals)


def rounded_down(number: Fraction, decimals: int) -> Decimal:
    """Rounded to the printed step at or below."""
    return Decimal(number.numerator * 10**decimals // number.denominator).scaleb(-decimals)


def rounded_up(number: Fraction, decimals: int) -> Decimal:
    """Rounded to the printed step at or above."""
    return Decimal(-(-number.numerator * 10**decimals // number.denominator)).scaleb(-decimals)
