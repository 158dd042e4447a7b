"""Limits on the process in which a model runs: memory and time, kept by the operating system."""

from __future__ import annotations

import sys
from pathlib import Path

if sys.platform != "win32":
    import resource

MOST_BYTES = 1 << 30
"""How much memory a model may take beside the libraries that run it."""

_PER_MODEL_BYTE = 8
"""Each byte of a model's file may be kept so many times: as read, as parsed, as laid out to run."""


def limit_process(seconds: int, model_bytes: int = 0) -> None:
    """Keep this process, from here on, to a time on the processor and to so much more memory than it has.

    Where the system knows no such limits, the time limit of the one who waits remains.
    """
    if sys.platform == "win32":
        return
    _lower(resource.RLIMIT_CPU, seconds + 1)
    _lower(resource.RLIMIT_CORE, 0)
    if sys.platform == "linux":
        taken = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        _lower(resource.RLIMIT_AS, taken + MOST_BYTES + _PER_MODEL_BYTE * model_bytes)


def _lower(limit: int, to: int) -> None:
    _, hard = resource.getrlimit(limit)
    to = to if hard == resource.RLIM_INFINITY else min(to, hard)
    resource.setrlimit(limit, (to, to))
