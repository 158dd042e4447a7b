"""What a spec may say: one frozen model for each section of the YAML file.

These models check each value by itself. What only makes sense across sections (a measure names a group that exists, a
row names a value that was declared) is checked in :mod:`atreport.spec.load`.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    PrivateAttr,
    Tag,
    WithJsonSchema,
    model_validator,
)

from atreport.spec.yaml_tree import Document, Plain, parse_number

SCALAR_SCHEMA = {"type": ["string", "number", "boolean"]}
MAX_DECIMALS = 9
MAX_OUTCOMES = 12


def _text(value: object) -> str:
    """A text or label, exactly as the author wrote it (``no``, ``010`` and ``1.0`` included)."""
    if isinstance(value, Plain) and value.is_null:
        raise ValueError("a text is missing here")
    if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal):
        raise ValueError("expected a single text")
    text = str(value).strip()
    if not text:
        raise ValueError("this text is empty")
    if any(ord(c) < 32 and c not in "\n\t" for c in text):
        raise ValueError("control characters are not allowed in a text")
    return text


def _number(value: object) -> Decimal:
    """An exact decimal number, read by YAML 1.2 rules."""
    if isinstance(value, bool):
        raise ValueError("expected a number")
    if isinstance(value, int | float | Decimal):
        return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    if isinstance(value, Plain):
        number = parse_number(value)
        if number is not None:
            return number
        raise ValueError("a number is missing here" if value.is_null else f"'{value}' is not a number")
    if isinstance(value, str):
        raise ValueError(f'"{value}" is a text; write the number without quotes')
    raise ValueError("expected a number")


def _handy(number: Decimal) -> Decimal:
    """A number that can be calculated with exactly at no great cost."""
    exponent = number.as_tuple().exponent
    if number and (not isinstance(exponent, int) or number.adjusted() > 12 or exponent < -12):
        raise ValueError(f"{number} is too large or has more than 12 decimals")
    return number


def _whole_number(value: object) -> int:
    number = _number(value)
    if number != number.to_integral_value():
        raise ValueError(f"{value} is not a whole number")
    return int(number)


def _date(value: object) -> dt.date:
    if isinstance(value, dt.date):
        return value
    try:
        return dt.date.fromisoformat(str(value))
    except ValueError:
        raise ValueError(f"'{value}' is not a date; write it as year-month-day, such as 2026-01-15") from None


def _name(text: str) -> str:
    if any(c in text for c in "=,\n\t"):
        raise ValueError("a name may not contain '=', ',' or a line break")
    if len(text) > 80:
        raise ValueError("a name may have at most 80 characters")
    return text


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _english(text: str) -> str:
    if text.split("-")[0].lower() != "en":
        raise ValueError(
            f"the report's own words exist in English only; '{text}' would mislead screen readers"
        )
    return text


def _single_or_list(value: object) -> object:
    return value if isinstance(value, list | tuple) else [value]


Text = Annotated[str, BeforeValidator(_text), WithJsonSchema(SCALAR_SCHEMA)]
Line = Annotated[str, BeforeValidator(_text), AfterValidator(_one_line), WithJsonSchema(SCALAR_SCHEMA)]
Name = Annotated[str, BeforeValidator(_text), AfterValidator(_name), WithJsonSchema(SCALAR_SCHEMA)]


@dataclass(frozen=True)
class Limits:
    """Inclusive limits on a number (the lower one exclusive when `above`)."""

    low: int
    high: int | None = None
    above: bool = False

    def check(self, number: Decimal) -> Decimal:
        """The number, if it keeps the limits."""
        too_low = number <= self.low if self.above else number < self.low
        if too_low or (self.high is not None and number > self.high):
            words = f"{'more than' if self.above else 'at least'} {self.low}"
            words += f" and at most {self.high}" if self.high is not None else ""
            raise ValueError(f"must be {words}, not {number}")
        return number

    @property
    def schema(self) -> dict[str, Any]:
        """The limits as JSON Schema."""
        schema = {"type": "number", "exclusiveMinimum" if self.above else "minimum": self.low}
        return schema if self.high is None else {**schema, "maximum": self.high}


_UNIT, _POSITIVE_UNIT, _NOT_NEGATIVE = Limits(0, 1), Limits(0, 1, above=True), Limits(0)
UnitNumber = Annotated[
    Decimal, BeforeValidator(_number), AfterValidator(_UNIT.check), WithJsonSchema(_UNIT.schema)
]
PositiveUnitNumber = Annotated[
    Decimal,
    BeforeValidator(_number),
    AfterValidator(_POSITIVE_UNIT.check),
    WithJsonSchema(_POSITIVE_UNIT.schema),
]
Number = Annotated[
    Decimal, BeforeValidator(_number), AfterValidator(_handy), WithJsonSchema({"type": "number"})
]
NonNegative = Annotated[
    Decimal,
    BeforeValidator(_number),
    AfterValidator(_NOT_NEGATIVE.check),
    WithJsonSchema(_NOT_NEGATIVE.schema),
]

DistanceNumber = Annotated[NonNegative, AfterValidator(_handy)]


class Section(BaseModel):
    """A section of the spec: unknown keys are refused, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


