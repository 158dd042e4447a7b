"""A report with a PNG logo: can it be checked like any other, and is every forgery found?"""

import hashlib
import io
import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pikepdf
import pytest
from fontTools.ttLib import TTFont
from PIL import Image

from atreport.export.files import public_files
from atreport.private.prepare import prepare_spec
from atreport.report.model import Report
from atreport.report.writer import json_bytes
from atreport.spec.house_style import published_png
from atreport.spec.load import load_spec
from atreport.verification import verify
from tests.assessing import published, report_case
from tests.catalogues import restated
from tests.styled import WITH_PNG, png_logo, write_styled

Files = Mapping[str, bytes]
LOGO = "style-logo.png"
SLOW = pytest.mark.slow


@cache
def styled() -> tuple[Report, Files]:
    """The report of the example in a house style, and the files that this names."""
    with TemporaryDirectory() as folder:
        spec = load_spec(write_styled(Path(folder), WITH_PNG))
        return published(prepare_spec(spec)), spec.public.style_files


@cache
def styled_files() -> Files:
    """Its public files."""
    report, files = styled()
    return public_files(report, with_verifier=True, style_files=files)


def findings(folder: Path, files: Files) -> dict[str, str]:
    """What a check finds in a folder of these files."""
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    checked = verify(folder)
    assert not checked.not_checked
    return {check.id: " ".join(check.findings) for check in checked.checks if check.findings}


def test_what_is_published_is_named_and_holds(tmp_path: Path) -> None:
    """Broken: a publisher with a PNG logo could not publish a report that anybody can check."""
    report, files = styled()
    assert {*files} == {LOGO}
    assert report.style is not None
    assert report.style.files == {
        name: hashlib.sha256(content).hexdigest() for name, content in files.items()
    }
    assert {"markdown-it-py", "pillow"} < report.generator.keys()
    assert not {"markdown-it-py", "pillow"} & report_case("credit_card").generator.keys()
    page = styled_files()["report.html"].decode()
    assert "data:image/png;base64," in page
    assert "font-src data:" in page
    assert findings(tmp_path / "public", styled_files()) == {}


def test_the_pdf_alone_is_enough(tmp_path: Path) -> None:
    """Broken: the PDF could not be made again without the folder."""
    (tmp_path / "report.pdf").write_bytes(styled_files()["report.pdf"])
    checked = verify(tmp_path / "report.pdf")
    assert not [check for check in checked.checks if check.findings]
    assert not checked.not_checked


def swapped(name: str, content: bytes) -> Callable[[], Files]:
    """One file exchanged for another, checksums made to match."""
    return lambda: restated({**styled_files(), name: content})


def lying_font() -> Files:
    """A report that names a font of its own, consistent in every file but for what the font draws."""
    stated = json.loads(styled_files()["report.json"])
    file = {"file": "style-font-text.ttf", "sha256": hashlib.sha256(b"font").hexdigest()}
    stated["style"]["fonts"] = {"text": file, "bold": file}
    forged = {"report.json": json_bytes(stated), "style-font-text.ttf": b"font"}
    return restated({**styled_files(), **forged})


def wordy_logo() -> Files:
    """A logo that carries words which nobody sees, named by its own SHA-256."""
    right, forged = (hashlib.sha256(each).hexdigest().encode() for each in (styled()[1][LOGO], png_logo()))
    stated = styled_files()["report.json"].replace(right, forged)
    return restated({**styled_files(), "report.json": stated, LOGO: png_logo()})


def in_pdf(edit: Callable[[pikepdf.Pdf], None]) -> Callable[[], Files]:
    """The PDF changed, checksums made to match."""

    def make() -> Files:
        with pikepdf.open(io.BytesIO(styled_files()["report.pdf"])) as pdf:
            edit(pdf)
            buffer = io.BytesIO()
            pdf.save(buffer)
        return restated({**styled_files(), "report.pdf": buffer.getvalue()})

    return make


def _picture(pdf: pikepdf.Pdf) -> pikepdf.Object:
    return next(
        each for each in pdf.objects if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Image"
    )


def _other_pixels(pdf: pikepdf.Pdf) -> None:
    picture = _picture(pdf)
    red = Image.new("RGB", (int(picture.Width), int(picture.Height)), "red").tobytes()
    del picture["/DecodeParms"]
    picture.write(red)


def _masked(pdf: pikepdf.Pdf) -> None:
    _picture(pdf)["/Mask"] = pikepdf.Array([0, 255, 0, 255, 0, 255])


def _twice(pdf: pikepdf.Pdf) -> None:
    page = pdf.pages[1]
    page.Resources.XObject["/Again"] = _picture(pdf)
    page.Contents.write(page.Contents.read_bytes() + b"\n/Figure BMC q 200 0 0 90 60 60 cm /Again Do Q EMC\n")


def _other_letters(pdf: pikepdf.Pdf) -> None:
    """A font of the PDF in which every glyph of its own is the next one."""
    program = next(
        each.FontFile2
        for each in pdf.objects
        if isinstance(each, pikepdf.Dictionary)
        and "Source" in str(each.get("/FontName"))
        and "/FontFile2" in each
    )
    buffer = io.BytesIO()
    with TTFont(io.BytesIO(program.read_bytes()), recalcTimestamp=False) as read:
        glyphs = read["glyf"]
        order = [name for name in read.getGlyphOrder() if not glyphs[name].isComposite()]
        outlines = [glyphs[name] for name in order]
        for name, outline in zip(order, [*outlines[1:], outlines[0]], strict=True):
            glyphs[name] = outline
        read.save(buffer)
    program.write(buffer.getvalue())


@pytest.mark.parametrize(
    ("make", "where", "says"),
    [
        pytest.param(swapped(LOGO, published_png(png_logo("#000000"))), "style", "not the file", id="logo"),
        pytest.param(lying_font, "schema", "style, fonts", id="lying font"),
        pytest.param(in_pdf(_other_pixels), "pdf", "to the last byte", id="pixels in the PDF"),
        pytest.param(in_pdf(_other_letters), "pdf", "to the last byte", id="letters in the PDF"),
        pytest.param(wordy_logo, "style", "something besides its pixels", id="words in the logo", marks=SLOW),
        pytest.param(in_pdf(_masked), "pdf", "to the last byte", id="mask in the PDF", marks=SLOW),
        pytest.param(in_pdf(_twice), "pdf", "to the last byte", id="logo on page 2", marks=SLOW),
    ],
)
def test_forgeries_are_found(tmp_path: Path, make: Callable[[], Files], where: str, says: str) -> None:
    """Broken: somebody could put another logo or a font into a report, and it would pass."""
    assert says in findings(tmp_path / "public", make())[where]


def test_the_shipped_verifier_finds_other_files(tmp_path: Path) -> None:
    """Broken: who checks with nothing but Python would not see that a logo was exchanged, or a font brought in."""
    for each, content in styled_files().items():
        (tmp_path / each).write_bytes(content)
    command = [sys.executable, "verify.py", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "DOES NOT HOLD" not in done.stdout
    (tmp_path / LOGO).write_bytes(styled_files()[LOGO][:-1] + b"x")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert f"{LOGO}: not the file that report.json names" in done.stdout
    for each, content in lying_font().items():
        (tmp_path / each).write_bytes(content)
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "style.fonts: a report is set in its own fonts" in done.stdout
    assert "style-font-text.ttf: no file of a report" in done.stdout
