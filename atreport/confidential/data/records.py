"""Turn records into counts: how many records of each outcome every cell has. What is wrong is named by file and row.

DuckDB counts the texts as they are written; everything else (blanks, groups of values, unknown texts, missing entries) is
decided on the few combinations that come back, not on each record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.binning import BIN, NO_NUMBER, Binned, is_missing
from atreport.confidential.data.counting import Counted, Counting
from atreport.confidential.data.data_files import name_in_sql, other_delimiter
from atreport.confidential.data.record_source import RecordSource, first_row
from atreport.errors import InvalidInput, Location, Problem
from atreport.population.cells import IntArray, distinct_rows
from atreport.spec.models.process import Process
from atreport.spec.models.records import MissingValue, Records
from atreport.spec.problems import did_you_mean
from atreport.spec.rows import MAX_SHOWN

_MISSING, _UNKNOWN = -1, -2


@dataclass(frozen=True, kw_only=True, eq=False)
class RecordCounts:
    """The records by cell, in ascending order of codes. Behind the wall: holds the recorded decisions."""

    codes: NDArray[np.int32]  # (cells, attributes)
    cases: (
        IntArray  # (cells, outcomes): records with each outcome; one column of all records without an outcome
    )
    left_out: NDArray[np.int32]  # (records alike, attributes): those left out, -1 where something is missing
    left_out_records: IntArray  # how many are so alike
    decided: (
        IntArray | None
    )  # (cells, outcomes): for a model, the recorded decisions, as far as there are any
    inputs: Mapping[str, NDArray[np.object_]]  # what a model is given, where it is asked about records


def count_records(
    process: Process,
    records: Records,
    source: RecordSource,
    binned: Mapping[str, Binned],
    engine: Counting,
    *,
    inputs: tuple[str, ...] = (),
) -> RecordCounts:
    """Count the records of every cell and outcome, and of every combination of `inputs` (columns) where asked for."""
    names = [attribute.name for attribute in process.attributes]
    if records.method != "model":
        names.append(process.outcome.name)
    _require_columns(source, [*(records.column(name) for name in names), *inputs])
    marks = records.when_missing.marks
    keys = {
        f"key_{i}": binned[name].key(records.column(name), marks)
        if name in binned
        else f"{name_in_sql(records.column(name))}::VARCHAR"
        for i, name in enumerate(names)
    }
    recorded = records.method == "model" and records.column(process.outcome.name) in source.columns
    if recorded:
        keys["decided"] = f"{name_in_sql(records.column(process.outcome.name))}::VARCHAR"
    keys |= {f"input_{i}": f"{name_in_sql(column)}::VARCHAR" for i, column in enumerate(inputs)}
    counted = engine.count_by(source, keys)
    if not len(counted.records):
        raise InvalidInput(
            [_problem(Location(str(source.files[0])), "there are no records", "each decided case is a row")]
        )
    reader = _Reader(process, records, source, binned, counted)
    codes = np.column_stack([reader.codes(f"key_{i}", name) for i, name in enumerate(names)])
    if reader.problems:
        raise InvalidInput(reader.problems)
    kept = (codes != _MISSING).all(axis=1)
    if not kept.any():
        raise InvalidInput(
            [_problem(Location(str(source.files[0])), "every record lacks something, so none is left", None)]
        )
    given = {column: counted.keys[f"input_{i}"][kept] for i, column in enumerate(inputs)}
    decided = reader.decisions("decided")[kept] if recorded else None
    found = _by_cell(process, codes[kept], counted.records[kept], given, decided)
    left_out = codes[~kept, : len(process.attributes)].astype(np.int32)
    return replace(found, left_out=left_out, left_out_records=counted.records[~kept])


def _by_cell(
    process: Process,
    codes: IntArray,
    counts: IntArray,
    given: Mapping[str, NDArray[np.object_]],
    decided: IntArray | None,
) -> RecordCounts:
    """Join combinations that are alike after reading; without inputs, a row a cell and a column an outcome."""
    attributes = len(process.attributes)
    if given:
        ranks = [np.unique(column.astype(str), return_inverse=True)[1] for column in given.values()]
        keys = np.column_stack([codes[:, :attributes], *ranks])
    else:
        keys = codes[:, :attributes]
    first, row = distinct_rows(keys)
    has_outcome = codes.shape[1] > attributes
    cases = np.zeros((len(first), len(process.outcome.values) if has_outcome else 1), dtype=np.int64)
    outcome = codes[:, attributes] if has_outcome else np.zeros(len(codes), dtype=np.int64)
    np.add.at(cases, (row, outcome), counts)
    decisions = None
    if decided is not None:
        known = decided >= 0
        decisions = np.zeros((len(first), len(process.outcome.values)), dtype=np.int64)
        np.add.at(decisions, (row[known], decided[known]), counts[known])
    return RecordCounts(
        codes=codes[first, :attributes].astype(np.int32),
        cases=cases,
        left_out=np.zeros((0, attributes), dtype=np.int32),
        left_out_records=np.zeros(0, dtype=np.int64),
        decided=decisions,
        inputs={name: column[first] for name, column in given.items()},
    )


class _Reader:
    """Reads the texts of one column after the other, collecting problems."""

    def __init__(
        self,
        process: Process,
        records: Records,
        source: RecordSource,
        binned: Mapping[str, Binned],
        counted: Counted,
    ) -> None:
        self.process, self.records, self.source = process, records, source
        self.binned, self.counted = binned, counted
        self.problems: list[Problem] = []

    def codes(self, key: str, name: str) -> IntArray:
        """The value of each combination as a position in the spec's list; -1 where it is missing and left out."""
        texts = self.counted.keys[key]
        meaning = self._meaning(name)
        distinct = {text: meaning.get(self._stripped(text), _UNKNOWN) for text in set(texts.tolist())}
        unknown = sorted(text or "" for text, code in distinct.items() if code == _UNKNOWN)
        for text in unknown[:MAX_SHOWN]:
            self._report(key, name, text)
        if len(unknown) > MAX_SHOWN:
            more = f"and {len(unknown) - MAX_SHOWN:,} more texts in column '{self.records.column(name)}' like these"
            self.problems.append(_problem(Location(str(self.source.files[0])), more, None))
        return np.array([distinct[text] for text in texts.tolist()], dtype=np.int64)

    def decisions(self, key: str) -> IntArray:
        """The recorded outcome of each combination; negative where it is none, which is no problem for a model."""
        meaning = self._meaning(self.process.outcome.name)
        texts = self.counted.keys[key].tolist()
        return np.array([meaning.get(self._stripped(text), _UNKNOWN) for text in texts], dtype=np.int64)

    @staticmethod
    def _stripped(text: str | None) -> str | None:
        stripped = None if text is None else text.strip()
        return stripped or None

    def _meaning(self, name: str) -> dict[str | None, int]:
        """What each text stands for; missing entries are None here."""
        values = self._values(name)
        rule: Literal["error", "exclude"] | MissingValue = self.records.when_missing.rule_of(name)
        if name in self.binned:
            labels = self.binned[name].labels
            meaning: dict[str | None, int] = {
                f"{BIN}{i}": values.index(label) for i, label in enumerate(labels)
            }
            marks: tuple[str, ...] = ()  # already NULL
        else:
            meaning = {value: code for code, value in enumerate(values)}
            for value, texts in self.records.groups.get(name, {}).items():
                meaning |= dict.fromkeys(texts, values.index(value))
            marks = self.records.when_missing.marks
        if rule == "error":
            return {text: code for text, code in meaning.items() if text not in marks}
        stands_for = values.index(rule.value) if isinstance(rule, MissingValue) else _MISSING
        return meaning | dict.fromkeys((None, *marks), stands_for)

    def _report(self, key: str, name: str, text: str) -> None:
        """Say what is wrong with a text, and where it stands first."""
        column, marks = self.records.column(name), self.records.when_missing.marks
        written = text.removeprefix(NO_NUMBER) if name in self.binned else text
        if self._stripped(written) is None or written.strip() in marks:
            where = first_row(self.source, is_missing(column, marks))
            hint = "say under 'missing' what to do: exclude, or {value: …}"
            self.problems.append(_problem(where, f"a record has no '{column}'", hint))
            return
        where = first_row(self.source, f"{name_in_sql(column)}::VARCHAR = $text", text=written)
        number = int(self.counted.records[self.counted.keys[key] == text].sum())
        often = "1 record" if number == 1 else f"{number:,} records"
        if name in self.binned:
            what, hint = "a number", "list it under 'missing: {marks: …}' if it marks a missing entry"
        else:
            close = did_you_mean(written, self._values(name), listing="its values") or "add it to the values"
            what = f"a value of '{name}'"
            hint = f"{close}; 'groups' can say what it stands for, 'missing' that it is none"
        self.problems.append(
            _problem(where, f"'{written}' in column '{column}' is not {what} ({often})", hint)
        )

    def _values(self, name: str) -> tuple[str, ...]:
        """The declared values of an attribute or of the outcome."""
        outcome = self.process.outcome
        return outcome.values if name == outcome.name else self.process.attribute(name).values


def _require_columns(source: RecordSource, wanted: list[str]) -> None:
    missing = [column for column in dict.fromkeys(wanted) if column not in source.columns]
    if missing:
        parted = other_delimiter(source.columns, source.delimiter) if source.is_csv else None
        said = f"; write 'csv: {{delimiter: {parted}}}' if a {parted} parts the columns" if parted else ""
        place = Location(str(source.files[0]), 1 if source.is_csv else None)
        raise InvalidInput(
            [
                _problem(
                    place,
                    f"there is no column '{column}'",
                    (did_you_mean(column, source.columns, listing="the columns") or "")
                    + "; 'columns' can name the column of an attribute"
                    + said,
                )
                for column in missing
            ]
        )


def _problem(location: Location, message: str, hint: str | None) -> Problem:
    return Problem(location=location, message=message, hint=hint)
