"""The guides are true: every command and every Python block on them runs, and shows what the page says."""

import contextlib
import os
import signal
from pathlib import Path

import pytest

from tests.command_line import ROOT
from tests.docs.walkthrough import Walkthrough

GUIDES = sorted((ROOT / "docs" / "guides").glob("*.md"))
STARTS_OTHER_PROCESSES = {"dask.md"}
QUICK = {"annex.md", "forms.md", "policy.md", "rates.md"}
"""The others build what the tutorial builds too, in another language or style or from Python; `ci.md` starts many interpreters."""


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=page.name, marks=() if page.name in QUICK else pytest.mark.slow)
        for page in GUIDES
        if page.name not in STARTS_OTHER_PROCESSES
    ],
)
def test_a_guide_goes_as_written(page: Path, tmp_path: Path) -> None:
    """Somebody with a task who types what the guide says would meet an error, or other words than it has."""
    Walkthrough(tmp_path).read(page)


@pytest.mark.slow
def test_the_guide_to_clusters_goes_as_written(tmp_path: Path) -> None:
    """The smallest cluster could not be started as the guide says, or would not build the report."""
    try:
        Walkthrough(tmp_path).read(ROOT / "docs" / "guides" / "dask.md")
    finally:
        for file in tmp_path.glob("*.pid"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(file.read_text()), signal.SIGTERM)
