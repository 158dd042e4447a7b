"""Reports in each of their languages, and a register, in a real browser: for everybody, on every screen, and they check themselves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from atreport.cli.register import write_register
from atreport.compose import in_language
from atreport.export.files import data_files
from atreport.pages.documents import lay_out
from atreport.text.language import LANGUAGES
from docs.gallery.page import SPECS
from tests.assessing import THREE_REPORTS, report_case
from tests.browser.test_browser import violations
from tests.browser.test_self_check import pressed
from tests.conftest import BuiltOnce

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PHONE, DESK = 390, 1440
SCREENS: tuple[tuple[int, Literal["dark", "light"]], ...] = ((PHONE, "dark"), (DESK, "light"))
"""A telephone in the evening, a desk in the day."""

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def for_everybody(browser: Browser, path: Path, width: int, scheme: Literal["dark", "light"]) -> Page:
    """The page, open: axe finds nothing, and it does not scroll sideways."""
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.goto(path.as_uri())
    assert violations(page) == [], path.name
    assert page.evaluate("document.documentElement.scrollWidth") <= width, path.name
    return page


@pytest.mark.parametrize("name", [spec.stem for spec in SPECS])
def test_a_report_of_the_gallery_is_for_everybody(
    browser: Browser, name: str, built_once: BuiltOnce, tmp_path: Path
) -> None:
    """A reader with a screen reader, a telephone or doubts would be shut out of an example that others copy."""
    pages = sorted((built_once(name) / "public").glob("report*.html"))
    assert pages
    for path in pages:
        for width, scheme in SCREENS:
            for_everybody(browser, path, width, scheme).close()
        result, text = pressed(browser, path.read_text(encoding="utf-8"), tmp_path)
        assert result == "holds", text


@pytest.mark.parametrize("name", THREE_REPORTS)
def test_every_language_is_accessible_and_checks_itself(browser: Browser, tmp_path: Path, name: str) -> None:
    """The same of three shipped reports in every language, on a telephone."""
    for language in LANGUAGES:
        edition = in_language(report_case(name), language)
        path = tmp_path / f"{language}.html"
        path.write_text(lay_out(edition).html(data_files(edition)), encoding="utf-8")
        for_everybody(browser, path, PHONE, "light").close()
        result, text = pressed(browser, path.read_text(encoding="utf-8"), tmp_path)
        assert result == "holds", (language, text)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_register_is_for_everybody_and_a_search_leaves_what_fits(
    browser: Browser, built_once: BuiltOnce, tmp_path: Path, scheme: Literal["light", "dark"]
) -> None:
    """Filters that appear with the script hide what does not fit, and say how much is left."""
    (index, *_) = write_register(built_once("example"), tmp_path).files
    page = for_everybody(browser, index, PHONE, scheme)
    page.get_by_label("Search").fill("no such word")
    assert page.locator("article:visible").count() == 0
    assert page.get_by_role("status").inner_text() == "0 of 1 reports are shown."
    page.close()
