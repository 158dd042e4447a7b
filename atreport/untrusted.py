"""Take a step on bytes from strangers in a process of its own, which is ended when it takes too much time or memory.

Guarantee: the step ends with its result, with its own error, or with :class:`ResourceLimitExceeded`, whatever the bytes
are: a reader of PDF files that loops, or fills the memory, takes nothing else down with it. Time is processor time, so
that a busy machine gives the same answer as an idle one; a process that sleeps is ended by the clock. The limits hold
for the process together with those that it starts itself, and all of them are ended.
"""

import contextlib
import errno
import os
import signal
import stat
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from atreport.processes import result_of, start_python
from atreport.text.language import LazyMessage, lazy_gettext

_WORKER = """\
import gc, os, sys
gc.disable()
given = sys.stdin.buffer.read()
seconds = int(sys.argv[3])
try:
    import resource
    # A second more than the one who waits allows: the system counts by a finer clock than the one that is read below.
    resource.setrlimit(resource.RLIMIT_CPU, (seconds + 1, seconds + 2))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
except (ImportError, ValueError, OSError):
    pass  # the clock and the one who waits still watch
from atreport.processes import answer
answer(*sys.argv[1:3], given)
gc.freeze()  # no garbage is looked for at the end either
if sum(os.times()[:4]) > seconds:  # a process that it started was ended by the limit it took over, before anybody looked
    sys.exit(1)
"""
_LOOK = 0.02
"""Seconds between two looks at what is in use."""
_PATIENCE = 4
"""So many seconds on the clock for each of processor time: machines are shared."""


class ResourceLimitExceeded(Exception):
    """A step was ended because it took more time or memory than it should: its argument, to be said with `resolve`."""


def run_bounded(step: str, given: bytes, *, seconds: int, megabytes: int) -> bytes:
    """The result of a step; its own error; or :class:`ResourceLimitExceeded`.

    Args:
        step: `module:function`, from bytes to bytes; named and not given, so that only the other process imports it.
        given: What it is given.
        seconds: Processor time that it may take, with all that it starts.
        megabytes: Memory that it may take, likewise.
    """
    module, function = step.split(":")
    with start_python(_WORKER, module, function, str(seconds)) as worker:
        watch = threading.Thread(target=_watch, args=(worker, seconds, megabytes), daemon=True)
        watch.start()
        try:
            packed, _ = worker.communicate(given)
        finally:
            if worker.poll() is None:
                kill_tree(worker.pid)
    if worker.returncode != 0 or not packed:
        raise ResourceLimitExceeded(
            lazy_gettext("it takes more time or memory than a file of its size should")
        )
    try:
        return bytes(result_of(packed))
    except MemoryError:
        message = lazy_gettext("it takes more memory than a file of its size should")
        raise ResourceLimitExceeded(message) from None


def _watch(worker: subprocess.Popen[bytes], seconds: int, megabytes: int) -> None:
    """End the family when the clock has run out, or it has taken more time or memory than it may."""
    end = time.monotonic() + seconds * _PATIENCE
    while worker.poll() is None:
        taken = taken_by(worker.pid)
        if time.monotonic() > end or taken.seconds > seconds or taken.bytes > megabytes * 1_000_000:
            kill_tree(worker.pid)
            return
        time.sleep(_LOOK)


# A process with all that it has started: how much they take together, and their end.
#
# A step on bytes from strangers may itself take a step in a process of its own, and limits that hold for each
# alone would add up. Where the system has no `/proc` (outside Linux) nothing is known of a family but its
# first process's end.

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


def process_tree(process: int) -> list[int]:
    """A process and all that it, or one of them, has started and that still live."""
    found = [process]
    for member in found:
        with contextlib.suppress(OSError):
            for thread in (_PROC / str(member) / "task").iterdir():
                found += map(int, (thread / "children").read_text(encoding="ascii").split())
    return found


def taken_by(process: int) -> Taken:
    """What a process and its family take; nothing where the system does not say."""
    each = [_taken_alone(member) for member in process_tree(process)]
    return Taken(seconds=sum(one.seconds for one in each), bytes=sum(one.bytes for one in each))


def _taken_alone(process: int) -> Taken:
    try:
        after_name = (_PROC / str(process) / "stat").read_bytes().rpartition(b")")[2].split()
        pages = int((_PROC / str(process) / "statm").read_bytes().split()[1])
        return Taken(seconds=sum(map(int, after_name[_TIMES])) / _TICKS, bytes=pages * _PAGE)
    except (OSError, ValueError, IndexError):
        return Taken(seconds=0.0, bytes=0)


def kill_tree(process: int) -> None:
    """End a process and all that it has started."""
    for member in process_tree(process):
        with contextlib.suppress(ProcessLookupError):
            os.kill(member, _KILL)


# Read a file that strangers wrote: a plain one of bounded size, or none.
#
# A link could lead out of the folder, a pipe never ends, and a file may be larger than the memory.

MOST_BYTES = 100_000_000
"""No file of a report is larger."""


class NotPlain(Exception):
    """Why something was not read: its argument, to be said with `resolve`."""


def read_plain_file(path: Path) -> bytes:
    """The bytes of a file. Raises :class:`NotPlain` for anything that no report has, OSError where it cannot be read."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(path, flags)
    except OSError as error:
        if error.errno == errno.ELOOP or path.is_symlink():
            raise NotPlain(lazy_gettext("a link to somewhere else, which was not followed")) from None
        if error.errno in (errno.ENXIO, errno.ENODEV, errno.EOPNOTSUPP):
            raise NotPlain(lazy_gettext("no plain file")) from None
        raise
    found = os.fstat(descriptor)
    if why := _not_plain(found):
        os.close(descriptor)
        raise NotPlain(why)
    with os.fdopen(descriptor, "rb") as file:
        return file.read(MOST_BYTES)


def _not_plain(found: os.stat_result) -> LazyMessage | None:
    """Asked before the file is opened: Python opens no folder, and says so by an error of its own."""
    if stat.S_ISDIR(found.st_mode):
        return lazy_gettext("a folder, and a report has none")
    if not stat.S_ISREG(found.st_mode):
        return lazy_gettext("no plain file")
    if found.st_size > MOST_BYTES:
        return lazy_gettext("larger than any file of a report ({most} MB)", most=MOST_BYTES // 1_000_000)
    return None
