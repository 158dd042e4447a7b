"""A decision tree that comes near the announced rule.

:mod:`atreport.explain.tree` finds its shape, on the population as published. What is printed is then taken
as the model: a leaf's probability is the announced rate of its people, rounded. Faithfulness says how far the printed tree
is from the announced rule, exactly, and is rounded up.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from atreport.core.cells import Cells, IntArray
from atreport.core.exact import class_sums, dot, product, running_sums, total
from atreport.core.rule_table import RuleTable
from atreport.explain.explanation import MethodQuestion
from atreport.explain.interventions import people
from atreport.report.explanation import Faithfulness, Rule, RuleSet
from atreport.report.figures import Condition
from atreport.text.numbers import nearest, rounded_up

# Part the cells of a rule again and again, so that probabilities inside each part differ as little as they
# can.
#
# This is a regression tree, grown in whole numbers: which question parts best is decided exactly, so every
# machine grows the same tree. Of questions that part equally well, the first is asked: attributes and their
# values in the order of the spec. Where no two are equal, it is the tree of scikit-learn's
# DecisionTreeRegressor, whose import takes longer than most reports; but that one also splits cells of one
# probability, where floating point makes them differ.


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


# Parts of the population that a simpler rule treats alike, and how far such a rule is from the announced one.
#
# Guarantee: what is printed is the rule, so faithfulness is exact for the probabilities as printed; errors
# are rounded up.


@dataclass(frozen=True, kw_only=True, eq=False)
class TreeLeaf:
    """Cells that a tree treats alike, and what they have in common."""

    condition: Condition
    members: IntArray


def share_of(table: RuleTable, members: IntArray) -> Decimal | None:
    """The share of all people who are in some cells, or None where the population is withheld."""
    if not table.population_is_printed:
        return None
    weights = table.published_weights[0]
    return nearest(Fraction(people(weights[members]), people(weights)), table.decimals)


def rule_of(table: RuleTable, leaf: TreeLeaf) -> Rule:
    """The announced rate of a leaf's people."""
    weights = table.published_weights[0][leaf.members]
    rate = Fraction(dot(weights, table.announced[leaf.members]), people(weights) * table.scale)
    return Rule(
        condition=leaf.condition,
        probability=nearest(rate, table.decimals),
        share=share_of(table, leaf.members),
    )


def faithfulness(table: RuleTable, steps: IntArray) -> Faithfulness:
    """How far probabilities, in whole printed steps, are from the announced ones; for every population that must hold."""
    return faithfulness_of(table, abs(steps - table.announced), table.scale)


def faithfulness_of(table: RuleTable, errors: IntArray, whole: int) -> Faithfulness:
    """How far a model is from the announced rule, given its error in every cell in whole numbers over `whole`."""
    worst = int(np.argmax(errors))
    average = max(
        Fraction(dot(weights, errors), people(weights) * whole) for weights in table.published_weights
    )
    return Faithfulness(
        average_error=rounded_up(average, table.decimals),
        worst_error=rounded_up(Fraction(int(errors[worst]), whole), table.decimals),
        worst=table.cells.labels(worst, table.cells.process.attributes),
    )


def explain(question: MethodQuestion) -> Iterator[RuleSet]:
    """A tree of the depth that the spec asks for."""
    depth = question.asked.rules.tree
    assert depth is not None, "it is asked for"
    yield surrogate_tree(question.table, depth, question.asked.ordered)


def surrogate_tree(table: RuleTable, depth: int, ordered: Sequence[str]) -> RuleSet:
    """A decision tree of at most this depth."""
    leaves = tree_leaves(table, ordered, deepest=depth)
    rules = [rule_of(table, leaf) for leaf in leaves]
    steps = np.empty(len(table.cells), dtype=np.int64)
    for leaf, rule in zip(leaves, rules, strict=True):
        steps[leaf.members] = int(rule.probability.scaleb(table.decimals))
    return RuleSet(
        scheme="tree",
        depth=depth,
        rules=tuple(sorted(rules, key=lambda rule: -rule.probability)),
        faithfulness=faithfulness(table, steps),
    )


def tree_leaves(
    table: RuleTable, ordered: Sequence[str], *, deepest: int | None = None, most: int | None = None
) -> list[TreeLeaf]:
    """The leaves of a tree on the announced rule, so deep at most, or so many at most.

    A leaf is a box, so the values that occur in it describe it: no cell outside has one of them for every attribute.
    """
    return [
        TreeLeaf(condition=_in_common(table.cells, members), members=members)
        for members in parted(table, ordered, deepest=deepest, most=most)
    ]


def _in_common(cells: Cells, members: IntArray) -> Condition:
    """The values that occur among some cells, of each attribute that does not have all of its own there."""
    condition: dict[str, tuple[str, ...]] = {}
    for attribute in cells.process.attributes:
        column = cells.column(attribute.name)
        inside = np.unique(column[members])
        if len(inside) < len(np.unique(column)):
            condition[attribute.name] = tuple(attribute.values[int(code)] for code in inside)
    return condition
