"""Whether chance could explain a difference between two groups of recorded cases, from the true counts.

Two customary checks: Fisher's exact test, and whether two more favourable decisions in the less favoured group would
change the verdict. Both are about small numbers; neither is a legal finding. Confidential, since they use true counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from atreport.analysis.assessment import Assessment, Range
from atreport.analysis.comparisons import difference_range, disparity_range, ratio_range

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


def chance_of(true: Assessment, outcomes: int) -> Chance | None:
    """Both checks for a measure under the true rule; None where it does not compare two different groups."""
    counts = {r.group: Counts(round(Fraction(r.rate.value) * r.people), r.people) for r in true.rates}
    if true.groups is None or true.groups[0] == true.groups[1]:
        return None
    first, second = (counts[group] for group in true.groups)
    less_favoured = true.groups[0] if first.rate <= second.rate else true.groups[1]
    with_more = {**counts, less_favoured: counts[less_favoured].with_more(MORE_PERSONS)}
    more = _measured(true, with_more, outcomes)
    changes = None
    if more is not None and true.threshold is not None and true.result is not None:
        changes = _holds(true, more) != _holds(true, Fraction(true.result.value))
    return Chance(
        fisher=fisher(first, second),
        two_more=None if more is None else float(more),
        two_more_changes=changes,
    )


def fisher(first: Counts, second: Counts) -> float:
    """Fisher's exact test, two-sided: the chance of counts no more likely than these, all sums being as they are.

    What `scipy.stats.fisher_exact` gives; importing that takes longer than counting ten million records may.
    """
    people, favoured = first.people + second.people, first.favourable + second.favourable
    # Counts more than forty standard deviations from the mean have no chance that a float could hold.
    mean = first.people * favoured / people
    spread = mean * (people - favoured) / people * second.people / max(people - 1, 1)
    reach = 40 * spread**0.5 + 1000
    fewest = max(0, favoured - second.people, int(mean - reach))
    most = min(first.people, favoured, int(mean + reach))
    if not fewest <= first.favourable <= most:
        return 0.0
    fewer = np.arange(
        fewest, most, dtype=np.float64
    )  # the chance of one more, compared with the chance of these
    one_more = (
        (first.people - fewer) * (favoured - fewer) / (fewer + 1) / (second.people - favoured + fewer + 1)
    )
    weight = np.concatenate([[0.0], np.cumsum(np.log(one_more))])
    chance = np.exp(weight - weight.max())
    observed = chance[first.favourable - fewest]
    return float(min(chance[chance <= observed * (1 + 1e-7)].sum() / chance.sum(), 1.0))


def _measured(true: Assessment, counts: dict[str, Counts], outcomes: int) -> Fraction | None:
    """The measure from counts; None where it needs more than the favourable rates."""
    if outcomes > 2 and (true.by_outcome or not true.is_ratio) and true.measure != "group_disparity":
        return None
    assert true.groups is not None
    first, second = (counts[group].rate for group in true.groups)
    if true.measure == "group_disparity":
        return disparity_range(_points([c.rate for c in counts.values()])).value
    if not true.is_ratio:
        return difference_range(*_points([first, second])).value
    ratios = [ratio_range(*_points([first, second])).value]
    if true.by_outcome:
        ratios.append(ratio_range(*_points([1 - first, 1 - second])).value)
    return min(ratios)


def _points(rates: Sequence[Fraction]) -> list[Range]:
    return [Range(rate, rate, rate) for rate in rates]


def _holds(true: Assessment, value: Fraction) -> bool:
    assert true.threshold is not None
    threshold = Fraction(true.threshold)
    return value >= threshold if true.is_ratio else value <= threshold
