"""Turn the rows of a census into checked codes and numbers of people."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from atreport.errors import Problem
from atreport.spec.models.process import Process
from atreport.spec.rows.columns import ColumnReader, Placer, TextColumns


def check_population(
    columns: TextColumns, process: Process, place: Placer
) -> tuple[NDArray[np.int64], NDArray[np.int64], list[Problem]]:
    """Codes and people of the rows of a census; without a column of people, each row is one person."""
    reader = ColumnReader(columns, process, place)
    codes, people = _read_census(reader)
    return codes, people, reader.problems


def _read_census(reader: ColumnReader) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    names = [attribute.name for attribute in reader.process.attributes]
    for column in [name for name in names if name not in reader.columns]:
        hint = f"a census has a column for each of {', '.join(names)}, and population"
        reader.report(-1, column, f"column '{column}' is missing", hint)
    if not reader.length:
        reader.report(
            -1, "population", "the census has no rows", "add a row for each combination that occurs"
        )
    if reader.problems:
        return np.empty((0, len(names)), np.int64), np.empty(0, np.int64)
    codes = np.column_stack([reader.codes(name) for name in names])
    counted = "population" in reader.columns
    people = reader.population() if counted else np.ones(reader.length, dtype=np.int64)
    if not reader.problems and not people.any():
        reader.report(-1, "population", "nobody is in the census: every population is 0", "give the counts")
    return codes, people
