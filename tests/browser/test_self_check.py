"""The page's own check, pressed in a real browser: it passes a good report and sees a tampered one, offline."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from atreport import build
from tests.conftest import BuiltOnce
from tests.example import write_example
from tests.finding import found

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
SPECS = sorted((Path(__file__).parents[2] / "specs").glob("*.yaml"))


@pytest.fixture(scope="module")
def example(built_once: BuiltOnce) -> str:
    """The page of the example."""
    return (built_once("example") / "public" / "report.html").read_text(encoding="utf-8")


def pressed(browser: Browser, page: str, folder: Path) -> tuple[str, str]:
    """The result of the check, and what it says, with no network and no error."""
    path = folder / "report.html"
    path.write_text(page, encoding="utf-8")
    with browser.new_context(offline=True) as context:
        opened = context.new_page()
        errors: list[str] = []
        opened.on("pageerror", lambda error: errors.append(str(error)))
        opened.on("console", lambda message: errors.append(message.text))
        opened.goto(path.as_uri())
        opened.locator(".self-check button").click()
        place = opened.locator(".self-check")
        assert not errors
        return place.get_attribute("data-result") or "", place.locator("output").inner_text()


def test_a_good_report_holds(browser: Browser, example: str, tmp_path: Path) -> None:
    """Everything recalculated in the page agrees, and the page says what it cannot check."""
    result, text = pressed(browser, example, tmp_path)
    assert result == "holds", text
    assert "cells 6, groups 2" in text
    assert "only someone who may see the data" in text


@pytest.mark.parametrize("language", ["fr", pytest.param("de", marks=pytest.mark.slow)])
def test_a_report_in_another_language_checks_itself(browser: Browser, language: str, tmp_path: Path) -> None:
    """Decimal commas and dots between thousands would make the page accuse itself, or look away from a changed figure."""
    spec = write_example(tmp_path, ("version: 1.0.0", f"version: 1.0.0\n  language: {language}"))
    page = (build(spec, tmp_path, ["html", "json"]).folder / "public" / "report.html").read_text(
        encoding="utf-8"
    )
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
    spec = write_example(tmp_path, *edits)
    folder = build(spec, tmp_path / "out", formats=["html", "json"]).folder / "public"
    page = (folder / "report.html").read_text(encoding="utf-8")
    result, text = pressed(browser, page, tmp_path)
    assert result == ("partial" if published == "shares" else "holds"), text
    assert ("The number of people is not published" in text) == (published == "shares")
    if published == "counts":
        group = json.loads((folder / "report.json").read_text(encoding="utf-8"))["privacy"]["groups"][1]
        lower = page.replace(f'"beta": {group["beta"]}', f'"beta": {round(group["beta"] - 0.0001, 4)}')
        assert "Group M: the confidence is not" in pressed(browser, lower, tmp_path)[1]


def test_shares_of_few_digits_are_not_called_checked(browser: Browser, tmp_path: Path) -> None:
    """A share of one unit says so little of a number of people that every figure would hold."""
    spec = write_example(
        tmp_path, ("population: 12,", "population: 12000000000000,"), ("  privacy: {beta: 0.7}\n", "")
    )
    folder = build(spec, tmp_path / "out", formats=["html", "json"]).folder / "public"
    page = (folder / "report.html").read_text(encoding="utf-8")
    result, text = pressed(browser, page, tmp_path)
    assert result == "partial", text
    assert "too few digits" in text


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_every_example_holds(browser: Browser, spec: Path, tmp_path: Path, built_once: BuiltOnce) -> None:
    """No honest report is doubted by its own page, and its page stays under half a megabyte."""
    page = (built_once(spec.stem) / "public" / "report.html").read_text(encoding="utf-8")
    assert len(page.encode()) < 500_000
    result, text = pressed(browser, page, tmp_path)
    assert result == "holds", text


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"beta": 0.6378', '"beta": 0.6377', "Group M: the confidence is not 0.6377"),
        ('"prior": 0.45', '"prior": 0.44', "Group M: the confidence before any report is not 0.44"),
        ('"contribution": 0.1878', '"contribution": 0.1678', "What the report adds is not 0.1678"),
        (
            '"lift": 4.5, "odds": 45.0',
            '"lift": 4.4, "odds": 45.0',
            "Group F: a value does not become 4.4 times",
        ),
        ('"odds": 9.0', '"odds": 8.0', "Group M: the odds factor is not 8"),
        ('"odds": 9.0', '"odds": null', "Group M: the odds factor is not null"),
        ('"odds": 45.0,\n', '"odds": 40.0,\n', "Odds factor: the report’s is not the highest of its groups"),
        (
            '"before": 0.35, "after": 0.3836',
            '"before": 0.35, "after": 0.3736',
            "income “100k-200k”: the confidence does not go from",
        ),
        ('"lift": 1.225', '"lift": 1.125', "income “100k-200k”: the confidence does not go from"),
        (
            '{"gender": "M"}, "before": 0.45',
            '{"gender": "F"}, "before": 0.45',
            "not the group in which it rises most",
        ),
        ('"beta": 0.7', '"beta": 0.6', "Confidence (β): the publisher’s ceiling is not kept"),
        (
            '"beta": 0.7\n',
            '"beta": 0.7, "lift": 4.4\n',
            "Times as likely: the publisher’s ceiling is not kept",
        ),
        ('"beta": 0.7\n', '"odds": 44.9\n', "Odds factor: the publisher’s ceiling is not kept"),
        ('"approved": 0.02', '"approved": 0.03', "do not make one"),
        ('"verdict": "cannot_tell"', '"verdict": "meets"', "the verdict does not follow"),
        ('"interval": [0.12, 0.3]', '"interval": [0.15, 0.3]', "The rate of “F” is not"),
        ('"share": 0.3', '"share": 0.2', "Group F"),
        ('"value": 0.165', '"value": 0.195', "does not follow from the rates"),
        ('<td class="number">67.50%</td>', '<td class="number">61.50%</td>', "The page prints 61.50"),
        ('"format": "atreport/1"', '"format": ', "its data cannot be read"),
    ],
)
def test_a_tampered_report_does_not(
    browser: Browser, example: str, old: str, new: str, says: str, tmp_path: Path
) -> None:
    """A change to the data, or to a table of the page, is named in plain words."""
    assert old in example
    result, text = pressed(browser, example.replace(old, new, 1), tmp_path)
    assert result == "findings"
    assert "does not hold" in text
    assert says in text
