"""What was done with counts of few people: the public account of it.

Where counts are rounded or suppressed, everything after the guard knows the population only as published: the solver, the
release and every figure. So no public figure can give away more of the exact counts than the published ones do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from atreport.cells import Cells, IntArray

Mask = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class KnownSum:
    """A group of cells whose number of people is published exactly."""

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
        low, high = int(fewest[mask].sum()), int(most[mask].sum())
        for known in self.known:
            if np.array_equal(known.cells, mask):
                return known.people, known.people
            if not (mask & ~known.cells).any():  # inside a known sum: what the rest of it leaves
                rest = known.cells & ~mask
                high = min(high, known.people - int(fewest[rest].sum()))
                low = max(low, known.people - int(most[rest].sum()))
            if not (known.cells & ~mask).any():  # a known sum inside
                rest = mask & ~known.cells
                low = max(low, known.people + int(fewest[rest].sum()))
                high = min(high, known.people + int(most[rest].sum()))
        return low, high


NOTHING_SMALL = SmallCellAccount()
"""The account where the population is published as it is."""


def people_bounds(cells: Cells) -> tuple[IntArray, IntArray]:
    """The fewest and the most people in each cell, as far as it is published."""
    return cells.between or (cells.population, cells.population)
