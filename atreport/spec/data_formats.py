"""The formats of data files: endings and names, in the one place from which checks, hints and descriptions take them."""

from __future__ import annotations

DATA_FORMATS = {".csv": "CSV", ".parquet": "Parquet"}
"""The name of each format, by the ending of its files."""

DATA_ENDINGS = tuple(DATA_FORMATS)

ANY_FORMAT = " or ".join(DATA_FORMATS.values())
"""As in 'a CSV or Parquet file'."""

SPREADSHEETS = (".xlsx", ".xls", ".ods")
"""Endings of spreadsheets, which no build reads: `init` makes a copy of their records."""
