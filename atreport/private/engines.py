"""Open the engine that a run asks for: this machine, or a Dask cluster."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from atreport.errors import MissingLibrary
from atreport.private.data.run_options import RunOptions
from atreport.private.local_engine import LocalEngine


@contextmanager
def open_engine(engine: RunOptions, talk: Callable[[str], None]) -> Iterator[LocalEngine]:
    """The engine, ready to count records and to solve groups."""
    if engine.name == "local":
        yield LocalEngine(talk)
        return
    try:
        from atreport.private.engine_dask import cluster
    except ModuleNotFoundError:
        raise MissingLibrary(
            "--engine dask needs Dask; install it with: pip install 'atreport[dask]'"
        ) from None
    assert engine.scheduler is not None
    with cluster(engine.scheduler, talk) as workers:
        yield workers
