"""Part the cells of a rule again and again, so that probabilities inside each part differ as little as they can.

This is a regression tree, grown in whole numbers: which question parts best is decided exactly, so every machine grows the
same tree. Of questions that part equally well, the first is asked: attributes and their values in the order of the spec.
Where no two are equal, it is the tree of scikit-learn's DecisionTreeRegressor, whose import takes longer than most reports;
but that one also splits cells of one probability, where floating point makes them differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from atreport.kit.exact import class_sums, product, running_sums, total
from atreport.population.cells import IntArray
from atreport.rule_table import RuleTable


@dataclass(frozen=True, kw_only=True, eq=False)
class _Split:
    """A question that parts some cells in two."""

    gain: Fraction  # how much less the squared errors become, each weighed with its people
    below: IntArray
    above: IntArray


@dataclass(frozen=True, kw_only=True, eq=False)
class _Part:
    """Some cells, after so many questions, and the one that parts them best; None where they are to stay together."""

    members: IntArray
    depth: int
    split: _Split | None


def parted(
    table: RuleTable, ordered: Sequence[str], *, deepest: int | None = None, most: int | None = None
) -> list[IntArray]:
    """The cells in parts: after `deepest` questions each, or in at most so many parts, found by the best questions first.

    Questions are whether an ordered attribute is above a value, and whether another one is a value. The parts stand in the
    order of their first cells.
    """
    asker = _Asker(table, ordered)

    def part(members: IntArray, depth: int) -> _Part:
        final = deepest is not None and depth >= deepest
        return _Part(members=members, depth=depth, split=None if final else asker.best_split(members))

    parts = [part(np.arange(len(table.cells)), 0)]
    while most is None or len(parts) < most:
        open_parts = [each for each in parts if each.split is not None]
        if not open_parts:
            break
        best = max(open_parts, key=lambda each: each.split.gain if each.split else 0)  # of equals the first
        assert best.split is not None
        place = parts.index(best)
        parts[place : place + 1] = [
            part(members, best.depth + 1) for members in (best.split.below, best.split.above)
        ]
    return sorted((each.members for each in parts), key=lambda members: int(members[0]))


class _Asker:
    """Finds the best question on some cells of a rule."""

    def __init__(self, table: RuleTable, ordered: Sequence[str]) -> None:
        self._weights = table.published_weights[0]
        self._sums = product(self._weights, table.announced)
        self._announced = table.announced
        self._columns = [
            (table.cells.column(attribute.name), attribute.name in ordered)
            for attribute in table.cells.process.attributes
        ]

    def best_split(self, members: IntArray) -> _Split | None:
        """The question that parts these cells best, or None where all of their people have the same probability.

        Cells without people have no say, and go where the question puts them.
        """
        peopled = members[self._weights[members] > 0]
        if len(peopled) == 0 or (self._announced[peopled] == self._announced[peopled[0]]).all():
            return None
        best: tuple[Fraction, NDArray[np.bool_]] | None = None
        for column, in_order in self._columns:
            for spread, is_below in self._questions(column, in_order, peopled):
                if best is None or spread > best[0]:
                    best = spread, is_below[column[members]]
        assert best is not None, "cells with different probabilities differ in a value"
        weight, amount = (total(of[peopled]) for of in (self._weights, self._sums))
        return _Split(
            gain=best[0] - Fraction(amount * amount, weight), below=members[best[1]], above=members[~best[1]]
        )

    def _questions(
        self, column: NDArray[np.int32], in_order: bool, peopled: IntArray
    ) -> Iterator[tuple[Fraction, NDArray[np.bool_]]]:
        """Every question on an attribute: how well it parts, and for each code of the attribute whether it is below."""
        codes = np.arange(int(column.max()) + 1)
        weights, sums = (
            class_sums(of[peopled], column[peopled], len(codes)) for of in (self._weights, self._sums)
        )
        occurring = np.unique(column[peopled]).tolist()
        weight, whole = total(weights), total(sums)
        if in_order:
            weights, sums = running_sums(weights), running_sums(sums)
        for code, following in zip(occurring, [*occurring[1:], None], strict=True):
            inside, amount = int(weights[code]), int(sums[code])
            if inside == weight:
                continue
            spread = Fraction(amount**2, inside) + Fraction((whole - amount) ** 2, weight - inside)
            yield spread, (2 * codes <= code + (following or 0)) if in_order else codes == code
