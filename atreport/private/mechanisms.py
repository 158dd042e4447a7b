"""Stage 3, **mechanism**: from a true table and a policy to a draft. Every mechanism is listed here.

To add one, write a :class:`MechanismRun`, list it, and give it a word in the spec and its sentences
in ``compose/notes.py``. Drafts, the auditor, attacks and the trade-off then know it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np

from atreport.core.band import Closeness
from atreport.core.cells import IntArray
from atreport.core.rule_table import CellBounds
from atreport.private.data.decision_table import DecisionTable, FloatArray
from atreport.private.solver.fidelity import whole_steps
from atreport.spec.policy import Mechanism

# What every mechanism says of itself: one object, filled in by the module of the mechanism.


@dataclass(frozen=True, kw_only=True)
class MechanismRun:
    """How a mechanism gets from a true rule to an announced one, and what those who know it can make of that."""

    is_possible: Callable[[Closeness | CellBounds | None, int, int], bool]
    """Whether it works at a fidelity, with so many printed steps to one and so many outcomes."""
    steps: Callable[[DecisionTable, Closeness | None, int], IntArray] | None
    """The one printed figure of each cell and outcome, for fidelity and decimals; None: the optimum, rounded."""
    expected: Callable[[FloatArray, FloatArray], FloatArray]
    """What one who knows it and believes evenly expects of the truth, given what is announced and the middle of the band."""
    advice: str
    """What can be done where it does not keep the policy's ceiling."""


# The mechanism of least confidence: the optimum that the solver finds, rounded by the first door.

OPTIMAL = MechanismRun(
    is_possible=lambda _fidelity, _scale, _outcomes: True,
    steps=None,
    expected=lambda _announced, middle: middle,
    advice="Allow more distortion under policy: fidelity, or raise the ceiling.",
)


# The mechanism that cannot be read back: announce the middle of a fixed interval in which the true value
# lies.
#
# The grid depends on the published fidelity and decimals alone, never on a decision. So an announcement tells
# in which interval each true probability lies and nothing more, even to those who know everything about the
# method. Whoever then believes evenly in the interval expects exactly its middle, and confidence is linear in
# that expectation: the certified β is also the confidence of an observer who knows the method.
#
# Guarantee: every middle is itself a printed figure (no rounding adds or hides anything), and is within w = 1
# - delta of every value of its interval. With wide outer intervals, of 2w each, nothing is announced below w
# nor above 1 - w (w in whole printed steps), so the odds factor is at most (1 - w) / w: no mechanism of this
# fidelity can promise less for every rule. Where w is above a quarter, two such intervals would overlap, and
# all are equal.


@dataclass(frozen=True)
class RangeGrid:
    """Intervals from 0 to 1, in whole printed steps.

    Each is an even number of steps wide, so that its middle can be printed. The two outer ones have a width of their
    own or, where they would overlap, none; the widths of the others differ by at most two steps. Nothing is listed: a fine
    grid has more intervals than a machine has memory.
    """

    inner: int  # how many intervals that are not outer ones
    decimals: int
    outer: int = 0  # the width of each outer interval in double steps; 0: there are none

    @property
    def number(self) -> int:
        """How many intervals there are."""
        return self.inner + (2 if self.outer else 0)

    @property
    def _between(self) -> int:
        """How many double steps the inner intervals share."""
        return int(10**self.decimals) // 2 - 2 * self.outer

    def edges(self, intervals: IntArray) -> IntArray:
        """Where each of some intervals begins; interval `number` begins at 1."""
        first = 1 if self.outer else 0
        place = np.clip(intervals - first, 0, self.inner)
        spread = (place * self._between + self.inner // 2) // max(self.inner, 1)
        edge = 2 * (self.outer + spread)
        return np.where(
            intervals < first, 0, np.where(intervals > self.inner + first, 10**self.decimals, edge)
        )

    def interval_of(self, steps: IntArray) -> IntArray:
        """The interval of each value, given in whole steps at or below it; on an edge, the one above; of 1, the last."""
        double = steps // 2 - self.outer
        within = ((double + 1) * self.inner - self.inner // 2 - 1) // max(self._between, 1)
        first = 1 if self.outer else 0
        place = np.where(double < 0, 0, np.where(double >= self._between, self.inner + first, within + first))
        return np.minimum(place, self.number - 1)

    def middle_of(self, steps: IntArray) -> IntArray:
        """The middle of the interval of each value."""
        interval = self.interval_of(steps)
        return (self.edges(interval) + self.edges(interval + 1)) // 2


def grid_of(delta: Decimal, decimals: int) -> RangeGrid:
    """The coarsest grid whose intervals are at most 2w wide, with w = 1 - delta: ⌈1/(2w)⌉ of them where steps allow."""
    widest = int((1 - Fraction(delta)) * 10**decimals)  # the most double steps in an interval
    outer = widest if 4 * widest <= 10**decimals else 0
    between = 10**decimals // 2 - 2 * outer
    return RangeGrid(inner=-(-between // widest), decimals=decimals, outer=outer)


def calibrated_steps(table: DecisionTable, delta: Decimal, decimals: int) -> IntArray:
    """What is announced of every outcome (cells, outcomes), in whole printed steps."""
    favourable = grid_of(delta, decimals).middle_of(whole_steps(table.favourable, 10**decimals))
    columns = [10**decimals - favourable] * 2
    columns[table.favourable_place] = favourable
    return np.column_stack(columns)


def _is_possible(fidelity: Closeness | CellBounds | None, scale: int, outcomes: int) -> bool:
    """A grid needs one distance for all, of at least one printed step, and two outcomes."""
    delta = fidelity.delta if isinstance(fidelity, Closeness) else None
    return delta is not None and (1 - delta) * scale >= 1 and outcomes == 2


def _steps(table: DecisionTable, closeness: Closeness | None, decimals: int) -> IntArray:
    assert closeness is not None, "the spec was checked: calibrated needs delta"
    assert closeness.delta is not None
    return calibrated_steps(table, closeness.delta, decimals)


CALIBRATED = MechanismRun(
    is_possible=_is_possible,
    steps=_steps,
    expected=lambda announced, _middle: announced,  # the middle of the interval in which the truth lies
    advice="Allow another distortion under policy: fidelity, raise the ceiling, or write 'mechanism: optimal', which "
    "reaches a lower confidence but can be read back by those who know the method.",
)


MECHANISMS: dict[Mechanism, MechanismRun] = {"optimal": OPTIMAL, "calibrated": CALIBRATED}
