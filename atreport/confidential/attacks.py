"""What an adversary could conclude, including those the public guarantee does not cover. Confidential.

All of them know the population and a person's public attributes and outcome. They differ in what they take for the
decision rule:

naive            the announced mapping itself; this is the adversary that β bounds
true             the true mapping, as if it had been published: C*
band-aware       even belief over the published band, that is, the middle of the band
worst consistent any mapping inside the band, chosen to make them most confident
inverting        knows the solver; where the optimum is unique, the announced value sits at the edge of the band around
                 the true one, which can then be read back
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atreport.cells import Cells, IntArray, run_starts
from atreport.confidential.solver import TableSolution
from atreport.confidential.table import DecisionTable, FloatArray
from atreport.release import Release

_EDGE = 1e-9


@dataclass(frozen=True, kw_only=True, eq=False)
class Attacks:
    """Confidence of each adversary, by QID group."""

    true: FloatArray
    naive: FloatArray
    band_aware: FloatArray
    worst_consistent: FloatArray
    unique: NDArray[np.bool_]  # one mapping only is optimal, so who knows the solver can read the truth back
    cells_at_edge: IntArray  # announced at the edge of the band around the truth, within one printed step


def attack(table: DecisionTable, solution: TableSolution, release: Release) -> Attacks:
    """Every adversary against every group of a release."""
    cells, truth = table.cells, release.truth
    announced = release.announced / release.scale
    low, high = (
        np.asarray(bound / truth.denominator, dtype=np.float64) for bound in (truth.lower, truth.upper)
    )
    moved = np.abs(announced - table.favourable)
    widest = np.maximum(announced - low, high - announced)
    at_edge = (moved > _EDGE) & (moved >= widest - 1 / release.scale)
    return Attacks(
        true=confidence_in(cells, table.favourable),
        naive=confidence_in(cells, announced),
        band_aware=confidence_in(cells, (low + high) / 2),
        worst_consistent=_worst_consistent(cells, low, high),
        unique=solution.unique,
        cells_at_edge=np.add.reduceat(at_edge.astype(np.int64), cells.group_starts),
    )


def confidence_in(cells: Cells, favourable: FloatArray) -> FloatArray:
    """The largest confidence in any sensitive value of each group, if `favourable` is taken for the truth."""
    p = cells.population.astype(np.float64)
    best = np.zeros(len(cells.group_starts))
    for probability in (favourable, 1 - favourable):
        of_value = np.add.reduceat(p * probability, cells.value_starts)
        best = np.maximum(best, _share_of_group(cells, of_value, of_value))
    return best


def _worst_consistent(cells: Cells, low: FloatArray, high: FloatArray) -> FloatArray:
    """As `confidence_in`, with the value's own probabilities at the top of the band and all others at its bottom."""
    p = cells.population.astype(np.float64)
    best = np.zeros(len(cells.group_starts))
    for least, most in ((low, high), (1 - high, 1 - low)):
        top, bottom = (np.add.reduceat(p * bound, cells.value_starts) for bound in (most, least))
        best = np.maximum(best, _share_of_group(cells, top, bottom))
    return best


def _share_of_group(cells: Cells, own: FloatArray, others: FloatArray) -> FloatArray:
    """The largest own / (own + the others of the group) over the values of each group; 0 where all are 0."""
    value_group = cells.group[cells.value_starts]
    groups = run_starts(value_group)
    total = own + np.add.reduceat(others, groups)[value_group] - others
    share = np.divide(own, total, out=np.zeros_like(own), where=total > 0)
    return np.maximum.reduceat(share, groups)
