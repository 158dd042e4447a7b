"""What the tests in a real browser share."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium; skips where it or playwright is missing."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no Chromium on this machine")
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="the Python package playwright is not installed"
    )
    with playwright.sync_playwright() as runner:
        running = runner.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield running
        running.close()
