"""Turn the policy into bounds on what may be announced, for every cell.

Twice: as floats for the solver, and as the whole numbers of printed steps that lie inside the exact band. A probability
means the shortest decimal that names its double (0.1 means 1/10), so "inside" is decided without rounding error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.core.band import Closeness, consistent, rounding
from atreport.core.cells import IntArray
from atreport.errors import PolicyCannotBeMet
from atreport.private.data.decision_table import DecisionTable, FloatArray
from atreport.spec.policy import MAX_DECIMALS, Policy
from atreport.text.numbers import counted, shortest_decimal

# Products of doubles up to 10^9 are exact to far better than this; closer than this to a step, we calculate exactly.
_DOUBT = 1e-5


@dataclass(frozen=True, kw_only=True, eq=False)
class Bounds:
    """What may be announced in each cell, for each outcome; all arrays are (cells, outcomes).

    The bounds of a cell's outcomes agree with one another: every value between them can be completed to a whole row.
    """

    lower: FloatArray
    upper: FloatArray
    lowest_step: IntArray  # least and greatest whole number of printed steps inside the exact band
    highest_step: IntArray

    def of(self, outcome: int) -> tuple[FloatArray, FloatArray]:
        """The bounds on one outcome."""
        return self.lower[:, outcome], self.upper[:, outcome]

    def at(self, cells: NDArray[np.bool_]) -> Bounds:
        """The bounds of some cells alone."""
        return Bounds(
            lower=self.lower[cells],
            upper=self.upper[cells],
            lowest_step=self.lowest_step[cells],
            highest_step=self.highest_step[cells],
        )


def closeness_of(policy: Policy, table: DecisionTable) -> Closeness | None:
    """The fidelity as one number for all cells, or None where each cell has bounds of its own.

    `delta: 1` asks for the true rule, rounded to the printed decimals. The fidelity to publish is that of rounding, also
    where the true rule has no more decimals: otherwise it would say so.
    """
    fidelity = policy.fidelity
    if fidelity.bounds is not None:
        return None
    if fidelity.delta == 1:
        return rounding(policy.decimals, table.probability.shape[1])
    return Closeness(delta=fidelity.delta, alpha=fidelity.alpha)


def is_rounding(closeness: Closeness | None, decimals: int, table: DecisionTable) -> bool:
    """Whether a fidelity is that of the true rule, rounded."""
    return closeness == rounding(decimals, table.probability.shape[1])


def rounded_truth(table: DecisionTable, decimals: int) -> IntArray:
    """The true rule in whole printed steps, as near as outcomes that make one can be: by largest remainder, ties to even.

    Every outcome is rounded down, and those with the largest rests get the steps that are then missing; of equal rests
    those first that become even, then those that stand first. Floats decide where they can, and fractions elsewhere.
    """
    truth, scale = table.probability.copy(), 10**decimals
    if truth.shape[1] == 2:  # one number
        truth[:, 1 - table.favourable_place] = 1.0 - table.favourable
    position = truth * scale
    steps = np.floor(position).astype(np.int64)
    rest = position - steps
    order = np.argsort(-rest, axis=1, kind="stable")
    up = np.argsort(order, axis=1) < (scale - steps.sum(axis=1))[:, None]
    apart = np.where(up, rest, np.inf).min(axis=1) - np.where(up, -np.inf, rest).max(axis=1)
    doubtful = (np.minimum(rest, 1 - rest) < _DOUBT).any(axis=1) | (apart < _DOUBT)
    steps += up
    rows, index = np.unique(truth[doubtful], axis=0, return_inverse=True)
    exact = [_largest_rests(row, scale, table.favourable_place) for row in rows.tolist()]
    if exact:
        steps[doubtful] = np.array(exact, dtype=np.int64)[index.ravel()]
    return np.asarray(steps)


def _largest_rests(row: list[float], scale: int, favourable: int) -> list[int]:
    """The same for one cell, without rounding error."""
    exactly = [shortest_decimal(number) * scale for number in row]
    if len(row) == 2:
        exactly[1 - favourable] = scale - exactly[favourable]
    steps = [math.floor(number) for number in exactly]
    by_rest = sorted(
        range(len(row)), key=lambda place: (steps[place] - exactly[place], steps[place] % 2 == 0, place)
    )
    for place in by_rest[: scale - sum(steps)]:
        steps[place] += 1
    return steps


def fidelity_bounds(table: DecisionTable, closeness: Closeness | None, decimals: int) -> Bounds:
    """The bounds of every cell. Raises :class:`PolicyCannotBeMet` where no printed figures lie inside them."""
    bounds = _bounds(table, closeness, decimals)
    unprintable = int((~_printable(bounds, decimals)).sum())
    if unprintable:
        cells = "1 cell has" if unprintable == 1 else f"{unprintable} cells have"
        raise PolicyCannotBeMet(
            f"{cells} no figure with {counted(decimals, 'decimal')} inside the fidelity band, so nothing could be printed",
            _way_out(table, closeness, decimals),
        )
    return bounds


def _printable(bounds: Bounds, decimals: int) -> NDArray[np.bool_]:
    """Cells for which whole steps within the bounds can make one."""
    least, most = bounds.lowest_step.sum(axis=1), bounds.highest_step.sum(axis=1)
    fits = (bounds.lowest_step <= bounds.highest_step).all(axis=1)
    return np.asarray(fits & (least <= 10**decimals) & (most >= 10**decimals))


def float_bounds(table: DecisionTable, closeness: Closeness) -> tuple[FloatArray, FloatArray]:
    """Bounds on every outcome at one fidelity, in floating point; they always hold the truth."""
    if table.probability.shape[1] == 2:
        lower, upper = closeness.around_floats(table.favourable)
        return _with_other(table, lower, 1.0 - upper), _with_other(table, upper, 1.0 - lower)
    truth = table.probability
    lower, upper = consistent(*closeness.alone_floats(truth), 1.0)
    return np.minimum(lower, truth), np.maximum(upper, truth)


def _bounds(table: DecisionTable, closeness: Closeness | None, decimals: int) -> Bounds:
    scale = 10**decimals
    if closeness is None:
        lower, upper, lowest, highest = _own_bounds(table, scale)
    else:
        lower, upper = float_bounds(table, closeness)
        steps = _steps_of_two if table.probability.shape[1] == 2 else _steps_of_many
        lowest, highest = steps(table, closeness, scale)
    lowest, highest = consistent(lowest, highest, scale)
    return Bounds(lower=lower, upper=upper, lowest_step=lowest, highest_step=highest)


def _steps_of_two(table: DecisionTable, closeness: Closeness, scale: int) -> tuple[IntArray, IntArray]:
    """Two outcomes are one number: steps within the band of the favourable one, and their mirror image."""
    truth = table.favourable
    lower, upper = closeness.around_floats(truth)
    lowest = _lowest_step(lower, scale, truth, lambda number: closeness.around(number)[0])
    highest = -_lowest_step(-upper, scale, truth, lambda number: -closeness.around(number)[1])
    return _with_other(table, lowest, scale - highest), _with_other(table, highest, scale - lowest)


def _steps_of_many(table: DecisionTable, closeness: Closeness, scale: int) -> tuple[IntArray, IntArray]:
    """Steps within the band of each outcome by itself."""
    lowest, highest = [], []
    for truth in table.probability.T:
        lower, upper = closeness.alone_floats(truth)
        lowest.append(_lowest_step(lower, scale, truth, lambda number: closeness.alone(number)[0]))
        highest.append(-_lowest_step(-upper, scale, truth, lambda number: -closeness.alone(number)[1]))
    return np.column_stack(lowest), np.column_stack(highest)


def _own_bounds(table: DecisionTable, scale: int) -> tuple[Any, Any, Any, Any]:
    """The bounds that the data give the favourable outcome; the others are bounded by what it leaves."""
    assert table.lower is not None
    assert table.upper is not None
    lowest = _lowest_step(table.lower, scale, table.lower, lambda number: number)
    highest = -_lowest_step(-table.upper, scale, table.upper, lambda number: -number)
    return (
        _with_other(table, table.lower, np.zeros_like(table.upper)),
        _with_other(table, table.upper, 1.0 - table.lower),
        _with_other(table, lowest, np.zeros_like(highest)),
        _with_other(table, highest, scale - lowest),
    )


def _with_other(table: DecisionTable, favourable: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """One column for the favourable outcome, and the same for each other outcome."""
    columns = [other] * table.probability.shape[1]
    columns[table.favourable_place] = favourable
    return np.column_stack(columns)


def _lowest_step(
    bound: FloatArray, scale: int, origin: FloatArray, exact_bound: Callable[[Fraction], Fraction]
) -> IntArray:
    """The least whole number of steps not below each bound.

    `exact_bound` gives the bound without rounding error from the number it derives from; it is asked only where the
    float comes so close to a whole step that its rounding error could decide, and once for each distinct number.
    """
    position = bound * scale
    steps = np.ceil(position).astype(np.int64)
    doubtful = np.abs(position - np.rint(position)) < _DOUBT
    if doubtful.any():
        distinct, inverse = np.unique(origin[doubtful], return_inverse=True)
        exact = [math.ceil(exact_bound(shortest_decimal(number)) * scale) for number in distinct.tolist()]
        steps[doubtful] = np.array(exact, dtype=np.int64)[inverse]
    return steps


def whole_steps(probability: FloatArray, scale: int) -> IntArray:
    """The greatest whole number of steps not above each probability, without rounding error."""
    return -_lowest_step(-probability, scale, probability, lambda number: -number)


def _way_out(table: DecisionTable, closeness: Closeness | None, decimals: int) -> str:
    """What to change so that every cell has a printable figure."""
    for more in range(decimals + 1, MAX_DECIMALS + 1):
        finer = _bounds(table, closeness, more)
        if _printable(finer, more).all():
            return f"write 'decimals: {more}' under policy, or allow a little more distortion"
    rounded = counted(decimals, "decimal")
    return f"write 'fidelity: {{delta: 1}}': it publishes the true rule, rounded to {rounded}"
