"""What the columns of a data frame are in a spec: the outcome, attributes, numbers of people, probabilities."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from atreport.errors import InvalidInput, Location, SpecProblem
from atreport.resources import load_library
from atreport.spec.mapping import keys_in_words
from atreport.spec.yaml import KeyPath, did_you_mean
from atreport.text.language import count
from atreport.text.numbers import counted

# Turn a column of a data frame into labels, each as a reader would write it, in an order that tells nothing
# of the rows.

MOST_VALUES = 24
"""A column with more different entries than this is no category, unless its values are listed."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Labelled:
    """A column as texts."""

    texts: NDArray[np.object_]  # empty where an entry is missing
    # every text that occurs: categories and numbers in their order, other texts in the alphabet's
    values: tuple[str, ...]
    is_number: bool
    declared: bool  # a categorical column, whose author listed its values

    @property
    def missing(self) -> int:
        """How many entries are missing."""
        return int((self.texts == "").sum())


_NUMBERS = (int, float, Decimal, np.number, np.bool_)


def label_of(value: object) -> str:
    """An entry as a label: texts without blanks around them, whole numbers without a point. Empty where it is missing.

    Raises :class:`ValueError` for what is no label: a date, a list, an object.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool | int):
        return str(value)
    if isinstance(value, Decimal):
        value = int(value) if value == value.to_integral_value() else value
        return f"{value:f}".rstrip("0") if isinstance(value, Decimal) else str(value)
    if isinstance(value, float):
        if math.isnan(value):
            return ""
        # a column of whole numbers becomes one of floating point where an entry is missing: 1.0 is the label 1
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    if isinstance(value, pd.Interval):
        return _interval_label(value)
    if value is None or value is pd.NA or value is pd.NaT:
        return ""
    raise ValueError(f"holds entries of type {type(value).__name__}, which are no labels")


def _interval_label(interval: pd.Interval[Any]) -> str:
    """What ``pd.cut`` makes of numbers, as a label that says which end belongs to it: over 30 to 50; 30 to under 50."""
    low, high = label_of(interval.left), label_of(interval.right)
    if math.isinf(interval.left):
        return f"{'up to' if interval.closed_right else 'under'} {high}"
    if math.isinf(interval.right):
        return f"{low} and over" if interval.closed_left else f"over {low}"
    return (
        f"{'' if interval.closed_left else 'over '}{low} to {'' if interval.closed_right else 'under '}{high}"
    )


def labelled(column: pd.Series[Any]) -> Labelled:
    """A column as texts. Raises :class:`ValueError` where an entry is no label."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes = column.cat.codes.to_numpy()
        distinct = list(column.cat.categories)
        occurring = [distinct[code] for code in np.unique(codes[codes >= 0])]
    else:
        try:
            codes, found = pd.factorize(column)
        except TypeError:
            raise ValueError("holds lists or other entries that are no labels") from None
        distinct = occurring = list(found)
    labels = np.array([*map(label_of, distinct), ""], dtype=object)  # the last for code -1: missing
    declared = isinstance(column.dtype, pd.CategoricalDtype)
    numbers = bool(occurring) and all(isinstance(value, _NUMBERS) for value in occurring)
    if not declared:
        by: Callable[[Any], Any] = float if numbers else label_of
        occurring = sorted(occurring, key=by)
    values = dict.fromkeys(label for label in map(label_of, occurring) if label)
    return Labelled(
        texts=labels[codes],
        values=tuple(values),
        is_number=numbers and not declared,
        declared=declared,
    )


# Turn a data frame of any library into one of pandas: by the Arrow PyCapsule interface, or the interchange
# protocol.


def read_frame(frame: object) -> pd.DataFrame:
    """The frame as pandas has it. Raises :class:`InvalidInput` where this is none, or has a column twice."""
    read = _converted(frame)
    names = [str(name) for name in read.columns]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InvalidInput(
            [
                _problem(f"column '{name}' appears twice", "give each column a name of its own")
                for name in twice
            ]
        )
    if not len(read):
        raise InvalidInput([_problem("has no rows", "each decided case is a row, or each cell")])
    return read.set_axis(names, axis="columns")


