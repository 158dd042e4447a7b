"""What somebody who runs the program can work out of hidden counts, asked of published figures only.

A table is *hidden alike* if it agrees with everything published and has a small count in every hidden block. Whoever holds
such a table and runs :func:`~atreport.population.suppression.suppress` gets the very same publication. So two of them in
which a count differs by the protection interval are *witnesses*: nobody can know that count better than that.

They are found by integer programming (HiGHS), which is not trusted: each is checked in whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.population.blocks import Block, Layout
from atreport.population.cells import IntArray
from atreport.population.small_cells import Mask

_MOST_NODES = 2000
"""How long one search may be. A limit on time would make the answer depend on the machine."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Publication:
    """What is published of the counts of a layout, and nothing else."""

    layout: Layout
    blocks: tuple[Block, ...]  # the hidden ones
    shown: IntArray  # the people of each cell; 0 where it is hidden
    total: int
    sums: tuple[tuple[Mask, int], ...]  # the sums that are published, with their numbers

    @property
    def hidden(self) -> Mask:
        """The cells whose count is not published; a published one is never 0."""
        return np.asarray(self.shown == 0)

    @property
    def known(self) -> list[tuple[Mask, int]]:
        """For each group of hidden cells whose sum follows from what is published: the cells, the sum."""
        groups = [(np.ones(self.layout.cells, dtype=bool), self.total), *self.sums]
        return [
            (group & self.hidden, number - int(self.shown[group].sum()))
            for group, number in groups
            if (group & self.hidden).any()
        ]


def unprotected(published: Publication, under: int, protection: int) -> int | None:
    """The first hidden count of which no two witnesses are `protection` apart; None: all are protected."""
    counts = [count for block in published.blocks for count in block]
    low: dict[int, int] = {}
    high: dict[int, int] = {}
    for count in counts:
        for sign in (1, -1):
            if count in high and high[count] - low[count] >= protection:
                break
            table = _extreme(published, under, count, sign)
            if table is None:
                return count
            for each in counts:
                number = published.layout.number(table, each)
                low[each] = min(low.get(each, number), number)
                high[each] = max(high.get(each, number), number)
        if high[count] - low[count] < protection:
            return count
    return None


def _extreme(published: Publication, under: int, count: int, sign: int) -> IntArray | None:
    """A table that is hidden alike with as many (or, with sign -1, as few) people as possible in one count."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    layout = published.layout
    places = np.flatnonzero(published.hidden)
    choices = [(block, each) for block in published.blocks for each in block]  # one is small in each block
    n, k = len(places), len(choices)
    room = max(published.total, 1)
    rows: list[NDArray[np.float64]] = []
    least: list[float] = []
    most: list[float] = []

    def demand(people: Mask, chosen: dict[int, float], low: float, high: float) -> None:
        row = np.zeros(n + k)
        row[:n] = people[places]
        for place, factor in chosen.items():
            row[n + place] = factor
        rows.append(row)
        least.append(low)
        most.append(high)

    for group, number in published.known:
        demand(group, {}, number, number)
    for place, (_, each) in enumerate(choices):
        members = layout.members(each)
        elsewhere = int(published.shown[members].sum())
        demand(members, {place: float(room)}, -np.inf, under - 1 - elsewhere + room)
    nobody = np.zeros(layout.cells, dtype=bool)
    for block in published.blocks:
        demand(nobody, {i: 1.0 for i, (of, _) in enumerate(choices) if of is block}, 1, np.inf)
    cost = np.zeros(n + k)
    cost[:n] = -sign * layout.members(count)[places].astype(float)
    limits = LinearConstraint(np.array(rows), np.array(least), np.array(most))
    lower, upper = np.append(np.ones(n), np.zeros(k)), np.append(np.full(n, float(room)), np.ones(k))
    for _ in range(2):
        result: Any = milp(
            c=cost,
            integrality=np.ones(n + k, dtype=np.int64),
            bounds=Bounds(lower, upper),
            constraints=limits,
            options={"node_limit": _MOST_NODES},
        )
        if result.x is None:
            return None
        table = published.shown.copy()
        table[places] = np.rint(result.x[:n]).astype(np.int64)
        if is_hidden_alike(published, table, under):
            return table
        lower[n:] = np.rint(
            result.x[n:]
        )  # a large table can slip through a tolerance: settle which counts are small
        for place, (_, each) in enumerate(choices):
            if lower[n + place] and each < layout.cells:
                upper[int(np.searchsorted(places, each))] = under - 1
    return None


def is_hidden_alike(published: Publication, table: IntArray, under: int) -> bool:
    """Whether a table agrees with everything published and has a small count in every hidden block. Exact."""
    return (
        bool((table >= 1).all())
        and bool((table[~published.hidden] == published.shown[~published.hidden]).all())
        and all(int(table[group].sum()) == number for group, number in published.known)
        and all(
            any(published.layout.number(table, count) < under for count in block)
            for block in published.blocks
        )
    )
