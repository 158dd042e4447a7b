"""Permutation importance: by how much a person's announced probability changes when an attribute is drawn anew.

The change is an average, and counts in either direction.

Guarantee: exact for the announced rule. The interval holds for certain, and under the band no narrower one would be true
where :mod:`atreport.analysis.explanations.pair_sums` can decide every class of people who are alike in everything else;
in larger classes every pair of people moves within the band by itself. Rates that are kept do not narrow it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from atreport.analysis.bounds import largest_move
from atreport.analysis.explanations.explanation import Influence
from atreport.analysis.explanations.interventions import Drawn, columns_of, drawn_anew, value_counts
from atreport.analysis.explanations.pair_sums import (
    MOST_ALIKE,
    MOST_PAIRS,
    AlikeCells,
    least_apart,
    most_apart,
)
from atreport.analysis.explanations.question import Question
from atreport.analysis.ranges import Range
from atreport.kit.exact import axis_sums, dot, largest_size, product, running_sums, widen
from atreport.population.cells import ExactArray, IntArray, run_starts
from atreport.rule_table import RuleTable

MAX_UNASKED = 20_000
"""The largest table for which it is worked out where the spec says nothing: a build should not wait for it."""


def explain(question: Question) -> Iterator[Influence]:
    """The importance of every attribute."""
    table, wanted = question.table, question.asked.influence.permutation
    if wanted or len(table.cells) <= MAX_UNASKED:
        for attribute in table.cells.process.attributes:
            yield permutation_importance(table, attribute.name)


def permutation_importance(table: RuleTable, attribute: str) -> Influence:
    """How much outcomes change on average when the attribute is drawn anew."""
    ranges, moves, reached = [], [], []
    for weights in table.published_weights:
        of_weights, changed, made = _average_change(table, weights, attribute)
        ranges.append(of_weights)
        moves.append(2 * largest_move(table) * changed)
        reached.append(made)
    bound = min(Fraction(1), max(moves))
    return Influence(
        kind="permutation",
        attributes=(attribute,),
        quantity=None,
        at=None,
        ranges=tuple(ranges),
        bound=bound,
        reach=None if table.population == "withheld" else min(reached),
    )


def _average_change(table: RuleTable, weights: IntArray, attribute: str) -> tuple[Range, Fraction, Fraction]:
    """The change with its range, the share of draws that give another value, and the share that can be made."""
    cells, truth = table.cells, table.truth
    draw = drawn_anew(cells.codes, value_counts(cells), weights, columns_of(cells, [attribute]))
    common = math.lcm(table.scale, truth.denominator)
    announced = product(table.announced, common // table.scale)
    low = product(truth.lower, common // truth.denominator)
    high = product(truth.upper, common // truth.denominator)
    as_announced = _Side(announced, weights, draw.drawn)
    value = _over_pairs(draw.alike, announced, as_announced, as_announced)
    least, most = _ends(draw, weights, low, high)
    everything = draw.everybody**2
    return (
        Range(
            value=Fraction(value, everything * common),
            low=Fraction(least, everything * common),
            high=Fraction(most, everything * common),
        ),
        Fraction(dot(weights, draw.possible - draw.drawn), everything),
        Fraction(dot(weights, draw.possible), everything),
    )


@dataclass(frozen=True, eq=False)
class _Side:
    """What stands on one side of a difference: figures, people, and people with the same value of the attribute."""

    figure: ExactArray
    people: IntArray
    drawn: IntArray


def _ends(draw: Drawn, weights: IntArray, low: ExactArray, high: ExactArray) -> tuple[int, int]:
    """The least and the most that the sum over pairs can be."""
    least = most = 0
    nothing = np.empty(0, dtype=np.int64)
    large, undecided = (
        [nothing],
        [nothing],
    )  # cells of classes that are looked at pair by pair, for both ends or one
    order = np.argsort(draw.alike, kind="stable")
    start = run_starts(draw.alike[order])
    sizes = np.diff(np.append(start, len(order)))
    for size in np.unique(sizes[sizes > 1]).tolist():
        members = order[start[sizes == size][:, None] + np.arange(size)]
        if size > MOST_ALIKE:
            large.append(members.ravel())
            continue
        at_once = max(1, MOST_PAIRS // size**2)
        for first in range(0, len(members), at_once):
            some = members[first : first + at_once]
            classes = _classes(low[some], high[some], weights[some], draw.drawn[some])
            largest, decided = most_apart(classes)
            least, most = least + least_apart(classes), most + largest
            undecided.append(some[~decided].ravel())
    nearest, furthest = np.concatenate(large), np.concatenate([*large, *undecided])
    return (
        least + _pairs_nearest(draw, weights, low, high, nearest),
        most + _pairs_furthest(draw, weights, low, high, furthest),
    )


def _pairs_furthest(draw: Drawn, weights: IntArray, low: ExactArray, high: ExactArray, some: IntArray) -> int:
    """The most that the sum over pairs of some cells can be if every pair moves by itself: an outer bound.

    Two figures are furthest apart at the upper end of the one whose band lies higher and the lower end of the other.
    """
    people, drawn = weights[some], draw.drawn[some]
    above, below = _Side(high[some], people, drawn), _Side(low[some], people, drawn)
    return _over_pairs(draw.alike[some], (low + high)[some], above, below) if len(some) else 0


def _pairs_nearest(draw: Drawn, weights: IntArray, low: ExactArray, high: ExactArray, some: IntArray) -> int:
    """The least that it can be if every pair moves by itself: 0 where two bands meet, else from end to facing end."""
    people, drawn, ends = weights[some], draw.drawn[some], np.concatenate([high[some], low[some]])
    nobody = np.zeros_like(people)
    above = _Side(ends, np.concatenate([nobody, people]), np.concatenate([nobody, drawn]))
    below = _Side(ends, np.concatenate([people, nobody]), np.concatenate([drawn, nobody]))
    return _over_pairs(np.tile(draw.alike[some], 2), ends, above, below) if len(some) else 0


def _classes(low: ExactArray, high: ExactArray, people: ExactArray, drawn: ExactArray) -> AlikeCells:
    """Classes of equal size, in numbers in which every sum over their pairs fits."""
    in_class, of_values = (largest_size(axis_sums(each, 1)) for each in (people, drawn))
    most = 2 * in_class * of_values * max(1, largest_size(high))  # v counts both ways
    low, high, people, drawn = (widen(each, most) for each in (low, high, people, drawn))
    return AlikeCells(low=low, high=high, people=people, drawn=drawn)


def _over_pairs(alike: IntArray, key: ExactArray, upper: _Side, lower: _Side) -> int:
    """The sum, over pairs of alike cells, of the upper figure of the one with the higher key less the lower of the other.

    Each pair counts as often as one of the two is drawn for the other. One pass over the cells in order of their keys,
    with running sums in each class: the time does not grow with the number of pairs.
    """
    order = np.lexsort((key, alike))
    start = run_starts(alike[order])
    lengths = np.diff(np.append(start, len(order)))

    def before(of_cells: ExactArray) -> ExactArray:
        so_far = running_sums(of_cells) - of_cells
        return np.asarray(so_far - np.repeat(so_far[start], lengths))

    x, p, b = upper.figure[order], upper.people[order], upper.drawn[order]
    y, q, c = lower.figure[order], lower.people[order], lower.drawn[order]
    return (
        dot(product(x, p), before(c))
        + dot(product(x, b), before(q))
        - dot(p, before(product(c, y)))
        - dot(b, before(product(q, y)))
    )
