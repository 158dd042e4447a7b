"""The ``fairness`` section: a class a measure, listed here.

A measure is a model whose key `measure` is its name, with two methods: ``find_problems`` (what is wrong with it beside
the process) and ``in_values_of`` (the same measure where values of attributes had to be joined).
"""

import math
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal, Self, get_args

from pydantic import (
    BeforeValidator,
    Discriminator,
    Field,
    SerializerFunctionWrapHandler,
    Tag,
    WithJsonSchema,
    model_serializer,
)

from atreport.errors import SpecProblem
from atreport.spec.process import (
    Attribute,
    Condition,
    Keys,
    Names,
    Process,
    announced_condition,
    check_condition,
    refuse_joined,
    unknown_attribute,
    unknown_value,
)
from atreport.spec.values import (
    DistanceNumber,
    Flag,
    Key,
    Line,
    NonNegative,
    Number,
    OwnWords,
    PositiveUnitNumber,
    Section,
    UnitNumber,
    single_or_list,
)
from atreport.spec.yaml import Document, KeyPath, did_you_mean, listed_twice, parse_number, value_at
from atreport.text.numbers import counted

# The groups that a measure compares, and what all measures of groups have in common.

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


class LimitedMeasure(Section):
    """A measure whose figures may have a limit: its key `p` if it is a ratio, else `threshold`."""

    groups_asked: ClassVar[int] = 2
    """How many groups of a figure follow from the spec: both, and then there must not be too many pairs; or the figures
    of all groups say which (the most favoured, those furthest apart). Where no groups are compared, that follows too."""

    is_ratio: ClassVar[bool] = False
    """Whether the figure is a share of 1, which should reach its limit; otherwise it should not exceed it."""

    screened_by_four_fifths: ClassVar[bool] = False
    """Whether the four-fifths screening rule is about this ratio."""

    @property
    def limit(self) -> Decimal | None:
        """What each figure should reach, or should not exceed."""
        found: Decimal | None = getattr(self, "p" if self.is_ratio else "threshold")
        return found


class GroupMeasure(LimitedMeasure):
    """A measure that compares groups of people."""

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

    def find_problems(self, document: Document, process: Process, path: KeyPath) -> Iterator[SpecProblem]:
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
    ) -> Iterator[SpecProblem]:
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

    def _check_pairs(self, document: Document, process: Process, place: KeyPath) -> Iterator[SpecProblem]:
        known = {attribute.name: len(attribute.values) for attribute in process.attributes}
        combinations = math.prod(known.get(name, 1) for name in self.group_attributes)
        pairs = combinations * (combinations - 1) // 2
        if pairs > MAX_PAIRS:
            yield document.problem(
                place,
                f"up to {combinations:,} groups make {pairs:,} pairs to compare, more than {MAX_PAIRS:,}",
                "use 'measure: group_disparity', which gives the largest difference of all pairs",
            )


class StatisticalParity(GroupMeasure):
    """Difference between the favourable rates of two groups."""

    measure: Literal["statistical_parity"]
    threshold: UnitNumber | None = None
    title: Line | None = None


class ConditionalStatisticalParity(GroupMeasure):
    """The same difference among people who are alike in the `given` attributes."""

    measure: Literal["conditional_statistical_parity"]
    given: Keys
    threshold: UnitNumber | None = None
    title: Line | None = None

    def find_problems(self, document: Document, process: Process, path: KeyPath) -> Iterator[SpecProblem]:
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


class GroupDisparity(GroupMeasure):
    """The largest difference between the favourable rates of any two of the groups."""

    groups_asked: ClassVar[int] = 0  # one figure for all of them

    measure: Literal["group_disparity"]
    threshold: UnitNumber | None = None
    title: Line | None = None


