"""What single values of a spec may be (texts, names, numbers, dates), and what every section has in common."""

import datetime as dt
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, WithJsonSchema, model_validator

from atreport.errors import DECEIVING
from atreport.spec.yaml import Plain, looks_like_number, parse_number

_UNSEEN = ("Cc", "Cs", "Cn", "Zl", "Zp")
"""Kinds of characters that no text has: control characters, halves and places without a character, separators of lines."""

SCALAR_SCHEMA = {"type": ["string", "number", "boolean"]}


def read_text(value: object) -> str:
    """A text or label, exactly as the author wrote it (``no``, ``010`` and ``1.0`` included)."""
    if isinstance(value, Plain) and value.is_null:
        raise ValueError("a text is missing here")
    if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal):
        raise ValueError("expected a single text")
    text = str(value).strip()
    if not text:
        raise ValueError("this text is empty")
    if any(c in DECEIVING for c in text):
        raise ValueError(
            "characters that turn the direction of writing are not allowed: a text must be what it looks like"
        )
    if any(unicodedata.category(c) in _UNSEEN and c not in "\n\t" for c in text):
        raise ValueError("control characters are not allowed in a text")
    return text


def read_number(value: object) -> Decimal:
    """An exact decimal number, read by YAML 1.2 rules."""
    if isinstance(value, bool):
        raise ValueError("expected a number")
    if isinstance(value, int | float | Decimal):
        return _bounded(Decimal(repr(value)) if isinstance(value, float) else Decimal(value))
    if isinstance(value, Plain):
        number = parse_number(value)
        if number is not None:
            return _bounded(number)
        if looks_like_number(value):
            raise ValueError(_OUT_OF_BOUNDS)
        raise ValueError("a number is missing here" if value.is_null else f"'{value}' is not a number")
    if isinstance(value, str):
        raise ValueError(f'"{value}" is a text; write the number without quotes')
    raise ValueError("expected a number")


_OUT_OF_BOUNDS = "this number is too large, or has too many digits or decimals"


def _bounded(number: Decimal) -> Decimal:
    """A number that can be calculated with at all: below 10^16 and with at most 40 decimals."""
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int) or number.adjusted() > 15 or exponent < -40:
        raise ValueError(_OUT_OF_BOUNDS)
    return number


def handy(number: Decimal) -> Decimal:
    """A number that can be calculated with exactly at no great cost."""
    exponent = number.as_tuple().exponent
    if number and (not isinstance(exponent, int) or number.adjusted() > 12 or exponent < -12):
        raise ValueError(f"{number} is too large or has more than 12 decimals")
    return number


def read_whole_number(value: object) -> int:
    """A whole number, read by YAML 1.2 rules."""
    number = read_number(value)
    if number != number.to_integral_value():
        raise ValueError(f"{value} is not a whole number")
    return int(number)


def read_flag(value: object) -> bool:
    """A truth value, read by YAML 1.2 rules: `true` or `false`, and nothing else."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in {"true", "false"}:
        if isinstance(value, Plain):
            return value.lower() == "true"
        raise ValueError(f'"{value}" is a text; write {value.lower()} without quotes')
    raise ValueError(
        f"'{value}' is neither true nor false" if isinstance(value, str) else "expected true or false"
    )


def read_date(value: object) -> dt.date:
    """A day, written as year-month-day."""
    if isinstance(value, dt.date):
        return value
    try:
        return dt.date.fromisoformat(str(value))
    except ValueError:
        raise ValueError(f"'{value}' is not a date; write it as year-month-day, such as 2026-01-15") from None


def _name(text: str) -> str:
    if any(c in text for c in "\n\t"):
        raise ValueError("a name may not contain a tab or a line break")
    if len(text) > 80:
        raise ValueError("a name may have at most 80 characters")
    return text


def _one_line(text: str) -> str:
    return " ".join(text.split())


def single_or_list(value: object) -> object:
    """One entry may be written without the brackets of a list."""
    return value if isinstance(value, list | tuple) else [value]


@dataclass(frozen=True)
class Words:
    """Marks a type: a text of it is in the publisher's own words, and may be translated into another language."""


OwnWords = Annotated[str, Words()]
"""A text in the publisher's own words, wherever it stands."""

Wording = Annotated[str, BeforeValidator(read_text), WithJsonSchema(SCALAR_SCHEMA)]
"""A text that stands for another, in words that are not to be exchanged again."""
Text = Annotated[Wording, Words()]
Code = Annotated[str, BeforeValidator(read_text), AfterValidator(_one_line), WithJsonSchema(SCALAR_SCHEMA)]
"""A line that says the same in every language: an address, a number, a version."""
Line = Annotated[Code, Words()]
Key = Annotated[str, BeforeValidator(read_text), AfterValidator(_name), WithJsonSchema(SCALAR_SCHEMA)]
"""A name by which the parts of a spec and the columns of tables are found; readers may be told another (a label)."""
Name = Annotated[Key, Words()]


Flag = Annotated[bool, BeforeValidator(read_flag), WithJsonSchema({"type": "boolean"})]


def whole(low: int, high: int, unit: str = "") -> tuple[BeforeValidator, AfterValidator, WithJsonSchema]:
    """What reads a whole number with inclusive limits, perhaps of some unit; stands in an `Annotated[int, …]`."""

    def check(number: int) -> int:
        if not low <= number <= high:
            words = f"from {low} to {high} {unit}" if unit else f"a whole number from {low} to {high}"
            raise ValueError(f"must be {words}, not {number}")
        return number

    schema = {"type": "integer", "minimum": low, "maximum": high}
    return BeforeValidator(read_whole_number), AfterValidator(check), WithJsonSchema(schema)


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

    @property
    def reading(self) -> tuple[BeforeValidator, AfterValidator, WithJsonSchema]:
        """What reads such a number; stands in an `Annotated[Decimal, …]`."""
        return BeforeValidator(read_number), AfterValidator(self.check), WithJsonSchema(self.schema)


UnitNumber = Annotated[Decimal, *Limits(0, 1).reading]
PositiveUnitNumber = Annotated[Decimal, *Limits(0, 1, above=True).reading]
Number = Annotated[
    Decimal, BeforeValidator(read_number), AfterValidator(handy), WithJsonSchema({"type": "number"})
]
NonNegative = Annotated[Decimal, *Limits(0).reading]
DistanceNumber = Annotated[NonNegative, AfterValidator(handy)]
Factor = Annotated[Decimal, *Limits(1).reading, AfterValidator(handy)]
"""How many times as much: at least 1."""


class Section(BaseModel):
    """A section of the spec: unknown keys are refused, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


def not_one_of(section: BaseModel, names: Iterable[str], beside: str = "") -> str | None:
    """What is wrong where a section does not have exactly one of these keys."""
    given = [name for name in names if getattr(section, name) is not None]
    if len(given) == 1:
        return None
    return f"give exactly one of {', '.join(names)}{beside} (found {' and '.join(given) or 'none'})"


class OneOf(Section):
    """A section in which exactly one of the keys is given."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1, "maxProperties": 1})

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        if problem := not_one_of(self, type(self).model_fields):
            raise ValueError(problem)
        return self
