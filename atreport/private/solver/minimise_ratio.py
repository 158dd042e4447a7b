"""Make one quantity of one group least, by a few linear programs, each of which improves the mapping or proves a limit.

Dinkelbach's method (Newton's, for a ratio): ask how far below a mark the quantity can be pressed while everything else is
kept. The answer is a better mapping; its multipliers prove a lower limit (:mod:`.proof`). The limit is often the optimum
long before the mappings get there, so marks lie at the best mapping and just above the limit in turn.

Guarantee: the upper end is what a mapping at hand has. The lower end holds for every mapping that keeps the limits.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import highspy
import numpy as np
from numpy.typing import NDArray

from atreport.private.data.decision_table import FloatArray
from atreport.private.solver.group import KEPT, Group, GroupLimits, GroupQuantity, best_reading, excess

# Lower limits on a quantity that hold for every mapping: weak duality, checked in whole numbers.
#
# Weights on the constraints (HiGHS proposes them) turn them into one inequality, Σ c·x ≤ h, which every
# mapping keeps that keeps them all. Its left side separates by cell, and its least value within the bounds is
# found exactly: where that is above h, there is no such mapping. The weights need not be the best for that,
# so nothing rests on the solver's arithmetic.

_MARGIN = 1e-12
"""How far below its estimate in floats a limit is claimed, so that it can be proven."""

_ONE = 2**60
"""What stands for 1 in whole numbers. Whatever is rounded to them is rounded so that it allows more mappings."""

WholeNumbers = NDArray[np.object_]
"""Python integers, which do not overflow."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Weights:
    """Weights, not negative, on the constraints of a group; shares and rates are of a group scaled to one."""

    pressed: FloatArray  # (values, outcomes): on N ≤ t·g·D
    kept: FloatArray  # (values, outcomes): on N ≤ c·D
    above: FloatArray  # (outcomes,): on rate ≤ true rate + move
    below: FloatArray  # (outcomes,): on rate ≥ true rate - move
    most: FloatArray  # (cells, outcomes): a mean of x by these weights …
    # … is at most the odds factor times a mean by these; both have the same sum in an outcome
    least: FloatArray


def proven_limit(
    group: Group, limits: GroupLimits, quantity: GroupQuantity, weights: Weights, start: float
) -> float:
    """The largest t, up to rounding of floats, for which the weights show that no mapping has less; 0: they show nothing.

    An estimate: :func:`is_proven` decides.
    """
    gain, cost, constant = _inequality(group, limits, quantity, weights)
    if not cost.any():
        return 0.0
    t = start
    for _ in range(50):
        x = _cheapest(gain - t * cost, group.lower, group.upper, 1.0)
        rise = float((cost * x).sum())
        if rise <= 0:
            return 0.0
        # the least sum is concave in t: the first step may lead beyond its root, all others come back towards it
        following, before = float((gain * x).sum() + constant) / rise, t
        t = following
        if abs(following - before) <= 1e-14 * max(1.0, t):
            break
    return max(0.0, t - _MARGIN * max(1.0, t))


def _inequality(
    group: Group, limits: GroupLimits, quantity: GroupQuantity, weights: Weights
) -> tuple[FloatArray, FloatArray, float]:
    """The weighted sum of the constraints as (gain - t·cost)·x + constant ≤ 0, in floats."""
    gauge, ceilings = (np.where(np.isfinite(a), a, 0.0) for a in (quantity.gauge, limits.ceilings))
    of_cell = group.holds.T @ (weights.pressed + weights.kept)
    of_outcome = weights.above - weights.below - ceilings @ weights.kept
    gain = group.p[:, None] * (of_cell + of_outcome) + weights.most
    cost = group.p[:, None] * (gauge @ weights.pressed)[None, :]
    if quantity.kind == "odds":
        cost = cost + weights.least
    elif np.isfinite(limits.odds):
        gain = gain - limits.odds * weights.least
    constant = 0.0
    if group.rate_move is not None:
        constant = float(
            weights.below @ (group.rates - group.rate_move) - weights.above @ (group.rates + group.rate_move)
        )
    return gain, cost, constant


