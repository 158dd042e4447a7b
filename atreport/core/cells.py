"""The people a report is about: which cells occur, how many are in each, and which cells an adversary sees as one.

Nothing here depends on any decision, so both sides of the wall may hold it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from atreport.core.exact import SAFE, largest_size, run_sums, total
from atreport.spec.process import Attribute, Process

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
ExactArray = NDArray[np.int64] | NDArray[np.object_]
"""Whole numbers: int64 where they fit, Python integers where not; multiplied and added up by :mod:`atreport.core.exact`."""


MOST_IN_ALL = SAFE - 1
"""People, or steps of shares, in all cells together: their sums stay in 64 bits. A spec has 10^15 at most."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Protected:
    """The values of one sensitive attribute, told apart by QID group: what must not be inferred."""

    attribute: str
    index: IntArray  # (QID group, value) of each cell, 0, 1, 2 …
    order: IntArray  # an order of the cells in which each of them is a run
    starts: IntArray  # where each begins in that order
    group: IntArray  # the QID group of each

    def sums(self, of_cells: NDArray[Any]) -> NDArray[Any]:
        """The sum over the cells of each (QID group, value)."""
        return run_sums(of_cells[self.order], self.starts)


@dataclass(frozen=True, kw_only=True)
class PeopleLeftOut:
    """People who are in the data and in no cell: of a group that cannot be protected, or of incomplete records.

    Nothing is announced about them, so they may have been decided in any way at all. What a value of theirs is not told in
    `values` may be any.
    """

    values: Mapping[str, str]  # public attribute → value
    people: tuple[int, ...]  # how many at most: once for each population that must hold


@dataclass(frozen=True, kw_only=True, eq=False)
class Cells:
    """The cells that occur, in an order that does not depend on the order of the input rows.

    Cells are sorted by the public attributes, then the sensitive ones, then the private ones, each in the order of the
    spec's lists of values. So a QID group is a run of cells, and inside it each value of the first sensitive attribute.
    """

    process: Process
    codes: NDArray[np.int32]  # (cells, attributes): position of each value in the spec's list
    population: IntArray  # people in each cell, at least 1
    group: IntArray  # QID group of each cell, 0, 1, 2 …
    protected: tuple[Protected, ...]  # one for each sensitive attribute
    # where counts are not published exactly: the fewest and the most people each cell can have; `population` is then a
    # stand-in between the two that follows from what is published
    between: tuple[IntArray, IntArray] | None = None
    left_out: tuple[PeopleLeftOut, ...] = ()  # people of whom nothing is announced

    @property
    def group_starts(self) -> IntArray:
        """The first cell of each QID group."""
        return run_starts(self.group)

    @cached_property
    def in_lowest_terms(self) -> IntArray:
        """People in each cell, divided by what divides all numbers of its QID group: 30 and 60 are 1 and 2.

        What is calculated of them in floats is the same, to the last bit, however many people there are in all.
        """
        return self.population // np.gcd.reduceat(self.population, self.group_starts)[self.group]

    @property
    def value(self) -> IntArray:
        """The (QID group, value of the first sensitive attribute) of each cell, counted from 0."""
        return self.protected[0].index

    @property
    def value_starts(self) -> IntArray:
        """The first cell of each (QID group, value of the first sensitive attribute)."""
        return self.protected[0].starts

    def column(self, attribute: str) -> NDArray[np.int32]:
        """The value of one attribute in every cell, as a position in the spec's list."""
        return self.codes[:, [a.name for a in self.process.attributes].index(attribute)]

    @property
    def joined(self) -> NDArray[np.bool_]:
        """The cells of which a value stands for several."""
        found = np.zeros(len(self), dtype=bool)
        for attribute, column in zip(self.process.attributes, self.codes.T, strict=True):
            found |= np.array([bool(attribute.stands_for(value)) for value in attribute.values])[column]
        return found

    def labels(self, cell: int, attributes: tuple[Attribute, ...]) -> dict[str, str]:
        """The values of some attributes in one cell, by attribute name."""
        return {a.name: a.values[int(self.column(a.name)[cell])] for a in attributes}

    def all_labels(self, attributes: tuple[Attribute, ...]) -> list[dict[str, str]]:
        """The same for every cell, a column at a time."""
        names = [a.name for a in attributes]
        columns = [[a.values[code] for code in self.column(a.name).tolist()] for a in attributes]
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]

    def __len__(self) -> int:
        return len(self.population)


class TooManyPeople(ValueError):
    """More people than sums of 64 bits can count."""


def arrange(
    process: Process,
    codes: NDArray[np.int32],
    population: ExactArray,
    between: tuple[ExactArray, ExactArray] | None = None,
    left_out: tuple[PeopleLeftOut, ...] = (),
) -> tuple[Cells, IntArray]:
    """Cells in canonical order, and the position in the input of each. Raises :class:`TooManyPeople`."""
    if max(total(population), 0 if between is None else largest_size(between[1])) > MOST_IN_ALL:
        raise TooManyPeople("there are more people than can be counted exactly")
    names = [attribute.name for attribute in process.attributes]
    by_role = [
        names.index(a.name) for role in ("public", "sensitive", "private") for a in process.of_role(role)
    ]
    public = len(process.of_role("public"))
    order = np.lexsort(codes[:, by_role[::-1]].T)
    arranged = codes[order]
    group = _run_numbers(arranged[:, by_role[:public]])
    cells = Cells(
        process=process,
        codes=arranged,
        population=population[order].astype(np.int64),
        group=group,
        protected=tuple(
            _protected(a.name, group, arranged[:, names.index(a.name)]) for a in process.of_role("sensitive")
        ),
        between=None
        if between is None
        else (between[0][order].astype(np.int64), between[1][order].astype(np.int64)),
        left_out=left_out,
    )
    return cells, order


