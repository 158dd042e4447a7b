"""Every conclusion about a sensitive value that a reader of a draft can draw, in whole numbers. Confidential."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.announcement import Announcement
from atreport.kit.exact import product, run_sums
from atreport.population.cells import Protected

_CLOSE = 1 - 1e-9
"""Floats this close to a limit do not decide whether it is kept."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Conclusions:
    """All conclusions from one outcome about one attribute, for one population: arrays by (QID group, value)."""

    attribute: int
    protected: Protected
    own: NDArray[Any]  # Σ w·x over the value's cells
    whole: NDArray[Any]  # … over the group
    own_people: NDArray[Any]  # Σ w over the value's cells
    people: NDArray[Any]

    @property
    def confidence(self) -> NDArray[np.float64]:
        """In floats; 0 where the outcome does not occur."""
        return _quotient(self.own, self.whole)

    @property
    def lift(self) -> NDArray[np.float64]:
        """In floats."""
        return self.confidence * _quotient(self.people, self.own_people)

    def beyond_confidence(self, numerator: NDArray[Any], denominator: int) -> int:
        """How many confidences are above a limit for each value; exact."""
        near = np.flatnonzero(
            self.confidence > _CLOSE * np.asarray(numerator / denominator, dtype=np.float64)
        )
        return sum(
            int(self.own[i]) * denominator > int(numerator[i]) * int(self.whole[i]) for i in near.tolist()
        )

    def beyond_lift(self, numerator: NDArray[Any], denominator: int) -> int:
        """How many lifts are above a limit for each value; exact."""
        near = np.flatnonzero(self.lift > _CLOSE * np.asarray(numerator / denominator, dtype=np.float64))
        return sum(
            int(self.own[i]) * int(self.people[i]) * denominator
            > int(numerator[i]) * int(self.whole[i]) * int(self.own_people[i])
            for i in near.tolist()
        )


def _quotient(above: NDArray[Any], below: NDArray[Any]) -> NDArray[np.float64]:
    floats = below.astype(np.float64)
    return np.divide(above.astype(np.float64), floats, out=np.zeros(len(floats)), where=floats > 0)


def conclusions_of(announcement: Announcement) -> Iterator[Conclusions]:
    """From every outcome, about every attribute, for every population that is published and the bounds of counts."""
    cells = announcement.cells
    bounds = cells.between or ()
    for weights in (*announcement.weights, *bounds):
        for attribute, protected in enumerate(cells.protected):
            for steps in announcement.mapping.T:
                yield Conclusions(
                    attribute=attribute,
                    protected=protected,
                    own=protected.sums(product(weights, steps)),
                    whole=run_sums(product(weights, steps), cells.group_starts)[protected.group],
                    own_people=protected.sums(weights),
                    people=run_sums(weights, cells.group_starts)[protected.group],
                )
