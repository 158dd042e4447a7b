"""The stages of :mod:`atreport.private.solver.stages`, compiled: groups in parallel, each in the cache.

The same mathematics in the same order, written as loops, for tables so large that memory sets the pace. Numba compiles it
on first use and keeps the result on disk; small tables never come here, so a small report never waits for a compiler.
"""

import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from atreport.core.cells import IntArray

FloatArray = NDArray[np.float64]
_F = TypeVar("_F", bound=Callable[..., Any])

_LEVEL = 1e-13  # relative differences below this are rounding of floats
_NEVER = 1e-15  # an outcome with less than this share of a group never occurs there
_SAME = 1e-14  # probabilities that differ by less are one

BETA, LIFT = 0, 1
"""The stages."""

_P, _LEAST, _MOST, _TRUE, _CEILING = range(5)
"""What is written down of each record of the group at hand: p, p·lo, p·hi, p·d, and its ceiling."""

_PARTS = 64
"""So many runs of groups are solved one beside the other."""

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
    given: FloatArray,
    rate_move: float,
    odds_first: bool,
    stages: IntArray,
    steps: float,
    beta: FloatArray,
    lift: FloatArray,
    odds: FloatArray,
    announced: FloatArray,
) -> int:
    """Fill the last four; the number of groups whose figures make no sense (the caller says what is wrong).

    `given` may be empty (no ceilings), `rate_move` negative (rates are free). `stages` are BETA and LIFT in order, each but
    the last kept as printed in so many `steps` to one. What is not made least is that of the mapping.
    """
    groups = len(starts) - 1
    wrong = np.zeros(_PARTS, np.int64)
    for part in prange(_PARTS):
        first, last = groups * part // _PARTS, groups * (part + 1) // _PARTS
        size = 0
        for g in range(first, last):
            size = max(size, starts[g + 1] - starts[g])
        own = np.empty((5, size))
        for g in range(first, last):
            sense, beta[g], lift[g], odds[g] = _solve_group(
                p,
                d,
                lo,
                hi,
                given,
                starts[g],
                starts[g + 1],
                rate_move,
                odds_first,
                stages,
                steps,
                own,
                announced,
            )
            wrong[part] += not sense
    return int(wrong.sum())


@_compiled
def _solve_group(
    p: FloatArray,
    d: FloatArray,
    lo: FloatArray,
    hi: FloatArray,
    given: FloatArray,
    a: int,
    b: int,
    rate_move: float,
    odds_first: bool,
    stages: IntArray,
    steps: float,
    own: FloatArray,
    announced: FloatArray,
) -> tuple[bool, float, float, float]:
    """Announce one group: whether its figures make sense, its confidence, lift and odds factor."""
    floor, cap = _least_odds(p, d, lo, hi, a, b, rate_move) if odds_first else (0.0, 1.0)
    n, sense, total, true, highest_low, lowest_high = b - a, True, 0.0, 0.0, 0.0, 1.0
    for k in range(n):
        people, truth, low, high = p[a + k], d[a + k], lo[a + k], hi[a + k]
        # comparisons with NaN are false, so this refuses NaN too
        sense &= people >= 0.0 and people < np.inf and abs(truth) < np.inf and 0.0 <= low <= high <= 1.0
        low = max(low, floor)
        high = max(min(high, cap), low)
        if people > 0.0:
            highest_low, lowest_high = max(highest_low, low), min(lowest_high, high)
        total += people
        true += people * truth
        own[_P, k], own[_LEAST, k], own[_MOST, k], own[_TRUE, k] = (
            people,
            people * low,
            people * high,
            people * truth,
        )
        own[_CEILING, k] = given[a + k] if len(given) else 1.0
    if not sense or total <= 0.0:
        for k in range(a, b):
            announced[k] = min(max(d[k], lo[k]), hi[k])
        return sense, 0.0, 1.0, _figures(own, n, total, announced, a)[2]
    # the least total of each outcome, as ceilings and rates so far demand it
    ends = 0.0, 0.0
    if rate_move >= 0.0 or len(given):
        ends = _first_ends(own, n, total, true, rate_move)
    least_b = least_l = -1.0
    for place in range(len(stages)):
        plain = place == 0 and len(given) == 0 and rate_move < 0.0
        # what the family of ceilings demands of it at t = 1; at t it is this divided by t
        falling = total * highest_low, total * (1.0 - lowest_high)
        if stages[place] == BETA:
            falling = _largest(own, n)
        if plain and stages[place] == BETA:
            number = _four_terms(own, n, total, falling)
        else:
            number = _least(own, n, total, ends, falling, stages[place])
        kept = number if place == len(stages) - 1 else _printed(number, steps)
        ends = max(ends[0], falling[0] / kept), max(ends[1], falling[1] / kept)
        if stages[place] == BETA:
            least_b = number
            for k in range(n):
                own[_CEILING, k] = min(own[_CEILING, k], kept)
        else:
            least_l = number
            for k in range(n):
                own[_CEILING, k] = min(own[_CEILING, k], kept / total * own[_P, k])
    _announce(own, n, total, true, ends)
    for k in range(n):
        low, people, q = max(lo[a + k], floor), own[_P, k], own[_CEILING, k]  # where _announce has left q
        x = d[a + k] if people <= 0.0 or q == own[_TRUE, k] else q / people
        announced[a + k] = min(max(x, low), max(min(hi[a + k], cap), low))
    beta, lift, odds = _figures(own, n, total, announced, a)
    return True, least_b if least_b >= 0.0 else beta, least_l if least_l >= 0.0 else lift, odds


