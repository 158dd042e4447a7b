"""The true decision mapping, as every later stage behind the wall takes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atreport.population.cells import Cells, IntArray
from atreport.population.estimation import Estimation

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Leaf:
    """One decision region: the values that lead to it, its records, and their share of favourable decisions."""

    values: Mapping[str, tuple[str, ...]]  # attributes that the path asks about, with the values that remain
    cases: int
    favourable: float


@dataclass(frozen=True, kw_only=True, eq=False)
class DecisionTable:
    """The true decision mapping on the cells that occur. Never leaves the confidential side."""

    cells: Cells
    probability: FloatArray  # (cells, outcomes): true probability of each outcome
    lower: FloatArray | None = None  # per-cell bounds on what may be announced, where the policy has them
    upper: FloatArray | None = None
    cases: IntArray | None = (
        None  # (cells, outcomes): recorded decisions, where the rule is their frequencies
    )
    estimation: Estimation | None = None  # what the report says about how the rule was estimated
    leaves: tuple[Leaf, ...] = ()  # the decision regions, where the rule is a tree's

    @property
    def favourable(self) -> FloatArray:
        """The true probability of the favourable outcome."""
        return self.probability[:, self.favourable_place]

    @property
    def favourable_place(self) -> int:
        """The column of the favourable outcome."""
        outcome = self.cells.process.outcome
        return outcome.values.index(outcome.favourable)
