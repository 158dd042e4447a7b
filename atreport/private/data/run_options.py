"""Where and with what the work on records is done: the options of a run. None of them changes a byte of a report."""

import re
from dataclasses import dataclass
from typing import Literal

from atreport.errors import UsageError

_SIZE = re.compile(r"\d+(\.\d+)?\s*([KMGT]i?)?B", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """The machine or the cluster that reads records and solves groups."""

    name: Literal["local", "dask"] = "local"
    scheduler: str | None = None  # the address of a Dask scheduler
    memory_limit: str | None = None  # what DuckDB may use, such as 2GB; it spills to disk beyond that
    time_limit: int = 600  # seconds that a query on records may take
    # a spec may name a Python function, which can do anything its author wants
    allow_python_model: bool = False


LOCAL = RunOptions()


def read_run_options(
    name: str, scheduler: str | None, memory_limit: str | None, time_limit: int, *, allow_python_model: bool
) -> RunOptions:
    """The options as a user wrote them, or a :class:`UsageError`."""
    if name not in ("local", "dask"):
        raise UsageError(f"unknown engine '{name}': --engine takes local or dask")
    if name == "dask" and scheduler is None:
        raise UsageError("--engine dask needs --scheduler ADDRESS, such as tcp://10.0.0.1:8786")
    if name == "local" and scheduler is not None:
        raise UsageError("--scheduler is for --engine dask")
    if memory_limit is not None and not _SIZE.fullmatch(memory_limit.strip()):
        raise UsageError(f"'{memory_limit}' is not a size: --memory-limit takes one such as 2GB or 512MiB")
    return RunOptions(
        name="dask" if name == "dask" else "local",
        scheduler=scheduler,
        memory_limit=memory_limit,
        time_limit=time_limit,
        allow_python_model=allow_python_model,
    )
