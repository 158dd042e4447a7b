"""Turn a rule table into rates of an outcome: of any group, in any stratum, with the interval the true rate lies in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from atreport.analysis.ranges import Range
from atreport.population.band import Band
from atreport.population.cells import Cells, ExactArray, IntArray, widen
from atreport.population.small_cells import people_bounds
from atreport.rule_table import RuleTable
from atreport.spec.models.process import Attribute

Mask = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class Strata:
    """Cells sorted into classes of people who are alike in the given attributes."""

    attributes: tuple[Attribute, ...]
    index: IntArray  # stratum of each cell
    codes: NDArray[np.int32]  # (strata, attributes)

    def __len__(self) -> int:
        return len(self.codes)

    def labels(self, stratum: int) -> dict[str, str]:
        """The values that make a stratum, by attribute name."""
        return {a.name: a.values[int(c)] for a, c in zip(self.attributes, self.codes[stratum], strict=True)}


def strata_of(cells: Cells, names: Sequence[str]) -> Strata:
    """The strata that occur, in the order of the spec's values; one stratum of everybody for no attributes."""
    attributes = tuple(cells.process.attribute(name) for name in names)
    columns = (
        np.column_stack([cells.column(name) for name in names])
        if names
        else np.zeros((len(cells), 0), np.int32)
    )
    codes, index = (
        np.unique(columns, axis=0, return_inverse=True) if names else (columns[:1], np.zeros(len(cells)))
    )
    return Strata(attributes=attributes, index=np.asarray(index).ravel().astype(np.int64), codes=codes)


def named_groups(
    cells: Cells, groups: str | Sequence[str] | Mapping[str, Mapping[str, Sequence[str]]]
) -> Iterator[tuple[str, Mask]]:
    """Each group's name and its cells.

    The values of an attribute; the combinations of several that occur; or the spec's own conditions. The value that
    means "unknown" is no group.
    """
    if isinstance(groups, str):
        column, attribute = cells.column(groups), cells.process.attribute(groups)
        for code, value in enumerate(attribute.values):
            if value != attribute.unknown:
                yield value, column == code
        return
    if not isinstance(groups, Mapping):
        crossed = strata_of(cells, groups)
        for index in range(len(crossed)):
            labels = crossed.labels(index)
            if all(a.unknown != labels[a.name] for a in crossed.attributes):
                yield " · ".join(labels.values()), crossed.index == index
        return
    for name, condition in groups.items():
        mask = np.ones(len(cells), dtype=bool)
        for by, values in condition.items():
            wanted = [cells.process.attribute(by).values.index(value) for value in values]
            mask &= np.isin(cells.column(by), wanted)
        yield name, mask


@dataclass(frozen=True, kw_only=True, eq=False)
class StratumRates:
    """Rates of one group in every stratum, exactly, once for each population that must hold."""

    ranges: list[list[Range | None]]  # [population][stratum]; None: nobody there
    people: list[int]

    def in_stratum(self, stratum: int) -> list[Range] | None:
        """The ranges of one stratum, or None where nobody is."""
        found = [of_population[stratum] for of_population in self.ranges]
        return None if found[0] is None else [r for r in found if r is not None]


@dataclass(frozen=True, kw_only=True)
class RatedGroup:
    """One group in one stratum, with its rates of some outcomes."""

    name: str
    people: int
    ranges: Mapping[str, list[Range]]  # outcome → its rate, once for each population that must hold

    @property
    def is_empty(self) -> bool:
        """Whether nobody is in it."""
        return self.people == 0

    def rates(self, population: int) -> dict[str, Range]:
        """The rate of each outcome, for one of the populations."""
        return {outcome: ranges[population] for outcome, ranges in self.ranges.items()}


