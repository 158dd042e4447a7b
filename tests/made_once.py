"""What follows from the same question is made once: pages of a report, attacks on a draft, a look at other policies."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
import pytest
from pydantic import BaseModel

from atreport.api import check as commands_audit
from atreport.pages import documents
from atreport.pages.documents import LaidOut
from atreport.private import annex, attacks, audited
from atreport.report.model import Report
from atreport.report.writer import report_json
from atreport.spec.spec import Spec
from atreport.spec.style import NO_FILES
from atreport.studio import work

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


Told = Callable[[int, int], None]


@contextmanager
def attacked_once() -> Iterator[None]:
    """A build attacks a draft, and looks at other policies, once in a process, whatever title or version its report has.

    Both are functions of the spec and the data, and nine tenths of the time of a build that makes no page. Tests of them call
    them directly. Builds in processes of their own make them again, and `test_build.py` compares such a build with another.
    """
    with pytest.MonkeyPatch.context() as patch:
        for module, name in (
            (audited, "audit_draft"),
            (commands_audit, "audit_draft"),
            (commands_audit, "policy_sweep"),
            (work, "audit_draft"),
            (annex, "policy_sweep"),
        ):
            patch.setattr(module, name, _answered_once(getattr(module, name)))
        yield


def _answered_once(function: Callable[..., Any]) -> Callable[..., Any]:
    answers: dict[object, tuple[Any, list[tuple[int, int]]]] = {}

    def answer(spec: Spec, *question: object, told: Told = lambda _done, _of: None, **named: bool) -> Any:
        *asked, last = question
        if callable(last):  # policy_sweep is told who listens by place
            told, question = last, tuple(asked)
        key = (
            _content(vars(attacks)["ATTACKS"]),
            spec.report.language,
            *map(_content, (spec, *question, named)),
        )
        if key not in answers:
            said: list[tuple[int, int]] = []

            def listen(done: int, of: int) -> None:
                said.append((done, of))
                told(done, of)

            answers[key] = function(spec, *question, told=listen, **named), said
        else:
            for done, of in answers[key][1]:
                told(done, of)
        return answers[key][0]

    return answer


def _content(thing: object) -> object:
    """What a value says, to be compared and hashed; of a spec everything but how its report is called."""
    if isinstance(thing, np.ndarray):
        return (
            thing.dtype.str,
            thing.shape,
            repr(thing.tolist()) if thing.dtype == object else thing.tobytes(),
        )
    if isinstance(thing, BaseModel):
        return (type(thing), thing.model_dump_json(exclude={"report", "style_files"}))
    if dataclasses.is_dataclass(thing):
        return tuple(_content(getattr(thing, each.name)) for each in dataclasses.fields(thing))
    if isinstance(thing, Mapping):
        return tuple((name, _content(value)) for name, value in thing.items())
    if isinstance(thing, list | tuple):
        return tuple(map(_content, thing))
    return thing
