"""The ``source`` section: where the true decision mapping comes from."""

from decimal import Decimal
from typing import Annotated, Literal, TypeVar

from pydantic import BeforeValidator, Discriminator, Field, Tag, WithJsonSchema

from atreport.spec.values import (
    SCALAR_SCHEMA,
    Line,
    Name,
    Number,
    OneOf,
    Section,
    Text,
    single_or_list,
    whole,
)
from atreport.spec.yaml import ANY_FORMAT, Plain

# The ``source.records`` section: decided cases, one a row, and how the decision rule is estimated from them.

MAX_DEPTH = 12
MAX_SECONDS = 86_400


def _kind(value: object) -> str:
    """Which of the ways to write an entry the author chose."""
    return "text" if isinstance(value, str) else "list" if isinstance(value, list | tuple) else "mapping"


Word = TypeVar("Word")
WrittenOut = TypeVar("WrittenOut")
_Short = Annotated[Annotated[Word, Tag("text")] | Annotated[WrittenOut, Tag("mapping")], Discriminator(_kind)]
"""A word or two, or the section that they are short for."""


class MissingValue(Section):
    """A missing entry becomes a value of its own, such as "unknown"."""

    value: Name


MissingRule = _Short[Literal["error", "exclude"], MissingValue]


class Missing(Section):
    """What is done with records in which something is missing."""

    marks: tuple[Text, ...] = Field((), description="Texts that mark a missing entry, beside an empty one.")
    rule: MissingRule = Field(
        "error", description="error, exclude (the number of records is published), or {value: unknown}."
    )
    attributes: dict[Name, MissingRule] = Field({}, description="Another rule for single attributes.")

    def rule_of(self, name: str) -> Literal["error", "exclude"] | MissingValue:
        """The rule for an attribute or the outcome."""
        return self.attributes.get(name, self.rule)


class Tree(Section):
    """A decision tree fitted to the records; its leaves are the decision regions."""

    attributes: tuple[Name, ...] | None = Field(
        None, description="The attributes it may look at; all of them when left out."
    )
    depth: Annotated[int, *whole(1, MAX_DEPTH, "levels")] | None = Field(
        None, description="How many questions deep; chosen by cross-validation when left out."
    )
    min_cases: Annotated[int, *whole(1, 10**9, "records")] = Field(
        5, description="The least number of records in a leaf."
    )


class Model(Section):
    """A trained model, asked for the probability of each outcome."""

    onnx: Line | None = Field(None, description="A model as an ONNX file, relative to the spec.")
    python: Line | None = Field(
        None, description="module:function; runs only where the command line allows it."
    )
    of: Literal["cells", "records"] = Field(
        "cells", description="cells: asked once a cell; records: asked about the columns of each record."
    )
    inputs: tuple[Name, ...] = Field(
        min_length=1,
        description="What the model is given, in its order: attributes, or columns of the records.",
    )
    numbers: dict[Name, dict[Name, Number]] = Field(
        {}, description="The number that stands for each value of an input, where the model takes numbers."
    )
    output: Line | None = Field(
        None, description="The model's output to read; the first fitting one if left out."
    )
    classes: tuple[Name, ...] | None = Field(
        None,
        description="The outcomes in the order of the model's output, where it does not name its classes.",
    )
    time_limit: Annotated[int, *whole(1, MAX_SECONDS, "seconds")] = 600


class EstimateMethod(OneOf):
    """How the rule is estimated: exactly one of the two."""

    tree: Tree | None = None
    model: Model | None = None


Bins = Annotated[
    Annotated[tuple[Number, ...], Tag("list"), Field(min_length=1)]
    | Annotated[Literal["quantiles", "tree"], Tag("text")],
    Discriminator(lambda value: "list" if _kind(value) == "list" else "text"),
]
"""Edges between the values of a number, or how to find them: equal shares of records, or the splits of a tree."""


DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
"""What can stand between the columns of a CSV file, by the word for it."""


