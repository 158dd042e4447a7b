"""Run one step in a process of its own while this one does another: two cores, one program.

Guarantee: the result is the one that this process would find, since it is the same code; and an error over there is raised
here, with where it came from. Only where no second process can be started, or it is killed, is the step done in this one.
What is handed over travels through pipes and touches no disk.

A `ProcessPoolExecutor` would do the same with less code here. But a process that it spawns runs the caller's main module
again: a script that calls :func:`atreport.build` outside of ``if __name__ == "__main__"`` would run twice. And its process
answers after 0.04 to 0.07 s, where one that is started for its step alone answers after 0.015 s (measured with no step).
"""

import gc
import os
import pickle
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from importlib import import_module
from queue import SimpleQueue
from types import ModuleType
from typing import IO, Any, Self

# It comes ready while the one who started it is busy. Only then is it given its step.
_STEP_PROGRAM = """\
import gc, pickle, sys
gc.set_threshold{garbage}  # as the one who asks does
from atreport.processes import answer, get_ready
get_ready({module!r})
answer({module!r}, {function!r}, pickle.load(sys.stdin.buffer))
gc.freeze()  # to look for garbage at the end would take half a second, for which the one who asks waits
"""

_ahead: dict[tuple[str, str], subprocess.Popen[bytes]] = {}
"""Processes that were started ahead and that no step has been given to yet, by the module and the function of the step."""

Step = Callable[[Any], Any]
"""A function of a module, from what can be pickled to what can be pickled."""

Fetch = Callable[[], Any]
"""Waits for the result of a step."""

Begin = Callable[[Any], Fetch]
"""Begins the step with what it is given. To be called once."""


def start_python(
    program: str, *arguments: str, new_session: bool = False, **environment: str
) -> subprocess.Popen[bytes]:
    """A process that runs a program with the packages of this one. It is asked and answers through pipes."""
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **environment},
        start_new_session=new_session,
    )


@contextmanager
def in_subprocess(step: Step, given: Any) -> Iterator[Fetch]:
    """Begin a step, which is a function of a module, and give a way to fetch its result.

    On machines with one core, in one of several processes, and where no other process can be had, fetching does the step.
    """
    with process_for(step) as begin:
        yield begin(given)


@contextmanager
def process_for(step: Step) -> Iterator[Begin]:
    """Start a process for a step that cannot begin yet, and give a way to begin it.

    Meanwhile it imports the step's module, and those that the module names in `READY`; one that this machine cannot import
    is left to the step. Where the process was started ahead, that one is taken. See :func:`in_subprocess`.
    """
    name = (step.__module__, step.__name__)
    worker = _ahead.pop(name, None) or _start(*name)
    if worker is None:
        yield lambda given: lambda: step(given)
        return
    with worker, ThreadPoolExecutor(max_workers=1) as thread:

        def begin(given: Any) -> Fetch:
            answered = thread.submit(worker.communicate, pickle.dumps(given))

            def fetch() -> Any:
                packed, _ = answered.result()
                if (
                    worker.returncode != 0 or not packed
                ):  # it was killed; doing the step here shows why, if it can
                    return step(given)
                return result_of(packed)

            return fetch

        try:
            yield begin
        finally:
            worker.kill()


@contextmanager
def prestart(module: str, function: str) -> Iterator[None]:
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


def _start(module: str, function: str) -> subprocess.Popen[bytes] | None:
    if not sys.executable or usable_cores() < 2:
        return None
    program = _STEP_PROGRAM.format(garbage=gc.get_threshold(), module=module, function=function)
    with suppress(OSError):
        return start_python(program)
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


def answer(module: str, function: str, given: Any) -> None:
    """Take the step and hand back what it led to; what the other process runs."""
    with os.fdopen(os.dup(1), "wb") as reply:
        os.dup2(2, 1)  # whatever else is printed is no part of the answer
        reply.write(_led_to(module, function, given))


