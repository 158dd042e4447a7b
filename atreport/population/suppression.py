"""Which counts not to publish, so that none of the small ones can be had by subtraction.

What is published of the population is the number of people in each cell, and in some groups of cells (all people, the
categories of a form). A suppressed count is protected if there is a *witness*: another table of whole numbers, nobody's cell
empty, that agrees with everything published and in which the count is larger by the protection interval. Then nobody can
tell the two apart, so the count is not known to better than that interval, whatever method is used.

Guarantee: every count below the threshold is suppressed and has such a witness. The witnesses are found by integer
programming (HiGHS), which is not trusted: each is checked in whole numbers. Suppressing more only adds freedom, so a
witness stays one. Which further counts are suppressed is chosen greedily, few and small ones first; it is not the least
possible choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from atreport.population.cells import IntArray
from atreport.population.small_cells import Mask, suppressed_range

MAX_SEARCH = 40_000
"""Cells times small counts up to which groups of cells are published; beyond, only the number of all people is."""


_SUM_IS_WORTH = 4
"""How many cells of its size are rather suppressed than a sum over several cells."""


class CannotSuppress(Exception):
    """No choice of suppressed counts protects the small ones."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Suppression:
    """What is published, and what follows from it."""

    hidden: Mask  # cells whose count is not published
    published: tuple[bool, ...]  # for each group of cells, whether its count is published
    fewest: IntArray  # what follows for each cell from what is published
    most: IntArray
    stand_in: IntArray  # a population that agrees with all of it and is a function of it alone


def suppress(people: IntArray, groups: list[Mask], under: int, protection: int) -> Suppression:
    """Choose what to suppress. The first group must be everybody; it is always published."""
    hidden = people < under
    totals = [int(people[group].sum()) for group in groups]
    published = [total >= under or total == 0 for total in totals]
    if not published[0]:
        raise CannotSuppress
    targets = [_only(len(people), cell) for cell in np.flatnonzero(hidden).tolist()]
    targets += [group for group, shown in zip(groups, published, strict=True) if not shown]
    if len(people) * len(targets) > MAX_SEARCH:
        published = [True, *(False for _ in groups[1:])]
    shown_groups = [group for group, shown in zip(groups, published, strict=True) if shown]
    if len(shown_groups) == 1 and len(targets) == int(hidden.sum()):
        hidden = _hide_until_protected(people, hidden, protection)
    else:
        for target in targets:
            move = _witness(people, groups, totals, published, hidden, target, protection)
            hidden = hidden | (move != 0)
            published = [
                shown and not int(move[group].sum()) for group, shown in zip(groups, published, strict=True)
            ]
    known = (group for group, shown in zip(groups, published, strict=True) if shown)
    fewest, most = suppressed_range(people, hidden, known)
    return Suppression(
        hidden=hidden,
        published=tuple(published),
        fewest=fewest,
        most=most,
        stand_in=_stand_in(people, groups, published, hidden, most),
    )


def _only(cells: int, cell: int) -> Mask:
    mask = np.zeros(cells, dtype=bool)
    mask[cell] = True
    return mask


def _hide_until_protected(people: IntArray, hidden: Mask, protection: int) -> Mask:
    """With nothing published but cells and their total, a witness moves people from other hidden cells.

    Each can give away all but one of its people, so the others must have at least `protection` to give.
    """
    if not hidden.any():
        return hidden
    hidden = hidden.copy()
    to_give = np.where(hidden, people - 1, 0)
    need = protection + int(to_give.max())  # whichever cell is looked at, the others suffice
    for cell in np.argsort(people, kind="stable"):
        if int(to_give.sum()) >= need:
            return hidden
        if not hidden[cell]:
            hidden[cell] = True
            to_give[cell] = people[cell] - 1
    if int(to_give.sum()) < need:
        raise CannotSuppress
    return hidden


def _witness(
    people: IntArray,
    groups: list[Mask],
    totals: list[int],
    published: list[bool],
    hidden: Mask,
    target: Mask,
    protection: int,
) -> IntArray:
    """How many people to move into (or out of) each cell so that the target has `protection` more.

    Touches what is hidden already rather than what is published, and small counts rather than large ones. Cells that it
    moves people into or out of, and groups whose sum it changes, must then not be published. All people stay all people.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    everybody, *others = groups
    soft = [
        (group, total) for group, total, shown in zip(others, totals[1:], published[1:], strict=True) if shown
    ]
    count, sums = len(people), len(soft)
    moves = np.array([everybody, target, *(group for group, _ in soft)], dtype=np.float64)
    changes = np.vstack([np.zeros((2, sums)), np.eye(sums)])
    wanted = np.array([0.0, float(protection), *(0.0 for _ in soft)])
    # a sum over several cells is worth more to readers than a cell as large
    worth = [total if group.sum() == 1 else _SUM_IS_WORTH * total for group, total in soft]
    cost = np.concatenate([np.where(hidden, 0.001, people), worth])
    far = np.full(sums, 4.0 * protection)
    result: Any = milp(
        c=np.concatenate([cost, cost]),
        integrality=np.ones(2 * (count + sums), dtype=np.int64),
        bounds=Bounds(
            np.zeros(2 * (count + sums)),
            np.concatenate([np.full(count, 4.0 * protection), far, people - 1.0, far]),
        ),
        constraints=LinearConstraint(np.hstack([moves, -changes, -moves, changes]), wanted, wanted),
    )
    if result.x is None:
        raise CannotSuppress
    added, removed = np.rint(result.x).astype(np.int64).reshape(2, count + sums)[:, :count]
    move: IntArray = added - removed
    if int(move.sum()) or int(move[target].sum()) < protection or (people + move < 1).any():
        raise CannotSuppress
    return move


def _stand_in(
    people: IntArray, groups: list[Mask], published: list[bool], hidden: Mask, most: IntArray
) -> IntArray:
    """A population that agrees with everything published, as even as possible among hidden cells.

    It is found from the published sums alone: of `people` only those and the cells that are not hidden are used.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    stand_in = people.copy()
    places = np.flatnonzero(hidden)
    if not len(places):
        return stand_in
    kept = [
        (group[places], int(people[group & hidden].sum()))
        for group, shown in zip(groups, published, strict=True)
        if shown and (group & hidden).any()
    ]
    if len(kept) == 1:
        share, rest = divmod(kept[0][1], len(places))
        stand_in[places] = share + (np.arange(len(places)) < rest)
        return stand_in
    rows = np.array([np.append(inside, 0) for inside, _ in kept], dtype=np.float64)
    sums = np.array([total for _, total in kept], dtype=np.float64)
    below_largest = np.hstack([np.eye(len(places)), -np.ones((len(places), 1))])
    result: Any = milp(
        c=np.append(np.zeros(len(places)), 1.0),
        integrality=np.ones(len(places) + 1, dtype=np.int64),
        bounds=Bounds(np.ones(len(places) + 1), np.append(most[places], most[places].max()).astype(float)),
        constraints=[
            LinearConstraint(rows, sums, sums),
            LinearConstraint(below_largest, -np.inf, 0.0),
        ],
    )
    if result.x is None:
        raise CannotSuppress
    stand_in[places] = np.rint(result.x[:-1]).astype(np.int64)
    if any(int(stand_in[places][inside].sum()) != total for inside, total in kept) or (stand_in < 1).any():
        raise CannotSuppress
    return stand_in