def _cheapest(coefficients: NDArray[Any], lower: NDArray[Any], upper: NDArray[Any], one: Any) -> NDArray[Any]:
    """For each cell the outcomes' probabilities with the least weighted sum: fill the cheapest outcomes first."""
    if coefficients.shape[1] == 2:
        return _cheapest_of_two(coefficients, lower, upper, one)
    order = np.argsort(coefficients, axis=1, kind="stable")
    room = np.take_along_axis(upper - lower, order, axis=1)
    before = np.cumsum(room, axis=1) - room
    fill = np.minimum(np.maximum((one - lower.sum(axis=1))[:, None] - before, 0 * one), room)
    x = lower.copy()
    np.put_along_axis(x, order, np.take_along_axis(lower, order, axis=1) + fill, axis=1)
    return x


def _cheapest_of_two(
    coefficients: NDArray[Any], lower: NDArray[Any], upper: NDArray[Any], one: Any
) -> NDArray[Any]:
    """The same of two outcomes, without sorting; every sum is made in the same order, so the result is the same."""
    room = upper - lower
    swapped = coefficients[:, 1] < coefficients[:, 0]
    first, second = np.where(swapped, room[:, 1], room[:, 0]), np.where(swapped, room[:, 0], room[:, 1])
    left = one - lower.sum(axis=1)
    to_first = np.minimum(np.maximum(left, 0 * one), first)
    to_second = np.minimum(np.maximum(left - (first + second - second), 0 * one), second)
    fill = np.column_stack([np.where(swapped, to_second, to_first), np.where(swapped, to_first, to_second)])
    return np.asarray(lower + fill)


def is_proven(group: Group, limits: GroupLimits, quantity: GroupQuantity, weights: Weights, t: float) -> bool:
    """Whether the weights show that no mapping that keeps the limits has less than t of the quantity; exact."""
    everybody = int(group.people.sum())
    largest = max(float(a.max()) for a in vars(weights).values())
    if not largest > 0:
        return False
    on = {name: _whole(a / largest, up=name == "least") for name, a in vars(weights).items()}
    # the weighted sum, times everybody² and 1 in whole numbers
    of_values = group.holds.T.astype(object) @ (on["pressed"] + on["kept"]) + on["above"] - on["below"]
    ceilings = _whole(np.where(np.isfinite(limits.ceilings), limits.ceilings, 0.0), up=True)
    of_outcomes = _marks(group, quantity, t) @ on["pressed"] + everybody * (ceilings @ on["kept"])
    coefficients = group.people.astype(object)[:, None] * (everybody * _ONE * of_values - of_outcomes)
    if weights.most.any():
        odds = math.ceil(Fraction(t if quantity.kind == "odds" else limits.odds) * _ONE)
        on["least"][0] += np.maximum(on["most"].sum(axis=0) - on["least"].sum(axis=0), 0)  # never less weight
        coefficients = coefficients + everybody**2 * (_ONE * on["most"] - odds * on["least"])
    lower, upper = _whole(group.lower, up=False), _whole(group.upper, up=True)
    x = _cheapest(coefficients, lower, upper, _ONE)
    # should bounds leave a sliver that nothing can fill, it is charged at the worst
    sliver = np.abs(_ONE - x.sum(axis=1)) * np.abs(coefficients).max(axis=1)
    total = (coefficients * x).sum() - sliver.sum() + everybody * _ONE * _of_rates(group, on)
    return bool(total >= 0)


def _whole(numbers: FloatArray, *, up: bool) -> WholeNumbers:
    """Numbers up to 1 (ceilings may be more) as whole numbers, rounded down or up; scaling by a power of two is exact."""
    scaled = (np.ceil if up else np.floor)(np.minimum(numbers, 4.0) * _ONE)
    return np.asarray(scaled.astype(np.int64).astype(object))


def _marks(group: Group, quantity: GroupQuantity, t: float) -> WholeNumbers:
    """What the share of each value may be of an outcome's, t·g, times everybody; rounded up; 0 where there is no gauge."""
    marked, everybody = np.isfinite(quantity.gauge), int(group.people.sum())
    if quantity.kind == "lift":
        of_gauge = [int(n) for n in group.holds @ group.people]
        mark = math.ceil(Fraction(t) * _ONE)
        return np.array([mark * n if m else 0 for m, n in zip(marked, of_gauge, strict=True)], dtype=object)
    return np.array(
        [
            everybody * math.ceil(Fraction(t) * Fraction(g) * _ONE) if m else 0
            for m, g in zip(marked, quantity.gauge.tolist(), strict=True)
        ],
        dtype=object,
    )


