"""The command line for tests: in this process, which has the libraries already, or in one of its own."""

import contextlib
import gc
import io
import os
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from atreport.cli import main
from atreport.untrusted import run_bounded
from atreport.verification import watched

ROOT = Path(__file__).parents[1]

Done = subprocess.CompletedProcess[str]
"""What a command left: ``returncode``, ``stdout``, ``stderr``."""


def atreport(*arguments: object, cwd: Path = ROOT, mixed: bool = False, **environment: str) -> Done:
    """Run the command line in this process; what it leaves is what a process of its own would leave.

    Mixed, ``stdout`` holds what a terminal shows: both streams in the order in which they were written. Starting Python
    and importing the libraries takes a second or two a command, so this is for tests that look at exit code, output
    and files. Those about the process itself call `atreport_process`. Nor is a report verified in a process of its own
    here, unless a limit of time is given.
    """
    command = ["atreport", *map(str, arguments)]
    out = io.StringIO()
    err = out if mixed else io.StringIO()
    bounded = run_bounded if "--time" in arguments else _unbounded
    with (
        _collecting_garbage(),
        mock.patch.object(watched, "run_bounded", bounded),
        mock.patch.object(sys, "argv", command),
        mock.patch.dict(os.environ, {"COLUMNS": "80", **environment}),
        contextlib.chdir(cwd),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as end,
    ):
        main()
    return _without_traceback(Done(command, int(end.value.code or 0), out.getvalue(), err.getvalue()))


def _unbounded(step: str, given: bytes, **_limits: int) -> bytes:
    """The answer of a step, which another process gives within its limits."""
    return bytes(pkgutil.resolve_name(step)(given))


@contextlib.contextmanager
def _collecting_garbage() -> Iterator[None]:
    """`main` stops the collector, since its process ends with the command; this one lives on."""
    try:
        yield
    finally:
        gc.enable()


def atreport_process(*arguments: object, cwd: Path = ROOT, **environment: str) -> Done:
    """Run the command line in a process of its own, as a user does."""
    return _without_traceback(
        subprocess.run(
            [sys.executable, "-m", "atreport", *map(str, arguments)],
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
            capture_output=True,
            text=True,
            check=False,
        )
    )


def _without_traceback(done: Done) -> Done:
    assert "Traceback" not in done.stderr, done.stderr
    return done
