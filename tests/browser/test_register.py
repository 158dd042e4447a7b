"""The page of a register in Chromium: accessible in the light and the dark, and searched with its own script."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from atreport.cli.register import write_register
from tests.conftest import BuiltOnce

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_a_search_leaves_what_fits(
    browser: Browser, built_once: BuiltOnce, tmp_path: Path, scheme: Literal["light", "dark"]
) -> None:
    """No violation of WCAG; filters that appear with the script; nothing wider than a telephone."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    (index, *_) = write_register(built_once("example"), tmp_path).files
    page = browser.new_page(color_scheme=scheme, viewport={"width": 390, "height": 800})
    page.goto(index.as_uri())
    assert axe.Axe().run(page).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_label("Search").fill("no such word")
    assert page.locator("article:visible").count() == 0
    assert page.get_by_role("status").inner_text() == "0 of 1 reports are shown."
    page.close()