@_compiled
def _printed(number: float, steps: float) -> float:
    """A stage's number as it is printed, rounded up."""
    position = number * steps
    return max(math.ceil(position - 1e-9 - 1e-14 * position) / steps, number)


@_compiled
def _first_ends(own: FloatArray, n: int, total: float, true: float, rate_move: float) -> tuple[float, float]:
    """The least total of each outcome that the rate and the given ceilings allow."""
    least_1 = least_0 = 0.0
    if rate_move >= 0.0:
        lowest = highest = 0.0
        for k in range(n):
            lowest += own[_LEAST, k]
            highest += own[_MOST, k]
        least_1 = min(max(true - rate_move * total, lowest), highest)
        least_0 = total - min(max(true + rate_move * total, lowest), highest)
    for k in range(n):
        if own[_P, k] > 0.0:
            least_1 = max(least_1, own[_LEAST, k] / own[_CEILING, k])
            least_0 = max(least_0, (own[_P, k] - own[_MOST, k]) / own[_CEILING, k])
    return least_1, least_0


@_compiled
def _largest(own: FloatArray, n: int) -> tuple[float, float]:
    """The largest q that some record must have, for each outcome."""
    most_1 = most_0 = 0.0
    for k in range(n):
        most_1 = max(most_1, own[_LEAST, k])
        most_0 = max(most_0, own[_P, k] - own[_MOST, k])
    return most_1, most_0


@_compiled
def _four_terms(own: FloatArray, n: int, total: float, largest: tuple[float, float]) -> float:
    """The least confidence where nothing but bounds must be kept."""
    prior = even_1 = even_0 = 0.0
    for k in range(n):
        prior = max(prior, own[_P, k])
        even_1 += min(own[_MOST, k], largest[0])
        even_0 += min(own[_P, k] - own[_LEAST, k], largest[1])
    beta = max(prior, largest[0] + largest[1]) / total
    if even_1 * beta < largest[0]:
        beta = largest[0] / even_1
    if even_0 * beta < largest[1]:
        beta = largest[1] / even_0
    return beta