def _of_rates(group: Group, on: dict[str, WholeNumbers]) -> Any:
    """What the limits on rates add to the sum, times everybody and 1 in whole numbers; rounded down."""
    if group.rate_move is None:
        return 0
    move = math.ceil(Fraction(group.rate_move) * _ONE) * int(group.people.sum())
    people = group.people.astype(object)
    least, most = (people @ _whole(group.truth, up=up) for up in (False, True))
    return on["below"] @ (least - move) - on["above"] @ (most + move)


GAP = 1e-8
"""How far above the proven limit a mapping is looked for; brackets end up no wider than a few times this."""

UNBOUNDED = 1e6
"""Odds factors above this count as unbounded: an outcome one cell has and another hardly ever."""

_MOST_STEPS = 60

_MARGINS = (0.0, 1e-10, 1e-9, 1e-8)
"""How far below its estimate a limit is tried to be proven, relatively: large weights cost digits."""


@dataclass(frozen=True, kw_only=True, eq=False)
class OptimalityInterval:
    """The least of a quantity: a proven lower limit, a mapping that has the upper one, and what holds it up."""

    lower: float
    upper: float
    mapping: FloatArray
    weights: Weights | None = None  # those that prove the limit; None: it was known before

    def is_narrow(self) -> bool:
        """Whether looking further is not worth it."""
        return self.upper <= self.lower + 3 * GAP * max(1.0, self.lower)


def minimise_ratio(
    group: Group,
    limits: GroupLimits,
    quantity: GroupQuantity,
    mapping: FloatArray,
    floor: float,
    enough: float = -np.inf,
) -> OptimalityInterval:
    """The least of a quantity over all mappings that keep the limits, from one that does and a limit known before.

    Stops as soon as it is known whether it can be `enough` or less.
    """
    upper, lower, improved = quantity.of(group, mapping), floor, True
    near = mapping  # by whose outcomes rows are scaled
    offers: list[tuple[float, Weights]] = []
    for step in range(_MOST_STEPS):
        if upper <= lower + 3 * GAP * max(1.0, lower) or upper <= enough or lower > enough > 0:
            break
        mark = _mark(lower, min(upper, UNBOUNDED), step, improved)
        found = _pressed_below(group, limits, quantity, near, mark)
        if found is None:
            break
        better, offered = found
        width = upper - lower
        limit = min(proven_limit(group, limits, quantity, offered, mark), upper)
        if limit > lower:
            lower = limit
            offers.append((limit, offered))
        has = quantity.of(group, better)
        if has < upper:
            # if it misses a limit by the tolerance, an outcome has become rare: the next rows are scaled by it
            near = better
        if has < upper and excess(group, limits, better) <= KEPT:
            mapping, upper = better, has
        elif quantity.kind == "odds" and upper > UNBOUNDED and mark >= UNBOUNDED:
            break
        improved = upper - lower <= 0.9 * width
    while offers:
        limit, weights = offers.pop()
        for margin in _MARGINS:
            lower = min(limit, upper) * (1 - margin)
            if is_proven(group, limits, quantity, weights, lower):
                return OptimalityInterval(
                    lower=min(max(lower, floor), upper), upper=upper, mapping=mapping, weights=weights
                )
    return OptimalityInterval(lower=min(floor, upper), upper=upper, mapping=mapping)


def _mark(lower: float, upper: float, step: int, improved: bool) -> float:
    """Where to press next: just above the limit and at the mapping in turn; halving the bracket where that gets nowhere."""
    if not improved:
        return (upper + lower) / 2
    return upper if step % 2 else lower + GAP * max(1.0, lower)


def _pressed_below(
    group: Group, limits: GroupLimits, quantity: GroupQuantity, mapping: FloatArray, mark: float
) -> tuple[FloatArray, Weights] | None:
    """The mapping whose quantity is furthest below the mark (or least above), and the weights of its constraints."""
    cells, outcomes = group.truth.shape
    size, odds = cells * outcomes, quantity.kind == "odds" or np.isfinite(limits.odds)
    slack = size + outcomes * odds
    occurs = occurrence(group, mapping)
    blocks = rows_kept(group, limits, occurs)
    if quantity.kind == "odds":
        scale = np.maximum(mapping.min(axis=0), 1e-3)
        blocks |= rows_of_odds(group, mark, (slack, scale))
    else:
        blocks |= rows_pressed(group, quantity, mark, occurs, slack)
    more = outcomes * odds
    found = minimise(
        np.append(np.zeros(slack), 1.0),
        np.concatenate([group.lower.ravel(), np.zeros(more), [-np.inf]]),
        np.concatenate([group.upper.ravel(), np.ones(more), [np.inf]]),
        list(blocks.values()),
    )
    if found is None:
        return None
    multipliers = dict(zip(blocks, found.multipliers, strict=True))
    better = best_reading(
        group,
        found.variables[:size],
        lambda x: (max(KEPT, excess(group, limits, x)), quantity.of(group, x)),
    )
    return better, _weights(group, limits, quantity, multipliers, occurs)


