"""Which folders are looked at where many reports lie below one another, and which never are."""

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from atreport.verification import watched
from atreport.verification.watched import DEEPEST, UnreliableFolder, public_folders, read_if_it_holds
from tests.conftest import BuiltOnce


def public_below(folder: Path, levels: int) -> Path:
    """A public folder so many levels below another."""
    place = folder.joinpath(*(f"level{number}" for number in range(levels)), "public")
    place.mkdir(parents=True)
    return place


def test_public_folders_are_found_as_deep_as_is_said(tmp_path: Path) -> None:
    """Eight folders down one is found, nine down none: a tree without end, or a disk, is not searched through."""
    assert DEEPEST == 8
    found = [public_below(tmp_path / name, levels) for name, levels in (("a", 0), ("b", 7), ("c", 8))]
    assert list(public_folders(tmp_path)) == found[:2]
    assert list(public_folders(tmp_path / "c")) == [found[2]]


def test_what_is_hidden_or_confidential_is_not_opened(tmp_path: Path) -> None:
    """Nor is anything behind a link, in a folder called confidential however it is written, or below a public folder."""
    seen = public_below(tmp_path / "seen", 0)
    for name in (".hidden", "confidential", "Confidential", "seen/public/inner"):
        public_below(tmp_path / name, 0)
    (tmp_path / "link").symlink_to(tmp_path / ".hidden")
    assert list(public_folders(tmp_path)) == [seen]
    assert list(public_folders(seen)) == [seen]


def left_out(folder: Path) -> str:
    """Why a folder is left out, before it is read."""
    found = read_if_it_holds(folder, whole=False)
    assert isinstance(found, UnreliableFolder)
    assert found.folder == folder
    (reason,) = found.reasons
    return reason


def test_folders_that_are_too_much_are_not_read(tmp_path: Path) -> None:
    """More than 60 files, more than 150 MB in all, or a folder or a link among them: a report has none of these."""
    too_much = "more or larger files than a report has"
    for number in range(60):
        (tmp_path / f"{number}.txt").touch()
    assert too_much not in left_out(tmp_path)
    with (tmp_path / "0.txt").open("wb") as file:
        file.truncate(150_000_000)  # of which nothing is written
    assert too_much not in left_out(tmp_path)
    with (tmp_path / "1.txt").open("wb") as file:
        file.truncate(1)
    assert left_out(tmp_path) == too_much
    (tmp_path / "0.txt").write_bytes(b"")
    (tmp_path / "60.txt").touch()
    assert left_out(tmp_path) == too_much
    (tmp_path / "60.txt").unlink()
    (tmp_path / "2.txt").unlink()
    (tmp_path / "2.txt").symlink_to(tmp_path / "1.txt")
    assert left_out(tmp_path) == "2.txt: a folder or a link, and a report has none"
    assert left_out(tmp_path / "none") == "cannot be read: No such file or directory"


def test_only_a_report_in_order_is_verified_and_only_if_that_is_asked(
    tmp_path: Path, built_once: BuiltOnce, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was altered is left out for that; verifying takes long, and is not needed to see it."""
    verified: list[Path] = []

    def verify(folder: Path) -> SimpleNamespace:
        verified.append(folder)
        return SimpleNamespace(findings=["a figure is wrong"])

    monkeypatch.setattr(watched, "verify_watched", verify)
    folder = tmp_path / "public"
    shutil.copytree(built_once("example") / "public", folder)
    assert not isinstance(read_if_it_holds(folder, whole=False), UnreliableFolder)
    assert verified == []
    found = read_if_it_holds(folder, whole=True)
    assert isinstance(found, UnreliableFolder)
    assert found.reasons == ("a figure is wrong",)
    assert verified == [folder]
    with (folder / "cells.csv").open("ab") as file:
        file.write(b" ")
    for whole in (False, True):
        found = read_if_it_holds(folder, whole=whole)
        assert isinstance(found, UnreliableFolder)
        assert any(reason.startswith("cells.csv: altered") for reason in found.reasons)
    assert verified == [folder]
