"""Shapley values: how much of a quantity is owed to each attribute.

Every set of attributes has an influence v(S), the change of the quantity when the set is drawn anew. The Shapley value of
an attribute is the average, over all orders of the attributes, of what it adds to the influence of those before it. The
values of all attributes sum to v(all): the group's rate less everybody's, or the whole gap. An attribute that changes
nothing gets 0, and two attributes that do the same get the same.

Guarantee: exact up to MAX_EXACT attributes. Beyond, an unbiased estimate from random orders; with the stated probability
no attribute's estimate is further from its exact value than the stated error (empirical Bernstein bound by Maurer and
Pontil, shared among the attributes by Bonferroni). The orders come from a fixed seed.
"""

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial

import numpy as np

from atreport.core.band import Range
from atreport.core.cells import Cells, IntArray
from atreport.core.rule_table import RuleTable
from atreport.explain.explanation import MethodQuestion, Progress, groups_of, print_influence
from atreport.explain.interventions import (
    MAX_EXACT,
    Game,
    Mask,
    ShareDone,
    WeightedSum,
    change_as_sum,
    ranged,
    shapley_values,
    shapley_weights,
)
from atreport.measures.measured import largest_move
from atreport.report.explanation import Estimate, Influence, PublishedQuantity
from atreport.spec.transparency import Quantity
from atreport.text.numbers import rounded_up

MOST_TERMS = 2**16
"""The most cells × sets for which the interval is the exact one; beyond, it is the a-priori bound around the value."""

LEVEL = Decimal("0.95")
_SEED = 7


def explain(question: MethodQuestion) -> Iterator[Influence]:
    """What every attribute is owed of a quantity."""
    samples = question.asked.influence.samples
    return shapley_influence(question.table, question.subject, samples, _in_twentieths(question.progress))


def weighted_sum(cells: Cells, weights: IntArray, influence: Influence) -> WeightedSum | None:
    """A published value as a weighted sum of the cells' probabilities; of more attributes it is an estimate."""
    assert influence.quantity is not None, "there is something that is shared out"
    if len(cells.process.attributes) > MAX_EXACT:
        return None
    return shapley_as_sum(cells, weights, influence.quantity, influence.attributes[0])


def _in_twentieths(progress: Progress) -> ShareDone:
    """Tell of every twentieth of the work."""
    told = 0

    def tell(share: float) -> None:
        nonlocal told
        if int(share * 20) > told:
            told = int(share * 20)
            progress(f"explanations {told * 5}%")

    return tell


def shapley_as_sum(
    cells: Cells, weights: IntArray, quantity: Quantity | PublishedQuantity, attribute: str
) -> WeightedSum:
    """The same for one attribute and any quantity, as a weighted sum; only for small tables."""
    names = [a.name for a in cells.process.attributes]
    group, minus = groups_of(cells, quantity)
    weighted = _group_as_sum(cells, weights, group, names, names.index(attribute))
    return (
        weighted
        if minus is None
        else weighted.minus(_group_as_sum(cells, weights, minus, names, names.index(attribute)))
    )


def _group_as_sum(
    cells: Cells, weights: IntArray, group: Mask, names: Sequence[str], attribute: int
) -> WeightedSum:
    total = np.zeros(len(cells), dtype=object)
    denominator = 1
    for coalition, orders in enumerate(shapley_weights(len(names), attribute)):
        drawn = [name for column, name in enumerate(names) if coalition >> column & 1]
        weighted = change_as_sum(cells, weights, group, drawn)
        total += orders * weighted.coefficients.astype(object)
        denominator = weighted.denominator
    return WeightedSum(coefficients=total, denominator=denominator * math.factorial(len(names)))


