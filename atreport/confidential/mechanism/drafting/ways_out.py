"""What would keep a broken ceiling: another fidelity, or groups joined. Confidential: both depend on the true rule.

Guarantee: at the fidelity that is named the ceilings are kept as printed. Of joined groups it is said only if the two
together can keep them at the present fidelity, before rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.decision_table import DecisionTable
from atreport.confidential.mechanism.aims import Aims
from atreport.confidential.mechanism.fidelity import float_bounds
from atreport.confidential.mechanism.solver import can_keep, has_closed_form
from atreport.population.band import Closeness
from atreport.population.cells import Cells, arrange

MOST_GROUPS = 3
"""So many groups are named, and tried with their neighbours."""

MOST_CELLS = 20_000
MOST_CELLS_PROGRAMMED = 200
"""Larger tables get no advice: many are solved to find it."""

_STEP = Decimal("0.001")
_MOST_TRIES = 10
"""So many steps below the fidelity that would do without rounding, one is looked for that does with it."""

AimsOf = Callable[[Cells], Aims]
"""What is asked of a table with these cells: the ceilings and rates of the policy."""


def is_too_large(table: DecisionTable) -> bool:
    """Whether looking for a way out would take too long."""
    return len(table.cells) > (MOST_CELLS if has_closed_form(table) else MOST_CELLS_PROGRAMMED)


def keeps_at(table: DecisionTable, closeness: Closeness, aims_of: AimsOf) -> bool:
    """Whether the ceilings and rates can be kept at a fidelity, before rounding."""
    return can_keep(table, *float_bounds(table, closeness), aims_of(table.cells))


def fidelity_that_keeps(
    table: DecisionTable, present: Closeness, aims_of: AimsOf, is_kept: Callable[[Closeness], bool]
) -> Closeness | None:
    """The highest fidelity below the present one, in thousandths, at which the ceilings are kept as printed.

    `is_kept` makes the draft at a fidelity and says whether it keeps them. None where no fidelity does.
    """
    relative = present.alpha is not None
    number = present.alpha if relative else present.delta
    assert number is not None

    def at(steps: int) -> Closeness:
        return Closeness(alpha=steps * _STEP) if relative else Closeness(delta=steps * _STEP)

    best, above = (1 if relative else 0), int(number / _STEP) + 1
    if best >= above or not keeps_at(table, at(best), aims_of):
        return None
    while above - best > 1:
        middle = (best + above) // 2
        best, above = (middle, above) if keeps_at(table, at(middle), aims_of) else (best, middle)
    lowest = max(best - _MOST_TRIES, 1 if relative else 0)
    return next((at(steps) for steps in range(best, lowest - 1, -1) if is_kept(at(steps))), None)


def partner_that_keeps(
    table: DecisionTable, group: int, present: Closeness, aims_of: AimsOf
) -> tuple[int, str] | None:
    """A group that differs in one public attribute, and that attribute, with which this one could keep the ceilings.

    The smallest that will do: it changes least.
    """
    cells = table.cells
    public = [i for i, a in enumerate(cells.process.attributes) if a.role == "public"]
    codes = cells.codes[cells.group_starts][:, public]
    differs = codes != codes[group]
    people = np.add.reduceat(cells.population, cells.group_starts)
    near = np.flatnonzero(differs.sum(axis=1) == 1)
    for other in near[np.argsort(people[near], kind="stable")].tolist():
        both = joined_groups(table, group, other)
        if keeps_at(both, present, aims_of):
            return other, cells.process.attributes[public[int(np.flatnonzero(differs[other])[0])]].name
    return None


def joined_groups(table: DecisionTable, group: int, other: int) -> DecisionTable:
    """Two groups as one: cells that are alike but for public attributes are joined by their weighted average."""
    cells = table.cells
    inside: NDArray[np.bool_] = (cells.group == group) | (cells.group == other)
    public = [i for i, a in enumerate(cells.process.attributes) if a.role == "public"]
    codes = cells.codes[inside].copy()
    codes[:, public] = cells.codes[cells.group_starts[group]][public]
    distinct, index = np.unique(codes, axis=0, return_inverse=True)
    index = index.ravel()
    people = np.bincount(index, weights=cells.population[inside]).astype(np.int64)
    probability = np.column_stack(
        [
            np.bincount(index, weights=column * cells.population[inside]) / people
            for column in table.probability[inside].T
        ]
    )
    arranged, order = arrange(cells.process, distinct.astype(np.int32), people)
    return replace(
        table,
        cells=arranged,
        probability=np.clip(probability, 0, 1)[order],
        lower=None,
        upper=None,
        cases=None,
    )
