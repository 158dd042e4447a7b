"""Count records and solve groups on a Dask cluster; only cells come back.

Each worker counts whole files, or runs of rows of large Parquet files, with the very query that this machine
would use, and dask.dataframe adds the counts up. Later it solves the groups, partitioned by QID, with the
very solver. Dask moves the data and repeats what a lost worker had begun. Nothing depends on who did what, so
the report is the same, byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
from distributed import Client

from atreport.core.cells import arrange
from atreport.errors import UsageError
from atreport.private.data.decision_table import DecisionTable
from atreport.private.data.record_source import Counted, Keys, RecordSource, Talk, counted_from
from atreport.private.local_engine import LocalEngine
from atreport.private.solver.closed_form import Terms
from atreport.private.solver.fidelity import Bounds
from atreport.private.solver.objective import Objective, TableSolution
from atreport.private.solver.solver import is_compiled, solve_table
from atreport.spec.process import Process
from atreport.text.numbers import counted

SECONDS_TO_CONNECT = 20
"""How long to wait for the scheduler to answer."""

MOST_RETRIES = 3
TERMS = ("favourable", "unfavourable", "both", "prior")
OF_GROUP = ("optimum", "proven", "lift", "lift_proven", "odds", "kept")


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
        texts = {name: pd.Series(dtype="string") for name in keys}
        meta = pd.DataFrame({**texts, "records": pd.Series(dtype="int64")})
        counted = dd.from_map(count_part, parts, keys=dict(keys), meta=meta)
        summed = counted.groupby(list(keys), dropna=False, sort=False)["records"].sum(
            split_out=min(len(parts), self.workers)
        )
        frame = self._result(summed.reset_index())
        return counted_from({name: frame[name].to_numpy() for name in (*keys, "records")})

    def solve(self, table: DecisionTable, bounds: Bounds, aims: Objective) -> TableSolution:
        """Solve the groups on the workers: each partition holds all cells of its QIDs."""
        frame = _frame_of(table, bounds, aims)
        self.talk(
            f"solver: {counted(len(table.cells.group_starts), 'group')} on {counted(self.workers, 'worker')}"
        )
        options: dict[str, Any] = {
            "process": table.cells.process,
            "aims": replace(aims, values=None),  # they are in the frame, beside their cells
            "compiled": is_compiled(table),
        }
        meta = solve_part(frame.head(0), **options)
        partitioned = dd.from_pandas(frame, npartitions=2 * self.workers, sort=True)
        solved = self._result(partitioned.map_partitions(solve_part, **options, meta=meta))
        return _solution_of(table, solved)

    def _result(self, collection: Any) -> pd.DataFrame:
        return self.client.compute(collection, retries=MOST_RETRIES).result()  # type: ignore[no-any-return]


def count_part(part: RecordSource, keys: Keys) -> pd.DataFrame:
    """The counts of one file or run of rows, on a worker."""
    counted = LocalEngine().count_by(part, keys)
    texts = {name: pd.Series(column, dtype="string") for name, column in counted.keys.items()}
    return pd.DataFrame({**texts, "records": counted.records})


def _frame_of(table: DecisionTable, bounds: Bounds, aims: Objective) -> pd.DataFrame:
    """A row a cell, indexed by QID group, so that Dask keeps groups whole."""
    columns: dict[str, Any] = {"population": table.cells.population}
    columns |= {f"code_{i}": codes for i, codes in enumerate(table.cells.codes.T)}
    for name, values in (("true", table.probability), ("lower", bounds.lower), ("upper", bounds.upper)):
        columns |= {f"{name}_{i}": column for i, column in enumerate(values.T)}
    for i, ceilings in enumerate(aims.values or ()):
        columns[f"ceiling_{i}"] = ceilings[table.cells.protected[i].index]
    return pd.DataFrame(columns, index=pd.Index(table.cells.group, name="group"))


def solve_part(frame: pd.DataFrame, process: Process, aims: Objective, compiled: bool) -> pd.DataFrame:
    """Solve the groups of one partition, on a worker: a row a cell, with what is known of its group beside it."""
    outcomes = len(process.outcome.values)
    names = [f"mapping_{i}" for i in range(outcomes)]
    of_attributes = _attribute_columns(process)
    if not len(frame):
        return _empty([*names, *OF_GROUP, "unique", *TERMS, *of_attributes])

    def array(name: str, number: int) -> Any:
        return frame[[f"{name}_{i}" for i in range(number)]].to_numpy()

    codes = array("code", len(process.attributes)).astype(np.int32)
    cells, _ = arrange(process, codes, frame["population"].to_numpy(dtype=np.int64))  # already in this order
    no_steps = np.empty((0, outcomes), dtype=np.int64)  # rounding to print is done at home
    bounds = Bounds(
        lower=array("lower", outcomes),
        upper=array("upper", outcomes),
        lowest_step=no_steps,
        highest_step=no_steps,
    )
    table = DecisionTable(cells=cells, probability=array("true", outcomes))
    if "ceiling_0" in frame:
        ceilings = array("ceiling", len(cells.protected))
        values = tuple(ceilings[p.order[p.starts], i] for i, p in enumerate(cells.protected))
        aims = replace(aims, values=values)
    solution = solve_table(table, bounds, aims, compiled=compiled)
    of_group = {name: getattr(solution, name).astype(np.float64) for name in OF_GROUP}
    unknown = np.full(len(solution.optimum), np.nan)
    of_group["unique"] = unknown if solution.unique is None else solution.unique.astype(np.float64)
    of_group |= {name: getattr(solution.terms, name) if solution.terms else unknown for name in TERMS}
    beta, lift = solution.attribute_beta, solution.attribute_lift
    if beta is None or lift is None:
        of_group |= dict.fromkeys(of_attributes, unknown)
    else:
        of_group |= dict(zip(of_attributes, np.hstack([beta, lift]).T, strict=True))
    solved = dict(zip(names, solution.mapping.T, strict=True))
    return frame[[]].assign(**solved, **{name: values[cells.group] for name, values in of_group.items()})


def _attribute_columns(process: Process) -> list[str]:
    """The names of columns for figures of each sensitive attribute."""
    number = len(process.of_role("sensitive"))
    return [f"{figure}_of_{i}" for figure in ("beta", "lift") for i in range(number)]


def _empty(names: list[str]) -> pd.DataFrame:
    index = pd.Index([], dtype="int64", name="group")
    return pd.DataFrame({name: pd.Series(dtype="float64") for name in names}, index=index)


def _solution_of(table: DecisionTable, solved: pd.DataFrame) -> TableSolution:
    """The parts put together again, in the order of the table's cells."""
    outcomes = table.probability.shape[1]
    first = solved.iloc[table.cells.group_starts]
    values = {name: first[name].to_numpy() for name in (*OF_GROUP, "unique", *TERMS)}
    closed_form = not np.isnan(values["both"]).any()
    figures = first[_attribute_columns(table.cells.process)].to_numpy()
    beta, lift = (None, None) if np.isnan(figures).any() else np.hsplit(figures, 2)
    return TableSolution(
        optimum=values["optimum"],
        proven=values["proven"],
        lift=values["lift"],
        lift_proven=values["lift_proven"],
        odds=values["odds"],
        kept=values["kept"].astype(bool),
        mapping=solved[[f"mapping_{i}" for i in range(outcomes)]].to_numpy(),
        terms=Terms(**{name: values[name] for name in TERMS}) if closed_form else None,
        unique=None if np.isnan(values["unique"]).any() else values["unique"].astype(bool),
        attribute_beta=beta,
        attribute_lift=lift,
    )
