"""What is told of a file that could not be compared, and whether it is dangerous to open."""

import io
import os
import random
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from atreport.compose import generator
from atreport.compose.generator import PDF_LIBRARIES, other_libraries
from atreport.export.files import public_files
from atreport.export.spreadsheets import pack, unpack
from atreport.pages.documents import LaidOut
from atreport.report.model import Report
from atreport.report.pdf import PdfContent
from atreport.verification.findings import Compared
from atreport.verification.rebuild import Rebuild, not_compared, sheet_dangers
from tests.assessing import report_of
from tests.example import example_spec
from tests.made_once import pages_made_once_for_all

__all__ = ["pages_made_once_for_all"]

Parts = dict[str, bytes]
ODS, XLSX = "report.ods", "report.xlsx"
ALL = ("report.html", "report.pdf", ODS, XLSX)
LIBRARY = {"report.html": "matplotlib", "report.pdf": "zlib", ODS: "odfdo", XLSX: "xlsxwriter"}
"""One on which each file depends."""


@cache
def report(library: str = "") -> Report:
    """The example, or the same as another version of a library made it, as it says."""
    made = report_of(example_spec())
    return made.model_copy(update={"generator": made.generator | ({library: "0.0.1"} if library else {})})


@cache
def honest(library: str = "") -> dict[str, bytes]:
    """Its public files."""
    return public_files(report(library), ["html", "pdf", "json", "ods", "xlsx"])


@cache
def again(library: str = "") -> Rebuild:
    """What makes them again; each once."""
    return Rebuild(report(library))


@cache
def _sheet(name: str) -> bytes:
    return honest()[name]


@pytest.fixture(autouse=True)
def sheets_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A comparison makes the spreadsheets again; here they are made once for all."""
    made = {name: (lambda _book, name=name: _sheet(name)) for name in (ODS, XLSX)}
    monkeypatch.setattr("atreport.verification.rebuild.SHEET_FILES", made)
    monkeypatch.setattr("atreport.verification.rebuild.workbook_of", lambda _: None)


def compared(name: str, content: bytes, library: str = "") -> Compared:
    """A file beside the one that belongs to the report."""
    if name == "report.html":
        return again(library).compare_page(content)
    if name == "report.pdf":
        return again(library).compare_pdf(content, PdfContent(attachments={}, dangers=()))
    return again(library).compare_sheets(name, content)


MAKE_AGAIN = """\
from pathlib import Path
from atreport.export.files import public_files
from atreport.report.reader import read_report
report = read_report(Path("report.json").read_bytes(), "report.json")
for name, content in public_files(report, ["html", "pdf", "json", "ods", "xlsx"]).items():
    Path(name).write_bytes(content)
"""


def test_files_are_the_same_bytes_wherever_they_are_made_again(tmp_path: Path) -> None:
    """Broken: an honest report would be a finding on a machine in another place.

    From report.json alone, in another folder, locale, time zone and with another hash seed.
    """
    (tmp_path / "report.json").write_bytes(honest()["report.json"])
    environment = {
        **os.environ,
        "PYTHONHASHSEED": "42",
        "TZ": "Pacific/Kiritimati",
        "LC_ALL": "POSIX",
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    subprocess.run([sys.executable, "-c", MAKE_AGAIN], check=True, env=environment, cwd=tmp_path)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert [name for name in honest() if made[name] != honest()[name]] == []
    assert made.keys() == honest().keys()


@pytest.mark.usefixtures("pages_made_once_for_all")
@pytest.mark.parametrize("number", [40, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ALL)
def test_any_changed_byte_is_found_or_the_file_is_named_as_not_compared(name: str, number: int) -> None:
    """Broken: a changed file would pass, or one that another library made be accused for that alone."""
    for library in ("", LIBRARY[name]):
        content = honest(library)[name]
        assert compared(name, content, library) == Compared(), "the same bytes are checked whatever is said"
        for seed in range(number):
            rng = random.Random(seed)
            place = rng.randrange(len(content))
            changed = bytes((content[place] ^ rng.randrange(1, 256),))
            found = compared(name, content[:place] + changed + content[place + 1 :], library)
            assert found.findings or (library and found.not_checked), (seed, place)
            assert not (found.not_checked and not library), (seed, place)


def test_other_libraries_are_those_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Broken: a page would count as made by others because of a library of spreadsheets."""
    here = dict.fromkeys(generator._ALL, "2")
    monkeypatch.setattr(generator, "_here", lambda: here)
    assert [other_libraries(here, name) for name in ALL] == [{}, {}, {}, {}]
    for name, library in LIBRARY.items():
        assert other_libraries(here | {library: "1"}, name) == {library: ("1", "2")}
    assert other_libraries(here | dict.fromkeys(PDF_LIBRARIES, "1"), "report.html") == {}
    assert other_libraries(here | {"odfdo": "1"}, XLSX) == {}
    without = {name: version for name, version in here.items() if name not in ("zlib", "pillow")}
    assert other_libraries(without, "report.pdf") == {"zlib": (None, "2")}
    monkeypatch.setattr(generator, "_here", lambda: without)
    assert other_libraries(without, "report.pdf") == {"zlib": (None, None)}, "what is not here differs"
    assert "pillow" in other_libraries(here, "report.html"), "a library of a house style, where one is named"


