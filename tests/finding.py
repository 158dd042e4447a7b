"""What a test looks for must be there: a search that finds nothing fails, where it is made, and names what it looked for.

A test that compares two results of `re.search` passes where both are None, and one that goes through `re.findall` asserts
nothing where there is nothing to go through. `tests/test_house.py` asks tests to use these instead.
"""

import re
from typing import Any, AnyStr


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
