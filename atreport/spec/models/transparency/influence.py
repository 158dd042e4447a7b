"""``transparency.influence``: how much each attribute moves outcomes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Self

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from atreport.errors import Problem
from atreport.spec.models.naming import (
    Condition,
    Record,
    announced_condition,
    check_condition,
    check_names,
    check_record,
)
from atreport.spec.models.process import Process
from atreport.spec.models.values import Flag, Key, Line, Section, WholeLimits, read_whole_number
from atreport.spec.yaml import Document, KeyPath

_SAMPLES = WholeLimits(2, 100_000)


class Quantity(Section):
    """What an influence is an influence on: the favourable rate of a group, or the gap to another."""

    title: Line
    group: Condition | None = Field(None, description="Whose favourable rate; everybody's when left out.")
    minus: Condition | None = Field(
        None, description="The group whose rate is subtracted: the figure is a gap."
    )

    def find_problems(self, document: Document, process: Process, path: KeyPath) -> Iterator[Problem]:
        """The attributes and values that name the people exist."""
        for key, people in (("group", self.group), ("minus", self.minus)):
            if people is not None:
                yield from check_condition(document, process, people, (*path, key))

    def in_values_of(self, announced: Process) -> Self:
        """The quantity of the same people on a process whose values are those that are announced."""
        ends = {"group": self.group, "minus": self.minus}
        return self.model_copy(
            update={
                key: announced_condition(people, announced)
                for key, people in ends.items()
                if people is not None
            }
        )


class Influence(Section):
    """How much each attribute moves outcomes."""

    permutation: Flag | None = Field(
        None,
        description="By how much an outcome changes on average when the attribute is drawn anew. When left out: true for "
        "tables of up to 20,000 cells.",
    )
    firm: Flag = Field(
        False, description="How widely the favourable rate varies over the attribute's values."
    )
    quantities: tuple[Quantity, ...] = ()
    qii: Flag = Field(True, description="What happens to each quantity when an attribute is drawn anew.")
    sets: tuple[Annotated[tuple[Key, ...], Field(min_length=2)], ...] = Field(
        (), description="Sets of attributes that are drawn anew together."
    )
    shapley: Flag = Field(False, description="How much of each quantity is owed to each attribute.")
    samples: Annotated[
        int,
        BeforeValidator(read_whole_number),
        AfterValidator(_SAMPLES.check),
        WithJsonSchema(_SAMPLES.schema),
    ] = Field(400, description="Random orders for the Shapley value of more than 12 attributes.")
    local_weights: tuple[Record, ...] = Field(
        (), description="Records around which a linear model is fitted, near people counting most."
    )

    def find_problems(self, document: Document, process: Process, path: KeyPath) -> Iterator[Problem]:
        """Every attribute and value that is named exists, every record is whole, and there is something to explain."""
        for index, names in enumerate(self.sets):
            yield from check_names(document, process, names, (*path, "sets", index))
        for index, record in enumerate(self.local_weights):
            yield from check_record(document, process, record, (*path, "local_weights", index))
        for index, quantity in enumerate(self.quantities):
            yield from quantity.find_problems(document, process, (*path, "quantities", index))
        yield from self._check_quantities(document, path)

    def _check_quantities(self, document: Document, path: KeyPath) -> Iterator[Problem]:
        """What is about quantities has some, and each has a title of its own."""
        if not self.quantities:
            asked = {"shapley": self.shapley, "sets": self.sets}
            for key in (key for key, wanted in asked.items() if wanted):
                yield document.problem(
                    (*path, key),
                    f"'{key}' is about quantities, and there are none",
                    "add 'quantities: [{title: …, group: …}]' beside it",
                    at_key=True,
                )
        titles = [quantity.title for quantity in self.quantities]
        for index, title in enumerate(titles):
            if title in titles[:index]:
                place = (*path, "quantities", index, "title")
                yield document.problem(place, f"'{title}' is the title of another quantity", "choose another")

    def in_values_of(self, announced: Process) -> Self:
        """The same questions about the same people on a process whose values are those that are announced."""
        quantities = tuple(quantity.in_values_of(announced) for quantity in self.quantities)
        if quantities == self.quantities:
            return self  # as it was written, so that it is published as it was written
        return self.model_copy(update={"quantities": quantities})