class CsvFiles(Section):
    """How CSV files are written, where it is not with commas between columns and points in numbers."""

    delimiter: Literal["comma", "semicolon", "tab", "bar"] = Field(
        "comma", description="What stands between columns."
    )
    decimal: Literal["point", "comma"] = Field(
        "point", description="What stands before the decimals of a number."
    )

    @property
    def sign(self) -> str:
        """The character between columns."""
        return DELIMITERS[self.delimiter]


PLAIN_CSV = CsvFiles(delimiter="comma", decimal="point")

_Lines = Annotated[
    tuple[Line, ...],
    BeforeValidator(single_or_list),
    Field(min_length=1),
    WithJsonSchema({"anyOf": [SCALAR_SCHEMA, {"type": "array", "items": SCALAR_SCHEMA}]}),
]


class Records(Section):
    """Where the records are, what their columns mean, and how the rule is estimated from them."""

    files: _Lines | None = Field(
        None,
        description=f"{ANY_FORMAT}: a file, a pattern such as data/*.parquet, a hive folder, or a list of them.",
    )
    csv: CsvFiles = Field(
        PLAIN_CSV,
        description="How CSV files are written: their delimiter, and the decimal sign of their numbers.",
    )
    database: Line | None = Field(None, description="A DuckDB or SQLite file; with table or query.")
    table: Line | None = Field(None, description="The table of the database to read.")
    query: Text | None = Field(None, description="A SELECT on the database; its rows are the records.")
    columns: dict[Name, Line] = Field(
        {}, description="The column of an attribute, or of the outcome, where it has another name."
    )
    bins: dict[Name, Bins] = Field(
        {}, description="For attributes that are numbers: the edges between their values, quantiles, or tree."
    )
    groups: dict[Name, dict[Name, _Lines]] = Field(
        {}, description="For attributes and the outcome: which texts in the column stand for a value."
    )
    missing: _Short[Literal["error", "exclude"], Missing] = "error"
    estimate: _Short[Literal["frequency", "tree"], EstimateMethod] = "frequency"
    population: Line | None = Field(
        None,
        description=f"A {ANY_FORMAT} file that says how many people there are; else the records are counted.",
    )

    def column(self, name: str) -> str:
        """The column that holds an attribute or the outcome."""
        return self.columns.get(name, name)

    @property
    def when_missing(self) -> Missing:
        """What to do with missing entries, written out."""
        return self.missing if isinstance(self.missing, Missing) else Missing(rule=self.missing)

    @property
    def tree(self) -> Tree | None:
        """The tree to fit, if the rule is estimated by one."""
        if isinstance(self.estimate, EstimateMethod):
            return self.estimate.tree
        return Tree() if self.estimate == "tree" else None

    @property
    def model(self) -> Model | None:
        """The model to ask, if the rule is a model's."""
        return self.estimate.model if isinstance(self.estimate, EstimateMethod) else None

    @property
    def method(self) -> Literal["frequency", "tree", "model"]:
        """How the rule is estimated."""
        return "tree" if self.tree else "model" if self.model else "frequency"

    def edges(self, name: str) -> tuple[Decimal, ...] | None:
        """The edges the author gave for an attribute, if any."""
        bins = self.bins.get(name)
        return bins if isinstance(bins, tuple) else None


def _row_text(value: object) -> str:
    if isinstance(value, Plain) and value.is_null:
        return ""
    if isinstance(value, str | int | float | Decimal) and not isinstance(value, bool):
        return str(value).strip()
    raise ValueError("expected a single value")


Row = dict[str, Annotated[str, BeforeValidator(_row_text), WithJsonSchema(SCALAR_SCHEMA)]]


class Source(OneOf):
    """Where the true decision mapping comes from: exactly one of the three."""

    table: tuple[Row, ...] | None = Field(
        None, description="Rows written out in the spec, one for each cell."
    )
    cells: Line | None = Field(None, description=f"A {ANY_FORMAT} file with one row for each cell.")
    # ``records: data/cases.csv`` is short for ``records: {files: data/cases.csv}``
    records: _Short[Line, Records] | None = Field(
        None, description="One row for each decided case: a file, or how to read several."
    )

    @property
    def cases(self) -> Records | None:
        """The records, written out; None where the source is another one."""
        return Records(files=(self.records,)) if isinstance(self.records, str) else self.records
