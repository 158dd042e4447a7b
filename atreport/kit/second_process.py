"""Run one step in a process of its own while this one does another: two cores, one program.

Guarantee: the result is the one that this process would find, since it is the same code. Whatever goes wrong over there is
no error here: the step is then done in this process, which says what is wrong. What is handed over travels through pipes
and touches no disk.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# What is handed over is read before anything is imported, so that the one who sends it need not wait.
_WORKER = """\
import gc, sys
from importlib import import_module
gc.disable()  # the process ends with its one step
given = sys.stdin.buffer.read()
module, function = sys.argv[1:]
sys.stdout.buffer.write(getattr(import_module(module), function)(given))
"""


@contextmanager
def beside(step: Callable[[bytes], bytes], given: bytes) -> Iterator[Callable[[], bytes]]:
    """Begin a step, which is a function of a module, and give a way to fetch its result.

    On machines with one core, and where the other process fails, fetching does the step.
    """

    def here() -> bytes:
        return step(given)

    if not sys.executable or (os.cpu_count() or 1) < 2:
        yield here
        return
    try:
        worker = subprocess.Popen(
            [sys.executable, "-c", _WORKER, step.__module__, step.__name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
    except OSError:
        yield here
        return
    with worker:
        try:
            assert worker.stdin is not None
            try:
                worker.stdin.write(given)
                worker.stdin.close()
            except OSError:  # it ended before it had read all; `fetch` finds that out
                pass

            def fetch() -> bytes:
                assert worker.stdout is not None
                found = worker.stdout.read()
                return found if worker.wait() == 0 and found else here()

            yield fetch
        finally:
            worker.kill()
