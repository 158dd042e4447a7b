"""One QID group as the linear programs see it, and what a mapping of it gives away.

Names follow the mathematics: p people (scaled so that the group makes one), x a mapping (cells, outcomes), and for a
sensitive value v and an outcome a the joint share N = Σ p·x over the cells of v, and D = Σ p·x over the group. The
confidence in v after a is N / D, its lift that over the share of v.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from atreport.core.cells import IntArray
from atreport.private.data.decision_table import DecisionTable, FloatArray
from atreport.private.solver.objective import Objective

NEVER = 1e-15
"""An outcome with a smaller share of a group does not occur."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Group:
    """One QID group: everything the linear programs need."""

    people: IntArray
    p: FloatArray  # people in each cell, scaled so that the group makes one
    truth: FloatArray  # (cells, outcomes)
    lower: FloatArray
    upper: FloatArray
    holds: NDArray[np.bool_]  # (values, cells): which cells have which sensitive value
    attribute: IntArray  # (values,): the sensitive attribute each belongs to; those of one stand together
    given: FloatArray  # (values,): ceilings on the confidence in each that the policy gives; inf: none
    rate_move: float | None  # the most that the rate of each outcome may move

    @property
    def share(self) -> FloatArray:
        """The share of each sensitive value in the group: the confidence in it before any report."""
        return np.asarray(self.holds @ self.p)

    @property
    def rates(self) -> FloatArray:
        """The true rate of each outcome."""
        return np.asarray(self.p @ self.truth)

    @property
    def attributes(self) -> int:
        """How many sensitive attributes there are."""
        return int(self.attribute[-1]) + 1

    def of_some(self, attributes: set[int]) -> NDArray[np.bool_]:
        """Which values belong to one of some attributes."""
        return np.array([j in attributes for j in range(self.attributes)])[self.attribute]

    def largest(self, of_values: FloatArray) -> FloatArray:
        """For each sensitive attribute the largest of its values'."""
        starts = np.flatnonzero(np.diff(self.attribute, prepend=-1))
        return np.asarray(np.maximum.reduceat(of_values, starts))


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupLimits:
    """What a mapping has to keep beside its bounds and rates; inf where nothing is asked."""

    ceilings: FloatArray  # on the confidence in each sensitive value
    odds: float = np.inf


def confidences(group: Group, mapping: FloatArray) -> FloatArray:
    """For each sensitive value the largest confidence in it, over all outcomes that occur."""
    joint = group.p[:, None] * mapping
    total = joint.sum(axis=0)
    occurs, held = total > NEVER, group.holds @ joint
    if occurs.all():
        return np.asarray((held / total).max(axis=1))
    return np.asarray((held[:, occurs] / total[occurs]).max(axis=1))


def odds_factor(mapping: FloatArray) -> float:
    """How many times as likely an outcome is in one cell as in another, at most; inf where only one of them has it."""
    most, least = mapping.max(axis=0), mapping.min(axis=0)
    occurs = most > NEVER
    if (least[occurs] <= 0).any():
        return float("inf")
    return float((most[occurs] / least[occurs]).max())


def groups_of(table: DecisionTable, lower: FloatArray, upper: FloatArray, aims: Objective) -> Iterator[Group]:
    """The QID groups of a table."""
    cells = table.cells
    for start, end in pairwise(np.append(cells.group_starts, len(cells))):
        here = slice(start, end)
        people = cells.in_lowest_terms[here]
        present = [np.unique(protected.index[here]) for protected in cells.protected]
        holds = np.vstack(
            [
                p.index[here] == value
                for p, values in zip(cells.protected, present, strict=True)
                for value in values
            ]
        )
        share = holds @ (people / people.sum())
        given = np.full(len(holds), np.inf)
        if aims.values is not None:
            given = np.concatenate([of[values] for of, values in zip(aims.values, present, strict=True)])
        yield Group(
            people=people,
            p=people / people.sum(),
            truth=table.probability[here],
            lower=lower[here],
            upper=upper[here],
            holds=holds,
            attribute=np.repeat(np.arange(len(present)), [len(values) for values in present]),
            given=np.minimum.reduce(
                [
                    given,
                    np.full(len(holds), np.inf if aims.beta is None else aims.beta),
                    share * (np.inf if aims.lift is None else aims.lift),
                ]
            ),
            rate_move=aims.rate_move,
        )


# What a linear program makes least: the largest confidence or lift of some sensitive attributes, or the odds
# factor.
#
# Confidence and lift are one thing with two gauges: the largest N / (g·D) over values and outcomes, where the
# gauge g of a value is 1 for the confidence in it and its share for its lift. Measured against ceilings, a
# largest ratio of at most 1 says that all of them are kept.

_FLOATS = 1e-12
"""More than what rounding of floats can do to a sum of shares."""


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupQuantity:
    """Something that a mapping of a group has, the less of it the better."""

    kind: Literal["beta", "lift", "odds", "ceilings"]
    gauge: FloatArray  # (values,); inf: the value is left out

    def of(self, group: Group, mapping: FloatArray) -> float:
        """How much of it a mapping has."""
        if self.kind == "odds":
            return odds_factor(mapping)
        return float((confidences(group, mapping) / self.gauge).max())


def beta_of(group: Group, attributes: set[int]) -> GroupQuantity:
    """The largest confidence in a value of some attributes."""
    return GroupQuantity(kind="beta", gauge=_only(group, np.ones(len(group.holds)), attributes))


def lift_of(group: Group, attributes: set[int]) -> GroupQuantity:
    """The largest lift of a value of some attributes."""
    return GroupQuantity(kind="lift", gauge=_only(group, group.share, attributes))


def odds_of(group: Group) -> GroupQuantity:
    """The odds factor; no value has a gauge."""
    return GroupQuantity(kind="odds", gauge=np.full(len(group.holds), np.inf))


