"""The ``transparency`` section: how the announced rule is explained, by rules, by influence and by dependence.

One file a way of explaining; a further method of the same way is a further key in its file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from pydantic import Field

from atreport.errors import Problem
from atreport.spec.models.naming import check_names
from atreport.spec.models.process import Process
from atreport.spec.models.transparency.dependence import Dependence
from atreport.spec.models.transparency.influence import Influence, Quantity
from atreport.spec.models.transparency.rules import Anchor, RuleSchemes
from atreport.spec.models.values import Key, Section
from atreport.spec.yaml import Document, KeyPath


class Transparency(Section):
    """How the announced rule is explained."""

    ordered: tuple[Key, ...] = Field((), description="Attributes whose values have an order.")
    rules: RuleSchemes = RuleSchemes()
    influence: Influence = Influence()
    dependence: Dependence | None = None

    def find_problems(self, document: Document, process: Process, path: KeyPath) -> Iterator[Problem]:
        """Every attribute and value that is named exists, and every record is whole."""
        yield from check_names(document, process, self.ordered, (*path, "ordered"))
        yield from self.rules.find_problems(document, process, (*path, "rules"))
        yield from self.influence.find_problems(document, process, (*path, "influence"))
        if self.dependence is not None:
            yield from self.dependence.find_problems(document, process, (*path, "dependence"))

    def in_values_of(self, announced: Process) -> Self:
        """What is asked about groups of people, on a process whose values are those that are announced."""
        influence = self.influence.in_values_of(announced)
        return self if influence is self.influence else self.model_copy(update={"influence": influence})


__all__ = ["Anchor", "Dependence", "Influence", "Quantity", "RuleSchemes", "Transparency"]
