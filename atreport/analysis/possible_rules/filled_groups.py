"""The largest weighted sum of probabilities over all possible rules: each QID group is filled from the best cell down.

In a QID group the sum of coefficient × D is to be largest, with every D in its band and the total of people × D between two
limits. What a person adds in a cell is its coefficient over its people, so the total is spent on the cells in the descending
order of that: where a person adds something as far as the upper limit allows, elsewhere only as far as the lower demands.
At most one cell of a group is then filled in part (a fractional knapsack).

Guarantee: exact. Cells are sorted in floating point; a group in which two cells are so near to each other that this may be
wrong is sorted again in fractions.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from atreport.analysis.possible_rules import PossibleRules
from atreport.kit.exact import dot, product, run_sums, running_sums
from atreport.population.cells import ExactArray, IntArray, run_starts

NEAR = 1e-12
"""Cells whose worth differs by no more than this part of it are compared in whole numbers."""

MOST_FRACTIONS = 200
FINE = 10**30
"""Fractions of more than so many different denominators are added up in steps this fine."""


def largest_sum(rules: PossibleRules, coefficients: ExactArray) -> Fraction:
    """The largest sum of coefficient × probability, in units of the rules' denominator; never too small."""
    worth = coefficients.astype(np.float64) / rules.people.astype(np.float64)
    order = np.lexsort((-worth, rules.group))
    order = _sorted_again(rules, coefficients, order, _unsure(rules, coefficients, worth, order))
    filled, part = _fill(rules, coefficients, order)
    split = np.flatnonzero(part)
    rest: dict[int, int] = {}  # by people in the cell that is filled in part
    for cell, left in zip(split.tolist(), part[split].tolist(), strict=True):
        people = int(rules.people[cell])
        rest[people] = rest.get(people, 0) + int(coefficients[cell]) * left
    return dot(coefficients, rules.lower + filled) + _added_up(rest)


def _added_up(numerators: dict[int, int]) -> Fraction:
    """The sum of fractions, given by denominator; of very many, rounded up by less than any figure shows."""
    if len(numerators) <= MOST_FRACTIONS:
        return sum((Fraction(number, people) for people, number in numerators.items()), Fraction(0))
    return Fraction(sum(-(-number * FINE // people) for people, number in numerators.items()), FINE)


def _fill(rules: PossibleRules, coefficients: ExactArray, order: IntArray) -> tuple[ExactArray, ExactArray]:
    """How much more than its least each cell's probability is: a whole number, and beside it a part, times its people."""
    people, group = rules.people[order], rules.group[order]
    room = product(people, (rules.upper - rules.lower)[order])
    starts = run_starts(group)
    before = running_sums(room) - room
    before = before - np.repeat(before[starts], np.diff(np.append(starts, len(order))))
    lowest = run_sums(product(people, rules.lower[order]), starts)
    budget = np.where(coefficients[order] > 0, (rules.most - lowest)[group], (rules.least - lowest)[group])
    spent = np.minimum(np.maximum(budget - before, 0), room)
    filled, part = np.empty_like(room), np.empty_like(room)
    filled[order], part[order] = spent // people, spent % people
    return filled, part


def _unsure(
    rules: PossibleRules, coefficients: ExactArray, worth: NDArray[np.float64], order: IntArray
) -> IntArray:
    """The groups in which two cells, next to each other in the order, are of nearly but not quite the same worth."""
    first, second = order[:-1], order[1:]
    apart = worth[first] - worth[second]
    near = (rules.group[first] == rules.group[second]) & (
        apart <= NEAR * np.maximum(abs(worth[first]), abs(worth[second]))
    )
    first, second = first[near], second[near]
    people = rules.people
    differ = product(coefficients[first], people[second]) != product(coefficients[second], people[first])
    return np.unique(rules.group[first[differ]])


def _sorted_again(
    rules: PossibleRules, coefficients: ExactArray, order: IntArray, groups: IntArray
) -> IntArray:
    """The order with the cells of some groups sorted in fractions."""
    again = order.copy()
    for group in groups.tolist():
        places = np.flatnonzero(rules.group[order] == group)
        again[places] = sorted(
            order[places].tolist(),
            key=lambda cell: -Fraction(int(coefficients[cell]), int(rules.people[cell])),
        )
    return again