def _led_to(module: str, function: str, *given: Any) -> bytes:
    """The result of a step, or the error it ended with and its origin, for :func:`result_of`."""
    try:
        return pickle.dumps((getattr(import_module(module), function)(*given), None, ""))
    except Exception as error:
        origin = "".join(traceback.format_exception(error))
        try:
            packed = pickle.dumps((None, error, origin))
            pickle.loads(packed)
        except (
            Exception
        ):  # an error with arguments of its own often cannot be made again: one that says the same
            return pickle.dumps((None, RuntimeError("".join(traceback.format_exception_only(error))), origin))
        return packed


def result_of(packed: bytes) -> Any:
    """The result of a step that another process took; raises the error it ended with, with where it came from."""
    found, error, origin = pickle.loads(packed)
    if error is not None:
        error.add_note(f"In a process of its own:\n{origin}")
        raise error
    return found


# A process that stays and answers one question after another, and many questions spread over several of them.
#
# Guarantee: an answer is the one that this process would find, since it is the same code; an error over there
# is raised here, with where it came from. Questions and answers travel through pipes and touch no disk. Why
# not a `ProcessPoolExecutor`: see the top of this module.

Notify = Callable[[str], None]
"""Called with what is being done."""

AnsweringStep = Callable[[Any, Notify], Any]
"""A function of a module, from a question and one to tell of progress, to an answer; both can be pickled."""

ALONE = "ATREPORT_ONE_PROCESS"
"""Set in the environment of a worker: it is one of several, so it starts no further processes for speed."""

_SERVE_PROGRAM = """\
import gc
gc.set_threshold{garbage}  # as the one who asks does
from atreport.processes import serve
serve()
"""


class WorkerGone(Exception):
    """The process ended before it answered: it was stopped, or killed."""


def usable_cores() -> int:
    """How many processes are worth having: one in a process that is one of several already."""
    return 1 if os.environ.get(ALONE) else os.cpu_count() or 1


class WorkerProcess:
    """A process of its own for one kind of question. To be used by one thread at a time, but ended by any."""

    def __init__(self, step: AnsweringStep, *, alone: bool = False) -> None:
        self._step = (step.__module__, step.__qualname__)
        self._process = start_python(
            _SERVE_PROGRAM.format(garbage=gc.get_threshold()),
            new_session=True,  # an interrupt from the keyboard is for the one who asks
            **({ALONE: "1"} if alone else {}),
        )

    def ask(self, question: Any, told: Notify = lambda _: None) -> Any:
        """The answer to a question; raises the error it ended with, or :class:`WorkerGone`."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        packed = pickle.dumps((self._step, question))
        try:
            _write(self._process.stdin, packed)
            while isinstance(found := pickle.load(self._process.stdout), str):
                told(found)
        except (
            EOFError,
            OSError,
            pickle.UnpicklingError,
        ):  # the last where it ended in the middle of its answer
            raise WorkerGone from None
        return result_of(found)

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


def _write(pipe: IO[bytes], packed: bytes) -> None:
    pipe.write(packed)
    pipe.flush()


def serve() -> None:
    """What the process does until nobody asks any more."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a device, no file of ours
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)  # whatever else is printed is no part of an answer
    writing = threading.Lock()

    def reply(content: str | bytes) -> None:
        """A text tells of progress, bytes are what the step led to."""
        with writing:
            _write(answers, pickle.dumps(content))

    while True:
        try:
            step, question = pickle.load(questions)
        except EOFError:
            return
        reply(_led_to(*step, question, reply))


def answer_all(step: AnsweringStep, questions: Sequence[Any], done: Callable[[int], None]) -> list[Any]:
    """The answers to all questions, in their order, from as many processes as there are cores.

    `done` is called with the number of answers as they come. A question whose process is gone is answered here.
    """
    number = min(usable_cores(), len(questions))
    free: SimpleQueue[WorkerProcess | None] = (
        SimpleQueue()
    )  # None stands for one that could not be started, or is gone
    with ExitStack() as started, ThreadPoolExecutor(max_workers=max(number, 1)) as threads:
        for _ in range(number):
            try:
                free.put(started.enter_context(WorkerProcess(step, alone=True)))
            except OSError:
                free.put(None)

        def answer(question: Any) -> Any:
            worker = free.get()
            try:
                if worker is not None:
                    with suppress(WorkerGone):
                        return worker.ask(question)
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
