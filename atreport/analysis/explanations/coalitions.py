"""The influence of every set of attributes at once, exactly: what Shapley values are made of.

A table that fills a good part of its grid is laid out as one, and marginal sums are shared among sets; others go set by
set through :mod:`atreport.analysis.explanations.interventions`. Both give the same whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import numpy as np

from atreport.analysis.explanations.interventions import Mask, drawn_anew, people, value_counts
from atreport.kit.exact import axis_sums, class_sums, dot, product, widen
from atreport.population.cells import Cells, ExactArray, IntArray

ShareDone = Callable[[float], None]
"""Called with the share of the work that is done."""

MAX_EXACT = 12
"""The most attributes for which every set is looked at."""

DENSE = 8
"""A grid with at most this many fields for each cell is laid out."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """A population, the announced probabilities, and a group whose favourable rate is played for.

    A set of attributes is a number whose bits are its members.
    """

    cells: Cells
    weights: IntArray
    steps: IntArray  # announced probabilities in whole steps
    group: Mask

    @property
    def denominator(self) -> int:
        """What every influence is divided by, apart from the scale of the steps."""
        return people(self.weights) * people(np.where(self.group, self.weights, 0))

    def influence(self, coalition: int) -> int:
        """The influence of one set of attributes, times the denominator and the scale."""
        columns = [column for column in range(self.cells.codes.shape[1]) if coalition >> column & 1]
        draw = drawn_anew(self.cells.codes, value_counts(self.cells), self.weights, columns)
        members = np.where(self.group, self.weights, 0)
        kept = dot(product(self.steps, members), draw.possible)
        own = class_sums(members, draw.alike, draw.classes)
        met = class_sums(product(self.steps, draw.drawn), draw.alike, draw.classes)
        return kept - dot(own, met)

    @property
    def is_dense(self) -> bool:
        """Whether the cells fill a good part of the grid of all combinations."""
        return math.prod(value_counts(self.cells)) <= DENSE * len(self.cells) + 4096


def all_coalitions(game: Game, progress: ShareDone = lambda _share: None) -> list[int]:
    """The influence of every set of attributes, in the order of their numbers."""
    total = 2 ** game.cells.codes.shape[1]
    if game.is_dense:
        return _Grid(game, progress).influences
    found = []
    for coalition in range(total):
        progress(coalition / total)
        found.append(game.influence(coalition))
    return found


def shapley_weights(attributes: int, attribute: int) -> list[int]:
    """What each set's influence counts for in an attribute's Shapley value, times the number of orders.

    A set counts for as many orders as begin with it and have the attribute at its end; and against, next to it.
    """
    orders = [math.factorial(i) for i in range(attributes + 1)]
    weights = []
    for coalition in range(2**attributes):
        size = coalition.bit_count()
        if coalition >> attribute & 1:
            weights.append(orders[size - 1] * orders[attributes - size])
        else:
            weights.append(-orders[size] * orders[attributes - size - 1])
    return weights


@dataclass(frozen=True, kw_only=True, eq=False)
class SharingOut:
    """Which sets of attributes are drawn anew, and what each counts for in what an attribute is owed, over `orders`."""

    drawn: tuple[tuple[int, ...], ...]
    shares: IntArray  # (attributes, sets)
    orders: int


def sharing_out(attributes: int) -> SharingOut:
    """How what one record owes to each attribute is found: Shapley values; of very many attributes, each by itself."""
    if attributes > MAX_EXACT:
        return SharingOut(
            drawn=tuple((k,) for k in range(attributes)), shares=np.eye(attributes, dtype=np.int64), orders=1
        )
    return SharingOut(
        drawn=tuple(
            tuple(k for k in range(attributes) if coalition >> k & 1) for coalition in range(2**attributes)
        ),
        shares=np.array([shapley_weights(attributes, k) for k in range(attributes)], dtype=np.int64),
        orders=math.factorial(attributes),
    )


def shapley_values(game: Game, progress: ShareDone = lambda _share: None) -> list[Fraction]:
    """The exact Shapley value of every attribute for a group's favourable rate, in steps of the announced mapping."""
    attributes = game.cells.codes.shape[1]
    influences = all_coalitions(game, progress)
    whole = game.denominator * math.factorial(attributes)
    return [
        Fraction(sum(w * v for w, v in zip(shapley_weights(attributes, k), influences, strict=True)), whole)
        for k in range(attributes)
    ]


class _Grid:
    """The cells laid out as a grid, an axis for each attribute.

    Sets are visited by deciding on one attribute after the other: one that is drawn anew is summed out of the group, one
    that is not is summed out of the population, so that every marginal sum is made once from the next larger one.
    """

    def __init__(self, game: Game, progress: ShareDone) -> None:
        sizes = value_counts(game.cells)
        place = tuple(game.cells.codes.T)
        largest = people(game.weights) * int(game.steps.max(initial=1))
        population = _laid_out(game.weights, place, sizes)
        group = _laid_out(np.where(game.group, game.weights, 0), place, sizes)
        self.steps = _laid_out(widen(game.steps, largest), place, sizes)
        self.occurs = (population > 0).astype(np.int64)
        self.is_full = bool(self.occurs.all())
        self.attributes = len(sizes)
        self.everybody = people(game.weights)
        self.progress = progress
        self.visited = 0
        self.influences = [0] * 2**self.attributes
        self._visit(0, (), population, group, product(group, self.steps))

    def _visit(
        self,
        attribute: int,
        drawn: tuple[int, ...],
        population: ExactArray,
        group: ExactArray,
        favoured: ExactArray,
    ) -> None:
        """Decide on an attribute; `population` has the axes of those drawn anew so far, the others those that are not."""
        if attribute == self.attributes:
            self._put_down(drawn, population, group, favoured)
            return
        axis = attribute - len(drawn)
        self._visit(attribute + 1, drawn, axis_sums(population, len(drawn)), group, favoured)
        self._visit(
            attribute + 1, (*drawn, attribute), population, axis_sums(group, axis), axis_sums(favoured, axis)
        )

    def _put_down(
        self, drawn: tuple[int, ...], population: ExactArray, group: ExactArray, favoured: ExactArray
    ) -> None:
        coalition = sum(1 << attribute for attribute in drawn)
        met = self._drawn(self.steps, drawn, population)
        possible = (
            np.full(met.shape, self.everybody)
            if self.is_full
            else self._drawn(self.occurs, drawn, population)
        )
        kept = dot(favoured.ravel(), possible.ravel())
        self.influences[coalition] = kept - dot(group.ravel(), met.ravel())
        self.visited += 1
        self.progress(self.visited / len(self.influences))

    def _drawn(self, of_cells: ExactArray, drawn: tuple[int, ...], population: ExactArray) -> ExactArray:
        """The sum over the values drawn of how often they are drawn times what they meet there."""
        return cast(ExactArray, np.tensordot(of_cells, population, axes=(drawn, range(len(drawn)))))


def _laid_out(of_cells: ExactArray, place: Sequence[IntArray], sizes: Sequence[int]) -> ExactArray:
    grid: Any = np.zeros(tuple(sizes), dtype=of_cells.dtype)
    grid[tuple(place)] = of_cells
    return cast(ExactArray, grid)
