"""What can be explained, as the spec asks for it: the rule as a whole, records, quantities, attributes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from atreport.analysis.explanations.explanation import cell_of, members
from atreport.analysis.explanations.question import Nobody
from atreport.population.cells import Cells
from atreport.rule_table import RuleTable
from atreport.spec.models.transparency import Anchor, Quantity, Transparency

MAX_VALUES = 60
"""The most values of an attribute along which there are curves, unless it is asked for by name."""


def the_rule(_table: RuleTable, _asked: Transparency) -> Sequence[None]:
    """The rule as a whole: one subject, which needs no name."""
    return (None,)


def anchored_records(table: RuleTable, asked: Transparency) -> Iterator[Anchor | Nobody]:
    """The records whose smallest sufficient condition is looked for."""
    for anchor in asked.rules.anchors:
        yield anchor if cell_of(table.cells, anchor.record) is not None else Nobody(_named(anchor.record))


def quantities(table: RuleTable, asked: Transparency) -> Iterator[Quantity | Nobody]:
    """The rates and gaps that something has an influence on."""
    for quantity in asked.influence.quantities:
        yield quantity if _has_people(table.cells, quantity) else Nobody(quantity.title)


def records(table: RuleTable, asked: Transparency) -> Iterator[Mapping[str, str] | Nobody]:
    """The records around which a model is fitted."""
    for record in asked.influence.local_weights:
        yield record if cell_of(table.cells, record) is not None else Nobody(_named(record))


def curved_attributes(table: RuleTable, asked: Transparency) -> Sequence[str]:
    """The attributes along whose values there are curves."""
    if asked.dependence is None:
        return ()
    few = tuple(a.name for a in table.cells.process.attributes if len(a.values) <= MAX_VALUES)
    return asked.dependence.attributes or few


def groups_of(cells: Cells, quantity: Quantity) -> tuple[NDArray[np.bool_], NDArray[np.bool_] | None]:
    """The cells of the quantity's group, and of the group whose rate is subtracted."""
    group = members(cells, quantity.group or {})
    return group, None if quantity.minus is None else members(cells, quantity.minus)


def _has_people(cells: Cells, quantity: Quantity) -> bool:
    """Whether there is somebody in every group of the quantity."""
    return all(group is None or bool(group.any()) for group in groups_of(cells, quantity))


def _named(record: Mapping[str, str]) -> str:
    return " · ".join(record.values())
