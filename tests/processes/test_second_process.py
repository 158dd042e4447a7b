"""One step in a process of its own: the same result and the same errors as doing it here."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from atreport import processes
from atreport.errors import InvalidInput
from atreport.processes import in_subprocess, prestart, process_for

STEPS = """
import os
import sys
READY = ("no_such_module", "colorsys", "this")  # the last one prints a poem
from atreport.errors import InvalidInput, Location, SpecProblem

class Stubborn(Exception):
    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")

def doubled(given):
    print("noise")
    return given * 2

def has(given):
    return str(given.decode() in sys.modules).encode()

def place(given):
    return str(os.getpid()).encode()

def refused(given):
    raise InvalidInput([SpecProblem(location=Location("spec.yaml", 3), message=given.decode())])

def stubborn(given):
    raise Stubborn(1, 2)

def killed(given):
    if os.getpid() != int(given):
        os._exit(9)
    return b"done here"
"""


@pytest.fixture
def steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Steps in a module that both processes can import."""
    (tmp_path / "steps_to_take.py").write_text(STEPS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "steps_to_take", raising=False)
    return import_module("steps_to_take")


def test_a_process_comes_ready_before_it_is_given_its_step(steps: ModuleType) -> None:
    """What the step's module names is imported meanwhile, and what this machine cannot import is left to the step."""
    with process_for(steps.has) as begin:
        assert begin(b"colorsys")() == b"True"


def test_a_step_goes_to_the_process_that_was_started_ahead(steps: ModuleType) -> None:
    """It is taken once; the next step gets a process of its own, and so does another step."""
    with prestart("steps_to_take", "place"):
        (waiting,) = processes._ahead.values()
        with in_subprocess(steps.doubled, b"page") as fetch:
            assert fetch() == b"pagepage"
        with in_subprocess(steps.place, b"") as fetch:
            assert int(fetch()) == waiting.pid
        with in_subprocess(steps.place, b"") as fetch:
            assert int(fetch()) not in (waiting.pid, os.getpid())


def test_a_process_that_nobody_takes_is_ended(steps: ModuleType, monkeypatch) -> None:
    """Nothing stays behind; where none can be started, nothing is missing."""
    with prestart("steps_to_take", "place"):
        (waiting,) = processes._ahead.values()
    assert waiting.returncode is not None
    assert not processes._ahead
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    with prestart("steps_to_take", "doubled"), in_subprocess(steps.doubled, b"page") as fetch:
        assert fetch() == b"pagepage"


def test_the_step_is_done_over_there(steps: ModuleType) -> None:
    """Its result comes from another process, through a pipe, whatever the step prints."""
    given = b"1" * 10**6
    with in_subprocess(steps.doubled, given) as fetch:
        assert fetch() == given * 2
    with in_subprocess(steps.place, b"") as fetch:
        assert int(fetch()) != os.getpid()


def test_an_error_over_there_is_raised_here(steps: ModuleType) -> None:
    """Nothing is swallowed: the error is the one that the step ended with, and says where it came from."""
    with (
        in_subprocess(steps.refused, b"no such thing") as fetch,
        pytest.raises(InvalidInput, match="no such thing") as caught,
    ):
        fetch()
    assert caught.value.problems[0].location.line == 3
    assert "in refused" in caught.value.__notes__[0]


def test_an_error_that_cannot_travel_is_told(steps: ModuleType) -> None:
    """Its name and words arrive."""
    with in_subprocess(steps.stubborn, b"") as fetch, pytest.raises(RuntimeError, match="Stubborn: 1 and 2"):
        fetch()


def test_a_process_that_is_killed_or_cannot_start_is_replaced(steps: ModuleType, monkeypatch) -> None:
    """The work is then done in this process."""
    with in_subprocess(steps.killed, str(os.getpid()).encode()) as fetch:
        assert fetch() == b"done here"
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    with in_subprocess(steps.doubled, b"page") as fetch:
        assert fetch() == b"pagepage"


def test_the_other_process_ends_with_an_error_here(steps: ModuleType, monkeypatch) -> None:
    """Nobody waits for a result that is no longer wanted."""
    monkeypatch.setattr(processes, "_STEP_PROGRAM", "import time; time.sleep(600)")
    with pytest.raises(RuntimeError), in_subprocess(steps.doubled, b"page"):
        raise RuntimeError


def test_a_script_is_not_run_twice(tmp_path: Path) -> None:
    """A script without a guard around its calls works, and runs once."""
    script = tmp_path / "script.py"
    script.write_text(
        "print('once')\nfrom atreport.processes import in_subprocess\nfrom base64 import b64encode\n"
        "with in_subprocess(b64encode, b'x') as fetch:\n    print(fetch())\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert done.stdout == "once\nb'eA=='\n"
