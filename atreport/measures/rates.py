"""Turn a rule table into rates of outcomes: of any group, in any stratum, with the interval the true rate lies in.

Guarantee: the interval is exact. For one or two outcomes, and for unions of QID groups, both ends are attained by a possible
rule (see :mod:`atreport.measures.feasible_rules`). In a group that is part of a QID group, the rest of it takes up as
much of the group's total as its bands allow.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from atreport.core.band import Range
from atreport.core.cells import Cells, IntArray
from atreport.core.exact import class_sums, product
from atreport.core.exact import total as total_of
from atreport.core.rule_table import RuleTable
from atreport.core.suppression import people_bounds
from atreport.measures.feasible_rules import JointRates, PossibleRules, Truths, apart, together
from atreport.measures.membership import (
    certain_and_possible_members,
    range_over_splits,
    who_may_join,
    wholly_joined,
    wholly_left_out,
)
from atreport.spec.process import Attribute

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
    """Each group's name and the cells of those who are in it for certain."""
    for name, values in values_of_groups(cells, groups).items():
        yield name, certain_and_possible_members(cells, values)[0]


def values_of_groups(
    cells: Cells, groups: str | Sequence[str] | Mapping[str, Mapping[str, Sequence[str]]]
) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Each group's name and the values that its people have.

    The values of an attribute; the combinations of several that occur; or the spec's own conditions. A value that means
    "unknown" is no group, nor is one that stands for several; those that it stands for are, also where nobody is
    published under them.
    """
    if isinstance(groups, Mapping):
        return groups
    names = [groups] if isinstance(groups, str) else list(groups)
    attributes = [cells.process.attribute(name) for name in names]
    combined: list[tuple[str, ...]]
    if isinstance(groups, str):
        combined = [(value,) for value in attributes[0].values]
    else:
        occurring = strata_of(cells, names)
        combined = [tuple(occurring.labels(index).values()) for index in range(len(occurring))]
    if cells.process.has_joined(names):
        combined += [each for each in wholly_joined(cells, names) if each not in combined]
    combined = [*dict.fromkeys((*combined, *wholly_left_out(cells, names)))]
    return {
        " · ".join(each): {name: (value,) for name, value in zip(names, each, strict=True)}
        for each in combined
        if not any(
            value == a.unknown or a.stands_for(value) for a, value in zip(attributes, each, strict=True)
        )
    }


def may_be_in_another_group(
    cells: Cells, groups: str | Sequence[str] | Mapping[str, Mapping[str, Sequence[str]]]
) -> bool:
    """Whether people who are left out may have a combination of values that nobody is known to have."""
    if isinstance(groups, str | Mapping):  # every value of an attribute is a group
        return False
    known = [
        {name: value for name, (value,) in values.items()}
        for values in values_of_groups(cells, groups).values()
    ]
    attributes = {name: cells.process.attribute(name) for name in groups}
    finest = {
        name: {v for v in a.values if v != a.unknown and not a.stands_for(v)}.union(
            *map(a.stands_for, a.values)
        )
        for name, a in attributes.items()
    }
    for each in cells.left_out:
        open_names = [name for name in groups if name not in each.values]
        told = {name: value for name, value in each.values.items() if name in attributes}
        if any(value == attributes[name].unknown for name, value in told.items()):
            continue
        agreeing = sum(all(values[name] == value for name, value in told.items()) for values in known)
        if agreeing < math.prod(len(finest[name]) for name in open_names):
            return True
    return False


@dataclass(frozen=True, kw_only=True, eq=False)
class StratumRates:
    """Rates of one group in every stratum, exactly, once for each population that must hold."""

    ranges: list[list[Range | None]]  # [population][stratum]; None: nobody there
    people: list[int]

    def in_stratum(self, stratum: int) -> list[Range] | None:
        """The ranges of one stratum, or None where nobody is."""
        found = [of_population[stratum] for of_population in self.ranges]
        return None if found[0] is None else [r for r in found if r is not None]


Outcomes = tuple[str, ...]
"""One outcome, or several of which any may befall."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RatedGroup:
    """One group in one stratum, with its rates of some sets of outcomes."""

    name: str
    people: int  # in it for certain
    cells: Mask
    joined: bool  # whether others may be in it too: people under a value that stands for several, or left out
    ranges: Mapping[Outcomes, list[Range]]  # their rate, once for each population that must hold
    left_out: bool = False  # whether people who are left out may be in it

    @property
    def is_empty(self) -> bool:
        """Whether nobody is in it for certain."""
        return self.people == 0

    def rates(self, population: int) -> dict[str, Range]:
        """The rate of each single outcome, for one of the populations."""
        return {of[0]: ranges[population] for of, ranges in self.ranges.items() if len(of) == 1}


