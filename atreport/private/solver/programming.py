"""The solver where no closed form exists: more than two outcomes, or several sensitive attributes.

For each QID group a few linear programs (HiGHS) make one thing after another least: the confidence in the values of each
sensitive attribute, then their lift, or before them the odds factor. Every attribute gets the least that the worse ones
leave it (:mod:`.max_min`), and every figure comes with a proven lower limit (:mod:`.proof`).
"""

import math
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace

import numpy as np

from atreport.private.data.decision_table import DecisionTable, FloatArray
from atreport.private.solver.group import (
    KEPT,
    Group,
    GroupLimits,
    GroupQuantity,
    best_reading,
    beta_of,
    confidences,
    excess,
    excess_over,
    floors,
    groups_of,
    least_odds,
    lift_of,
    odds_factor,
    odds_of,
    reached,
)
from atreport.private.solver.minimise_ratio import (
    GAP,
    UNBOUNDED,
    OptimalityInterval,
    Rows,
    minimise,
    minimise_ratio,
    occurrence,
    rows_kept,
)
from atreport.private.solver.objective import Objective, TableSolution
from atreport.processes import in_subprocess, usable_cores

# Solve one QID group for what the policy aims at: ceilings kept, one thing after another made least, near to
# the truth.
#
# Each thing that is made least is then kept at its printed value, rounded up, and the last one as it is; so
# later ones never undo what a reader of the report is promised.

_REACHED = 1 + 5 * GAP
"""Ceilings that a mapping comes this close to are kept: a bracket is no narrower."""


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupSolution:
    """What one group can keep, by sensitive attribute, and the mapping to announce."""

    beta: FloatArray  # the least confidence; where it is not made least, that of the mapping
    beta_proven: FloatArray  # a proven lower limit on it, given the larger ones
    lift: FloatArray
    lift_proven: FloatArray
    odds: float  # of the mapping
    kept: bool  # whether the ceilings can be kept; where not, it was solved without them
    mapping: FloatArray


def solve_group(group: Group, aims: Objective) -> GroupSolution:
    """The solution of one group. Where the ceilings cannot be kept and nothing is made least, the confidence is."""
    limits = GroupLimits(ceilings=group.given, odds=np.inf if aims.odds is None else aims.odds)
    start = _keeping(group, limits)
    kept = start is not None
    if start is None:
        limits = GroupLimits(ceilings=np.full(len(group.given), np.inf))
        start = _inside(group)
        aims = replace(aims, minimise=aims.minimise or ("beta",))
    else:
        limits = reached(group, limits, start)
    return _solved(group, aims, limits, start, kept)


def _solved(
    group: Group, aims: Objective, limits: GroupLimits, mapping: FloatArray, kept: bool
) -> GroupSolution:
    """Make one thing after another least, from a mapping that keeps the limits."""
    proven = {"beta": floors(group, np.ones(len(group.holds))), "lift": np.ones(group.attributes)}
    found = {}
    for aim in aims.minimise:
        last = aim == aims.minimise[-1]
        if aim == "odds":
            group, limits, mapping = _least_odds(group, aims, limits, mapping, last)
            continue
        of = beta_of if aim == "beta" else lift_of
        gauge = of(group, set(range(group.attributes))).gauge
        least = least_of_each(group, limits, mapping, of)
        mapping, found[aim], proven[aim] = least.mapping, least.upper, least.lower
        figure = least.upper if last else _printed(least.upper, least.lower, aims.decimals)
        limits = replace(limits, ceilings=np.minimum(limits.ceilings, figure[group.attribute] * gauge))
        limits = reached(group, limits, mapping)
    mapping = nearest(group, limits, mapping)
    confidence = confidences(group, mapping)
    has = {"beta": group.largest(confidence), "lift": group.largest(confidence / group.share)}
    return GroupSolution(
        beta=found.get("beta", has["beta"]),
        beta_proven=np.minimum(proven["beta"], found.get("beta", has["beta"])),
        lift=found.get("lift", has["lift"]),
        lift_proven=np.minimum(proven["lift"], found.get("lift", has["lift"])),
        odds=odds_factor(mapping),
        kept=kept,
        mapping=mapping,
    )


