"""What every part of a report has in common, and what its numbers are: exactly the printed ones.

A number is a :class:`~decimal.Decimal` with all its printed decimals, never a floating-point neighbour. Read from JSON, it
gets the decimals that the report's policy states (the reader hands them over as validation context), and a number with more
digits than that is refused. A text is no number.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, DefaultContext, InvalidOperation
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    GetJsonSchemaHandler,
    PlainValidator,
    Strict,
    ValidationInfo,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import CoreSchema

from atreport.core.band import Range
from atreport.measures.chance import LEVEL
from atreport.spec.values import OwnWords
from atreport.text.numbers import nearest, rounded_down, rounded_up

Verdict = Literal["meets", "does_not_meet", "cannot_tell"]

_CONTEXT = DefaultContext
"""What numbers are calculated with: their digits are limited."""


class ReportModel(BaseModel):
    """A part of a report: unknown keys are refused, values never change, and a key that is not stated is not written.

    What this program leaves as None where a key may be left out is not stated.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, defer_build=True)

    may_be_null: ClassVar[frozenset[str]] = (
        frozenset()
    )  # keys that may be left out, and null where they are not
    leading: ClassVar[tuple[str, ...]] = ()  # fields that are written before those of a more general part

    @model_validator(mode="before")
    @classmethod
    def _said_in_one_way(cls, data: Any, info: ValidationInfo) -> Any:
        """A key that may be left out is not stated as null, and a key that is read is not called what it is called here."""
        if not isinstance(data, dict):
            return data
        keys = _keys(cls)
        if info.context is None:  # made by this program
            return {
                key: value for key, value in data.items() if value is not None or key not in keys.never_null
            }
        for key, value in data.items():
            if value is None and key in keys.never_null:
                raise ValueError(f"'{key}' is null; leave it out")
            if key in keys.renamed:
                raise ValueError(f"'{key}' is no key; '{keys.renamed[key]}' is")
        return data

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """The schema says the same: a key that may be left out is not null where it is there."""
        schema = handler.resolve_ref_schema(handler(core_schema))
        for name, part in schema.get("properties", {}).items():
            if part.pop("default", ...) is None and name not in cls.may_be_null:
                choices = [choice for choice in part.pop("anyOf", ()) if choice != {"type": "null"}]
                part.update(choices[0] if len(choices) == 1 else {"anyOf": choices})
        return schema

    def as_json(self) -> dict[str, Any]:
        """The part as JSON has it: what is stated, under its names, in their order."""
        stated = self.model_fields_set
        return {key: plain(getattr(self, name)) for name, key in _keys(type(self)).written if name in stated}


@dataclass(frozen=True)
class _Keys:
    """What a part calls its fields in JSON. Found once for each kind of part: there are reports of 10,000 cells."""

    written: tuple[tuple[str, str], ...]  # fields and their keys, in the order in which they are written
    renamed: Mapping[str, str]  # those with another name in JSON than here
    never_null: frozenset[str]  # fields that are left out where nothing is stated


@cache
def _keys(part: type[ReportModel]) -> _Keys:
    fields = part.model_fields
    return _Keys(
        written=tuple((name, fields[name].alias or name) for name in dict.fromkeys((*part.leading, *fields))),
        renamed={name: field.alias for name, field in fields.items() if field.alias not in (None, name)},
        never_null=frozenset(
            key
            for name, field in fields.items()
            if not field.is_required() and name not in part.may_be_null
            for key in (name, field.alias or name)
        ),
    )


def plain(value: Any) -> Any:
    """A value of a report as JSON has it. What is most frequent in a report is asked about first."""
    match value:
        case Decimal():
            return float(value)
        case str() | int() | None:
            return value
        case dict():
            return {key: plain(entry) for key, entry in value.items()}
        case tuple() | list():
            return [plain(entry) for entry in value]
        case ReportModel():
            return value.as_json()
        case dt.date():
            return value.isoformat()
    return value


@cache
def _step(decimals: int) -> Decimal:
    """One in the last of so many decimals."""
    return Decimal(1).scaleb(-decimals)


