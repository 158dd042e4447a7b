"""The studio in Chromium: start, edit, error, slider, attack, build, with the keyboard, and nothing for axe to find."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.command_line import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

LONG = 120_000
"""Milliseconds: the machine of a test may be busy."""


class Running:
    """A studio in a process of its own, and the link it printed."""

    def __init__(self, command: str, spec: Path, output: Path) -> None:
        arguments = [sys.executable, "-m", "atreport", command, str(spec)]
        if command == "studio":
            arguments += ["-o", str(output)]
        self.process = subprocess.Popen(
            arguments,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        assert self.process.stderr is not None
        self.process.stderr.readline()
        self.link = self.process.stderr.readline().strip()

    def end(self) -> None:
        """As Ctrl-C does, but for sure."""
        assert self.process.stderr is not None
        self.process.terminate()
        self.process.wait(30)
        self.process.stderr.close()


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    """The spec of six cells."""
    return Path(shutil.copy(ROOT / "specs" / "credit_card.yaml", tmp_path))


@pytest.fixture
def studio(spec: Path, tmp_path: Path) -> Iterator[Running]:
    """A studio on it."""
    running = Running("studio", spec, tmp_path / "output")
    yield running
    running.end()


def entered(browser: Browser, link: str, **options: Any) -> tuple[Page, list[str]]:
    """The page behind a link, and what it complained about or asked of others."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}, **options).new_page()
    complaints: list[str] = []
    # in the frame the report's scripts are not to run, and Chromium says of each that they do not
    expected = "Blocked script execution"
    page.on(
        "console",
        lambda said: (
            complaints.append(said.text)
            if said.type in ("error", "warning") and not said.text.startswith(expected)
            else None
        ),
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request",
        lambda asked: (
            complaints.append(asked.url)
            if not asked.url.startswith(("http://127.0.0.1:", "data:", "about:"))
            else None
        ),
    )
    page.goto(link)
    page.wait_for_url(re.compile(r"^http://127\.0\.0\.1:\d+/$"), timeout=LONG)
    return page, complaints


