"""Count records on this machine, with DuckDB: larger than memory, on every core."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.record_source import RecordSource
from atreport.confidential.data.table import DecisionTable
from atreport.confidential.mechanism.fidelity import Bounds
from atreport.confidential.mechanism.solver import TableSolution, solve_table
from atreport.population.cells import IntArray

if TYPE_CHECKING:
    import duckdb

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


class LocalEngine:
    """This machine."""

    def __init__(self, talk: Talk = lambda _words: None) -> None:
        self.talk = talk

    def count_by(self, source: RecordSource, keys: Keys) -> Counted:
        """Count the records by the keys; :class:`InvalidInput` names file and row of what cannot be read."""
        import duckdb

        with source.connect() as connection:
            try:
                found = _fetched(connection, counting_query(source, keys), self.talk)
            except duckdb.Error as error:
                raise source.unreadable(error) from None
        return counted_from({name: found[name] for name in (*keys, "records")})

    def solve(self, table: DecisionTable, bounds: Bounds, target: float = 0.0) -> TableSolution:
        """Solve every group here."""
        return solve_table(table, bounds, target)


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


def _fetched(connection: duckdb.DuckDBPyConnection, query: str, talk: Talk) -> dict[str, Any]:
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
