"""What every mechanism says of itself: one object, filled in by the module of the mechanism."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from atreport.confidential.data.decision_table import DecisionTable, FloatArray
from atreport.population.band import Closeness
from atreport.population.cells import IntArray
from atreport.rule_table import CellBounds
from atreport.spec.models.policy import Mechanism


@dataclass(frozen=True, kw_only=True)
class WayToAnnounce:
    """How a mechanism gets from a true rule to an announced one, and what those who know it can make of that."""

    name: Mechanism
    is_possible: Callable[[Closeness | CellBounds | None, int, int], bool]
    """Whether it works at a fidelity, with so many printed steps to one and so many outcomes."""
    steps: Callable[[DecisionTable, Closeness | None, int], IntArray] | None
    """The one printed figure of each cell and outcome, for fidelity and decimals; None: the optimum, rounded."""
    expected: Callable[[FloatArray, FloatArray], FloatArray]
    """What one who knows it and believes evenly expects of the truth, given what is announced and the middle of the band."""
    advice: str
    """What can be done where it does not keep the policy's ceiling."""