class ImpactRatio(GroupMeasure):
    """Each group's favourable rate as a share of the most favoured group's; 0.8 is the four-fifths screening rule."""

    groups_asked: ClassVar[int] = 1  # the other one is the most favoured
    is_ratio: ClassVar[bool] = True
    screened_by_four_fifths: ClassVar[bool] = True

    measure: Literal["impact_ratio"]
    p: PositiveUnitNumber | None = Decimal("0.8")
    title: Line | None = None

    @model_serializer(mode="wrap")
    def _without_limit(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Written out where there is no limit: what is not stated is four fifths."""
        written: dict[str, Any] = write(self)
        return written if self.p is not None else {**written, "p": None}


class OddsRatio(GroupMeasure):
    """The lower odds of the favourable outcome as a share of the higher; no value of it is customary as a threshold."""

    is_ratio: ClassVar[bool] = True

    measure: Literal["odds_ratio"]
    p: PositiveUnitNumber | None = Field(None, description="What it should reach; without it, no verdict.")
    title: Line | None = None


class PPercentRule(GroupMeasure):
    """The lower favourable rate as a share of the higher; 0.8 is the four-fifths screening rule."""

    is_ratio: ClassVar[bool] = True
    screened_by_four_fifths: ClassVar[bool] = True

    measure: Literal["p_percent_rule"]
    p: PositiveUnitNumber = Decimal("0.8")
    outcomes: Literal["favourable", "all"] = Field(
        "favourable",
        description="favourable: compare favourable rates; all: the smallest ratio over all outcomes.",
    )
    title: Line | None = None


# Distances between the values of an attribute, by which individual fairness says how much two people differ.


def _kind_of_numbers(value: object) -> str:
    return "each value" if isinstance(value, dict) else "its values"


Numbers = Annotated[
    Annotated[Literal["values"], Tag("its values")] | Annotated[dict[OwnWords, Number], Tag("each value")],
    Discriminator(_kind_of_numbers),
]
"""`values`: the attribute's values are numbers themselves; or a number for each of them."""


class ScaleDistance(Section):
    """Distance along a scale: `scale` for each step between two values, or for each unit between their numbers."""

    scale: DistanceNumber
    numbers: Numbers | None = Field(
        None,
        description="values: the attribute's values are numbers; or a number for each value. Without it, one step each.",
    )

    def find_problems(self, document: Document, attribute: Attribute, path: KeyPath) -> Iterator[SpecProblem]:
        """Where the scale goes by numbers, every value of the attribute has one, and nothing else has."""
        place: KeyPath = (*path, "numbers")
        if self.numbers == "values":
            wordy = [value for value in attribute.values if not _is_number(value)]
            if wordy:
                yield document.problem(
                    place,
                    f"'{wordy[0]}' is a value of '{attribute.name}' and not a number",
                    f"give a number for each value: 'numbers: {{{wordy[0]}: …}}'",
                )
        elif self.numbers is not None:
            for value in self.numbers:
                yield from unknown_value(
                    document, value, attribute.values, attribute.name, (*place, value), at_key=True
                )
            for value in attribute.values:
                if value not in self.numbers:
                    yield document.problem(
                        place, f"'{value}' has no number", f"add '{value}: …'", at_key=True
                    )


def _is_number(text: str) -> bool:
    number = parse_number(text)
    return number is not None and abs(number) < 10**12 and number == round(number, 12)


class MatrixDistance(Section):
    """Distance of every value to every other, rows and columns in the order of the attribute's values."""

    matrix: tuple[tuple[DistanceNumber, ...], ...] = Field(
        min_length=1, description="Symmetric, with zeros on the diagonal."
    )

    def find_problems(self, document: Document, attribute: Attribute, path: KeyPath) -> Iterator[SpecProblem]:
        """The matrix has an entry for each pair of the attribute's values, and makes a distance."""
        place: KeyPath = (*path, "matrix")
        wrong_size = list(self._check_size(document, attribute, place))
        yield from wrong_size or self._check_symmetry(document, attribute, place)

    def _check_size(self, document: Document, attribute: Attribute, place: KeyPath) -> Iterator[SpecProblem]:
        rows, count = self.matrix, len(attribute.values)
        if len(rows) != count:
            message = f"'{attribute.name}' has {counted(count, 'value')}, and the matrix has {counted(len(rows), 'row')}"
            yield document.problem(
                place, message, "one row for each value, in the order of the values", at_key=True
            )
            return
        for index, row in enumerate(rows):
            if len(row) != count:
                entries = counted(len(row), "entry", "entries")
                message = f"'{attribute.name}' has {counted(count, 'value')}, and this row has {entries}"
                yield document.problem(
                    (*place, index), message, "one entry for each value, in the order of the values"
                )

    def _check_symmetry(
        self, document: Document, attribute: Attribute, place: KeyPath
    ) -> Iterator[SpecProblem]:
        rows = self.matrix
        for i, row in enumerate(rows):
            if row[i] != 0:
                message = f"the distance of '{attribute.values[i]}' from itself is {row[i]}"
                yield document.problem((*place, i, i), message, "write 0 on the diagonal")
            for j in range(i):
                if row[j] != rows[j][i]:
                    pair = f"'{attribute.values[j]}' and '{attribute.values[i]}'"
                    message = (
                        f"the distance of {pair} is {rows[j][i]} above the diagonal and {row[j]} below it"
                    )
                    yield document.problem((*place, i, j), message, "a distance is the same both ways")


def _kind_of_distance(value: object) -> str:
    if isinstance(value, MatrixDistance) or (isinstance(value, dict) and "matrix" in value):
        return "a matrix"
    return "a scale" if isinstance(value, dict | ScaleDistance) else "a weight"


Distance = Annotated[
    Annotated[DistanceNumber, Tag("a weight")]
    | Annotated[ScaleDistance, Tag("a scale")]
    | Annotated[MatrixDistance, Tag("a matrix")],
    Discriminator(_kind_of_distance),
]
"""A number (the distance of any two different values), a scale or a matrix."""


class IndividualFairness(LimitedMeasure):
    """By how much people are treated more differently than they differ."""

    measure: Literal["individual"]
    metric: Literal["total_variation", "relative"] = "total_variation"
    distance: dict[str, Distance] = Field(
        description="For each attribute a number (distance of any two different values), {scale: s} (s a step), "
        "{numbers: …, scale: s} (s a unit) or {matrix: …}."
    )
    threshold: NonNegative | None = None
    title: Line | None = None
    headline: Flag | None = Field(
        None, description="Whether the summary begins with this measure; of one measure at most."
    )

    def find_problems(self, document: Document, process: Process, path: KeyPath) -> Iterator[SpecProblem]:
        """Every attribute exists; numbers and matrices have an entry for each of its values, and make a distance."""
        for name, distance in self.distance.items():
            place: KeyPath = (*path, "distance", name)
            absent = list(unknown_attribute(document, process, name, place, at_key=True))
            yield from absent
            if not absent and isinstance(distance, ScaleDistance | MatrixDistance):
                yield from distance.find_problems(document, process.attribute(name), place)

    def in_values_of(self, asked: Process, announced: Process) -> Self:
        """The measure as it is, if it knows no distances between values that had to be joined; refused if it does."""
        for name, distance in self.distance.items():
            joined = asked.attribute(name).values != announced.attribute(name).values
            if joined and isinstance(distance, ScaleDistance | MatrixDistance):
                raise refuse_joined(
                    f"individual fairness measures distances between values of '{name}', and some had to be joined.\n"
                    f"  Give '{name}' one number as its distance"
                )
        return self


# ``measure: error_rates``: equal opportunity, equalised odds, predictive parity, where what really happened
# is known.
#
# The *label* is an attribute that says so: whether a loan was repaid, whether somebody was arrested again.
# The favourable outcome was right for people whose label is one of the `positive` values, and wrong for all
# others.

ErrorRate = Literal[
    "equal_opportunity", "equalised_odds", "false_positive", "false_negative", "predictive_parity"
]
"""What two groups are compared in."""

ERROR_RATES: tuple[ErrorRate, ...] = get_args(ErrorRate)

RateKind = Literal["true_positive", "false_positive", "false_negative", "predictive"]
"""The rate of one group that tells how often decisions about it were right or wrong."""


class ErrorRates(GroupMeasure):
    """Differences between the error rates of two groups."""

    measure: Literal["error_rates"]
    label: Key = Field(description="The private attribute that tells what really happened.")
    positive: Names | None = Field(
        None,
        description="The values of the label for which the favourable outcome was right. Left out: the value of the "
        "same name as the favourable outcome; of a label with two values, the one at its place in the list.",
    )
    rates: Annotated[
        tuple[ErrorRate, ...],
        BeforeValidator(single_or_list),
        Field(min_length=1),
        WithJsonSchema(
            {
                "anyOf": [
                    {"enum": list(ERROR_RATES)},
                    {"type": "array", "items": {"enum": list(ERROR_RATES)}, "minItems": 1},
                ]
            }
        ),
    ] = ERROR_RATES
    threshold: UnitNumber | None = None
    title: Line | None = None

    @property
    def attributes_used(self) -> tuple[str, ...]:
        """The attributes that tell whom a figure of it is about."""
        return (*super().attributes_used, self.label)

    def positive_values(self, process: Process) -> tuple[str, ...]:
        """The values of the label for which the favourable outcome was right; none where that cannot be told."""
        if self.positive is not None:
            return self.positive
        label, outcome = process.attribute(self.label), process.outcome
        if outcome.favourable in label.known_values:
            return (outcome.favourable,)
        if len(label.known_values) == len(outcome.values) == 2 and outcome.favourable in outcome.values:
            return (label.known_values[outcome.values.index(outcome.favourable)],)
        return ()

    def negative_values(self, process: Process) -> tuple[str, ...]:
        """The other values of the label, without the one that means "unknown"."""
        positive = self.positive_values(process)
        return tuple(value for value in process.attribute(self.label).known_values if value not in positive)

    def in_values_of(self, asked: Process, announced: Process) -> Self:
        """The measure of the same people on a process whose values are those that are announced."""
        return (
            super()
            .in_values_of(asked, announced)
            .model_copy(update={"positive": self.positive_values(asked)})
        )

    def find_problems(self, document: Document, process: Process, path: KeyPath) -> Iterator[SpecProblem]:
        """As of any measure of groups; and the label is a private attribute with values on both sides."""
        yield from super().find_problems(document, process, path)
        if isinstance(value_at(document.root, path).get("rates"), list):
            yield from listed_twice(document, (*path, "rates"), self.rates)
        place: KeyPath = (*path, "label")
        absent = list(unknown_attribute(document, process, self.label, place))
        yield from absent
        if absent:
            return
        label = process.attribute(self.label)
        if label.role != "private" or label.joined:
            yield document.problem(
                place,
                f"'{self.label}' cannot be a label: it is {'joined' if label.joined else label.role}",
                "what really happened is a private attribute ('role: private'), and every value stands for itself",
            )
        if self.label in super().attributes_used:
            yield document.problem(
                place, f"'{self.label}' already defines the groups", "choose another label"
            )
        yield from self._check_positive(document, process, path)

    def _check_positive(self, document: Document, process: Process, path: KeyPath) -> Iterator[SpecProblem]:
        known, place = process.attribute(self.label).known_values, (*path, "positive")
        for value in self.positive or ():
            if value not in known:
                hint = did_you_mean(value, known, listing="its known values")
                yield document.problem(place, f"'{value}' is not a known value of '{self.label}'", hint)
        if not self.positive_values(process):
            yield document.problem(
                (*path, "label"),
                f"it does not say for which values of '{self.label}' '{process.outcome.favourable}' was right",
                f"add 'positive: …'; its values: {', '.join(known)}",
            )
        elif not self.negative_values(process):
            yield document.problem(
                place, f"every known value of '{self.label}' is positive", "leave at least one out"
            )


AnyMeasure = (
    StatisticalParity
    | ConditionalStatisticalParity
    | PPercentRule
    | ImpactRatio
    | OddsRatio
    | GroupDisparity
    | ErrorRates
    | IndividualFairness
)

Measure = Annotated[AnyMeasure, Discriminator("measure")]
"""An entry of the section: which measure it is, its key `measure` says."""

MEASURES: dict[str, type[AnyMeasure]] = {
    get_args(model.model_fields["measure"].annotation)[0]: model for model in get_args(AnyMeasure)
}
"""The model of each measure, by the measure's name."""


def labels_of(measures: Iterable[AnyMeasure]) -> tuple[str, ...]:
    """The attributes that only tell what really happened: they count in error rates, and explain nothing."""
    return tuple(dict.fromkeys(each.label for each in measures if isinstance(each, ErrorRates)))
