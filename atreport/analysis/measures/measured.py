"""What a fairness measure gives on a rule table: exact figures, and the exact intervals they can move in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from atreport.analysis.ranges import Range
from atreport.spec.models.measures import Measure
from atreport.spec.models.measures.error_rates import ErrorRate, RateKind

Reason = Literal["nobody", "joined", "left_out"]
"""Why a comparison cannot be made."""


@dataclass(frozen=True, kw_only=True)
class MeasuredRate:
    """The favourable rate of one group, or one of its error rates.

    `chance` is None where the rule is no estimate, or counts are not published.
    """

    group: str
    people: int | None  # None: others may be in it too, published under a value that stands for several
    ranges: tuple[Range, ...]  # once for each population that must hold
    chance: Range | None = None  # what chance may have done
    kind: RateKind | None = None  # None: the favourable rate


@dataclass(frozen=True, kw_only=True)
class UnknownExtremes:
    """Where a measure could lie, whichever groups the people of unknown group belong to."""

    people: int  # of unknown group
    low: Fraction
    high: Fraction
    is_exact: bool  # both ends are attained; otherwise no value is outside


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One measure of some groups (or of all pairs of people), exactly.

    `groups` are the two that are compared. Of the impact ratio: a group and the most favoured one, which may be the group
    itself. Of the group disparity: those with the highest and the lowest rate.
    """

    asked: Measure
    groups: tuple[str, str] | None
    given: Mapping[str, str] | None
    ranges: tuple[Range, ...] | None  # once for each population that must hold; None: unbounded
    a_priori: Decimal | None  # the most it can move, known before any figure; None: no such bound
    at_least: Fraction | None = None  # where nothing bounds it from above: it is at least this
    value_at_most: Fraction | None = None  # where a search ended early: the value is at most this
    rates: tuple[MeasuredRate, ...] = ()  # favourable rates of `groups`; of the disparity, of all groups
    outcome: str | None = None  # of a measure over all outcomes, the one that gives the value
    by_outcome: Mapping[str, tuple[Range, ...]] | None = None  # and the figure of each
    chance: Range | None = None  # what chance may have done to it
    unknown: UnknownExtremes | None = None  # None: of nobody the group is unknown
    rate: ErrorRate | None = None  # of error rates: which


@dataclass(frozen=True, kw_only=True)
class NotMeasured:
    """A comparison that could not be made, and why.

    nobody: nobody is in one of its groups. joined: people of one of them are published only under a value that stands for
    several. left_out: they are left out of the report.
    """

    asked: Measure
    groups: tuple[str, str] | None
    given: Mapping[str, str] | None
    reason: Reason = "nobody"
    rate: ErrorRate | None = None  # of error rates: which