def rated_groups(
    table: RuleTable,
    groups: str | Sequence[str] | Mapping[str, Mapping[str, Sequence[str]]],
    given: Sequence[str],
    outcomes: Sequence[str],
) -> Iterator[tuple[dict[str, str] | None, list[RatedGroup]]]:
    """Every stratum (None: everybody), with all groups in it, those without people too."""
    strata = strata_of(table.cells, given)
    figures = {outcome: (table.announced_of(outcome), table.truth_of(outcome)) for outcome in outcomes}
    of_group = [
        (name, {outcome: _rates(table, *figures[outcome], mask, strata) for outcome in outcomes})
        for name, mask in named_groups(table.cells, groups)
    ]
    for stratum in range(len(strata)):
        yield (
            strata.labels(stratum) or None,
            [
                RatedGroup(
                    name=name,
                    people=of[outcomes[0]].people[stratum],
                    ranges={outcome: of[outcome].in_stratum(stratum) or [] for outcome in outcomes},
                )
                for name, of in of_group
            ],
        )


def rates(table: RuleTable, mask: Mask, strata: Strata, outcome: str | None = None) -> StratumRates:
    """Exact rates of an outcome (the favourable one unless told) of the cells in `mask`, by stratum."""
    outcome = outcome or table.cells.process.outcome.favourable
    return _rates(table, table.announced_of(outcome), table.truth_of(outcome), mask, strata)


def _rates(table: RuleTable, steps: IntArray, truth: Band, mask: Mask, strata: Strata) -> StratumRates:
    members = np.flatnonzero(mask)
    index, count = strata.index[members], len(strata)
    ranges: list[list[Range | None]] = []
    for weights in table.weights:
        inside = weights[members]
        weight = widen(inside, int(inside.sum(dtype=object)) * max(truth.denominator, table.scale))
        people = _sums(weight, index, count)
        announced = _sums(weight * steps[members], index, count)
        lower = _sums(weight * truth.lower[members], index, count)
        upper = _sums(weight * truth.upper[members], index, count)
        ranges.append(
            [
                Range(
                    value=Fraction(int(announced[i]), int(people[i]) * table.scale),
                    low=Fraction(int(lower[i]), int(people[i]) * truth.denominator),
                    high=Fraction(int(upper[i]), int(people[i]) * truth.denominator),
                )
                if people[i] > 0
                else None
                for i in range(count)
            ]
        )
    if table.cells.between is not None:
        ranges[0] = [
            found if found is None else _for_any_population(table, truth, members[index == stratum], found)
            for stratum, found in enumerate(ranges[0])
        ]
    counted: Any = _sums(table.cells.population[members], index, count)
    return StratumRates(ranges=ranges, people=[int(n) for n in counted])


def _for_any_population(table: RuleTable, truth: Band, members: IntArray, found: Range) -> Range:
    """The same rate with an interval that holds for every population that what is published allows."""
    mask = np.zeros(len(table.cells), dtype=bool)
    mask[members] = True
    fewest, most = (bound[members].tolist() for bound in people_bounds(table.cells))
    low, high = table.small_cells.people_between(table.cells, mask)
    total = low if low == high else None
    least = -highest_mean([-int(v) for v in truth.lower[members]], fewest, most, total) / truth.denominator
    largest = highest_mean([int(v) for v in truth.upper[members]], fewest, most, total) / truth.denominator
    return Range(value=found.value, low=least, high=largest)


def highest_mean(
    values: Sequence[int], fewest: Sequence[int], most: Sequence[int], total: int | None = None
) -> Fraction:
    """The highest weighted mean of some values, with weights between `fewest` and `most` (and of a known sum). Exact.

    Weight goes to the highest values first: where the sum is free, as long as that raises the mean, and more of a value
    above the mean always does.
    """
    weight, summed = sum(fewest), sum(f * v for f, v in zip(fewest, values, strict=True))
    for value, room in sorted(
        ((v, m - f) for v, f, m in zip(values, fewest, most, strict=True)), key=lambda pair: -pair[0]
    ):
        if total is None and value * weight <= summed:
            break
        extra = room if total is None else min(room, total - weight)
        weight, summed = weight + extra, summed + extra * value
    return Fraction(summed, weight)


def _sums(values: ExactArray, index: IntArray, count: int) -> ExactArray:
    sums: Any = np.zeros(count, dtype=values.dtype)
    np.add.at(sums, index, values)
    return cast(ExactArray, sums)
