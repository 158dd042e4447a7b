"""The ``process`` section: what is decided, and what the process knows about a person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, WithJsonSchema

from atreport.errors import Refused, SpecProblem
from atreport.spec.values import (
    SCALAR_SCHEMA,
    Key,
    Line,
    Name,
    Number,
    PositiveUnitNumber,
    Section,
    Text,
    single_or_list,
)
from atreport.spec.yaml import Document, KeyPath, did_you_mean, listed_twice

MAX_OUTCOMES = 12


OutcomeBins = Annotated[
    Annotated[tuple[Number, ...], Tag("list"), Field(min_length=1)]
    | Annotated[Literal["median"], Tag("text")],
    Discriminator(lambda value: "list" if isinstance(value, list | tuple) else "text"),
]
"""Edges between the outcomes that a number becomes, or the median of all records."""


class Titled(Section):
    """Something with a name by which it is found, and perhaps another by which readers are told of it."""

    name: Key
    label: Line | None = Field(None, description="How readers are told of it, where the name is a column's.")

    @property
    def title(self) -> str:
        """How the report names it to readers."""
        return self.label or self.name


class Outcome(Titled):
    """What the process decides."""

    values: tuple[Name, ...] = Field(min_length=2, max_length=MAX_OUTCOMES)
    favourable: Name
    bins: OutcomeBins | None = Field(
        None,
        description="From records, where the outcome is a number such as a score: the edges between the values, in "
        "ascending order; or median: the second value is a number above the median of all records.",
    )


class Attribute(Titled):
    """One thing the process knows about a person."""

    role: Literal["public", "sensitive", "private"] = Field(
        description="public: others may know it of a person; sensitive: must not be inferred; private: neither."
    )
    values: tuple[Name, ...] = Field(min_length=1)
    unknown: Name | None = Field(
        None, description="The value that stands for people of whom this attribute is not known."
    )
    description: Text | None = None
    hierarchy: tuple[dict[Name, tuple[Name, ...]], ...] = Field(
        (),
        description="Ever coarser values of a public attribute, for 'unprotectable: merge'. Each level names its values "
        "and which values of the level below they join; a value may stay alone under its own name.",
    )
    joined: dict[Name, tuple[Name, ...]] | None = Field(
        None,
        description="Values that stand for several others: whoever has one belongs to one of those, and the report does "
        "not say which. 'unprotectable: merge' states it by itself.",
    )

    ceilings: dict[Name, PositiveUnitNumber] = Field(
        default_factory=dict,
        description="For values of a sensitive attribute: nobody may become more confident than this that a person has the "
        "value. Above one of them the report is refused.",
    )

    @property
    def known_values(self) -> tuple[str, ...]:
        """The values without the one that means "unknown"."""
        return tuple(value for value in self.values if value != self.unknown)

    def stands_for(self, value: str) -> tuple[str, ...]:
        """The values that a joined one stands for; none for any other."""
        return (self.joined or {}).get(value, ())

    def joined_by(self, value: str) -> frozenset[str]:
        """The values of the spec that a coarser value of the hierarchy stands for, over all its levels."""
        levels = [level[value] for level in self.hierarchy if value in level and level[value] != (value,)]
        below = levels[0] if levels else ()
        return frozenset[str]().union(*(self.joined_by(finer) or {finer} for finer in below))


class Process(Section):
    """The decision process that the report explains."""

    name: Line
    description: Text | None = None
    estimated_from: Literal["records"] | None = Field(
        None,
        description="records: the probabilities are frequencies among the decided cases that `population` counts.",
    )
    outcome: Outcome
    attributes: tuple[Attribute, ...] = Field(min_length=1)

    def attribute(self, name: str) -> Attribute:
        """The attribute of that name."""
        return next(attribute for attribute in self.attributes if attribute.name == name)

    def without(self, names: Iterable[str]) -> Process:
        """The process as if it did not know some attributes."""
        left_out = set(names)
        kept = tuple(attribute for attribute in self.attributes if attribute.name not in left_out)
        return self.model_copy(update={"attributes": kept})

    def has_joined(self, names: Iterable[str]) -> bool:
        """Whether some of these attributes have values that stand for several others."""
        return any(self.attribute(name).joined for name in names)

    def of_role(self, role: str) -> tuple[Attribute, ...]:
        """The attributes with that role, in the order of the spec."""
        return tuple(attribute for attribute in self.attributes if attribute.role == role)


# How sections of a spec name attributes and people: what is wrong with a name, and what it becomes where
# values are joined.
#
# Where groups had to be joined, a coarser value stands for finer ones. A group of people that is named by
# finer values keeps exactly its people, or the report is refused: half of a joined value cannot be told from
# the other half.

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
) -> Iterable[SpecProblem]:
    """The problem that no attribute has this name; nothing where one does."""
    names = [attribute.name for attribute in process.attributes]
    if name not in names:
        hint = did_you_mean(name, names, listing="the attributes")
        yield document.problem(place, f"there is no attribute '{name}'", hint, at_key=at_key)


def unknown_value(
    document: Document, value: str, known: Sequence[str], name: str, place: KeyPath, *, at_key: bool = False
) -> Iterable[SpecProblem]:
    """The problem that this is none of an attribute's values; nothing where it is."""
    if value not in known:
        hint = did_you_mean(value, known, listing="its values")
        yield document.problem(place, f"'{value}' is not a value of '{name}'", hint, at_key=at_key)


def check_names(
    document: Document, process: Process, names: Sequence[str], place: KeyPath
) -> Iterable[SpecProblem]:
    """Every name of a list is an attribute's, and stands there once."""
    for index, name in enumerate(names):
        yield from unknown_attribute(document, process, name, (*place, index))
    yield from listed_twice(document, place, names)


def check_condition(
    document: Document, process: Process, condition: Mapping[str, Sequence[str]], place: KeyPath
) -> Iterable[SpecProblem]:
    """Every attribute of a condition exists, and has the values named."""
    for name, values in condition.items():
        absent = list(unknown_attribute(document, process, name, (*place, name), at_key=True))
        yield from absent
        for value in () if absent else values:
            yield from unknown_value(document, value, process.attribute(name).values, name, (*place, name))


def check_record(
    document: Document, process: Process, record: Mapping[str, str], place: KeyPath
) -> Iterable[SpecProblem]:
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