class ReportInfo(Section):
    """Who publishes which version of the report, and when."""

    title: Line
    publisher: Line
    version: Line
    date: Annotated[dt.date, BeforeValidator(_date), WithJsonSchema({"type": "string", "format": "date"})]
    language: Annotated[Line, AfterValidator(_english)] = "en"
    contact: Line | None = None
    summary: Text | None = Field(
        None, description="A paragraph in the publisher's own words, set before the summary."
    )


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


def _row_text(value: object) -> str:
    if isinstance(value, Plain) and value.is_null:
        return ""
    if isinstance(value, str | int | float | Decimal) and not isinstance(value, bool):
        return str(value).strip()
    raise ValueError("expected a single value")


Row = dict[str, Annotated[str, BeforeValidator(_row_text), WithJsonSchema(SCALAR_SCHEMA)]]


class OneOf(Section):
    """A section in which exactly one of the keys is given."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1, "maxProperties": 1})

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        given = [name for name in type(self).model_fields if getattr(self, name) is not None]
        if len(given) != 1:
            names = ", ".join(type(self).model_fields)
            raise ValueError(f"give exactly one of {names} (found {' and '.join(given) or 'none'})")
        return self


class Source(OneOf):
    """Where the true decision mapping comes from: exactly one of the three."""

    table: tuple[Row, ...] | None = Field(
        None, description="Rows written out in the spec, one for each cell."
    )
    cells: Line | None = Field(None, description="A CSV or Parquet file with one row for each cell.")
    records: Line | None = Field(None, description="A file with one row for each decided case.")


class BoundColumns(Section):
    """The columns of the source that hold each cell's own bounds on the announced favourable probability."""

    lower: Name = "lower"
    upper: Name = "upper"


class Fidelity(OneOf):
    """How far an announced probability may be from the true one: exactly one of the three."""

    delta: UnitNumber | None = Field(None, description="|announced - true| is at most 1 - delta.")
    alpha: PositiveUnitNumber | None = Field(
        None, description="announced / true lies between alpha and 1/alpha."
    )
    bounds: BoundColumns | None = Field(None, description="Each row of the source gives its own bounds.")


class PrivacyCeiling(OneOf):
    """The highest confidence the publisher is ready to allow: exactly one of the two."""

    beta: PositiveUnitNumber | None = Field(None, description="The highest allowed confidence.")
    gamma: NonNegative | None = Field(None, description="The least required uncertainty, -log(beta).")


def _decimals(value: int) -> int:
    if not 1 <= value <= MAX_DECIMALS:
        raise ValueError(f"must be a whole number from 1 to {MAX_DECIMALS}, not {value}")
    return value


class Policy(Section):
    """What the publisher promises: fidelity to the truth, and privacy of the people."""

    fidelity: Fidelity
    privacy: PrivacyCeiling | None = None
    unprotectable: Literal["refuse", "suppress", "merge"] | None = Field(
        None,
        description="Groups that no perturbation can protect: refuse the report, leave them out, or join them with "
        "others along the attributes' hierarchies. When left out they are published with the confidence they have.",
    )
    objective: Literal["privacy", "fidelity"] = Field(
        "privacy",
        description="privacy: least confidence at this fidelity; fidelity: least distortion that keeps the ceiling.",
    )
    decimals: Annotated[
        int,
        BeforeValidator(_whole_number),
        AfterValidator(_decimals),
        WithJsonSchema({"type": "integer", "minimum": 1, "maximum": MAX_DECIMALS}),
    ] = 4


Values = Annotated[tuple[Name, ...], BeforeValidator(_single_or_list), Field(min_length=1)]
Condition = Annotated[
    dict[
        str,
        Annotated[
            Values, WithJsonSchema({"anyOf": [SCALAR_SCHEMA, {"type": "array", "items": SCALAR_SCHEMA}]})
        ],
    ],
    Field(min_length=1),
]
"""Attribute → the values it may take; several attributes must all hold."""


def _kind_of_groups(value: object) -> str:
    if isinstance(value, dict):
        return "named groups"
    return "combinations" if isinstance(value, list | tuple) else "an attribute"


Groups = Annotated[
    Annotated[Name, Tag("an attribute")]
    | Annotated[tuple[Name, ...], Field(min_length=2), Tag("combinations")]
    | Annotated[dict[str, Condition], Field(min_length=2), Tag("named groups")],
    Discriminator(_kind_of_groups),
]
"""An attribute (each value is a group), several (each combination that occurs), or named groups with conditions."""

