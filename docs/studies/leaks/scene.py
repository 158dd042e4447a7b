"""The scene of the three leaks: who applied, what was decided, and what a reader may believe beforehand.

Six cells: women, then men, by income below 100k, from 100k to 200k, above 200k. The numbers of applicants are public in
every release that is compared, since the reader of the paper knows them; the decisions are what a release tells of.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

GENDERS = ("F", "M")
INCOMES = ("<100k", "100k-200k", ">200k")
RULE = (0.0, 0.0, 1.0, 0.0, 0.5, 1.0)
"""The share of each cell that is approved."""


@dataclass(frozen=True)
class Scene:
    """Some applicants, of whom each cell's share was approved."""

    people: tuple[int, ...]
    levels: int = 21  # the reader takes each share for one of so many, evenly from 0 to 1, all equally likely

    @cached_property
    def sizes(self) -> FloatArray:
        """People in each cell."""
        return np.array(self.people, dtype=np.float64)

    @cached_property
    def approved(self) -> FloatArray:
        """Approved people in each cell: whole numbers."""
        counts = self.sizes * np.array(RULE)
        assert (counts == np.rint(counts)).all(), "half of a cell must be a whole number of people"
        return counts

    def times(self, factor: int) -> Scene:
        """The same with so many times as many people."""
        return Scene(tuple(factor * number for number in self.people), self.levels)

    @cached_property
    def possible(self) -> FloatArray:
        """The approved people that the reader thinks possible, by cell and level: the nearest whole number, halves up."""
        return np.floor(np.outer(self.sizes, np.linspace(0.0, 1.0, self.levels)) + 0.5)

    def rules_of(self, gender: int) -> FloatArray:
        """Every combination that the reader thinks possible for one gender: approved people, (levels³, 3)."""
        grids = np.meshgrid(*self.possible[3 * gender : 3 * gender + 3], indexing="ij")
        return np.stack([grid.ravel() for grid in grids], axis=1)

    def posterior(self, expected: FloatArray) -> FloatArray:
        """What Bayes' rule makes of the approved people that a reader expects: by gender, decision, income.

        The person is anyone of that gender with that decision (0: denied, 1: approved). The probability of an income is
        linear in the expected counts, so nothing else of the reader's belief matters.
        """
        by_decision = np.stack([self.sizes - expected, expected]).reshape(2, 2, 3).swapaxes(0, 1)
        total = by_decision.sum(axis=2, keepdims=True)
        prior = np.broadcast_to(self.sizes.reshape(2, 1, 3), by_decision.shape)
        prior = prior / prior.sum(axis=2, keepdims=True)
        return np.where(total > 0, by_decision / np.where(total > 0, total, 1.0), prior)


def high_income(posterior: FloatArray, gender: int = 0) -> float:
    """How sure the reader is that an approved woman (or man) earns more than 200k."""
    return float(posterior[gender, 1, 2])


@dataclass(frozen=True)
class Figures:
    """The fairness figures that a report prints; None where it cannot."""

    parity: float | None
    at_income: tuple[float | None, ...]
    ratio: float | None  # the smaller approval rate over the larger

    @property
    def all(self) -> tuple[float | None, ...]:
        """Parity, the three incomes, the ratio."""
        return (self.parity, *self.at_income, self.ratio)


def figures_of(approved: FloatArray, sizes: FloatArray) -> Figures:
    """The figures of some approved people in cells of some sizes; what is not between 0 and 1 is taken to the nearer end."""
    rates = [_share(approved[g].sum(), sizes[g].sum()) for g in (slice(0, 3), slice(3, 6))]
    cells = [_share(a, n) for a, n in zip(approved, sizes, strict=True)]
    return Figures(
        parity=_difference(*rates),
        at_income=tuple(_difference(cells[i], cells[3 + i]) for i in range(3)),
        ratio=_ratio(*rates),
    )


def _share(part: float, whole: float) -> float | None:
    return min(max(float(part / whole), 0.0), 1.0) if whole > 0 else None


def _difference(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else abs(one - other)


def _ratio(one: float | None, other: float | None) -> float | None:
    if one is None or other is None or max(one, other) == 0:
        return None
    return min(one, other) / max(one, other)


TABLE_1 = Scene((139, 9, 2, 117, 18, 5))
"""The paper's first scene: 290 applicants."""

NUMERICAL = Scene((24, 10, 6, 18, 14, 8))
"""The shares of the paper's numerical example; twice its 40 applicants, so that half of a cell is whole."""
