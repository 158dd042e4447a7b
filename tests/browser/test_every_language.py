"""Three reports in every language, opened in a browser: nobody is left out, and every page checks itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from atreport.compose import in_language
from atreport.export.files import data_files
from atreport.pages.documents import lay_out
from atreport.spec.load import load_spec
from atreport.text.language import LANGUAGES
from tests.assessing import SPECS, THREE_REPORTS, report_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("name", THREE_REPORTS)
def test_every_language_is_accessible_and_checks_itself(browser: Browser, tmp_path: Path, name: str) -> None:
    """Axe finds nothing, nothing scrolls sideways on a phone, and the page's own check holds, in each language."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    report = report_of(load_spec(next(spec for spec in SPECS if spec.stem == name)))
    found = {}
    for language in LANGUAGES:
        edition = in_language(report, language)
        path = tmp_path / f"{language}.html"
        path.write_text(lay_out(edition).html(data_files(edition)), encoding="utf-8")
        with browser.new_context(offline=True, viewport={"width": 390, "height": 800}) as context:
            page = context.new_page()
            page.goto(path.as_uri())
            violations = [each["id"] for each in axe.Axe().run(page).response["violations"]]
            too_wide = page.evaluate("document.documentElement.scrollWidth") > 390
            page.locator(".self-check button").click()
            result = page.locator(".self-check").get_attribute("data-result")
            found[language] = (violations, too_wide, result)
    assert found == {language: ([], False, "holds") for language in LANGUAGES}
