"""A report in a house style: can it be checked like any other, and is every forgery of its style found?"""

import hashlib
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from atreport.export.files import public_files
from atreport.private.prepare import prepare_spec
from atreport.report.model import Report
from atreport.report.reader import read_report
from atreport.spec.load import load_spec
from atreport.verification import verify
from atreport.verification.findings import Verification
from tests.assessing import published, report_case
from tests.catalogues import restated
from tests.styled import LOGO, write_styled

Files = Mapping[str, bytes]
LOGO_FILE = "style-logo.svg"


@cache
def styled() -> Report:
    """The report of the example in a house style."""
    with TemporaryDirectory() as folder:
        return published(prepare_spec(load_spec(write_styled(Path(folder)))))


@cache
def styled_files() -> Files:
    """Its public files."""
    return public_files(styled(), with_verifier=True, style_files={LOGO_FILE: LOGO})


def verified(folder: Path, files: Files) -> Verification:
    """What a check finds in a folder of these files."""
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return verify(folder)


def found(verification: Verification) -> dict[str, tuple[str, ...]]:
    """The findings of each check that has some."""
    return {check.id: check.findings for check in verification.checks if check.findings}


def test_a_styled_report_holds(tmp_path: Path) -> None:
    """Broken: a publisher with a house style could not publish a report that anybody can check."""
    checked = verified(tmp_path / "public", styled_files())
    assert not found(checked)
    assert not checked.not_checked
    page, logo = styled_files()["report.html"].decode(), styled().style
    assert logo is not None
    assert logo.logo is not None
    assert logo.logo.sha256 == hashlib.sha256(LOGO).hexdigest()
    assert "--accent: #7a1f5c" in page
    assert "--navy: #3d0f2e" in page
    assert 'alt="Example Financial Authority"' in page
    assert "img-src data:" in page
    assert "<h2>2. About us</h2>" in page
    assert "&lt;b&gt;tags&lt;/b&gt;" in page


def test_the_pdf_alone_is_enough_and_the_page_alone_is_not(tmp_path: Path) -> None:
    """Broken: the PDF could not be made again without the folder, or a page would pass for checked that was not."""
    for name in ("report.pdf", "report.html"):
        (tmp_path / name).write_bytes(styled_files()[name])
    by_pdf, by_page = verify(tmp_path / "report.pdf"), verify(tmp_path / "report.html")
    assert not found(by_pdf)
    assert not by_pdf.not_checked
    assert not found(by_page)
    assert [each.part for each in by_page.not_checked] == ["pages"]
    assert LOGO_FILE in by_page.not_checked[0].what


def test_the_shipped_verifier_knows_the_files_of_a_style(tmp_path: Path) -> None:
    """Broken: who checks with nothing but Python would be told that the logo does not belong there."""
    verified(tmp_path / "public", styled_files())
    command = [sys.executable, "verify.py", "--accept", "figures", "."]
    done = subprocess.run(command, cwd=tmp_path / "public", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    (tmp_path / "public" / LOGO_FILE).write_bytes(LOGO.replace(b"7a1f5c", b"000000"))
    done = subprocess.run(command, cwd=tmp_path / "public", capture_output=True, text=True, check=False)
    assert f"{LOGO_FILE}: not the file that report.json names" in done.stdout


def test_the_shipped_verifier_knows_plain_reports(tmp_path: Path) -> None:
    """Broken: a plain report would not hold because it has no style, or would hold with a logo of nobody's."""
    files = public_files(report_case("credit_card"), ["json"], with_verifier=True)
    for logo, holds in ((None, True), (LOGO, False)):
        folder = tmp_path / str(holds)
        folder.mkdir()
        for name, content in restated(files if logo is None else {**files, LOGO_FILE: logo}).items():
            (folder / name).write_bytes(content)
        done = subprocess.run(
            [sys.executable, "verify.py", "--accept", "figures", "."],
            cwd=folder,
            capture_output=True,
            check=False,
        )
        assert (done.returncode == 0) is holds, done.stdout


def replaced(name: str, old: bytes, new: bytes) -> Callable[[], Files]:
    """One of the files changed, checksums made to match."""

    def make() -> Files:
        files = dict(styled_files())
        assert old in files[name]
        return restated({**files, name: files[name].replace(old, new)})

    return make


def hostile_logo() -> Files:
    """A whole report, consistent in every file, with a logo that runs a script."""
    logo = LOGO.replace(b"<title>", b"<script>alert(1)</script><title>")
    stated = styled_files()["report.json"]
    right, forged = (hashlib.sha256(each).hexdigest().encode() for each in (LOGO, logo))
    report = read_report(stated.replace(right, forged), "report.json")
    return public_files(report, ["html", "json"], style_files={LOGO_FILE: logo})


@pytest.mark.parametrize(
    ("make", "where"),
    [
        (replaced(LOGO_FILE, b"7a1f5c", b"000000"), "style"),
        (lambda: restated({k: v for k, v in styled_files().items() if k != LOGO_FILE}), "style"),
        (replaced("report.html", b"Thanks to <em>all</em>", b"No thanks to <em>all</em>"), "page"),
        (replaced("report.html", b"--accent: #7a1f5c", b"--accent: #ffffff"), "page"),
        (replaced("report.html", b"promise of openness", b"promise of secrecy"), "page"),
        (replaced("report.json", b"Thanks to *all*", b"Thanks to *one*"), "page"),
        (replaced("report.json", b'"#3d0f2e"', b'"#3d0f2f"'), "page"),
        (replaced("report.json", b'"#7a1f5c"', b'"#ffff00"'), "schema"),
        (replaced("report.json", b'"#7a1f5c"', b'"red;}*{color:red"'), "schema"),
        (hostile_logo, "style"),
    ],
    ids=[
        "another logo",
        "no logo",
        "section in the page",
        "colour in the page",
        "cover text in the page",
        "section in report.json",
        "band in report.json",
        "unreadable colour",
        "injected colour",
        "hostile logo",
    ],
)
def test_forgeries_of_the_style_are_found(tmp_path: Path, make: Callable[[], Files], where: str) -> None:
    """Broken: somebody could put another logo, colour or text into a report, and it would pass."""
    assert where in found(verified(tmp_path / "public", make()))


def test_a_logo_that_no_report_names_is_found(tmp_path: Path) -> None:
    """Broken: a folder could carry a picture that seems to be published with a plain report."""
    files = public_files(report_case("credit_card"), ["html", "json"])
    findings = found(verified(tmp_path / "public", restated({**files, LOGO_FILE: LOGO})))
    assert "report.json names no such file" in findings["style"][0]
