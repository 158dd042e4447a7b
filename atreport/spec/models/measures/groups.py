"""The groups that a measure compares, and what all measures of groups have in common."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, ClassVar, Self

from pydantic import Discriminator, Field, Tag

from atreport.errors import Problem
from atreport.spec.models.naming import Condition, announced_condition, check_condition, unknown_attribute
from atreport.spec.models.process import Process
from atreport.spec.models.values import Flag, Key, OwnWords, Section
from atreport.spec.yaml import Document, KeyPath

MAX_PAIRS = 100_000


def _kind_of_groups(value: object) -> str:
    if isinstance(value, dict):
        return "named groups"
    return "combinations" if isinstance(value, list | tuple) else "an attribute"


Groups = Annotated[
    Annotated[Key, Tag("an attribute")]
    | Annotated[tuple[Key, ...], Field(min_length=2), Tag("combinations")]
    | Annotated[dict[OwnWords, Condition], Field(min_length=2), Tag("named groups")],
    Discriminator(_kind_of_groups),
]
"""An attribute (each value is a group), several (each combination that occurs), or named groups with conditions."""


class GroupMeasure(Section):
    """A measure that compares groups of people."""

    groups_asked: ClassVar[int] = 2
    """How many groups of a figure follow from the spec: both, and then there must not be too many pairs; or the figures
    of all groups say which (the most favoured, those furthest apart)."""

    is_ratio: ClassVar[bool] = False
    """Whether the figure is a share of 1, which should reach its limit; otherwise it should not exceed it."""

    screened_by_four_fifths: ClassVar[bool] = False
    """Whether the four-fifths screening rule is about this ratio."""

    measure: str
    groups: Groups
    headline: Flag | None = Field(
        None, description="Whether the summary begins with this measure; of one measure at most."
    )

    @property
    def group_attributes(self) -> tuple[str, ...]:
        """The attributes whose values make the groups; none where groups are named, each with its condition."""
        if isinstance(self.groups, dict):
            return ()
        return (self.groups,) if isinstance(self.groups, str) else self.groups

    @property
    def attributes_used(self) -> tuple[str, ...]:
        """The attributes that tell whom a figure of it is about."""
        if isinstance(self.groups, dict):
            return tuple({name: None for condition in self.groups.values() for name in condition})
        return self.group_attributes

    def find_problems(self, document: Document, process: Process, path: KeyPath) -> Iterator[Problem]:
        """What is wrong with the measure at `path` beside the process: names and values that do not exist."""
        place: KeyPath = (*path, "groups")
        if isinstance(self.groups, dict):
            for group, condition in self.groups.items():
                yield from check_condition(document, process, condition, (*place, group))
            return
        yield from self._check_group_attributes(document, process, place)
        if self.groups_asked == 2:
            yield from self._check_pairs(document, process, place)

    def in_values_of(self, _asked: Process, announced: Process) -> Self:
        """The measure of the same people on a process whose values are those that are announced."""
        if not isinstance(self.groups, dict):
            return self
        groups = {name: announced_condition(people, announced) for name, people in self.groups.items()}
        return self.model_copy(update={"groups": groups})

    def _check_group_attributes(
        self, document: Document, process: Process, place: KeyPath
    ) -> Iterator[Problem]:
        """Groups by the values of one attribute, or by the combinations of several."""
        names = self.group_attributes
        for index, name in enumerate(names):
            at = place if isinstance(self.groups, str) else (*place, index)
            absent = list(unknown_attribute(document, process, name, at))
            yield from absent
            if name in names[:index]:
                yield document.problem(at, f"'{name}' is listed twice", "remove one")
            elif not absent and isinstance(self.groups, str) and len(process.attribute(name).values) < 2:
                yield document.problem(at, f"'{name}' has a single value: there is nothing to compare")

    def _check_pairs(self, document: Document, process: Process, place: KeyPath) -> Iterator[Problem]:
        known = {attribute.name: len(attribute.values) for attribute in process.attributes}
        combinations = math.prod(known.get(name, 1) for name in self.group_attributes)
        pairs = combinations * (combinations - 1) // 2
        if pairs > MAX_PAIRS:
            yield document.problem(
                place,
                f"up to {combinations:,} groups make {pairs:,} pairs to compare, more than {MAX_PAIRS:,}",
                "use 'measure: group_disparity', which gives the largest difference of all pairs",
            )
