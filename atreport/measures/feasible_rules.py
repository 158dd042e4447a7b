"""Which true rules are possible, given what is published: a band in every cell, and a rate in every QID group.

A report says how far each announced probability can be from the true one (its fidelity), and it may say how far the rate of
every outcome can be from the true one in every group of people who are alike in the public attributes (its ``rates``).
So in each QID group the true probabilities of an outcome lie in

    lower <= D <= upper in every cell,     least <= sum of people × D <= most over the group,

and groups are independent of each other. What has several outcomes is asked about one set of outcomes at a time.

Guarantee: everything is in whole numbers and exact. For two outcomes these are all the possible rules. For more, the ends
of each cell's band and (up to MOST_OUTCOMES outcomes) of each group's total are attained by a rule in which all outcomes
keep their bounds: in a cell, and so in a group, the probabilities of all sets of outcomes make a base polytope, and it
stays one between bounds on single outcomes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from atreport.core.band import Band, Range
from atreport.core.cells import ExactArray, IntArray, run_starts
from atreport.core.exact import (
    axis_sums,
    class_sums,
    dot,
    product,
    run_sums,
    running_sums,
    sum_of,
    total,
    widen,
)
from atreport.core.rule_table import RuleTable

FINER = 10**6
"""How many steps a step is cut into where bounds that are no whole number are rounded outward."""

MOST_OUTCOMES = 6
"""The most outcomes for which totals of a group are made as narrow as all sets of outcomes allow."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PossibleRules:
    """Where the true probabilities of some outcomes can lie, for one population.

    Probabilities are whole numbers over `denominator`; totals are sums of people × those.
    """

    announced: ExactArray
    lower: ExactArray
    upper: ExactArray
    denominator: int
    people: ExactArray
    group: IntArray  # of each cell: its QID group; where no rates are kept, all cells are one group
    least: ExactArray  # of each group: the least that its total can be
    most: ExactArray
    keeps_rates: bool

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return len(self.least)

    @property
    def band(self) -> Band:
        """Where each cell's probability can lie."""
        return Band(lower=self.lower, upper=self.upper, denominator=self.denominator)

    def sums(self, of_cells: ExactArray, index: IntArray, count: int) -> ExactArray:
        """Sums of people × something over classes of cells."""
        return class_sums(product(self.people, of_cells), index, count)

    def totals(self, members: IntArray, index: IntArray, count: int) -> tuple[ExactArray, ExactArray]:
        """The least and the most that the total of some cells can be, by class.

        Of the part that lies in one QID group: what its bands allow, and what the group's total leaves beside the rest.
        """
        lower, upper = (product(self.people, bound)[members] for bound in (self.lower, self.upper))
        if not self.keeps_rates:
            return class_sums(lower, index, count), class_sums(upper, index, count)
        parts, part = np.unique(index * self.groups + self.group[members], return_inverse=True)
        low, high = (class_sums(bound, part, len(parts)) for bound in (lower, upper))
        group, whose = parts % self.groups, parts // self.groups
        all_low, all_high = (
            self.sums(bound, self.group, self.groups)[group] for bound in (self.lower, self.upper)
        )
        least = np.maximum(low, self.least[group] - (all_high - high))
        most = np.minimum(high, self.most[group] - (all_low - low))
        return class_sums(least, whose, count), class_sums(most, whose, count)


