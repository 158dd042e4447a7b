"""Which counts are published or hidden together: fixed by the form and the cells that occur, before any count is seen.

A reader who knows the program asks which tables would be hidden alike. If a count were hidden by itself, "this one is
hidden" would say "this one is small". So counts are hidden by blocks of at least two: "one of these is small" leaves
open which.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from atreport.population.cells import IntArray
from atreport.population.small_cells import Mask

MOST_CELLS_WITH_SUMS = 200
"""Of tables with more cells no sum is published but the number of all people: the search would be long."""

Block = tuple[int, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Layout:
    """The counts that can be published, and the blocks of them: cells by their place, sums numbered after the cells."""

    cells: int
    sums: tuple[Mask, ...]  # groups of several cells, not of all, whose number may be published
    blocks: tuple[
        Block, ...
    ]  # every count stands in one of them; each has at least two where there are two cells

    def number(self, people: IntArray, count: int) -> int:
        """How many people a cell or a sum counts."""
        return int(people[count]) if count < self.cells else int(people[self.sums[count - self.cells]].sum())

    def members(self, count: int) -> Mask:
        """The cells that a count counts."""
        if count >= self.cells:
            return self.sums[count - self.cells]
        return np.asarray(np.arange(self.cells) == count)


def lay_out(cells: int, tables: Sequence[IntArray]) -> Layout:
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
    return Layout(
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
