"""Figures that are weighted sums of the cells' favourable probabilities, and the interval the truth puts them in.

Guarantee: a :class:`WeightedSum` is exact. Whatever the true rule is, as long as it lies in the published band around the
announced one, its true value lies in its range, and no narrower range would be true: each end is attained where
every cell stands at one end of its band. The true value is never further from the announced one than the most a single
probability can move, times the sum of the sizes of the coefficients.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.analysis.ranges import Range
from atreport.population.band import Closeness
from atreport.population.cells import ExactArray, IntArray
from atreport.rule_table import RuleTable

_LIMB = 20
"""Bits of the pieces in which large whole numbers are multiplied: sums of 2^22 products stay below 2^62."""


@dataclass(frozen=True, kw_only=True, eq=False)
class WeightedSum:
    """A figure: the sum of coefficient × favourable probability over all cells, divided by the denominator."""

    coefficients: ExactArray
    denominator: int

    def minus(self, other: WeightedSum) -> WeightedSum:
        """The difference of two figures."""
        mine, its = self.coefficients.astype(object), other.coefficients.astype(object)
        return WeightedSum(
            coefficients=mine * other.denominator - its * self.denominator,
            denominator=self.denominator * other.denominator,
        )

    def of(self, probabilities: ExactArray, whole: int) -> Fraction:
        """The figure for these probabilities, given as whole numbers over `whole`."""
        return Fraction(exact_dot(self.coefficients, probabilities), self.denominator * whole)

    def range(self, table: RuleTable) -> Range:
        """The announced figure, and where the true one can lie."""
        truth = table.truth
        rising = self.coefficients > 0
        return Range(
            value=self.of(table.announced, table.scale),
            low=self.of(np.where(rising, truth.lower, truth.upper), truth.denominator),
            high=self.of(np.where(rising, truth.upper, truth.lower), truth.denominator),
        )

    @property
    def size(self) -> Fraction:
        """The sum of the sizes of the coefficients: how far the figure moves when every probability moves by one."""
        sizes = abs(self.coefficients)
        return Fraction(int(sizes.sum(dtype=object)), self.denominator)


def ranged(table: RuleTable, sums: Sequence[WeightedSum]) -> tuple[tuple[Range, ...], Fraction]:
    """A figure's range, once for each population, and how far its true value can be from it, whatever the figures are."""
    ranges = tuple(weighted.range(table) for weighted in sums)
    return ranges, largest_move(table) * max(weighted.size for weighted in sums)


def largest_move(table: RuleTable) -> Fraction:
    """The most by which any favourable probability can differ from the true one, whatever the figures are."""
    if isinstance(table.fidelity, Closeness):
        return table.fidelity.largest_move
    widest = int((table.fidelity.upper - table.fidelity.lower).max())
    return Fraction(widest, 10**table.fidelity.decimals)


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
