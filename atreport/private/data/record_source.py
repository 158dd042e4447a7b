"""Turn ``source.records`` into a relation that DuckDB can count: files or a database, with the columns they have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from atreport.core.cells import IntArray
from atreport.errors import InvalidInput, Location, MissingLibrary, SpecProblem, problem_in
from atreport.private.data.data_files import (
    ROW_NUMBER,
    csv_heading,
    csv_relation,
    file_in_sql,
    is_csv,
    literal,
    name_in_sql,
    parquet_relation,
    refuse_endless_lines,
    unreadable,
)
from atreport.spec.check_records import files_named
from atreport.spec.source import Records
from atreport.spec.yaml import ANY_FORMAT

# Limits on what is read: a query ends after a time, uses no more than its memory, and brings back no endless
# table.

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


def limit_reached(file: Path, error: Exception, seconds: int) -> SpecProblem | None:
    """The problem, if a query failed because a limit was reached."""
    if isinstance(error, duckdb.InterruptException):
        return problem_in(
            file,
            f"cannot be read: reading took longer than {seconds:,} seconds",
            "allow more with --time-limit, or make the query simpler",
        )
    if isinstance(error, duckdb.OutOfMemoryException) or "max_temp_directory_size" in str(error):
        return problem_in(
            file,
            "cannot be read: there is not enough memory for it",
            "allow more with --memory-limit, or read fewer columns with fewer values",
        )
    return None


def too_many_rows(file: Path, what: str) -> SpecProblem:
    """More than is taken into memory."""
    return problem_in(
        file,
        f"cannot be read: there are more than {MOST_ROWS:,} {what}",
        "name columns with fewer values, or join values with 'bins' or 'groups'",
    )


ROWS_AT_ONCE = 10_000_000
"""A Parquet file with more rows than this is more than one task for a cluster."""


@dataclass(frozen=True, kw_only=True)
class RecordSource:
    """Where the records are. Plain texts and paths, so that it can be sent to a worker."""

    files: tuple[Path, ...]  # a database is a single file
    relation: str  # what stands behind FROM
    columns: tuple[str, ...]
    hive: bool = False
    delimiter: str = ","  # of CSV files
    database: bool = False
    memory_limit: str | None = None
    time_limit: int = SECONDS

    @property
    def is_csv(self) -> bool:
        """Whether the records are CSV files."""
        return not self.database and is_csv(self.files[0])

    def parts(self) -> list[RecordSource]:
        """The source file by file, each of which can be counted by itself."""
        if self.database:
            return [self]
        return [replace(self, files=(file,), relation=self._relation_of([file])) for file in self.files]

    def runs(self) -> list[RecordSource]:
        """The same, with a large Parquet file cut into runs of rows.

        A CSV file stays whole: a line break may stand within quotes, so only who reads from the start knows its rows.
        """
        if self.database or self.is_csv or ROW_NUMBER in (name.casefold() for name in self.columns):
            return self.parts()
        with self.connect() as connection:
            return [run for part in self.parts() for run in part._cut(connection)]

    def _cut(self, connection: duckdb.DuckDBPyConnection) -> Iterator[RecordSource]:
        try:
            query = f"SELECT num_rows FROM parquet_file_metadata({file_in_sql(self.files[0])})"
            ((number,),) = connection.execute(query).fetchall()
        except duckdb.Error as error:
            raise self.unreadable(error) from None
        if number <= ROWS_AT_ONCE:
            yield self
            return
        for start in range(0, number, ROWS_AT_ONCE):
            rows = range(start, start + ROWS_AT_ONCE)
            yield replace(self, relation=parquet_relation(self.files, hive=self.hive, rows=rows))

    def _relation_of(self, files: Sequence[Path]) -> str:
        if self.is_csv:
            return csv_relation(
                files, csv_heading(files[0], self.delimiter), hive=self.hive, delimiter=self.delimiter
            )
        return parquet_relation(files, hive=self.hive)

    @contextmanager
    def connect(self, *, in_order: bool = False) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection that can read the records, and nothing else where a query of the spec's author runs.

        What does not fit into memory goes to a temporary folder, which is removed in the end.
        """
        with TemporaryDirectory(prefix="atreport-") as spill, duckdb.connect(":memory:") as connection:
            connection.execute("SET autoinstall_known_extensions = false")  # nothing is fetched from anywhere
            connection.execute(f"SET temp_directory = {literal(spill)}")
            connection.execute(f"SET preserve_insertion_order = {str(in_order).lower()}")
            connection.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
            if self.memory_limit is not None:
                connection.execute(f"SET memory_limit = {literal(self.memory_limit)}")
            if self.database:
                _attach(connection, self.files[0])
                connection.execute(f"SET allowed_directories = [{literal(spill)}]")
                connection.execute("SET enable_external_access = false; SET lock_configuration = true")
            with stopped_after(connection, self.time_limit):
                yield connection

    def fetch(self, query: str, talk: Callable[[str], None]) -> dict[str, Any]:
        """The columns that a query gives; :class:`InvalidInput` names file and row of what cannot be read."""
        with self.connect() as connection:
            try:
                found = _fetched(connection, f"{query} LIMIT {MOST_ROWS + 1}", talk)
            except duckdb.Error as error:
                raise self.unreadable(error) from None
        if any(len(column) > MOST_ROWS for column in found.values()):
            raise InvalidInput([too_many_rows(self.files[0], "combinations of values in the records")])
        return found

    def unreadable(self, error: Exception) -> InvalidInput:
        """What DuckDB found wrong with the data, at its file and row."""
        reached = limit_reached(self.files[0], error, self.time_limit)
        return InvalidInput([reached or unreadable(self.files, str(error))])


