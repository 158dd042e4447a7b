"""What a reader is told of a PDF that was set with other libraries than those here."""

from __future__ import annotations

import pytest

from atreport.publication.generator import PDF_LIBRARIES
from atreport.verification.again.pdf import _not_compared

HERE = {"matplotlib": "3.10.1", "fonttools": "4.56.0"} | dict.fromkeys(PDF_LIBRARIES, "65.0")


def told(generator: dict[str, str], here: dict[str, str]) -> str:
    """The sentence, up to what was checked all the same."""
    found = _not_compared(generator, here)
    assert found.part == "pdf"
    return found.what.partition("It was set with ")[2].partition(". Its words")[0]


@pytest.mark.parametrize("name", HERE)
def test_the_library_that_differs_is_named_with_both_versions(name: str) -> None:
    """And no other: who wants the same bytes knows what to install."""
    assert told(HERE | {name: "1.2"}, HERE) == f"{name} 1.2, and here is {name} {HERE[name]}"


def test_what_one_side_does_not_have_is_told_as_others() -> None:
    """A reader without the library is told what the publisher used; a publisher who did not say, what is here."""
    without = {name: version for name, version in HERE.items() if name != "pango"}
    assert told(HERE, without) == "pango 65.0, and here is others"
    assert told(without, HERE) == "others, and here is pango 65.0"
    assert told(HERE, HERE) == "others, and here is others"  # only fonts differ


def test_libraries_of_a_house_style_are_named_where_they_are_here() -> None:
    """They take part in a PDF only where a report has such a style; and a stranger's version is not long."""
    assert told(HERE | {"pillow": "1.0"}, HERE) == "others, and here is others"
    assert (
        told(HERE | {"pillow": "1" * 300}, HERE | {"pillow": "2"})
        == f"pillow {'1' * 20}, and here is pillow 2"
    )
