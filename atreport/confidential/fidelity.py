"""Stage 3, **fidelity**: turn the policy into bounds on what may be announced, for every cell.

Twice: as floats for the solver, and as the whole numbers of printed steps that lie inside the exact band. A probability
means the shortest decimal that names its double (0.1 means 1/10), so "inside" is decided without rounding error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np

from atreport.band import Closeness
from atreport.cells import IntArray
from atreport.confidential.table import DecisionTable, FloatArray
from atreport.errors import PolicyCannotBeMet
from atreport.spec.models import MAX_DECIMALS, Fidelity

# Products of doubles up to 10^9 are exact to far better than this; closer than this to a step, we calculate exactly.
_DOUBT = 1e-5


@dataclass(frozen=True, kw_only=True, eq=False)
class Bounds:
    """What may be announced in each cell."""

    lower: FloatArray
    upper: FloatArray
    lowest_step: IntArray  # least and greatest whole number of printed steps inside the exact band
    highest_step: IntArray


def closeness_of(fidelity: Fidelity) -> Closeness | None:
    """The fidelity as one number for all cells, or None where each cell has bounds of its own."""
    return None if fidelity.bounds else Closeness(delta=fidelity.delta, alpha=fidelity.alpha)


def fidelity_bounds(table: DecisionTable, closeness: Closeness | None, decimals: int) -> Bounds:
    """The bounds of every cell. Raises :class:`PolicyCannotBeMet` where no printed figure lies inside them."""
    bounds = _bounds(table, closeness, decimals)
    unprintable = int((bounds.lowest_step > bounds.highest_step).sum())
    if unprintable:
        cells = "1 cell has" if unprintable == 1 else f"{unprintable} cells have"
        raise PolicyCannotBeMet(
            f"{cells} no figure with {decimals} decimals inside the fidelity band, so nothing could be printed",
            _way_out(table, closeness, decimals),
        )
    return bounds


def _bounds(table: DecisionTable, closeness: Closeness | None, decimals: int) -> Bounds:
    if closeness is not None:
        truth = table.favourable
        lower, upper = closeness.around_floats(truth)
        lowest = _lowest_step(lower, 10**decimals, truth, lambda number: closeness.around(number)[0])
        highest = -_lowest_step(-upper, 10**decimals, truth, lambda number: -closeness.around(number)[1])
    else:
        assert table.lower is not None
        assert table.upper is not None
        lower, upper = table.lower, table.upper
        lowest = _lowest_step(lower, 10**decimals, lower, lambda number: number)
        highest = -_lowest_step(-upper, 10**decimals, upper, lambda number: -number)
    return Bounds(lower=lower, upper=upper, lowest_step=lowest, highest_step=highest)


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


def shortest_decimal(number: float) -> Fraction:
    """The fraction that the shortest decimal naming this double stands for."""
    return Fraction(Decimal(repr(float(number))))


def _way_out(table: DecisionTable, closeness: Closeness | None, decimals: int) -> str:
    """What to change so that every cell has a printable figure."""
    for more in range(decimals + 1, MAX_DECIMALS + 1):
        finer = _bounds(table, closeness, more)
        if (finer.lowest_step <= finer.highest_step).all():
            return f"write 'decimals: {more}' under policy, or allow a little more distortion"
    enough = Decimal(1) - Decimal(1).scaleb(-decimals)
    return f"allow a little more distortion: 'fidelity: {{delta: {enough}}}' covers the rounding"
