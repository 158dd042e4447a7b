"""Which folders are looked at where many reports lie below one another, and which never are."""

from __future__ import annotations

from pathlib import Path

from atreport.verification.gathering import DEEPEST, public_folders


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
