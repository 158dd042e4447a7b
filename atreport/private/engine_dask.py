"""Count records and solve groups on a Dask cluster; only cells come back.

Each worker counts whole files, or runs of rows of large Parquet files, with the very query that this machine
would use. Later it solves whole groups with the very solver. Dask moves the data and repeats what a lost worker
had begun. Nothing depends on who did what, so the report is the same, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from distributed import Client

from atreport.core.cells import IntArray
from atreport.errors import UsageError
from atreport.private.data.decision_table import DecisionTable, without_cells
from atreport.private.data.record_source import Counted, Keys, RecordSource, Talk, counted_from
from atreport.private.local_engine import LocalEngine
from atreport.private.solver.closed_form import Terms
from atreport.private.solver.fidelity import Bounds
from atreport.private.solver.objective import Objective, TableSolution
from atreport.private.solver.solver import is_compiled, solve_table
from atreport.text.numbers import counted

SECONDS_TO_CONNECT = 20
"""How long to wait for the scheduler to answer."""

MOST_RETRIES = 3

Part = tuple[DecisionTable, Bounds, Objective]
"""Some groups of a table, with their bounds and what is asked of them."""


@contextmanager
def cluster(scheduler: str, talk: Talk) -> Iterator[DaskEngine]:
    """Connect to a cluster, and leave it running afterwards."""
    try:
        client = Client(scheduler, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:  # a timeout is an OSError
        raise UsageError(
            f"no Dask scheduler answers at '{scheduler}' ({type(error).__name__}).\n"
            "  Start one with: dask scheduler, and workers with: dask worker ADDRESS"
        ) from None
    with client:
        yield DaskEngine(client, talk)


class DaskEngine(LocalEngine):
    """A cluster."""

    def __init__(self, client: Any, talk: Talk) -> None:
        super().__init__(talk)
        self.client = client

    @property
    def workers(self) -> int:
        """How many workers there are now."""
        return max(len(self.client.nthreads()), 1)

    def count_by(self, source: RecordSource, keys: Keys) -> Counted:
        """Count the records by the keys on the workers, each a file or a run of its rows at a time, and add up."""
        parts = source.runs()
        self.talk(f"records: {len(parts)} on {self.workers} workers")
        counted = pd.concat(self._on_workers(count_part, parts, keys=dict(keys)))
        summed = counted.groupby(list(keys), dropna=False, sort=False)["records"].sum().reset_index()
        return counted_from({name: summed[name].to_numpy() for name in (*keys, "records")})

    def solve(self, table: DecisionTable, bounds: Bounds, aims: Objective) -> TableSolution:
        """Solve the groups on the workers, some at a time."""
        groups = len(table.cells.group_starts)
        self.talk(f"solver: {counted(groups, 'group')} on {counted(self.workers, 'worker')}")
        chosen = np.array_split(np.arange(groups), min(groups, 2 * self.workers))
        parts = [part_of(table, bounds, aims, some) for some in chosen]
        return joined(self._on_workers(solve_part, parts, compiled=is_compiled(table)))

    def _on_workers(self, function: Callable[..., Any], parts: Sequence[Any], **further: Any) -> list[Any]:
        futures = self.client.map(function, parts, retries=MOST_RETRIES, pure=False, **further)
        return list(self.client.gather(futures))


def count_part(part: RecordSource, keys: Keys) -> pd.DataFrame:
    """The counts of one file or run of rows, on a worker."""
    found = LocalEngine().count_by(part, keys)
    texts = {name: pd.Series(column, dtype="string") for name, column in found.keys.items()}
    return pd.DataFrame({**texts, "records": found.records})


def part_of(table: DecisionTable, bounds: Bounds, aims: Objective, groups: IntArray) -> Part:
    """Some groups of a table."""
    rows = np.isin(table.cells.group, groups)
    if aims.values is not None:
        pairs = zip(table.cells.protected, aims.values, strict=True)
        aims = replace(aims, values=tuple(of[np.isin(each.group, groups)] for each, of in pairs))
    return without_cells(table, ~rows), bounds.at(rows), aims


def solve_part(part: Part, *, compiled: bool) -> TableSolution:
    """Solve some groups, on a worker."""
    return solve_table(*part, compiled=compiled)


def joined(solutions: Sequence[TableSolution]) -> TableSolution:
    """The parts put together again, in the order of the table's groups."""

    def together(found: Sequence[Any]) -> Any:
        if any(each is None for each in found):
            return None
        if isinstance(found[0], Terms):
            return Terms(
                **{name: together([getattr(each, name) for each in found]) for name in vars(found[0])}
            )
        return np.concatenate(found)

    return TableSolution(
        **{name: together([getattr(each, name) for each in solutions]) for name in vars(solutions[0])}
    )
