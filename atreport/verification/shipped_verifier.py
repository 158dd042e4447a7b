"""Read a report.json a second time, by the verifier that is shipped beside reports: one file that shares no code with us.

Of a large report this is done in a process of its own, while this one makes the pages again. That file speaks English. Its
sentences remember their words and what fills them, so they are said here in the language of the report.
"""

from __future__ import annotations

import importlib.util
import pickle
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

from atreport.kit.language import say
from atreport.kit.language.later import say_later, say_now
from atreport.kit.resources import VERIFIER, templates_folder
from atreport.kit.second_process import run_beside
from atreport.report.published import Published
from atreport.report.reader import parse_json

_LARGE = 500_000
"""Bytes of report.json from which on another process is worth its start."""


@cache
def _verifier() -> ModuleType:
    found = importlib.util.spec_from_file_location("atreport_shipped_verifier", templates_folder() / VERIFIER)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class SecondReading:
    """What the second reading of a report.json found, to be said with `say_now`."""

    findings: list[str]  # what does not follow from the published rule and population
    loose: int = 0  # intervals that may be wider by more than a hundredth for the rounding of shares


@contextmanager
def second_reading(published: Published) -> Iterator[Callable[[], SecondReading]]:
    """Begin to read a report a second time, and give a way to fetch what was found."""
    if len(published.content) < _LARGE:
        yield lambda: _read(published.content)
        return
    with run_beside(read_again, published.content) as fetch:
        yield lambda: _unpacked(fetch())


def read_again(content: bytes) -> bytes:
    """A :class:`SecondReading`, packed; what the other process runs."""
    return pickle.dumps(_read(content))


def _unpacked(packed: bytes) -> SecondReading:
    found: SecondReading = pickle.loads(packed)
    return found


def _read(content: bytes) -> SecondReading:
    try:
        report = _verifier().Report(parse_json(content, "report.json"))
        report.check()
    except Exception as error:  # parts that do not fit together, in as many ways as there are figures
        reason = say_later(
            "report.json: the figures cannot be recalculated: {error}", error=type(error).__name__
        )
        return SecondReading([reason])
    return SecondReading([*map(_remembered, report.findings)], len(report.loose))


def _remembered(told: Any) -> str:
    """A sentence of the verifier as one of ours; what fills it are texts, or such sentences."""
    if not isinstance(told, _verifier().Told):
        return str(told)
    return say_later(told.words, **{name: _remembered(value) for name, value in told.values.items()})


def table_findings(content: bytes, files: Mapping[str, bytes]) -> Iterator[str]:
    """Where cells.csv or measures.csv does not have the rows of report.json."""
    for finding in _verifier().check_tables(files, parse_json(content, "report.json")):
        yield say_now(_remembered(finding))


def checksum_statements(files: Mapping[str, bytes]) -> Iterator[str]:
    """Where dcat.jsonld or the page states another checksum than a file has."""
    try:
        for finding in _verifier().check_catalogue(files):
            yield say_now(_remembered(finding))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        # no JSON, or of another shape
        yield say("dcat.jsonld or report.html: what catalogues are told cannot be read")
