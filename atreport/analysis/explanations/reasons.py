"""Why people with one record are favoured more or less than everybody: what is certain about it, wherever the truth lies.

The announced probability of a record differs from everybody's average, and the difference is shared out among the
attributes (Shapley values; of more than twelve attributes, what each does by itself). What an attribute moved is a linear
figure of the rule, and so is by how much it moved more than another. A published rule stands for many true ones: all that
keep the band of every cell, and the rates of QID groups where those are kept. So a reason is certain when its figure has
the same sign under all of them, and an order of two reasons when their *difference* has: two figures whose intervals
overlap move together, and their order can be certain all the same.

Guarantee: in exact arithmetic, by the population as published. A direction, an order or a possible outweighing that is
stated holds under every true rule that what is published allows. For two outcomes what is called uncertain is so: there
is a possible true rule under which the direction or the order is another one (or both weigh exactly the same).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from atreport.analysis.explanations.coalitions import sharing_out
from atreport.analysis.explanations.interventions import drawn_anew, people, value_counts
from atreport.analysis.explanations.weighted_sums import WeightedSum
from atreport.analysis.ranges import Range
from atreport.kit.exact import widen
from atreport.rule_table import RuleTable

Direction = Literal["raised", "lowered", "nothing", "unclear"]
"""What an attribute did to the favourable probability, under every possible true rule."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Moved:
    """What one attribute (by its place in the spec) moved: the announced amount and where the true one lies."""

    attribute: int
    figure: WeightedSum
    range: Range

    @property
    def direction(self) -> Direction:
        """Which way, for certain."""
        if self.range.low > 0:
            return "raised"
        if self.range.high < 0:
            return "lowered"
        return "nothing" if self.range.low == self.range.high == 0 else "unclear"


@dataclass(frozen=True, kw_only=True, eq=False)
class Rank:
    """Attributes that moved the same way, each certainly more than all those of later ranks.

    Several in one rank cannot all be ranked among each other. Of attributes whose direction is unclear, those in
    `may_weigh_more` could have moved the same way more than some of this rank; all others certainly did not.
    """

    moved: tuple[Moved, ...]
    may_weigh_more: tuple[Moved, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class CertainReasons:
    """What is certain about one record."""

    raised: tuple[Rank, ...]
    lowered: tuple[Rank, ...]
    nothing: tuple[Moved, ...]  # moved it by exactly 0
    unclear: tuple[Moved, ...]  # it cannot be told which way


def certain_reasons(table: RuleTable, cell: int) -> CertainReasons:
    """Which attributes moved a cell's favourable probability, which way and in which order, as far as it is certain."""
    weights = table.published_weights[0]
    moved = [
        Moved(attribute=place, figure=figure, range=figure.range(table, weights))
        for place, figure in enumerate(moved_as_sums(table, cell))
    ]
    unclear = tuple(each for each in moved if each.direction == "unclear")

    def ranked(direction: Direction, sign: int) -> tuple[Rank, ...]:
        certain = [each for each in moved if each.direction == direction]
        return tuple(_ranks(table, certain, unclear, sign))

    return CertainReasons(
        raised=ranked("raised", 1),
        lowered=ranked("lowered", -1),
        nothing=tuple(each for each in moved if each.direction == "nothing"),
        unclear=unclear,
    )


def moved_as_sums(table: RuleTable, cell: int) -> tuple[WeightedSum, ...]:
    """What each attribute moved in a cell, as a weighted sum of the cells' favourable probabilities."""
    codes, weights, values = table.cells.codes, table.published_weights[0], value_counts(table.cells)
    shared = sharing_out(len(values))
    everybody = people(weights)
    most = 2 * everybody * shared.orders  # the sizes of an attribute's shares sum to twice the orders
    total: Any = widen(np.zeros((len(values), len(codes)), dtype=np.int64), most)
    for place, columns in enumerate(shared.drawn):
        draw = drawn_anew(codes, values, weights, columns)
        met = np.flatnonzero(draw.alike == draw.alike[cell])
        counts = shared.shares[:, place].astype(total.dtype)
        total[:, met] -= counts[:, None] * draw.drawn[met]
        total[:, cell] += counts * int(draw.possible[cell])
    return tuple(
        WeightedSum(coefficients=coefficients, denominator=everybody * shared.orders)
        for coefficients in total
    )


def _ranks(table: RuleTable, certain: Sequence[Moved], unclear: Sequence[Moved], sign: int) -> Iterator[Rank]:
    """The finest ranks such that each attribute of one certainly weighs more than each of the next.

    Attributes are taken by their announced weight. A certain order always agrees with it, so a rank ends where all that
    were taken certainly weigh more than all that are left.
    """
    ordered = sorted(certain, key=lambda each: -sign * each.range.value)
    begun = 0
    for end in range(1, len(ordered) + 1):
        taken, left = ordered[begun:end], ordered[end:]
        if all(_outweighs(table, one, other, sign) for one in taken for other in left):
            yield Rank(
                moved=tuple(sorted(taken, key=lambda each: each.attribute)),
                may_weigh_more=tuple(
                    other
                    for other in unclear
                    if not all(_outweighs(table, one, other, sign) for one in taken)
                ),
            )
            begun = end


def _outweighs(table: RuleTable, one: Moved, other: Moved, sign: int) -> bool:
    """Whether one attribute moved further than another in the direction of `sign`, under every possible true rule."""
    if sign * (one.range.value - other.range.value) <= 0:
        return False  # the announced rule is a possible one
    if one.range.low > other.range.high or one.range.high < other.range.low:
        return True  # apart even if they moved independently
    difference = one.figure.minus(other.figure).range(table, table.published_weights[0])
    return difference.low > 0 if sign > 0 else difference.high < 0
