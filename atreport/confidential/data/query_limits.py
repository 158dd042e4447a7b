"""Limits on what is read: a query ends after a time, uses no more than its memory, and brings back no endless table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import duckdb

from atreport.errors import Location, Problem

SECONDS = 600
"""How long a query may take, unless the command line says otherwise."""

MOST_ROWS = 5_000_000
"""How many rows are taken into memory: combinations of values in records, or rows of a file of cells."""

MOST_TEXT = 4 << 30
"""How many bytes of text are taken into memory."""


@contextmanager
def stopped_after(connection: duckdb.DuckDBPyConnection, seconds: int) -> Iterator[None]:
    """Whatever runs on the connection when the time is over is stopped, and so is all that is asked after it."""
    ended = Event()

    def watch() -> None:
        wait: float = seconds
        while not ended.wait(wait):
            connection.interrupt()
            wait = 0.2

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def limit_reached(file: Path, error: Exception, seconds: int) -> Problem | None:
    """The problem, if a query failed because a limit was reached."""
    place = Location(str(file))
    if isinstance(error, duckdb.InterruptException):
        return Problem(
            location=place,
            message=f"cannot be read: reading took longer than {seconds:,} seconds",
            hint="allow more with --time-limit, or make the query simpler",
        )
    if isinstance(error, duckdb.OutOfMemoryException) or "max_temp_directory_size" in str(error):
        return Problem(
            location=place,
            message="cannot be read: there is not enough memory for it",
            hint="allow more with --memory-limit, or read fewer columns with fewer values",
        )
    return None


def too_many_rows(file: Path, what: str) -> Problem:
    """More than is taken into memory."""
    return Problem(
        location=Location(str(file)),
        message=f"cannot be read: there are more than {MOST_ROWS:,} {what}",
        hint="name columns with fewer values, or join values with 'bins' or 'groups'",
    )
