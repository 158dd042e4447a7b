"""Figures that are weighted sums of the cells' favourable probabilities, and the interval the truth puts them in.

Guarantee: a :class:`LinearForm` is exact. Whatever the true rule is, as long as it lies in the published band around the
announced one, the form's true value lies in its range, and no narrower range would be true: each end is attained where
every cell stands at one end of its band. The true value is never further from the announced one than the most a single
probability can move, times the sum of the sizes of the coefficients.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.analysis.assessment import Interval, Range, rounded_up
from atreport.announcement import Release
from atreport.population.band import Closeness
from atreport.population.cells import ExactArray, IntArray

_LIMB = 20
"""Bits of the pieces in which large whole numbers are multiplied: sums of 2^22 products stay below 2^62."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LinearForm:
    """A figure: the sum of coefficient × favourable probability over all cells, divided by the denominator."""

    coefficients: ExactArray
    denominator: int

    def minus(self, other: LinearForm) -> LinearForm:
        """The difference of two figures."""
        mine, its = self.coefficients.astype(object), other.coefficients.astype(object)
        return LinearForm(
            coefficients=mine * other.denominator - its * self.denominator,
            denominator=self.denominator * other.denominator,
        )

    def of(self, probabilities: ExactArray, whole: int) -> Fraction:
        """The figure for these probabilities, given as whole numbers over `whole`."""
        return Fraction(exact_dot(self.coefficients, probabilities), self.denominator * whole)

    def range(self, release: Release) -> Range:
        """The announced figure, and where the true one can lie."""
        truth = release.truth
        rising = self.coefficients > 0
        return Range(
            value=self.of(release.announced, release.scale),
            low=self.of(np.where(rising, truth.lower, truth.upper), truth.denominator),
            high=self.of(np.where(rising, truth.upper, truth.lower), truth.denominator),
        )

    @property
    def size(self) -> Fraction:
        """The sum of the sizes of the coefficients: how far the figure moves when every probability moves by one."""
        sizes = abs(self.coefficients)
        return Fraction(int(sizes.sum(dtype=object)), self.denominator)


def published_weights(release: Release) -> tuple[IntArray, ...]:
    """The populations a figure must hold for, the one that is published first: a reader can recalculate the value."""
    return release.weights[::-1]


def printed(release: Release, forms: Sequence[LinearForm]) -> tuple[Interval, Decimal]:
    """A figure as printed, once for each population: its interval holds for all of them, and so does the bound.

    The value is that of the first form.
    """
    interval = Interval.printed([form.range(release) for form in forms], release.decimals)
    bound = rounded_up(largest_move(release) * max(form.size for form in forms), release.decimals)
    return interval, bound


def largest_move(release: Release) -> Fraction:
    """The most by which any favourable probability can differ from the true one, whatever the figures are."""
    if isinstance(release.fidelity, Closeness):
        return release.fidelity.largest_move
    widest = int((release.fidelity.upper - release.fidelity.lower).max())
    return Fraction(widest, 10**release.fidelity.decimals)


def exact_dot(a: NDArray[Any], b: NDArray[Any]) -> int:
    """The sum of products of whole numbers, exactly, however large."""
    if a.dtype == object or b.dtype == object:
        return int(np.dot(a.astype(object), b.astype(object)))
    largest = max(1, int(abs(a).max(initial=0))) * max(1, int(abs(b).max(initial=0)))
    if largest * len(a) < 2**62:
        return int(np.dot(a, b))
    if len(a) > 2**22:
        middle = len(a) // 2
        return exact_dot(a[:middle], b[:middle]) + exact_dot(a[middle:], b[middle:])
    return sum(
        int(np.dot(one, other)) << (_LIMB * (i + j))
        for i, one in enumerate(_limbs(a))
        for j, other in enumerate(_limbs(b))
    )


def _limbs(numbers: IntArray) -> list[IntArray]:
    """The numbers in pieces of some bits each, least first; the last carries the sign."""
    pieces = []
    while int(abs(numbers).max()) >= 2**_LIMB:
        pieces.append(numbers & (2**_LIMB - 1))
        numbers = numbers >> _LIMB
    return [*pieces, numbers]
