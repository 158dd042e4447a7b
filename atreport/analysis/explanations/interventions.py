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

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from atreport.analysis.explanations.weighted_sums import WeightedSum
from atreport.kit.exact import class_sums, dot, product, total
from atreport.population.cells import Cells, ExactArray, IntArray

Mask = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class Drawn:
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


def drawn_anew(
    codes: NDArray[np.int32], sizes: Sequence[int], weights: IntArray, columns: Sequence[int]
) -> Drawn:
    """The intervention on the attributes in `columns`."""
    others = [column for column in range(codes.shape[1]) if column not in columns]
    values, value_count = classes_of(codes, sizes, columns)
    alike, classes = classes_of(codes, sizes, others)
    everybody = people(weights)
    drawn = class_sums(weights, values, value_count)[values]
    possible = class_sums(drawn, alike, classes)[alike]
    return Drawn(alike=alike, classes=classes, drawn=drawn, possible=possible, everybody=everybody)


def change_as_sum(cells: Cells, weights: IntArray, group: Mask, attributes: Sequence[str]) -> WeightedSum:
    """By how much the group's favourable rate exceeds what it is when the attributes are drawn anew."""
    draw = drawn_anew(cells.codes, value_counts(cells), weights, columns_of(cells, attributes))
    members = np.where(group, weights, 0)
    in_group = people(members)
    coefficients = change_coefficients(draw, members)
    return WeightedSum(coefficients=coefficients, denominator=draw.everybody * in_group)


def change_coefficients(draw: Drawn, members: IntArray) -> ExactArray:
    """The numerator w M - B R for every cell."""
    own = class_sums(members, draw.alike, draw.classes)[draw.alike]
    return product(members, draw.possible) - product(draw.drawn, own)


def reach(cells: Cells, weights: IntArray, group: Mask, attributes: Sequence[str]) -> Fraction:
    """The share of the draws that lead to a combination that occurs."""
    draw = drawn_anew(cells.codes, value_counts(cells), weights, columns_of(cells, attributes))
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
