"""Round mappings to printed steps, and choose for every QID group the rounding that does best as printed.

Guarantee: whatever is chosen lies between the lowest and highest steps given, and the outcomes of each cell make one.
Nothing here depends on the order of input rows: cells are in canonical order, and ties are broken by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atreport.announcement.ceilings import Ceilings, Figures, above_ceilings
from atreport.announcement.rates import RatePromise
from atreport.inference import by_group, odds_factor, populations_of, value_confidence, value_lift
from atreport.population.cells import Cells, ExactArray, IntArray
from atreport.spec.models.policy import Aim

FloatArray = NDArray[np.float64]

_MOST_IN_TURN = 5000
"""Groups of more cells are not rounded cell by cell in turn: so many errors of half a step even out by themselves."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Choice:
    """By what a rounding is chosen: it keeps rates and ceilings if any does, and makes figures least in this order."""

    cells: Cells
    weights: tuple[IntArray, ...]
    decimals: int
    minimise: tuple[Aim, ...]
    ceilings: Ceilings
    rates: RatePromise | None

    def marks(self, steps: IntArray) -> list[ExactArray]:
        """What makes a rounding worse in each QID group, the most important first; all exact, as printed."""
        figures = self.figures(steps)
        broken = self.above(figures)
        marks: list[ExactArray] = [broken.astype(np.int64)]
        if self.rates is not None:
            kept = self.rates.broken(self.cells, steps, self.weights, self.decimals)
            marks.insert(0, kept.astype(np.int64))
        if (
            not self.minimise
        ):  # what keeps the ceilings is as good as another, and the first is nearest to the truth
            return [*marks, figures.beta * broken]
        return [*marks, *(getattr(figures, aim) for aim in self.minimise)]

    def above(self, figures: Figures) -> NDArray[np.bool_]:
        """The QID groups in which a ceiling is exceeded."""
        found = np.zeros(len(self.cells.group_starts), dtype=bool)
        for _, groups in above_ceilings(self.cells, figures, self.ceilings, self.decimals):
            found |= groups
        return found

    def figures(self, steps: IntArray) -> Figures:
        """The printed figures of a rounding, as far as they matter here."""
        cells, populations = self.cells, populations_of(self.cells, self.weights)
        groups = len(cells.group_starts)
        after = []
        for protected in cells.protected:
            each = [value_confidence(cells, protected, steps, p, self.decimals) for p in populations]
            after.append((protected, np.maximum.reduce(each)))
        lift: ExactArray = np.zeros(groups, dtype=np.int64)
        if "lift" in self.minimise or self.ceilings.lift is not None:
            for protected in cells.protected:
                for people in populations:
                    of_values = value_lift(cells, protected, steps, people, self.decimals)
                    lift = np.maximum(lift, by_group(protected, of_values))
        wanted = "odds" in self.minimise or self.ceilings.odds is not None
        return Figures(
            beta=np.maximum.reduce([by_group(protected, of) for protected, of in after]),
            lift=lift,
            odds=odds_factor(cells, steps, self.decimals) if wanted else np.zeros(groups, dtype=np.int64),
            after=tuple(after),
        )


def choose(choice: Choice, roundings: Iterable[IntArray]) -> IntArray:
    """For each group the first rounding with the least marks."""
    best: IntArray | None = None
    best_marks: list[ExactArray] = []
    for steps in roundings:
        marks = choice.marks(steps)
        if best is None:
            best, best_marks = steps, marks
            continue
        better = is_less(marks, best_marks)
        best = np.where(better[choice.cells.group][:, None], steps, best)
        best_marks = [np.where(better, new, old) for new, old in zip(marks, best_marks, strict=True)]
    assert best is not None, "certify needs at least one candidate mapping"
    return best


def is_less(marks: Sequence[ExactArray], others: Sequence[ExactArray]) -> NDArray[np.bool_]:
    """Where the first mark that differs is the smaller."""
    less = np.zeros(len(marks[0]), dtype=bool)
    alike = ~less
    for mark, other in zip(marks, others, strict=True):
        less |= alike & np.asarray(mark < other, dtype=bool)
        alike &= np.asarray(mark == other, dtype=bool)
    return less


