"""Which counts not to publish, so that nobody can work out the small ones, not even by running this program.

What can be published of the population is the number of people in each cell, in some groups of cells (the categories of a
form), and of all people. Counts are hidden by blocks that are fixed before any count is seen (blocks.py).

Guarantee: every count below the threshold is hidden, and of every hidden count there are two tables of whole numbers, with
nobody's cell empty, in which it differs by at least the protection interval and for which this program publishes the very
same.

*Rule.* Hide every block that has a small count. As long as some hidden count has no two witnesses so far apart
(witnesses.py, which sees published figures only), hide a further block; which one, is free. If nothing helps, publish the
number of all people alone; if even that leaves too little open, refuse.

*Proof.* Let x be the table, H the blocks that were hidden at last, and y any table that is hidden alike: it agrees with what
is published, and every block of H has a small count in it. No other block has one, for its counts are published, are those
of x, and none is small. So the rule, run on y, hides exactly H at once; the test sees the same published figures and passes;
and y is published as x is. The test found two such tables that are far enough apart for every hidden count. How H came
about for x does not matter. If the number of all people, N, is published alone: let y be 1 in all n cells but one, which has
N - n + 1. In y every cell is hidden. Of each block of sums one does not count the exceptional cell, so that its sum, if
published, gives its cells away, and the test fails: y is published as N alone too. Choosing the exceptional cell moves every
count by N - n, which was required to be enough. ∎

Without sums there is nothing to search: with h hidden cells that have T people together, ones everywhere but in one cell are
hidden alike, for every block has two cells; so every hidden count reaches 1 and T - h + 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from atreport.population.blocks import Block, Layout, lay_out
from atreport.population.cells import IntArray
from atreport.population.small_cells import Mask, suppressed_range
from atreport.population.witnesses import Publication, unprotected

_SUM_IS_WORTH = 4
"""How many cells of its size are rather hidden than a sum over several cells."""


class CannotSuppress(Exception):
    """No choice of hidden counts protects the small ones."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Suppression:
    """What is published, and what follows from it."""

    hidden: Mask  # cells whose count is not published
    sums: tuple[Mask, ...]  # groups of several cells whose sum is published; the first is everybody
    fewest: IntArray  # what follows for each cell from what is published
    most: IntArray
    stand_in: IntArray  # a population that agrees with all of it and is a function of it alone


def suppress(people: IntArray, tables: Sequence[IntArray], under: int, protection: int) -> Suppression:
    """Choose what to hide. A table of a form is the category of every cell."""
    if int(people.sum()) < under:
        raise CannotSuppress
    layout = lay_out(len(people), tables)
    small = [block for block in layout.blocks if any(layout.number(people, c) < under for c in block)]
    if not small:
        hidden: list[Block] = []
    elif layout.sums:
        hidden = _hide_until_protected(layout, people, small, under, protection)
    else:
        hidden = _hide_enough(layout, people, small, protection)
    return _follow(_published(layout, people, hidden))


def _published(layout: Layout, people: IntArray, hidden: Sequence[Block]) -> Publication:
    """What is published where some blocks are hidden."""
    chosen = {*hidden}
    away = {count for block in hidden for count in block}
    shown = people.copy()
    shown[[count for count in away if count < layout.cells]] = 0
    return Publication(
        layout=layout,
        blocks=tuple(block for block in layout.blocks if block in chosen),
        shown=shown,
        total=int(people.sum()),
        sums=tuple(
            (group, int(people[group].sum()))
            for place, group in enumerate(layout.sums)
            if layout.cells + place not in away
        ),
    )


def _hide_enough(layout: Layout, people: IntArray, small: list[Block], protection: int) -> list[Block]:
    """Where nothing but cells and all people is published: hide until the hidden ones leave enough open."""

    def left_open(block: Block) -> int:
        return int(people[list(block)].sum()) - len(block)

    hidden = list(small)
    room = sum(map(left_open, hidden))
    if room < protection:
        for block in sorted({*layout.blocks} - {*small}, key=lambda block: (left_open(block), block)):
            hidden.append(block)
            room += left_open(block)
            if room >= protection:
                break
        else:
            raise CannotSuppress
    return hidden


def _hide_until_protected(
    layout: Layout, people: IntArray, small: list[Block], under: int, protection: int
) -> list[Block]:
    """Hide further blocks, one at a time, until the test passes; at last all, so that all people alone are published."""
    hidden = list(small)
    while (count := unprotected(_published(layout, people, hidden), under, protection)) is not None:
        rest = [block for block in layout.blocks if block not in hidden]
        if not rest:
            if int(people.sum()) - len(people) < protection:
                raise CannotSuppress
            break
        hidden.append(min(rest, key=lambda block: _price(layout, people, count, block)))
    return hidden


def _price(layout: Layout, people: IntArray, count: int, block: Block) -> tuple[bool, int, Block]:
    """What hiding a block costs readers; first come those that share a sum with the count to be protected."""
    about = layout.members(count)
    shares = any((group & about).any() and (group & _cells_of(layout, block)).any() for group in layout.sums)
    worth = sum(layout.number(people, each) * (1 if each < layout.cells else _SUM_IS_WORTH) for each in block)
    return not shares, worth, block


def _cells_of(layout: Layout, block: Block) -> Mask:
    cells: Mask = np.logical_or.reduce([layout.members(count) for count in block])
    return cells


def _follow(published: Publication) -> Suppression:
    """What follows from what is published."""
    hidden = published.hidden
    everybody = np.ones(len(hidden), dtype=bool)
    stand_in = _stand_in(published)
    sums = (everybody, *(group for group, _ in published.sums))
    fewest, most = suppressed_range(stand_in, hidden, sums)
    return Suppression(hidden=hidden, sums=sums, fewest=fewest, most=most, stand_in=stand_in)


def _stand_in(published: Publication) -> IntArray:
    """A population that agrees with everything published, as even as possible among hidden cells."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    places, known = np.flatnonzero(published.hidden), published.known
    stand_in = published.shown.copy()
    if not len(places):
        return stand_in
    if len(known) == 1:
        share, rest = divmod(known[0][1], len(places))
        stand_in[places] = share + (np.arange(len(places)) < rest)
        return stand_in
    rows = np.array([np.append(group[places], 0) for group, _ in known], dtype=np.float64)
    numbers = np.array([number for _, number in known], dtype=np.float64)
    below_largest = np.hstack([np.eye(len(places)), -np.ones((len(places), 1))])
    result: Any = milp(
        c=np.append(np.zeros(len(places)), 1.0),
        integrality=np.ones(len(places) + 1, dtype=np.int64),
        bounds=Bounds(np.ones(len(places) + 1), np.full(len(places) + 1, float(known[0][1]))),
        constraints=[
            LinearConstraint(rows, numbers, numbers),
            LinearConstraint(below_largest, -np.inf, 0.0),
        ],
    )
    if result.x is None:
        raise CannotSuppress
    stand_in[places] = np.rint(result.x[:-1]).astype(np.int64)
    if any(int(stand_in[group].sum()) != number for group, number in known) or (stand_in < 1).any():
        raise CannotSuppress
    return stand_in
