"""The solver: turn a decision table and its bounds into the announced mapping of least confidence.

The optimum has a closed form (four terms for each QID group), and so has a mapping that attains it; both take time
linear in the number of cells, for all groups at once. Names follow the mathematics: inside a group, record k has
population p, true probability d, bounds lo ≤ x ≤ hi on the announced probability x, and q = p·x.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from atreport.confidential.data.decision_table import DecisionTable, FloatArray
from atreport.confidential.mechanism.fidelity import Bounds
from atreport.population.cells import IntArray, run_starts

LARGE = 50_000
"""From this many records on the compiled solver is worth its start."""

_LEVEL = 1e-13
"""Relative differences below this are rounding of floats."""


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


@dataclass(frozen=True, kw_only=True, eq=False)
class Solution:
    """The least possible confidence of each group, and a mapping that attains it."""

    beta: FloatArray  # one for each distinct label, in ascending order of label
    announced: FloatArray  # one for each cell, in the order given


def solve(
    population: npt.ArrayLike,
    probability: npt.ArrayLike,
    lower: npt.ArrayLike,
    upper: npt.ArrayLike,
    groups: npt.ArrayLike,
) -> Solution:
    """The bare binary solver: each cell is a distinct sensitive value of its group.

    Args:
        population: People in each cell, not negative.
        probability: True probability of the favourable outcome.
        lower: Least probability that may be announced.
        upper: Greatest probability that may be announced.
        groups: Whole-number label of each cell's group, in any order.

    Returns:
        The optimal confidence of each distinct label in ascending order, and the announced probability of each cell in
        the order given. The mapping lies within the bounds, attains the optimum up to rounding of floats, keeps the
        group's favourable rate where privacy allows, and does not depend on the order of the cells.
    """
    p, d, lo, hi = (
        np.ascontiguousarray(a, dtype=np.float64).ravel() for a in (population, probability, lower, upper)
    )
    labels = np.ascontiguousarray(groups).ravel()
    if not len(p) == len(d) == len(lo) == len(hi) == len(labels):
        raise ValueError("population, probability, lower, upper and groups must have the same length")
    if not len(p):
        return Solution(beta=np.empty(0), announced=np.empty(0))
    if not np.issubdtype(labels.dtype, np.integer):
        raise ValueError("groups must be whole numbers")
    order, starts = _grouped(labels)
    if order is None:
        beta, announced = _optimal_mapping(p, d, lo, hi, starts)
        return Solution(beta=beta, announced=announced)
    beta, in_order = _optimal_mapping(p[order], d[order], lo[order], hi[order], starts)
    announced = np.empty_like(d)
    announced[order] = in_order
    return Solution(beta=beta, announced=announced)


def _grouped(labels: NDArray[Any]) -> tuple[IntArray | None, IntArray]:
    """An order that brings each group together (None: they are), and where each group then begins."""
    if not _is_large(labels):
        order = np.argsort(labels, kind="stable")
        return order, run_starts(labels[order])
    compiled = _compiled()
    starts = compiled.ascending_starts(labels)
    if len(starts):
        return None, starts[:-1]
    lowest, highest = int(labels.min()), int(labels.max())
    close = highest - lowest <= 4 * len(labels)
    order = compiled.counting_order(labels, lowest, highest) if close else np.argsort(labels, kind="stable")
    return order, run_starts(labels[order])


def _optimal_mapping(
    p: FloatArray,
    d: FloatArray,
    lo: FloatArray,
    hi: FloatArray,
    starts: IntArray,
    compiled: bool | None = None,
) -> tuple[FloatArray, FloatArray]:
    """β* of every group and a mapping that attains it; compiled where the table is large."""
    if _is_large(p) if compiled is None else compiled:
        beta, announced = np.empty(len(starts)), np.empty_like(d)
        if _compiled().solve_groups(p, d, lo, hi, np.append(starts, len(p)), beta, announced):
            _refuse_nonsense(p, d, lo, hi)
        return beta, announced
    _refuse_nonsense(p, d, lo, hi)
    beta = optimal_terms(p, lo, hi, starts).optimum
    return beta, mapping_at(beta, p, d, lo, hi, starts)


def _compiled() -> ModuleType:
    """The compiled solver; Numba takes a third of a second to import, which only a large table is worth."""
    from atreport.confidential.mechanism import compiled

    return compiled


def _is_large(array: NDArray[Any]) -> bool:
    return len(array) >= LARGE


def _refuse_nonsense(p: FloatArray, d: FloatArray, lo: FloatArray, hi: FloatArray) -> None:
    if not all(np.isfinite(a).all() for a in (p, d, lo, hi)):
        raise ValueError("population, probability, lower and upper must be finite")
    if (p < 0).any():
        raise ValueError("population must not be negative")
    if (lo > hi).any() or (lo < 0).any() or (hi > 1).any():
        raise ValueError("bounds must satisfy 0 <= lower <= upper <= 1")


@dataclass(frozen=True, kw_only=True, eq=False)
class TableSolution:
    """The optimum of every QID group of a table, and the mapping to announce in every cell."""

    optimum: FloatArray  # by group: no mapping has less confidence
    proven: FloatArray  # by group: a proven lower limit on the optimum
    mapping: FloatArray  # (cells, outcomes)
    terms: Terms | None  # the closed form, where there is one
    unique: NDArray[np.bool_] | None  # by group: no other mapping reaches this confidence; None: not known


def solve_table(
    table: DecisionTable, bounds: Bounds, target: float = 0.0, *, compiled: bool | None = None
) -> TableSolution:
    """Solve every QID group of a table.

    A group's confidence is the larger of its optimum and the `target`: a target above the optimum leaves room to stay
    closer to the truth. Two outcomes and one sensitive attribute have a closed form; the rest is linear programming.
    `compiled` says whether to use the compiled solver; when left out, the size of the table decides. A part of a table
    is solved as the whole would be, so its groups get the same floats.
    """
    if has_closed_form(table):
        return _solve_closed_form(table, bounds, target, compiled)
    optimum, proven, mapping = _solve_by_programming(table, bounds.lower, bounds.upper, target)
    return TableSolution(optimum=optimum, proven=proven, mapping=mapping, terms=None, unique=None)


def _solve_by_programming(
    table: DecisionTable, lower: FloatArray, upper: FloatArray, target: float = 0.0
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Optimum, proven limit and mapping where there is no closed form."""
    from atreport.confidential.mechanism.lp import (
        solve_by_programming,
    )  # SciPy: a third of a second to import

    return solve_by_programming(table, lower, upper, target)


