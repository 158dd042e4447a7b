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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from atreport.core.cells import Cells, IntArray
from atreport.core.exact import total
from atreport.forms import Form

# What was done with counts of few people: the public account of it.
#
# Where counts are rounded or suppressed, everything after the guard knows the population only as published:
# the solver, the announcement and every figure. So no public figure can give away more of the exact counts
# than the published ones do.

Mask = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class ExactSum:
    """A group of cells whose number of people is published exactly."""

    values: Mapping[str, str]  # attribute → value that its cells have; empty: everybody
    cells: Mask
    people: int


@dataclass(frozen=True, kw_only=True, eq=False)
class SmallCellAccount:
    """What the policy on small cells did."""

    policy: Literal["warn", "round", "suppress", "refuse"] = "warn"
    under: int = 10  # counts of fewer people are small
    protection: int = 10  # a suppressed count can have values at least so far apart
    small: int = 0  # how many cells are small
    suppressed: Mask | None = None  # which cells are not published, where some are not
    known: tuple[ExactSum, ...] = ()  # where cells are suppressed, the sums that are published exactly

    @property
    def is_exact(self) -> bool:
        """Whether the population is published as it is."""
        return self.policy in ("warn", "refuse")

    def is_suppressed(self, cell: int) -> bool:
        """Whether a cell's count is not published."""
        return self.suppressed is not None and bool(self.suppressed[cell])

    def people_between(self, cells: Cells, mask: Mask) -> tuple[int, int]:
        """The fewest and the most people that some cells can have together, given all that is published."""
        fewest, most = people_bounds(cells)
        low, high = total(fewest[mask]), total(most[mask])
        for known in self.known:
            more, less = mask & ~known.cells, known.cells & ~mask
            if not (more.any() and less.any()):  # a known sum inside, or around: what the rest of it leaves
                low = max(low, known.people + total(fewest[more]) - total(most[less]))
                high = min(high, known.people + total(most[more]) - total(fewest[less]))
        return low, high

    def on(self, index: IntArray, order: IntArray) -> SmallCellAccount:
        """The account of cells that were put together: `index` says which, and `order` how they then stand.

        A cell is suppressed if one of its parts is; a known sum is kept where whole cells make it.
        """
        count = len(order)

        def has(mask: Mask) -> tuple[Mask, bool]:
            inside = np.bincount(index, weights=mask, minlength=count)
            of = np.bincount(index, minlength=count)
            return (inside > 0)[order], bool(((inside == 0) | (inside == of)).all())

        return replace(
            self,
            suppressed=None if self.suppressed is None else has(self.suppressed)[0],
            known=tuple(
                replace(known, cells=has(known.cells)[0]) for known in self.known if has(known.cells)[1]
            ),
        )


NOTHING_SMALL = SmallCellAccount()
"""The account where the population is published as it is."""


