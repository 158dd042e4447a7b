"""What a mechanism is asked for, as numbers: what to make least, in which order, and what no group may exceed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atreport.announcement.ceilings import Ceilings
from atreport.confidential.data.decision_table import FloatArray
from atreport.population.cells import Cells
from atreport.spec.models.policy import Aim


@dataclass(frozen=True, kw_only=True, eq=False)
class Aims:
    """What to make least in each QID group, in this order, under which ceilings.

    Each stage is kept at its printed value, rounded up to `decimals`, while the later ones are solved; last comes the
    mapping nearest to the truth. An empty `minimise` keeps the ceilings and stays as near to the truth as they allow.
    Where no mapping of a group keeps the ceilings, the group is solved without them, and the solution says so; the rate
    is kept always, for the true rule keeps it.
    """

    minimise: tuple[Aim, ...] = ("beta", "lift")
    decimals: int = 4
    beta: float | None = None  # ceilings for every group and value
    lift: float | None = None
    odds: float | None = None
    values: tuple[FloatArray, ...] | None = (
        None  # by sensitive attribute: a ceiling for each (QID group, value)
    )
    rate_move: float | None = None  # the most that the rate of each outcome may move in a QID group


def aims_of(
    cells: Cells,
    ceilings: Ceilings,
    minimise: tuple[Aim, ...],
    decimals: int,
    *,
    rate_move: float | None = None,
    below: float = 0.0,
) -> Aims:
    """The aims of a policy. The ceilings can be asked for a little `below`, to leave room for rounding."""
    return Aims(
        minimise=minimise,
        decimals=decimals,
        beta=None if ceilings.beta is None else max(0.0, float(ceilings.beta) - below),
        lift=None if ceilings.lift is None else max(1.0, float(ceilings.lift) * (1 - below)),
        odds=None if ceilings.odds is None else max(1.0, float(ceilings.odds) * (1 - below)),
        values=tuple(
            np.array(
                [
                    1.0 if limit is None else max(0.0, float(limit) - below)
                    for limit in ceilings.of_values(cells, protected)
                ]
            )
            for protected in cells.protected
        )
        if ceilings.values
        else None,
        rate_move=rate_move,
    )


__all__ = ["Aim", "Aims", "aims_of"]
