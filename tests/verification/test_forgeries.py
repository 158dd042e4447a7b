"""No forgery of a report is accepted.

Neither by style, script, words, charts, PDF, attachments, folder or claimed versions.

Single changes of figures are tried in test_verify.py, of bytes and of spreadsheets in test_uncompared.py, of what catalogues are
told in test_catalogue.py, of ledgers, proofs, signatures and attestations in test_forged_releases.py, of time stamps in
test_time_stamp.py.
"""

import functools
import io
import re
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path

import pikepdf
import pytest

from atreport import verify
from atreport.errors import NotAReport
from atreport.verification import findings
from atreport.verification.findings import UncheckedPart, Verification
from tests.conftest import BuiltOnce
from tests.forgeries import DANGEROUS_PDFS, Files, Forgery, downgraded, forgeries, with_sums
from tests.made_once import pages_made_once
from tests.tampering import changes
from tests.verifying import public_files_of, written

__all__ = ["pages_made_once"]

PARTS = 3
"""Into so many the list is cut, so that several processes can try it."""
OTHER = {"matplotlib": "0.0.1", "weasyprint": "0.0.1"}
NOT_COMPARED: Mapping[str, UncheckedPart] = {"charts": "charts", "pdf": "pdf", "attachments": "pdf"}
"""Kinds of forgeries of what is not compared in the name of other libraries."""
FONTS = {"a font that draws other letters", "the fonts swapped"}
"""Forgeries of the style that are of its fonts, which count as charts."""
DANGEROUS: Mapping[str, Collection[str]] = {
    "charts": {"foreign content", "a script", "a colour from elsewhere"},
    "pdf": DANGEROUS_PDFS.keys(),
    "attachments": {"one more", "a program"},
}
"""What is found all the same, since the file could harm who opens it."""


_public = functools.cache(public_files_of)


@functools.cache
def _downgraded(folder: Path) -> Files:
    return downgraded(_public(folder), **OTHER)


@functools.cache
def _list(folder: Path) -> tuple[Forgery, ...]:
    return tuple(forgeries(_public(folder), _downgraded(folder)))


def left(forgery: Forgery, folder: Path) -> Path:
    """The forged folder."""
    written(forgery.files, folder)
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
        found = verify(left(forgery, folder))
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
    """At least 200, besides those of figures; `pytest -s -k every_kind` prints how many of each."""
    kinds = Counter(forgery.kind for forgery in _list(built_once("example")))
    figures = len(changes(_public(built_once("example"))))
    print("", *(f"{kind}: {number}" for kind, number in kinds.items()), f"figures: {figures}", sep="\n")
    assert {*kinds} == {"style", "script", "words", "charts", "pdf", "attachments", "folder", "versions"}
    assert kinds.total() >= 200
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
    found: Verification = verify(written(same, tmp_path / "same"))
    assert found.passed, (found.findings, found.not_checked)
    assert "byte for byte" in next(each.what for each in found.checks if each.id == "pdf")
    other = dict(same)
    other["report.html"] = re.sub(rb'(<text [^>]*x=")(\d+)', rb"\g<1>1\2", same["report.html"])
    with pikepdf.open(io.BytesIO(same["report.pdf"])) as pdf:
        pdf.save(written_anew := io.BytesIO())
    other["report.pdf"] = written_anew.getvalue()
    found = verify(written(with_sums(other), tmp_path / "other"))
    assert found.holds, found.findings
    assert "holds no script" in next(each.what for each in found.checks if each.id == "pdf")
    assert [each.part for each in found.not_checked] == ["charts", "pdf"]
    assert not found.passed
    assert found.accepting(["charts", "pdf"]).passed
    charts, pdf_words = (each.what for each in found.not_checked)
    assert "pip install matplotlib==0.0.1" in charts
    assert "pip install matplotlib==0.0.1 weasyprint==0.0.1" in pdf_words
