"""Check a report from strangers in a process of its own, so that there is a verdict whatever its files are.

A report can be made to take for ever in more ways than anybody can list: ten thousand comparisons asked for in a line, a
title of a million words. So the whole check is given the time and the memory that a report of its size takes, many times
over, and is then ended with a finding that says so. `--time` gives more.
"""

import os
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from atreport.errors import AtreportError
from atreport.report.reader import Published, read_published, refuse_misfits
from atreport.text.language import message
from atreport.untrusted import ResourceLimitExceeded, run_bounded
from atreport.verification import verify
from atreport.verification.files import checksum_findings, folder_findings, page_data_findings
from atreport.verification.findings import Verification, check
from atreport.write_folder import CONFIDENTIAL, PUBLIC

_STEP = "atreport.verification.watched:verify_packed"
_SECONDS, _BYTES_A_SECOND = 16, 25_000
"""Processor time: so much for any report, several times what one of a few pages takes, and a second for so many bytes."""
_MEGABYTES, _BYTES_A_MEGABYTE = 800, 10_000


def verify_watched(path: Path, seconds: int | None = None, **options: Any) -> Verification:
    """The same as :func:`atreport.verify`, or a finding that it takes too long: more than `seconds`, or than by its size."""
    size = _size(path)
    limit = _SECONDS + size // _BYTES_A_SECOND if seconds is None else seconds
    given = pickle.dumps((path, options))
    try:
        packed = run_bounded(_STEP, given, seconds=limit, megabytes=_MEGABYTES + size // _BYTES_A_MEGABYTE)
    except ResourceLimitExceeded:
        finding = (
            f"{path}: checking it takes more than {limit} seconds, or more memory, than a report of its size should. It was "
            "not checked to the end. If you trust where it comes from, give more with --time."
        )
        what = "the check ends, as it does for every report of this size"
        return Verification(path=path, title="", checks=(check("limits", what, [finding]),), limits=())
    found: Verification = pickle.loads(packed)
    return found


def verify_packed(given: bytes) -> bytes:
    """The check itself; what the other process runs."""
    path, options = pickle.loads(given)
    return pickle.dumps(verify(path, **options))


def _size(path: Path) -> int:
    """Bytes of all that is to be checked; 0 where there is nothing, which the check itself says."""
    folder = path / PUBLIC if (path / PUBLIC).is_dir() else path
    try:
        files = [*folder.iterdir()] if folder.is_dir() else [folder]
        return sum(min(file.lstat().st_size, 100_000_000) for file in files if file.is_file())
    except OSError:
        return 0


# Find published reports below a folder, and read those that hold: public folders alone.
#
# Guarantee: no folder named confidential is opened, at any depth and however it is written; no link is
# followed; folders whose names begin with a dot, where unfinished work waits, are passed over. What does not
# hold is named with a reason.

DEEPEST = 8
"""Folders below the one that is given."""

MOST_FILES, MOST_BYTES = 60, 150_000_000
"""Of one public folder; no report comes near."""

CHECKED = message("When this page was made, every file had the checksum that was published for it.")
VERIFIED = message(
    "When this page was made, every file had the checksum that was published for it. Every figure that follows from what is "
    "published was calculated again, and everything that could be checked held."
)
"""What was looked at before a report is listed; to be said with `gettext`."""


@dataclass(frozen=True, kw_only=True)
class UnreliableFolder:
    """A public folder that is no report to rely on, and why."""

    folder: Path
    reasons: tuple[str, ...]


def is_confidential(name: str) -> bool:
    """Whether a folder of this name is never opened."""
    return name.casefold() == CONFIDENTIAL


def public_folders(folder: Path, depth: int = DEEPEST) -> Iterator[Path]:
    """Every public folder at or below this one, in the order of their names."""
    if folder.name == PUBLIC:
        yield folder
        return
    try:
        with os.scandir(folder) as found:
            inner = sorted(entry.name for entry in found if entry.is_dir(follow_symlinks=False))
    except OSError:
        return  # one that may not be read is not public
    for name in inner:
        if name == PUBLIC:
            yield folder / name
        elif depth > 0 and not name.startswith(".") and not is_confidential(name):
            yield from public_folders(folder / name, depth - 1)


def read_if_it_holds(folder: Path, *, whole: bool) -> Published | UnreliableFolder:
    """The report in a public folder: readable, with the checksums it was published with; `whole`: and fully verified."""
    if reason := _too_much(folder):
        return UnreliableFolder(folder=folder, reasons=(reason,))
    try:
        published = read_published(folder)
        refuse_misfits(folder, published.report, published.wrong)
        findings = [
            *checksum_findings(published),
            *folder_findings(published),
            *page_data_findings(published),
        ]
        if whole and not findings:
            findings += verify_watched(folder).findings
    except AtreportError as error:
        return UnreliableFolder(folder=folder, reasons=(str(error),))
    except OSError as error:
        return UnreliableFolder(folder=folder, reasons=(f"cannot be read: {error.strerror}",))
    return UnreliableFolder(folder=folder, reasons=tuple(findings)) if findings else published


def _too_much(folder: Path) -> str:
    """Why a folder is not even read: it holds what no report does, or more; empty where it may be."""
    try:
        with os.scandir(folder) as found:
            entries = [entry for _, entry in zip(range(MOST_FILES + 1), found, strict=False)]
        strange = sorted(entry.name for entry in entries if not entry.is_file(follow_symlinks=False))
        size = sum(entry.stat(follow_symlinks=False).st_size for entry in entries)
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    if strange:
        return f"{strange[0]}: a folder or a link, and a report has none"
    return "more or larger files than a report has" if len(entries) > MOST_FILES or size > MOST_BYTES else ""


Gathered = Callable[[int, int], None]
"""Called with how many folders were looked at, and how many there are."""


def gather(folder: Path, told: Gathered, *, whole: bool) -> Iterator[Published | UnreliableFolder]:
    """Every report below a folder, one at a time, so that memory does not grow with their number."""
    found = list(public_folders(folder))
    for number, each in enumerate(found, start=1):
        told(number, len(found))
        yield read_if_it_holds(each, whole=whole)
