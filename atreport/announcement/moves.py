"""Move single printed steps where that makes a rounded rule more private: from one outcome of a cell to another.

Floats look for moves, all groups at once, and exact figures decide afterwards whether the result is announced: so what is
found here can only help. Without it, rounding to two decimals can cost a hard rule with exact rates ten points of β.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from atreport.announcement.rates import RatePromise
from atreport.population.cells import Cells, IntArray, run_starts
from atreport.spec.models.policy import Aim

FloatArray = NDArray[np.float64]

_MOST_ROUNDS = 40
_MUCH_WORK = 4_000_000
"""Cells times pairs of outcomes that are looked at in all rounds together, at most."""

_LESS = 1e-12
"""A figure must fall by more than this, relatively, for a move to count."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Box:
    """What may be announced: steps between the two that keep the rates of every group."""

    lowest: IntArray
    highest: IntArray
    decimals: int
    rates: RatePromise | None


def moved(
    cells: Cells, steps: IntArray, box: Box, minimise: tuple[Aim, ...], ideal: dict[Aim, FloatArray]
) -> IntArray:
    """The steps after all moves that lower the figures, in the order of `minimise`, towards what is ideal by group.

    A later figure is lowered only where none before it rises above its printed value.
    """
    steps, limits = steps.copy(), dict[Aim, FloatArray]()
    pairs = list(permutations(range(steps.shape[1]), 2))
    left = _MUCH_WORK
    for aim in minimise:
        active = np.ones(len(cells.group_starts), dtype=bool)
        for _ in range(_MOST_ROUNDS):
            figure = Sums.of(cells, steps, box).figures((aim,))[aim]
            active &= _printed_up(figure, box.decimals) > _printed_up(ideal[aim], box.decimals)
            left -= int(active[cells.group].sum()) * len(pairs)
            if not active.any() or left < 0:
                break
            active &= _one_move_each(cells, steps, box, aim, limits, pairs, active)
        limits[aim] = _printed_up(Sums.of(cells, steps, box).figures((aim,))[aim], box.decimals)
    return steps


def _printed_up(figure: FloatArray, decimals: int) -> FloatArray:
    return np.asarray(np.ceil(figure * 10**decimals * (1 - 1e-13)) / 10**decimals)