def _printed(upper: FloatArray, lower: FloatArray, decimals: int) -> FloatArray:
    """Figures as they are printed, rounded up: that of the proven limit, but never less than what the mapping has."""
    scale = 10**decimals
    return np.asarray(np.maximum(upper, np.ceil(lower * scale - 1e-6) / scale))


def _inside(group: Group) -> FloatArray:
    """A mapping within the bounds that keeps the rates: the true one, or where bounds were drawn in the nearest to it."""
    inside = ((group.lower <= group.truth) & (group.truth <= group.upper)).all()
    if inside:
        return group.truth
    clipped = np.clip(group.truth, group.lower, group.upper)
    return nearest(group, GroupLimits(ceilings=np.full(len(group.given), np.inf)), clipped)


def _keeping(group: Group, limits: GroupLimits) -> FloatArray | None:
    """A mapping that keeps the limits, or None: it is proven, up to the width of a bracket, that there is none."""
    mapping, nothing = _inside(group), GroupLimits(ceilings=np.full(len(group.given), np.inf))
    if excess(group, limits, mapping) <= 1.0:
        return mapping
    if (limits.ceilings < group.share * (1 - GAP)).any():
        return None
    if np.isfinite(limits.odds):
        bracket = minimise_ratio(
            group, nothing, odds_of(group), mapping, least_odds(group.lower, group.upper), limits.odds
        )
        if bracket.upper > limits.odds * _REACHED:
            return None
        mapping, nothing = bracket.mapping, replace(nothing, odds=max(limits.odds, bracket.upper))
    if np.isfinite(limits.ceilings).any():
        floor = float(floors(group, limits.ceilings).max())
        bracket = minimise_ratio(group, nothing, excess_over(limits.ceilings), mapping, floor, 1.0)
        mapping = bracket.mapping
        if bracket.upper > _REACHED:
            return None
    return mapping


def _least_odds(
    group: Group, aims: Objective, limits: GroupLimits, mapping: FloatArray, last: bool
) -> tuple[Group, GroupLimits, FloatArray]:
    """The group, its limits and a mapping, once the odds factor is at its least."""
    if group.truth.shape[1] == 2:
        drawn_in, odds = narrowed(group)
        start = _keeping(drawn_in, limits) if np.isfinite(odds) else None
        if start is not None:
            return drawn_in, limits, start
    floor = least_odds(group.lower, group.upper)
    if not np.isfinite(floor):
        return group, limits, mapping
    bracket = minimise_ratio(group, limits, odds_of(group), mapping, floor)
    if bracket.upper > UNBOUNDED:
        return group, limits, mapping
    scale = 10**aims.decimals
    printed = bracket.upper if last else max(bracket.upper, math.ceil(bracket.lower * scale - 1e-6) / scale)
    return group, replace(limits, odds=printed), bracket.mapping


_MANY_GROUPS = 100
"""So many groups are worth the start of a further process."""


