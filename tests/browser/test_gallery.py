"""Every report of the gallery in a real browser, in each of its languages: for everybody, on every screen, and it checks itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from docs.gallery.page import SPECS
from tests.browser.test_browser import violations
from tests.browser.test_self_check import pressed
from tests.conftest import BuiltOnce

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SCREENS: tuple[tuple[int, Literal["dark", "light"]], ...] = ((390, "dark"), (1440, "light"))
"""A telephone in the evening, a desk in the day."""

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("name", [spec.stem for spec in SPECS])
def test_a_report_of_the_gallery_is_for_everybody(
    browser: Browser, name: str, built_once: BuiltOnce, tmp_path: Path
) -> None:
    """A reader with a screen reader, a telephone or doubts would be shut out of an example that others copy."""
    pages = sorted((built_once(name) / "public").glob("report*.html"))
    assert pages
    for path in pages:
        for width, scheme in SCREENS:
            with browser.new_context(
                viewport={"width": width, "height": 800}, color_scheme=scheme
            ) as context:
                page = context.new_page()
                page.goto(path.as_uri())
                assert violations(page) == [], path.name
                assert page.evaluate("document.documentElement.scrollWidth") <= width, path.name
        result, text = pressed(browser, path.read_text(encoding="utf-8"), tmp_path)
        assert result == "holds", text