def _converted(frame: object) -> pd.DataFrame:
    if isinstance(frame, pd.DataFrame):
        return frame
    if isinstance(frame, Mapping):
        return pd.DataFrame(dict(frame))
    try:
        if hasattr(frame, "__arrow_c_stream__"):
            arrow = load_library("pyarrow", "arrow", "data frames of other libraries than pandas")
            # integers stay integers beside missing ones: as floating point, large ones would be others
            read: pd.DataFrame = arrow.table(frame).to_pandas(integer_object_nulls=True)
            return read
        if hasattr(frame, "__dataframe__"):
            return pd.api.interchange.from_dataframe(frame)
    except (TypeError, ValueError) as error:  # one column by itself can be handed over too, and is no table
        raise InvalidInput([_problem(f"cannot be read as a table ({error})", _HINT)]) from None
    raise InvalidInput([_problem(f"a {type(frame).__name__} is no data frame", _HINT)])


_HINT = "give a data frame of pandas or Polars, or an Arrow table; of a LazyFrame, what collect() returns"


def _problem(message: str, hint: str) -> SpecProblem:
    return SpecProblem(location=Location("frame"), message=message, hint=hint)


# The arguments of ``make_report``, and which of them a place of the spec came from.

Number = float | Decimal
Names = str | Sequence[str]
Labels = Sequence[str | bool | float]
Role = Literal["public", "sensitive", "private"]
ROLES: tuple[Role, ...] = ("public", "sensitive", "private")


@dataclass(frozen=True, kw_only=True)
class Arguments:
    """What ``make_report`` was asked for, beside the frame. Holds no row of it."""

    outcome: str
    favourable: str | bool | float
    public: Names
    sensitive: Names
    private: Names
    count: str | None
    probability: str | Mapping[str, str] | None
    bounds: tuple[str, str] | None
    values: Mapping[str, Labels]
    bins: Mapping[str, str | Sequence[Number]]
    missing: str | Mapping[str, Any]
    estimate: str | Mapping[str, Any]
    attributes: Mapping[str, Mapping[str, Any]]
    fairness: Sequence[Mapping[str, Any]]
    title: str | None
    more: Mapping[str, Any]
    others: Mapping[
        str, Any
    ]  # what goes into the spec as it is: numbers of the policy, who publishes it when

    def misshapen(self) -> list[SpecProblem]:
        """Arguments of a kind that nothing can be made of. The rest is only read where there are none."""
        kinds: dict[str, tuple[type | tuple[type, ...], str]] = {
            **dict.fromkeys(("outcome", "count"), (str, "the name of a column")),
            **dict.fromkeys(ROLES, ((str, Sequence), "a list of columns")),
            **dict.fromkeys(
                ("values", "bins", "attributes"), (Mapping, "a dictionary with the columns as keys")
            ),
            "probability": ((str, Mapping), "the name of a column, or a dictionary from outcomes to columns"),
            "missing": ((str, Mapping), "'error', 'exclude' or a dictionary"),
            "bounds": ((tuple, list), "two columns: of the lower bounds and of the upper ones"),
            "fairness": ((Sequence, Mapping), "a list of measures"),
            "more": (Mapping, "a dictionary with the sections of a spec as keys"),
        }
        return [
            SpecProblem(
                location=Location(name), message=f"expected {expected}", hint=f"not a {type(given).__name__}"
            )
            for name, (kind, expected) in kinds.items()
            if (given := getattr(self, name)) is not None and not isinstance(given, kind)
        ]

    def named(self, role: Role) -> tuple[str, ...]:
        """The columns with a role; one alone may be given without a list."""
        given: Names = getattr(self, role)
        return (given,) if isinstance(given, str) else tuple(map(str, given))

    @cached_property
    def roles(self) -> dict[str, Role]:
        """The role of every attribute, in the order of the report; the first where a column was given two."""
        found: dict[str, Role] = {}
        for role in ROLES:
            for name in self.named(role):
                found.setdefault(name, role)
        return found

    def argument_at(self, path: KeyPath) -> str:
        """The argument that a place of the spec came from."""
        match path:
            case ():
                return "make_report"
            case ("process", "outcome", "values", *_):
                return f"values['{self.outcome}']" if self.outcome in self.values else "outcome"
            case ("process", "outcome", "bins", *_) | ("source", "records", "bins", *_):
                return keys_in_words(("bins", *path[3:]))
            case ("process", "outcome", "favourable"):
                return "favourable"
            case ("process", "outcome", *_):
                return "outcome"
            case ("process", "attributes", int(index), *rest):
                return self._attribute_at(list(self.roles)[index], rest)
            case ("source", *_, "missing" | "estimate" | "bounds") | ("policy", "fidelity", "bounds"):
                return str(path[-1])
            case ("source", "records", "missing" | "estimate", *_):
                return keys_in_words(path[2:])
            case ("report", "title" | "publisher" | "version" | "date") | ("disclosure", "population"):
                return str(path[-1])
            case ("policy", "fidelity"):
                return "delta"
            case ("policy", "fidelity" | "privacy", *rest):
                return keys_in_words(tuple(rest)) if rest else "beta"
            case ("policy", "minimise" | "mechanism" | "small_cells" | "unprotectable" | "decimals", *_):
                return keys_in_words(path[1:])
            case ("fairness", *_):
                return keys_in_words(path)
        return keys_in_words(("more", *path))

    def _attribute_at(self, name: str, rest: Sequence[str | int]) -> str:
        """An attribute: what was said of it by name, or the list of its role."""
        if rest and rest[0] == "values" and name in self.values:
            return f"values['{name}']"
        if rest and rest[0] in self.attributes.get(name, ()):
            return f"attributes['{name}']" + "".join(f"[{step!r}]" for step in rest)
        return f"{self.roles[name]} (column '{name}')"


