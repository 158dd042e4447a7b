"""A report in a house style: can it be checked like any other, and is every forgery of its style found?"""

import hashlib
import json
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
from atreport.report.writer import json_bytes
from atreport.spec.house_style import published_png
from atreport.spec.load import load_spec
from atreport.verification import verify
from tests.assessing import published, report_case
from tests.catalogues import restated
from tests.styled import LOGO, STYLE, WITH_PNG, png_logo, write_styled
from tests.verifying import ACCEPT, shipped, written

Files = Mapping[str, bytes]
SVG, PNG = "style-logo.svg", "style-logo.png"
BOTH = pytest.mark.parametrize("name", [SVG, pytest.param(PNG, marks=pytest.mark.slow)])


@cache
def styled(name: str) -> tuple[Report, Files]:
    """The report of the example in a house style with this logo, and the files that it names."""
    with TemporaryDirectory() as folder:
        spec = load_spec(write_styled(Path(folder), STYLE if name == SVG else WITH_PNG))
        return published(prepare_spec(spec)), spec.public.style_files


@cache
def files_of(name: str, *formats: str) -> Files:
    """Its public files."""
    report, files = styled(name)
    return public_files(report, formats or ("html", "json"), with_verifier=True, style_files=files)


def findings(folder: Path) -> dict[str, str]:
    """What each check that finds something finds in a folder, or in a file."""
    checked = verify(folder)
    assert not checked.not_checked
    return {check.id: " ".join(check.findings) for check in checked.checks if check.findings}


def test_a_styled_report_holds(tmp_path: Path) -> None:
    """Broken: a publisher with a house style could not publish a report that anybody can check."""
    for name in (SVG, PNG):
        report, files = styled(name)
        assert {*files} == {name}
        assert report.style is not None
        assert report.style.files == {name: hashlib.sha256(files[name]).hexdigest()}
        assert "markdown-it-py" in report.generator
        assert ("pillow" in report.generator) == (name == PNG)
        assert findings(written(files_of(name), tmp_path / name)) == {}
    assert not {"markdown-it-py", "pillow"} & report_case("credit_card").generator.keys()
    page = files_of(SVG)["report.html"].decode()
    assert "--accent: #7a1f5c" in page
    assert "--navy: #3d0f2e" in page
    assert 'alt="Example Financial Authority"' in page
    assert "img-src data:" in page
    assert "<h2>2. About us</h2>" in page
    assert "&lt;b&gt;tags&lt;/b&gt;" in page
    page = files_of(PNG)["report.html"].decode()
    assert "data:image/png;base64," in page
    assert "font-src data:" in page


@BOTH
def test_the_pdf_alone_is_enough_and_the_page_alone_is_not(name: str, tmp_path: Path) -> None:
    """Broken: the PDF could not be made again without the folder, or a page would pass for checked that was not."""
    files = files_of(name, "html", "pdf")
    for each in ("report.pdf", "report.html"):
        (tmp_path / each).write_bytes(files[each])
    assert findings(tmp_path / "report.pdf") == {}
    by_page = verify(tmp_path / "report.html")
    assert by_page.holds
    assert [each.part for each in by_page.not_checked] == ["pages"]
    assert name in by_page.not_checked[0].what


@pytest.mark.parametrize("name", [SVG, PNG])
def test_the_shipped_verifier_knows_the_files_of_a_style(name: str, tmp_path: Path) -> None:
    """Broken: who checks with nothing but Python would be told that the logo does not belong there, or see no other one."""
    folder = written(files_of(name), tmp_path / "public")
    command = [sys.executable, "verify.py", ACCEPT, "."]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    (folder / name).write_bytes(files_of(name)[name][:-1] + b"x")
    assert f"{name}: not the file that report.json names" in shipped(folder).stdout
    said = shipped(written(lying_font(), tmp_path / "font")).stdout
    assert "style.fonts: a report is set in its own fonts" in said
    assert "style-font-text.ttf: no file of a report" in said


