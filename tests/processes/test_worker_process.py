"""A process that stays and answers: the same answers, errors that arrive, an end at any time."""

import os
import threading
import time
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from atreport.processes import ALONE, WorkerGone, WorkerProcess, answer_all

STEPS = """
import time
from atreport.processes import usable_cores

def double(number, told):
    told(f"doubling {number}")
    print("noise")
    if number < 0:
        raise ValueError(f"{number} is negative")
    if number == 99:
        time.sleep(60)
    return 2 * number

def core_count(question, told):
    return usable_cores()
"""


@pytest.fixture
def steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module with steps to take, that another process can import too."""
    (tmp_path / "steps_of_a_worker.py").write_text(STEPS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return import_module("steps_of_a_worker")


def test_a_worker_answers_tells_and_survives_an_error(steps: ModuleType) -> None:
    """Questions are answered one after another; an error is raised here and the process goes on."""
    heard: list[str] = []
    with WorkerProcess(steps.double) as worker:
        assert worker.ask(21, heard.append) == 42
        with pytest.raises(ValueError, match="-1 is negative"):
            worker.ask(-1)
        assert worker.ask(3) == 6
    assert heard == ["doubling 21"]


def test_a_worker_can_be_ended_while_it_works(steps: ModuleType) -> None:
    """Whoever waits for the answer of a process that was stopped is told so at once."""
    with WorkerProcess(steps.double) as worker:
        assert worker.ask(1) == 2
        threading.Timer(0.2, worker.end).start()
        began = time.monotonic()
        with pytest.raises(WorkerGone):
            worker.ask(99)
        assert time.monotonic() - began < 20


def test_many_questions_are_answered_in_their_order(steps: ModuleType) -> None:
    """Spread over processes, answers come back in the order of the questions, and each is counted."""
    counted: list[int] = []
    assert answer_all(steps.double, list(range(7)), counted.append) == [0, 2, 4, 6, 8, 10, 12]
    assert counted == list(range(1, 8))
    with pytest.raises(ValueError, match="negative"):
        answer_all(steps.double, [1, -2, 3], counted.append)


def test_one_of_several_workers_starts_no_more(steps: ModuleType) -> None:
    """Workers among several count one core, or a machine of sixteen would get 256 processes."""
    assert set(answer_all(steps.core_count, [None, None], lambda _: None)) == {1}
    assert ALONE not in os.environ
