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
    name_in_sql,
    other_delimiter,
    parquet_relation,
    refuse_endless_lines,
    unreadable,
)
from atreport.confidential.data.query_limits import (
    MOST_ROWS,
    MOST_TEXT,
    SECONDS,
    limit_reached,
    stopped_after,
    too_many_rows,
)
from atreport.errors import InvalidInput, Location, Problem
from atreport.spec.rows import Placer, TextColumns


def read_file(path: Path) -> TextColumns:
    """All columns of a CSV or Parquet file as texts, "" where nothing is written."""
    if is_csv(path):
        refuse_endless_lines(path)
        heading = csv_heading(path)
        parted = other_delimiter(heading, ",")
        if parted is not None:
            raise InvalidInput(
                [
                    Problem(
                        location=Location(str(path), 1),
                        message=f"the heading is one column: a {parted} seems to part the others",
                        hint="save the file with commas between columns, and points before decimals",
                    )
                ]
            )
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

    def place(row: int, column: str, message: str, hint: str | None) -> Problem:
        line = 1 if row < 0 else row + 2 if is_csv(path) else row + 1
        where = "" if row < 0 or f"'{column}'" in message else f"column '{column}': "
        return Problem(location=Location(str(path), line), message=where + message, hint=hint)

    return place
