"""The true decision mapping, as every later stage behind the wall takes it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from atreport.core.cells import Cells, EstimationAccount, IntArray, arrange
from atreport.spec.process import Process

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
    # (cells, outcomes): recorded decisions, where the rule is their frequencies
    cases: IntArray | None = None
    estimation: EstimationAccount | None = None  # what the report says about how the rule was estimated
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


def with_joined_cells(table: DecisionTable, process: Process, codes: NDArray[np.int32]) -> DecisionTable:
    """The table with other values in its cells; those that become alike are joined by their weighted average."""
    unique, index = np.unique(codes, axis=0, return_inverse=True)
    index, between = index.ravel(), table.cells.between

    def summed(counts: IntArray) -> IntArray:
        sums = np.zeros((len(unique), *counts.shape[1:]), dtype=np.int64)
        np.add.at(sums, index, counts)
        return sums

    people = summed(table.cells.population)

    def average(column: FloatArray) -> FloatArray:
        return np.bincount(index, weights=column * table.cells.population, minlength=len(unique)) / people

    cells, order = arrange(
        process,
        unique.astype(np.int32),
        people,
        None if between is None else (summed(between[0]), summed(between[1])),
        table.cells.left_out,
    )
    probability = np.column_stack([average(column) for column in table.probability.T])
    return replace(
        table,
        cells=cells,
        cases=None if table.cases is None else summed(table.cases)[order],
        probability=np.clip(probability, 0, 1)[order],
        # joined bounds are rounded outward to what can be published
        lower=None if table.lower is None else (np.floor(average(table.lower) * 1e9) / 1e9)[order],
        upper=None if table.upper is None else (np.ceil(average(table.upper) * 1e9) / 1e9)[order],
    )


def without_cells(table: DecisionTable, left_out: NDArray[np.bool_]) -> DecisionTable:
    """The table without some of its cells."""
    keep, between = ~left_out, table.cells.between
    cells, order = arrange(
        table.cells.process,
        table.cells.codes[keep],
        table.cells.population[keep],
        None if between is None else (between[0][keep], between[1][keep]),
        table.cells.left_out,
    )
    return replace(
        table,
        cells=cells,
        probability=table.probability[keep][order],
        lower=None if table.lower is None else table.lower[keep][order],
        upper=None if table.upper is None else table.upper[keep][order],
        cases=None if table.cases is None else table.cases[keep][order],
    )
