"""FIRM, the feature importance ranking measure: the standard deviation of the favourable rate over an attribute's values.

Guarantee: exact for the announced rule. The interval holds because a standard deviation moves by no more than the root of
the mean square by which the rates move; it holds for certain, and may be wider than necessary.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from atreport.analysis.explanations.explanation import Influence
from atreport.analysis.explanations.interventions import people
from atreport.analysis.explanations.question import Question
from atreport.analysis.explanations.weighted_sums import largest_move
from atreport.analysis.ranges import Range
from atreport.population.cells import IntArray, widen
from atreport.rule_table import RuleTable


def explain(question: Question) -> Iterator[Influence]:
    """The spread of rates over the values of every attribute."""
    for attribute in question.table.cells.process.attributes:
        yield firm(question.table, attribute.name)


def firm(table: RuleTable, attribute: str) -> Influence:
    """How widely the favourable rate varies over the attribute's values."""
    found = [_spread(table, weights, attribute) for weights in table.published_weights]
    decimals = table.decimals
    lows = [root_down(variance, decimals) - root_up(moved, decimals) for variance, moved in found]
    highs = [root_up(variance, decimals) + root_up(moved, decimals) for variance, moved in found]
    return Influence(
        kind="firm",
        attributes=(attribute,),
        quantity=None,
        at=None,
        # a root is no fraction: rounded to printed steps, the ends outward
        ranges=(
            Range(
                value=Fraction(root_nearest(found[0][0], decimals)),
                low=max(Fraction(0), Fraction(min(lows))),
                high=Fraction(max(highs)),
            ),
        ),
        bound=largest_move(table),
    )


def _spread(table: RuleTable, weights: IntArray, attribute: str) -> tuple[Fraction, Fraction]:
    """The variance of the rates over the values, and the mean square by which the true rates may be elsewhere."""
    column, everybody = table.cells.column(attribute), people(weights)
    mean = square = moved = Fraction(0)
    for share, rate in _rates_by_value(table, weights, column, everybody):
        mean += share * rate.value
        square += share * rate.value**2
        moved += share * max(rate.high - rate.value, rate.value - rate.low) ** 2
    return square - mean**2, moved


def _rates_by_value(
    table: RuleTable, weights: IntArray, column: NDArray[np.int32], everybody: int
) -> Iterator[tuple[Fraction, Range]]:
    """The share of all people and the favourable rate at each value that occurs."""
    truth = table.truth
    wide = widen(weights, everybody * max(table.scale, truth.denominator))
    columns = (wide, wide * table.announced, wide * truth.lower, wide * truth.upper)
    sums = [np.zeros(int(column.max()) + 1, dtype=wide.dtype) for _ in columns]
    for total, of_cells in zip(sums, columns, strict=True):
        np.add.at(total, column, of_cells)
    for people_, announced, lower, upper in zip(*(total.tolist() for total in sums), strict=True):
        if people_:
            yield (
                Fraction(people_, everybody),
                Range(
                    value=Fraction(announced, people_ * table.scale),
                    low=Fraction(lower, people_ * truth.denominator),
                    high=Fraction(upper, people_ * truth.denominator),
                ),
            )


def root_down(square: Fraction, decimals: int) -> Decimal:
    """A square root, rounded to the printed step at or below."""
    return Decimal(math.isqrt(math.floor(square * 10 ** (2 * decimals)))).scaleb(-decimals)


def root_up(square: Fraction, decimals: int) -> Decimal:
    """A square root, rounded to the printed step at or above."""
    scaled = math.ceil(square * 10 ** (2 * decimals))
    root = math.isqrt(scaled)
    return Decimal(root + (root * root < scaled)).scaleb(-decimals)


def root_nearest(square: Fraction, decimals: int) -> Decimal:
    """A square root, rounded to the nearest printed step."""
    return Decimal((math.isqrt(math.floor(4 * square * 10 ** (2 * decimals))) + 1) // 2).scaleb(-decimals)
