"""What was done with counts of few people: the public account of it.

Where counts are rounded or suppressed, everything after the guard knows the population only as published: the solver, the
announcement and every figure. So no public figure can give away more of the exact counts than the published ones do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from atreport.kit.exact import total
from atreport.population.cells import Cells, IntArray

Mask = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class KnownSum:
    """A group of cells whose number of people is published exactly."""

    values: Mapping[str, str]  # attribute → value that its cells have; empty: everybody
    cells: Mask
    people: int


@dataclass(frozen=True, kw_only=True, eq=False)
class SmallCellAccount:
    """What the policy on small cells did."""

    policy: Literal["warn", "round", "suppress", "refuse"] = "warn"
    under: int = 10  # counts of fewer people are small
    protection: int = 10  # a suppressed count can have values at least so far apart
    small: int = 0  # how many cells are small
    suppressed: Mask | None = None  # which cells are not published, where some are not
    known: tuple[KnownSum, ...] = ()  # where cells are suppressed, the sums that are published exactly

    @property
    def is_exact(self) -> bool:
        """Whether the population is published as it is."""
        return self.policy in ("warn", "refuse")

    def is_suppressed(self, cell: int) -> bool:
        """Whether a cell's count is not published."""
        return self.suppressed is not None and bool(self.suppressed[cell])

    def people_between(self, cells: Cells, mask: Mask) -> tuple[int, int]:
        """The fewest and the most people that some cells can have together, given all that is published."""
        fewest, most = people_bounds(cells)
        low, high = total(fewest[mask]), total(most[mask])
        for known in self.known:
            more, less = mask & ~known.cells, known.cells & ~mask
            if not (more.any() and less.any()):  # a known sum inside, or around: what the rest of it leaves
                low = max(low, known.people + total(fewest[more]) - total(most[less]))
                high = min(high, known.people + total(most[more]) - total(fewest[less]))
        return low, high

    def on(self, index: IntArray, order: IntArray) -> SmallCellAccount:
        """The account of cells that were put together: `index` says which, and `order` how they then stand.

        A cell is suppressed if one of its parts is; a known sum is kept where whole cells make it.
        """
        count = len(order)

        def has(mask: Mask) -> tuple[Mask, bool]:
            inside = np.bincount(index, weights=mask, minlength=count)
            of = np.bincount(index, minlength=count)
            return (inside > 0)[order], bool(((inside == 0) | (inside == of)).all())

        return replace(
            self,
            suppressed=None if self.suppressed is None else has(self.suppressed)[0],
            known=tuple(
                replace(known, cells=has(known.cells)[0]) for known in self.known if has(known.cells)[1]
            ),
        )


NOTHING_SMALL = SmallCellAccount()
"""The account where the population is published as it is."""


def round_counts(people: IntArray, step: int) -> IntArray:
    """Counts to the nearest multiple of the step (halves up), never 0."""
    return np.maximum((2 * people + step) // (2 * step), 1) * step


def rounded_range(rounded: IntArray, step: int) -> tuple[IntArray, IntArray]:
    """The fewest and the most people that counts rounded to the nearest step (halves up, never 0) can stand for."""
    fewest = np.where(rounded == step, 1, rounded - step // 2)
    return fewest, -(-(2 * rounded + step) // 2) - 1


def suppressed_range(people: IntArray, suppressed: Mask, known: Iterable[Mask]) -> tuple[IntArray, IntArray]:
    """The fewest and the most people that each cell can have.

    Of a suppressed one at least one, and at most what a known sum leaves beside the others in it. Of suppressed counts
    nothing is used but their sums in the groups that are known.
    """
    fewest, most = np.where(suppressed, 1, people), people.copy()
    most[suppressed] = total(people)
    for group in known:
        inside = group & suppressed
        if inside.any():
            left = int(people[inside].sum()) - (int(inside.sum()) - 1)
            most[inside] = np.minimum(most[inside], left)
    return fewest.astype(np.int64), most


def people_bounds(cells: Cells) -> tuple[IntArray, IntArray]:
    """The fewest and the most people in each cell, as far as it is published."""
    return cells.between or (cells.population, cells.population)
