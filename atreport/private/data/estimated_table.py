"""Turn records into the decision table: count, estimate the rule, say how. Files of cells and census files too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import duckdb
import numpy as np
from numpy.typing import NDArray

from atreport.core.cells import EstimationAccount, IntArray, OutcomeCut, PeopleLeftOut, arrange, distinct_rows
from atreport.errors import InvalidInput, Location, SpecProblem, problem_in
from atreport.private.data.binning import BIN, NO_NUMBER, Binned, find_bins, is_missing
from atreport.private.data.data_files import (
    csv_heading,
    csv_relation,
    is_csv,
    name_in_sql,
    other_delimiter,
    parquet_relation,
    refuse_endless_lines,
    unreadable,
)
from atreport.private.data.decision_table import DecisionTable, FloatArray
from atreport.private.data.model import agreement, ask_model
from atreport.private.data.record_source import (
    MOST_ROWS,
    MOST_TEXT,
    SECONDS,
    Counted,
    Counting,
    RecordSource,
    first_row,
    limit_reached,
    open_source,
    stopped_after,
    too_many_rows,
)
from atreport.private.data.run_options import RunOptions
from atreport.private.data.tree import EstimatedRule, fit_tree
from atreport.spec.check_records import HERE
from atreport.spec.fairness import GroupMeasure
from atreport.spec.process import Outcome, Process
from atreport.spec.rows import (
    MAX_SHOWN,
    Placer,
    TextColumns,
    check_population,
)
from atreport.spec.source import MissingValue, Model, Records
from atreport.spec.spec import Spec
from atreport.spec.yaml import did_you_mean

# The share of each outcome among the records of a cell.


def frequencies(cases: IntArray) -> FloatArray:
    """The share of each outcome (a column) among the records of each cell (a row), which has at least one."""
    return np.asarray(cases / cases.sum(axis=1, keepdims=True), dtype=np.float64)


# Turn a census file (side information about the population) into people by cell.


def read_census(path: Path, process: Process) -> tuple[NDArray[np.int32], IntArray]:
    """The cells that occur and the people in each; without a column `population`, each row is a person."""
    columns: TextColumns = read_file(path)
    codes, people, problems = check_population(columns, process, file_placer(path))
    if problems:
        raise InvalidInput(problems)
    distinct, row = np.unique(codes[people > 0], axis=0, return_inverse=True)
    sums = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(sums, row.ravel(), people[people > 0])
    return distinct.astype(np.int32), sums


# Read a file of cells, or a census: CSV or Parquet, one row a cell, every column as text.


def read_file(path: Path) -> TextColumns:
    """All columns of a CSV or Parquet file as texts, "" where nothing is written."""
    if is_csv(path):
        refuse_endless_lines(path)
        heading = csv_heading(path)
        parted = other_delimiter(heading, ",")
        if parted is not None:
            message = f"the heading is one column: a {parted} seems to part the others"
            hint = "save the file with commas between columns, and points before decimals"
            raise InvalidInput(problem_in(path, message, hint, 1))
        query = f"FROM {csv_relation([path], heading)}"
    else:
        query = f"SELECT COLUMNS(*)::VARCHAR FROM {parquet_relation([path])}"
    with duckdb.connect(":memory:") as connection, stopped_after(connection, SECONDS):
        try:
            if not is_csv(path):
                _refuse_endless(connection, path)
            columns = connection.execute(f"{query} LIMIT {MOST_ROWS + 1}").fetchnumpy()
        except duckdb.Error as error:
            reached = limit_reached(path, error, SECONDS)
            raise InvalidInput([reached or unreadable([path], str(error))]) from None
    if any(len(column) > MOST_ROWS for column in columns.values()):
        raise InvalidInput([too_many_rows(path, "rows")])
    return {name: _stripped(texts) for name, texts in columns.items()}


def _refuse_endless(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """A Parquet file of a few bytes can hold a text a billion times: ask how much there is before taking it."""
    names = [row[0] for row in connection.execute(f"DESCRIBE FROM {parquet_relation([path])}").fetchall()]
    texts = " + ".join(f"coalesce(sum(strlen({name_in_sql(name)}::VARCHAR)), 0)" for name in names)
    size = connection.execute(f"SELECT {texts} FROM {parquet_relation([path])}").fetchone()
    if size is not None and size[0] > MOST_TEXT:
        raise InvalidInput([too_many_rows(path, "rows, or their texts are too long")])


def _stripped(texts: Any) -> NDArray[np.object_]:
    """Texts without blanks around them, "" for those that are missing (masked, or None)."""
    written = np.empty(len(texts), dtype=object)
    written[:] = [text.strip() if isinstance(text, str) else "" for text in texts.tolist()]
    return written


def file_placer(path: Path) -> Placer:
    """Places in a data file: line of the row (the heading is line 1); Parquet rows count from 1."""

    def place(row: int, column: str, message: str, hint: str | None) -> SpecProblem:
        line = 1 if row < 0 else row + 2 if is_csv(path) else row + 1
        where = "" if row < 0 or f"'{column}'" in message else f"column '{column}': "
        return problem_in(path, where + message, hint, line)

    return place


# Turn records into counts: how many records of each outcome every cell has. What is wrong is named by file
# and row.
#
# DuckDB counts the texts as they are written; everything else (blanks, groups of values, unknown texts,
# missing entries) is decided on the few combinations that come back, not on each record.

_MISSING, _UNKNOWN = -1, -2


@dataclass(frozen=True, kw_only=True, eq=False)
class RecordCounts:
    """The records by cell, in ascending order of codes. Behind the wall: holds the recorded decisions."""

    codes: NDArray[np.int32]  # (cells, attributes)
    # (cells, outcomes): records with each outcome; one column of all records without an outcome
    cases: IntArray
    left_out: NDArray[np.int32]  # (records alike, attributes): those left out, -1 where something is missing
    left_out_records: IntArray  # how many are so alike
    # (cells, outcomes): for a model, the recorded decisions, as far as there are any
    decided: IntArray | None
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
        raise InvalidInput(problem_in(source.files[0], "there are no records", "each decided case is a row"))
    reader = _Reader(process, records, source, binned, counted)
    codes = np.column_stack([reader.codes(f"key_{i}", name) for i, name in enumerate(names)])
    if reader.problems:
        raise InvalidInput(reader.problems)
    kept = (codes != _MISSING).all(axis=1)
    if not kept.any():
        raise InvalidInput(problem_in(source.files[0], "every record lacks something, so none is left"))
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
        self.problems: list[SpecProblem] = []

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
            self.problems.append(problem_in(self.source.files[0], more))
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
            self._add(where, f"a record has no '{column}'", hint)
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
        self._add(where, f"'{written}' in column '{column}' is not {what} ({often})", hint)

    def _add(self, where: Location, message: str, hint: str) -> None:
        self.problems.append(SpecProblem(location=where, message=message, hint=hint))

    def _values(self, name: str) -> tuple[str, ...]:
        """The declared values of an attribute or of the outcome."""
        outcome = self.process.outcome
        return outcome.values if name == outcome.name else self.process.attribute(name).values


def _require_columns(source: RecordSource, wanted: list[str]) -> None:
    missing = [column for column in dict.fromkeys(wanted) if column not in source.columns]
    if missing:
        parted = other_delimiter(source.columns, source.delimiter) if source.is_csv else None
        said = f"; write 'csv: {{delimiter: {parted}}}' if a {parted} parts the columns" if parted else ""
        problems = []
        for column in missing:
            close = did_you_mean(column, source.columns, listing="the columns") or ""
            hint = f"{close}; 'columns' can name the column of an attribute{said}"
            line = 1 if source.is_csv else None
            problems.append(problem_in(source.files[0], f"there is no column '{column}'", hint, line))
        raise InvalidInput(problems)


# Turn records into the decision table that stage 2 hands on: count, estimate the rule, say how.


def estimate_table(
    spec: Spec, records: Records, engine: Counting | None, options: RunOptions
) -> DecisionTable:
    """Read the records of a spec and estimate the rule behind them; without an engine, on this machine."""
    engine = engine or Counting()
    source = open_source(spec.document.path.parent, records, options.memory_limit, options.time_limit)
    engine.talk(f"records: {len(source.files)} {'file' if len(source.files) == 1 else 'files'}")
    binned = find_bins(spec, records, source, engine)
    model = records.model
    inputs = model.inputs if model is not None and model.of == "records" else ()
    counts = count_records(spec.process, records, source, binned, engine, inputs=inputs)
    engine.talk("estimate")
    codes, cases = _cells_with_cases(counts)
    if records.population is None:
        people_codes, people = codes, cases.sum(axis=1)
    else:
        path = spec.document.path.parent / records.population
        people_codes, people = read_census(path, spec.process)
        _agree(spec, path, codes, people_codes, every_cell_needs_records=_needs_records(records))
    rule = _rule(spec, records, counts, codes, cases, people_codes, options)
    outcome = spec.process.outcome
    # a cut at the median depends on all records, so that no case stands by itself: there is no interval for chance
    counted = records.method == "frequency" and records.population is None and outcome.bins != "median"
    process = spec.process.model_copy(update={"estimated_from": "records"}) if counted else spec.process
    left_out = _left_out(spec, counts) if records.population is None else ()
    cells, order = arrange(process, people_codes, people, left_out=left_out)
    excluded = int(counts.left_out_records.sum())
    missing = records.when_missing
    may_exclude = missing.rule == "exclude" or "exclude" in missing.attributes.values()
    return DecisionTable(
        cells=cells,
        probability=rule.probability[order],
        cases=cases[_places(people_codes[order], codes)] if counted else None,
        estimation=EstimationAccount(
            method=records.method,
            population="records" if records.population is None else "census",
            excluded=(excluded, excluded) if may_exclude else None,
            faithfulness=rule.faithfulness,
            ranges=tuple(each for name in records.bins for each in binned[name].ranges()),
            outcome_cut=_outcome_cut(outcome, binned),
            edges_from_decisions=tuple(name for name, how in records.bins.items() if how == "tree"),
        ),
        leaves=rule.leaves,
    )


def _left_out(spec: Spec, counts: RecordCounts) -> tuple[PeopleLeftOut, ...]:
    """The records that were left out, by what is known of them in the public attributes that groups are made by.

    Nothing is known of them in any other: that keeps intervals certain, and tells no more of them than figures need.
    """
    asked = {
        name for each in spec.fairness if isinstance(each, GroupMeasure) for name in each.attributes_used
    }
    asked |= {name for names in (spec.form.tables_of_groups if spec.form else ()) for name in names}
    shown = [
        (i, attribute)
        for i, attribute in enumerate(spec.process.attributes)
        if attribute.role == "public" and attribute.name in asked
    ]
    found: Counter[tuple[tuple[str, str], ...]] = Counter()
    for codes, people in zip(counts.left_out.tolist(), counts.left_out_records.tolist(), strict=True):
        found[tuple((a.name, a.values[codes[i]]) for i, a in shown if codes[i] >= 0)] += people
    return tuple(
        PeopleLeftOut(values=dict(known), people=(people,)) for known, people in sorted(found.items())
    )


def _outcome_cut(outcome: Outcome, binned: Mapping[str, Binned]) -> OutcomeCut | None:
    """How a number became the outcome; of a median the number is not told."""
    if outcome.bins is None:
        return None
    return OutcomeCut(ranges=() if outcome.bins == "median" else binned[outcome.name].ranges())


def _needs_records(records: Records) -> bool:
    model = records.model
    return records.method == "frequency" or (model is not None and model.of == "records")


def _cells_with_cases(counts: RecordCounts) -> tuple[NDArray[np.int32], IntArray]:
    """Each cell once, with its records by outcome."""
    if not counts.inputs:
        return counts.codes, counts.cases
    first, row = distinct_rows(counts.codes)
    cases = np.zeros((len(first), counts.cases.shape[1]), dtype=np.int64)
    np.add.at(cases, row, counts.cases)
    return counts.codes[first], cases


def _places(wanted: NDArray[np.int32], codes: NDArray[np.int32]) -> IntArray:
    """The position of each wanted row of codes among `codes`, which are all different; -1 where it is not there."""
    _, row = distinct_rows(np.concatenate([codes, wanted]))
    place = np.full(row.max() + 1, -1, dtype=np.int64)
    place[row[: len(codes)]] = np.arange(len(codes))
    return place[row[len(codes) :]]


def _rule(
    spec: Spec,
    records: Records,
    counts: RecordCounts,
    codes: NDArray[np.int32],
    cases: IntArray,
    asked: NDArray[np.int32],
    options: RunOptions,
) -> EstimatedRule:
    """The estimated rule on the cells asked about."""
    if records.tree is not None:
        return fit_tree(spec.process, records.tree, codes, cases, asked, ordered=tuple(records.bins))
    if records.model is not None:
        probability = _by_model(spec, records.model, counts, asked, options)
        _refuse_worse_than_chance(spec, counts, asked, probability)
        return EstimatedRule(probability=probability)
    return EstimatedRule(probability=frequencies(cases[_places(asked, codes)]))


def _by_model(
    spec: Spec, model: Model, counts: RecordCounts, asked: NDArray[np.int32], options: RunOptions
) -> FloatArray:
    """Ask about each cell, or about each distinct record and take the average of each cell."""
    allow = options.allow_python_model
    if model.of == "cells":
        labels = _labels(spec.process, asked)
        return ask_model(spec, model, {name: labels[name] for name in model.inputs}, allow_python=allow)
    answers = ask_model(spec, model, counts.inputs, allow_python=allow)
    row = _places(counts.codes, asked)
    weights = counts.cases.sum(axis=1)
    people = np.bincount(row, weights=weights, minlength=len(asked))
    sums = [np.bincount(row, weights=answer * weights, minlength=len(asked)) for answer in answers.T]
    return np.asarray(np.round(np.clip(np.column_stack(sums) / people[:, None], 0, 1), 15), dtype=np.float64)


def _refuse_worse_than_chance(
    spec: Spec, counts: RecordCounts, asked: NDArray[np.int32], probability: FloatArray
) -> None:
    """Where decisions are recorded, a model that gives them less often than chance is most likely read the wrong way."""
    if counts.decided is None or not counts.decided.any():
        return
    found, chance = agreement(probability[_places(counts.codes, asked)], counts.decided)
    if found < chance - 1e-9:
        raise InvalidInput(
            spec.document.problem(
                (*HERE, "estimate", "model"),
                "the model agrees with the recorded decisions less often than chance would, as if its outcomes were "
                "exchanged",
                "see that 'classes', 'groups' and 'favourable' are right, or leave the column of decisions out",
                at_key=True,
            )
        )


def _labels(process: Process, codes: NDArray[np.int32]) -> dict[str, NDArray[np.object_]]:
    return {
        attribute.name: np.array(attribute.values, dtype=object)[codes[:, i]]
        for i, attribute in enumerate(process.attributes)
    }


def _agree(
    spec: Spec,
    path: Path,
    codes: NDArray[np.int32],
    people: NDArray[np.int32],
    *,
    every_cell_needs_records: bool,
) -> None:
    """Refuse records about people the census does not have and, where it matters, people without any record."""
    problems = []
    outside = codes[_places(codes, people) < 0]
    here = (*HERE, "population")
    if len(outside):
        problems.append(
            spec.document.problem(
                here,
                f"records describe {_words(spec.process, outside)}, and {path.name} has nobody like that",
                "add them to the file, or leave 'population' out to count the records",
            )
        )
    unknown = people[_places(people, codes) < 0]
    if len(unknown) and every_cell_needs_records:
        problems.append(
            spec.document.problem(
                here,
                f"{path.name} has people for whom there is no record: {_words(spec.process, unknown)}",
                "use 'estimate: tree' or a model of cells, which have an answer for everybody",
            )
        )
    if problems:
        raise InvalidInput(problems)


def _words(process: Process, codes: NDArray[np.int32]) -> str:
    first = ", ".join(
        f"{a.name}={a.values[code]}" for a, code in zip(process.attributes, codes[0], strict=True)
    )
    return first + (f" and {len(codes) - 1:,} more combinations" if len(codes) > 1 else "")
