"""A real Dask cluster of two worker processes: the same report, byte for byte, also when a worker is killed."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from atreport import build
from atreport.core.band import Closeness
from atreport.errors import InvalidInput, UsageError
from atreport.private import engine_dask
from atreport.private.data import record_source
from atreport.private.data.run_options import RunOptions
from atreport.private.engine_dask import cluster
from atreport.private.solver.fidelity import fidelity_bounds
from atreport.private.solver.objective import Objective
from atreport.private.solver.solver import is_compiled, solve_table
from tests.example import random_table
from tests.many_outcomes import table_of
from tests.private.data.test_records import CSV, HEADING, sources, write_spec

distributed = pytest.importorskip("distributed")

# Dask leaves sockets of its own to the garbage collector to close.
SOCKETS = pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)


@pytest.fixture(scope="module")
def two_workers() -> Iterator[Any]:
    """Two worker processes on this machine."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
    ) as workers:
        yield workers


def public_files(folder: Path) -> dict[str, bytes]:
    """Every public file of a build."""
    return {path.name: path.read_bytes() for path in (folder / "public").iterdir()}


@SOCKETS
@pytest.mark.parametrize(
    "form",
    [
        "parquet",
        *(
            pytest.param(f, marks=pytest.mark.slow)
            for f in ("glob of parquet", "glob of csv", "hive folder of csv", "table")
        ),
    ],
)
def test_cluster_gives_the_same_bytes(tmp_path: Path, two_workers: Any, form: str, monkeypatch) -> None:
    """Counted and solved on the cluster, a Parquet file in runs of rows, records give the bytes of one CSV file read here."""
    monkeypatch.setattr(record_source, "ROWS_AT_ONCE", 9)
    forms = sources(tmp_path)
    edit = ("0.7}", "0.9}")
    here = build(write_spec(tmp_path, forms["csv"], edit), tmp_path / "here", formats=["json"])
    engine = RunOptions(name="dask", scheduler=two_workers.scheduler_address)
    spec = write_spec(tmp_path, forms[form], edit)
    there = build(spec, tmp_path / "there", formats=["json"], engine=engine)
    assert public_files(there.folder) == public_files(here.folder)
    annexes = [(r.folder / "confidential" / "annex.json").read_bytes() for r in (here, there)]
    assert annexes[0] == annexes[1]


@SOCKETS
def test_groups_are_solved_to_the_same_floats(two_workers: Any) -> None:
    """Parted by QID over the workers, every float of the solution is the one found here."""
    table = random_table(np.random.default_rng(3), groups=40, values=5, others=2)
    bounds = fidelity_bounds(table, Closeness(delta=Decimal("0.9")), 4)
    ceilings = np.random.default_rng(4).uniform(0.4, 1.0, len(table.cells.value_starts))
    with cluster(two_workers.scheduler_address, lambda _words: None) as engine:
        for aims in (
            Objective(minimise=("beta",)),
            Objective(minimise=(), beta=0.8),
            Objective(minimise=("odds", "beta", "lift"), rate_move=0.01, values=(ceilings,)),
        ):
            here, there = solve_table(table, bounds, aims), engine.solve(table, bounds, aims)
            for name in ("mapping", "optimum", "proven", "lift", "lift_proven", "odds", "kept", "unique"):
                np.testing.assert_array_equal(getattr(there, name), getattr(here, name))
            assert (here.terms is None) == (there.terms is None)
            if here.terms is not None and there.terms is not None:
                np.testing.assert_array_equal(there.terms.both, here.terms.both)
    assert not is_compiled(table)


@pytest.mark.parametrize("attributes", [1, 2])
@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_parts_put_together_are_the_whole(compiled: bool, attributes: int) -> None:
    """Solved apart, each group gets the floats it gets among the others; also the figures of every attribute."""
    rng = np.random.default_rng(4)
    table = (
        table_of(rng, 3, 2, groups=3) if attributes == 2 else random_table(rng, groups=12, values=6, others=2)
    )
    bounds = fidelity_bounds(table, Closeness(delta=Decimal("0.9")), 4)
    whole = solve_table(table, bounds, Objective(), compiled=compiled)
    parts = [
        engine_dask.part_of(table, bounds, Objective(), np.array([group]))
        for group in range(len(table.cells.group_starts))
    ]
    again = engine_dask.joined([engine_dask.solve_part(part, compiled=compiled) for part in parts])
    for name in ("attribute_beta", "attribute_lift", "optimum", "lift", "mapping", "kept"):
        np.testing.assert_array_equal(getattr(again, name), getattr(whole, name))


@SOCKETS
def test_bad_data_on_a_worker_is_the_same_clear_error(tmp_path: Path, two_workers: Any) -> None:
    """A worker's finding comes home with its file and row."""
    (tmp_path / "a.csv").write_text(CSV)
    (tmp_path / "b.csv").write_text(HEADING + "F,<100k,approved\nF,<100k\n")
    spec = write_spec(tmp_path, "{files: [a.csv, b.csv]}")
    engine = RunOptions(name="dask", scheduler=two_workers.scheduler_address)
    with pytest.raises(InvalidInput) as caught:
        build(spec, tmp_path / "out", engine=engine)
    (problem,) = caught.value.problems
    assert (Path(problem.location.file).name, problem.location.line) == ("b.csv", 3)
    assert not (tmp_path / "out").exists()


def test_no_scheduler_is_a_clear_error(monkeypatch) -> None:
    """An address at which nobody answers."""
    monkeypatch.setattr(engine_dask, "SECONDS_TO_CONNECT", 0.5)
    with (
        pytest.raises(UsageError, match="no Dask scheduler answers"),
        cluster("tcp://127.0.0.1:9", lambda _: None),
    ):
        pass


@pytest.mark.slow
@SOCKETS
def test_killed_worker_changes_nothing(tmp_path: Path, two_workers: Any) -> None:
    """A worker killed while it counts: the others take over, and the report is the same, PDF and all."""
    import duckdb

    people = "SELECT ['F', 'M'][1 + i % 2] AS gender, ['<100k', '100k-200k', '>200k'][1 + (hash(i) % 3)::INT] AS income"
    decided = "IF(hash(i + 7) % 10 < 3 + 2 * (hash(i) % 3), 'approved', 'denied') AS decision"
    for part in range(12):
        rows = f"range({part * 400_000}, {(part + 1) * 400_000}) t(i)"
        duckdb.sql(f"COPY ({people}, {decided} FROM {rows}) TO '{tmp_path}/part{part:02}.csv'")
    spec = write_spec(tmp_path, "'part*.csv'", ("0.7}", "0.9}"))
    here = build(spec, tmp_path / "here")
    victim = next(iter(two_workers.workers.values()))
    killed = threading.Event()

    def kill() -> None:
        with distributed.Client(two_workers.scheduler_address, set_as_default=False) as client:
            while not any(client.processing().values()):  # until the first files are being counted
                time.sleep(0.01)
        os.kill(victim.pid, signal.SIGKILL)
        killed.set()

    killer = threading.Thread(target=kill)
    killer.start()
    engine = RunOptions(name="dask", scheduler=two_workers.scheduler_address)
    there = build(spec, tmp_path / "there", engine=engine)
    killer.join()
    assert killed.is_set()
    assert public_files(there.folder) == public_files(here.folder)
