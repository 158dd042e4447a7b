"""Check a report from strangers in a process of its own, so that there is a verdict whatever its files are.

A report can be made to take for ever in more ways than anybody can list: ten thousand comparisons asked for in a line, a
title of a million words. So the whole check is given the time and the memory that a report of its size takes, many times
over, and is then ended with a finding that says so. `--time` gives more.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

from atreport.kit.strangers.bounded_process import TookTooMuch, run_bounded
from atreport.publish import PUBLIC
from atreport.verification import verify
from atreport.verification.findings import Verification, check

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
    except TookTooMuch:
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
