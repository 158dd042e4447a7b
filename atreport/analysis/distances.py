"""How far apart people are, attribute by attribute: the distance of a spec as whole numbers of a common unit.

An axis holds the values of one attribute that occur, and knows three things: how far two values are apart, the cheapest
way to reach each value from any other, and how near two blocks of people can be. All of it is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from atreport.kit.exact import SAFE, largest_size
from atreport.population.cells import IntArray
from atreport.spec.models.measures import MatrixDistance, ScaleDistance
from atreport.spec.models.process import Attribute

Steps = NDArray[Any]
"""Whole numbers of the common unit: int64, or Python integers where those could overflow."""


class Axis(Protocol):
    """One attribute, as far as it counts."""

    @property
    def size(self) -> int:
        """How many values there are."""

    @property
    def longest(self) -> int:
        """The largest distance between two values."""

    @property
    def is_metric(self) -> bool:
        """Whether no way over other values is shorter than the distance between two."""

    def between(self, first: IntArray, second: IntArray) -> Steps:
        """The distances between values."""

    def from_others(self, costs: Steps, unreachable: int) -> Steps:
        """For each value the least, over all other values, of their cost plus the distance from there.

        `costs` has one entry (or one array) for each value.
        """

    def between_blocks(self, codes: IntArray, starts: IntArray) -> Steps:
        """A lower bound on the distances between any two members of two blocks, for all pairs of blocks."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Alike:
    """Any two different values are equally far apart."""

    size: int
    longest: int
    is_metric: bool = True

    def between(self, first: IntArray, second: IntArray) -> Steps:
        """`longest`, or 0 for equal values."""
        return self._where(first != second)

    def from_others(self, costs: Steps, unreachable: int) -> Steps:
        """The cheapest value before or after, and the step from there."""
        before = _running_least(costs, unreachable)
        after = _running_least(costs[::-1], unreachable)[::-1]
        return np.asarray(np.minimum(before, after) + self.longest)

    def between_blocks(self, codes: IntArray, starts: IntArray) -> Steps:
        """The step, where the ranges of the two blocks do not meet."""
        low, high = np.minimum.reduceat(codes, starts), np.maximum.reduceat(codes, starts)
        apart = (low[:, None] > high[None, :]) | (low[None, :] > high[:, None])
        return self._where(apart)

    def _where(self, apart: NDArray[np.bool_]) -> Steps:
        found = np.zeros(apart.shape, dtype=np.int64 if self.longest < SAFE else object)
        found[apart] = self.longest
        return found


@dataclass(frozen=True, kw_only=True, eq=False)
class Line:
    """Values are points on a line, in ascending order from 0."""

    points: Steps
    is_metric: bool = True

    @property
    def size(self) -> int:
        """How many values there are."""
        return len(self.points)

    @property
    def longest(self) -> int:
        """From the first point to the last."""
        return int(self.points[-1])

    def between(self, first: IntArray, second: IntArray) -> Steps:
        """The distance of the points."""
        return np.asarray(np.abs(self.points[first] - self.points[second]))

    def from_others(self, costs: Steps, unreachable: int) -> Steps:
        """From below, the least cost minus point, plus one's own point; from above the mirror image."""
        points = self.points.reshape(-1, *[1] * (costs.ndim - 1))
        below = _running_least(costs - points, unreachable) + points
        above = _running_least((costs + points)[::-1], unreachable + self.longest)[::-1] - points
        return np.asarray(np.minimum(below, above))

    def between_blocks(self, codes: IntArray, starts: IntArray) -> Steps:
        """The gap between the ranges of the two blocks."""
        points = self.points[codes]
        low, high = np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)
        gap = np.maximum(low[:, None] - high[None, :], low[None, :] - high[:, None])
        return np.asarray(np.maximum(gap, 0))


