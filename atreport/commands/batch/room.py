"""How many reports there is room for on this machine at a time: by its cores, and by the memory that is free."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

from atreport.confidential.data.run_options import RunOptions

MEMORY_OF_A_BUILD = 1_000_000_000
"""Bytes that a build is reckoned with. The largest example with its PDF takes less; see docs/register.md."""

FEW = 512
"""Megabytes that a build of records may use at least, however many there are: with less, every query goes to disk."""

_MEMINFO = Path("/proc/meminfo")
_LIMIT, _USED = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")


def jobs_for(specs: int, *, cores: int, memory: int | None) -> int:
    """How many specs to build at a time: no more than cores, or than the free memory has room for; at least one."""
    room = cores if memory is None else memory // MEMORY_OF_A_BUILD
    return max(1, min(specs, cores, room))


def share_memory(options: RunOptions, jobs: int, memory: int | None) -> RunOptions:
    """The options of each of several builds at a time: what one alone may use for records is shared among them."""
    if jobs == 1 or memory is None or options.memory_limit is not None:
        return options
    return replace(options, memory_limit=f"{max(memory // jobs // 1_000_000, FEW)}MB")


def free_memory() -> int | None:
    """Bytes that are free on this machine, or in the container that this is; None where the system does not say."""
    known = [each for each in (_free_on_machine(), _free_in_container()) if each is not None]
    return min(known, default=None)


def _free_on_machine() -> int | None:
    try:
        lines = _MEMINFO.read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, IndexError, StopIteration):
        return None


def _free_in_container() -> int | None:
    try:
        limit, used = (path.read_text(encoding="ascii").strip() for path in (_LIMIT, _USED))
        return None if limit == "max" else max(int(limit) - int(used), 0)
    except (OSError, ValueError):
        return None


def usable_processors() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def memory_at_its_peak() -> int:
    """Bytes that this process has taken at most until now; 0 where the system does not say."""
    try:
        import resource
    except ImportError:  # no such thing on Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
