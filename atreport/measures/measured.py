"""What a fairness measure gives on a rule table: exact figures, and the exact intervals they can move in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from functools import partial
from typing import Literal, TypeGuard

from atreport.core.band import Closeness, Range
from atreport.core.rule_table import RuleTable
from atreport.spec.fairness import ErrorRate, GroupMeasure, Measure, RateKind
from atreport.text.numbers import rounded_up

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


# A-priori bounds: how far a measure can be from its true value at the published fidelity, whatever the
# figures are.
#
# Each bound is rounded up to the printed decimals, so it never claims more precision than there is.


def bound_of_groups(
    table: RuleTable, asked: GroupMeasure, bound: Callable[[RuleTable], Decimal]
) -> Decimal | None:
    """The bound of a measure of groups; None where not everybody is published, by their own value and exactly counted.

    Then who is in a group moves the measure too, and the interval says how far.
    """
    joined = table.cells.process.has_joined(asked.attributes_used)
    if not table.small_cells.is_exact or joined or table.cells.left_out:
        return None
    return bound(table)


def group_difference_bound(table: RuleTable, asked: GroupMeasure) -> Decimal | None:
    """The bound of a difference of two groups' rates.

    Where public attributes alone tell who is in a group, it consists of whole QID groups, so its rate moves by no more than
    the rates that are kept.
    """
    roles = {table.cells.process.attribute(name).role for name in asked.attributes_used}
    kept = table.rate_move if roles <= {"public"} else None
    return bound_of_groups(table, asked, partial(difference_bound, kept=kept))


def difference_bound(table: RuleTable, kept: Fraction | None = None) -> Decimal:
    """The most a difference of two rates can move: twice the most that one can, and never above 1.

    A rate moves by no more than a single probability can, nor than the rates that are `kept`.
    """
    move = largest_move(table)
    return rounded_up(min(Fraction(1), 2 * (move if kept is None else min(move, kept))), table.decimals)


def largest_move(table: RuleTable) -> Fraction:
    """The most by which any favourable probability can differ from the true one, whatever the figures are."""
    if isinstance(table.fidelity, Closeness):
        return table.fidelity.largest_move
    widest = int((table.fidelity.upper - table.fidelity.lower).max())
    return Fraction(widest, 10**table.fidelity.decimals)


def ratio_bound(table: RuleTable, *, factors: int = 2) -> Decimal:
    """The most a ratio between 0 and 1 of so many rates, multiplied and divided, can move.

    Under alpha each rate moves by a factor between α and 1/α, so a ratio of two by one between α² and 1/α², which is at
    most 1 - α² for a ratio between 0 and 1. Otherwise a small rate may vanish, and there is no bound but 1.
    """
    alpha = table.fidelity.ratio if _is_relative(table.fidelity) else Fraction(0)
    return rounded_up(1 - alpha**factors, table.decimals)


def log_bound(table: RuleTable) -> Decimal | None:
    """The most |log(rate / rate)| can move: -2 log α under alpha; None where nothing bounds it.

    It is not capped at 1: log ratios have no largest value.
    """
    if not _is_relative(table.fidelity) or table.fidelity.alpha is None:
        return None
    with localcontext() as context:
        context.prec = 40
        return (-2 * table.fidelity.alpha.ln()).quantize(Decimal(1).scaleb(-table.decimals), ROUND_CEILING)


def _is_relative(fidelity: object) -> TypeGuard[Closeness]:
    return isinstance(fidelity, Closeness) and fidelity.alpha is not None
