"""Reading a published report in any of its forms."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from atreport.errors import NotAReport
from atreport.report.published import parse_document, read_published
from tests.conftest import BuiltOnce


@pytest.fixture(scope="module")
def folder(built_once: BuiltOnce) -> Path:
    """A whole report on the example."""
    return built_once("example")


@pytest.mark.parametrize(
    "what", ["", "public", "public/report.json", "public/report.pdf", "public/report.html"]
)
def test_every_form_gives_the_same_figures(folder: Path, what: str) -> None:
    """Folder, JSON, PDF and page hold the same document, every number exactly as written."""
    document = read_published(folder / what).document
    assert document == read_published(folder / "public" / "report.json").document
    assert document["privacy"]["beta"] == Decimal("0.675")
    assert isinstance(document["cells"][0]["share"], Decimal)


def test_a_single_file_may_have_any_name(folder: Path, tmp_path: Path) -> None:
    """What somebody downloads is known by its content."""
    copy = tmp_path / "credit-report-2026 (1).PDF"
    copy.write_bytes((folder / "public" / "report.pdf").read_bytes())
    assert read_published(copy).source == "report.pdf"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.txt", b"hello", "no report that atreport published"),
        ("x.json", b'{"a": ', "not valid JSON"),
        ("x.json", b'{"a": 1}', "names no format"),
        ("x.json", b'{"format": "atreport/9"}', "reads the format atreport/1, not atreport/9"),
        ("x.json", b'{"format": "atreport/1", "format": "atreport/1"}', "not valid JSON"),
        ("x.json", b'{"format": "atreport/1", "x": NaN}', "not valid JSON"),
        ("x.html", b"<!doctype html><p>hello", "does not carry its data"),
        ("x.pdf", b"%PDF-1.7 broken", "damaged"),
    ],
)
def test_anything_else_is_a_clear_error(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    """No traceback: one sentence that names the file, and exit code 2."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(NotAReport, match=message) as error:
        read_published(path)
    assert str(path) in str(error.value)
    assert error.value.exit_code == 2


def test_missing_paths_and_empty_folders(tmp_path: Path) -> None:
    """What cannot be read is said, with what to give instead."""
    for path in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(NotAReport, match="a public folder"):
            read_published(path)


def test_numbers_stay_decimal() -> None:
    """0.1 is one tenth, and 0.10 keeps its digits: no floating-point neighbour."""
    document = parse_document('{"format": "atreport/1", "x": [0.1, 0.30000000000000004, 2]}', "here")
    assert document["x"] == [Decimal("0.1"), Decimal("0.30000000000000004"), 2]
