"""No forgery of a report is accepted.

Neither by style, script, words, charts, PDF, attachments, what catalogues are told, folder or claimed versions.

Single changes of figures are tried in test_verify.py, of bytes and of spreadsheets in again/test_uncompared.py, ledgers, proofs, signatures and
attestations in releases/test_forged_releases.py, time stamps in releases/test_time_stamp.py.
"""

import functools
import io
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pikepdf
import pytest

from atreport import verify
from atreport.errors import NotAReport
from atreport.verification import findings
from atreport.verification.findings import UncheckedPart, Verification
from tests.conftest import BuiltOnce
from tests.forgeries import Files, Forgery, downgraded, forgeries, with_sums
from tests.made_once import pages_made_once
from tests.tampering import changes

__all__ = ["pages_made_once"]

PARTS = 6
"""Into so many the list is cut, so that several processes can try it."""
OTHER = {"matplotlib": "0.0.1", "weasyprint": "0.0.1"}
NOT_COMPARED: Mapping[str, UncheckedPart] = {"charts": "charts", "pdf": "pdf", "attachments": "pdf"}
"""Kinds of forgeries of what is not compared in the name of other libraries."""
FONTS = {"a font that draws other letters", "the fonts swapped"}
"""Forgeries of the style that are of its fonts, which count as charts."""
DANGEROUS: Mapping[str, set[str]] = {
    "charts": {
        "foreign content", "a picture", "a link", "a script", "a script when it loads", "motion", "a change later",
        "a style sheet", "another drawing", "a colour from elsewhere", "an instruction",
    },
    "pdf": {
        "a page with an action", "a link to the web", "a link that starts a program", "a link turned to the web", "a form",
        "a script when opened", "a program started when opened", "another first page", "an action when closed",
        "scripts by name", "an address", "an attached file on the page", "a film", "a sound", "a later change",
        "bytes after the end", "bytes before the beginning", "a cipher",
    },
    "attachments": {"one more", "a program"},
}  # fmt: skip
"""What is found all the same, since the file could harm who opens it."""


@functools.cache
def _public(folder: Path) -> Files:
    return {file.name: file.read_bytes() for file in (folder / "public").iterdir()}


@functools.cache
def _downgraded(folder: Path) -> Files:
    return downgraded(_public(folder), **OTHER)


@functools.cache
def _list(folder: Path) -> tuple[Forgery, ...]:
    return tuple(forgeries(_public(folder), _downgraded(folder)))


def written(forgery: Forgery, folder: Path) -> Path:
    """The forged folder."""
    folder.mkdir()
    for name, content in forgery.files.items():
        (folder / name).write_bytes(content)
    for name in forgery.folders:
        (folder / name).mkdir(parents=True)
    for name, target in forgery.links.items():
        (folder / name).symlink_to(target)
    for name, size in forgery.sizes.items():
        with (folder / name).open("wb") as file:
            file.truncate(size)
    return folder


def assert_not_accepted(forgery: Forgery, folder: Path) -> None:
    """It does not pass, and what is wrong is found.

    In the name of other libraries charts, fonts and the PDF are named as not compared, and found if dangerous to open.
    """
    try:
        found = verify(written(forgery, folder))
    except NotAReport:
        return
    assert not found.passed, forgery
    what = forgery.what.removesuffix(", other libraries")
    part = "charts" if what in FONTS else NOT_COMPARED.get(forgery.kind)
    if part is not None and forgery.what != what and what not in DANGEROUS.get(forgery.kind, ()):
        assert not found.accepting({*findings.PARTS} - {part}).passed, forgery
    elif forgery.kind != "versions":
        assert found.findings, forgery


def test_there_are_forgeries_of_every_kind(built_once: BuiltOnce) -> None:
    """At least 400, besides those of figures; `pytest -s -k every_kind` prints how many of each."""
    kinds = Counter(forgery.kind for forgery in _list(built_once("example")))
    figures = len(changes(_public(built_once("example"))))
    print("", *(f"{kind}: {number}" for kind, number in kinds.items()), f"figures: {figures}", sep="\n")
    assert {*kinds} == {
        "style", "script", "words", "charts", "pdf", "attachments", "catalogue", "folder", "versions",
    }  # fmt: skip
    assert kinds.total() >= 400
    assert min(kinds.values()) >= 10
    assert figures >= 300


def test_some_forgeries_are_not_accepted(
    built_once: BuiltOnce, tmp_path: Path, pages_made_once: None
) -> None:
    """A quick slice: every kind, and those that were accepted once."""
    found = _list(built_once("example"))
    known = (
        "notes hidden",
        "foreign content",
        "policy renamed",
        "on load",
        "a mark moved",
        "white rectangle and",
        "free text",
        "identifier in the metadata",
        "dcat.jsonld, a checksum",
        "report.html, the name",
        "cells.csv-metadata.json, a datatype",
    )
    chosen = [
        f for f in found if f.what.endswith("other libraries") and any(what in f.what for what in known)
    ]
    for number, forgery in enumerate([*chosen, *found[::60]]):
        assert_not_accepted(forgery, tmp_path / str(number))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_no_forgery_is_accepted(
    part: int, built_once: BuiltOnce, tmp_path: Path, pages_made_once: None
) -> None:
    """All of them."""
    for number, forgery in enumerate(_list(built_once("example"))[part::PARTS]):
        assert_not_accepted(forgery, tmp_path / str(number))


def test_an_honest_report_of_other_libraries_is_not_accused(
    built_once: BuiltOnce, tmp_path: Path, pages_made_once: None
) -> None:
    """The same bytes are checked whatever made them; of others the words hold, and who accepts the rest gets a pass."""
    same = _downgraded(built_once("example"))
    found: Verification = verify(written(Forgery("honest", "", lambda: same), tmp_path / "same"))
    assert found.passed, (found.findings, found.not_checked)
    other = dict(same)
    other["report.html"] = re.sub(rb'(<text [^>]*x=")(\d+)', rb"\g<1>1\2", same["report.html"])
    with pikepdf.open(io.BytesIO(same["report.pdf"])) as pdf:
        pdf.save(written_anew := io.BytesIO())
    other["report.pdf"] = written_anew.getvalue()
    found = verify(written(Forgery("honest", "", lambda: with_sums(other)), tmp_path / "other"))
    assert found.holds, found.findings
    assert [each.part for each in found.not_checked] == ["charts", "pdf"]
    assert not found.passed
    assert found.accepting(["charts", "pdf"]).passed
    charts, pdf_words = (each.what for each in found.not_checked)
    assert "pip install matplotlib==0.0.1" in charts
    assert "pip install matplotlib==0.0.1 weasyprint==0.0.1" in pdf_words
