"""One QID group as the linear programs see it, and what a mapping of it gives away.

Names follow the mathematics: p people (scaled so that the group makes one), x a mapping (cells, outcomes), and for a
sensitive value v and an outcome a the joint share N = Σ p·x over the cells of v, and D = Σ p·x over the group. The
confidence in v after a is N / D, its lift that over the share of v.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.decision_table import DecisionTable, FloatArray
from atreport.confidential.mechanism.aims import Aims
from atreport.population.cells import IntArray

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
class Limits:
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


def groups_of(table: DecisionTable, lower: FloatArray, upper: FloatArray, aims: Aims) -> Iterator[Group]:
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