@dataclass(frozen=True, eq=False)
class Truths:
    """The possible rules of a rule table, for any set of outcomes and any of its populations."""

    table: RuleTable

    @cached_property
    def _bands(self) -> dict[str, Band]:
        return {outcome: self.table.truth_of(outcome) for outcome in self.table.cells.process.outcome.values}

    @cached_property
    def denominator(self) -> int:
        """In which everything is whole: bounds, announced probabilities, and how far rates move."""
        move = self.table.rate_move
        bands = [band.denominator for band in self._bands.values()]
        return math.lcm(self.table.scale, *bands, 1 if move is None else move.denominator)

    def band(self, outcomes: Sequence[str]) -> tuple[ExactArray, ExactArray]:
        """The least and the most that the probability of any of these outcomes can be, in each cell."""
        inside, outside = self._ends(outcomes), self._ends(self._others(outcomes))
        if not outside:
            whole = self._fitting(np.full(len(self.table.cells), 1)) * self.denominator
            return whole, whole
        least, most = (sum_of([ends[k] for ends in inside]) for k in (0, 1))
        others_least, others_most = (sum_of([ends[k] for ends in outside]) for k in (0, 1))
        return np.maximum(least, self.denominator - others_most), np.minimum(
            most, self.denominator - others_least
        )

    def of(self, outcomes: Sequence[str], weights: IntArray) -> PossibleRules:
        """Where the probability of any of these outcomes can lie, for one population; with the rates that are kept."""
        lower, upper = self.band(outcomes)
        announced = self._announced(outcomes)
        move = self.table.rate_move
        group = self.table.cells.group if move is not None else np.zeros(len(weights), dtype=np.int64)
        count = int(group[-1]) + 1
        least, most = (class_sums(product(weights, bound), group, count) for bound in (lower, upper))
        if move is not None:
            least, most = self._totals(outcomes, weights, group, count, least, most)
        return PossibleRules(
            announced=announced,
            lower=lower,
            upper=upper,
            denominator=self.denominator,
            people=weights,
            group=group,
            least=least,
            most=most,
            keeps_rates=move is not None,
        )

    def _totals(
        self,
        outcomes: Sequence[str],
        people: IntArray,
        group: IntArray,
        count: int,
        least: ExactArray,
        most: ExactArray,
    ) -> tuple[ExactArray, ExactArray]:
        """The totals that each group can have: by its cells' bands, by its own rate, and by those of all outcomes."""
        values = self.table.cells.process.outcome.values
        everybody = class_sums(product(people, self.denominator), group, count)
        ends = {outcome: self._kept(outcome, people, group, count) for outcome in values}
        others = self._others(outcomes)
        most = np.minimum(most, np.minimum(_total(ends, outcomes, 1), everybody - _total(ends, others, 0)))
        least = np.maximum(least, np.maximum(_total(ends, outcomes, 0), everybody - _total(ends, others, 1)))
        if 2 < len(values) <= MOST_OUTCOMES:
            for chosen in subsets(values):
                out = [o for o in values if o not in chosen]
                lower, upper = self.band(chosen)
                at_most = class_sums(product(people, upper), group, count)
                at_least = class_sums(product(people, lower), group, count)
                more, fewer = [o for o in outcomes if o in out], [o for o in chosen if o in others]
                most = np.minimum(most, at_most + _total(ends, more, 1) - _total(ends, fewer, 0))
                least = np.maximum(least, at_least + _total(ends, more, 0) - _total(ends, fewer, 1))
        return least, most

    def _kept(
        self, outcome: str, people: IntArray, group: IntArray, count: int
    ) -> tuple[ExactArray, ExactArray]:
        """The totals of one outcome that its announced rate allows."""
        move = self.table.rate_move
        assert move is not None
        total = class_sums(product(people, self._announced([outcome])), group, count)
        by = class_sums(product(people, int(move * self.denominator)), group, count)
        return total - by, total + by

    def _announced(self, outcomes: Sequence[str]) -> ExactArray:
        factor = self.denominator // self.table.scale
        announced = sum_of([self.table.announced_of(outcome) for outcome in outcomes])
        return product(self._fitting(announced), factor)

    def _ends(self, outcomes: Sequence[str]) -> list[tuple[ExactArray, ExactArray]]:
        found = []
        for outcome in outcomes:
            band = self._bands[outcome]
            factor = self.denominator // band.denominator
            found.append(
                (product(self._fitting(band.lower), factor), product(self._fitting(band.upper), factor))
            )
        return found

    def _others(self, outcomes: Sequence[str]) -> list[str]:
        return [o for o in self.table.cells.process.outcome.values if o not in outcomes]

    def _fitting(self, numbers: ExactArray) -> ExactArray:
        """In a type in which sums over outcomes of whole ones fit."""
        return widen(numbers, self.denominator * len(self._bands))


