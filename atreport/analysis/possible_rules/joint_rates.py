"""Two rates of an outcome, and where they can be together: a convex polygon, whose corners are exact fractions.

Where two groups share nobody, each rate can be anywhere in its own interval, whatever the other is: a rectangle. Where they
share people, the rates move together. With A the cells of the first group alone, C those of both, B those of the second
alone and O the rest, a weight u on the first rate and v on the second gives every cell of a class the same weight per
person: u, u + v, v and 0. In the direction (u, v) the polygon's corner is therefore found by filling the classes of each
QID group in the order of those numbers, as far as its cells' bands and its rate allow. The order changes at eight
directions only, so there are at most eight corners.

Guarantee: no possible rule gives rates outside the polygon, and each corner is attained by one (for one outcome of several
under kept rates, by one in which the other outcomes' rates may not be kept). A comparison of the two rates that is linear,
or a ratio, has its ends at corners. `tests/analysis/test_joint_rates.py` compares them with a linear-programming solver.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from atreport.analysis.possible_rules import PossibleRules
from atreport.analysis.ranges import Range
from atreport.kit.exact import axis_sums, class_sums, product, total
from atreport.population.cells import ExactArray, IntArray

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