@_compiled
def _least(
    own: FloatArray, n: int, total: float, fixed: tuple[float, float], falling: tuple[float, float], aim: int
) -> float:
    """The least t of a family of ceilings under those so far: see families.py."""
    t = 1.0
    if aim == BETA:
        t = 0.0
        for k in range(n):
            t = max(t, own[_P, k] / total)
    t = max(t, (falling[0] + falling[1]) / total)
    if total > fixed[1]:
        t = max(t, falling[0] / (total - fixed[1]))
    if total > fixed[0]:
        t = max(t, falling[1] / (total - fixed[0]))
    before = 0.0
    while t > before:  # a condition that holds at t holds above it: first the one, then the other
        before, t = t, _step(own, n, total, aim, t, fixed[0], falling[0], False)
    before = 0.0
    while t > before:
        before, t = t, _step(own, n, total, aim, t, fixed[1], falling[1], True)
    return t


@_compiled
def _step(
    own: FloatArray, n: int, total: float, aim: int, t: float, fixed: float, falling: float, mirrored: bool
) -> float:
    """Newton's step of one outcome's condition; t itself where it holds."""
    falls = falling > fixed * t * (1.0 + _LEVEL)
    least = falling if falls else fixed
    if least <= 0.0:
        return t
    factor = t if falls else 1.0
    each = least if aim == BETA else least / total
    reached = slope = 0.0
    for k in range(n):
        most = own[_P, k] - own[_LEAST, k] if mirrored else own[_MOST, k]
        bounded, capped = most * factor, own[_CEILING, k] * least
        rise = each if aim == BETA else each * own[_P, k]
        growing = t * rise
        if growing < bounded and growing < capped:
            reached += growing
            slope += rise
        elif bounded < capped:
            reached += bounded
            slope += most if falls else 0.0
        else:
            reached += capped
    lacking = least - reached
    if lacking <= _LEVEL * least:
        return t
    following = t + lacking / slope if slope > 0.0 else np.inf
    if falls and fixed > 0.0:
        following = min(following, falling / fixed)
    return following if t * (1.0 + _LEVEL) < following < np.inf else t


@_compiled
def _announce(own: FloatArray, n: int, total: float, true: float, ends: tuple[float, float]) -> None:
    """The mapping that keeps the ceilings and is nearest to the truth: q, in place of the ceilings."""
    # Nearly always the total closest to the truth between these two will do; where Σ most < s or Σ least > s it will not,
    # and the nearest that does is the root of a piecewise linear function.
    s = min(max(true, ends[0]), max(total - ends[1], ends[0]))
    sum_q, sum_most, sum_least = _sums(s, own, n, total)
    if sum_most < s * (1.0 - _LEVEL):
        s = max(_largest_total(own, n, False), ends[0])
        sum_q, sum_most, sum_least = _sums(s, own, n, total)
    elif total - sum_least < (total - s) * (1.0 - _LEVEL):
        s = total - max(_largest_total(own, n, True), ends[1])
        sum_q, sum_most, sum_least = _sums(s, own, n, total)
    room = sum_most - sum_q if sum_q < s else sum_q - sum_least
    part = min(abs(s - sum_q) / room, 1.0) if room > 0.0 else 0.0
    for k in range(n):
        ceiling = own[_CEILING, k]
        most = min(own[_MOST, k], ceiling * s)
        least = min(max(own[_LEAST, k], own[_P, k] - ceiling * (total - s)), most)
        q = min(max(own[_TRUE, k], least), most)
        own[_CEILING, k] = q + (part * (most - q) if sum_q < s else part * (least - q))


@_compiled
def _sums(s: float, own: FloatArray, n: int, total: float) -> tuple[float, float, float]:
    """Totals of q = p·d clipped to what ceilings and s allow, and of the greatest and least q allowed."""
    sum_q = sum_most = sum_least = 0.0
    for k in range(n):
        ceiling = own[_CEILING, k]
        most = min(own[_MOST, k], ceiling * s)
        least = min(max(own[_LEAST, k], own[_P, k] - ceiling * (total - s)), most)
        sum_q += min(max(own[_TRUE, k], least), most)
        sum_most += most
        sum_least += least
    return sum_q, sum_most, sum_least


