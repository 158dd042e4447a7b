"""Reading a published report in any of its forms."""

from decimal import Decimal
from pathlib import Path

import pytest

from atreport.errors import NotAReport
from atreport.report.reader import parse_json, read_published, read_published_report
from tests.conftest import BuiltOnce


@pytest.fixture
def folder(built_once: BuiltOnce) -> Path:
    """A whole report on the example."""
    return built_once("example")


@pytest.mark.parametrize(
    "what", ["", "public", "public/report.json", "public/report.pdf", "public/report.html"]
)
def test_every_form_gives_the_same_figures(folder: Path, what: str) -> None:
    """Folder, JSON, PDF and page hold the same document, every number exactly as written."""
    published = read_published(folder / what)
    assert published.wrong == ()
    report = published.report
    assert report is not None
    assert report == read_published_report(folder / what)
    assert report == read_published_report(folder / "public" / "report.json")
    assert report.privacy.beta == Decimal("0.675")
    assert isinstance(report.cells[0].share, Decimal)


def test_a_folder_gives_all_its_files(folder: Path) -> None:
    """With what the PDF has attached and what the page carries, as bytes: nothing is parsed twice."""
    published = read_published(folder)
    files = {path.name: path.read_bytes() for path in (folder / "public").iterdir()}
    assert published.files == files
    assert published.source == "report.json"
    assert published.attachments is not None
    assert published.attachments["report.json"] == files["report.json"]
    assert published.page_data is not None
    # some characters are written otherwise there, for the page's sake
    assert parse_json(published.page_data, "page") == parse_json(files["report.json"], "file")


def test_a_document_without_the_form_of_a_report_is_found_but_not_read(tmp_path: Path) -> None:
    """`verify` says what is wrong with it; whoever wants the report gets an error with the same words."""
    path = tmp_path / "report.json"
    path.write_bytes(b'{"format": "atreport/1"}')
    published = read_published(path)
    assert published.report is None
    assert "cells: Field required" in published.wrong
    with pytest.raises(NotAReport, match="does not have the form of a report") as error:
        read_published_report(path)
    assert "cells: Field required" in str(error.value)
    assert str(path) in str(error.value)


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
        ("x.html", b"<!doctype html><p>hello", "does not carry its data"),
        ("x.pdf", b"%PDF-1.7 broken", "damaged"),
    ],
)
def test_anything_else_is_a_clear_error(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    """No traceback: one sentence that names the file, and exit code 2."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(NotAReport, match=message) as error:
        read_published_report(path)
    assert str(path) in str(error.value)
    assert error.value.exit_code == 2


def test_missing_paths_and_empty_folders(tmp_path: Path) -> None:
    """What cannot be read is said, with what to give instead."""
    for path in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(NotAReport, match="a public folder"):
            read_published(path)
