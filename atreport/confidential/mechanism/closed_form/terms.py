"""The closed form of the least confidence: four terms for each QID group.

Names follow the mathematics: inside a group, record k has population p and bounds lo ≤ x ≤ hi on the announced probability.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atreport.confidential.data.decision_table import FloatArray
from atreport.confidential.mechanism.closed_form.records import each, ratio
from atreport.population.cells import IntArray


@dataclass(frozen=True, kw_only=True, eq=False)
class Terms:
    """The four lower limits on a group's confidence; the optimum is the largest."""

    favourable: FloatArray  # β1: the favourable outcome cannot be shared more evenly
    unfavourable: FloatArray  # β0: nor the unfavourable one
    both: FloatArray  # βp: what both outcomes together must give away
    prior: FloatArray  # βmin: what the adversary knew before any report

    @property
    def optimum(self) -> FloatArray:
        """β* of each group."""
        return np.maximum(np.maximum(self.favourable, self.unfavourable), np.maximum(self.both, self.prior))


def optimal_terms(p: FloatArray, lo: FloatArray, hi: FloatArray, starts: IntArray) -> Terms:
    """The four terms of every group; groups are runs of records beginning at `starts`."""
    total = np.add.reduceat(p, starts)
    most_1, even_1 = _evened_out(p * lo, p * hi, starts)
    most_0, even_0 = _evened_out(p * (1 - hi), p * (1 - lo), starts)
    return Terms(
        favourable=ratio(most_1, even_1),
        unfavourable=ratio(most_0, even_0),
        both=ratio(most_1 + most_0, total),
        prior=ratio(np.maximum.reduceat(p, starts), total),
    )


def _evened_out(least: FloatArray, most: FloatArray, starts: IntArray) -> tuple[FloatArray, FloatArray]:
    """The largest q that some record must have, and the total when every record comes as near to it as it may."""
    largest = np.maximum.reduceat(least, starts)
    return largest, np.add.reduceat(np.minimum(most, each(largest, starts, len(least))), starts)
