"""Rates where counts are not published exactly: they hold for every number of people that what is published allows."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from atreport.analysis.possible_rules import PossibleRules
from atreport.analysis.ranges import Range
from atreport.kit.exact import total as total_of
from atreport.population.cells import IntArray
from atreport.population.small_cells import people_bounds
from atreport.rule_table import RuleTable


def rate_for_any_population(
    table: RuleTable, possible: PossibleRules, members: IntArray, found: Range
) -> Range:
    """The same rate with an interval that holds for every population that what is published allows.

    Where rates are kept: in a QID group all of whose counts are published as they are, its total says what it says
    elsewhere. The rate of any other is kept for whatever people it has, so of a whole one the announced probabilities,
    moved by as much, have a mean beyond which it cannot be. Cells of joined values announce an average by other counts;
    where there are any, bands alone tell.
    """
    mask = np.zeros(len(table.cells), dtype=bool)
    mask[members] = True
    fewest, most = people_bounds(table.cells)
    is_open, is_joined, is_part = (
        _some(possible, cells) for cells in (fewest != most, table.cells.joined, ~mask)
    )
    counted = ~is_open & ~is_joined & possible.keeps_rates
    by_rate = is_open & ~is_joined & ~is_part & possible.keeps_rates
    sure, unsure = members[counted[members]], members[~counted[members]]
    low, high = table.small_cells.people_between(table.cells, mask)
    total = low if low == high else None
    people, ends = 0, [0, 0]
    if len(sure):
        people = total_of(possible.people[sure])
        ends = [int(end[0]) for end in possible.totals(sure, np.zeros(len(sure), dtype=np.int64), 1)]
    between = fewest[unsure].tolist(), most[unsure].tolist()
    move = int((table.rate_move or 0) * possible.denominator)
    least, largest = [], []
    for rates in (np.zeros(len(unsure), dtype=bool), by_rate[unsure]):
        lower = np.where(rates, possible.announced[unsure] - move, possible.lower[unsure]).tolist()
        upper = np.where(rates, possible.announced[unsure] + move, possible.upper[unsure]).tolist()
        least.append(-highest_mean([-v for v in lower], *between, total, known=(people, -ends[0])))
        largest.append(highest_mean(upper, *between, total, known=(people, ends[1])))
    return Range(
        value=found.value,
        low=max(least) / possible.denominator,
        high=min(largest) / possible.denominator,
    )


def _some(possible: PossibleRules, cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Of every cell: whether some of these cells are in its group."""
    found = np.zeros(possible.groups, dtype=bool)
    found[possible.group[cells]] = True
    return found[possible.group]


def highest_mean(
    values: Sequence[int],
    fewest: Sequence[int],
    most: Sequence[int],
    total: int | None = None,
    known: tuple[int, int] = (0, 0),
) -> Fraction:
    """The highest weighted mean of some values, with weights between `fewest` and `most` (and of a known sum). Exact.

    Weight goes to the highest values first: where the sum is free, as long as that raises the mean, and more of a value
    above the mean always does. `known` is a weight that is there beside them, and the sum of its values.
    """
    weight = known[0] + sum(fewest)
    summed = known[1] + sum(f * v for f, v in zip(fewest, values, strict=True))
    for value, room in sorted(
        ((v, m - f) for v, f, m in zip(values, fewest, most, strict=True)), key=lambda pair: -pair[0]
    ):
        if total is None and value * weight <= summed:
            break
        extra = room if total is None else min(room, total - weight)
        weight, summed = weight + extra, summed + extra * value
    return Fraction(summed, weight)
