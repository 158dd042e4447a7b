"""The ``process`` section: what is decided, and what the process knows about a person."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from atreport.spec.models.values import Line, Name, Section, Text

MAX_OUTCOMES = 12


class Outcome(Section):
    """What the process decides."""

    name: Name
    values: tuple[Name, ...] = Field(min_length=2, max_length=MAX_OUTCOMES)
    favourable: Name


class Attribute(Section):
    """One thing the process knows about a person."""

    name: Name
    label: Line | None = None
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
        "and which values of the level below they join.",
    )

    @property
    def title(self) -> str:
        """How the report names this attribute to readers."""
        return self.label or self.name

    @property
    def known_values(self) -> tuple[str, ...]:
        """The values without the one that means "unknown"."""
        return tuple(value for value in self.values if value != self.unknown)

    def joined_by(self, value: str) -> frozenset[str]:
        """The values of the spec that a coarser value of the hierarchy stands for, over all its levels."""
        below = next((level[value] for level in self.hierarchy if value in level), ())
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

    def of_role(self, role: str) -> tuple[Attribute, ...]:
        """The attributes with that role, in the order of the spec."""
        return tuple(attribute for attribute in self.attributes if attribute.role == role)
