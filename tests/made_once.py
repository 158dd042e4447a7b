"""The pages that belong to a report, made once for a test that checks the same report many times."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from types import MappingProxyType
from typing import TypeVar

import pytest

from atreport.pages import documents
from atreport.pages.documents import LaidOut
from atreport.report.model import Report
from atreport.report.writer import report_json
from atreport.spec.models.style import NO_FILES

Made = TypeVar("Made", str, bytes)


class MadeOnce(LaidOut):
    """A laid-out report whose pages are made once."""

    def html(self, data: Mapping[str, bytes] = MappingProxyType({})) -> str:
        """The page, made once for these data."""
        return _made_once((id(self), b"".join(data.values())), partial(super().html, data))

    def printed_page(self) -> str:
        """The page from which the PDF is set."""
        return _made_once((id(self), b"print"), super().printed_page)

    def pdf(self, attachments: Mapping[str, bytes]) -> bytes:
        """The PDF, made once with these attachments."""
        key = b"pdf" + b"".join(attachments.values())
        return _made_once((id(self), key), partial(super().pdf, attachments))


_PAGES: dict[tuple[int, bytes], object] = {}


def _made_once(key: tuple[int, bytes], make: Callable[[], Made]) -> Made:
    if key not in _PAGES:
        _PAGES[key] = make()
    made = _PAGES[key]
    assert isinstance(made, str | bytes)
    return made  # type: ignore[return-value]


@contextmanager
def _made_once_here() -> Iterator[None]:
    laid_out: dict[bytes, LaidOut] = {}
    lay_out = documents.lay_out

    def lay_out_once(report: Report, style_files: Mapping[str, bytes] = NO_FILES) -> LaidOut:
        key = report_json(report)
        if key not in laid_out:
            made = lay_out(report, style_files)
            fields = {each.name: getattr(made, each.name) for each in dataclasses.fields(made)}
            laid_out[key] = MadeOnce(**fields)
        return laid_out[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documents, "lay_out", lay_out_once)
        yield
    _PAGES.clear()


@pytest.fixture
def pages_made_once() -> Iterator[None]:
    """The pages that belong to one and the same report are made once in a test, however often it is checked."""
    with _made_once_here():
        yield


@pytest.fixture(scope="module")
def pages_made_once_for_all() -> Iterator[None]:
    """The same for all tests of a module that check one report."""
    with _made_once_here():
        yield
