"""Rendering to PDF: what happens where a library or a font is missing, and what may be fetched."""

import sys

import pytest

from atreport.errors import MissingLibrary
from atreport.pages import pdf
from tests.documents import ATTACHMENTS, make_report
from tests.example import example_spec


def test_missing_library_is_one_command_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without WeasyPrint the error names the command for each system."""
    pdf._weasyprint.cache_clear()
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    with pytest.raises(MissingLibrary) as error:
        pdf._weasyprint()
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
    fetcher = pdf._data_only(pdf._weasyprint())
    with pytest.raises(ValueError, match="disallowed protocol"):
        fetcher.fetch(address)
    assert fetcher.fetch("data:text/plain,hello").read() == b"hello"
