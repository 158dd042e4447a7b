"""How sections of a spec name attributes and people: what is wrong with a name, and what it becomes where values are joined.

Where groups had to be joined, a coarser value stands for finer ones. A group of people that is named by finer values
keeps exactly its people, or the report is refused: half of a joined value cannot be told from the other half.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

from pydantic import BeforeValidator, Field, WithJsonSchema

from atreport.errors import Problem, Refused
from atreport.spec.models.process import Attribute, Process
from atreport.spec.models.values import SCALAR_SCHEMA, Key, Name, single_or_list
from atreport.spec.problems import did_you_mean, listed_twice
from atreport.spec.yaml import Document, KeyPath

_ONE_OR_MORE = WithJsonSchema({"anyOf": [SCALAR_SCHEMA, {"type": "array", "items": SCALAR_SCHEMA}]})
Names = Annotated[tuple[Name, ...], BeforeValidator(single_or_list), Field(min_length=1), _ONE_OR_MORE]
"""One value, or a list of them."""
Keys = Annotated[tuple[Key, ...], BeforeValidator(single_or_list), Field(min_length=1), _ONE_OR_MORE]
"""One attribute, or a list of them."""

Condition = Annotated[dict[str, Names], Field(min_length=1)]
"""Attribute → the values it may take; several attributes must all hold."""

Record = Annotated[dict[str, Name], Field(min_length=1)]
"""One person's value of every attribute."""


def unknown_attribute(
    document: Document, process: Process, name: str, place: KeyPath, *, at_key: bool = False
) -> Iterable[Problem]:
    """The problem that no attribute has this name; nothing where one does."""
    names = [attribute.name for attribute in process.attributes]
    if name not in names:
        hint = did_you_mean(name, names, listing="the attributes")
        yield document.problem(place, f"there is no attribute '{name}'", hint, at_key=at_key)


def check_names(
    document: Document, process: Process, names: Sequence[str], place: KeyPath
) -> Iterable[Problem]:
    """Every name of a list is an attribute's, and stands there once."""
    for index, name in enumerate(names):
        yield from unknown_attribute(document, process, name, (*place, index))
    yield from listed_twice(document, place, names)


def check_condition(
    document: Document, process: Process, condition: Mapping[str, Sequence[str]], place: KeyPath
) -> Iterable[Problem]:
    """Every attribute of a condition exists, and has the values named."""
    for name, values in condition.items():
        absent = list(unknown_attribute(document, process, name, (*place, name), at_key=True))
        yield from absent
        for value in () if absent else values:
            if value not in process.attribute(name).values:
                hint = did_you_mean(value, process.attribute(name).values, listing="its values")
                yield document.problem((*place, name), f"'{value}' is not a value of '{name}'", hint)


def check_record(
    document: Document, process: Process, record: Mapping[str, str], place: KeyPath
) -> Iterable[Problem]:
    """A record has a value of every attribute, and no other."""
    yield from check_condition(document, process, {name: (value,) for name, value in record.items()}, place)
    for attribute in process.attributes:
        if attribute.name not in record:
            yield document.problem(
                place,
                f"this record has no value of '{attribute.name}'",
                f"add '{attribute.name}: …'; a record has a value of every attribute",
            )


def announced_condition(
    condition: Mapping[str, tuple[str, ...]], announced: Process
) -> dict[str, tuple[str, ...]]:
    """The same people, named by the values that are announced; raises :class:`Refused` where that cannot be."""
    return {name: _announced_values(announced.attribute(name), values) for name, values in condition.items()}


def refuse_joined(reason: str) -> Refused:
    """The refusal to publish what is asked about values that had to be joined."""
    return Refused(
        f"refused: {reason}, give the attribute another hierarchy, or write 'unprotectable: suppress'.\n"
        "  Nothing was published."
    )


def _announced_values(attribute: Attribute, values: tuple[str, ...]) -> tuple[str, ...]:
    wanted, found = set(values), list(values)
    for value in attribute.values:
        joined = attribute.joined_by(value)
        if joined and joined <= wanted:
            found.append(value)
        elif joined & wanted:
            raise refuse_joined(
                f"a group names {_list(joined & wanted)} of '{attribute.name}', which had to be joined with "
                f"{_list(joined - wanted)} under '{value}'.\n  Let the group name all of them"
            )
    return tuple(value for value in found if value in attribute.values)


def _list(values: frozenset[str]) -> str:
    return ", ".join(f"'{value}'" for value in sorted(values))
