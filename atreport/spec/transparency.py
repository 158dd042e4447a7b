"""The ``transparency`` section: how the announced rule is explained, by rules, by influence and by dependence.

One class a way of explaining; a further method of the same way is a further key of it.
"""

from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import Field

from atreport.errors import SpecProblem
from atreport.spec.process import (
    Condition,
    Process,
    Record,
    announced_condition,
    check_condition,
    check_names,
    check_record,
)
from atreport.spec.values import Flag, Key, Line, PositiveUnitNumber, Section, whole
from atreport.spec.yaml import Document, KeyPath

# ``transparency.dependence``: how the announced probability changes along an attribute's values.


class Dependence(Section):
    """How the announced probability changes along an attribute's values."""

    attributes: tuple[Key, ...] | None = Field(None, description="Which attributes; all when left out.")
    curves: tuple[Literal["pdp", "ice", "ale"], ...] = ("pdp", "ice", "ale")

    def find_problems(self, document: Document, process: Process, path: KeyPath) -> Iterator[SpecProblem]:
        """Every attribute that is named exists."""
        yield from check_names(document, process, self.attributes or (), (*path, "attributes"))


# ``transparency.influence``: how much each attribute moves outcomes.


class Quantity(Section):
    """What an influence is an influence on: the favourable rate of a group, or the gap to another."""

    title: Line
    group: Condition | None = Field(None, description="Whose favourable rate; everybody's when left out.")
    minus: Condition | None = Field(
        None, description="The group whose rate is subtracted: the figure is a gap."
    )

    def find_problems(self, document: Document, process: Process, path: KeyPath) -> Iterator[SpecProblem]:
        """The attributes and values that name the people exist."""
        for key, people in (("group", self.group), ("minus", self.minus)):
            if people is not None:
                yield from check_condition(document, process, people, (*path, key))

    def in_values_of(self, announced: Process) -> Self:
        """The quantity of the same people on a process whose values are those that are announced."""
        ends = {"group": self.group, "minus": self.minus}
        changed = {key: announced_condition(people, announced) for key, people in ends.items() if people}
        return self.model_copy(update=changed)


class AskedInfluence(Section):
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
    samples: Annotated[int, *whole(2, 100_000)] = Field(
        400, description="Random orders for the Shapley value of more than 12 attributes."
    )
    local_weights: tuple[Record, ...] = Field(
        (), description="Records around which a linear model is fitted, near people counting most."
    )

    def find_problems(self, document: Document, process: Process, path: KeyPath) -> Iterator[SpecProblem]:
        """Every attribute and value that is named exists, every record is whole, and there is something to explain."""
        for index, names in enumerate(self.sets):
            yield from check_names(document, process, names, (*path, "sets", index))
        for index, record in enumerate(self.local_weights):
            yield from check_record(document, process, record, (*path, "local_weights", index))
        for index, quantity in enumerate(self.quantities):
            yield from quantity.find_problems(document, process, (*path, "quantities", index))
        yield from self._check_quantities(document, path)

    def _check_quantities(self, document: Document, path: KeyPath) -> Iterator[SpecProblem]:
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


# ``transparency.rules``: the announced rule in other words.


class AskedAnchor(Section):
    """A record whose smallest sufficient condition is looked for."""

    record: Record = Field(description="The value of every attribute.")
    precision: PositiveUnitNumber = Field(
        Decimal("0.9"), description="How often the condition must lead to the record's announced outcome."
    )


class RuleSchemes(Section):
    """The announced rule in other words: as rules, as small models, as regions."""

    exact: Flag = Field(True, description="The announced rule as a list of if-then rules, nothing left out.")
    tree: Annotated[int | None, *whole(1, 8)] = Field(
        None, description="A decision tree of at most this depth."
    )
    linear: Flag = Field(False, description="A linear model: so many points for each value.")
    logistic: Flag = Field(False, description="A logistic model: the same on the scale of log odds.")
    regions: Annotated[int | None, *whole(2, 20)] = Field(
        None, description="At most so many regions, in each of which one attribute decides."
    )
    anchors: tuple[AskedAnchor, ...] = ()

    def find_problems(self, document: Document, process: Process, path: KeyPath) -> Iterator[SpecProblem]:
        """Every record is whole, and its values exist."""
        for index, anchor in enumerate(self.anchors):
            yield from check_record(document, process, anchor.record, (*path, "anchors", index, "record"))


class Transparency(Section):
    """How the announced rule is explained."""

    ordered: tuple[Key, ...] = Field((), description="Attributes whose values have an order.")
    rules: RuleSchemes = RuleSchemes()
    influence: AskedInfluence = AskedInfluence()
    dependence: Dependence | None = None

    def find_problems(self, document: Document, process: Process, path: KeyPath) -> Iterator[SpecProblem]:
        """Every attribute and value that is named exists, and every record is whole."""
        yield from check_names(document, process, self.ordered, (*path, "ordered"))
        yield from self.rules.find_problems(document, process, (*path, "rules"))
        yield from self.influence.find_problems(document, process, (*path, "influence"))
        if self.dependence is not None:
            yield from self.dependence.find_problems(document, process, (*path, "dependence"))

    @property
    def curves(self) -> tuple[str, ...]:
        """The curves that are asked for, along whatever attributes."""
        return () if self.dependence is None else self.dependence.curves

    def in_values_of(self, announced: Process) -> Self:
        """What is asked about groups of people, on a process whose values are those that are announced."""
        influence = self.influence.in_values_of(announced)
        return self if influence is self.influence else self.model_copy(update={"influence": influence})
