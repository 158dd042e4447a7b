"""Who is in a group for certain, and who may be: people published under a value that stands for several.

Guarantee: whoever has a joined value belongs to one of the values it stands for, and nothing else is known of how they
split, nor of how decisions differ among them: only their average lies in the band. So a group may get any part of them,
those who are sure of an outcome first. A rate of it is highest if all who are decided favourably join, and nobody else does;
lowest if all who are not do. A group by itself attains both ends (people being divisible), so nothing narrower would hold
for its rate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from atreport.analysis.ranges import Range
from atreport.population.band import Band
from atreport.population.cells import Cells, IntArray
from atreport.population.small_cells import people_bounds
from atreport.rule_table import RuleTable
from atreport.spec.models.process import Attribute

MOST_COMBINATIONS = 100_000
"""As many combinations of finer values are gone through: there are no more pairs of groups than that either."""

Mask = NDArray[np.bool_]
Values = Mapping[str, Sequence[str]]
"""Attribute → the values that people of a group have."""


def members(cells: Cells, values: Values) -> tuple[Mask, Mask]:
    """The cells of those who have such values, and of those who may: all that is published of them agrees."""
    sure, possible = np.ones(len(cells), dtype=bool), np.ones(len(cells), dtype=bool)
    for name, wanted in values.items():
        attribute, column = cells.process.attribute(name), cells.column(name)
        has = np.array([value in wanted for value in attribute.values])
        may = has
        if cells.process.has_joined([name]):
            joins = [not set(attribute.stands_for(value)).isdisjoint(wanted) for value in attribute.values]
            may = has | np.array(joins)
        sure, possible = sure & has[column], possible & may[column]
    return sure, possible & ~sure


def wholly_joined(cells: Cells, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The combinations of values that nobody is published under, though somebody may have them; each once."""
    attributes = [cells.process.attribute(name) for name in names]
    columns = np.column_stack([cells.column(name) for name in names])
    codes = np.unique(columns, axis=0)
    published = [tuple(a.values[code] for a, code in zip(attributes, row, strict=True)) for row in codes]
    seen = set(published)
    every = (
        product(*(_finer(a, value) for a, value in zip(attributes, row, strict=True))) for row in published
    )
    for finer in islice((combination for each in every for combination in each), MOST_COMBINATIONS):
        if finer not in seen:
            seen.add(finer)
            yield finer


def _finer(attribute: Attribute, value: str) -> Iterable[str]:
    return attribute.stands_for(value) or (value,)


def however_they_split(
    table: RuleTable, truth: Band, ranges: Sequence[Range], sure: Mask, possible: Mask
) -> list[Range]:
    """The rates of a group, once for each population, with intervals that hold whoever of those who may belong to it does.

    `value` stays the rate of those who are in it for certain.
    """
    return [
        _widened(table, truth, found, weights, sure, possible)
        for found, weights in zip(ranges, table.weights, strict=True)
    ]


def _widened(
    table: RuleTable, truth: Band, found: Range, weights: IntArray, sure: Mask, possible: Mask
) -> Range:
    fewest, most = (weights, weights) if table.cells.between is None else people_bounds(table.cells)
    inside = Fraction(int(fewest[sure].sum(dtype=object)))
    who = np.flatnonzero(possible)
    joining = [(int(most[i]), int(truth.lower[i]), int(truth.upper[i])) for i in who]
    favourable = Fraction(sum(n * upper for n, _, upper in joining), truth.denominator)
    others = Fraction(sum(n * (truth.denominator - lower) for n, lower, _ in joining), truth.denominator)
    return Range(
        value=found.value,
        low=found.low * inside / (inside + others),
        high=(found.high * inside + favourable) / (inside + favourable),
    )