def _protected(attribute: str, group: IntArray, codes: NDArray[np.int32]) -> Protected:
    order = np.lexsort((codes, group))
    run = _run_numbers(np.column_stack([group[order], codes[order]]))
    index = np.empty_like(run)
    index[order] = run
    starts = run_starts(run)
    return Protected(attribute=attribute, index=index, order=order, starts=starts, group=group[order][starts])


def _run_numbers(keys: NDArray[Any]) -> IntArray:
    """Number the runs of equal rows, from 0."""
    changes = (keys[1:] != keys[:-1]).any(axis=1)
    return np.concatenate([[0], np.cumsum(changes)]).astype(np.int64)


def distinct_rows(keys: NDArray[Any]) -> tuple[IntArray, IntArray]:
    """Where each distinct row stands first, in ascending order of rows, and which of them stands at each place."""
    order = np.lexsort(keys.T[::-1])
    number = np.empty(len(keys), dtype=np.int64)
    number[order] = _run_numbers(keys[order])
    return order[run_starts(number[order])], number


def run_starts(labels: IntArray) -> IntArray:
    """Where each run of equal labels begins."""
    return np.flatnonzero(np.concatenate([[True], labels[1:] != labels[:-1]]))


# Groups that no perturbation can protect, because the population alone gives their sensitive values away.
#
# Which groups these are depends on the population and the policy's ceiling, never on a decision, so the
# account of what was done with them is public.


@dataclass(frozen=True, kw_only=True)
class Protection:
    """What was done with groups that cannot be protected."""

    policy: Literal["refuse", "suppress", "merge"] | None = None
    groups: int = 0  # how many there were
    people: int = 0  # how many people are in them
    everybody: int = 0  # how many people there are in all, those left out included
    merged: tuple[tuple[str, str], ...] = ()  # (attribute, coarser value) now standing for finer ones


NOTHING_UNPROTECTABLE = Protection()
"""The account where nothing had to be done."""


def unprotectable_groups(
    cells: Cells, ceiling: Decimal | None, of_values: Sequence[Sequence[Decimal | None]] = ()
) -> NDArray[np.bool_]:
    """Groups in which a sensitive value is known before any report with more confidence than its ceiling allows.

    Without a ceiling: groups in which it is known for certain. `of_values` are ceilings of single values, for each sensitive
    attribute and each (QID group, value) of it. Exact.
    """
    limit = Fraction(ceiling) if ceiling is not None else None
    people = run_sums(cells.population, cells.group_starts)
    found = np.zeros(len(people), dtype=bool)
    for protected in cells.protected:
        largest = np.maximum.reduceat(protected.sums(cells.population), run_starts(protected.group))
        if limit is None:
            found |= largest == people
        else:
            found |= largest.astype(object) * limit.denominator > people.astype(object) * limit.numerator
    for protected, limits in zip(cells.protected, of_values, strict=False):
        known = protected.sums(cells.population).tolist()
        for group, number, of_value in zip(protected.group.tolist(), known, limits, strict=True):
            found[group] |= of_value is not None and number > Fraction(of_value) * int(people[group])
    return found


# What a report says about how its rule was found in records: the public facts, and nothing else.
#
# Every field is a deliberate disclosure (docs/guarantees.md says what each of them tells). They cross the
# wall inside the :class:`~atreport.core.certify.Announcement`.


@dataclass(frozen=True, kw_only=True)
class NumberRange:
    """The numbers that one value of an attribute stands for: from `low` to below `high`; None is no end."""

    attribute: str
    value: str
    low: Decimal | None
    high: Decimal | None


@dataclass(frozen=True, kw_only=True)
class OutcomeCut:
    """How a recorded number, such as a score, became the outcome."""

    # what each outcome stands for; none: cut at the median, which is not told
    ranges: tuple[NumberRange, ...] = ()


@dataclass(frozen=True, kw_only=True)
class EstimationAccount:
    """How the rule was estimated."""

    method: Literal["frequency", "tree", "model"]
    population: Literal["records", "census"]  # whom the population counts
    # records left out because something was missing, the fewest and the most that it is published as; None: none could be
    excluded: tuple[int, int] | None = None
    # share of recorded decisions that the tree gives, rounded down to hundredths
    faithfulness: Decimal | None = None
    ranges: tuple[NumberRange, ...] = ()  # what the values of binned numbers mean
    outcome_cut: OutcomeCut | None = None  # None: the outcome was recorded as it is
    edges_from_decisions: tuple[str, ...] = ()  # attributes whose edges a tree found by looking at decisions
