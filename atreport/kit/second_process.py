"""Run one step in a process of its own while this one does another: two cores, one program.

Guarantee: the result is the one that this process would find, since it is the same code; and an error over there is raised
here, with where it came from. Only where no second process can be started, or it is killed, is the step done in this one.
What is handed over travels through pipes and touches no disk.

A `ProcessPoolExecutor` would do the same with less code here. But a process that it spawns runs the caller's main module
again: a script that calls :func:`atreport.build` outside of ``if __name__ == "__main__"`` would run twice. And its process
answers after 0.04 to 0.07 s, where one that is started for its step alone answers after 0.015 s (measured with no step).
"""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, redirect_stdout, suppress
from importlib import import_module
from types import ModuleType

from atreport.kit.worker_process import usable_cores

# It comes ready while the one who started it is busy. Only then is it given its step.
_WORKER = """\
import gc, sys
gc.set_threshold{garbage}  # as the one who asks does
from atreport.kit.second_process import answer, get_ready
get_ready({module!r})
answer({module!r}, {function!r}, sys.stdin.buffer.read())
gc.freeze()  # to look for garbage at the end would take half a second, for which the one who asks waits
"""

_ahead: dict[tuple[str, str], subprocess.Popen[bytes]] = {}
"""Processes that were started ahead and that no step has been given to yet, by the module and the function of the step."""

Step = Callable[[bytes], bytes]
"""A function of a module."""

Fetch = Callable[[], bytes]
"""Waits for the result of a step."""

Begin = Callable[[bytes], Fetch]
"""Begins the step with what it is given. To be called once."""


@contextmanager
def run_beside(step: Step, given: bytes) -> Iterator[Fetch]:
    """Begin a step, which is a function of a module, and give a way to fetch its result.

    On machines with one core, in one of several processes, and where no other process can be had, fetching does the step.
    """
    with process_for(step) as begin:
        yield begin(given)


@contextmanager
def process_for(step: Step) -> Iterator[Begin]:
    """Start a process for a step that cannot begin yet, and give a way to begin it.

    Meanwhile it imports the step's module, and those that the module names in `READY`; one that this machine cannot import
    is left to the step. Where the process was started ahead, that one is taken. See :func:`run_beside`.
    """
    name = (step.__module__, step.__name__)
    worker = _ahead.pop(name, None) or _start(*name)
    if worker is None:
        yield lambda given: lambda: step(given)
        return
    with worker, ThreadPoolExecutor(max_workers=1) as thread:

        def begin(given: bytes) -> Fetch:
            answered = thread.submit(worker.communicate, given)
            return lambda: _result(step, given, worker, answered.result()[0])

        try:
            yield begin
        finally:
            worker.kill()


@contextmanager
def started_ahead(module: str, function: str) -> Iterator[None]:
    """Start the process for a step whose module is not imported here yet: both processes then import at the same time.

    The first :func:`process_for` of that step takes it; one that nobody took is ended.
    """
    worker = _start(module, function)
    if worker is not None:
        _ahead[module, function] = worker
    try:
        yield
    finally:
        left = _ahead.pop((module, function), None)
        if left is not None:
            with left:
                left.kill()


def _result(step: Step, given: bytes, worker: subprocess.Popen[bytes], packed: bytes) -> bytes:
    if worker.returncode != 0 or not packed:  # it was killed; doing the step here shows why, if it can
        return step(given)
    found, error, origin = pickle.loads(packed)
    if error is not None:
        error.add_note(f"In a process of its own:\n{origin}")
        raise error
    return bytes(found)


def _start(module: str, function: str) -> subprocess.Popen[bytes] | None:
    if not sys.executable or usable_cores() < 2:
        return None
    program = _WORKER.format(garbage=gc.get_threshold(), module=module, function=function)
    try:
        return subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
    except OSError:
        return None


def get_ready(module: str) -> None:
    """Import the module of a step and what it names, as far as this machine has it; what the other process runs first."""
    for each in getattr(_imported(module), "READY", ()):
        _imported(each)


def _imported(module: str) -> ModuleType | None:
    # a library that is missing, or one that it needs, which it may complain of where the answer is to stand
    with suppress(ImportError, OSError), redirect_stdout(sys.stderr):
        return import_module(module)
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
