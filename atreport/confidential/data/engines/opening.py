"""Open the engine that a run asks for: this machine, or a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from atreport.confidential.data.engines.local import LocalEngine
from atreport.confidential.data.engines.options import Engine


@contextmanager
def working(engine: Engine, talk: Callable[[str], None]) -> Iterator[LocalEngine]:
    """The engine, ready to count records and to solve groups."""
    if engine.name == "local":
        yield LocalEngine(talk)
        return
    from atreport.confidential.data.engines.dask import cluster

    assert engine.scheduler is not None
    with cluster(engine.scheduler, talk) as workers:
        yield workers