def round_counts(people: IntArray, step: int) -> IntArray:
    """Counts to the nearest multiple of the step (halves up), never 0."""
    return np.maximum((2 * people + step) // (2 * step), 1) * step


def rounded_range(rounded: IntArray, step: int) -> tuple[IntArray, IntArray]:
    """The fewest and the most people that counts rounded to the nearest step (halves up, never 0) can stand for."""
    fewest = np.where(rounded == step, 1, rounded - step // 2)
    return fewest, -(-(2 * rounded + step) // 2) - 1


def suppressed_range(people: IntArray, suppressed: Mask, known: Iterable[Mask]) -> tuple[IntArray, IntArray]:
    """The fewest and the most people that each cell can have.

    Of a suppressed one at least one, and at most what a known sum leaves beside the others in it. Of suppressed counts
    nothing is used but their sums in the groups that are known.
    """
    fewest, most = np.where(suppressed, 1, people), people.copy()
    most[suppressed] = total(people)
    for group in known:
        inside = group & suppressed
        if inside.any():
            left = int(people[inside].sum()) - (int(inside.sum()) - 1)
            most[inside] = np.minimum(most[inside], left)
    return fewest.astype(np.int64), most


def people_bounds(cells: Cells) -> tuple[IntArray, IntArray]:
    """The fewest and the most people in each cell, as far as it is published."""
    return cells.between or (cells.population, cells.population)


# Which counts are published or hidden together: fixed by the form and the cells that occur, before any count
# is seen.
#
# A reader who knows the program asks which tables would be hidden alike. If a count were hidden by itself,
# "this one is hidden" would say "this one is small". So counts are hidden by blocks of at least two: "one of
# these is small" leaves open which.

MOST_CELLS_WITH_SUMS = 200
"""Of tables with more cells no sum is published but the number of all people: the search would be long."""

Block = tuple[int, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class PublishableCounts:
    """The counts that can be published, and the blocks of them: cells by their place, sums numbered after the cells."""

    cells: int
    sums: tuple[Mask, ...]  # groups of several cells, not of all, whose number may be published
    # every count stands in one of them; each has at least two where there are two cells
    blocks: tuple[Block, ...]

    def number(self, people: IntArray, count: int) -> int:
        """How many people a cell or a sum counts."""
        return int(people[count]) if count < self.cells else int(people[self.sums[count - self.cells]].sum())

    def members(self, count: int) -> Mask:
        """The cells that a count counts."""
        if count >= self.cells:
            return self.sums[count - self.cells]
        return np.asarray(np.arange(self.cells) == count)


def lay_out(cells: int, tables: Sequence[IntArray]) -> PublishableCounts:
    """The layout of some cells, each table of a form being the category of every cell.

    Neighbours make a pair, the last three a triple. Sums: neighbouring categories of one table that have several cells.
    Cells: those that all sums count alike, in pairs; where a cell is alone in that, rectangles over pairs of categories, in
    which people can change places without changing a sum.
    """
    if cells > MOST_CELLS_WITH_SUMS:
        tables = ()
    sums: list[Mask] = []
    blocks: list[Block] = []
    used: list[IntArray] = []
    for table in tables:
        several = [c for c in np.unique(table).tolist() if 1 < int((table == c).sum()) < cells]
        if len(several) < 2:  # one sum follows from the others and from all people
            continue
        blocks += _pairs([cells + len(sums) + i for i in range(len(several))])
        sums += [table == category for category in several]
        used.append(table)
    return PublishableCounts(
        cells=cells,
        sums=tuple(sums),
        blocks=(*_cell_blocks(cells, sums, _coarsest(used)), *blocks),
    )


def _pairs(counts: Sequence[int]) -> list[Block]:
    """Neighbours two by two; of an odd number, the last three together."""
    pairs = [tuple(counts[i : i + 2]) for i in range(0, len(counts), 2)]
    if len(pairs) > 1 and len(pairs[-1]) == 1:
        pairs[-2:] = [pairs[-2] + pairs[-1]]
    return pairs


def _cell_blocks(cells: int, sums: Sequence[Mask], tables: Sequence[IntArray]) -> list[Block]:
    if not sums:
        return _pairs(range(cells))
    alike = _runs(range(cells), [tuple(bool(mask[cell]) for mask in sums) for cell in range(cells)])
    blocks = [pair for run in alike if len(run) > 1 for pair in _pairs(run)]
    alone = [run[0] for run in alike if len(run) == 1]
    halved = [_halved(table) for table in tables]
    blocks += _runs(alone, [tuple(int(table[cell]) for table in halved) for cell in alone])
    return _joined(blocks)


def _halved(table: IntArray) -> IntArray:
    """The pair of neighbouring categories that each cell is in."""
    present, place = np.unique(table, return_inverse=True)
    return np.minimum(place // 2, max(len(present) // 2 - 1, 0)).astype(np.int64)


def _coarsest(tables: Sequence[IntArray]) -> list[IntArray]:
    """The tables of which no other is a coarser view."""

    def refines(fine: IntArray, coarse: IntArray) -> bool:
        pairs = np.unique(np.column_stack([fine, coarse]), axis=0)
        return len(pairs) == len(np.unique(fine)) > len(np.unique(coarse))

    return [table for table in tables if not any(refines(table, other) for other in tables)]


def _runs(counts: Iterable[int], keys: Sequence[tuple[int | bool, ...]]) -> list[Block]:
    """The counts of each key together."""
    found: dict[tuple[int | bool, ...], list[int]] = {}
    for count, key in zip(counts, keys, strict=True):
        found.setdefault(key, []).append(count)
    return [tuple(run) for run in found.values()]


def _joined(blocks: Sequence[Block]) -> list[Block]:
    """The same blocks, those of one cell joined with one before or after them."""
    joined: list[Block] = []
    for block in blocks:
        if joined and (len(block) == 1 or len(joined[-1]) == 1):
            joined[-1] = joined[-1] + block
        else:
            joined.append(block)
    return joined


# What somebody who runs the program can work out of hidden counts, asked of published figures only.
#
# A table is *hidden alike* if it agrees with everything published and has a small count in every hidden
# block. Whoever holds such a table and runs :func:`~atreport.core.suppression.suppress` gets the very
# same publication. So two of them in which a count differs by the protection interval are *witnesses*: nobody
# can know that count better than that.
#
# They are found by integer programming (HiGHS), which is not trusted: each is checked in whole numbers.

_MOST_NODES = 2000
"""How long one search may be. A limit on time would make the answer depend on the machine."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Publication:
    """What is published of the counts of a layout, and nothing else."""

    layout: PublishableCounts
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
        if is_reproducible(published, table, under):
            return table
        # a large table can slip through a tolerance: settle which counts are small
        lower[n:] = np.rint(result.x[n:])
        for place, (_, each) in enumerate(choices):
            if lower[n + place] and each < layout.cells:
                upper[int(np.searchsorted(places, each))] = under - 1
    return None


def is_reproducible(published: Publication, table: IntArray, under: int) -> bool:
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


def _published(layout: PublishableCounts, people: IntArray, hidden: Sequence[Block]) -> Publication:
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


def _hide_enough(
    layout: PublishableCounts, people: IntArray, small: list[Block], protection: int
) -> list[Block]:
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
    layout: PublishableCounts, people: IntArray, small: list[Block], under: int, protection: int
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


def _price(layout: PublishableCounts, people: IntArray, count: int, block: Block) -> tuple[bool, int, Block]:
    """What hiding a block costs readers; first come those that share a sum with the count to be protected."""
    about = layout.members(count)
    shares = any((group & about).any() and (group & _cells_of(layout, block)).any() for group in layout.sums)
    worth = sum(layout.number(people, each) * (1 if each < layout.cells else _SUM_IS_WORTH) for each in block)
    return not shares, worth, block


def _cells_of(layout: PublishableCounts, block: Block) -> Mask:
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


# The groups of people whose numbers a form prints: known before any figure, so that small ones can be
# guarded.


@dataclass(frozen=True, kw_only=True, eq=False)
class FormGroup:
    """One category of a form's table: the values that make it, and its cells."""

    values: dict[str, str]  # attribute → value; none of them the unknown one, or `unknown`
    cells: Mask
    unknown: bool  # whether a value of it is the one that means "unknown"

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attributes that make the category."""
        return tuple(self.values)

    @property
    def name(self) -> str:
        """As it is printed."""
        return " · ".join(self.values.values())


def form_groups(form: Form | None, cells: Cells) -> Iterator[FormGroup]:
    """Every category of a form's tables, those without people too; unknown ones last."""
    for attributes in form.tables_of_groups if form is not None else ():
        yield from sorted(_categories(cells, attributes), key=lambda group: group.unknown)


def _categories(cells: Cells, attributes: tuple[str, ...]) -> Iterator[FormGroup]:
    combinations: list[tuple[dict[str, str], Mask]] = [({}, np.ones(len(cells), dtype=bool))]
    for name in attributes:
        column = cells.column(name)
        combinations = [
            ({**values, name: value}, mask & (column == code))
            for values, mask in combinations
            for code, value in enumerate(cells.process.attribute(name).values)
        ]
    for values, mask in combinations:
        unknown = any(cells.process.attribute(name).unknown == value for name, value in values.items())
        yield FormGroup(values=values, cells=mask, unknown=unknown)