def test_a_logo_that_no_report_names_is_found(tmp_path: Path) -> None:
    """Broken: a folder could carry a picture that seems to be published with a plain report, or a plain report not hold."""
    plain = public_files(report_case("credit_card"), ["json"])
    folder = written(restated({**plain, SVG: LOGO}), tmp_path / "public")
    assert "report.json names no such file" in findings(folder)["style"]
    assert shipped(folder, ACCEPT).returncode == 1
    assert shipped(written(plain, tmp_path / "plain"), ACCEPT).returncode == 0


def replaced(name: str, old: bytes, new: bytes) -> Callable[[], Files]:
    """One of the files changed, checksums made to match."""

    def make() -> Files:
        files = files_of(SVG)
        assert old in files[name]
        return restated({**files, name: files[name].replace(old, new)})

    return make


def hostile_logo() -> Files:
    """A whole report, consistent in every file, with a logo that runs a script."""
    logo = LOGO.replace(b"<title>", b"<script>alert(1)</script><title>")
    stated = files_of(SVG)["report.json"]
    right, forged = (hashlib.sha256(each).hexdigest().encode() for each in (LOGO, logo))
    report = read_report(stated.replace(right, forged), "report.json")
    return public_files(report, ["html", "json"], style_files={SVG: logo})


def lying_font() -> Files:
    """A report that names a font of its own, consistent in every file but for what the font draws."""
    stated = json.loads(files_of(PNG)["report.json"])
    file = {"file": "style-font-text.ttf", "sha256": hashlib.sha256(b"font").hexdigest()}
    stated["style"]["fonts"] = {"text": file, "bold": file}
    forged = {"report.json": json_bytes(stated), "style-font-text.ttf": b"font"}
    return restated({**files_of(PNG), **forged})


def wordy_logo() -> Files:
    """A logo that carries words which nobody sees, named by its own SHA-256."""
    right, forged = (hashlib.sha256(each).hexdigest().encode() for each in (styled(PNG)[1][PNG], png_logo()))
    stated = files_of(PNG)["report.json"].replace(right, forged)
    return restated({**files_of(PNG), "report.json": stated, PNG: png_logo()})


FORGERIES: Mapping[str, tuple[Callable[[], Files], str, str]] = {
    "another logo": (replaced(SVG, b"7a1f5c", b"000000"), "style", "not the file"),
    "another PNG logo": (
        lambda: restated({**files_of(PNG), PNG: published_png(png_logo("#000000"))}), "style", "not the file",
    ),
    "no logo": (lambda: restated({k: v for k, v in files_of(SVG).items() if k != SVG}), "style", "missing"),
    "hostile logo": (hostile_logo, "style", SVG),
    "words in the logo": (wordy_logo, "style", "something besides its pixels"),
    "lying font": (lying_font, "schema", "style, fonts"),
    "section in the page": (replaced("report.html", b"Thanks to <em>all</em>", b"No thanks to <em>all</em>"), "page", ""),
    "colour in the page": (replaced("report.html", b"--accent: #7a1f5c", b"--accent: #ffffff"), "page", ""),
    "cover text in the page": (replaced("report.html", b"promise of openness", b"promise of secrecy"), "page", ""),
    "section in report.json": (replaced("report.json", b"Thanks to *all*", b"Thanks to *one*"), "page", ""),
    "band in report.json": (replaced("report.json", b'"#3d0f2e"', b'"#3d0f2f"'), "page", ""),
    "unreadable colour": (replaced("report.json", b'"#7a1f5c"', b'"#ffff00"'), "schema", ""),
    "injected colour": (replaced("report.json", b'"#7a1f5c"', b'"red;}*{color:red"'), "schema", ""),
}  # fmt: skip


@pytest.mark.parametrize(("make", "where", "says"), FORGERIES.values(), ids=FORGERIES.keys())
def test_forgeries_of_the_style_are_found(
    make: Callable[[], Files], where: str, says: str, tmp_path: Path
) -> None:
    """Broken: somebody could put another logo, colour, font or text into a report, and it would pass."""
    checks = verify(written(make(), tmp_path / "public")).checks
    assert says in {check.id: " ".join(check.findings) for check in checks if check.findings}[where]