def _fetched(
    connection: duckdb.DuckDBPyConnection, query: str, talk: Callable[[str], None]
) -> dict[str, Any]:
    """Run a query in a thread, so that this one can say how far it has come and hear an interrupt, which stops it."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        running = thread.submit(lambda: connection.execute(query).fetchnumpy())
        said = 0
        try:
            while True:
                try:
                    return dict(running.result(timeout=0.5))
                except TimeoutError:
                    if running.done():
                        raise
                percent = int(max(connection.query_progress(), 0) // 5 * 5)
                if percent > said:
                    said = percent
                    talk(f"records: {percent}% counted")
        except KeyboardInterrupt:
            connection.interrupt()
            raise


def _attach(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    with path.open("rb") as stream:
        is_sqlite = stream.read(15) == b"SQLite format 3"
    try:
        kind = ", TYPE sqlite" if is_sqlite else ""
        connection.execute(f"ATTACH {literal(str(path.absolute()))} AS source (READ_ONLY{kind})")
        connection.execute("USE source")
    except duckdb.Error as error:
        if is_sqlite and "extension" in str(error):
            raise MissingLibrary(
                f"{path}: DuckDB reads SQLite files with its 'sqlite' extension, which is not on this machine.\n"
                "  Install it once with: python -c \"import duckdb; duckdb.sql('INSTALL sqlite')\"\n"
                f"  or export the table to a {ANY_FORMAT} file."
            ) from None
        problem = "cannot be read: this is not a DuckDB or SQLite file that this version can open"
        hint = "name a database file, or export the table to Parquet"
        raise InvalidInput(problem_in(path, problem, hint)) from None


def open_source(
    folder: Path, records: Records, memory_limit: str | None = None, time_limit: int = SECONDS
) -> RecordSource:
    """Find the files and their columns; every file is looked at before any is counted."""
    names = records.files or ()
    columns: tuple[str, ...] = ()
    hive = any((folder / name).is_dir() for name in names)
    if records.database is not None:
        files: tuple[Path, ...] = (folder / records.database,)
        relation = name_in_sql(records.table) if records.table else f"({(records.query or '').rstrip('; ')})"
    else:
        files = tuple(dict.fromkeys(path for name in names for path in files_named(folder, name)))
        if is_csv(files[0]):
            columns = _common_heading(files, records.csv.sign)
            relation = csv_relation(files, columns, hive=hive, delimiter=records.csv.sign)
        else:
            relation = parquet_relation(files, hive=hive)
    source = RecordSource(
        files=files,
        relation=relation,
        columns=columns,
        hive=hive,
        delimiter=records.csv.sign,
        database=records.database is not None,
        memory_limit=memory_limit,
        time_limit=time_limit,
    )
    return source if columns and not hive else replace(source, columns=_described(source))


def _common_heading(files: Sequence[Path], delimiter: str) -> tuple[str, ...]:
    """The heading that all CSV files have, none of which has a line without end."""
    headings = {path: csv_heading(path, delimiter) for path in files}
    first = headings[files[0]]
    problems = [
        problem_in(
            path,
            f"has other columns than {files[0].name}: {', '.join(found[:10])} instead of {', '.join(first[:10])}",
            "all files of a source have the same heading",
            1,
        )
        for path, found in headings.items()
        if found != first
    ]
    if problems:
        raise InvalidInput(problems)
    for path in files:
        refuse_endless_lines(path)
    return tuple(first)


def _described(source: RecordSource) -> tuple[str, ...]:
    """The columns as DuckDB finds them; a column that a Parquet file has twice is refused."""
    with source.connect() as connection:
        try:
            if not source.database and not source.is_csv:
                _refuse_repeated(connection, source.files[0])
            rows = connection.execute(f"DESCRIBE SELECT * FROM {source.relation}").fetchall()
        except duckdb.Error as error:
            raise source.unreadable(error) from None
    return tuple(str(row[0]) for row in rows)


def _refuse_repeated(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    rows = connection.execute(
        f"SELECT name, num_children FROM parquet_schema({file_in_sql(path)})"
    ).fetchall()
    names = [str(name) for name, _ in rows[1:]]
    if len(names) != rows[0][1]:
        return  # nested columns: their inner names may be the same
    for name in names:
        if sum(other.casefold() == name.casefold() for other in names) > 1:
            hint = "give each column a name of its own"
            raise InvalidInput(problem_in(path, f"column '{name}' appears twice", hint))


def first_row(source: RecordSource, condition: str, **values: str) -> Location:
    """Where a condition first holds: the line of a CSV file, the row of another. For messages."""
    for part in source.parts():
        with part.connect(in_order=True) as connection:
            try:
                found = connection.execute(
                    f"SELECT atreport_row FROM (SELECT *, row_number() OVER () AS atreport_row FROM {part.relation}) "
                    f"WHERE {condition} LIMIT 1",
                    values,
                ).fetchone()
            except duckdb.Error as error:
                raise source.unreadable(error) from None
        if found is not None:
            return Location(str(part.files[0]), int(found[0]) + (1 if part.is_csv else 0))
    return Location(str(source.files[0]))


# Count records on this machine, with DuckDB: larger than memory, on every core.

Talk = Callable[[str], None]
Keys = Mapping[str, str]
"""What to count by: a name for each SQL expression over the columns of the records."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Counted:
    """How many records have each combination of keys, in no particular order."""

    keys: Mapping[str, NDArray[np.object_]]  # texts, None where nothing is written
    records: IntArray


def counting_query(source: RecordSource, keys: Keys) -> str:
    """The one query that looks at every record."""
    columns = ", ".join(f"{expression} AS {name}" for name, expression in keys.items())
    return f"SELECT {columns}, count(*) AS records FROM {source.relation} GROUP BY {', '.join(keys)}"


class Counting:
    """Counts records, on this machine; an engine may do it elsewhere."""

    def __init__(self, talk: Talk = lambda _words: None) -> None:
        self.talk = talk

    def count_by(self, source: RecordSource, keys: Keys) -> Counted:
        """Count the records by the keys; :class:`InvalidInput` names file and row of what cannot be read."""
        found = source.fetch(counting_query(source, keys), self.talk)
        return counted_from({name: found[name] for name in (*keys, "records")})


def counted_from(columns: Mapping[str, Any]) -> Counted:
    """Columns as NumPy or pandas hand them over: None where a text is missing (masked, or NaN)."""
    keys = {}
    for name, column in columns.items():
        if name == "records":
            continue
        texts = np.empty(len(column), dtype=object)
        texts[:] = [text if isinstance(text, str) else None for text in column.tolist()]
        keys[name] = texts
    return Counted(keys=keys, records=np.asarray(columns["records"], dtype=np.int64))