@dataclass(frozen=True, eq=False)
class RatedTable:
    """The possible rules of a table for some sets of outcomes, and rates under them. Made once for many groups."""

    table: RuleTable
    outcomes: tuple[Outcomes, ...]
    rules: Mapping[Outcomes, Sequence[PossibleRules]]  # once for each population that must hold

    @classmethod
    def of(cls, table: RuleTable, outcomes: Sequence[Outcomes]) -> RatedTable:
        """For some sets of outcomes."""
        truths = Truths(table)
        rules = {of: [truths.of(of, weights) for weights in table.weights] for of in outcomes}
        return cls(table, tuple(outcomes), rules)

    def strata(self, mask: Mask, strata: Strata) -> dict[Outcomes, StratumRates]:
        """The rates of the cells in `mask`, by stratum."""
        return {of: _rates(self.table, rules, mask, strata) for of, rules in self.rules.items()}

    def joint(self, a: RatedGroup, b: RatedGroup, of: Outcomes, population: int) -> JointRates:
        """Where the rates of two groups can be together, for one of the populations."""
        if self.table.cells.between is not None or a.joined or b.joined or not (a.cells & b.cells).any():
            return apart(a.ranges[of][population], b.ranges[of][population])
        return together(self.rules[of][population], a.cells, b.cells)


def rated_groups(
    rated: RatedTable,
    groups: str | Sequence[str] | Mapping[str, Mapping[str, Sequence[str]]],
    given: Sequence[str],
) -> Iterator[tuple[dict[str, str] | None, list[RatedGroup]]]:
    """Every stratum (None: everybody), with all groups in it, those without people too."""
    cells = rated.table.cells
    strata = strata_of(cells, given)
    of_group = []
    for name, values in values_of_groups(cells, groups).items():
        mask, _ = certain_and_possible_members(cells, values)
        of_group.append((name, values, mask, rated.strata(mask, strata)))
    for stratum in range(len(strata)):
        labels, inside = strata.labels(stratum), strata.index == stratum
        alike = {name: (value,) for name, value in labels.items()}
        yield (
            labels or None,
            [
                _whoever_joins(
                    rated,
                    RatedGroup(
                        name=name,
                        people=of[rated.outcomes[0]].people[stratum],
                        cells=mask & inside,
                        joined=False,
                        ranges={each: of[each].in_stratum(stratum) or [] for each in rated.outcomes},
                    ),
                    [values, alike],
                )
                for name, values, mask, of in of_group
            ],
        )


def _whoever_joins(
    rated: RatedTable, group: RatedGroup, conditions: Sequence[Mapping[str, Sequence[str]]]
) -> RatedGroup:
    """The group with rates that hold whoever of the people under joined values is in it, where such values matter."""
    cells = rated.table.cells
    if not (cells.left_out or cells.process.has_joined(name for values in conditions for name in values)):
        return group
    _, possible, left_out = who_may_join(cells, conditions)
    if not (possible.any() or left_out):
        return group
    ranges = {
        outcomes: range_over_splits(rated.table, rules[0].band, group.ranges[outcomes], conditions)
        if group.ranges[outcomes]
        else []
        for outcomes, rules in rated.rules.items()
    }
    return replace(group, joined=True, left_out=bool(left_out), ranges=ranges)


def rates(table: RuleTable, mask: Mask, strata: Strata, outcome: str | None = None) -> StratumRates:
    """Exact rates of an outcome (the favourable one unless told) of the cells in `mask`, by stratum."""
    of = (outcome or table.cells.process.outcome.favourable,)
    return RatedTable.of(table, [of]).strata(mask, strata)[of]


def _rates(table: RuleTable, rules: Sequence[PossibleRules], mask: Mask, strata: Strata) -> StratumRates:
    certain_and_possible_members = np.flatnonzero(mask)
    index, count = strata.index[certain_and_possible_members], len(strata)
    ranges: list[list[Range | None]] = []
    for possible in rules:
        people = class_sums(possible.people[certain_and_possible_members], index, count).tolist()
        announced = class_sums(
            product(possible.people, possible.announced)[certain_and_possible_members], index, count
        ).tolist()
        low, high = (ends.tolist() for ends in possible.totals(certain_and_possible_members, index, count))
        ranges.append(
            [
                Range(
                    *(
                        Fraction(total, people[i] * possible.denominator)
                        for total in (announced[i], low[i], high[i])
                    )
                )
                if people[i] > 0
                else None
                for i in range(count)
            ]
        )
    if table.cells.between is not None:
        ranges[0] = [
            found
            if found is None
            else rate_for_any_population(
                table, rules[0], certain_and_possible_members[index == stratum], found
            )
            for stratum, found in enumerate(ranges[0])
        ]
    counted = class_sums(table.cells.population[certain_and_possible_members], index, count)
    return StratumRates(ranges=ranges, people=counted.tolist())


# Rates where counts are not published exactly: they hold for every number of people that what is published
# allows.


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
