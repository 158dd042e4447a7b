"""Read a file of cells, or a census: CSV or Parquet, one row a cell, every column as text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.data_files import (
    csv_heading,
    csv_relation,
    is_csv,
    parquet_relation,
    refuse_endless_lines,
    unreadable,
)
from atreport.errors import InvalidInput, Location, Problem
from atreport.spec.rows import Placer, TextColumns


def read_file(path: Path) -> TextColumns:
    """All columns of a CSV or Parquet file as texts, "" where nothing is written."""
    if is_csv(path):
        refuse_endless_lines(path)
        query = f"FROM {csv_relation([path], csv_heading(path))}"
    else:
        query = f"SELECT COLUMNS(*)::VARCHAR FROM {parquet_relation([path])}"
    with duckdb.connect(":memory:") as connection:
        try:
            columns = connection.execute(query).fetchnumpy()
        except duckdb.Error as error:
            raise InvalidInput([unreadable([path], str(error))]) from None
    return {name: _stripped(texts) for name, texts in columns.items()}


def _stripped(texts: Any) -> NDArray[np.object_]:
    """Texts without blanks around them, "" for those that are missing (masked, or None)."""
    written = np.empty(len(texts), dtype=object)
    written[:] = [text.strip() if isinstance(text, str) else "" for text in texts.tolist()]
    return written


def file_placer(path: Path) -> Placer:
    """Places in a data file: line of the row (the heading is line 1); Parquet rows count from 1."""

    def place(row: int, column: str, message: str, hint: str | None) -> Problem:
        line = 1 if row < 0 else row + 2 if is_csv(path) else row + 1
        where = "" if row < 0 or f"'{column}'" in message else f"column '{column}': "
        return Problem(location=Location(str(path), line), message=where + message, hint=hint)

    return place
