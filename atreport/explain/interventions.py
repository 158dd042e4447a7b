"""What becomes of a figure when some attributes are drawn anew: the mathematics that all influence shares.

An intervention takes a person x, draws values u of a set K of attributes as often as they occur together in the
population, independently of the person, and looks at the outcome of (x without K, u). A combination that nobody has has
no announced rule. Such a draw **is not made: the person stays as they are.** So every figure is defined by the published
cells alone, has one denominator, and needs no assumption about combinations that do not occur; where all combinations
occur, this is the usual definition. How many draws can be made, the *reach*, is published beside the figure.

With T people in all, W of them in the group, w(y) of the group's people in the cell y, B(y) people with y's values of K,
R(y) people of the group who are like y outside K, and M(y) the sum of B over the cells like y outside K, the change of the
group's favourable rate is

    Q(X) - Q(X without K, U)  =  Σ_y (w(y) M(y) - B(y) R(y)) d(y) / (T W)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from atreport.core.band import Range
from atreport.core.cells import Cells, ExactArray, IntArray
from atreport.core.exact import axis_sums, class_sums, dot, product, total, widen
from atreport.core.rule_table import RuleTable
from atreport.measures.feasible_rules import Truths, largest_sum
from atreport.measures.measured import largest_move

# Figures that are weighted sums of the cells' favourable probabilities, and the interval the truth puts them
# in.
#
# Guarantee: a :class:`WeightedSum` is exact. Whatever the true rule is, as long as it keeps what is published
# (its band in every cell, and the rates of QID groups where those are kept), its true value lies in its
# range; and for two outcomes no narrower range would be true, since each end is attained: where every cell
# stands at one end of its band, or where the cells of each QID group are filled up in the order of what a
# person adds, as far as the group's rate allows. The true value is never further from the announced one than
# the most a single probability can move, times the sum of the sizes of the coefficients.


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


Mask = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class Resampled:
    """One intervention on every cell: what is needed to follow it."""

    alike: IntArray  # class of each cell: cells in it are alike outside the attributes drawn
    classes: int
    drawn: IntArray  # B: people with the cell's values of the attributes drawn
    possible: (
        IntArray  # M: how many of all people's values, drawn for this cell, make a combination that occurs
    )
    everybody: int  # T


def people(weights: IntArray) -> int:
    """All people, in whole steps of the population as it is published."""
    return total(weights)


def resample(
    codes: NDArray[np.int32], sizes: Sequence[int], weights: IntArray, columns: Sequence[int]
) -> Resampled:
    """The intervention on the attributes in `columns`."""
    others = [column for column in range(codes.shape[1]) if column not in columns]
    values, value_count = classes_of(codes, sizes, columns)
    alike, classes = classes_of(codes, sizes, others)
    everybody = people(weights)
    drawn = class_sums(weights, values, value_count)[values]
    possible = class_sums(drawn, alike, classes)[alike]
    return Resampled(alike=alike, classes=classes, drawn=drawn, possible=possible, everybody=everybody)


def change_as_sum(cells: Cells, weights: IntArray, group: Mask, attributes: Sequence[str]) -> WeightedSum:
    """By how much the group's favourable rate exceeds what it is when the attributes are drawn anew."""
    draw = resample(cells.codes, value_counts(cells), weights, columns_of(cells, attributes))
    members = np.where(group, weights, 0)
    in_group = people(members)
    coefficients = change_coefficients(draw, members)
    return WeightedSum(coefficients=coefficients, denominator=draw.everybody * in_group)


def change_coefficients(draw: Resampled, members: IntArray) -> ExactArray:
    """The numerator w M - B R for every cell."""
    own = class_sums(members, draw.alike, draw.classes)[draw.alike]
    return product(members, draw.possible) - product(draw.drawn, own)


def reach(cells: Cells, weights: IntArray, group: Mask, attributes: Sequence[str]) -> Fraction:
    """The share of the draws that lead to a combination that occurs."""
    draw = resample(cells.codes, value_counts(cells), weights, columns_of(cells, attributes))
    members = np.where(group, weights, 0)
    return Fraction(dot(members, draw.possible), draw.everybody * people(members))


def columns_of(cells: Cells, attributes: Sequence[str]) -> list[int]:
    """The positions of some attributes in the spec's list."""
    names = [attribute.name for attribute in cells.process.attributes]
    return [names.index(name) for name in attributes]


def value_counts(cells: Cells) -> list[int]:
    """How many values each attribute has."""
    return [len(attribute.values) for attribute in cells.process.attributes]


def classes_of(
    codes: NDArray[np.int32], sizes: Sequence[int], columns: Sequence[int]
) -> tuple[IntArray, int]:
    """Number the classes of cells that are alike in some attributes; some numbers may be of classes without cells.

    Values are read as digits of one number, which is its class as long as there are few.
    """
    label, count = np.zeros(len(codes), dtype=np.int64), 1
    for column in columns:
        label = label * sizes[column] + codes[:, column]
        count *= sizes[column]
        if count > 4 * len(codes) + 1024:
            found, inverse = np.unique(label, return_inverse=True)
            label, count = np.asarray(inverse, dtype=np.int64).ravel(), len(found)
    return label, count


# The influence of every set of attributes at once, exactly: what Shapley values are made of.
#
# A table that fills a good part of its grid is laid out as one, and marginal sums are shared among sets;
# others go set by set through :mod:`atreport.explain.interventions`. Both give the same whole
# numbers.

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
        draw = resample(self.cells.codes, value_counts(self.cells), self.weights, columns)
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


# Moves along an attribute, everything else as it is: what curves are made of.


def alike_but_for(cells: Cells, attribute: str) -> tuple[IntArray, int]:
    """Classes of cells that are alike in everything but the attribute."""
    own = columns_of(cells, [attribute])
    others = [column for column in range(cells.codes.shape[1]) if column not in own]
    return classes_of(cells.codes, value_counts(cells), others)


def has_value(cells: Cells, attribute: str, value: str) -> Mask:
    """The cells with a value of the attribute."""
    return np.asarray(cells.column(attribute) == cells.process.attribute(attribute).values.index(value))


def can_move(alike: IntArray, classes: int, there: Mask) -> Mask:
    """Whether a cell with the value exists among those that are alike."""
    found = np.zeros(classes, dtype=bool)
    found[alike[there]] = True
    return found[alike]


def occurring_values(cells: Cells, attribute: str) -> list[str]:
    """The values that somebody has, in the order of the spec's list."""
    values = cells.process.attribute(attribute).values
    return [values[int(code)] for code in np.unique(cells.column(attribute))]
