"""Comparisons of rates that may lie anywhere in their intervals: nothing is outside, and nothing narrower is true."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from atreport.core.band import Range
from atreport.measures.comparisons import (
    difference_range,
    disparity_range,
    impact_ranges,
    parity_of_outcomes,
    ratio_range,
    smaller_of_both,
)
from atreport.measures.feasible_rules import apart
from atreport.measures.odds_ratio import odds_range

STEPS = 8

Rates = Sequence[Fraction]


def share(a: Fraction, b: Fraction) -> Fraction:
    """The smaller as a share of the larger, equal rates being 1."""
    return Fraction(1) if a == b else min(a, b) / max(a, b)


def odds_share(a: Fraction, b: Fraction) -> Fraction:
    """The smaller odds as a share of the larger, by the definition of odds; those of a rate of 1 have no end."""
    if a == b:
        return Fraction(1)
    if 1 in (a, b) or 0 in (a, b):
        return Fraction(0)
    return share(a / (1 - a), b / (1 - b))


# name: (how many groups, the interval, the definition)
COMPARISONS: dict[str, tuple[int, Callable[[list[Range]], Range], Callable[[Rates], Fraction]]] = {
    "difference": (2, lambda r: difference_range(apart(*r)), lambda r: abs(r[0] - r[1])),
    "ratio": (2, lambda r: ratio_range(apart(*r)), lambda r: share(r[0], r[1])),
    "ratio of all outcomes": (
        2,
        lambda r: smaller_of_both(apart(*r)),
        lambda r: min(share(r[0], r[1]), share(1 - r[0], 1 - r[1])),
    ),
    "odds": (2, lambda r: odds_range(apart(*r)), lambda r: odds_share(r[0], r[1])),
    "impact": (3, lambda r: impact_ranges(r)[1], lambda r: r[1] / max(r) if max(r) else Fraction(1)),
    "disparity": (3, disparity_range, lambda r: max(r) - min(r)),
}


@pytest.mark.parametrize("name", COMPARISONS)
def test_both_ends_are_attained_and_nothing_is_outside(name: str) -> None:
    """The interval is the set of all values on a grid of rates, no wider and no narrower, for 500 random boxes."""
    groups, interval, definition = COMPARISONS[name]
    rng = np.random.default_rng(sum(map(ord, name)))
    for _ in range(500):
        box = np.sort(rng.integers(0, STEPS + 1, (groups, 3)), axis=1).tolist()
        ranges = [Range(*(Fraction(n, STEPS) for n in (value, low, high))) for low, value, high in box]
        grid = product(*([Fraction(n, STEPS) for n in range(low, high + 1)] for low, _, high in box))
        values = [definition(rates) for rates in grid]
        found = interval(ranges)
        assert (found.low, found.high) == (min(values), max(values))
        assert found.value == definition([r.value for r in ranges])


def test_parity_of_three_outcomes_is_never_outside() -> None:
    """For three outcomes the interval holds every pair of distributions in the box, and is narrower than each sum alone."""
    rng = np.random.default_rng(5)
    narrower = 0
    for _ in range(2000):
        boxes, points = [], []
        for _group in range(2):
            true, said = (rng.multinomial(30, [1 / 3] * 3) for _ in range(2))
            low, high = np.minimum(true, said), np.maximum(true, said)
            low, high = np.maximum(low - rng.integers(0, 3), 0), np.minimum(high + rng.integers(0, 3), 30)
            boxes.append(
                {str(k): Range(*(Fraction(int(n), 30) for n in (said[k], low[k], high[k]))) for k in range(3)}
            )
            points.append([Fraction(int(n), 30) for n in true])
        found = parity_of_outcomes(boxes[0], boxes[1], 3)
        value = sum((abs(a - b) for a, b in zip(*points, strict=True)), Fraction(0)) / 3
        assert found.low <= value <= found.high
        assert found.low <= found.value <= found.high
        alone = [difference_range(apart(boxes[0][o], boxes[1][o])) for o in boxes[0]]
        assert sum(r.low for r in alone) / 3 <= found.low
        assert found.high <= sum(r.high for r in alone) / 3
        narrower += found.low > sum(r.low for r in alone) / 3 or found.high < sum(r.high for r in alone) / 3
    assert narrower > 100
