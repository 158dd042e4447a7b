"""What a transparency scheme says: an influence with its certified interval, or a set of rules with its faithfulness.

Guarantee: the interval of an influence holds its value under the true rule, whatever that is, as long as it is within the
published fidelity of the announced one; ends are rounded outward. Faithfulness is about the announced rule and exact for
the rules as printed; errors are rounded up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.core.band import Range
from atreport.core.cells import Cells
from atreport.core.rule_table import RuleTable
from atreport.report.explanation import Kind, Scheme
from atreport.spec.transparency import Anchor, Quantity, Transparency

Condition = Mapping[str, Sequence[str]]
"""Attribute → the values it may take; all must hold. Empty: everybody."""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A figure from random orders instead of all: how many, and how far off it is at most, with which probability."""

    orders: int
    error: Fraction
    level: Decimal


@dataclass(frozen=True, kw_only=True)
class Influence:
    """One influence, or one point of a curve."""

    kind: Kind
    attributes: tuple[str, ...]  # of the base of local weights: none
    quantity: Quantity | None  # None: the announced probability itself
    at: Mapping[str, str] | None  # the value of the curve's point, or the record
    ranges: tuple[Range, ...]  # once for each population that must hold, the published one first
    bound: Fraction  # the most the true value is away from the announced one, known before any probability is
    reach: Fraction | None = None  # the share of draws that lead to a combination that occurs
    estimate: Estimate | None = None  # an estimate has no certain range


@dataclass(frozen=True, kw_only=True)
class Rule:
    """If the condition holds, the announced (or nearly announced) probability of the favourable outcome."""

    condition: Condition
    probability: Decimal
    share: Decimal | None  # the share of all people it is about; None where the population is withheld


@dataclass(frozen=True, kw_only=True)
class Region:
    """A part of the population in which one attribute decides."""

    condition: Condition
    attribute: (
        str | None
    )  # None: everybody in it has the same announced probability, or the average is as good
    rules: tuple[Rule, ...]
    share: Decimal | None


@dataclass(frozen=True, kw_only=True)
class Coefficient:
    """What one value adds in a linear or logistic model; the base has no attribute."""

    attribute: str | None
    value: str | None
    amount: Decimal


@dataclass(frozen=True, kw_only=True)
class Faithfulness:
    """How far a simpler rule is from the announced one."""

    average_error: Decimal  # over all people, rounded up
    worst_error: Decimal  # over all cells, rounded up
    worst: Mapping[str, str]  # the cell with that error


@dataclass(frozen=True, kw_only=True)
class RuleSet:
    """The announced rule in other words."""

    scheme: Scheme
    rules: tuple[Rule, ...] = ()
    regions: tuple[Region, ...] = ()
    coefficients: tuple[Coefficient, ...] = ()
    faithfulness: Faithfulness | None = None  # None: exact, or an anchor
    depth: int | None = None  # of the tree
    anchor: FoundAnchor | None = None


@dataclass(frozen=True, kw_only=True)
class FoundAnchor:
    """The smallest condition that leads to a record's announced outcome with the precision asked for."""

    record: Mapping[str, str]
    outcome: str
    wanted: Decimal
    condition: Condition | None  # None: not even the whole record does
    precision: tuple[Range, ...]  # of the condition, or of the whole record
    coverage: Decimal | None  # the share of all people for whom the condition holds


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
class Question:
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


def anchored_records(table: RuleTable, asked: Transparency) -> Iterator[Anchor | EmptyGroup]:
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


def groups_of(cells: Cells, quantity: Quantity) -> tuple[NDArray[np.bool_], NDArray[np.bool_] | None]:
    """The cells of the quantity's group, and of the group whose rate is subtracted."""
    group = members_of(cells, quantity.group or {})
    return group, None if quantity.minus is None else members_of(cells, quantity.minus)


def _has_people(cells: Cells, quantity: Quantity) -> bool:
    """Whether there is somebody in every group of the quantity."""
    return all(group is None or bool(group.any()) for group in groups_of(cells, quantity))


def _named(record: Mapping[str, str]) -> str:
    return " · ".join(record.values())
