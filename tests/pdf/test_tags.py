"""The PDF's inside: its tag tree, its metadata and its attachments. A validator alone passes files with poor tags."""

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from tests.conftest import BuiltOnce
from tests.documents import ATTACHMENTS, MadeReport, large_report, make_report
from tests.example import example_spec, write_example

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def report() -> MadeReport:
    """The paper's example."""
    return make_report(example_spec(("date: 2026-01-15\n", "date: 2026-01-15\n  contact: x@example.org\n")))


@pytest.fixture(scope="module")
def data(report: MadeReport) -> bytes:
    """Its PDF."""
    return report.document.pdf(ATTACHMENTS)


@pytest.fixture
def pdf(data: bytes) -> Iterator[pikepdf.Pdf]:
    """Its PDF, opened."""
    with pikepdf.open(io.BytesIO(data)) as opened:
        yield opened


Element = tuple[pikepdf.Dictionary, tuple[str, ...]]


def elements(pdf: pikepdf.Pdf) -> Iterator[Element]:
    """Every element of the tag tree in reading order, with the tags above it."""

    def walk(node: pikepdf.Object, above: tuple[str, ...]) -> Iterator[Element]:
        if isinstance(node, pikepdf.Array):
            for item in node:
                yield from walk(item, above)
        elif isinstance(node, pikepdf.Dictionary) and "/S" in node:
            yield node, above
            if "/K" in node:
                yield from walk(node.K, (*above, str(node.S)))

    yield from walk(pdf.Root.StructTreeRoot.K, ())


def test_headings_come_in_order(pdf: pikepdf.Pdf) -> None:
    """One title, and no level is skipped on the way down."""
    levels = [int(str(e.S)[2:]) for e, _ in elements(pdf) if str(e.S) in {"/H1", "/H2", "/H3", "/H4"}]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert levels.count(2) == 10


def test_every_table_has_headers_with_scope(pdf: pikepdf.Pdf) -> None:
    """Each table has a caption and column headers; every header cell says what it heads; rows have a name."""
    tables = [e for e, _ in elements(pdf) if str(e.S) == "/Table"]
    assert len(tables) >= 6
    headers = [(str(e.A.Scope), above) for e, above in elements(pdf) if str(e.S) == "/TH"]
    assert {scope for scope, above in headers if "/THead" in above} == {"/Column"}
    assert {scope for scope, above in headers if "/THead" not in above} == {"/Row"}
    for e, above in elements(pdf):
        if str(e.S) == "/TD":
            assert "/Table" in above
            assert len(e.A.Headers) >= 2


def test_every_figure_has_alt_text(pdf: pikepdf.Pdf, report: MadeReport) -> None:
    """Each chart carries the words that its alt text says in the page."""
    said = [str(e.Alt) for e, _ in elements(pdf) if str(e.S) == "/Figure"]
    assert said == [chart.alt for chart in report.context.charts.all]


def test_lists_hold_items_only(pdf: pikepdf.Pdf) -> None:
    """A list's children are list items."""
    for e, above in elements(pdf):
        if above and above[-1] == "/L":
            assert str(e.S) == "/LI"


def test_attachments_are_the_files(pdf: pikepdf.Pdf) -> None:
    """The data travels with the report, byte for byte, dated like the report and marked as its data."""
    assert {name: pdf.attachments[name].get_file().read_bytes() for name in pdf.attachments} == ATTACHMENTS
    for item in pdf.Root.AF:
        assert str(item.AFRelationship) == "/Data"
        assert str(item.EF.F.Params.ModDate).startswith("D:20260115")


def test_metadata_and_bookmarks(pdf: pikepdf.Pdf) -> None:
    """Language, title, author, both standards, the report's own date, and a bookmark for every section."""
    assert str(pdf.Root.Lang) == "en"
    assert bool(pdf.Root.MarkInfo.Marked)
    assert bool(pdf.Root.ViewerPreferences.DisplayDocTitle)
    assert str(pdf.docinfo["/Title"]) == "Credit card applications"
    assert str(pdf.docinfo["/Author"]) == "Example Financial Authority"
    assert str(pdf.docinfo["/CreationDate"]).startswith("D:20260115")
    assert str(pdf.docinfo["/ModDate"]).startswith("D:20260115")
    with pdf.open_metadata() as metadata:
        assert (metadata["pdfaid:part"], metadata["pdfaid:conformance"]) == ("3", "A")
        assert metadata["pdfuaid:part"] == "1"
    with pdf.open_outline() as outline:
        (top,) = outline.root
        assert [item.title for item in top.children][1:] == [
            "1. Summary",
            "2. How the decision works",
            "3. What moves the decision",
            "4. Fairness",
            "5. Privacy",
            "6. Disclosure notes",
            "7. Method",
            "8. How to check this report",
            "9. Glossary",
        ]


