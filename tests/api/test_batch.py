"""Many specs in one command: the same bytes as one by one, and nothing that happens to one stops the others."""

import json
import os
import signal
from pathlib import Path

import pytest

from atreport.api.build import MEMORY_OF_A_BUILD, Built, Order, build_many, jobs_for, share_memory, specs_in
from atreport.errors import AtreportError, UsageError
from atreport.private.data.run_options import RunOptions
from tests.command_line import atreport
from tests.example import write_example


def _specs(folder: Path, number: int) -> Path:
    """A folder with copies of the example under several names."""
    example = write_example(folder)
    specs = folder / "specs"
    specs.mkdir()
    for place in range(number):
        (specs / f"report{place}.yaml").write_text(example.read_text(encoding="utf-8"), encoding="utf-8")
    return specs


def _bytes(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_folder_is_built_like_its_specs_one_by_one(tmp_path: Path) -> None:
    """Two processes and one write the same bytes; a broken spec is said, stops no other, and gives the exit code."""
    specs = _specs(tmp_path, 2)
    (specs / "broken.yaml").write_text("report: [", encoding="utf-8")
    (specs / "notes.txt").write_text("no spec", encoding="utf-8")
    one = atreport("build", specs, "-o", tmp_path / "one", "--formats", "json", "--jobs", 1)
    two = atreport("build", specs, "-o", tmp_path / "two", "--formats", "json", "--jobs", 2)
    assert (one.returncode, two.returncode) == (2, 2)
    assert _bytes(tmp_path / "one") == _bytes(tmp_path / "two")
    assert sorted(path.name for path in (tmp_path / "two").iterdir()) == ["report0", "report1"]
    assert one.stdout == two.stdout.replace(str(tmp_path / "two"), str(tmp_path / "one"))
    assert "2 of 3 reports were built" in two.stderr
    assert "broken.yaml" in two.stderr
    assert "of 3)" in two.stderr


def test_json_lists_every_spec_in_its_order(tmp_path: Path) -> None:
    """The contract of --json is that of one process: an entry a spec, in the order of the specs, and nothing else."""
    specs = _specs(tmp_path, 1)
    (specs / "a.yaml").write_text("report: [", encoding="utf-8")
    done = atreport("build", specs, "-o", tmp_path, "--formats", "json", "--jobs", 1, "--json")
    found = json.loads(done.stdout)
    assert not found["ok"]
    assert [(Path(each["spec"]).name, each["ok"]) for each in found["results"]] == [
        ("a.yaml", False),
        ("report0.yaml", True),
    ]


def test_a_killed_worker_is_said_and_the_others_go_on(tmp_path: Path) -> None:
    """One process is killed while it works: one spec is not built and leaves nothing, the others are built."""
    specs = _specs(tmp_path, 3)
    orders = [Order(spec=spec, output=tmp_path / "out", formats=("json",)) for spec in specs_in([specs])]
    killed: list[int] = []

    def kill_one(_spec: Path, _stage: str) -> None:
        if not killed:
            killed.append(_children()[0])
            os.kill(killed[0], signal.SIGKILL)

    ended = dict(build_many(orders, 2, kill_one))
    lost = [
        orders[place].spec.stem for place, outcome in ended.items() if not isinstance(outcome.result, Built)
    ]
    assert len(ended) == 3
    assert len(lost) == 1
    gone = next(outcome.result for outcome in ended.values() if not isinstance(outcome.result, Built))
    assert isinstance(gone, AtreportError)
    assert "was ended before it was done" in str(gone)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(
        {"report0", "report1", "report2"} - {*lost}
    )


def _children() -> list[int]:
    """The processes that this one has started and that still run."""
    task = Path(f"/proc/{os.getpid()}/task")
    if not task.is_dir():
        pytest.skip("this system does not list the children of a process")
    return [int(child) for each in task.iterdir() for child in (each / "children").read_text().split()]


def test_a_folder_without_specs_and_two_of_a_name_are_refused(tmp_path: Path) -> None:
    """Both are mistakes in the command, said before anything is built."""
    with pytest.raises(UsageError, match="no spec in this folder"):
        specs_in([tmp_path])
    for ending in ("yaml", "yml"):
        (tmp_path / f"one.{ending}").touch()
    with pytest.raises(UsageError, match="both be written"):
        specs_in([tmp_path])


def test_recording_is_done_one_by_one(tmp_path: Path) -> None:
    """A release names those before it, so several at a time make no sense."""
    done = atreport("build", write_example(tmp_path), "--record", "--jobs", 2)
    assert done.returncode == 2
    assert "leave out --jobs" in done.stderr


def test_jobs_follow_cores_and_memory() -> None:
    """No more builds at a time than cores, specs, or than the memory holds; and never none."""
    assert jobs_for(40, cores=8, memory=None) == 8
    assert jobs_for(3, cores=8, memory=None) == 3
    assert jobs_for(40, cores=8, memory=4 * MEMORY_OF_A_BUILD) == 4
    assert jobs_for(40, cores=8, memory=1) == 1


def test_memory_for_records_is_shared() -> None:
    """Each of several builds gets its part, unless the user said how much."""
    assert share_memory(RunOptions(), 4, 8_000_000_000).memory_limit == "2000MB"
    assert share_memory(RunOptions(), 1, 8_000_000_000).memory_limit is None
    assert share_memory(RunOptions(memory_limit="1GB"), 4, 8_000_000_000).memory_limit == "1GB"
