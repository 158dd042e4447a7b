"""How far apart an announced and a true probability may be, in exact arithmetic.

Fidelity is symmetric: if the announced value lies in the band around the true one, the true one lies in the same band
around the announced one. So one definition serves both sides of the wall, each around the value it may know.

Guarantee: the bounds of all outcomes are intersected, so every value in a band is possible beside the others.
"""

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.core.cells import ExactArray, IntArray
from atreport.core.exact import product, widen

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Closeness:
    """A fidelity as published: absolute (delta) or relative (alpha). Exactly one is given."""

    delta: Decimal | None = None
    alpha: Decimal | None = None

    @property
    def largest_move(self) -> Fraction:
        """The most by which any single probability can differ from the true one.

        Under alpha the two bounds d/α - d and (1 - α)(1 - d) meet at d = α/(1 + α), which gives (1 - α)/(1 + α).
        """
        if self.delta is not None:
            return 1 - Fraction(self.delta)
        alpha = self.ratio
        return (1 - alpha) / (1 + alpha)

    def only_rounds(self, decimals: int, outcomes: int) -> bool:
        """Whether it leaves room for rounding to so many decimals, and for nothing else."""
        return self.delta is not None and 0 < self.largest_move <= rounding(decimals, outcomes).largest_move

    @property
    def ratio(self) -> Fraction:
        """Alpha as an exact fraction."""
        assert self.alpha is not None
        return Fraction(self.alpha)

    def alone(self, probability: Fraction) -> tuple[Fraction, Fraction]:
        """The band around one probability, without regard to the other outcomes."""
        if self.delta is not None:
            move = self.largest_move
            return max(Fraction(0), probability - move), min(Fraction(1), probability + move)
        return self.ratio * probability, min(Fraction(1), probability / self.ratio)

    def around(self, probability: Fraction) -> tuple[Fraction, Fraction]:
        """The exact band around the probability of one of two outcomes."""
        if self.delta is not None:
            return self.alone(probability)
        alpha, other = self.ratio, 1 - probability
        return max(alpha * probability, 1 - other / alpha), min(probability / alpha, 1 - alpha * other)

    def alone_floats(self, probability: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The same as :meth:`alone` for many, in floating point; always holds the probability itself."""
        if self.delta is not None:
            move = float(self.largest_move)
            lower, upper = probability - move, probability + move
        else:
            lower, upper = float(self.ratio) * probability, probability / float(self.ratio)
        return np.clip(lower, 0.0, probability), np.clip(upper, probability, 1.0)

    def around_floats(self, probability: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The same as :meth:`around` for many, in floating point; always holds the probability itself."""
        lower, upper = self.alone_floats(probability)
        other_lower, other_upper = self.alone_floats(1.0 - probability)
        lower, upper = np.maximum(lower, 1.0 - other_upper), np.minimum(upper, 1.0 - other_lower)
        return np.clip(lower, 0.0, probability), np.clip(upper, probability, 1.0)


def rounding(decimals: int, outcomes: int) -> Closeness:
    """The fidelity of a rule that is published as it is, rounded to so many decimals: a constant, whatever the rule is.

    One of two outcomes is rounded to the nearest step, and the other follows: half a step. Several must still make one
    together: by largest remainder each of m is off by at most (m - 1)/m of a step (the proof stands in
    `tests/private/test_rounding_the_truth.py`). Stated up to the next thousandth of a step, since numbers of sixteen digits
    may miss one by as much as they can say.
    """
    thousandths = 500 if outcomes == 2 else 1000 * (outcomes - 1) // outcomes + 1
    return Closeness(delta=(1 - Decimal(thousandths).scaleb(-decimals - 3)).normalize())


@dataclass(frozen=True, kw_only=True, eq=False)
class Band:
    """Exact bounds on many probabilities: whole numbers over one denominator."""

    lower: ExactArray
    upper: ExactArray
    denominator: int


def bands_around(announced: ExactArray, scale: int, closeness: Closeness) -> tuple[Band, ...]:
    """The exact band around every outcome's announced probabilities, given as whole numbers over `scale`.

    `announced` has a row for each cell and a column for each outcome; there is one band for each outcome.
    """
    if closeness.delta is not None:
        move = closeness.largest_move
        denominator = math.lcm(scale, move.denominator)
        step = int(move * denominator)
        centre = product(widen(announced, denominator * announced.shape[1]), denominator // scale)
        lower, upper = np.maximum(centre - step, 0), np.minimum(centre + step, denominator)
    else:
        up, down = closeness.ratio.denominator, closeness.ratio.numerator
        denominator = scale * up * down
        wide = widen(announced, denominator * announced.shape[1])
        lower, upper = product(wide, down**2), np.minimum(product(wide, up**2), denominator)
    return tuple(
        Band(lower=low, upper=high, denominator=denominator)
        for low, high in zip(*(bounds.T for bounds in consistent(lower, upper, denominator)), strict=True)
    )


def consistent(lower: NDArray[Any], upper: NDArray[Any], whole: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Bounds on each outcome (a column) tightened by those on the others: together they make `whole`."""
    others_most = upper.sum(axis=1, keepdims=True) - upper
    others_least = lower.sum(axis=1, keepdims=True) - lower
    return np.maximum(lower, whole - others_most), np.minimum(upper, whole - others_least)


def outward(band: Band, scale: int) -> tuple[IntArray, IntArray]:
    """The ends of a band in whole printed steps, the lower rounded down and the upper rounded up."""
    return (
        (product(band.lower, scale) // band.denominator).astype("int64"),
        (-(product(-band.upper, scale) // band.denominator)).astype("int64"),
    )


# What analysis gives: exact values, each with the exact interval that it can move in.


@dataclass(frozen=True)
class Range:
    """The exact value of a figure on a rule table, and the exact interval it lies in under every rule in the band.

    Where several populations must hold (exact counts, and shares as printed), a figure has one range for each.
    """

    value: Fraction
    low: Fraction
    high: Fraction
