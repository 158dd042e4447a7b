"""Whether chance could explain a difference between two groups of recorded cases, from the true counts.

Two customary checks: Fisher's exact test, and whether two more favourable decisions in the less favoured group would
change the verdict. Both are about small numbers; neither is a legal finding. Confidential, since they use true counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from atreport.analysis.comparisons import disparity_range
from atreport.analysis.fisher import fisher_test
from atreport.analysis.measures import OF_TWO_RATES
from atreport.analysis.possible_rules.joint_rates import apart
from atreport.analysis.ranges import Range
from atreport.confidential.true_rule import TrueMeasure

MORE_PERSONS = 2


@dataclass(frozen=True, kw_only=True)
class Chance:
    """What small numbers may have done to one comparison of two groups."""

    fisher: float  # two-sided p-value: how often chance alone gives counts at least as uneven
    two_more: float | None  # the measure, had two more of the less favoured group been favoured
    two_more_changes: bool | None  # whether that changes the true verdict; None without a threshold


@dataclass(frozen=True)
class Counts:
    """One group of recorded cases."""

    favourable: int
    people: int

    @property
    def rate(self) -> Fraction:
        """The share of favourable decisions."""
        return Fraction(self.favourable, self.people)

    def with_more(self, persons: int) -> Counts:
        """The same group with more of them favoured, as far as there are any."""
        return Counts(min(self.favourable + persons, self.people), self.people)


def chance_of(true: TrueMeasure, outcomes: int) -> Chance | None:
    """Both checks for a measure under the true rule; None where it does not compare two different groups."""
    counts = {
        group: Counts(round(Fraction(rate.value) * rate.people), rate.people)
        for group, rate in true.rates.items()
        if rate.people is not None
    }
    if true.rate is not None:  # the counts of an error rate are those of a part of the group
        return None
    if true.groups is None or true.groups[0] == true.groups[1] or not counts.keys() >= {*true.groups}:
        return None
    first, second = (counts[group] for group in true.groups)
    less_favoured = true.groups[0] if first.rate <= second.rate else true.groups[1]
    with_more = {**counts, less_favoured: counts[less_favoured].with_more(MORE_PERSONS)}
    more = _measured(true, with_more, outcomes)
    changes = None
    if more is not None and true.asked.limit is not None and true.value is not None:
        changes = _holds(true, more) != _holds(true, Fraction(true.value))
    return Chance(
        fisher=fisher_test((first.favourable, first.people), (second.favourable, second.people)),
        two_more=None if more is None else float(more),
        two_more_changes=changes,
    )


def _measured(true: TrueMeasure, counts: dict[str, Counts], outcomes: int) -> Fraction | None:
    """The measure from counts; None where it needs more than the favourable rates."""
    measure = true.asked.measure
    if outcomes > 2 and (true.is_over_outcomes or not true.asked.is_ratio) and measure != "group_disparity":
        return None
    assert true.groups is not None
    first, second = (counts[group].rate for group in true.groups)
    if measure == "group_disparity":
        return disparity_range(_points([c.rate for c in counts.values()])).value
    compared = OF_TWO_RATES[measure]
    value = compared(apart(*_points([first, second]))).value
    if true.is_over_outcomes:
        value = min(value, compared(apart(*_points([1 - first, 1 - second]))).value)
    return value


def _points(rates: Sequence[Fraction]) -> list[Range]:
    return [Range(rate, rate, rate) for rate in rates]


def _holds(true: TrueMeasure, value: Fraction) -> bool:
    assert true.asked.limit is not None
    limit = Fraction(true.asked.limit)
    return value >= limit if true.asked.is_ratio else value <= limit
