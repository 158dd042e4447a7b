"""Which files a spec's names stand for: files below the spec's folder and no others, whatever characters a name has.

A name is a name: ``data[1].csv`` is the file of that name. Only under ``files`` may it be a pattern (``*``, ``?``, ``[…]``,
``**``) where no file has it, and patterns are matched here, name by name, without following any link.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from atreport.errors import Problem
from atreport.spec.data_formats import ANY_FORMAT, DATA_ENDINGS, SPREADSHEETS
from atreport.spec.yaml import Document, KeyPath

MOST_ENTRIES = 100_000
"""How many files and folders are looked at for one pattern."""

_OUTSIDE = "keep the data in the spec's folder or below it"


class _Refused(Exception):
    """A pattern or folder that is not followed; the message and the hint say why."""


def check_data_file(
    document: Document, path: KeyPath, name: str, endings: tuple[str, ...] = DATA_ENDINGS
) -> Iterable[Problem]:
    """Problems with a single file that a spec names; endings are those allowed."""
    file = Path(name)
    if endings and file.suffix.lower() not in endings:
        kind = f"a {ANY_FORMAT}" if endings == DATA_ENDINGS else f"a {endings[0]}"
        yield document.problem(path, f"'{name}' is not {kind} file", _other_format(file, endings))
    elif not inside(document.path.parent, file):
        yield document.problem(path, f"'{name}' is outside the spec's folder", _OUTSIDE)
    elif not _is_file(document.path.parent / file):
        yield document.problem(path, f"there is no file '{name}'", "the path is relative to the spec")


def check_data_files(document: Document, path: KeyPath, name: str) -> Iterable[Problem]:
    """Problems with a file, a pattern or a hive folder that a spec names under ``files``."""
    folder = document.path.parent
    if Path(name).is_absolute() or ".." in Path(name).parts or not inside(folder, Path(name)):
        yield document.problem(path, f"'{name}' is outside the spec's folder", _OUTSIDE)
        return
    try:
        found = _named(folder, name)
    except _Refused as refusal:
        yield document.problem(path, *refusal.args)
        return
    if not found:
        yield document.problem(path, f"there is no file '{name}'", "the path is relative to the spec")
    for file in found:
        if file.suffix.lower() not in DATA_ENDINGS:
            message = f"'{file.name}' is not a {ANY_FORMAT} file"
            yield document.problem(path, message, _other_format(file, DATA_ENDINGS))
            return


def _other_format(file: Path, endings: tuple[str, ...]) -> str:
    """What to do with a file of another format."""
    if file.suffix.lower() in SPREADSHEETS:
        return f"save its sheet as CSV (UTF-8), or let 'atreport init DIR --from {file.name}' make a copy of records"
    return f"use a {' or '.join(endings)} file"


def files_named(folder: Path, name: str) -> list[Path]:
    """The files that a path, a pattern or a hive folder stands for, in order of name; none where it is refused."""
    if Path(name).is_absolute() or ".." in Path(name).parts or not inside(folder, Path(name)):
        return []
    try:
        return _named(folder, name)
    except _Refused:
        return []


def inside(folder: Path, file: Path) -> bool:
    """Whether a relative path stays in the folder's tree, links followed."""
    try:
        root = folder.resolve()
        return not file.is_absolute() and (root / file).resolve().is_relative_to(root)
    except (OSError, RuntimeError):  # links that go in circles
        return False


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that no file can have
        return False


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _named(folder: Path, name: str) -> list[Path]:
    if _is_file(folder / name):
        return [folder / name]
    search = _Search()
    if _is_folder(folder / name):
        found = search.below(folder / name, ("**", "*"))
        return sorted(path for path in found if path.suffix.lower() in DATA_ENDINGS)
    return sorted(search.below(folder, Path(name).parts))


class _Search:
    """Looks for files that match a pattern, part by part."""

    def __init__(self) -> None:
        self.looked_at = 0

    def below(self, folder: Path, parts: tuple[str, ...]) -> Iterator[Path]:
        """The files below a folder; :class:`_Refused` where one is a link, or there is too much to look at."""
        head, rest = parts[0], parts[1:]
        if head == "**":
            yield from self.below(folder, rest or ("*",))
        for entry in self._entries(folder):
            if head == "**":
                if entry.is_dir(follow_symlinks=False):
                    yield from self.below(folder / entry.name, parts)
                continue
            if not fnmatchcase(entry.name, head):
                continue
            if entry.is_symlink():
                raise _Refused(
                    f"'{entry.name}' is a link, and a pattern follows none",
                    "put the file itself there, or name it without a pattern",
                )
            if not rest and entry.is_file():
                yield folder / entry.name
            elif rest and entry.is_dir():
                yield from self.below(folder / entry.name, rest)

    def _entries(self, folder: Path) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                found = list(entries)
        except OSError:
            return []
        self.looked_at += len(found)
        if self.looked_at > MOST_ENTRIES:
            raise _Refused(
                f"more than {MOST_ENTRIES:,} files and folders would be looked at",
                "name a folder of their own for the data, or the files",
            )
        return found
