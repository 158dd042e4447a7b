"""What a test looks for must be there: a search that finds nothing fails, where it is made, and names what it looked for.

A test that compares two results of `re.search` passes where both are None, and one that goes through `re.findall` asserts
nothing where there is nothing to go through. `tests/test_house.py` asks tests to use these instead.
"""

import re
from collections.abc import Iterator
from typing import Any, AnyStr

from atreport.report.figures import ReportModel


def found(pattern: AnyStr, text: AnyStr, flags: int = 0) -> re.Match[AnyStr]:
    """The first place of a pattern in a text."""
    place = re.search(pattern, text, flags)
    assert place is not None, f"{pattern!r} is nowhere in {text[:2000]!r}"
    return place


def all_found(pattern: AnyStr, text: AnyStr, flags: int = 0) -> list[Any]:
    """What `re.findall` finds of a pattern, which is something."""
    places = re.findall(pattern, text, flags)
    assert places, f"{pattern!r} is nowhere in {text[:2000]!r}"
    return places


Place = tuple[str | int, ...]


def walk(part: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every part of a document or of a report, with its place, the whole first; what the spec asks for stays whole."""
    yield place, part
    inside: Any = ()
    if isinstance(part, ReportModel):
        inside = ((name, getattr(part, name)) for name in type(part).model_fields)
    elif isinstance(part, dict):
        inside = part.items()
    elif isinstance(part, list | tuple):
        inside = enumerate(part)
    for key, each in inside:
        yield from walk(each, (*place, key))
