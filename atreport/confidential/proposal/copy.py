"""Copy the columns of a file that a spec uses, and no others: what is not needed stays where it was."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb

from atreport.confidential.data.data_files import literal, name_in_sql
from atreport.confidential.data.record_source import RecordSource


def copy_columns(source: RecordSource, columns: Sequence[str], target: Path) -> None:
    """Write some columns of all records, in their order, texts as they are; CSV or Parquet by the target's ending."""
    listed = ", ".join(name_in_sql(name) for name in columns)
    as_parquet = target.suffix.lower() == ".parquet"
    how = "FORMAT parquet" if as_parquet else f"FORMAT csv, HEADER, DELIMITER {literal(source.delimiter)}"
    with source.connect(in_order=True) as connection:
        try:
            connection.execute(
                f"COPY (SELECT {listed} FROM {source.relation}) TO {literal(str(target))} ({how})"
            )
        except duckdb.Error as error:
            raise source.unreadable(error) from None