def _weights(
    group: Group,
    limits: GroupLimits,
    quantity: GroupQuantity,
    multipliers: dict[str, FloatArray],
    occurs: FloatArray,
) -> Weights:
    """The solver's multipliers as weights on the constraints as they are, not as they were scaled."""
    cells, outcomes = group.truth.shape

    def on_ratios(name: str, gauge: FloatArray) -> FloatArray:
        weights = np.zeros((len(group.holds), outcomes))
        if name in multipliers:
            limited = np.isfinite(gauge)
            scaled = np.maximum(multipliers[name], 0.0).reshape(outcomes, -1).T
            weights[limited] = scaled / gauge[limited][:, None] / occurs
        return weights

    rates = multipliers.get("rates", np.zeros(outcomes))
    most, least = (
        np.maximum(multipliers.get(name, np.zeros(cells * outcomes)), 0.0).reshape(cells, outcomes)
        for name in ("most", "least")
    )
    least = np.where(least.sum(axis=0) > 0, least, 1.0)
    return Weights(
        pressed=on_ratios("pressed", quantity.gauge),
        kept=on_ratios("kept", limits.ceilings),
        above=np.maximum(rates, 0.0),
        below=np.maximum(-rates, 0.0),
        most=most,
        least=least * (most.sum(axis=0) / least.sum(axis=0)),
    )


# Call HiGHS, the solver of linear programs.
#
# Through highspy, not through SciPy, which has the same solver: its checks of a program take four times as
# long as solving one of ours. A program is solved from scratch each time, so that no answer depends on what
# was solved before it.

_TOLERANCE = 1e-10
"""The least that HiGHS offers: how far its answers may miss a constraint."""