def test_fonts_are_embedded(pdf: pikepdf.Pdf) -> None:
    """Only the report's own fonts, so that the look depends on no machine."""
    names = {
        str(font.BaseFont).split("+")[-1].lower()
        for page in pdf.pages
        for font in page.resources.get("/Font", pikepdf.Dictionary()).values()
    }
    assert len(names) == 3
    assert all("source" in name for name in names)


def test_summary_is_one_page(data: bytes) -> None:
    """The cover with the contents, one page of summary, and the next section begins on page 3."""
    with pikepdf.open(io.BytesIO(data)) as pdf, pdf.open_outline() as outline:
        (top,) = outline.root
        targets: list[Any] = [item.destination for item in top.children]
        pages = [pdf.pages.index(pikepdf.Page(target[0])) for target in targets]
    assert pages[:3] == [0, 1, 2]


def test_every_page_of_the_annex_is_marked(built_once: BuiltOnce) -> None:
    """No page of the annex can be taken for a public one."""
    texts = pages_of((built_once("example") / "confidential" / "annex.pdf").read_bytes())
    assert len(texts) >= 4
    assert all("Confidential — not for publication" in text for text in texts)


def pages_of(data: bytes) -> list[str]:
    """The text of each page, by its character map."""
    texts = []
    with pikepdf.open(io.BytesIO(data)) as pdf:
        for page in pdf.pages:
            maps = {name: characters(font) for name, font in page.resources.Font.items()}
            text = ""
            current: dict[str, str] = {}
            instructions: list[Any] = list(pikepdf.parse_content_stream(page))
            for operands, operator in instructions:
                if str(operator) == "Tf":
                    current = maps[str(operands[0])]
                elif str(operator) in {"TJ", "Tj"}:
                    parts = operands[0] if str(operator) == "TJ" else operands
                    for part in parts:
                        if isinstance(part, pikepdf.String):
                            codes = bytes(part)
                            text += "".join(
                                current.get(codes[i : i + 2].hex(), "") for i in range(0, len(codes), 2)
                            )
            texts.append(text)
    return texts


def characters(font: pikepdf.Object) -> dict[str, str]:
    """What each glyph of a font stands for."""
    lines = font.ToUnicode.read_bytes().decode("ascii").splitlines()
    pairs = [line.strip("<>").split("> <") for line in lines if line.startswith("<") and "> <" in line]
    return {pair[0]: bytes.fromhex(pair[1]).decode("utf-16-be") for pair in pairs if len(pair) == 2}


BUILD = "import sys; from atreport import build; build(sys.argv[1], sys.argv[2])"


def built(spec: Path, output: Path, seed: str, zone: str, locale: str) -> dict[str, bytes]:
    """Every file of a build in another process, with its hash seed, time zone and locale."""
    environment = os.environ | {
        "PYTHONHASHSEED": seed,
        "TZ": zone,
        "LC_ALL": locale,
        "PYTHONPATH": str(ROOT),
    }
    subprocess.run([sys.executable, "-c", BUILD, str(spec), str(output)], env=environment, check=True)
    return {
        path.relative_to(output).as_posix(): path.read_bytes() for path in output.rglob("*") if path.is_file()
    }


@pytest.mark.slow
def test_bytes_over_seeds_zones_and_locales(tmp_path: Path) -> None:
    """Three hash seeds, two time zones and two locales: twelve builds, one result."""
    spec = write_example(tmp_path)
    settings = product(("0", "1", "12345"), ("UTC", "America/St_Johns"), ("C", "de_DE.UTF-8"))
    results = [built(spec, tmp_path / str(i), *setting) for i, setting in enumerate(settings)]
    assert all(result == results[0] for result in results)


@pytest.mark.slow
def test_ten_thousand_groups_fit_on_forty_pages(tmp_path: Path) -> None:
    """A large population does not make a large document."""
    data = large_report(tmp_path, 10_000).document.pdf(ATTACHMENTS)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert len(pdf.pages) < 40
