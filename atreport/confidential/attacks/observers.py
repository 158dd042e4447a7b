"""What an adversary could conclude, including those the public guarantee does not cover. Confidential.

All of them know the population and a person's public attributes and outcome. They differ in what they take for the
decision rule:

naive            the announced mapping itself; this is the adversary that β bounds
true             the true mapping, as if it had been published: C*
band-aware       even belief over the published band, that is, the middle of the band
worst consistent any mapping inside the band, chosen to make them most confident
inverting        knows the mechanism: the true value where the release gives it back, and what they expect elsewhere
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atreport.announcement import Release
from atreport.confidential.data.table import DecisionTable, FloatArray
from atreport.population.cells import Cells, run_starts


@dataclass(frozen=True, kw_only=True, eq=False)
class Attacks:
    """Confidence of each adversary, by QID group."""

    true: FloatArray
    naive: FloatArray
    band_aware: FloatArray
    worst_consistent: FloatArray
    inverting: FloatArray


def attack(table: DecisionTable, release: Release, read_back: NDArray[np.bool_]) -> Attacks:
    """Every adversary against every group of a release; `read_back` are the cells whose true value it gives back."""
    cells = table.cells
    announced = release.mapping / release.scale
    bands = [release.truth_of(outcome) for outcome in cells.process.outcome.values]
    low, high = (
        np.column_stack([np.asarray(bound / band.denominator, dtype=np.float64) for bound, band in bounds])
        for bounds in (
            [(band.lower, band) for band in bands],
            [(band.upper, band) for band in bands],
        )
    )
    middle = (low + high) / 2
    # who knows that the mechanism is calibrated knows the interval, and that the announced value is its middle
    expected = announced if release.mechanism == "calibrated" else middle
    return Attacks(
        true=confidence_in(cells, table.probability),
        naive=confidence_in(cells, announced),
        band_aware=confidence_in(cells, middle),
        worst_consistent=_most_confident(cells, high, low),
        inverting=confidence_in(cells, np.where(read_back[:, None], table.probability, expected)),
    )


def confidence_in(cells: Cells, mapping: FloatArray) -> FloatArray:
    """The largest confidence in any sensitive value of each group, if `mapping` (cells, outcomes) is taken for true."""
    return _most_confident(cells, mapping, mapping)


def _most_confident(cells: Cells, own: FloatArray, others: FloatArray) -> FloatArray:
    """The largest confidence when a value's cells have the probabilities `own`, and the others of its group `others`."""
    p = cells.population.astype(np.float64)
    best = np.zeros(len(cells.group_starts))
    for outcome in range(own.shape[1]):
        rest = np.add.reduceat(p * others[:, outcome], cells.group_starts)
        for protected in cells.protected:
            mine = protected.sums(p * own[:, outcome])
            total = mine + rest[protected.group] - protected.sums(p * others[:, outcome])
            share = np.divide(mine, total, out=np.zeros_like(mine), where=total > 0)
            best = np.maximum(best, np.maximum.reduceat(share, run_starts(protected.group)))
    return best