@_compiled
def _largest_total(own: FloatArray, n: int, mirrored: bool) -> float:
    """The largest s with Σ min(most, c·s) = s, where most is p·hi, or p·(1 - lo) in the mirror image: Newton's method."""
    s = 0.0
    for k in range(n):
        s += own[_P, k] - own[_LEAST, k] if mirrored else own[_MOST, k]
    while True:
        bar, free, slope, capped = s * (1.0 + _LEVEL), 0.0, 1.0, False
        for k in range(n):
            most = own[_P, k] - own[_LEAST, k] if mirrored else own[_MOST, k]
            if most > own[_CEILING, k] * bar:
                slope -= own[_CEILING, k]
                capped = True
            else:
                free += most
        if not capped or slope <= _LEVEL or free / slope >= s * (1.0 - _LEVEL):
            return s
        s = free / slope


@_compiled
def _figures(
    own: FloatArray, n: int, total: float, announced: FloatArray, a: int
) -> tuple[float, float, float]:
    """Confidence, lift and odds factor of what is announced."""
    favourable = largest_1 = largest_0 = 0.0
    least, most = 1.0, 0.0
    for k in range(n):
        people, x = own[_P, k], announced[a + k]
        favourable += people * x
        largest_1, largest_0 = max(largest_1, people * x), max(largest_0, people - people * x)
        least, most = min(least, x), max(most, x)
    beta, lift = 0.0, 1.0
    if favourable > _NEVER * total:
        beta, lift = largest_1 / favourable, most * total / favourable
    if total - favourable > _NEVER * total:
        beta = max(beta, largest_0 / (total - favourable))
        lift = max(lift, (1.0 - least) * total / (total - favourable))
    odds = 1.0
    if most > least + _SAME:
        odds = np.inf
        if least > 0.0 and most < 1.0:
            odds = max(most / least, (1.0 - least) / (1.0 - most))
    return beta, lift, odds


@_compiled
def _least_odds(
    p: FloatArray, d: FloatArray, lo: FloatArray, hi: FloatArray, a: int, b: int, rate_move: float
) -> tuple[float, float]:
    """A floor and a cap that leave only mappings of least odds factor; 0 and 1 where that is infinite."""
    total = true = 0.0
    for k in range(a, b):
        total += p[k]
        true += p[k] * d[k]
    if not total > 0.0:
        return 0.0, 1.0
    high, low = 1.0, 0.0
    for k in range(a, b):
        high, low = min(high, hi[k]), max(low, lo[k])
    if rate_move >= 0.0:
        lowest = highest = 0.0
        for k in range(a, b):
            lowest += p[k] * lo[k]
            highest += p[k] * hi[k]
        least = min(max(true - rate_move * total, lowest), highest)
        most = min(max(true + rate_move * total, lowest), highest)
        high = min(high, _level(p, lo, a, b, most, False))
        low = max(low, 1.0 - _level(p, hi, a, b, total - least, True))
    if low <= high:
        constant = min(max(true / total, low), high)
        return constant, constant
    return (high, low) if high > 0.0 and low < 1.0 else (0.0, 1.0)


@_compiled
def _level(p: FloatArray, bound: FloatArray, a: int, b: int, most: float, mirrored: bool) -> float:
    """The largest l with Σ p·max(lower, l) ≤ most, at most 1, where lower is lo, or 1 - hi in the mirror image."""
    level = 1.0
    while True:
        reached = slope = 0.0
        for k in range(a, b):
            lower = 1.0 - bound[k] if mirrored else bound[k]
            reached += p[k] * max(lower, level)
            slope += p[k] if lower < level else 0.0
        following = max(level - (reached - most) / slope, 0.0) if slope > 0.0 and reached > most else level
        if not following < level * (1.0 - 1e-15):  # so that NaN ends it too
            return level
        level = following