def excess_over(ceilings: FloatArray) -> GroupQuantity:
    """The largest ratio of a confidence to its ceiling."""
    return GroupQuantity(kind="ceilings", gauge=ceilings)


def _only(group: Group, gauge: FloatArray, attributes: set[int]) -> FloatArray:
    return np.where(group.of_some(attributes), gauge, np.inf)


def floors(group: Group, gauge: FloatArray) -> FloatArray:
    """For each attribute a lower limit on its largest N / (g·D) in any mapping within the bounds; proven, in closed form.

    With A the least and U the greatest N of a value for an outcome, and B = max A / g over the attribute's values: since
    D ≥ B / t, and D = Σ N ≤ Σ min(U, t·g·D) holds for every smaller D too (the right side is concave),
    t ≥ B / Σ min(U, g·B); the D of all outcomes make 1, so t ≥ Σ B; confidences average to the share, so t ≥ share / g.
    """
    least, most = (group.holds @ (group.p[:, None] * bound) for bound in (group.lower, group.upper))
    found = np.zeros(group.attributes)
    for attribute in range(group.attributes):
        own = (group.attribute == attribute) & np.isfinite(gauge)
        if not own.any():
            continue
        g = gauge[own][:, None]
        needed = (least[own] / g).max(axis=0)
        if own.sum() == (group.attribute == attribute).sum():
            together = np.minimum(most[own], g * needed).sum(axis=0)
            ratio = np.divide(needed, together, out=np.zeros_like(needed), where=together > 0).max()
        else:
            ratio = 0.0  # some values have no ceiling: they can take any part of D
        found[attribute] = max(ratio, needed.sum(), (group.share[own] / gauge[own]).max())
    return found * (1 - _FLOATS)


def least_odds(lower: FloatArray, upper: FloatArray) -> float:
    """A lower limit on the odds factor of any mapping within the bounds."""
    most, least = lower.max(axis=0), upper.min(axis=0)
    if (most[least <= 0] > 0).any():
        return float("inf")
    ratio = np.divide(most, least, out=np.ones_like(most), where=least > 0) * (1 - _FLOATS)
    return float(ratio.max(initial=1.0))


# Turn the solver's answer into a mapping that lies exactly within its bounds and makes one in every cell.

_NOISE = 1e-9
"""HiGHS keeps its constraints to 1e-10; differences below this may mean nothing."""

_RARE = 1e-5
"""Outcomes with a smaller share of a group, which need not occur at all, may be the solver's noise."""

KEPT = 1 + 1e-8
"""Limits count as kept up to this factor, which is what the solver's tolerance can do to a ratio."""


def excess(group: Group, limits: GroupLimits, mapping: FloatArray) -> float:
    """The largest ratio of what a mapping gives away to the limit on it; 0 where there is none."""
    has, ceilings = confidences(group, mapping), limits.ceilings
    # anything is more than a ceiling of 0 allows, and nothing is not
    endless = np.where(has > 0, np.inf, 0.0)
    over = float(np.divide(has, ceilings, out=endless, where=ceilings > 0).max())
    return max(over, odds_factor(mapping) / limits.odds) if np.isfinite(limits.odds) else over


def reached(group: Group, limits: GroupLimits, mapping: FloatArray) -> GroupLimits:
    """The limits, widened by what a mapping that keeps them misses them by: the solver's tolerance at most.

    Otherwise the next program, which asks for a little more, might find no mapping at all.
    """
    over = max(1.0, excess(group, limits, mapping))
    return GroupLimits(ceilings=limits.ceilings * over, odds=limits.odds * over)


def best_reading(group: Group, answer: FloatArray, cost: Callable[[FloatArray], Any]) -> FloatArray:
    """The solver's answer brought exactly within the bounds, each cell's outcomes making one.

    Noise of the solver in an outcome that should hardly occur looks like a rare outcome that gives a value away, and a
    rare outcome that should occur looks like noise. So each reading is tried, and the one of least cost taken.
    """
    mapping = answer.reshape(group.truth.shape)
    every = np.full(group.truth.shape[1], True)
    near_lower = mapping - group.lower < _NOISE
    snapped = np.where(
        near_lower, group.lower, np.where(group.upper - mapping < _NOISE, group.upper, mapping)
    )
    readings = [_made_whole(group, mapping, every)]
    if not np.array_equal(snapped, mapping):
        readings.append(_made_whole(group, snapped, every))
    share = group.p @ readings[0]
    common = (share > _RARE) | (group.lower > 0).any(axis=0)
    if not common.all():
        readings.append(_made_whole(group, np.where(common[None, :], mapping, 0.0), common))
    whole = [x for x in readings if np.abs(x.sum(axis=1) - 1.0).max() < 1e-12] or readings[:1]
    return whole[0] if len(whole) == 1 else min(whole, key=cost)


def _made_whole(group: Group, mapping: FloatArray, outcomes: NDArray[np.bool_]) -> FloatArray:
    """Clip to the bounds; settle what is lacking by outcomes strictly inside theirs, then by any of those allowed."""
    x = np.clip(mapping, group.lower, group.upper)
    inside = (x > group.lower) & (x < group.upper)
    for movable in (inside & outcomes, np.broadcast_to(outcomes, x.shape)):
        lacking = 1.0 - x.sum(axis=1)
        if not lacking.any():
            break
        room = np.where(lacking[:, None] > 0, group.upper - x, x - group.lower) * movable
        total = room.sum(axis=1)
        part = np.divide(lacking, total, out=np.zeros_like(lacking), where=total > np.abs(lacking))
        x = np.clip(x + room * part[:, None], group.lower, group.upper)
    return np.asarray(x)
