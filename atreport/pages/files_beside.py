"""The public files, made by a process that knows a Report and nothing else, while this one works behind the wall.

That is twice good: two cores share the work, and what makes the pages has never seen the true rule. The files are those of
:func:`atreport.pages.files.public_files`, byte for byte.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from atreport.kit.second_process import process_for
from atreport.pages.files import public_files
from atreport.report.model import Report

READY = ("atreport.pages.documents", "atreport.kit.drawing", "fontTools.subset", "weasyprint")
"""What a process needs that sets a report, and takes a second to import."""


@dataclass(frozen=True, kw_only=True)
class MadePublic:
    """The public files by their names."""

    files: dict[str, bytes]
    missing: str | None = None  # why there is no PDF among them, where one was wanted


@dataclass(frozen=True, kw_only=True)
class WantedPublic:
    """What is wanted of a report: see :func:`atreport.pages.files.public_files`."""

    report: Report
    formats: Collection[str]
    with_verifier: bool
    style_files: Mapping[str, bytes]
    insist_on_pdf: bool


Begin = Callable[[WantedPublic], Callable[[], MadePublic]]
"""Begins to make the files, and gives a way to fetch them. To be called once."""


@contextmanager
def public_files_beside(formats: Collection[str]) -> Iterator[Begin]:
    """Start the process that will make public files in these formats, and give a way to begin.

    It is worth its start where a PDF is wanted. Otherwise, and where there is no second core, fetching makes them here.
    """
    if "pdf" not in formats:
        yield lambda wanted: lambda: _make(wanted)
        return
    with process_for(make_packed) as begin:

        def begin_packed(wanted: WantedPublic) -> Callable[[], MadePublic]:
            fetch = begin(pickle.dumps(wanted))
            return lambda: _unpacked(fetch())

        yield begin_packed


def make_packed(packed: bytes) -> bytes:
    """Make what is wanted; what the other process runs."""
    return pickle.dumps(_make(pickle.loads(packed)))


def _unpacked(packed: bytes) -> MadePublic:
    made: MadePublic = pickle.loads(packed)
    return made


def _make(wanted: WantedPublic) -> MadePublic:
    missing: list[str] = []
    files = public_files(
        wanted.report,
        wanted.formats,
        with_verifier=wanted.with_verifier,
        do_without_pdf=None if wanted.insist_on_pdf else missing.append,
        style_files=wanted.style_files,
    )
    return MadePublic(files=files, missing=missing[0] if missing else None)
