"""The solver of :mod:`atreport.confidential.mechanism.solver`, compiled: one fused pass over each group, groups in parallel.

The same mathematics in the same order, written as loops, for tables so large that memory sets the pace. Numba compiles it
on first use and keeps the result on disk; small tables never come here, so a small report never waits for a compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from atreport.population.cells import IntArray

FloatArray = NDArray[np.float64]
_F = TypeVar("_F", bound=Callable[..., Any])

_LEVEL = 1e-13  # relative differences below this are rounding of floats

# Numba's own types are loose; to a type checker these are the plain functions.
_njit: Any = njit
_compiled: Callable[[_F], _F] = _njit(cache=True, nogil=True, error_model="numpy")
_compiled_in_parallel: Callable[[_F], _F] = _njit(cache=True, nogil=True, error_model="numpy", parallel=True)


@_compiled
def ascending_starts(labels: IntArray) -> IntArray:
    """Where each run of equal labels begins, and the length; empty if the labels do not ascend."""
    runs = 1
    for k in range(1, len(labels)):
        if labels[k] < labels[k - 1]:
            return np.empty(0, np.int64)
        runs += labels[k] != labels[k - 1]
    starts = np.empty(runs + 1, np.int64)
    starts[0], run = 0, 1
    for k in range(1, len(labels)):
        if labels[k] != labels[k - 1]:
            starts[run] = k
            run += 1
    starts[runs] = len(labels)
    return starts


@_compiled
def counting_order(labels: IntArray, lowest: int, highest: int) -> IntArray:
    """A stable ascending order of labels that lie close together, in linear time."""
    place = np.zeros(highest - lowest + 2, np.int64)
    for label in labels:
        place[label - lowest + 1] += 1
    for k in range(1, len(place)):
        place[k] += place[k - 1]
    order = np.empty(len(labels), np.int64)
    for k in range(len(labels)):
        bucket = labels[k] - lowest
        order[place[bucket]] = k
        place[bucket] += 1
    return order


@_compiled_in_parallel
def solve_groups(
    p: FloatArray,
    d: FloatArray,
    lo: FloatArray,
    hi: FloatArray,
    starts: IntArray,
    beta: FloatArray,
    announced: FloatArray,
) -> int:
    """Fill `beta` and `announced`; the number of groups whose figures make no sense (the caller says what is wrong)."""
    wrong = 0
    for g in prange(len(starts) - 1):
        beta[g] = _solve_group(p, d, lo, hi, starts[g], starts[g + 1], announced)
        wrong += beta[g] < 0.0
    return wrong


@_compiled
def _solve_group(
    p: FloatArray, d: FloatArray, lo: FloatArray, hi: FloatArray, a: int, b: int, announced: FloatArray
) -> float:
    """Announce one group and return its β, or -1 where its figures make no sense."""
    total = true = largest = largest_1 = largest_0 = 0.0
    for k in range(a, b):
        # comparisons with NaN are false, so this refuses NaN too
        if not (p[k] >= 0.0 and p[k] < np.inf and abs(d[k]) < np.inf and 0.0 <= lo[k] <= hi[k] <= 1.0):
            return -1.0
        total += p[k]
        true += p[k] * d[k]
        largest = max(largest, p[k])
        largest_1 = max(largest_1, p[k] * lo[k])
        largest_0 = max(largest_0, p[k] * (1.0 - hi[k]))
    if total <= 0.0:
        for k in range(a, b):
            announced[k] = min(max(d[k], lo[k]), hi[k])
        return 0.0
    even_1 = even_0 = 0.0
    for k in range(a, b):
        even_1 += min(p[k] * hi[k], largest_1)
        even_0 += min(p[k] * (1.0 - lo[k]), largest_0)
    beta = max(largest, largest_1 + largest_0) / total
    if even_1 * beta < largest_1:
        beta = largest_1 / even_1
    if even_0 * beta < largest_0:
        beta = largest_0 / even_0

    # Nearly always the total closest to the truth that βp allows will do; where Σ most < s or Σ least > s it will not,
    # and the nearest that does is the root of a piecewise linear function.
    s = min(max(true, largest_1 / beta), max(total - largest_0 / beta, largest_1 / beta))
    sum_q, sum_most, sum_least = _sums(s, beta, total, p, d, lo, hi, a, b)
    if sum_most < s * (1.0 - _LEVEL):
        s = max(_largest_total(beta, p, hi, False, a, b), largest_1 / beta)
        sum_q, sum_most, sum_least = _sums(s, beta, total, p, d, lo, hi, a, b)
    elif total - sum_least < (total - s) * (1.0 - _LEVEL):
        s = total - max(_largest_total(beta, p, lo, True, a, b), largest_0 / beta)
        sum_q, sum_most, sum_least = _sums(s, beta, total, p, d, lo, hi, a, b)
    room = sum_most - sum_q if sum_q < s else sum_q - sum_least
    part = min(abs(s - sum_q) / room, 1.0) if room > 0.0 else 0.0
    cap_1, cap_0 = beta * s, beta * (total - s)
    for k in range(a, b):
        most = min(p[k] * hi[k], cap_1)
        least = min(max(p[k] * lo[k], p[k] - cap_0), most)
        q = min(max(p[k] * d[k], least), most)
        q += part * (most - q) if sum_q < s else part * (least - q)
        announced[k] = min(max(q / p[k] if p[k] > 0.0 else d[k], lo[k]), hi[k])
    return beta


@_compiled
def _sums(
    s: float,
    beta: float,
    total: float,
    p: FloatArray,
    d: FloatArray,
    lo: FloatArray,
    hi: FloatArray,
    a: int,
    b: int,
) -> tuple[float, float, float]:
    """Totals of q = p·d clipped to what β and s allow, and of the greatest and least q allowed."""
    cap_1, cap_0 = beta * s, beta * (total - s)
    sum_q = sum_most = sum_least = 0.0
    for k in range(a, b):
        most = min(p[k] * hi[k], cap_1)
        least = min(max(p[k] * lo[k], p[k] - cap_0), most)
        sum_q += min(max(p[k] * d[k], least), most)
        sum_most += most
        sum_least += least
    return sum_q, sum_most, sum_least


@_compiled
def _largest_total(beta: float, p: FloatArray, bound: FloatArray, mirrored: bool, a: int, b: int) -> float:
    """The largest s with Σ min(most, β·s) = s, where most is p·hi, or p·(1 - lo) in the mirror image: Newton's method."""
    s = 0.0
    for k in range(a, b):
        s += p[k] * (1.0 - bound[k]) if mirrored else p[k] * bound[k]
    while True:
        cap = beta * s * (1.0 + _LEVEL)
        capped, free = 0, 0.0
        for k in range(a, b):
            most = p[k] * (1.0 - bound[k]) if mirrored else p[k] * bound[k]
            if most > cap:
                capped += 1
            else:
                free += most
        slope = 1.0 - beta * capped
        if capped == 0 or slope <= _LEVEL or free / slope >= s * (1.0 - _LEVEL):
            return s
        s = free / slope