def optimum_of(table: DecisionTable, lower: FloatArray, upper: FloatArray) -> float:
    """β* of the whole table within bounds (cells, outcomes), without a mapping that attains it."""
    if not has_closed_form(table):
        return float(_solve_by_programming(table, lower, upper)[0].max())
    place = table.favourable_place
    value_p, _, lo, hi, groups = by_value(table, lower[:, place], upper[:, place])
    return float(optimal_terms(value_p, lo, hi, groups).optimum.max())


def is_compiled(table: DecisionTable) -> bool:
    """Whether this table is large enough for the compiled solver."""
    return len(table.cells.value_starts) >= LARGE


def has_closed_form(table: DecisionTable) -> bool:
    """Whether the four terms apply: two outcomes, one sensitive attribute."""
    return table.probability.shape[1] == 2 and len(table.cells.protected) == 1


def by_value(
    table: DecisionTable, lower: FloatArray, upper: FloatArray
) -> tuple[Any, Any, Any, Any, IntArray]:
    """Population, truth and bounds by sensitive value: cells that share a value count as one, for it is protected."""
    p = table.cells.population.astype(np.float64)
    starts = table.cells.value_starts
    value_p = np.add.reduceat(p, starts)
    d, lo, hi = (np.add.reduceat(p * a, starts) / value_p for a in (table.favourable, lower, upper))
    return value_p, d, lo, hi, run_starts(table.cells.group[starts])


def _solve_closed_form(
    table: DecisionTable, bounds: Bounds, target: float, compiled: bool | None
) -> TableSolution:
    place = table.favourable_place
    lower, upper = bounds.of(place)
    value_p, d, lo, hi, groups = by_value(table, lower, upper)
    terms = optimal_terms(value_p, lo, hi, groups)
    beta = np.maximum(terms.optimum, target)
    if target > 0:
        of_values = mapping_at(beta, value_p, d, lo, hi, groups)
    else:
        _, of_values = _optimal_mapping(value_p, d, lo, hi, groups, compiled)
    p, starts = table.cells.population.astype(np.float64), table.cells.value_starts
    q = _spread(p * table.favourable, p * lower, p * upper, value_p * of_values, starts)
    announced = np.clip(q / p, lower, upper)
    alone = np.diff(np.append(starts, len(p))) == 1  # values of a single cell
    return TableSolution(
        optimum=terms.optimum,
        proven=terms.optimum,
        mapping=np.column_stack([announced, 1 - announced] if place == 0 else [1 - announced, announced]),
        terms=terms,
        unique=_is_unique(beta, value_p, lo, hi, groups) & np.logical_and.reduceat(alone, groups),
    )


def optimal_terms(p: FloatArray, lo: FloatArray, hi: FloatArray, starts: IntArray) -> Terms:
    """The four terms of every group; groups are runs of records beginning at `starts`."""
    total = np.add.reduceat(p, starts)
    most_1, even_1 = _evened_out(p * lo, p * hi, starts)
    most_0, even_0 = _evened_out(p * (1 - hi), p * (1 - lo), starts)
    return Terms(
        favourable=_ratio(most_1, even_1),
        unfavourable=_ratio(most_0, even_0),
        both=_ratio(most_1 + most_0, total),
        prior=_ratio(np.maximum.reduceat(p, starts), total),
    )


def _evened_out(least: FloatArray, most: FloatArray, starts: IntArray) -> tuple[FloatArray, FloatArray]:
    """The largest q that some record must have, and the total when every record comes as near to it as it may."""
    largest = np.maximum.reduceat(least, starts)
    return largest, np.add.reduceat(np.minimum(most, _each(largest, starts, len(least))), starts)


