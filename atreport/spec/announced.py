"""What a spec asks for, in the values that are announced: where groups were joined, a coarser value stands for finer ones.

A group of people that a measure names by finer values keeps exactly its people, or the report is refused: half of a joined
value cannot be told from the other half.
"""

from __future__ import annotations

from collections.abc import Mapping

from atreport.errors import Refused
from atreport.spec.models.measures import IndividualFairness, MatrixDistance, Measure, ScaleDistance
from atreport.spec.models.process import Attribute, Process
from atreport.spec.models.transparency import Quantity, Transparency

Named = Mapping[str, tuple[str, ...]]
"""Attribute → the values it may take."""


def announced_measure(measure: Measure, asked: Process, announced: Process) -> Measure:
    """A measure on a process whose values are those that are announced."""
    if isinstance(measure, IndividualFairness):
        for name, distance in measure.distance.items():
            merged = asked.attribute(name).values != announced.attribute(name).values
            if merged and isinstance(distance, ScaleDistance | MatrixDistance):
                raise _refused(
                    f"individual fairness measures distances between values of '{name}', and some had to be joined.\n"
                    f"  Give '{name}' one number as its distance"
                )
        return measure
    if not isinstance(measure.groups, dict):
        return measure
    groups = {name: _condition(condition, announced) for name, condition in measure.groups.items()}
    return measure.model_copy(update={"groups": groups})


def announced_transparency(section: Transparency, announced: Process) -> Transparency:
    """What is asked about groups of people, on a process whose values are those that are announced."""
    quantities = tuple(_quantity(each, announced) for each in section.influence.quantities)
    if quantities == section.influence.quantities:
        return section  # as it was written, so that it is published as it was written
    influence = section.influence.model_copy(update={"quantities": quantities})
    return section.model_copy(update={"influence": influence})


def _quantity(quantity: Quantity, announced: Process) -> Quantity:
    ends = {name: getattr(quantity, name) for name in ("group", "minus")}
    return quantity.model_copy(
        update={name: _condition(end, announced) for name, end in ends.items() if end is not None}
    )


def _condition(condition: Named, announced: Process) -> dict[str, tuple[str, ...]]:
    return {name: _values(announced.attribute(name), values) for name, values in condition.items()}


def _values(attribute: Attribute, values: tuple[str, ...]) -> tuple[str, ...]:
    wanted, found = set(values), list(values)
    for value in attribute.values:
        joined = attribute.joined_by(value)
        if joined and joined <= wanted:
            found.append(value)
        elif joined & wanted:
            raise _refused(
                f"a group names {_list(joined & wanted)} of '{attribute.name}', which had to be joined with "
                f"{_list(joined - wanted)} under '{value}'.\n  Let the group name all of them"
            )
    return tuple(value for value in found if value in attribute.values)


def _list(values: frozenset[str]) -> str:
    return ", ".join(f"'{value}'" for value in sorted(values))


def _refused(reason: str) -> Refused:
    return Refused(
        f"refused: {reason}, give the attribute another hierarchy, or write 'unprotectable: suppress'.\n"
        "  Nothing was published."
    )
