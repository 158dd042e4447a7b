"""Take a step on bytes from strangers in a process of its own, which is ended when it takes too much time or memory.

Guarantee: the step ends with its result, with its own error, or with :class:`TookTooMuch`, whatever the bytes are: a
reader of PDF files that loops, or fills the memory, takes nothing else down with it. Time is processor time, so that a
busy machine gives the same answer as an idle one; a process that sleeps is ended by the clock. The limits hold for the
process together with those that it starts itself, and all of them are ended.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import time

from atreport.kit.language.later import say_later
from atreport.kit.strangers.family import end_family, taken_by

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
from atreport.kit.second_process import answer
answer(*sys.argv[1:3], given)
gc.freeze()  # no garbage is looked for at the end either
if sum(os.times()[:4]) > seconds:  # a process that it started was ended by the limit it took over, before anybody looked
    sys.exit(1)
"""
_LOOK = 0.02
"""Seconds between two looks at what is in use."""
_PATIENCE = 4
"""So many seconds on the clock for each of processor time: machines are shared."""


class TookTooMuch(Exception):
    """A step was ended because it took more time or memory than it should: its argument, to be said with `say_now`."""


def run_bounded(step: str, given: bytes, *, seconds: int, megabytes: int) -> bytes:
    """The result of a step; its own error; or :class:`TookTooMuch`.

    Args:
        step: `module:function`, from bytes to bytes; named and not given, so that only the other process imports it.
        given: What it is given.
        seconds: Processor time that it may take, with all that it starts.
        megabytes: Memory that it may take, likewise.
    """
    module, function = step.split(":")
    with subprocess.Popen(
        [sys.executable, "-c", _WORKER, module, function, str(seconds)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    ) as worker:
        watch = threading.Thread(target=_watch, args=(worker, seconds, megabytes), daemon=True)
        watch.start()
        try:
            packed, _ = worker.communicate(given)
        finally:
            if worker.poll() is None:
                end_family(worker.pid)
    if worker.returncode != 0 or not packed:
        raise TookTooMuch(say_later("it takes more time or memory than a file of its size should"))
    found, error, origin = pickle.loads(packed)
    if isinstance(error, MemoryError):
        raise TookTooMuch(say_later("it takes more memory than a file of its size should"))
    if error is not None:
        error.add_note(f"In a process of its own:\n{origin}")
        raise error
    return bytes(found)


def _watch(worker: subprocess.Popen[bytes], seconds: int, megabytes: int) -> None:
    """End the family when the clock has run out, or it has taken more time or memory than it may."""
    end = time.monotonic() + seconds * _PATIENCE
    while worker.poll() is None:
        taken = taken_by(worker.pid)
        if time.monotonic() > end or taken.seconds > seconds or taken.bytes > megabytes * 1_000_000:
            end_family(worker.pid)
            return
        time.sleep(_LOOK)
