"""The page's own check, pressed in a real browser: it passes a good report and sees a tampered one, offline."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from atreport.export.files import public_files
from tests.assessing import report_of
from tests.conftest import BuiltOnce
from tests.example import example_spec
from tests.finding import found

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
SPECS = sorted((Path(__file__).parents[2] / "specs").glob("*.yaml"))


@pytest.fixture(scope="module")
def example(built_once: BuiltOnce) -> str:
    """The page of the example."""
    return (built_once("example") / "public" / "report.html").read_text(encoding="utf-8")


@contextmanager
def opened(browser: Browser, page: str, folder: Path) -> Iterator[Page]:
    """A page, open with no network; no error while it is."""
    path = folder / "report.html"
    path.write_text(page, encoding="utf-8")
    with browser.new_context(offline=True) as context:
        shown = context.new_page()
        errors: list[str] = []
        shown.on("pageerror", lambda error: errors.append(str(error)))
        shown.on("console", lambda message: errors.append(message.text))
        shown.goto(path.as_uri())
        yield shown
        assert not errors


def press(page: Page) -> tuple[str, str]:
    """The result of the check of an open page, and what it says."""
    page.locator(".self-check button").click()
    place = page.locator(".self-check")
    return place.get_attribute("data-result") or "", place.locator("output").inner_text()


def pressed(browser: Browser, page: str, folder: Path) -> tuple[str, str]:
    """The same of a page."""
    with opened(browser, page, folder) as shown:
        return press(shown)


def page_of(*edits: tuple[str, str]) -> str:
    """The page of the example, changed."""
    return public_files(report_of(example_spec(*edits)), ["html"])["report.html"].decode()


def test_a_good_report_holds(browser: Browser, example: str, tmp_path: Path) -> None:
    """Everything recalculated in the page agrees, and the page says what it cannot check."""
    result, text = pressed(browser, example, tmp_path)
    assert result == "holds", text
    assert "cells 6, groups 2" in text
    assert "only someone who may see the data" in text


@pytest.mark.parametrize("language", ["fr", pytest.param("de", marks=pytest.mark.slow)])
def test_a_report_in_another_language_checks_itself(browser: Browser, language: str, tmp_path: Path) -> None:
    """Decimal commas and dots between thousands would make the page accuse itself, or look away from a changed figure."""
    page = page_of(("version: 1.0.0", f"version: 1.0.0\n  language: {language}"))
    assert pressed(browser, page, tmp_path)[0] == "holds"
    shown = found(r'<td class="number">(\d+,\d+)', page[page.index('id="table-groups"') :])
    place = page.index(shown[0], page.index('id="table-groups"'))
    other = shown[0][:-1] + ("1" if shown[0][-1] != "1" else "2")
    forged = page[:place] + other + page[place + len(shown[0]) :]
    assert pressed(browser, forged, tmp_path)[0] == "findings"


@pytest.mark.parametrize("published", ["counts", pytest.param("shares", marks=pytest.mark.slow)])
@pytest.mark.parametrize("policy", ["round", "suppress"])
def test_guarded_counts_are_checked_with_what_they_leave_open(
    browser: Browser, policy: str, published: str, tmp_path: Path
) -> None:
    """An honest report with rounded or suppressed counts holds; a confidence lower by one printed step does not."""
    edits = [
        ("decimals: 4", f"decimals: 4\n  small_cells: {{policy: {policy}, under: 5}}"),
        ("  privacy: {beta: 0.7}\n", ""),
        ("population: shares", f"population: {published}"),
    ]
    page = page_of(*edits)
    result, text = pressed(browser, page, tmp_path)
    assert result == ("partial" if published == "shares" else "holds"), text
    assert ("The number of people is not published" in text) == (published == "shares")
    if published == "counts":
        group = report_of(example_spec(*edits)).as_json()["privacy"]["groups"][1]
        lower = page.replace(f'"beta": {group["beta"]}', f'"beta": {round(group["beta"] - 0.0001, 4)}')
        assert "Group M: the confidence is not" in pressed(browser, lower, tmp_path)[1]


def test_shares_of_few_digits_are_not_called_checked(browser: Browser, tmp_path: Path) -> None:
    """A share of one unit says so little of a number of people that every figure would hold."""
    page = page_of(("population: 12,", "population: 12000000000000,"), ("  privacy: {beta: 0.7}\n", ""))
    result, text = pressed(browser, page, tmp_path)
    assert result == "partial", text
    assert "too few digits" in text


@pytest.mark.parametrize(
    "spec",
    # one that leaves people out is quick: its intervals are wider than the cells alone give
    [pytest.param(s, marks=[] if s.stem == "housing_records" else pytest.mark.slow) for s in SPECS],
    ids=lambda path: path.stem,
)
def test_every_example_holds(browser: Browser, spec: Path, tmp_path: Path, built_once: BuiltOnce) -> None:
    """No honest report is doubted by its own page, and its page stays under half a megabyte."""
    page = (built_once(spec.stem) / "public" / "report.html").read_text(encoding="utf-8")
    assert len(page.encode()) < 500_000
    result, text = pressed(browser, page, tmp_path)
    assert result == "holds", text


TAMPERED = (
    ('"beta": 0.6378', '"beta": 0.6377', "Group M: the confidence is not 0.6377"),
    ('"prior": 0.45', '"prior": 0.44', "Group M: the confidence before any report is not 0.44"),
    ('"contribution": 0.1878', '"contribution": 0.1678', "What the report adds is not 0.1678"),
    ('"lift": 4.5, "odds": 45.0', '"lift": 4.4, "odds": 45.0', "Group F: a value does not become 4.4 times"),
    ('"odds": 9.0', '"odds": 8.0', "Group M: the odds factor is not 8"),
    ('"odds": 9.0', '"odds": null', "Group M: the odds factor is not null"),
    ('"odds": 45.0,\n', '"odds": 40.0,\n', "Odds factor: the report’s is not the highest of its groups"),
    ('"before": 0.35, "after": 0.3836', '"before": 0.35, "after": 0.3736', "income “100k-200k”: the confidence does not go from"),
    ('"lift": 1.225', '"lift": 1.125', "income “100k-200k”: the confidence does not go from"),
    ('{"gender": "M"}, "before": 0.45', '{"gender": "F"}, "before": 0.45', "not the group in which it rises most"),
    ('"beta": 0.7', '"beta": 0.6', "Confidence (β): the publisher’s ceiling is not kept"),
    ('"beta": 0.7\n', '"beta": 0.7, "lift": 4.4\n', "Times as likely: the publisher’s ceiling is not kept"),
    ('"beta": 0.7\n', '"odds": 44.9\n', "Odds factor: the publisher’s ceiling is not kept"),
    ('"approved": 0.02', '"approved": 0.03', "do not make one"),
    ('"verdict": "cannot_tell"', '"verdict": "meets"', "the verdict does not follow"),
    ('"interval": [0.12, 0.3]', '"interval": [0.15, 0.3]', "The rate of “F” is not"),
    ('"share": 0.3', '"share": 0.2', "Group F"),
    ('"value": 0.165', '"value": 0.195', "does not follow from the rates"),
    ('"format": "atreport/1"', '"format": ', "its data cannot be read"),
)  # fmt: skip
REPLACE = "([old, now]) => { const of = document.getElementById('report-data'); of.textContent = of.textContent.replace(old, now); }"


def test_tampered_data_do_not(browser: Browser, example: str, tmp_path: Path) -> None:
    """A change to the data is named in plain words; each is made and taken back in the open page."""
    with opened(browser, example, tmp_path) as page:
        for old, new, says in TAMPERED:
            page.evaluate(REPLACE, [old, new])
            result, text = press(page)
            page.evaluate(REPLACE, [new, old])
            assert (result, "does not hold" in text, says in text) == ("findings", True, True), (new, text)
        assert press(page)[0] == "holds", "all changes were taken back"


def test_a_tampered_page_does_not(browser: Browser, example: str, tmp_path: Path) -> None:
    """Nor does a change to a table of the page."""
    cell = '<td class="number">67.50%</td>'
    assert cell in example
    result, text = pressed(browser, example.replace(cell, cell.replace("7.5", "1.5"), 1), tmp_path)
    assert result == "findings"
    assert "The page prints 61.50" in text
