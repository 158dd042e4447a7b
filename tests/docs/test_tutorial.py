"""The tutorial is true: every command on it runs, and shows what the page says that it shows."""

from pathlib import Path

import pytest

from tests.command_line import ROOT
from tests.docs.walkthrough import Walkthrough

TUTORIAL = ROOT / "docs" / "tutorial.md"


def test_the_tutorial_goes_as_written(tmp_path: Path) -> None:
    """A newcomer who types what the page says would meet an error, or other words than the page has."""
    Walkthrough(tmp_path).read(TUTORIAL)
    published = tmp_path / "housing" / "output" / "report" / "public"
    assert (published / "report.html").is_file()


@pytest.mark.slow
def test_the_tutorial_goes_as_written_with_pdf(tmp_path: Path) -> None:
    """The same with the PDF, whose lines a quick walk looks past."""
    Walkthrough(tmp_path, with_pdf=True).read(TUTORIAL)
    assert (tmp_path / "housing" / "output" / "report" / "public" / "report.pdf").is_file()