def mapping_at(
    beta: FloatArray, p: FloatArray, d: FloatArray, lo: FloatArray, hi: FloatArray, starts: IntArray
) -> FloatArray:
    """A mapping with confidence at most `beta` (at least the optimum) in every group, as close to `d` as we can say.

    First the group's favourable total s is chosen as close as possible to the true one; then each q = p·x starts from
    the true p·d, is clipped to what β and s allow, and the rest is spread in proportion to the room left.
    """
    s_low, s_high = _totals_allowed(beta, p, lo, hi, starts)
    s = np.clip(np.add.reduceat(p * d, starts), s_low, s_high)
    least, most = _limits(s, beta, p, lo, hi, starts)
    q = _spread(p * d, least, most, s, starts)
    x = np.divide(q, p, out=d.copy(), where=p > 0)
    return np.clip(x, lo, hi)


def _totals_allowed(
    beta: FloatArray, p: FloatArray, lo: FloatArray, hi: FloatArray, starts: IntArray
) -> tuple[FloatArray, FloatArray]:
    """The least and greatest favourable total s of each group for which a mapping with confidence β exists."""
    total = np.add.reduceat(p, starts)
    safe = np.where(beta > 0, beta, 1.0)  # beta is 0 only where nobody is in the group
    least_1 = np.maximum.reduceat(p * lo, starts) / safe
    least_0 = np.maximum.reduceat(p * (1 - hi), starts) / safe
    s_low = np.maximum(least_1, total - _largest_total(p * (1 - lo), safe, starts))
    s_high = np.minimum(total - least_0, _largest_total(p * hi, safe, starts))
    return s_low, np.maximum(s_low, s_high)


def _limits(
    s: FloatArray, beta: FloatArray, p: FloatArray, lo: FloatArray, hi: FloatArray, starts: IntArray
) -> tuple[FloatArray, FloatArray]:
    """The least and greatest q = p·x of each record, once the group's favourable total is chosen."""
    total = np.add.reduceat(p, starts)
    each_s, each_beta, each_total = (_each(a, starts, len(p)) for a in (s, beta, total))
    most = np.minimum(p * hi, each_beta * each_s)
    return np.minimum(np.maximum(p * lo, p - each_beta * (each_total - each_s)), most), most


def _is_unique(
    beta: FloatArray, p: FloatArray, lo: FloatArray, hi: FloatArray, starts: IntArray
) -> NDArray[np.bool_]:
    """Whether one mapping only has confidence β.

    That is so where one total is possible and, at that total, every record is at its least, or every one at its most, or
    at most one record has room.
    """
    s_low, s_high = _totals_allowed(beta, p, lo, hi, starts)
    least, most = _limits(s_low, beta, p, lo, hi, starts)
    tolerance = 1e-9 * np.add.reduceat(p, starts)
    with_room = np.add.reduceat((most - least > _each(tolerance, starts, len(p))).astype(np.int64), starts)
    at_least = s_low - np.add.reduceat(least, starts) <= tolerance
    at_most = np.add.reduceat(most, starts) - s_low <= tolerance
    return np.asarray((s_high - s_low <= tolerance) & (at_least | at_most | (with_room <= 1)))


def _largest_total(most: FloatArray, beta: FloatArray, starts: IntArray) -> FloatArray:
    """The largest s with Σ min(most, β·s) = s, for every group: Newton's method from the right.

    The function Σ min(most, β·s) - s is concave and piecewise linear, and not positive at the start Σ most, so each
    step moves left to the root of the present piece, and there are no more steps than records in the largest group.
    A piece that is level (up to rounding of floats) lies at 0 and is all roots: its right end is the answer.
    """
    s = np.add.reduceat(most, starts)
    for _ in range(len(most) + 1):
        capped = most > _each(beta * s * (1 + _LEVEL), starts, len(most))
        slope = 1 - beta * np.add.reduceat(capped.astype(np.float64), starts)
        free = np.add.reduceat(np.where(capped, 0.0, most), starts)
        following = _ratio(free, slope)
        moved = (slope > _LEVEL) & (following < s * (1 - _LEVEL))
        if not moved.any():
            break
        s = np.where(moved, following, s)
    return s


def _spread(
    q: FloatArray, least: FloatArray, most: FloatArray, totals: FloatArray, starts: IntArray
) -> FloatArray:
    """Clip q to its bounds, then share what each run lacks (or has too much) in proportion to the room left."""
    q = np.clip(q, least, most)
    lacking = totals - np.add.reduceat(q, starts)
    up, down = most - q, q - least
    room = np.where(lacking > 0, np.add.reduceat(up, starts), np.add.reduceat(down, starts))
    part = np.clip(_ratio(np.abs(lacking), room), 0.0, 1.0)
    each_part, each_lacking = _each(part, starts, len(q)), _each(lacking, starts, len(q))
    return np.where(each_lacking > 0, q + each_part * up, q - each_part * down)


def _ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Their quotient, 0 where the denominator is 0."""
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)


def _each(per_group: FloatArray, starts: IntArray, length: int) -> FloatArray:
    """A number of each group, repeated for each of its records."""
    return np.repeat(per_group, np.diff(np.append(starts, length)))