def violations(page: Page) -> list[str]:
    """What axe finds wrong with the page."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    found = axe.Axe().run(page, options={"iframes": False})
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found.response["violations"]]


def made(page: Page, text: str) -> None:
    """Wait until a report is made."""
    page.wait_for_function(
        "text => document.getElementById('report-line').textContent.includes(text)", arg=text, timeout=LONG
    )


def test_a_spec_and_its_report(browser: Browser, studio: Running) -> None:
    """A quick slice: the report is there, a mistake is shown at its line, and axe finds nothing."""
    page, complaints = entered(browser, studio.link)
    made(page, "β = 0.675")
    page.locator("#text").fill("atreport: 2\n")
    page.wait_for_selector("#numbers .wrong", timeout=LONG)
    assert violations(page) == []
    assert complaints == []


@pytest.mark.slow
def test_from_start_to_folder(browser: Browser, studio: Running, spec: Path, tmp_path: Path) -> None:
    """Start, edit, error, slider, take over, save, attack, build: each shows what it should, and axe finds nothing."""
    pictures = Path(os.environ["STUDIO_PICTURES"]) if "STUDIO_PICTURES" in os.environ else None

    def picture(name: str) -> None:
        if pictures is not None:
            pictures.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=pictures / f"{name}.png")

    page, complaints = entered(browser, studio.link)
    made(page, "β = 0.675")
    assert page.frame_locator("#report").locator("h1").count() >= 1
    picture("1-start")
    assert violations(page) == []

    text = page.locator("#text")
    before = text.input_value()
    text.fill(before.replace("delta: 0.9", "delta: 1.9"))
    page.wait_for_function("() => document.querySelectorAll('#problem-list li').length === 1", timeout=LONG)
    assert "Line" in page.locator("#problem-list").inner_text()
    assert page.locator("#numbers .wrong").count() == 1
    picture("2-error")
    assert violations(page) == []
    text.fill(before + "# a closing word\n")
    made(page, "β = 0.675")

    page.locator("#tab-report").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.getElementById('figures').rows.length > 4", timeout=LONG)
    page.locator("#range-delta").focus()
    for _ in range(10):
        page.keyboard.press("ArrowLeft")
    page.wait_for_function(
        "() => !document.getElementById('figures').textContent.includes('0.6750')", timeout=LONG
    )
    milliseconds = float(page.locator("#took").inner_text().split()[0])
    assert milliseconds < 1000, "on a free machine it is well under 100"
    page.wait_for_function(
        "() => document.getElementById('figures-note').textContent.includes('would print')", timeout=LONG
    )
    picture("3-policy")
    assert violations(page) == []
    page.locator("#take-over").press("Enter")
    page.wait_for_function(
        "() => document.getElementById('text').value.includes('delta: 0.85')", timeout=LONG
    )
    assert "# a closing word" in text.input_value()
    made(page, "β = ")

    assert page.locator("#saved").inner_text() == "not saved"
    text.focus()
    page.keyboard.press("Control+s")
    page.wait_for_function("() => document.getElementById('saved').textContent === 'saved'", timeout=LONG)
    assert "delta: 0.85" in spec.read_text(encoding="utf-8")

    page.locator("#tab-attacks").click()
    page.locator("#attack").press("Enter")
    page.wait_for_function("() => document.querySelectorAll('#findings h3').length > 3", timeout=LONG)
    picture("4-attacks")
    assert violations(page) == []

    page.locator("#tab-build").click()
    page.locator("#pdf").uncheck()
    page.locator("#build").press("Enter")
    page.wait_for_function(
        "() => document.getElementById('built').textContent.includes('Built in')", timeout=LONG
    )
    assert (tmp_path / "output" / "credit_card" / "public" / "report.html").is_file()
    picture("5-build")
    assert violations(page) == []

    spec.write_text(spec.read_text(encoding="utf-8").replace("delta: 0.85", "delta: 0.8"), encoding="utf-8")
    page.wait_for_function(
        "() => document.getElementById('text').value.includes('delta: 0.8}')", timeout=LONG
    )
    assert complaints == []
    page.close()


@pytest.mark.slow
def test_two_tabs_never_lose_each_others_text(browser: Browser, studio: Running, spec: Path) -> None:
    """A tab with changes of its own is asked, when another saved: nothing is overwritten unless it says so."""
    page, _ = entered(browser, studio.link)
    other = page.context.new_page()
    other.goto(page.url)
    for each in (page, other):
        made(each, "β = 0.675")
    page.locator("#text").fill(page.locator("#text").input_value() + "# one\n")
    other.locator("#text").fill(other.locator("#text").input_value() + "# two\n")
    page.locator("#save").click()
    other.wait_for_selector("#changed:not([hidden])", timeout=LONG)
    other.keyboard.press("Control+s")
    other.wait_for_timeout(1000)
    assert "# two" not in spec.read_text(encoding="utf-8")
    other.locator("#overwrite").click()
    page.wait_for_function("() => document.getElementById('text').value.includes('# two')", timeout=LONG)
    assert spec.read_text(encoding="utf-8").endswith("# two\n")


@pytest.mark.slow
@pytest.mark.parametrize("width", [1024, 1440, 1920])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_usable_at_every_width_in_light_and_dark(
    browser: Browser, spec: Path, tmp_path: Path, width: int, scheme: str
) -> None:
    """Nothing runs out of the page, and contrast is enough, also in a preview, which follows the file."""
    running = Running("preview", spec, tmp_path / "output")
    try:
        page, complaints = entered(browser, running.link, color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 800})
        made(page, "β = 0.675")
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        assert not page.locator("#left").is_visible()
        assert violations(page) == []
        spec.write_text(
            spec.read_text(encoding="utf-8").replace("delta: 0.9", "delta: 0.8"), encoding="utf-8"
        )
        page.wait_for_function(
            "() => !document.getElementById('report-line').textContent.includes('0.675')", timeout=LONG
        )
        assert complaints == []
    finally:
        running.end()