def shapley_influence(
    table: RuleTable, quantity: Quantity, samples: int, progress: ShareDone = lambda _share: None
) -> Iterator[Influence]:
    """The Shapley value of every attribute for a quantity."""
    attributes = table.cells.process.attributes
    if len(attributes) > MAX_EXACT:
        yield from _estimated(table, quantity, samples, progress)
        return
    if len(table.cells) << len(attributes) <= MOST_TERMS:
        for attribute in attributes:
            sums = [shapley_as_sum(table.cells, w, quantity, attribute.name) for w in table.published_weights]
            found = ranged(table, sums)
            yield print_influence(table, "shapley", [attribute.name], *found, quantity=quantity)
        return
    move = shapley_bound(table, quantity)
    of_weights = _values(table, quantity, progress)
    for column, attribute in enumerate(attributes):
        values = [of_attributes[column] for of_attributes in of_weights]
        ranges = [Range(value, value - move, value + move) for value in values]
        yield print_influence(table, "shapley", [attribute.name], ranges, move, quantity=quantity)


def shapley_bound(table: RuleTable, quantity: Quantity) -> Fraction:
    """How far a Shapley value can be from its true value: it is a difference of two averages; of a gap, of four."""
    return largest_move(table) * (2 if quantity.minus is None else 4)


def _games(table: RuleTable, quantity: Quantity, weights: IntArray) -> list[tuple[int, Game]]:
    """The groups that are played for, with the sign of each."""
    group, minus = groups_of(table.cells, quantity)
    signed = [(1, group)] + ([] if minus is None else [(-1, minus)])
    return [
        (sign, Game(cells=table.cells, weights=weights, steps=table.announced, group=mask))
        for sign, mask in signed
    ]


def _values(table: RuleTable, quantity: Quantity, progress: ShareDone) -> list[list[Fraction]]:
    """Exact values of all attributes, once for each population that must hold."""
    played = [_games(table, quantity, weights) for weights in table.published_weights]
    rounds = sum(len(games) for games in played)
    found, done = [], 0
    for games in played:
        total = [Fraction(0)] * len(table.cells.process.attributes)
        for sign, game in games:
            values = shapley_values(game, partial(_tell, progress, done / rounds, 1 / rounds))
            total = [t + sign * v / table.scale for t, v in zip(total, values, strict=True)]
            done += 1
        found.append(total)
    return found


def _tell(progress: ShareDone, begun: float, part: float, share: float) -> None:
    """Pass on how much of one of several rounds is done."""
    progress(begun + part * share)


def _estimated(
    table: RuleTable, quantity: Quantity, samples: int, progress: ShareDone
) -> Iterator[Influence]:
    """Unbiased estimates from random orders of the attributes."""
    names = [attribute.name for attribute in table.cells.process.attributes]
    games = _games(table, quantity, table.published_weights[0])

    @cache
    def influence(coalition: int) -> Fraction:
        return sum(
            (
                sign * Fraction(game.influence(coalition), game.denominator * table.scale)
                for sign, game in games
            ),
            Fraction(0),
        )

    rng = np.random.default_rng(_SEED)
    added: list[list[Fraction]] = [[] for _ in names]
    for sample in range(samples):
        progress(sample / samples)
        before = 0
        for column in rng.permutation(len(names)).tolist():
            after = before | 1 << column
            added[column].append(influence(after) - influence(before))
            before = after
    range_ = (
        len(games) * 2
    )  # each addition is a difference of averages: between -1 and 1, of a gap between -2 and 2
    for name, additions in zip(names, added, strict=True):
        mean = sum(additions, Fraction(0)) / samples
        error = _bernstein(additions, mean, range_, len(names))
        yield print_influence(
            table,
            "shapley",
            [name],
            [Range(mean, mean, mean)],
            shapley_bound(table, quantity),
            quantity=quantity,
            estimate=Estimate(orders=samples, error=rounded_up(error, table.decimals), level=LEVEL),
        )


def _bernstein(additions: Sequence[Fraction], mean: Fraction, range_: int, attributes: int) -> Fraction:
    """How far a mean is from what it estimates: at most this, for all attributes at once with probability LEVEL."""
    samples = len(additions)
    variance = float(sum((a - mean) ** 2 for a in additions) / (samples - 1))
    log = math.log(
        4 * attributes / float(1 - LEVEL)
    )  # two sides, twice for the variance, shared among the attributes
    error = math.sqrt(2 * variance * log / samples) + 7 * range_ * log / (3 * (samples - 1))
    return Fraction(error)