@dataclass(frozen=True)
class _Printed:
    """Reads one kind of number."""

    decimals: str | int | None  # how many: a key of the policy, a number, or None for as many as are written
    low: int | None = None
    high: int | None = None
    above: bool = False  # the lower limit itself is not allowed

    def __call__(self, value: Any, info: ValidationInfo) -> Decimal:
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            raise ValueError("expected a number")
        number = Decimal(value)
        if (self.low is not None and (number <= self.low if self.above else number < self.low)) or (
            self.high is not None and number > self.high
        ):
            raise ValueError(f"{number} is not {self._limits}")
        try:
            if len(number.as_tuple().digits) > _CONTEXT.prec:
                raise InvalidOperation
            return self._with_decimals(number, info)
        except InvalidOperation:  # no more digits are calculated with, and none are cut off unseen
            raise ValueError(f"a number has more than {_CONTEXT.prec} digits") from None

    def _with_decimals(self, number: Decimal, info: ValidationInfo) -> Decimal:
        if self.decimals is None:
            short = number.normalize()
            return short.quantize(Decimal(1)) if short.as_tuple().exponent > 0 else short  # type: ignore[operator]
        wanted = (info.context or {}).get(self.decimals) if isinstance(self.decimals, str) else self.decimals
        if wanted is None:  # made by this program, and as it is printed
            return number
        printed = number.quantize(_step(wanted))
        if printed != number:
            raise ValueError(f"{number} has more digits than are printed")
        return printed

    @property
    def _limits(self) -> str:
        least = f"{'more than' if self.above else 'at least'} {self.low}"
        return least if self.high is None else f"{least} and at most {self.high}"

    @property
    def schema(self) -> dict[str, Any]:
        found: dict[str, Any] = {"type": "number"}
        if self.low is not None:
            found["exclusiveMinimum" if self.above else "minimum"] = self.low
        return found if self.high is None else {**found, "maximum": self.high}


def _people_or_share(value: Any, info: ValidationInfo) -> Decimal | int:
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    return _SHARE(value, info)


_FIGURE, _AMOUNT, _UNIT = _Printed("decimals"), _Printed("decimals", 0), _Printed("decimals", 0, 1)
_FACTOR, _FACTOR_NUMBER = _Printed("decimals", 1), _Printed(None, 1)
_SHARE, _BOUND = _Printed("share_decimals", 0, 1, above=True), _Printed("bound_decimals", 0, 1)
_RATIO = _Printed("share_decimals", 0, above=True)
_NUMBER, _NUMBER_AT_LEAST_0, _NUMBER_UNIT = _Printed(None), _Printed(None, 0), _Printed(None, 0, 1)
_HUNDREDTHS, _TEN_THOUSANDTHS = _Printed(2, 0, 1), _Printed(4, 0, 1)

Whole = Annotated[int, Strict()]
"""A whole number: neither a text nor true or false."""
Flag = Annotated[bool, Strict()]
"""True or false: neither a text nor a number."""
Figure = Annotated[Decimal, PlainValidator(_FIGURE), WithJsonSchema(_FIGURE.schema)]
"""A printed figure, which may be negative."""
Amount = Annotated[Decimal, PlainValidator(_AMOUNT), WithJsonSchema(_AMOUNT.schema)]
"""A printed figure of at least 0."""
Unit = Annotated[Decimal, PlainValidator(_UNIT), WithJsonSchema(_UNIT.schema)]
"""A printed figure from 0 to 1."""
Factor = Annotated[Decimal, PlainValidator(_FACTOR), WithJsonSchema(_FACTOR.schema)]
"""How many times as much, a printed figure of at least 1. More than 15 digits are rounded up to 15."""
Share = Annotated[Decimal, PlainValidator(_SHARE), WithJsonSchema(_SHARE.schema)]
"""The share of a cell in all people, with decimals of its own."""
Ratio = Annotated[Decimal, PlainValidator(_RATIO), WithJsonSchema(_RATIO.schema)]
"""Some people who are in no cell for each person in one, with the decimals of shares."""
Size = Annotated[
    Decimal | int, PlainValidator(_people_or_share), WithJsonSchema({"type": "number", "exclusiveMinimum": 0})
]
"""A number of people, or a share."""
Bound = Annotated[Decimal, PlainValidator(_BOUND), WithJsonSchema(_BOUND.schema)]
"""A bound that the policy gives a cell, with decimals of its own."""
Number = Annotated[Decimal, PlainValidator(_NUMBER), WithJsonSchema(_NUMBER.schema)]
"""A number of the spec, as short as it can be written."""
PositiveNumber = Annotated[
    Decimal, PlainValidator(_NUMBER_AT_LEAST_0), WithJsonSchema(_NUMBER_AT_LEAST_0.schema)
]
"""A number of the spec of at least 0."""
UnitNumber = Annotated[Decimal, PlainValidator(_NUMBER_UNIT), WithJsonSchema(_NUMBER_UNIT.schema)]
"""A number of the spec from 0 to 1."""
FactorNumber = Annotated[Decimal, PlainValidator(_FACTOR_NUMBER), WithJsonSchema(_FACTOR_NUMBER.schema)]
"""A number of the spec of at least 1."""
Hundredths = Annotated[Decimal, PlainValidator(_HUNDREDTHS), WithJsonSchema(_HUNDREDTHS.schema)]
TenThousandths = Annotated[Decimal, PlainValidator(_TEN_THOUSANDTHS), WithJsonSchema(_TEN_THOUSANDTHS.schema)]


