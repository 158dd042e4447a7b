"""A step on strangers' bytes is ended in time, together with all that it has started."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from atreport.untrusted import ResourceLimitExceeded, kill_tree, process_tree, run_bounded, taken_by

STEPS = "hostile_steps"


@pytest.fixture(autouse=True)
def _steps_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other process imports steps by name, from this folder."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))


def test_an_honest_step_gives_its_result() -> None:
    """Whole, whatever the bytes are."""
    assert run_bounded(f"{STEPS}:reverse", b"\x00abc", seconds=10, megabytes=500) == b"cba\x00"


def test_the_error_of_a_step_is_its_own() -> None:
    """The same kind, with the same words."""
    with pytest.raises(ValueError, match="no, thank you"):
        run_bounded(f"{STEPS}:refuse", b"no, thank you", seconds=10, megabytes=500)


@pytest.mark.parametrize(("step", "given"), [("hold", b"300000000"), ("hold_in_two", b"150000000")])
def test_memory_is_bounded_across_processes(step: str, given: bytes) -> None:
    """300 MB are more than 200, held by the step itself or half in each of two processes that it starts."""
    began = time.monotonic()
    with pytest.raises(ResourceLimitExceeded):
        run_bounded(f"{STEPS}:{step}", given, seconds=20, megabytes=200)
    assert time.monotonic() - began < 30, "it was ended by the clock, not for its memory"


@pytest.mark.parametrize("step", ["spin", "spin_elsewhere"])
def test_time_is_bounded_across_processes(step: str) -> None:
    """A process that the step starts spends the step's time."""
    with pytest.raises(ResourceLimitExceeded):
        run_bounded(f"{STEPS}:{step}", b"x", seconds=1, megabytes=500)


def test_a_family_is_measured_and_ended_whole() -> None:
    """What a process has started counts with it, and ends with it."""
    program = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])"
    inner = "import time; held = bytearray(50_000_000); print('held', flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", program, inner], stdout=subprocess.PIPE) as first:
        assert first.stdout is not None
        first.stdout.readline()
        members = process_tree(first.pid)
        taken = taken_by(first.pid)
        kill_tree(first.pid)
    assert len(members) == 2
    assert members[0] == first.pid
    assert 50_000_000 < taken.bytes < 150_000_000
    assert 0 < taken.seconds < 10
    assert _ended(members[1])


def _ended(process: int) -> bool:
    """Whether a process has given back its memory, soon."""
    for _ in range(100):
        if taken_by(process).bytes == 0:
            return True
        time.sleep(0.02)
    return False


def test_nothing_is_known_of_a_process_that_is_not_there() -> None:
    """It takes nothing, has nobody, and to end it is no error."""
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    assert process_tree(gone.pid) == [gone.pid]
    assert taken_by(gone.pid).bytes == 0
    kill_tree(gone.pid)