@dataclass(frozen=True, kw_only=True, eq=False)
class Matrix:
    """Every distance by itself."""

    distances: Steps

    @property
    def size(self) -> int:
        """How many values there are."""
        return len(self.distances)

    @property
    def longest(self) -> int:
        """The largest entry."""
        return int(self.distances.max())

    @property
    def is_metric(self) -> bool:
        """Whether every entry is at most the sum of any two that lead the same way."""
        far = self.distances
        return all(bool((far <= far[:, [k]] + far[[k], :]).all()) for k in range(self.size))

    def between(self, first: IntArray, second: IntArray) -> Steps:
        """The entry of the two values."""
        return np.asarray(self.distances[first, second])

    def from_others(self, costs: Steps, unreachable: int) -> Steps:
        """All values are tried."""
        found = np.full_like(costs, unreachable)
        distances = self.distances.reshape(self.size, self.size, *[1] * (costs.ndim - 1))
        for value in range(self.size if self.size > 1 else 0):
            found[value] = np.delete(costs + distances[value], value, axis=0).min(axis=0)
        return found

    def between_blocks(self, codes: IntArray, starts: IntArray) -> Steps:
        """The least entry between the values that occur in the two blocks."""
        from_block = np.minimum.reduceat(self.distances[codes], starts, axis=0)  # (blocks, values)
        return np.stack([np.minimum.reduceat(row[codes], starts) for row in from_block])


def _running_least(costs: Steps, unreachable: int) -> Steps:
    """For each entry the least of those before it."""
    found = np.full_like(costs, unreachable)
    found[1:] = np.minimum.accumulate(costs[:-1], axis=0)
    return found


Distance = Decimal | ScaleDistance | MatrixDistance


def counts(distance: Distance) -> bool:
    """Whether an attribute counts at all: some of its values are apart."""
    if isinstance(distance, MatrixDistance):
        return any(entry > 0 for row in distance.matrix for entry in row)
    return (distance.scale if isinstance(distance, ScaleDistance) else distance) > 0


def points_of(attribute: Attribute, distance: ScaleDistance) -> list[Fraction]:
    """Where each value of an attribute lies on its scale."""
    if distance.numbers is None:
        numbers = [Fraction(step) for step in range(len(attribute.values))]
    elif isinstance(distance.numbers, dict):
        numbers = [Fraction(distance.numbers[value]) for value in attribute.values]
    else:
        numbers = [Fraction(Decimal(value)) for value in attribute.values]
    return [number * Fraction(distance.scale) for number in numbers]


def denominators(attribute: Attribute, distance: Distance) -> list[int]:
    """The denominators of every distance on an attribute."""
    if isinstance(distance, ScaleDistance):
        return [point.denominator for point in points_of(attribute, distance)]
    entries = (
        [e for row in distance.matrix for e in row] if isinstance(distance, MatrixDistance) else [distance]
    )
    return [Fraction(entry).denominator for entry in entries]


def make_axis(
    attribute: Attribute, distance: Distance, column: NDArray[np.int32], unit: Fraction
) -> tuple[Axis, IntArray]:
    """The axis of the values that occur, and the position of every cell on it.

    Distances that are no whole number of units are off by less than one unit.
    """
    used, codes = np.unique(column, return_inverse=True)
    codes = codes.astype(np.int64)
    if isinstance(distance, ScaleDistance):
        all_points = points_of(attribute, distance)
        points = [int(all_points[value] / unit // 1) for value in used]
        order = sorted(range(len(used)), key=lambda index: points[index])
        rank = np.empty(len(used), dtype=np.int64)
        rank[order] = np.arange(len(used))
        first = min(points)
        return Line(points=_whole([points[index] - first for index in order])), rank[codes]
    if isinstance(distance, MatrixDistance):
        entries = [[int(Fraction(distance.matrix[a][b]) / unit) for b in used] for a in used]
        return Matrix(distances=_whole(entries)), codes
    return Alike(size=len(used), longest=int(Fraction(distance) / unit)), codes


def _whole(numbers: Sequence[Any]) -> Steps:
    """Python integers as an array; int64 where they fit."""
    wide = np.array(numbers, dtype=object)
    return wide.astype(np.int64) if largest_size(wide) < SAFE else wide
