"""Writing a report: all of it or nothing, nothing of the user's lost, confidential files for the owner only."""

import contextlib
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from atreport import write_folder as publish
from atreport.errors import OutputError
from atreport.write_folder import write_folder, write_new

OLD = {"public/report.json": b"old", "public/report.pdf": b"old", "confidential/annex.json": b"old"}
NEW = {"public/report.json": b"new", "confidential/annex.json": b"new"}


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()
    }


@pytest.fixture(params=["exchange", "two renames"])
def swapping(request, monkeypatch) -> str:
    """Both ways of putting the new folder in place: with and without the system's atomic exchange."""
    if request.param == "two renames":
        monkeypatch.setattr(publish, "_exchange", lambda *_folders: False)
    return str(request.param)


def test_new_build_replaces_the_old_one_whole(tmp_path: Path, swapping: str) -> None:
    """Files of the previous build that the new one does not have are gone."""
    folder = tmp_path / "out" / "report"
    write_folder(folder, OLD)
    write_folder(folder, NEW)
    assert contents(folder) == NEW
    assert [p.name for p in folder.parent.iterdir()] == ["report"]


def test_files_of_the_user_are_kept(tmp_path: Path, swapping: str) -> None:
    """Whatever else stands in the folder stays, but nothing that was not published stays among what is."""
    folder = tmp_path / "report"
    write_folder(folder, OLD)
    (folder / "notes.txt").write_bytes(b"mine")
    (folder / "public" / "report.json.sig").write_bytes(b"signature")
    (folder / "more").mkdir()
    (folder / "more" / "deep.txt").write_bytes(b"mine too")
    write_folder(folder, NEW)
    kept = {"notes.txt": b"mine", "set aside/report.json.sig": b"signature", "more/deep.txt": b"mine too"}
    assert contents(folder) == {**NEW, **kept}
    (folder / "public" / "more").mkdir()
    (folder / "public" / "more" / "page.html").write_bytes(b"mine again")
    (folder / "confidential" / "memo.txt").write_bytes(b"secret")
    write_folder(folder, NEW)
    kept |= {"set aside/more/page.html": b"mine again", "confidential/memo.txt": b"secret"}
    assert contents(folder) == {**NEW, **kept}
    assert stat.S_IMODE((folder / "confidential").stat().st_mode) == 0o700


def test_confidential_files_are_for_their_owner_only(tmp_path: Path) -> None:
    """Mode 0600 in a folder of mode 0700, whatever the umask."""
    before = os.umask(0)
    try:
        write_folder(tmp_path / "report", OLD)
    finally:
        os.umask(before)
    secret = tmp_path / "report" / "confidential"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o700
    assert stat.S_IMODE((secret / "annex.json").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "report" / "public" / "report.json").stat().st_mode) == 0o644


def test_failure_leaves_the_previous_build(tmp_path: Path, swapping: str, monkeypatch) -> None:
    """An error in the middle of writing changes nothing and leaves no litter."""
    folder = tmp_path / "report"
    write_folder(folder, OLD)

    def full_disk(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OutputError, match="No space left"):
        write_folder(folder, NEW)
    assert contents(folder) == OLD
    assert [p.name for p in tmp_path.iterdir()] == ["report"]


def test_killed_between_two_renames_is_recovered(tmp_path: Path) -> None:
    """Without an atomic exchange a kill can hide the old build; the next build brings it back first."""
    folder = tmp_path / "report"
    write_folder(folder, OLD)
    folder.rename(tmp_path / ".report.previous")
    with pytest.raises(OutputError):
        write_folder(folder, {"public/no/such/parent": b""})
    assert contents(folder) == OLD


def test_litter_of_a_killed_build_is_removed(tmp_path: Path) -> None:
    """A half-written folder of a process that is gone disappears with the next build."""
    (tmp_path / ".report.999999999.partial" / "confidential").mkdir(parents=True)
    write_folder(tmp_path / "report", NEW)
    assert [p.name for p in tmp_path.iterdir()] == ["report"]


def test_place_that_cannot_be_written(tmp_path: Path) -> None:
    """A file where a folder should be is a clear error."""
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="could not be written"):
        write_folder(tmp_path / "file" / "report", NEW)


WRITER = """
import sys
from pathlib import Path
from atreport.write_folder import write_folder, write_new
folder, n = Path(sys.argv[1]), 0
while True:
    n += 1
    stamp = str(n).encode() * 1000
    write_folder(folder, {f"public/{name}": stamp for name in ("report.html", "report.json", "cells.csv")})
"""


def _killed(folder: Path, moment: Callable[[], None]) -> None:
    """A process that keeps writing is killed at a moment; the folder holds one whole build, and the next one leaves it alone."""
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(folder)])
    try:
        moment()
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    found = contents(folder)
    assert len(found) == 3
    assert len(set(found.values())) == 1
    write_folder(folder, dict.fromkeys(found, b"0"))
    assert [entry.name for entry in folder.parent.iterdir()] == [folder.name]


def _inside_a_write(folder: Path, files: int) -> None:
    """Wait until a half-written folder has so many files."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            for staging in folder.parent.glob(".report.*.partial"):
                if sum(1 for _ in (staging / "public").iterdir()) >= files:
                    return
    pytest.fail("the process wrote nothing that could be interrupted")


@pytest.mark.skipif(sys.platform != "linux", reason="needs the atomic exchange of Linux")
@pytest.mark.parametrize("kills", [12, pytest.param(200, marks=pytest.mark.slow)])
def test_kill_at_any_moment_leaves_a_whole_build(kills: int, tmp_path: Path) -> None:
    """Half of the kills by the clock, half inside the write: the previous build is whole, and nothing is left over."""
    folder = tmp_path / "place" / "report"
    write_folder(folder, {f"public/{name}": b"0" for name in ("report.html", "report.json", "cells.csv")})
    for attempt in range(kills):
        if attempt % 2:
            _killed(folder, lambda: time.sleep(0.1 + (attempt % 20) * 0.01))  # noqa: B023 called at once
        else:
            _killed(folder, lambda: _inside_a_write(folder, attempt % 3))  # noqa: B023 called at once


def test_new_files_are_written_all_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new folder is whole or absent, whatever fails; private files are for their owner from the first byte on."""
    files = {"report.yaml": b"spec", "data/cases.csv": b"records"}
    rename, left = Path.rename, [1]

    def fails_second(self: Path, target: Path) -> Path:
        if not left:
            raise OSError(28, "No space left on device")
        left.pop()
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fails_second)
    with pytest.raises(OutputError, match=r"No space left on device\. Nothing was written"):
        write_new(tmp_path / "a" / "new", files)
    assert not list(tmp_path.iterdir())
    monkeypatch.undo()
    write_new(tmp_path / "new", files, private=["data/cases.csv"])
    assert contents(tmp_path / "new") == {"data/cases.csv": b"records", "report.yaml": b"spec"}
    assert stat.S_IMODE((tmp_path / "new" / "data" / "cases.csv").stat().st_mode) == 0o600


def test_new_files_go_over_no_other(tmp_path: Path) -> None:
    """What is there already stays, and nothing is written beside it."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "cases.csv").write_bytes(b"mine")
    with pytest.raises(OutputError, match="File exists"):
        write_new(tmp_path, {"report.yaml": b"spec", "data/cases.csv": b"records"})
    assert contents(tmp_path) == {"data/cases.csv": b"mine"}
