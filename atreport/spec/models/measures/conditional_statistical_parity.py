"""``measure: conditional_statistical_parity``."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Literal

from atreport.errors import Problem
from atreport.spec.models.measures.groups import GroupMeasure
from atreport.spec.models.naming import Keys, unknown_attribute
from atreport.spec.models.process import Process
from atreport.spec.models.values import Line, UnitNumber
from atreport.spec.problems import value_at
from atreport.spec.yaml import Document, KeyPath


class ConditionalStatisticalParity(GroupMeasure):
    """The same difference among people who are alike in the `given` attributes."""

    measure: Literal["conditional_statistical_parity"]
    given: Keys
    threshold: UnitNumber | None = None
    title: Line | None = None

    def find_problems(self, document: Document, process: Process, path: KeyPath) -> Iterator[Problem]:
        """As of any measure of groups; and the `given` attributes exist, and are not those of the groups."""
        yield from super().find_problems(document, process, path)
        place: KeyPath = (*path, "given")
        several = isinstance(value_at(document.root, place), list)
        for index, name in enumerate(self.given):
            at = (*place, index) if several else place
            yield from unknown_attribute(document, process, name, at)
            if name in self.group_attributes:
                yield document.problem(
                    at, f"'{name}' already defines the groups", "condition on another attribute"
                )

    @property
    def attributes_used(self) -> tuple[str, ...]:
        """The attributes that tell whom a figure of it is about."""
        return (*super().attributes_used, *self.given)

    @property
    def limit(self) -> Decimal | None:
        """What the figure should not exceed."""
        return self.threshold