def _total(
    ends: dict[str, tuple[ExactArray, ExactArray]], outcomes: Sequence[str], which: int
) -> ExactArray | int:
    return sum_of([ends[o][which] for o in outcomes]) if outcomes else 0


def subsets(values: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every set of some outcomes but none and all."""
    for size in range(1, len(values)):
        yield from combinations(values, size)


def outcome_sets(values: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every set of outcomes up to swapping it with its complement; of two outcomes, one is enough."""
    first, *others = values
    for size in range(len(others)):
        for chosen in combinations(others, size):
            yield (first, *chosen)


def tight_bands(table: RuleTable, outcomes: Sequence[str]) -> tuple[ExactArray, ExactArray, int]:
    """Where the probability of any of some outcomes can lie in each cell, given the rates that are kept; and over what.

    In a QID group whose total is between two limits, a cell cannot have more than the others leave, nor less than they
    need. Rounded outward in steps far finer than any printed one. Rates are used where the people they are about are
    published: then the same follows from what is printed.
    """
    truths = Truths(table)
    lower, upper = truths.band(outcomes)
    if table.rate_move is None or not table.population_is_printed:
        return lower, upper, truths.denominator
    rules = truths.of(outcomes, table.published_weights[0])
    low, high = (rules.sums(bound, rules.group, rules.groups)[rules.group] for bound in (lower, upper))
    most = product(rules.most[rules.group] - low + product(rules.people, lower), FINER)
    least = product(rules.least[rules.group] - high + product(rules.people, upper), FINER)
    return (
        np.maximum(product(lower, FINER), least // rules.people),
        np.minimum(product(upper, FINER), -(-most // rules.people)),
        truths.denominator * FINER,
    )


# The largest weighted sum of probabilities over all possible rules: each QID group is filled from the best
# cell down.
#
# In a QID group the sum of coefficient × D is to be largest, with every D in its band and the total of people
# × D between two limits. What a person adds in a cell is its coefficient over its people, so the total is
# spent on the cells in the descending order of that: where a person adds something as far as the upper limit
# allows, elsewhere only as far as the lower demands. At most one cell of a group is then filled in part (a
# fractional knapsack).
#
# Guarantee: exact. Cells are sorted in floating point; a group in which two cells are so near to each other
# that this may be wrong is sorted again in fractions.

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


# Two rates of an outcome, and where they can be together: a convex polygon, whose corners are exact
# fractions.
#
# Where two groups share nobody, each rate can be anywhere in its own interval, whatever the other is: a
# rectangle. Where they share people, the rates move together. With A the cells of the first group alone, C
# those of both, B those of the second alone and O the rest, a weight u on the first rate and v on the second
# gives every cell of a class the same weight per person: u, u + v, v and 0. In the direction (u, v) the
# polygon's corner is therefore found by filling the classes of each QID group in the order of those numbers,
# as far as its cells' bands and its rate allow. The order changes at eight directions only, so there are at
# most eight corners.
#
# Guarantee: no possible rule gives rates outside the polygon, and each corner is attained by one (for one
# outcome of several under kept rates, by one in which the other outcomes' rates may not be kept). A
# comparison of the two rates that is linear, or a ratio, has its ends at corners.
# `tests/measures/test_attainable.py` compares them with a linear-programming solver.

Mask = NDArray[np.bool_]

Point = tuple[Fraction, Fraction]
"""The rate of the first group and that of the second."""

DIRECTIONS = ((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1))
"""One between every two neighbouring directions at which the order of the classes changes, going around once."""


@dataclass(frozen=True, kw_only=True)
class JointRates:
    """The announced rates of two groups, and the corners of all that the true ones can be, going around once."""

    value: Point
    corners: tuple[Point, ...]

    @cached_property
    def difference(self) -> tuple[Fraction, Fraction]:
        """The least and the largest first rate minus second."""
        differences = [a - b for a, b in self.corners]
        return min(differences), max(differences)

    @property
    def can_be_equal(self) -> bool:
        """Whether some possible rule gives both groups the same rate."""
        least, largest = self.difference
        return least <= 0 <= largest

    @property
    def of_the_other_outcome(self) -> JointRates:
        """The rates of all other outcomes together."""
        a, b = self.value
        return JointRates(value=(1 - a, 1 - b), corners=tuple((1 - a, 1 - b) for a, b in self.corners))

    @cached_property
    def intervals(self) -> tuple[Range, Range]:
        """Each rate by itself."""
        first, second = zip(*self.corners, strict=True)
        return (
            Range(self.value[0], min(first), max(first)),
            Range(self.value[1], min(second), max(second)),
        )


def apart(a: Range, b: Range) -> JointRates:
    """The rates of two groups that share nobody, or of which nothing is known but each by itself."""
    corners = ((a.low, b.low), (a.high, b.low), (a.high, b.high), (a.low, b.high))
    return JointRates(value=(a.value, b.value), corners=corners)


def together(rules: PossibleRules, first: Mask, second: Mask) -> JointRates:
    """The rates of two groups of cells that may share some of them."""
    classes = np.where(first, np.where(second, 1, 0), np.where(second, 2, 3))
    totals = _Totals.of(rules, classes)
    people = class_sums(rules.people, classes, 4).tolist()
    wholes = [(people[0] + people[1]) * rules.denominator, (people[1] + people[2]) * rules.denominator]

    def rates(a: int, c: int, b: int, _others: int) -> Point:
        return Fraction(a + c, wholes[0]), Fraction(c + b, wholes[1])

    corners: list[Point] = []
    for u, v in DIRECTIONS:
        # a weight on a rate is divided by the people of its group; the directions are between critical ones either way
        found = rates(*totals.furthest((u, u + v, v, 0)))
        if not corners or corners[-1] != found:
            corners.append(found)
    announced = class_sums(product(rules.people, rules.announced), classes, 4).tolist()
    return JointRates(value=rates(*announced), corners=tuple(corners))


@dataclass(frozen=True, kw_only=True, eq=False)
class _Totals:
    """Classes of cells in each QID group: the least that each can total, how much more, and what the group can total."""

    low: ExactArray  # (groups, classes)
    room: ExactArray
    to_least: ExactArray  # of each group: how much must be added to the low totals
    to_most: ExactArray  # and how much can be

    @classmethod
    def of(cls, rules: PossibleRules, classes: IntArray) -> _Totals:
        index, count = rules.group * 4 + classes, rules.groups * 4
        low, high = (rules.sums(bound, index, count).reshape(-1, 4) for bound in (rules.lower, rules.upper))
        lowest = axis_sums(low, 1)
        return cls(low=low, room=high - low, to_least=rules.least - lowest, to_most=rules.most - lowest)

    def furthest(self, weights: tuple[int, int, int, int]) -> list[int]:
        """The total of each class at which the weighted sum of them is largest.

        Classes are filled from the largest weight down: those that add something as far as the group's rate allows, the
        others only as far as it demands.
        """
        found, before = [0, 0, 0, 0], 0 * self.to_least
        for place in sorted(range(4), key=lambda k: -weights[k]):
            budget = self.to_most if weights[place] > 0 else self.to_least
            filled = np.minimum(np.maximum(budget - before, 0), self.room[:, place])
            before = before + self.room[:, place]
            found[place] = total(self.low[:, place] + filled)
        return found
