"""Count records on this machine, with DuckDB: larger than memory, on every core."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from atreport.population.cells import IntArray

if TYPE_CHECKING:  # it imports DuckDB, which a spec without records does not need
    from atreport.confidential.data.record_source import RecordSource

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