_BY_ROWS, _LEAST = int(highspy.MatrixFormat.kRowwise), int(highspy.ObjSense.kMinimize)
"""How the matrix is given, and what is wanted of the cost, in the numbers of HiGHS."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Rows:
    """Constraints lower ≤ Σ values · variables ≤ upper, each with the same number of terms."""

    columns: NDArray[np.int64]  # (rows, terms): which variables
    values: FloatArray  # (rows, terms)
    lower: FloatArray
    upper: FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class LeastCost:
    """The least cost, where it is attained, and how much it would fall for a wider limit, by block of rows."""

    variables: FloatArray
    # positive: the upper limit holds the cost up; negative: the lower one
    multipliers: tuple[FloatArray, ...]


def minimise(
    cost: FloatArray, lower: FloatArray, upper: FloatArray, blocks: Sequence[Rows]
) -> LeastCost | None:
    """The least cost of variables within their bounds that keep all rows; None if HiGHS finds none."""
    sizes = [len(block.lower) for block in blocks]
    terms = np.concatenate(
        [np.full(size, block.columns.shape[1]) for size, block in zip(sizes, blocks, strict=True)]
    )
    columns = np.concatenate([block.columns.ravel() for block in blocks]).astype(np.int32)
    solver = _solver()
    solver.passModel(
        len(cost),
        len(terms),
        len(columns),
        _BY_ROWS,
        _LEAST,
        0.0,
        cost,
        lower,
        upper,
        np.concatenate([block.lower for block in blocks]),
        np.concatenate([block.upper for block in blocks]),
        np.append(0, np.cumsum(terms)).astype(np.int32),
        columns,
        np.concatenate([block.values.ravel() for block in blocks]),
        np.zeros(len(cost), dtype=np.int32),  # no variable has to be whole
    )
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    found = solver.getSolution()
    ends = np.cumsum(sizes)
    return LeastCost(
        variables=np.array(found.col_value),
        multipliers=tuple(np.split(-np.array(found.row_dual), ends[:-1])),
    )


@cache
def _solver() -> Any:
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]  # its stubs leave it out
    for option, value in (
        ("output_flag", False),
        ("parallel", "off"),
        ("presolve", "off"),  # programs of this size are solved before it has looked at them
        ("primal_feasibility_tolerance", _TOLERANCE),
        ("dual_feasibility_tolerance", _TOLERANCE),
    ):
        solver.setOptionValue(option, value)
    return solver


# What a mapping has to keep, as rows of a linear program.
#
# The variables are the mapping x, cell by cell; where the odds factor is limited, the least probability μ of
# each outcome; and, where a quantity is pressed, one for how far it misses a mark.

RARE_OUTCOME = 1e-7
"""Rows are scaled by the share of their outcome, so that rare ones are kept as precisely; but not beyond this."""

Blocks = dict[str, Rows]


def occurrence(group: Group, mapping: FloatArray) -> FloatArray:
    """The share of each outcome in a mapping, as far as rows are scaled by it."""
    return np.maximum(group.p @ mapping, RARE_OUTCOME)


def rows_kept(group: Group, limits: GroupLimits, occurs: FloatArray) -> Blocks:
    """The rows of what has to be kept: outcomes make one, rates, ceilings, odds."""
    cells, outcomes = group.truth.shape
    every = np.arange(cells * outcomes).reshape(cells, outcomes)
    ones = np.ones(cells)
    blocks = {"whole": Rows(columns=every, values=np.ones((cells, outcomes)), lower=ones, upper=ones)}
    if group.rate_move is not None:
        blocks["rates"] = Rows(
            columns=every.T,
            values=np.tile(group.p, (outcomes, 1)),
            lower=group.rates - group.rate_move,
            upper=group.rates + group.rate_move,
        )
    limited = np.isfinite(limits.ceilings)
    if limited.any():
        values = _ratios(group, limits.ceilings[limited], limited, 1.0, occurs)
        blocks["kept"] = _up_to_zero(_columns(group, int(limited.sum())), values)
    if np.isfinite(limits.odds):
        blocks |= rows_of_odds(group, limits.odds)
    return blocks


def rows_pressed(
    group: Group, quantity: GroupQuantity, mark: float, occurs: FloatArray, slack: int
) -> Blocks:
    """Rows that say: the quantity is at most the mark and what the slack adds (the variable of that number)."""
    limited = np.isfinite(quantity.gauge)
    values = _ratios(group, quantity.gauge[limited], limited, mark, occurs)
    columns = _columns(group, int(limited.sum()))
    return {
        "pressed": _up_to_zero(
            np.hstack([columns, np.full((len(columns), 1), slack)]),
            np.hstack([values, -np.ones((len(values), 1))]),
        )
    }


def rows_of_odds(group: Group, odds: float, slack: tuple[int, FloatArray] | None = None) -> Blocks:
    """Rows μ ≤ x ≤ odds · μ for every cell and outcome; the second may be missed by a slack times a number an outcome."""
    cells, outcomes = group.truth.shape
    x = np.arange(cells * outcomes)[:, None]
    least = cells * outcomes + np.tile(np.arange(outcomes), cells)[:, None]
    ones = np.ones((len(x), 1))
    columns, values = np.hstack([x, least]), np.hstack([ones, -odds * ones])
    if slack is not None:
        number, scale = slack
        columns = np.hstack([columns, np.full((len(x), 1), number)])
        values = np.hstack([values, -np.tile(scale, cells)[:, None]])
    return {
        "most": _up_to_zero(columns, values),
        "least": _up_to_zero(np.hstack([x, least]), np.hstack([-ones, ones])),
    }


def _ratios(
    group: Group, gauge: FloatArray, limited: NDArray[np.bool_], mark: float, occurs: FloatArray
) -> FloatArray:
    """Coefficients of N/g - mark · D, over the outcome's share, for each outcome and limited value."""
    one_outcome = group.p[None, :] * (group.holds[limited] / gauge[:, None] - mark)
    return np.vstack([one_outcome / share for share in occurs])


def _columns(group: Group, values: int) -> NDArray[np.int64]:
    """The variables of each of those rows: the cells' probabilities of one outcome."""
    cells, outcomes = group.truth.shape
    return np.vstack([np.tile(np.arange(cells) * outcomes + a, (values, 1)) for a in range(outcomes)])


def _up_to_zero(columns: NDArray[np.int64], values: FloatArray) -> Rows:
    return Rows(
        columns=columns, values=values, lower=np.full(len(values), -np.inf), upper=np.zeros(len(values))
    )
