"""Shapley values: how much of a quantity is owed to each attribute.

Every set of attributes has an influence v(S), the change of the quantity when the set is drawn anew. The Shapley value of
an attribute is the average, over all orders of the attributes, of what it adds to the influence of those before it. The
values of all attributes sum to v(all): the group's rate less everybody's, or the whole gap. An attribute that changes
nothing gets 0, and two attributes that do the same get the same.

Guarantee: exact up to MAX_EXACT attributes. Beyond, an unbiased estimate from random orders; with the stated probability
no attribute's estimate is further from its exact value than the stated error (empirical Bernstein bound by Maurer and
Pontil, shared among the attributes by Bonferroni). The orders come from a fixed seed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial

import numpy as np

from atreport.analysis.assessment import Interval, Range, nearest, rounded_down, rounded_up
from atreport.analysis.explanations.coalitions import Game, Progress, all_coalitions
from atreport.analysis.explanations.figure import Estimate, Influence
from atreport.analysis.explanations.interventions import Mask, change_form
from atreport.analysis.explanations.linear_figures import LinearForm, largest_move, printed, published_weights
from atreport.analysis.explanations.qii import groups_of
from atreport.announcement import Release
from atreport.population.cells import Cells, IntArray
from atreport.spec.models.transparency import Quantity

MAX_EXACT = 12
"""The most attributes for which every set is looked at."""

MAX_FORM = 2**16
"""The most cells × sets for which the interval is the exact one; beyond, it is the a-priori bound around the value."""

LEVEL = Decimal("0.95")
_SEED = 7


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


def shapley_values(game: Game, progress: Progress = lambda _share: None) -> list[Fraction]:
    """The exact Shapley value of every attribute for a group's favourable rate, in steps of the announced mapping."""
    attributes = game.cells.codes.shape[1]
    influences = all_coalitions(game, progress)
    whole = game.denominator * math.factorial(attributes)
    return [
        Fraction(sum(w * v for w, v in zip(shapley_weights(attributes, k), influences, strict=True)), whole)
        for k in range(attributes)
    ]


def shapley_form(cells: Cells, weights: IntArray, quantity: Quantity, attribute: str) -> LinearForm:
    """The same for one attribute and any quantity, as a linear form; only for small tables."""
    names = [a.name for a in cells.process.attributes]
    group, minus = groups_of(cells, quantity)
    form = _group_form(cells, weights, group, names, names.index(attribute))
    return (
        form
        if minus is None
        else form.minus(_group_form(cells, weights, minus, names, names.index(attribute)))
    )


def _group_form(
    cells: Cells, weights: IntArray, group: Mask, names: Sequence[str], attribute: int
) -> LinearForm:
    total = np.zeros(len(cells), dtype=object)
    denominator = 1
    for coalition, orders in enumerate(shapley_weights(len(names), attribute)):
        drawn = [name for column, name in enumerate(names) if coalition >> column & 1]
        form = change_form(cells, weights, group, drawn)
        total += orders * form.coefficients.astype(object)
        denominator = form.denominator
    return LinearForm(coefficients=total, denominator=denominator * math.factorial(len(names)))


def shapley_influence(
    release: Release, quantity: Quantity, samples: int, progress: Progress = lambda _share: None
) -> Iterator[Influence]:
    """The Shapley value of every attribute for a quantity."""
    attributes = release.cells.process.attributes
    if len(attributes) > MAX_EXACT:
        yield from _estimated(release, quantity, samples, progress)
        return
    if len(release.cells) << len(attributes) <= MAX_FORM:
        for attribute in attributes:
            forms = [
                shapley_form(release.cells, w, quantity, attribute.name) for w in published_weights(release)
            ]
            result, bound = printed(release, forms)
            yield _influence(attribute.name, quantity, result, bound)
        return
    move = shapley_bound(release, quantity)
    of_weights = _values(release, quantity, progress)
    for column, attribute in enumerate(attributes):
        ranges = [Range(value=v[column], low=v[column] - move, high=v[column] + move) for v in of_weights]
        result = Interval.printed(ranges, release.decimals)
        yield _influence(attribute.name, quantity, result, rounded_up(move, release.decimals))


def shapley_bound(release: Release, quantity: Quantity) -> Fraction:
    """How far a Shapley value can be from its true value: it is a difference of two averages; of a gap, of four."""
    return largest_move(release) * (2 if quantity.minus is None else 4)


def _influence(
    attribute: str, quantity: Quantity, result: Interval, bound: Decimal, estimate: Estimate | None = None
) -> Influence:
    return Influence(
        kind="shapley",
        attributes=(attribute,),
        quantity=quantity,
        at=None,
        result=result,
        a_priori=bound,
        certified=estimate is None,
        estimate=estimate,
    )


def _games(release: Release, quantity: Quantity, weights: IntArray) -> list[tuple[int, Game]]:
    """The groups that are played for, with the sign of each."""
    group, minus = groups_of(release.cells, quantity)
    signed = [(1, group)] + ([] if minus is None else [(-1, minus)])
    return [
        (sign, Game(cells=release.cells, weights=weights, steps=release.announced, group=mask))
        for sign, mask in signed
    ]


def _values(release: Release, quantity: Quantity, progress: Progress) -> list[list[Fraction]]:
    """Exact values of all attributes, once for each population that must hold."""
    played = [_games(release, quantity, weights) for weights in published_weights(release)]
    rounds = sum(len(games) for games in played)
    found, done = [], 0
    for games in played:
        total = [Fraction(0)] * len(release.cells.process.attributes)
        for sign, game in games:
            values = shapley_values(game, partial(_tell, progress, done / rounds, 1 / rounds))
            total = [t + sign * v / release.scale for t, v in zip(total, values, strict=True)]
            done += 1
        found.append(total)
    return found


def _tell(progress: Progress, begun: float, part: float, share: float) -> None:
    """Pass on how much of one of several rounds is done."""
    progress(begun + part * share)


def _estimated(release: Release, quantity: Quantity, samples: int, progress: Progress) -> Iterator[Influence]:
    """Unbiased estimates from random orders of the attributes."""
    names = [attribute.name for attribute in release.cells.process.attributes]
    games = _games(release, quantity, published_weights(release)[0])

    @cache
    def influence(coalition: int) -> Fraction:
        return sum(
            (
                sign * Fraction(game.influence(coalition), game.denominator * release.scale)
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
        value = nearest(mean, release.decimals)
        yield _influence(
            name,
            quantity,
            Interval(
                value=value, low=rounded_down(mean, release.decimals), high=rounded_up(mean, release.decimals)
            ),
            rounded_up(shapley_bound(release, quantity), release.decimals),
            Estimate(orders=samples, error=rounded_up(error, release.decimals), level=LEVEL),
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