def test_the_command_holds_versions_and_nothing_else() -> None:
    """Broken: a stranger's report could put a command into the line that a reader copies."""
    lies = {
        "matplotlib": ("1.0; rm -rf ~", "3"),
        "pydyf": ("0.1", "3"),
        "pango": ("1", "2"),
        "brotli": (None, "1"),
    }
    told = not_compared("pdf", "report.pdf", lies).what
    assert told.endswith("pip cannot install pango. To compare it: pip install pydyf==0.1")
    assert "pip" not in not_compared("pdf", "report.pdf", {"brotli": (None, "1")}).what
    long = not_compared("pdf", "report.pdf", {"brotli": ("1" * 300, "1")}).what
    assert max(map(len, re.findall("1+", long))) == 30


def test_a_pdf_that_depends_on_fonts_of_the_machine_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Broken: a publisher whose machine has other fonts would be accused, or a forged PDF would pass."""
    monkeypatch.setattr(LaidOut, "pdf", lambda *_: b"of this machine")
    monkeypatch.setattr(LaidOut, "uses_other_fonts", True)
    found = Rebuild(report()).compare_pdf(b"of another", PdfContent(attachments={}, dangers=()))
    assert [(each.part, "fonts" in each.what) for each in found.not_checked] == [("pdf", True)]


def edited(part: str, pattern: str, new: str) -> Callable[[Parts], Parts]:
    """Another text at the first match of a pattern in a part."""

    def edit(parts: Parts) -> Parts:
        text, number = re.subn(pattern, new, parts[part].decode(), count=1)
        assert number, (part, pattern)
        return {**parts, part: text.encode()}

    return edit


SHEET, BOOK = "xl/worksheets/sheet4.xml", "xl/workbook.xml"
DANGEROUS: list[tuple[str, Callable[[Parts], Parts]]] = [
    (ODS, edited("content.xml", "<table:table-cell ", '<table:table-cell table:formula="of:=1" ')),
    (ODS, edited("content.xml", 'xlink:href="#Rule.A1"', 'xlink:href="https://example.org/"')),
    (ODS, edited("content.xml", "<office:body>", '<office:scripts><script:event-listener/></office:scripts><office:body>')),
    (ODS, edited("content.xml", "<office:body>", "<office:event-listeners/><office:body>")),
    (ODS, edited("content.xml", "<office:body>", "<office:body><office:dde-source/>")),
    (ODS, edited("content.xml", "<office:body>", "<office:body><draw:object/>")),
    (ODS, edited("content.xml", "<office:body>", "<office:body><form:form/>")),
    (ODS, edited("content.xml", "<office:document-content", '<!DOCTYPE x [<!ENTITY a "b">]><office:document-content')),
    (ODS, lambda parts: {**parts, "content.xml": parts["content.xml"].decode().encode("utf-16")}),
    (ODS, edited("content.xml", "<table:table-cell ", "<table:table-cell office:name='>' table:formula='of:=1' ")),
    (ODS, lambda parts: {**parts, "meta.xml": b"<x"}),
    (ODS, lambda parts: {**parts, "Basic/Standard/script-lb.xml": b"<x/>"}),
    (ODS, lambda parts: {**parts, "Object 1/content.xml": b"<x/>"}),
    (XLSX, edited(SHEET, r"(<c r=\"D5\"[^>]*>)<v>", r"\1<f>1+1</f><v>")),
    (XLSX, edited(SHEET, r"(<c r=\"D5\"[^>]*>)<v>", r"\1<x:f t='array'>1+1</x:f><v>")),
    (XLSX, edited(BOOK, "<calcPr", '<definedNames><definedName name="a">1</definedName></definedNames><calcPr')),
    (XLSX, edited("xl/_rels/workbook.xml.rels", "</Relationships>", '<Relationship TargetMode="External"/></Relationships>')),
    (XLSX, lambda parts: {**parts, "xl/vbaProject.bin": b"x"}),
    (XLSX, lambda parts: {**parts, "xl/externalLinks/externalLink1.xml": b"<x/>"}),
    (XLSX, lambda parts: {**parts, "xl/embeddings/oleObject1.bin": b"x"}),
    (XLSX, lambda parts: {**parts, "xl/connections.xml": b"<x/>"}),
    (XLSX, lambda parts: {**parts, "xl/macrosheets/sheet1.xml": b"<x/>"}),
]  # fmt: skip


def test_spreadsheets_that_are_dangerous_to_open_are_found() -> None:
    """Broken: a file that was not compared could calculate, run or call something when it is opened."""
    for name in (ODS, XLSX):
        assert list(sheet_dangers(name, honest()[name])) == []
    words = edited(
        "content.xml", "(<text:p>)", r'\1 formula = "1", TargetMode="2", href="https://example.org" '
    )
    assert list(sheet_dangers(ODS, pack(words(unpack(honest()[ODS]))))) == [], "words are none"
    for number, (name, forge) in enumerate(DANGEROUS):
        forged = pack(forge(unpack(honest()[name])))
        assert list(sheet_dangers(name, forged)), number
        found = compared(name, forged, LIBRARY[name])
        assert found.findings, number
        assert found.not_checked, number


@pytest.mark.parametrize("name", [ODS, XLSX])
def test_files_packed_otherwise_are_not_accepted(name: str) -> None:
    """Compressed, cut off, with bytes before or behind or between, with a remark."""
    content = honest()[name]
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, text in unpack(content).items():
            archive.writestr(part, text)
        archive.comment = b"Audited"
    for forged in (target.getvalue(), content[:-5], content + b"x", b"x" + content, b"", b"PK"):
        assert list(sheet_dangers(name, forged))
