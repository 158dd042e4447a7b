"""Stage 2, **table**: turn a spec and its data into the true decision table."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.cells import Cells, arrange
from atreport.errors import InvalidInput, Location, Problem
from atreport.spec.load import inline_columns, inline_placer
from atreport.spec.models import Spec
from atreport.spec.rows import Placer, TextColumns, check_rows

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class DecisionTable:
    """The true decision mapping on the cells that occur. Never leaves the confidential side."""

    cells: Cells
    probability: FloatArray  # (cells, outcomes): true probability of each outcome
    lower: FloatArray | None = None  # per-cell bounds on what may be announced, where the policy has them
    upper: FloatArray | None = None

    @property
    def favourable(self) -> FloatArray:
        """The true probability of the favourable outcome."""
        return self.probability[:, self.favourable_place]

    @property
    def favourable_place(self) -> int:
        """The column of the favourable outcome."""
        outcome = self.cells.process.outcome
        return outcome.values.index(outcome.favourable)


def read_table(spec: Spec) -> DecisionTable:
    """Read the source the spec names. Raises :class:`InvalidInput` naming row and column of every problem."""
    if spec.source.cells is not None:
        path = spec.document.path.parent / spec.source.cells
        columns, place = _read_file(path), _file_placer(path)
    else:
        columns, place = inline_columns(spec.source), inline_placer(spec.document)
    rows, problems = check_rows(columns, spec.process, spec.policy.fidelity.bounds, place)
    if rows is None:
        raise InvalidInput(problems)
    cells, order = arrange(spec.process, rows.codes, rows.population)
    return DecisionTable(
        cells=cells,
        probability=rows.probability[order],
        lower=None if rows.lower is None else rows.lower[order],
        upper=None if rows.upper is None else rows.upper[order],
    )


def _read_file(path: Path) -> TextColumns:
    """All columns of a CSV or Parquet file as texts, "" where nothing is written."""
    import duckdb

    query = "SELECT COLUMNS(*)::VARCHAR FROM read_parquet($file)"
    arguments: dict[str, object] = {"file": str(path)}
    if path.suffix.lower() == ".csv":
        # The columns are told, not guessed: a guess would skip rows, or take a number for a date.
        query = """
            FROM read_csv($file, columns = $columns, auto_detect = false, header = true, strict_mode = true,
                          delim = ',', quote = '"', escape = '"', nullstr = '')"""
        arguments["columns"] = dict.fromkeys(_heading(path), "VARCHAR")
    with duckdb.connect(":memory:") as connection:
        try:
            columns = connection.execute(query, arguments).fetchnumpy()
        except duckdb.Error as error:
            raise InvalidInput([_unreadable(path, str(error))]) from None
    return {name: _stripped(texts) for name, texts in columns.items()}


def _stripped(texts: Any) -> NDArray[np.object_]:
    """Texts without blanks around them, "" for those that are missing (masked, or None)."""
    written = np.empty(len(texts), dtype=object)
    written[:] = [text.strip() if isinstance(text, str) else "" for text in texts.tolist()]
    return written


def _heading(path: Path) -> list[str]:
    """The column names of a CSV file."""

    def fail(message: str, column: int | None = None) -> InvalidInput:
        hint = "the first line names the columns, separated by commas"
        return InvalidInput([Problem(location=Location(str(path), 1, column), message=message, hint=hint)])

    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as stream:
            names = [name.strip() for name in next(csv.reader(stream), [])]
    except csv.Error as error:
        raise fail(f"cannot be read: {error}") from None
    if not any(names):
        raise fail("is empty")
    for position, name in enumerate(names, start=1):
        if not name or name in names[: position - 1]:
            raise fail(f"column '{name}' appears twice" if name else "a column has no name", position)
    return names


def _unreadable(path: Path, reason: str) -> Problem:
    """DuckDB's finding in one line, with the line number it names; the offending row itself may be confidential."""
    line = re.search(r"Line: (\d+)", reason)
    finding = re.search(
        r"^(Expected Number of Columns.*|Invalid unicode.*|.*unterminated quote.*)$", reason, re.M
    )
    first = reason.splitlines()[0] if reason else "unknown reason"
    what = (finding.group(1) if finding else first).replace(str(path), "the file").strip(" .*")
    return Problem(
        location=Location(str(path), int(line.group(1)) if line else None),
        message=f"cannot be read: {what}",
        hint="a table has the same columns in each row, and CSV files are UTF-8 text with commas between columns",
    )


def _file_placer(path: Path) -> Placer:
    """Places in a data file: line of the row (the heading is line 1); Parquet rows count from 1."""
    is_csv = path.suffix.lower() == ".csv"

    def place(row: int, column: str, message: str, hint: str | None) -> Problem:
        line = 1 if row < 0 else row + 2 if is_csv else row + 1
        where = "" if row < 0 or f"'{column}'" in message else f"column '{column}': "
        return Problem(location=Location(str(path), line), message=where + message, hint=hint)

    return place