def solve_by_programming(
    table: DecisionTable, lower: FloatArray, upper: FloatArray, aims: Objective
) -> TableSolution:
    """Solve every QID group of a table, in as many processes as are worth their start. The result is the same.

    The figures of a group are those of its worst attribute.
    """
    groups = list(groups_of(table, lower, upper, aims))
    processes = max(1, min(usable_cores(), len(groups) // _MANY_GROUPS))
    parts = [groups[place::processes] for place in range(processes)]
    with ExitStack() as stack:
        beside = [stack.enter_context(in_subprocess(solve_part, (part, aims))) for part in parts[1:]]
        solved = [solve_part((parts[0], aims)), *(fetch() for fetch in beside)]
    found = [solved[place % processes][place // processes] for place in range(len(groups))]
    beta, lift = np.array([group.beta for group in found]), np.array([group.lift for group in found])
    return TableSolution(
        optimum=beta.max(axis=1),
        proven=np.array([group.beta_proven.max() for group in found]),
        lift=lift.max(axis=1),
        lift_proven=np.array([group.lift_proven.max() for group in found]),
        odds=np.array([group.odds for group in found]),
        kept=np.array([group.kept for group in found]),
        mapping=np.vstack([group.mapping for group in found]),
        terms=None,
        unique=None,
        attribute_beta=beta,
        attribute_lift=lift,
    )


def solve_part(given: tuple[list[Group], Objective]) -> list[GroupSolution]:
    """What a further process does: solve its part of the groups."""
    groups, aims = given
    return [solve_group(group, aims) for group in groups]


# Several sensitive attributes: make the largest figure least, then the next, and so on, one attribute after
# another.
#
# One maximum over all attributes would let an attribute that cannot be protected switch off the protection of
# the others. So whatever is made least (confidence, or lift) is a vector with a figure for each attribute,
# and of two vectors the one is better whose largest figure is less; if those are equal, whose second largest
# is less; and so on. A stage makes the largest figure of the attributes still open least, finds those that
# cannot have less, closes them at it, and goes on.

_SAME = 5e-7
"""An attribute whose figure can be lessened by no more than this, at the cost of no other, is at its least."""

_HOLDS = 0.1
"""An attribute with this part of the weights that prove a limit is held at it: its figure cannot be less."""

OfAttributes = Callable[[Group, set[int]], GroupQuantity]
"""The largest figure of some attributes: of their confidence, or of their lift."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Least:
    """The least figures, by attribute."""

    upper: FloatArray  # what the mapping has, up to the solver's tolerance
    lower: FloatArray  # proven, given the figures that were larger
    mapping: FloatArray


def least_of_each(group: Group, limits: GroupLimits, mapping: FloatArray, of: OfAttributes) -> Least:
    """The least figure of every attribute, from a mapping that keeps the limits."""
    open_ = set(range(group.attributes))
    gauge = of(group, open_).gauge
    known = floors(group, gauge)
    upper, lower = np.empty(group.attributes), np.empty(group.attributes)
    while open_:
        bracket = minimise_ratio(group, limits, of(group, open_), mapping, max(known[j] for j in open_))
        mapping = bracket.mapping
        closed = _closed(group, limits, bracket, open_, of, known)
        for j in closed:
            upper[j], lower[j] = bracket.upper, bracket.lower
        capped = np.where(group.of_some(closed), bracket.upper * gauge, np.inf)
        limits = replace(limits, ceilings=np.minimum(limits.ceilings, capped))
        limits = reached(group, limits, mapping)
        open_ -= closed
    return Least(upper=upper, lower=lower, mapping=mapping)


def _closed(
    group: Group,
    limits: GroupLimits,
    bracket: OptimalityInterval,
    open_: set[int],
    of: OfAttributes,
    known: FloatArray,
) -> set[int]:
    """The open attributes that cannot have less than what the bracket shows, while the others have no more than it.

    At least one: where none is held (an outcome may vanish, and then teaches nothing), the first in the spec's order.
    """
    if len(open_) == 1:
        return set(open_)
    same, gauge = _SAME * max(1.0, bracket.upper), of(group, open_).gauge
    has = group.largest(confidences(group, bracket.mapping) / gauge)
    at_it = [j for j in sorted(open_) if has[j] >= bracket.upper - same]
    held = {j for j in at_it if known[j] >= bracket.upper - 3 * GAP * max(1.0, bracket.upper)}
    held |= _held_by_weights(group, bracket, at_it, gauge)
    for j in at_it:
        if j in held:
            continue
        others = np.where(group.of_some(open_ - {j}), bracket.upper * gauge, np.inf)
        kept = replace(limits, ceilings=np.minimum(limits.ceilings, others))
        kept = reached(group, kept, bracket.mapping)
        alone = minimise_ratio(
            group, kept, of(group, {j}), bracket.mapping, known[j], enough=bracket.upper - same
        )
        if alone.upper > bracket.upper - same:
            held.add(j)
    return held or {at_it[0]}


def _held_by_weights(
    group: Group, bracket: OptimalityInterval, at_it: list[int], gauge: FloatArray
) -> set[int]:
    """Attributes without which the weights would prove nothing (complementary slackness)."""
    if bracket.weights is None or not bracket.is_narrow():
        return set()
    occurs = group.p @ bracket.mapping
    finite = np.where(np.isfinite(gauge), gauge, 0.0)
    of_values = finite * (bracket.weights.pressed @ occurs)
    of_attributes = np.bincount(group.attribute, of_values, minlength=group.attributes)
    return {j for j in at_it if of_attributes[j] >= _HOLDS * of_attributes.sum() > 0}


# Of all mappings of a group that keep its limits, one that changes people's probabilities the least in total.


def nearest(group: Group, limits: GroupLimits, mapping: FloatArray) -> FloatArray:
    """The mapping with the least Σ p·|x - truth| among those that keep the limits; `mapping` is one that does."""
    inside = ((group.lower <= group.truth) & (group.truth <= group.upper)).all()
    if inside and excess(group, limits, group.truth) <= 1.0:
        return group.truth
    size, outcomes = group.truth.size, group.truth.shape[1]
    start = np.clip(group.truth, group.lower, group.upper).ravel()
    blocks = rows_kept(group, limits, occurrence(group, mapping))
    more = outcomes if np.isfinite(limits.odds) else 0
    away = np.repeat(group.p, outcomes)
    found = minimise(
        np.concatenate([away, away, np.zeros(more)]),
        np.zeros(2 * size + more),
        np.concatenate([group.upper.ravel() - start, start - group.lower.ravel(), np.ones(more)]),
        [_of_changes(rows, start) for rows in blocks.values()],
    )
    if found is None:
        return mapping
    changed = start + found.variables[:size] - found.variables[size : 2 * size]
    near = best_reading(group, changed, lambda x: excess(group, limits, x))
    return near if excess(group, limits, near) <= max(KEPT, excess(group, limits, mapping)) else mapping


def _of_changes(rows: Rows, start: FloatArray) -> Rows:
    """The same rows, of how far each probability rises and falls from where it starts."""
    size = len(start)
    of_mapping = rows.columns[0] < size
    columns, values = rows.columns[:, of_mapping], rows.values[:, of_mapping]
    at_start = (values * start[columns]).sum(axis=1)
    return Rows(
        columns=np.hstack([columns, columns + size, rows.columns[:, ~of_mapping] + size]),
        values=np.hstack([values, -values, rows.values[:, ~of_mapping]]),
        lower=rows.lower - at_start,
        upper=rows.upper - at_start,
    )


# The least odds factor of a group: how many times as likely an outcome is in one cell as in another.
#
# It is taken over cells, not over values merged by the people in them: only then does it hold whatever a
# reader knew before. Two outcomes without ceilings have a closed form: every mapping has a cell with at least
# L = max lower and one with at most H = min upper, and the factor grows with the one and falls with the
# other. So the best mappings are those between H and L.


def narrowed(group: Group) -> tuple[Group, float]:
    """The group with the bounds that the least odds factor leaves, and that factor; two outcomes, no ceilings.

    Where some outcome must be certain in one cell and impossible in another, nothing is narrowed, and the factor is inf.
    """
    lower, upper = group.lower[:, 0], group.upper[:, 0]
    most, least = float(lower.max()), float(upper.min())
    if group.rate_move is not None:
        rate = group.rates[0]
        most = max(most, _evened_up(group.p, upper, rate - group.rate_move))
        least = min(least, 1.0 - _evened_up(group.p, 1.0 - lower, 1.0 - rate - group.rate_move))
    if most <= least:
        constant = float(np.clip(group.rates[0], most, least))
        return _between(group, constant, constant), 1.0
    if least <= 0 or most >= 1:
        return group, float("inf")
    return _between(group, least, most), max(most / least, (1 - least) / (1 - most))


def _evened_up(p: FloatArray, upper: FloatArray, rate: float) -> float:
    """The least u for which probabilities of at most u, within their bounds, can have the rate; 0 for one of 0 or less."""
    corners = np.unique(np.append(upper, [0.0, 1.0]))
    reached = np.minimum(upper[None, :], corners[:, None]) @ p
    rising = np.append(True, np.diff(reached) > 0)
    return float(np.interp(rate, reached[rising], corners[rising]))


def _between(group: Group, least: float, most: float) -> Group:
    """The group with its bounds on the first of two outcomes drawn in."""
    lower, upper = (np.clip(bound[:, 0], least, most) for bound in (group.lower, group.upper))
    return replace(
        group, lower=np.column_stack([lower, 1.0 - upper]), upper=np.column_stack([upper, 1.0 - lower])
    )
