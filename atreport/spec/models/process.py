"""The ``process`` section: what is decided, and what the process knows about a person."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag

from atreport.spec.models.values import Key, Line, Name, Number, PositiveUnitNumber, Section, Text

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
