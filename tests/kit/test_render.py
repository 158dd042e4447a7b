"""Rendering to PDF: what happens where a library or a font is missing, and what may be fetched."""

from __future__ import annotations

import sys

import pytest
from markupsafe import Markup

from atreport.errors import MissingLibrary
from atreport.kit import render
from tests.documents import ATTACHMENTS, make_report
from tests.example import example_spec


def test_missing_library_is_one_command_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without WeasyPrint the error names the command for each system."""
    render._weasyprint.cache_clear()
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    with pytest.raises(MissingLibrary) as error:
        render._weasyprint()
    for command in ("apt-get install", "dnf install", "apk add", "brew install"):
        assert command in str(error.value)


def test_letters_without_a_font_are_refused() -> None:
    """A PDF with empty boxes would be invalid; the error names the letters and a font to install."""
    report = make_report(example_spec(("description: How a bank decides", "description: Nowhere \U000f5678")))
    with pytest.raises(MissingLibrary, match=r"U\+F5678"):
        report.document.pdf(ATTACHMENTS)


@pytest.mark.parametrize("address", ["file:///etc/hostname", "http://127.0.0.1:9/x", "ftp://x/y"])
def test_only_data_urls_are_fetched(address: str) -> None:
    """Whatever finds its way into a page, no file and no address is opened for it."""
    fetcher = render._data_only(render._weasyprint())
    with pytest.raises(ValueError, match="disallowed protocol"):
        fetcher.fetch(address)
    assert fetcher.fetch("data:text/plain,hello").read() == b"hello"


def test_very_long_words_of_tables_may_break() -> None:
    """A label of a hundred letters without a blank ran off the printed page, and the check of the PDF called it hidden text."""
    assert render._breakable("Annual income <100k") == "Annual income <100k"
    broken = render._breakable("x " + "W" * 30)
    assert str(broken).count("<wbr>") == 3
    assert Markup(str(broken)).striptags() == "x " + "W" * 30
    assert "<b>" not in str(render._breakable("<b>" + "W" * 30))