def only_texts(value: Any) -> Any:
    """A part of the spec in which there are texts only: where an author may write a number, a report has its text."""
    if isinstance(value, dict | list):
        for entry in value.values() if isinstance(value, dict) else value:
            only_texts(entry)
    elif isinstance(value, bool | int | Decimal):
        raise ValueError("expected texts, not a number")
    return value


Condition = dict[str, tuple[OwnWords, ...]]
"""Attribute → the values it may take; all must hold. Empty: everybody."""


End = TypeVar("End", Decimal, int)


def _in_order(ends: tuple[End, End]) -> tuple[End, End]:
    if ends[0] > ends[1]:
        raise ValueError(f"an interval ends before it begins: {ends[0]} to {ends[1]}")
    return ends


Interval = Annotated[tuple[End, End], AfterValidator(_in_order)]
"""Two ends, the lower first."""


class Enclosed(ReportModel):
    """A part with a figure that lies in its interval: values are rounded to the nearest step, ends outward.

    So without exception, where both are given. What chance may have done (:class:`Sampling`) and what people of unknown
    group could make of a figure (`unknown`) is not enclosed: these intervals are about other figures than the one they
    stand beside, the rate in the long run and that of other groups, and need not hold it.
    """

    enclosed: ClassVar[str] = "value"  # the figure that the interval holds

    @model_validator(mode="after")
    def _holds_its_figure(self) -> Self:
        figure, ends = getattr(self, self.enclosed), getattr(self, "interval", None)
        if figure is not None and ends is not None and not ends[0] <= figure <= ends[1]:
            raise ValueError(f"{self.enclosed} {figure} is outside its own interval, {ends[0]} to {ends[1]}")
        return self


class IntervalEstimate(Enclosed):
    """A figure as announced, and the interval in which the true one lies for certain; ends are rounded outward."""

    value: Figure
    interval: Interval[Figure]

    @property
    def low(self) -> Decimal:
        """The least that the true figure can be."""
        return self.interval[0]

    @property
    def high(self) -> Decimal:
        """The most that the true figure can be."""
        return self.interval[1]


class Sampling(ReportModel):
    """What chance may have done, where the rule was estimated from records; no part of the certified interval.

    It is about the rate in the long run, and need not hold the announced one.
    """

    interval: Interval[Unit]
    level: UnitNumber
    method: str


# How an exact range becomes a printed figure: the value to the nearest step, the ends outward.
#
# Guarantee: the printed interval holds the ranges for all populations. Verdicts are drawn from the printed
# ends only.

PrintedInterval = tuple[Decimal, Decimal]


def printed_value(ranges: Sequence[Range], decimals: int) -> Decimal:
    """The value of the first range."""
    return nearest(ranges[0].value, decimals)


def printed_interval(ranges: Sequence[Range], decimals: int) -> PrintedInterval:
    """An interval that holds all the ranges."""
    low, high = min(r.low for r in ranges), max(r.high for r in ranges)
    return rounded_down(low, decimals), rounded_up(high, decimals)


def printed_chance(found: Range, decimals: int, method: str) -> Sampling:
    """An interval for what chance may have done, rounded outward."""
    return Sampling(interval=printed_interval([found], decimals), level=LEVEL, method=method)


def verdict_on(
    interval: PrintedInterval | None,
    limit: Decimal | None,
    *,
    is_ratio: bool = False,
    at_least: Decimal | None = None,
) -> Verdict | None:
    """The verdict on a figure that should not exceed its limit, or on a ratio, which should reach it; None without a limit.

    Without an interval nothing bounds the figure, or nothing but that it is at least so much.
    """
    if limit is None:
        return None
    if interval is None:
        exceeds = not is_ratio and at_least is not None and at_least > limit
        return "does_not_meet" if exceeds else "cannot_tell"
    low, high = interval
    if low >= limit if is_ratio else high <= limit:
        return "meets"
    misses = high < limit if is_ratio else low > limit
    return "does_not_meet" if misses else "cannot_tell"
