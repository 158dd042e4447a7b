"""``measure: error_rates``: equal opportunity, equalised odds, predictive parity, where what really happened is known.

The *label* is an attribute that says so: whether a loan was repaid, whether somebody was arrested again. The favourable
outcome was right for people whose label is one of the `positive` values, and wrong for all others.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Literal, Self, get_args

from pydantic import BeforeValidator, Field, WithJsonSchema

from atreport.errors import Problem
from atreport.spec.models.measures.groups import GroupMeasure
from atreport.spec.models.naming import Names, unknown_attribute
from atreport.spec.models.process import Process
from atreport.spec.models.values import Key, Line, UnitNumber, single_or_list
from atreport.spec.problems import did_you_mean, listed_twice, value_at
from atreport.spec.yaml import Document, KeyPath

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
    def limit(self) -> Decimal | None:
        """What each figure should not exceed."""
        return self.threshold

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

    def find_problems(self, document: Document, process: Process, path: KeyPath) -> Iterator[Problem]:
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

    def _check_positive(self, document: Document, process: Process, path: KeyPath) -> Iterator[Problem]:
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
