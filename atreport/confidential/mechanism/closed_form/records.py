"""QID groups as the mathematics sees them: records of a sensitive value each, and how near to the truth they must stay.

Inside a group, record k has population p, true probability d and bounds lo ≤ x ≤ hi on the announced probability x; q = p·x,
and s is the sum of q over the group. All groups are solved at once: a group is a run of records.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.decision_table import FloatArray
from atreport.population.cells import IntArray


@dataclass(frozen=True, kw_only=True, eq=False)
class Records:
    """The sensitive values of many groups, and between which totals s of each group must lie."""

    p: FloatArray
    d: FloatArray
    lo: FloatArray
    hi: FloatArray
    starts: IntArray  # where each group begins
    least_total: FloatArray  # by group: rates are kept, or at least bounds
    most_total: FloatArray

    @cached_property
    def total(self) -> FloatArray:
        """By group: how many people."""
        return self.sum(self.p)

    @cached_property
    def prior(self) -> FloatArray:
        """By record: how likely its value is before any report."""
        return ratio(self.p, self.each(self.total))

    @cached_property
    def other(self) -> Records:
        """The same seen from the other outcome."""
        return Records(
            p=self.p,
            d=1 - self.d,
            lo=1 - self.hi,
            hi=1 - self.lo,
            starts=self.starts,
            least_total=self.total - self.most_total,
            most_total=self.total - self.least_total,
        )

    def sum(self, of_records: FloatArray) -> FloatArray:
        """By group: the sum."""
        return np.asarray(np.add.reduceat(of_records, self.starts))

    def most(self, of_records: FloatArray) -> FloatArray:
        """By group: the largest."""
        return np.asarray(np.maximum.reduceat(of_records, self.starts))

    def each(self, of_groups: NDArray[Any]) -> NDArray[Any]:
        """By record: the number of its group."""
        return each(of_groups, self.starts, len(self.p))


@dataclass(frozen=True, kw_only=True, eq=False)
class Problem:
    """The groups of a table, cell by cell, with what must be kept in every one of them."""

    p: FloatArray  # by cell
    d: FloatArray
    lo: FloatArray
    hi: FloatArray
    values: IntArray  # where each sensitive value begins among the cells
    starts: IntArray  # where each group begins among the values
    rate_move: float | None = None  # the most that the group's rate may move

    @cached_property
    def cell_starts(self) -> IntArray:
        """Where each group begins among the cells."""
        return np.asarray(self.values[self.starts])

    @cached_property
    def totals(self) -> tuple[FloatArray, FloatArray]:
        """By group: the least and greatest total that bounds and rates allow.

        Where rounding of bounds to printed steps has left no total near enough to the true one, the nearest there is.
        """
        people = np.add.reduceat(self.p, self.cell_starts)
        if self.rate_move is None:
            return np.zeros_like(people), people
        true, lowest, highest = (
            np.add.reduceat(self.p * a, self.cell_starts) for a in (self.d, self.lo, self.hi)
        )
        least, most = true - self.rate_move * people, true + self.rate_move * people
        return np.clip(least, lowest, highest), np.clip(most, lowest, highest)

    @cached_property
    def records(self) -> Records:
        """Cells that share a sensitive value count as one, for it is what is protected."""
        least, most = self.totals
        if len(self.values) == len(self.p):
            p, d, lo, hi = self.p, self.d, self.lo, self.hi
        else:
            p = np.add.reduceat(self.p, self.values)
            d, lo, hi = (
                ratio(np.add.reduceat(self.p * a, self.values), p) for a in (self.d, self.lo, self.hi)
            )
        return Records(p=p, d=d, lo=lo, hi=hi, starts=self.starts, least_total=least, most_total=most)

    def between(self, floor: FloatArray, cap: FloatArray) -> Problem:
        """The same where no cell of a group is announced below its floor nor above its cap."""
        floors, caps = (each(a, self.cell_starts, len(self.p)) for a in (floor, cap))
        lo = np.maximum(self.lo, floors)
        return replace(self, lo=lo, hi=np.maximum(np.minimum(self.hi, caps), lo))  # rounding of floats

    def only(self, chosen: NDArray[np.bool_]) -> Problem:
        """Some of the groups."""
        sizes = np.diff(np.append(self.starts, len(self.values)))
        of_values = np.repeat(chosen, sizes)
        lengths = np.diff(np.append(self.values, len(self.p)))
        of_cells = np.repeat(of_values, lengths)
        return Problem(
            p=self.p[of_cells],
            d=self.d[of_cells],
            lo=self.lo[of_cells],
            hi=self.hi[of_cells],
            values=_beginnings(lengths[of_values]),
            starts=_beginnings(sizes[chosen]),
            rate_move=self.rate_move,
        )


def _beginnings(lengths: IntArray) -> IntArray:
    """Where runs of these lengths begin."""
    return np.cumsum(lengths) - lengths


def ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Their quotient, 0 where the denominator is 0."""
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)


def each(per_group: NDArray[Any], starts: IntArray, length: int) -> NDArray[Any]:
    """A number of each group, repeated for each of its records."""
    return np.repeat(per_group, np.diff(np.append(starts, length)))