def rounded_mappings(
    candidates: Iterable[FloatArray],
    lowest: IntArray,
    highest: IntArray,
    scale: int,
    favourable: int,
    in_turn: Cells | None = None,
) -> Iterator[IntArray]:
    """Each candidate with its favourable column rounded to the nearest step, down and up, and the rest to match.

    Given the cells, first of all rounded in turn.
    """
    for mapping in candidates:
        exactly = mapping * scale
        if (
            in_turn is not None
            and (steps := rounded_in_turn(mapping, in_turn, lowest, highest, scale)) is not None
        ):
            yield steps
        for rounding in (np.rint, np.floor, np.ceil):
            nearest = np.rint(exactly)
            nearest[:, favourable] = rounding(exactly[:, favourable])
            inside = np.clip(nearest.astype(np.int64), lowest, highest)
            yield _made_whole(inside, exactly, lowest, highest, scale, favourable)


def rounded_in_turn(
    mapping: FloatArray, cells: Cells, lowest: IntArray, highest: IntArray, scale: int
) -> IntArray | None:
    """Controlled rounding: each cell down or up, so that the error of its group's rates so far stays small.

    Cells in descending order of people, then of what is announced, then in canonical order; so the error left is that of
    a small cell. None where a group is so large that it is not needed.
    """
    sizes = np.diff(np.append(cells.group_starts, len(cells)))
    if sizes.max() > _MOST_IN_TURN:
        return None
    exactly = np.clip(mapping * scale, lowest, highest)
    keys = (np.arange(len(cells)), *(-exactly.T[::-1]), -cells.population, cells.group)
    order = np.lexsort(keys)
    down = np.clip(np.floor(exactly + 1e-9), lowest, highest).astype(np.int64)
    people = cells.in_lowest_terms.astype(np.float64)
    error = np.zeros((len(sizes), mapping.shape[1]))  # people × steps announced too many so far, by group
    steps = down.copy()
    for turn in range(int(sizes.max())):
        groups = np.flatnonzero(sizes > turn)
        rows = order[cells.group_starts[groups] + turn]
        owed = exactly[rows] - down[rows] - error[groups] / people[rows][:, None]
        room = highest[rows] - down[rows]
        missing = scale - down[rows].sum(axis=1)
        rank = np.argsort(np.argsort(-np.where(room > 0, owed, -np.inf), axis=1, kind="stable"), axis=1)
        up = ((rank < missing[:, None]) & (room > 0)).astype(np.int64)
        steps[rows] += up
        error[groups] += people[rows][:, None] * (steps[rows] - exactly[rows])
    return _made_whole_if_needed(steps, exactly, lowest, highest, scale)


def _made_whole_if_needed(
    steps: IntArray, exactly: FloatArray, lowest: IntArray, highest: IntArray, scale: int
) -> IntArray:
    """Rows that could not be completed by single steps up are completed as others are; there are next to none."""
    return (
        steps
        if (steps.sum(axis=1) == scale).all()
        else _made_whole(steps, exactly, lowest, highest, scale, -1)
    )


def _made_whole(
    steps: IntArray,
    exactly: FloatArray,
    lowest: IntArray,
    highest: IntArray,
    scale: int,
    favourable: int,
) -> IntArray:
    """Move single steps, where they cost least, until the outcomes of every cell make one within their bounds.

    The favourable outcome is moved last; of two outcomes the other just follows it.
    """
    if steps.shape[1] == 2:
        steps[:, 1 - favourable] = scale - steps[:, favourable]
        return steps
    reluctance = np.zeros(steps.shape[1])
    reluctance[favourable] = scale
    while len(rows := np.flatnonzero(steps.sum(axis=1) != scale)):
        now = steps[rows]
        sign = np.sign(scale - now.sum(axis=1))[:, None]
        free = np.where(sign > 0, now < highest[rows], now > lowest[rows])
        cost = np.where(free, (now - exactly[rows]) * sign + reluctance, np.inf)
        steps[rows, cost.argmin(axis=1)] += sign[:, 0]
    return steps
