"""Open the engine that a run asks for: this machine, or a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from atreport.confidential.data.run_options import RunOptions
from atreport.confidential.engines.local import LocalEngine
from atreport.errors import MissingLibrary


@contextmanager
def open_engine(engine: RunOptions, talk: Callable[[str], None]) -> Iterator[LocalEngine]:
    """The engine, ready to count records and to solve groups."""
    if engine.name == "local":
        yield LocalEngine(talk)
        return
    try:
        from atreport.confidential.engines.dask import cluster  # an extra, and seconds to import
    except ModuleNotFoundError:
        raise MissingLibrary(
            "--engine dask needs Dask; install it with: pip install 'atreport[dask]'"
        ) from None
    assert engine.scheduler is not None
    with cluster(engine.scheduler, talk) as workers:
        yield workers
