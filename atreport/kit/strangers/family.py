"""A process with all that it has started: how much they take together, and their end.

A step on bytes from strangers may itself take a step in a process of its own, and limits that hold for each alone would add
up. Where the system has no `/proc` (outside Linux) nothing is known of a family but its first process's end.
"""

from __future__ import annotations

import contextlib
import os
import signal
from dataclasses import dataclass
from pathlib import Path

_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # Windows knows only the latter
_PROC = Path("/proc")
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_TIMES = slice(11, 15)
"""In `/proc/N/stat`, counted after the name: processor time of the process and of those it has waited for."""


@dataclass(frozen=True, kw_only=True)
class Taken:
    """What a family takes."""

    seconds: float
    """Processor time of all, and of those that have ended and were waited for."""
    bytes: int
    """Memory in use now, added up; what several share is counted for each, so it is never too little."""


def family(process: int) -> list[int]:
    """A process and all that it, or one of them, has started and that still live."""
    found = [process]
    for member in found:
        with contextlib.suppress(OSError):
            for thread in (_PROC / str(member) / "task").iterdir():
                found += map(int, (thread / "children").read_text(encoding="ascii").split())
    return found


def taken_by(process: int) -> Taken:
    """What a process and its family take; nothing where the system does not say."""
    each = [_taken_alone(member) for member in family(process)]
    return Taken(seconds=sum(one.seconds for one in each), bytes=sum(one.bytes for one in each))


def _taken_alone(process: int) -> Taken:
    try:
        after_name = (_PROC / str(process) / "stat").read_bytes().rpartition(b")")[2].split()
        pages = int((_PROC / str(process) / "statm").read_bytes().split()[1])
        return Taken(seconds=sum(map(int, after_name[_TIMES])) / _TICKS, bytes=pages * _PAGE)
    except (OSError, ValueError, IndexError):
        return Taken(seconds=0.0, bytes=0)


def end_family(process: int) -> None:
    """End a process and all that it has started."""
    for member in family(process):
        with contextlib.suppress(ProcessLookupError):
            os.kill(member, _KILL)
