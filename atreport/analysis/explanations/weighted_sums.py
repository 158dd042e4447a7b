"""Figures that are weighted sums of the cells' favourable probabilities, and the interval the truth puts them in.

Guarantee: a :class:`WeightedSum` is exact. Whatever the true rule is, as long as it keeps what is published (its band in
every cell, and the rates of QID groups where those are kept), its true value lies in its range; and for two outcomes no
narrower range would be true, since each end is attained: where every cell stands at one end of its band, or where the
cells of each QID group are filled up in the order of what a person adds, as far as the group's rate allows. The true
value is never further from the announced one than the most a single probability can move, times the sum of the sizes of
the coefficients.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from atreport.analysis.bounds import largest_move
from atreport.analysis.possible_rules import Truths
from atreport.analysis.possible_rules.filled_groups import largest_sum
from atreport.analysis.ranges import Range
from atreport.kit.exact import dot, total
from atreport.population.cells import ExactArray, IntArray
from atreport.rule_table import RuleTable


@dataclass(frozen=True, kw_only=True, eq=False)
class WeightedSum:
    """A figure: the sum of coefficient × favourable probability over all cells, divided by the denominator."""

    coefficients: ExactArray
    denominator: int

    def minus(self, other: WeightedSum) -> WeightedSum:
        """The difference of two figures."""
        mine, its = self.coefficients.astype(object), other.coefficients.astype(object)
        if self.denominator == other.denominator:
            return WeightedSum(coefficients=mine - its, denominator=self.denominator)
        return WeightedSum(
            coefficients=mine * other.denominator - its * self.denominator,
            denominator=self.denominator * other.denominator,
        )

    def of(self, probabilities: ExactArray, whole: int) -> Fraction:
        """The figure for these probabilities, given as whole numbers over `whole`."""
        return Fraction(dot(self.coefficients, probabilities), self.denominator * whole)

    def range(self, table: RuleTable, weights: IntArray) -> Range:
        """The announced figure, and where the true one can lie, given that rates are kept for these people."""
        value = self.of(table.announced, table.scale)
        if table.rate_move is not None:
            rules = Truths(table).of((table.cells.process.outcome.favourable,), weights)
            whole = self.denominator * rules.denominator
            low, high = -largest_sum(rules, -self.coefficients), largest_sum(rules, self.coefficients)
            return Range(value=value, low=low / whole, high=high / whole)
        truth = table.truth
        rising = self.coefficients > 0
        return Range(
            value=value,
            low=self.of(np.where(rising, truth.lower, truth.upper), truth.denominator),
            high=self.of(np.where(rising, truth.upper, truth.lower), truth.denominator),
        )

    @property
    def size(self) -> Fraction:
        """The sum of the sizes of the coefficients: how far the figure moves when every probability moves by one."""
        return Fraction(total(abs(self.coefficients)), self.denominator)


def ranged(table: RuleTable, sums: Sequence[WeightedSum]) -> tuple[tuple[Range, ...], Fraction]:
    """A figure's range, once for each population, and how far its true value can be from it, whatever the figures are."""
    populations = zip(
        sums, table.published_weights, strict=False
    )  # one that needs no people holds for the published
    ranges = tuple(weighted.range(table, weights) for weighted, weights in populations)
    return ranges, largest_move(table) * max(weighted.size for weighted in sums)