def _one_move_each(
    cells: Cells,
    steps: IntArray,
    box: Box,
    aim: Aim,
    limits: dict[Aim, FloatArray],
    pairs: list[tuple[int, int]],
    active: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Make the best move in each active group, where one helps; which groups were helped."""
    sums = Sums.of(cells, steps, box)
    now = sums.figures((aim, *limits))
    inside = active[cells.group]
    best = np.full(len(cells), np.inf)
    best_pair = np.zeros(len(cells), dtype=np.int64)
    for number, (up, down) in enumerate(pairs):
        after = sums.after_move(up, down, (aim, *limits))
        possible = inside & (steps[:, up] < box.highest[:, up]) & (steps[:, down] > box.lowest[:, down])
        possible &= sums.rates_kept(up, down)
        for earlier, limit in limits.items():
            possible &= after[earlier] <= np.maximum(limit, now[earlier])[cells.group] * (1 + 1e-13)
        figure = np.where(possible, after[aim], np.inf)
        better = figure < best
        best, best_pair = np.where(better, figure, best), np.where(better, number, best_pair)
    least = np.minimum.reduceat(best, cells.group_starts)
    helped = active & (least < now[aim] * (1 - _LESS))
    # the first cell of each group that reaches the least
    places = np.flatnonzero((best == least[cells.group]) & helped[cells.group])
    rows = places[run_starts(cells.group[places])] if len(places) else places
    up_down = np.array(pairs)[best_pair[rows]]
    steps[rows, up_down[:, 0]] += 1
    steps[rows, up_down[:, 1]] -= 1
    return helped


@dataclass(frozen=True, kw_only=True, eq=False)
class Sums:
    """What the figures of a rule are made of, in floats, and what they become when one step moves in one cell."""

    cells: Cells
    steps: FloatArray  # (cells, outcomes)
    people: FloatArray
    totals: FloatArray  # (groups, outcomes): people × steps
    of_group: FloatArray  # people of each group
    own: tuple[FloatArray, ...]  # by attribute: (values, outcomes), people × steps of each (QID group, value)
    own_people: tuple[FloatArray, ...]
    change: (
        FloatArray | None
    )  # (groups, outcomes): people × steps announced more than true, where rates are kept
    allowed: FloatArray  # how much of it is allowed, by group

    @classmethod
    def of(cls, cells: Cells, steps: IntArray, box: Box) -> Sums:
        """The sums of a rule."""
        people, exactly = cells.in_lowest_terms.astype(np.float64), steps.astype(np.float64)
        joint, starts = people[:, None] * exactly, cells.group_starts
        of_group = np.add.reduceat(people, starts)
        change, allowed = None, np.full(len(starts), np.inf)
        if box.rates is not None:
            scale = 10**box.decimals
            change = np.add.reduceat(joint - people[:, None] * box.rates.truth * scale, starts, axis=0)
            allowed = (1 - float(box.rates.rates)) * scale * of_group * (1 + 1e-12)
        return cls(
            cells=cells,
            steps=exactly,
            people=people,
            totals=np.add.reduceat(joint, starts, axis=0),
            of_group=of_group,
            own=tuple(np.add.reduceat(joint[p.order], p.starts, axis=0) for p in cells.protected),
            own_people=tuple(p.sums(people) for p in cells.protected),
            change=change,
            allowed=allowed,
        )

    def figures(self, aims: tuple[Aim, ...]) -> dict[Aim, FloatArray]:
        """The figures of each group."""
        found: dict[Aim, FloatArray] = {}
        starts = self.cells.group_starts
        for aim in aims:
            if aim == "odds":
                high, low = (end.reduceat(self.steps, starts, axis=0) for end in (np.maximum, np.minimum))
                found[aim] = _quotient(high, low, np.inf).max(axis=1, initial=1.0)
                continue
            each = [
                np.maximum.reduceat(part, run_starts(p.group), axis=0)
                for p, part in zip(self.cells.protected, self._parts(aim), strict=True)
            ]
            found[aim] = (np.maximum.reduce(each) / np.maximum(self.totals, 1.0)).max(axis=1)  # whole numbers
            found[aim] *= self.of_group if aim == "lift" else 1.0
        return found

    def after_move(self, up: int, down: int, aims: tuple[Aim, ...]) -> dict[Aim, FloatArray]:
        """The figures of its group after one step is moved in each cell, from outcome `down` to outcome `up`."""
        now, found = self.totals, {aim: np.zeros(len(self.people)) for aim in aims}
        group = self.cells.group
        for outcome in range(self.steps.shape[1]):
            sign = float(outcome == up) - float(outcome == down)
            moved_people = sign * self.people
            total = now[:, outcome][group] + moved_people
            for aim in aims:
                if aim == "odds":
                    figure = self._odds_after(outcome, sign)
                else:
                    most = self._largest_after(aim, outcome, moved_people)
                    figure = _quotient(most, total, 0.0) * (self.of_group[group] if aim == "lift" else 1.0)
                found[aim] = np.maximum(found[aim], figure)
        return found

    def rates_kept(self, up: int, down: int) -> NDArray[np.bool_]:
        """Whether the rates are kept after one step is moved in each cell."""
        if self.change is None:
            return np.ones(len(self.people), dtype=bool)
        group = self.cells.group
        more = np.abs(self.change[:, up][group] + self.people) <= self.allowed[group]
        return np.asarray(more & (np.abs(self.change[:, down][group] - self.people) <= self.allowed[group]))

    def _parts(self, aim: Aim) -> list[FloatArray]:
        """What the largest share of a total is taken of: sums for β, means for lift."""
        if aim == "beta":
            return list(self.own)
        return [own / people[:, None] for own, people in zip(self.own, self.own_people, strict=True)]

    def _largest_after(self, aim: Aim, outcome: int, moved_people: FloatArray) -> FloatArray:
        largest = np.zeros(len(self.people))
        for protected, people, parts in zip(
            self.cells.protected, self.own_people, self._parts(aim), strict=True
        ):
            part = parts[:, outcome]
            first, other = _two_largest(part, run_starts(protected.group))
            of_value = first[protected.group]
            others = np.where(part == of_value, other[protected.group], of_value)[protected.index]
            by = 1.0 if aim == "beta" else people[protected.index]
            largest = np.maximum(largest, np.maximum(part[protected.index] + moved_people / by, others))
        return largest

    def _odds_after(self, outcome: int, sign: float) -> FloatArray:
        group, starts, steps = self.cells.group, self.cells.group_starts, self.steps[:, outcome]
        ends = []
        for turn in (1.0, -1.0):
            first, other = _two_largest(turn * steps, starts)
            others = np.where(turn * steps == first[group], other[group], first[group])
            ends.append(turn * np.maximum(turn * (steps + sign), others))
        return np.maximum(_quotient(ends[0], ends[1], np.inf), 1.0)


def _two_largest(values: FloatArray, starts: IntArray) -> tuple[FloatArray, FloatArray]:
    """The largest of each run, and the largest beside one that is largest."""
    largest = np.maximum.reduceat(values, starts)
    sizes = np.diff(np.append(starts, len(values)))
    runs = np.repeat(np.arange(len(starts)), sizes)
    places = np.flatnonzero(values == largest[runs])
    first = places[run_starts(runs[places])]
    rest = values.copy()
    rest[first] = -np.inf
    return largest, np.maximum.reduceat(rest, starts)


def _quotient(above: FloatArray, below: FloatArray, otherwise: float) -> FloatArray:
    """Their quotient; of nothing by nothing 0, and of something by nothing what is given."""
    found = np.where(above > 0, otherwise, 0.0)
    return np.divide(above, below, out=found, where=below > 0)
