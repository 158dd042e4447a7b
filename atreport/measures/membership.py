"""Who is in a group for certain, and who may be: people published under a value that stands for several, or left out.

Guarantee: whoever has a joined value belongs to one of the values it stands for, and nothing else is known of how they
split, nor of how decisions differ among them: only their average lies in the band. So a group may get any part of them,
those who are sure of an outcome first. A rate of it is highest if all who are decided favourably join, and nobody else does;
lowest if all who are not do. A group by itself attains both ends (people being divisible), so nothing narrower would hold
for its rate. Of people who are left out nothing is announced: those who may be in the group join it as if their band were
0 to 1. Whether they surely are in it changes neither end.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from atreport.core.band import Band, Range
from atreport.core.cells import Cells, IntArray, PeopleLeftOut
from atreport.core.rule_table import RuleTable
from atreport.core.suppression import people_bounds
from atreport.spec.process import Attribute

MOST_COMBINATIONS = 100_000
"""As many combinations of finer values are gone through: there are no more pairs of groups than that either."""

Mask = NDArray[np.bool_]
Values = Mapping[str, Sequence[str]]
"""Attribute → the values that people of a group have."""


def certain_and_possible_members(cells: Cells, values: Values) -> tuple[Mask, Mask]:
    """The cells of those who have such values, and of those who may: all that is published of them agrees."""
    sure, possible = np.ones(len(cells), dtype=bool), np.ones(len(cells), dtype=bool)
    for name, wanted in values.items():
        attribute, column = cells.process.attribute(name), cells.column(name)
        has = np.array([value in wanted for value in attribute.values])
        may = has
        if cells.process.has_joined([name]):
            whole = _meant(attribute, wanted)
            may = np.array([not whole.isdisjoint(_meant(attribute, [value])) for value in attribute.values])
        sure, possible = sure & has[column], possible & may[column]
    return sure, possible & ~sure


def _meant(attribute: Attribute, values: Iterable[str]) -> set[str]:
    """Some values, and those that they stand for."""
    return {each for value in values for each in (value, *attribute.stands_for(value))}


def who_may_join(cells: Cells, conditions: Sequence[Values]) -> tuple[Mask, Mask, tuple[PeopleLeftOut, ...]]:
    """The cells of those who meet all conditions, of those who may, and who of those left out may."""
    sure, possible = np.ones(len(cells), dtype=bool), np.ones(len(cells), dtype=bool)
    left_out = cells.left_out
    for values in conditions:
        certain, perhaps = certain_and_possible_members(cells, values)
        sure, possible = sure & certain, possible & (certain | perhaps)
        meant = {name: _meant(cells.process.attribute(name), wanted) for name, wanted in values.items()}
        left_out = tuple(
            each
            for each in left_out
            if not any(
                meant[name].isdisjoint(_meant(cells.process.attribute(name), [each.values[name]]))
                for name in meant.keys() & each.values.keys()
            )
        )
    return sure, possible & ~sure, left_out


def wholly_left_out(cells: Cells, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The combinations of values of those who are left out, as far as all of them are told."""
    for each in cells.left_out:
        if all(name in each.values for name in names):
            yield tuple(each.values[name] for name in names)


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


def range_over_splits(
    table: RuleTable, truth: Band, ranges: Sequence[Range], conditions: Sequence[Values]
) -> list[Range]:
    """The rates of those who meet all conditions, once for each population, whoever of those who may meet them does.

    `value` stays the rate of those who meet them for certain.
    """
    sure, possible, left_out = who_may_join(table.cells, conditions)
    if not (possible.any() or left_out):
        return [*ranges]
    return [
        _widened(table, truth, found, weights, sure, possible, sum(each.people[i] for each in left_out))
        for i, (found, weights) in enumerate(zip(ranges, table.weights, strict=True))
    ]


def _widened(
    table: RuleTable,
    truth: Band,
    found: Range,
    weights: IntArray,
    sure: Mask,
    possible: Mask,
    left_out: int,
) -> Range:
    fewest, most = (weights, weights) if table.cells.between is None else people_bounds(table.cells)
    inside = Fraction(int(fewest[sure].sum(dtype=object)))
    who = np.flatnonzero(possible)
    joining = [(int(most[i]), int(truth.lower[i]), int(truth.upper[i])) for i in who]
    joining.append((left_out, 0, truth.denominator))
    favourable = Fraction(sum(n * upper for n, _, upper in joining), truth.denominator)
    others = Fraction(sum(n * (truth.denominator - lower) for n, lower, _ in joining), truth.denominator)
    return Range(
        value=found.value,
        low=found.low * inside / (inside + others),
        high=(found.high * inside + favourable) / (inside + favourable),
    )
