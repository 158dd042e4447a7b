"""A process that stays and answers one question after another, and many questions spread over several of them.

Guarantee: an answer is the one that this process would find, since it is the same code; an error over there is raised here,
with where it came from. Questions and answers travel through pipes and touch no disk. Why not a `ProcessPoolExecutor`:
see :mod:`atreport.kit.second_process`.
"""

from __future__ import annotations

import gc
import os
import pickle
import struct
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from importlib import import_module
from queue import SimpleQueue
from typing import Any, BinaryIO, Self

Told = Callable[[str], None]
"""Called with what is being done."""

Step = Callable[[Any, Told], Any]
"""A function of a module, from a question and one to tell of progress, to an answer; both can be pickled."""

ALONE = "ATREPORT_ONE_PROCESS"
"""Set in the environment of a worker: it is one of several, so it starts no further processes for speed."""

_WORKER = """\
import gc
gc.set_threshold{garbage}  # as the one who asks does
from atreport.kit.worker_process import serve
serve()
"""

_LENGTH = struct.Struct(">Q")


class WorkerGone(Exception):
    """The process ended before it answered: it was stopped, or killed."""


def usable_cores() -> int:
    """How many processes are worth having: one in a process that is one of several already."""
    return 1 if os.environ.get(ALONE) else os.cpu_count() or 1


class WorkerProcess:
    """A process of its own for one kind of question. To be used by one thread at a time, but ended by any."""

    def __init__(self, step: Step, *, alone: bool = False) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        if alone:
            environment[ALONE] = "1"
        self._step = (step.__module__, step.__qualname__)
        self._process = subprocess.Popen(
            [sys.executable, "-c", _WORKER.format(garbage=gc.get_threshold())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,  # an interrupt from the keyboard is for the one who asks
        )

    def ask(self, question: Any, told: Told = lambda _: None) -> Any:
        """The answer to a question; raises the error it ended with, or :class:`WorkerGone`."""
        kind, content, origin = self._answered(question, told)
        if kind == "error":
            content.add_note(f"In a process of its own:\n{origin}")
            raise content
        return content

    def _answered(self, question: Any, told: Told) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        packed = _packed((self._step, question))
        try:
            _write(self._process.stdin, packed)
            while True:
                found = _read(self._process.stdout)
                if found[0] != "told":
                    return found
                told(found[1])
        except (EOFError, OSError):
            raise WorkerGone from None

    def end(self) -> None:
        """Stop it, whatever it is doing. One who waits for its answer is told that it is gone."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Stop it and let go of its pipes, when nobody waits any more."""
        self.end()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(BrokenPipeError):  # what was still to be sent
                pipe.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _packed(content: Any) -> bytes:
    packed = pickle.dumps(content)
    return _LENGTH.pack(len(packed)) + packed


def _write(pipe: BinaryIO | Any, packed: bytes) -> None:
    pipe.write(packed)
    pipe.flush()


def _read(pipe: BinaryIO | Any) -> Any:
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    packed = pipe.read(length)
    if len(packed) < length:
        raise EOFError
    return pickle.loads(packed)


def serve() -> None:
    """What the process does until nobody asks any more."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a device, no file of ours
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)  # whatever else is printed is no part of an answer
    writing = threading.Lock()

    def reply(kind: str, content: Any, origin: str = "") -> None:
        with writing:
            _write(answers, _packed((kind, content, origin)))

    while True:
        try:
            (module, function), question = _read(questions)
        except EOFError:
            return
        try:
            found = getattr(import_module(module), function)(question, lambda text: reply("told", text))
            reply("answer", found)
        except Exception as error:
            reply("error", _that_travels(error), "".join(traceback.format_exception(error)))


def _that_travels(error: Exception) -> Exception:
    """The error itself, or where it cannot be made again elsewhere, one that says the same."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # an error with arguments of its own often cannot be
        return RuntimeError("".join(traceback.format_exception_only(error)))
    return error


@contextmanager
def _workers(step: Step, number: int) -> Iterator[SimpleQueue[WorkerProcess | None]]:
    """Some workers that are free; None stands for one that could not be started."""
    free: SimpleQueue[WorkerProcess | None] = SimpleQueue()
    started: list[WorkerProcess] = []
    try:
        for _ in range(number):
            try:
                started.append(WorkerProcess(step, alone=True))
                free.put(started[-1])
            except OSError:
                free.put(None)
        yield free
    finally:
        for worker in started:
            worker.close()


def answer_all(step: Step, questions: Sequence[Any], done: Callable[[int], None]) -> list[Any]:
    """The answers to all questions, in their order, from as many processes as there are cores.

    `done` is called with the number of answers as they come. A question whose process is gone is answered here.
    """
    number = min(usable_cores(), len(questions))
    with _workers(step, number) as free, ThreadPoolExecutor(max_workers=max(number, 1)) as threads:

        def answer(question: Any) -> Any:
            worker = free.get()
            try:
                if worker is None:
                    return step(question, lambda _: None)
                try:
                    return worker.ask(question)
                except WorkerGone:
                    worker = None
                    return step(question, lambda _: None)
            finally:
                free.put(worker)

        asked = [threads.submit(answer, question) for question in questions]
        try:
            for number, finished in enumerate(as_completed(asked), start=1):
                finished.result()
                done(number)
        finally:
            for each in asked:
                each.cancel()
        return [each.result() for each in asked]
