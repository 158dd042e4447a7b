"""What methods are asked and what they find: influences with certified intervals, sets of rules with their faithfulness.

What is found is printed at once: it is the part of the report that says so.

Guarantee: the interval of an influence holds its value under the true rule, whatever that is, as long as it is within the
published fidelity of the announced one; ends are rounded outward. Faithfulness is about the announced rule and exact for
the rules as printed; errors are rounded up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.core.band import Range
from atreport.core.cells import Cells
from atreport.core.rule_table import RuleTable
from atreport.report.explanation import Estimate, Influence, Kind, PublishedQuantity, RuleSet
from atreport.report.figures import printed_interval, printed_value
from atreport.spec.transparency import AskedAnchor, Quantity, Transparency
from atreport.text.numbers import rounded_down, rounded_up

Condition = Mapping[str, Sequence[str]]
"""Attribute → the values it may take; all must hold. Empty: everybody."""


def print_influence(
    table: RuleTable,
    kind: Kind,
    attributes: Sequence[str],
    ranges: Sequence[Range],
    bound: Fraction,
    *,
    quantity: Quantity | None = None,
    at: Mapping[str, str] | None = None,
    reach: Fraction | None = None,
    estimate: Estimate | None = None,
) -> Influence:
    """An influence, or a point of a curve: its value to the nearest step, its interval and its bound outward.

    `ranges` has one for each population that must hold, the published one first; `bound` is the most the true value is
    away from the announced one, known before any probability is. `reach` tells of people, and is withheld as they are.
    """
    return Influence(
        kind=kind,
        attributes=tuple(attributes),
        quantity=None
        if quantity is None
        else PublishedQuantity(title=quantity.title, group=quantity.group or {}, minus=quantity.minus),
        at=None if at is None else dict(at),
        value=printed_value(ranges, table.decimals),
        interval=printed_interval(ranges, table.decimals) if estimate is None else None,
        a_priori=rounded_up(bound, table.decimals),
        reach=None
        if reach is None or table.population == "withheld"
        else rounded_down(reach, table.decimals),
        estimate=estimate,
    )


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """Everything the transparency schemes found, in the order of the spec."""

    rules: tuple[RuleSet, ...]
    influence: tuple[Influence, ...]
    nobody: tuple[str, ...] = ()  # what could not be explained, because nobody is there


def members_of(cells: Cells, condition: Condition) -> NDArray[np.bool_]:
    """The cells in which a condition holds; a value that no longer exists (its group was joined) holds nowhere."""
    mask = np.ones(len(cells), dtype=bool)
    for name, values in condition.items():
        known = cells.process.attribute(name).values
        mask &= np.isin(cells.column(name), [known.index(value) for value in values if value in known])
    return mask


def cell_of(cells: Cells, record: Mapping[str, str]) -> int | None:
    """The cell of a record, or None where nobody has this combination."""
    found = np.flatnonzero(members_of(cells, {name: (value,) for name, value in record.items()}))
    return int(found[0]) if len(found) else None


# What a method is asked: by whom, about what, on which rule.

Progress = Callable[[str], None]
"""Called with the name of the stage, and how much of it is done where it takes long."""


@dataclass(frozen=True, kw_only=True, eq=False)
class MethodQuestion:
    """One subject that a method is to explain on a rule table, as the spec asks for it."""

    table: RuleTable
    asked: Transparency
    subject: Any  # what the method's family of the registry is about: a record, a quantity, an attribute; or the rule
    progress: Progress


@dataclass(frozen=True)
class EmptyGroup:
    """A subject that cannot be explained, because nobody is there."""

    name: str


# What can be explained, as the spec asks for it: the rule as a whole, records, quantities, attributes.

MAX_VALUES = 60
"""The most values of an attribute along which there are curves, unless it is asked for by name."""


def the_rule(_table: RuleTable, _asked: Transparency) -> Sequence[None]:
    """The rule as a whole: one subject, which needs no name."""
    return (None,)


def anchored_records(table: RuleTable, asked: Transparency) -> Iterator[AskedAnchor | EmptyGroup]:
    """The records whose smallest sufficient condition is looked for."""
    for anchor in asked.rules.anchors:
        yield anchor if cell_of(table.cells, anchor.record) is not None else EmptyGroup(_named(anchor.record))


def quantities(table: RuleTable, asked: Transparency) -> Iterator[Quantity | EmptyGroup]:
    """The rates and gaps that something has an influence on."""
    for quantity in asked.influence.quantities:
        yield quantity if _has_people(table.cells, quantity) else EmptyGroup(quantity.title)


def records(table: RuleTable, asked: Transparency) -> Iterator[Mapping[str, str] | EmptyGroup]:
    """The records around which a model is fitted."""
    for record in asked.influence.local_weights:
        yield record if cell_of(table.cells, record) is not None else EmptyGroup(_named(record))


def curved_attributes(table: RuleTable, asked: Transparency) -> Sequence[str]:
    """The attributes along whose values there are curves."""
    if asked.dependence is None:
        return ()
    few = tuple(a.name for a in table.cells.process.attributes if len(a.values) <= MAX_VALUES)
    return asked.dependence.attributes or few


def groups_of(
    cells: Cells, quantity: Quantity | PublishedQuantity
) -> tuple[NDArray[np.bool_], NDArray[np.bool_] | None]:
    """The cells of the quantity's group, and of the group whose rate is subtracted."""
    group = members_of(cells, quantity.group or {})
    return group, None if quantity.minus is None else members_of(cells, quantity.minus)


def _has_people(cells: Cells, quantity: Quantity) -> bool:
    """Whether there is somebody in every group of the quantity."""
    return all(group is None or bool(group.any()) for group in groups_of(cells, quantity))


def _named(record: Mapping[str, str]) -> str:
    return " · ".join(record.values())
