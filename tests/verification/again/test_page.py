"""A page drawn with other libraries, beside the one made here: everything but the drawings to the letter."""

from __future__ import annotations

import pytest

from atreport.kit.strangers.bounded_process import TookTooMuch
from atreport.verification.again import page as page_comparison
from atreport.verification.again.page import _font_findings, compare_page
from tests.verification.again.test_charts import CHART

SECOND = CHART.replace("Rates", "Gaps")
PAGE = f"<p>Before</p>{CHART}<p>Between</p>{SECOND}<p>After</p>"


def findings(found: str, made: str = PAGE) -> list[str]:
    """What is found on a page that was drawn with another matplotlib."""
    return compare_page(found.encode(), made, same_libraries=False, drawn_with=("1", "2")).findings


def test_charts_a_hair_apart_are_no_finding() -> None:
    """And the words after every chart are compared where they stand."""
    drawn = PAGE.replace("L 60 40", "L 60.4 39.8")
    assert findings(drawn) == []
    assert findings(drawn.replace("Between", "Audited"))
    assert findings(drawn + "<p>More</p>") == ["report.html: goes on where the page of these figures ends"]
    assert findings(drawn.replace("<p>After</p>", ""))


def test_a_wrong_chart_is_named_by_its_number() -> None:
    """So that the reader finds it."""
    wrong = PAGE[: PAGE.index(SECOND)] + PAGE[PAGE.index(SECOND) :].replace("L 60 40", "L 60 45")
    assert findings(wrong) == ["report.html: chart 2 has a mark 5 points off its place"]


def test_a_chart_without_end_is_a_finding() -> None:
    """The words after it are not taken for part of it."""
    assert findings(PAGE.replace("</svg>", ""))


def test_fonts_that_are_the_same_file_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only those that differ are compared by their letters, and one that cannot be compared in time is a finding."""
    asked = []

    def too_much(step: str, given: bytes, **limits: int) -> bytes:
        asked.append((step, given, limits))
        raise TookTooMuch("it takes too long")

    monkeypatch.setattr(page_comparison, "run_bounded", too_much)
    assert _font_findings([("same", "same"), ("also", "also")]) == []
    assert asked == []
    expected = ["report.html: a font in it does not draw the letters that belong to it"]
    assert _font_findings([("same", "same"), ("othr", "font")]) == expected
    assert len(asked) == 1
    assert _font_findings([("f" * 17, "font")]) == expected
    assert len(asked) == 1, "one that is many times as long is not even read"


def test_fonts_of_strangers_are_read_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight seconds and 500 MB, in a process of its own; one four times as long as ours is not read at all."""
    asked: list[dict[str, int]] = []

    def bounded(*_: object, **limits: int) -> bytes:
        asked.append(limits)
        return b"1"

    monkeypatch.setattr(page_comparison, "run_bounded", bounded)
    monkeypatch.setattr(page_comparison, "pack_fonts", lambda _: b"")
    assert _font_findings([("x" * 40, "y" * 10)]) == []
    assert asked == [{"seconds": 8, "megabytes": 500}]
    assert len(_font_findings([("x" * 41, "y" * 10)])) == 1
    assert len(asked) == 1
