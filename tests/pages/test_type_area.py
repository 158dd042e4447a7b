"""The printed page: does anything stick out of the area that text is set in, in any language?"""

from collections.abc import Iterator
from typing import Any

import pytest
import weasyprint

from atreport.compose import in_language
from atreport.pages import pdf
from atreport.pages.documents import lay_out
from atreport.text.language import LANGUAGES, use_locale
from tests.assessing import THREE_REPORTS, report_case

SLACK = 1.0
"""Pixels of 1/96 inch: letters may overhang by a hair."""


def sticking_out(report: Any, language: str) -> Iterator[str]:
    """The texts of a printed page that end to the right of its type area."""
    document = lay_out(in_language(report, language))
    with use_locale(language):
        page = document._manuscript("report.pdf").for_print().page
    laid_out = weasyprint.HTML(string=page, url_fetcher=pdf._data_only(weasyprint)).render()
    for number, each in enumerate(laid_out.pages, start=1):
        box = each._page_box
        right = box.content_box_x() + box.width
        for part in box.children[0].descendants():
            if type(part).__name__ == "TextBox" and part.position_x + part.width > right + SLACK:
                yield f"page {number}: {part.text}"


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", THREE_REPORTS)
def test_nothing_sticks_out_of_the_type_area(name: str, language: str) -> None:
    """Broken: a table of long words would run into the margin, or off the paper."""
    assert list(sticking_out(report_case(name), language)) == []


def test_the_longest_language_keeps_the_type_area() -> None:
    """The same for one report and German, whose words are longest."""
    assert list(sticking_out(report_case("berkeley_admissions"), "de")) == []
