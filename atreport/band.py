"""How far apart an announced and a true probability may be, in exact arithmetic.

Fidelity is symmetric: if the announced value lies in the band around the true one, the true one lies in the same band
around the announced one. So one definition serves both sides of the wall, each around the value it may know.

Guarantee: the bounds of both outcomes are intersected, so every value in a band is possible for both.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from atreport.cells import ExactArray, IntArray, exact


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

    @property
    def ratio(self) -> Fraction:
        """Alpha as an exact fraction."""
        assert self.alpha is not None
        return Fraction(self.alpha)

    def around(self, probability: Fraction) -> tuple[Fraction, Fraction]:
        """The exact band around one probability."""
        if self.delta is not None:
            return max(Fraction(0), probability - self.largest_move), min(
                Fraction(1), probability + self.largest_move
            )
        alpha, other = self.ratio, 1 - probability
        return max(alpha * probability, 1 - other / alpha), min(probability / alpha, 1 - alpha * other)

    def around_floats(
        self, probability: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The same for many, in floating point; always holds the probability itself, whatever the rounding."""
        if self.delta is not None:
            move = float(self.largest_move)
            return np.maximum(0.0, probability - move), np.minimum(1.0, probability + move)
        alpha, other = float(self.ratio), 1.0 - probability
        lower = np.maximum(alpha * probability, 1.0 - other / alpha)
        upper = np.minimum(probability / alpha, 1.0 - alpha * other)
        return np.clip(lower, 0.0, probability), np.clip(upper, probability, 1.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class Band:
    """Exact bounds on many probabilities: whole numbers over one denominator."""

    lower: ExactArray
    upper: ExactArray
    denominator: int


def band_around(announced: IntArray, scale: int, closeness: Closeness) -> Band:
    """The exact band around announced probabilities given as whole numbers over `scale`."""
    if closeness.delta is not None:
        move = closeness.largest_move
        denominator = (
            int(np.lcm(scale, move.denominator))
            if scale * move.denominator < 2**62
            else scale * move.denominator
        )
        step = int(move * denominator)
        centre = exact(announced, denominator) * (denominator // scale)
        return Band(
            lower=np.maximum(centre - step, 0),
            upper=np.minimum(centre + step, denominator),
            denominator=denominator,
        )
    up, down = closeness.ratio.denominator, closeness.ratio.numerator
    denominator = scale * up * down
    favourable, other = exact(announced, denominator * up), exact(scale - announced, denominator * up)
    return Band(
        lower=np.maximum(favourable * down**2, denominator - other * up**2),
        upper=np.minimum(favourable * up**2, denominator - other * down**2),
        denominator=denominator,
    )