Given = Annotated[
    tuple[Name, ...],
    BeforeValidator(_single_or_list),
    Field(min_length=1),
    WithJsonSchema({"anyOf": [SCALAR_SCHEMA, {"type": "array", "items": SCALAR_SCHEMA}]}),
]


class StatisticalParity(Section):
    """Difference between the favourable rates of two groups."""

    measure: Literal["statistical_parity"]
    groups: Groups
    threshold: UnitNumber | None = None
    title: Line | None = None


class ConditionalStatisticalParity(Section):
    """The same difference among people who are alike in the `given` attributes."""

    measure: Literal["conditional_statistical_parity"]
    groups: Groups
    given: Given
    threshold: UnitNumber | None = None
    title: Line | None = None


class PPercentRule(Section):
    """The lower favourable rate as a share of the higher; 0.8 is the four-fifths screening rule."""

    measure: Literal["p_percent_rule"]
    groups: Groups
    p: PositiveUnitNumber = Decimal("0.8")
    outcomes: Literal["favourable", "all"] = Field(
        "favourable",
        description="favourable: compare favourable rates; all: the smallest ratio over all outcomes.",
    )
    title: Line | None = None


class ImpactRatio(Section):
    """Each group's favourable rate as a share of the most favoured group's; 0.8 is the four-fifths screening rule."""

    measure: Literal["impact_ratio"]
    groups: Groups
    p: PositiveUnitNumber = Decimal("0.8")
    title: Line | None = None


class GroupDisparity(Section):
    """The largest difference between the favourable rates of any two of the groups."""

    measure: Literal["group_disparity"]
    groups: Groups
    threshold: UnitNumber | None = None
    title: Line | None = None


def _kind_of_numbers(value: object) -> str:
    return "each value" if isinstance(value, dict) else "its values"


Numbers = Annotated[
    Annotated[Literal["values"], Tag("its values")] | Annotated[dict[str, Number], Tag("each value")],
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


class MatrixDistance(Section):
    """Distance of every value to every other, rows and columns in the order of the attribute's values."""

    matrix: tuple[tuple[DistanceNumber, ...], ...] = Field(
        min_length=1, description="Symmetric, with zeros on the diagonal."
    )


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


class IndividualFairness(Section):
    """By how much people are treated more differently than they differ."""

    measure: Literal["individual"]
    metric: Literal["total_variation", "relative"] = "total_variation"
    distance: dict[str, Distance] = Field(
        description="For each attribute a number (distance of any two different values), {scale: s} (s a step), "
        "{numbers: …, scale: s} (s a unit) or {matrix: …}."
    )
    threshold: NonNegative | None = None
    title: Line | None = None


Measure = Annotated[
    StatisticalParity
    | ConditionalStatisticalParity
    | PPercentRule
    | ImpactRatio
    | GroupDisparity
    | IndividualFairness,
    Discriminator("measure"),
]


class TitledText(Section):
    """A note with a heading of its own."""

    title: Line
    text: Text


class Withheld(Section):
    """Something the publisher leaves out, and why."""

    what: Line
    because: Text


class Disclosure(Section):
    """What the publisher adds to the standard notes, and how the population is published."""

    population: Literal["shares", "counts", "withheld"] = "shares"
    notes: tuple[TitledText, ...] = ()
    legal: tuple[Line, ...] = ()
    withheld: tuple[Withheld, ...] = ()


class PublicSpec(Section):
    """The spec's public text: all of it but the source, which holds or names the true decisions.

    This, and not :class:`Spec`, is what the public side is given.
    """

    report: ReportInfo
    process: Process
    policy: Policy
    fairness: tuple[Measure, ...]
    disclosure: Disclosure


def _format_one(number: int) -> int:
    if number != 1:
        raise ValueError(f"this program reads format 1, not {number}")
    return number


class Spec(Section):
    """A whole report spec."""

    atreport: Annotated[
        int, BeforeValidator(_whole_number), AfterValidator(_format_one), WithJsonSchema({"const": 1})
    ] = Field(description="The version of this format: 1.")
    report: ReportInfo
    process: Process
    source: Source
    policy: Policy
    fairness: tuple[Measure, ...] = ()
    disclosure: Disclosure = Disclosure()

    _document: Document | None = PrivateAttr(default=None)

    @property
    def document(self) -> Document:
        """The YAML text the spec was read from, for messages and for finding data files."""
        if self._document is None:
            raise ValueError("this spec was not read from a file; use load_spec")
        return self._document

    @property
    def public(self) -> PublicSpec:
        """What may cross the wall: everything but the source."""
        return self.public_with(self.process)

    def public_with(self, process: Process) -> PublicSpec:
        """The same with the process as announced, where groups had to be joined under coarser values."""
        return PublicSpec(
            report=self.report,
            process=process,
            policy=self.policy,
            fairness=self.fairness,
            disclosure=self.disclosure,
        )

    @property
    def name(self) -> str:
        """The name of the output folder: the spec's file name without its ending."""
        return self.document.path.stem