MOST_ROWS = 20_000_000
"""A column of counts may stand for this many cases."""

PLACEHOLDERS = ("?", "??")
"""The values of a column that does not exist, so that what else is wrong can be found too."""


class FrameColumns:
    """Reads the columns that the arguments name, and collects what is wrong with them."""

    def __init__(self, frame: pd.DataFrame, arguments: Arguments, problems: list[SpecProblem]) -> None:
        self.frame, self.arguments, self.problems = frame, arguments, problems
        self._refuse_two_roles()
        self._refuse_what_cells_lack()
        self.texts = {name: texts for name, argument in self._used() if (texts := self._read(name, argument))}

    def _report(self, argument: str, message: str, hint: str | None = None) -> None:
        self.problems.append(SpecProblem(location=Location(argument), message=message, hint=hint))

    def _used(self) -> Iterable[tuple[str, str]]:
        """The columns that hold labels, each with the argument that names it."""
        yield from self.arguments.roles.items()
        if not self._are_cells:
            yield self.arguments.outcome, "outcome"

    @property
    def _are_cells(self) -> bool:
        """Whether a row is a cell with probabilities, and not a case with a decision."""
        return self.arguments.probability is not None

    def _refuse_two_roles(self) -> None:
        named: list[tuple[str, str]] = [(name, role) for role in ROLES for name in self.arguments.named(role)]
        if not self._are_cells:
            named.insert(0, (self.arguments.outcome, "outcome"))
        first: dict[str, str] = {}
        for name, argument in named:
            if name in first:
                before = "here" if first[name] == argument else f"under {first[name]}"
                self._report(
                    argument, f"column '{name}' is named {before} already", "give each column one role"
                )
            first.setdefault(name, argument)

    def _refuse_what_cells_lack(self) -> None:
        """Arguments that make sense for cases only."""
        given = self.arguments
        if not self._are_cells:
            return
        for name, usual in (("bins", {}), ("missing", "error"), ("estimate", "frequency")):
            if getattr(given, name) != usual:
                hint = f"leave '{name}' out, or give the decided cases"
                self._report(name, "each row is a cell with its probabilities, not a case", hint)
        if given.count is None:
            self._report("count", "cells need a number of people", "name the column that holds it")

    def _column(self, name: str, argument: str) -> pd.Series[Any] | None:
        if name not in self.frame.columns:
            hint = did_you_mean(name, list(self.frame.columns), listing="the columns")
            self._report(argument, f"there is no column '{name}'", hint)
            return None
        return self.frame[name]

    def _read(self, name: str, argument: str) -> Labelled | None:
        """A column as labels, with what its author should know of it."""
        column = self._column(name, argument)
        if column is None:
            return None
        try:
            read = labelled(column)
        except ValueError as error:
            self._report(argument, f"column '{name}' {error}", "turn it into texts or numbers first")
            return None
        rule = self._missing_rule(name)
        if read.missing and rule == "error":
            value = "" if argument == "outcome" else f", or missing={{'{name}': {{'value': 'unknown'}}}}"
            self._report(
                argument,
                f"column '{name}' is missing in {count(read.missing)} of {counted(len(column), 'row')}",
                f"say what to do: missing='exclude'{value}",
            )
        listed = name in self.arguments.values or name in self.arguments.bins or read.declared
        if len(read.values) > MOST_VALUES and not listed:
            edges = ", ".join(read.values[len(read.values) * i // 3] for i in (1, 2))
            hint = (
                f"say where one value ends and the next begins: bins={{'{name}': [{edges}]}}"
                if read.is_number
                else "leave it out if it is a name or a number of a case; else list its values: values={…}"
            )
            kind = "numbers" if read.is_number else "texts"
            self._report(argument, f"column '{name}' has {count(len(read.values))} different {kind}", hint)
        return read

    def _label(self, argument: str, value: object) -> str:
        """A label that was given as an argument."""
        try:
            return label_of(value)
        except ValueError:
            self._report(argument, f"a {type(value).__name__} is no label", "give texts or numbers")
            return PLACEHOLDERS[0]

    @cached_property
    def _favourable(self) -> str:
        return self._label("favourable", self.arguments.favourable)

    def _missing_rule(self, name: str) -> Any:
        missing = self.arguments.missing
        if isinstance(missing, str):
            return missing
        return missing if _is_for_all(missing) else missing.get(name, "error")

    def _stands_for_missing(self, name: str) -> str | None:
        """The value of those of whom an attribute is not known, where entries are missing or one was named for it."""
        rule = self._missing_rule(name)
        if not isinstance(rule, Mapping) or "value" not in rule:
            return None
        named = not _is_for_all(self.arguments.missing)
        return str(rule["value"]) if named or (name in self.texts and self.texts[name].missing) else None

    def attribute(self, name: str) -> dict[str, Any]:
        """An entry of the process: role and values, and whatever else was said of it."""
        values = self._values(name)
        unknown = self._stands_for_missing(name)
        if unknown is not None and unknown not in values:
            values = [*values, unknown]
        said = dict(self.arguments.attributes.get(name, {}))
        return {
            "name": name,
            "role": self.arguments.roles[name],
            "values": values,
            "unknown": unknown,
            **said,
        }

    def _values(self, name: str) -> list[str]:
        """The values of a column: those listed, those of its bins, or those that occur."""
        edges = self.arguments.bins.get(name)
        if name in self.arguments.values:
            listed = [self._label(f"values['{name}']", value) for value in self.arguments.values[name]]
            self._refuse_unlisted(name, listed)
            return listed
        if isinstance(edges, str):
            hint = f"name them from low to high: values={{'{name}': ['low', 'high']}}"
            self._report(f"bins['{name}']", "the values are not named", hint)
            return list(PLACEHOLDERS)
        if edges is not None:
            return bin_names([self._label(f"bins['{name}']", edge) for edge in edges])
        return list(self.texts[name].values) if name in self.texts else list(PLACEHOLDERS)

    def _refuse_unlisted(self, name: str, listed: list[str]) -> None:
        """A value that occurs and is not listed would otherwise be a case without a place."""
        if name in self.arguments.bins or name not in self.texts:
            return
        for value in [value for value in self.texts[name].values if value not in listed][:MOST_VALUES]:
            hint = did_you_mean(value, listed, listing="listed") or "list it"
            self._report(f"values['{name}']", f"'{value}' occurs in column '{name}' and is not listed", hint)

    def outcome_values(self) -> list[str]:
        """What can be decided."""
        probability, favourable = self.arguments.probability, self._favourable
        if not self._are_cells or self.arguments.outcome in self.arguments.values:
            return self._values(self.arguments.outcome)
        return list(probability) if isinstance(probability, Mapping) else [f"not {favourable}", favourable]

    def favourable(self, values: Sequence[str]) -> str:
        """The outcome that people hope for."""
        favourable = self._favourable
        known = self._are_cells or self.arguments.outcome in self.texts
        if known and favourable not in values:
            hint = did_you_mean(favourable, values, listing="the outcomes")
            self._report("favourable", f"'{favourable}' is not an outcome", hint)
            return values[-1]
        return favourable if known else PLACEHOLDERS[0]

    def source(self, data: str) -> dict[str, Any]:
        """Where the spec finds the rows, and what it does with them."""
        if self._are_cells:
            return {"cells": data}
        given = self.arguments
        missing: Any = given.missing
        if isinstance(missing, Mapping):
            for_all = _is_for_all(missing)
            rules = (
                {name: missing for name in given.roles if self._stands_for_missing(name)}
                if for_all
                else missing
            )
            missing = {"rule": "error", "attributes": dict(rules)}
        bins = {name: edges for name, edges in given.bins.items() if name != given.outcome}
        records: dict[str, Any] = {"files": data, "missing": missing, "estimate": given.estimate}
        return {"records": {**records, **({"bins": bins} if bins else {})}}

    @cached_property
    def _people(self) -> NDArray[np.int64] | None:
        """How many people each row stands for; None where it is one."""
        if self.arguments.count is None:
            return None
        column = self._column(self.arguments.count, "count")
        if column is None:
            return None
        numbers = pd.to_numeric(column, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
        whole = np.isfinite(numbers) & (numbers >= 0) & (numbers == np.floor(numbers))
        if not whole.all():
            row = int(np.flatnonzero(~whole)[0])
            hint = "give numbers of people; weights of a survey are none, and no report counts people by them"
            message = (
                f"'{column.iloc[row]}' in column '{column.name}' (row {row}) is not a whole number of people"
            )
            self._report("count", message, hint)
            return None
        if numbers.sum() > MOST_ROWS and not self._are_cells:
            hint = "give cells with their 'probability', or a spec with a file of cells"
            self._report("count", f"more than {count(MOST_ROWS)} cases in all", hint)
            return None
        return numbers.astype(np.int64)

    def data(self) -> bytes:
        """The rows as CSV: only the columns that the report needs, with the labels it uses."""
        columns: dict[str, Any] = {name: labels.texts for name, labels in self.texts.items()}
        people = self._people
        if self._are_cells:
            columns |= self._probabilities()
            if people is not None:
                columns["population"] = people
        table = pd.DataFrame(columns)
        if people is not None and not self._are_cells:
            table = table.loc[np.repeat(np.arange(len(table)), people)]
        return table.to_csv(index=False, lineterminator="\n").encode()

    def _probabilities(self) -> dict[str, Any]:
        """The probability of each outcome, and the bounds of each cell, as they are given."""
        given = self.arguments
        probability = given.probability
        of_outcome = probability if isinstance(probability, Mapping) else {self._favourable: probability}
        wanted = [(outcome, str(column), "probability") for outcome, column in of_outcome.items()]
        if given.bounds is not None:
            wanted += [
                (end, name, "bounds") for end, name in zip(("lower", "upper"), given.bounds, strict=False)
            ]
        found = {name: self._column(column, argument) for name, column, argument in wanted}
        return {name: list(map(label_of, column)) for name, column in found.items() if column is not None}


def _is_for_all(missing: str | Mapping[str, Any]) -> bool:
    """Whether a rule for missing entries holds for every attribute: {"value": "unknown"}."""
    return (
        isinstance(missing, Mapping)
        and set(missing) == {"value"}
        and not isinstance(missing["value"], Mapping)
    )


def bin_names(edges: Sequence[str]) -> list[str]:
    """The names of the values between edges: under 30; 30 to under 50; 50 and over."""
    between = [f"{low} to under {high}" for low, high in pairwise(edges)]
    return [f"under {edges[0]}", *between, f"{edges[-1]} and over"] if edges else list(PLACEHOLDERS)
