"""Whether a printed rule keeps the rates of the true one: decided exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from atreport.kit.rounding import shortest_decimal
from atreport.population.cells import Cells, IntArray

_EPSILON = 2.3e-16
"""More than the relative error of one operation on floats."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RatePromise:
    """In every QID group, the rate of each outcome is within 1 - `rates` of the true one."""

    rates: Decimal  # as it is published
    truth: NDArray[np.float64]  # (cells, outcomes); confidential, and never part of an announcement

    def broken(
        self, cells: Cells, mapping: IntArray, weights: Sequence[IntArray], decimals: int
    ) -> NDArray[np.bool_]:
        """The QID groups in which a rate of the mapping is further from the true one, for one of the weights; exact.

        Floats decide wherever they are far enough from the limit, and fractions where they are not.
        """
        starts, found = cells.group_starts, np.zeros(len(cells.group_starts), dtype=bool)
        sizes = np.diff(np.append(starts, len(cells)))
        move = 1 - float(self.rates)
        for weight in weights:
            people = np.add.reduceat(weight.astype(np.float64), starts)
            error = _EPSILON * (sizes + 10) * people
            for outcome in self._outcomes(cells):
                steps = mapping[:, outcome]
                change = weight * (steps / 10**decimals - self.truth[:, outcome])
                beyond = np.abs(np.add.reduceat(change, starts)) - move * people
                found |= beyond > error
                for group in np.flatnonzero((np.abs(beyond) <= error) & ~found).tolist():
                    members = slice(int(starts[group]), int(starts[group] + sizes[group]))
                    found[group] = self._is_broken(
                        weight[members], steps[members], self.truth[members, outcome], decimals
                    )
        return found

    def _outcomes(self, cells: Cells) -> Sequence[int]:
        """Of two outcomes one says it all, and its true probability is the one that was given."""
        outcome = cells.process.outcome
        several = self.truth.shape[1] > 2
        return range(self.truth.shape[1]) if several else [outcome.values.index(outcome.favourable)]

    def _is_broken(
        self, weight: IntArray, steps: IntArray, truth: NDArray[np.float64], decimals: int
    ) -> bool:
        change = sum(
            w * (Fraction(step, 10**decimals) - shortest_decimal(true))
            for w, step, true in zip(weight.tolist(), steps.tolist(), truth.tolist(), strict=True)
        )
        return bool(abs(change) > (1 - Fraction(self.rates)) * int(weight.sum(dtype=object)))


def published_rates(asked: Decimal, decimals: int) -> Decimal:
    """The rates to promise and to publish: as asked, but no closer than half a printed step."""
    return min(asked, 1 - Decimal(5).scaleb(-decimals - 1)).normalize()
