"""The text of a PDF beside the page it was set from."""

from __future__ import annotations

import pytest

from atreport.kit.pdf import Line
from atreport.verification.again.pdf_text import PageText, text_findings


def page(*texts: str) -> list[Line]:
    """The lines of a page."""
    return [Line(text, chart=False) for text in texts]


def expected(flow: str, *running: str) -> PageText:
    """A page of this text, with these texts in its margins."""
    text = PageText()
    text.flow, text.running = flow, set(running)
    return text


def test_a_margin_that_looks_like_the_next_words_is_no_finding() -> None:
    """A publisher called P, and a page that begins with "Part": the letter in the margin is not the page's first."""
    pages = [page("Theend", "P", "Page1of2"), page("Partofthat", "P", "Page2of2")]
    assert list(text_findings(pages, expected("TheendPartofthat", "P"))) == []


def test_words_like_a_margin_stay_words() -> None:
    """What stands in a margin once may also be the last line of the text, or all there is on a page without margins."""
    pages = [page("P"), page("See", "P", "P", "Page2of2")]
    assert list(text_findings(pages, expected("PSeeP", "P"))) == []


@pytest.mark.parametrize("changed", ["Partofthis", "Part", "PPartofthat"])
def test_changed_words_are_found_beside_margins(changed: str) -> None:
    """Setting margins aside hides no change to the words."""
    pages = [page("Theend", "P", "Page1of2"), page(changed, "P", "Page2of2")]
    assert list(text_findings(pages, expected("TheendPartofthat", "P")))
