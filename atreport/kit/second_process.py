"""Run one step in a process of its own while this one does another: two cores, one program.

Guarantee: the result is the one that this process would find, since it is the same code; and an error over there is raised
here, with where it came from. Only where no second process can be started, or it is killed, is the step done in this one.
What is handed over travels through pipes and touches no disk.

A `ProcessPoolExecutor` would do the same with less code here. But a process that it spawns runs the caller's main module
again: a script that calls :func:`atreport.build` outside of ``if __name__ == "__main__"`` would run twice. And its process
answers after 0.04 to 0.07 s, where one that is started for its step alone answers after 0.015 s (measured with no step).
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module

from atreport.kit.worker_process import usable_cores

# What is handed over is read before anything is imported, so that the one who sends it need not wait.
_WORKER = """\
import gc, sys
gc.disable()  # the process ends with its one step
given = sys.stdin.buffer.read()
from atreport.kit.second_process import answer
answer(*sys.argv[1:], given)
"""


@contextmanager
def run_beside(step: Callable[[bytes], bytes], given: bytes) -> Iterator[Callable[[], bytes]]:
    """Begin a step, which is a function of a module, and give a way to fetch its result.

    On machines with one core, in one of several processes, and where no other process can be had, fetching does the step.
    """
    worker = _start(step)
    if worker is None:
        yield lambda: step(given)
        return
    with worker, ThreadPoolExecutor(max_workers=1) as thread:
        answered = thread.submit(worker.communicate, given)

        def fetch() -> bytes:
            packed, _ = answered.result()
            if (
                worker.returncode != 0 or not packed
            ):  # it was killed; doing the step here shows why, if it can
                return step(given)
            found, error, origin = pickle.loads(packed)
            if error is not None:
                error.add_note(f"In a process of its own:\n{origin}")
                raise error
            return bytes(found)

        try:
            yield fetch
        finally:
            worker.kill()


def _start(step: Callable[[bytes], bytes]) -> subprocess.Popen[bytes] | None:
    if not sys.executable or usable_cores() < 2:
        return None
    try:
        return subprocess.Popen(
            [sys.executable, "-c", _WORKER, step.__module__, step.__name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
    except OSError:
        return None


def answer(module: str, function: str, given: bytes) -> None:
    """Take the step and hand back its result, or the error it ended with; what the other process runs."""
    with os.fdopen(os.dup(1), "wb") as reply:
        os.dup2(2, 1)  # whatever else is printed is no part of the answer
        try:
            reply.write(pickle.dumps((getattr(import_module(module), function)(given), None, "")))
        except Exception as error:
            reply.write(_packed(error))


def _packed(error: Exception) -> bytes:
    """An error that can travel, with its origin: itself, or one that says the same."""
    origin = "".join(traceback.format_exception(error))
    try:
        packed = pickle.dumps((None, error, origin))
        pickle.loads(packed)
    except Exception:  # an error with arguments of its own often cannot be made again
        return pickle.dumps((None, RuntimeError("".join(traceback.format_exception_only(error))), origin))
    return packed
