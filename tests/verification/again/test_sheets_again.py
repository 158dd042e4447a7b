"""No forged spreadsheet is accepted: cells, sheets, formulas, links, what is hidden, what is packed beside."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path

import pytest

from atreport import verify
from atreport.kit.language.spoken import speaking
from atreport.pages.files import public_files
from atreport.pages.sheets import sheet_files
from atreport.pages.sheets.content import workbook_of
from atreport.pages.sheets.packing import pack, unpack
from atreport.pages.sheets.workbook import Workbook
from atreport.report.model import Report
from atreport.verification.again import sheets
from atreport.verification.again.sheets import compare_sheets
from tests.assessing import report_of
from tests.catalogues import restated
from tests.english import english_words, own_words
from tests.example import example_spec

Parts = dict[str, bytes]
ODS, XLSX = "report.ods", "report.xlsx"
SHEET = "xl/worksheets/sheet4.xml"
STRINGS = "xl/sharedStrings.xml"


@cache
def report() -> Report:
    """The example."""
    return report_of(example_spec())


@cache
def honest(name: str) -> bytes:
    """One of its spreadsheets."""
    return sheet_files(report(), ["ods", "xlsx"])[name]


@pytest.fixture(autouse=True)
def made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A comparison makes the file again; here it is made once for all."""
    made = {name: (lambda _book, name=name: honest(name)) for name in (ODS, XLSX)}
    monkeypatch.setattr(sheets, "SHEET_FILES", made)
    monkeypatch.setattr(sheets, "workbook_of", lambda report: sheets_of(report.identifier))


@cache
def sheets_of(_identifier: str) -> Workbook:
    """The sheets of the example."""
    return workbook_of(report())


def in_the_name_of_others(parts: Parts) -> Parts:
    """The file as another version of the library makes it, as it says."""
    edits = {"meta.xml": (b">odfdo ", b">odfdo 9."), "docProps/core.xml": (b"XlsxWriter ", b"XlsxWriter 9.")}
    return {name: content.replace(*edits.get(name, (b"", b""))) if name in edits else content for name, content in parts.items()}  # fmt: skip


def edited(part: str, pattern: str, new: str, place: int = 0) -> Callable[[Parts], Parts]:
    """Another text at the place-th match of a pattern in a part."""

    def edit(parts: Parts) -> Parts:
        text = parts[part].decode()
        every = [*re.finditer(pattern, text)]
        assert len(every) > place, (part, pattern, place)
        found = every[place]
        assert found.expand(new) != found[0]
        return {**parts, part: (text[: found.start()] + found.expand(new) + text[found.end() :]).encode()}

    return edit


def _of_cells() -> Iterator[tuple[str, str, Callable[[Parts], Parts]]]:
    """A digit or a word changed in forty cells of each file."""
    for place in range(0, 40, 2):
        value = r'office:value="[0-9.]+"><text:p>[0-9.]+</text:p>'
        yield (
            ODS,
            f"number {place}",
            edited("content.xml", value, 'office:value="7"><text:p>7</text:p>', place),
        )
        yield (
            ODS,
            f"shown {place}",
            edited("content.xml", r"<text:p>[0-9]\.[0-9]+</text:p>", "<text:p>0.7</text:p>", place),
        )
        yield ODS, f"text {place}", edited("content.xml", r"<text:p>([A-Z][a-z])", r"<text:p>Not \1", place)
        yield XLSX, f"text {place}", edited(STRINGS, r"<t>([A-Z\[][a-z])", r"<t>Not \1", place // 2)
    for place in range(18):
        yield (
            XLSX,
            f"number {place}",
            edited(SHEET, r'(<c r="[C-E][0-9]+" s="[0-9]+"><v>)[0-9.]+', r"\g<1>0.77", place),
        )


_CELL = r"<table:table-cell "
OF_PARTS: list[tuple[str, str, Callable[[Parts], Parts]]] = [
    (ODS, "formula", edited("content.xml", _CELL, '<table:table-cell table:formula="of:=1" ', 40)),
    (ODS, "merged", edited("content.xml", _CELL, '<table:table-cell table:number-columns-spanned="2" ', 40)),
    (ODS, "repeated", edited("content.xml", _CELL, '<table:table-cell table:number-columns-repeated="2" ', 40)),
    (ODS, "comment", edited("content.xml", "<text:p>F</text:p>", "<office:annotation><text:p>No</text:p></office:annotation><text:p>F</text:p>")),
    (ODS, "two texts in a cell", edited("content.xml", "<text:p>F</text:p>", "<text:p>F</text:p><text:p>Audited</text:p>")),
    (ODS, "no text in a cell", edited("content.xml", "<text:p>F</text:p>", "")),
    (ODS, "a cell of another kind", edited("content.xml", r"<table:table-cell [^>]*>(<text:p>F</text:p>)</table:table-cell>", r"<table:table-row>\1</table:table-row>")),
    (ODS, "words behind a text", edited("content.xml", "<text:p>F</text:p>", "<text:p>F</text:p>Audited")),
    (ODS, "words in a row", edited("content.xml", "<table:table-row>", "<table:table-row>Audited", 9)),
    (ODS, "spaces in a text", edited("content.xml", "<text:p>F</text:p>", '<text:p>F<text:s text:c="9"/></text:p>')),
    (ODS, "words behind a link", edited("content.xml", "</text:a>", "</text:a>Audited", 1)),
    (ODS, "shown of no style", edited("content.xml", r'(<table:table-cell [^>]*table:style-name=")[^"]+("[^>]*office:value=)', r"\1none\2", 2)),
    (ODS, "hidden row", edited("content.xml", "<table:table-row>", '<table:table-row table:visibility="collapse">', 20)),
    (ODS, "hidden column", edited("content.xml", "<table:table-column ", '<table:table-column table:visibility="collapse" ', 3)),
    (ODS, "narrow column", edited("content.xml", 'column-width="[0-9.]+cm"', 'column-width="0.01cm"', 5)),
    (ODS, "number format", edited("content.xml", 'number:decimal-places="4"', 'number:decimal-places="1"')),
    (ODS, "words in a format", edited("content.xml", "(<number:number [^>]*/>)", r"\1<number:text>9</number:text>")),
    (ODS, "a row less", edited("content.xml", "<table:table-row>.*?</table:table-row>", "", 12)),
    (ODS, "a row more", edited("content.xml", "(<table:table-row>.*?</table:table-row>)", r"\1\1", 12)),
    (ODS, "a sheet more", edited("content.xml", "<table:database-ranges>", '<table:table table:name="More"/><table:database-ranges>')),
    (ODS, "a sheet renamed", edited("content.xml", 'table:name="Rule"', 'table:name="Rules"')),
    (ODS, "link", edited("content.xml", 'xlink:href="#Rule.A1"', 'xlink:href="https://example.org/"')),
    (ODS, "range", edited("content.xml", "Rule.A4:", "Rule.A5:")),
    (ODS, "script", edited("content.xml", "<office:body>", '<office:scripts><office:script script:language="ooo:Basic"/></office:scripts><office:body>')),
    (ODS, "XML comment", edited("content.xml", "<office:body>", "<!-- all true --><office:body>")),
    (ODS, "entity", edited("content.xml", "<office:document-content", '<!DOCTYPE x [<!ENTITY a "b">]><office:document-content')),
    (ODS, "loose words", edited("content.xml", "</table:table-row>", "</table:table-row>Audited", 9)),
    (ODS, "text as number", edited("content.xml", 'office:value-type="float" office:value="[0-9.]+"', 'office:value-type="string"', 3)),
    (ODS, "title", edited("meta.xml", "<dc:title>[^<]+", "<dc:title>Other")),
    (ODS, "page header", edited("styles.xml", "<office:master-styles>", "<office:master-styles><style:header/>")),
    (ODS, "macro", lambda parts: {**parts, "Basic/Standard/script-lb.xml": b"<x/>"}),
    (ODS, "no meta", lambda parts: {name: content for name, content in parts.items() if name != "meta.xml"}),
    (ODS, "not XML", lambda parts: {**parts, "content.xml": b"\xff\xfe<"}),
    (XLSX, "formula", edited(SHEET, r"(<c r=\"D5\"[^>]*>)<v>", r"\1<f>1+1</f><v>")),
    (XLSX, "inline text", edited(SHEET, r"<c r=\"D5\" s=\"[0-9]+\"><v>[^<]+</v>", r'<c r="D5" t="inlineStr"><is><t>x</t></is>')),
    (XLSX, "merged", edited(SHEET, "<pageMargins", '<mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells><pageMargins')),
    (XLSX, "words in a row", edited(SHEET, r'(<row r="6"[^>]*>)', r"\1Audited")),
    (XLSX, "words in a sheet", edited(SHEET, "<sheetData>", "<sheetData>Audited")),
    (XLSX, "words in a style", edited("xl/styles.xml", "(<fonts[^>]*>)", r"\1Audited")),
    (XLSX, "words in a cell", edited(SHEET, r"(<c r=\"D5\"[^>]*>)<v>", r"\1Audited<v>")),
    (XLSX, "a row left out", edited(SHEET, r'<row r="6".*?</row>', "")),
    (XLSX, "rows from another place on", edited(SHEET, r'<row r="1"', '<row r="2"')),
    (XLSX, "a cell less", edited(SHEET, r'<c r="B6".*?</c>', "")),
    (XLSX, "table of another name", edited("xl/tables/table3.xml", 'displayName="', 'displayName="X')),
    (XLSX, "table of another sheet", edited("xl/worksheets/_rels/sheet4.xml.rels", "table3", "table2")),
    (XLSX, "text of no number", edited(SHEET, r'(<c r="A5"[^>]*t="s"><v>)[0-9]+', r"\g<1>99999")),
    (XLSX, "style of no number", edited(SHEET, r'(<c r="D5" s=")[0-9]+', r"\g<1>999")),
    (XLSX, "number as text", edited(SHEET, r'<c r="D5" s="[0-9]+"', '<c r="D5" t="s"')),
    (XLSX, "text shown as a number", edited(SHEET, r'<c r="A5" ', '<c r="A5" s="3" ')),
    (XLSX, "another number of sheets", edited("docProps/app.xml", "<vt:i4>[0-9]+", "<vt:i4>77")),
    (XLSX, "hidden row", edited(SHEET, r'<row r="6"', r'<row r="6" hidden="1"')),
    (XLSX, "flat row", edited(SHEET, r'(<row r="6"[^>]*) ht="[0-9.]+"', r'\1 ht="0"')),
    (XLSX, "hidden column", edited(SHEET, r'<col min="2"', r'<col hidden="1" min="2"')),
    (XLSX, "narrow column", edited(SHEET, r'width="[0-9.]+"', r'width="0.1"')),
    (XLSX, "hidden sheet", edited("xl/workbook.xml", '<sheet name="Rule"', '<sheet state="hidden" name="Rule"')),
    (XLSX, "renamed sheet", edited("xl/workbook.xml", '<sheet name="Rule"', '<sheet name="Rules"')),
    (XLSX, "swapped sheets", edited("xl/workbook.xml", r'r:id="rId4"(.*)r:id="rId5"', r'r:id="rId5"\1r:id="rId4"')),
    (XLSX, "defined name", edited("xl/workbook.xml", "<calcPr", '<definedNames><definedName name="a">1</definedName></definedNames><calcPr')),
    (XLSX, "link", edited("xl/worksheets/sheet2.xml", 'location="Rule!A1"', 'location="Notes!A1"')),
    (XLSX, "validation", edited(SHEET, "<pageMargins", "<dataValidations/><pageMargins")),
    (XLSX, "conditional format", edited(SHEET, "<pageMargins", "<conditionalFormatting/><pageMargins")),
    (XLSX, "number format", edited("xl/styles.xml", 'formatCode="0.0000"', 'formatCode="&quot;0.9&quot;"')),
    (XLSX, "fewer decimals", edited("xl/styles.xml", 'formatCode="0.0000"', 'formatCode="0.0"')),
    (XLSX, "table elsewhere", edited("xl/tables/table3.xml", r'ref="A4:', 'ref="A5:')),
    (XLSX, "column of a table", edited("xl/tables/table3.xml", 'name="Gender"', 'name="Sex"')),
    (XLSX, "rich text", edited(STRINGS, "<si><t>([^<]+)</t>", r"<si><r><t>\1</t></r>", 4)),
    (XLSX, "outside", edited("xl/_rels/workbook.xml.rels", "</Relationships>", '<Relationship Id="rId99" Type="x/externalLink" Target="https://example.org" TargetMode="External"/></Relationships>')),
    (XLSX, "title", edited("docProps/core.xml", "<dc:title>[^<]+", "<dc:title>Other")),
    (XLSX, "company", edited("docProps/app.xml", "<Company>", "<Company>Auditors")),
    (XLSX, "macro", lambda parts: {**parts, "xl/vbaProject.bin": b"x"}),
    (XLSX, "comment", lambda parts: {**parts, "xl/comments1.xml": b"<x/>"}),
    (XLSX, "no strings", lambda parts: {**parts, STRINGS: b"<sst/>"}),
]  # fmt: skip
FORGERIES = [*_of_cells(), *OF_PARTS]


def test_there_are_many_forgeries() -> None:
    """More than a hundred, of both kinds of file."""
    assert len(FORGERIES) > 140


@pytest.mark.parametrize("others", [pytest.param(False, marks=pytest.mark.slow), True])
def test_no_forgery_is_accepted(others: bool) -> None:
    """Each is found, also in the name of another version of the library: then by reading every cell."""
    accepted = []
    for name, what, forge in FORGERIES:
        parts = unpack(honest(name))
        parts = in_the_name_of_others(parts) if others else parts
        found = compare_sheets(name, pack(forge(parts)), report())
        if not found.findings or not all(finding.startswith(name) for finding in found.findings):
            accepted.append((name, what))
    assert not accepted


@pytest.mark.parametrize("code", ["fr", "de", "nl"])
def test_forgeries_are_told_in_the_language_that_is_spoken(code: str) -> None:
    """Every kind of forgery, one cell of each file included; sheets have the names that the report gives them."""
    own = [*own_words(report()), *(sheet.name for sheet in sheets_of("").sheets)]
    for name, what, forge in [*FORGERIES[:2], *OF_PARTS]:
        forged = pack(in_the_name_of_others(forge(unpack(honest(name)))))
        with speaking(code):
            (finding, *_) = compare_sheets(name, forged, report()).findings
        assert english_words(finding, code, own) == [], what


@pytest.mark.parametrize("name", [ODS, XLSX])
def test_files_packed_otherwise_are_not_accepted(name: str) -> None:
    """Compressed, cut off, with bytes before or behind or between, with a remark, larger than it can be."""
    content = honest(name)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, text in unpack(content).items():
            archive.writestr(part, text)
        archive.comment = b"Audited"
    wrong = [
        target.getvalue(),
        content[:-5],
        content + b"x",
        b"x" + content,
        b"",
        b"PK",
        content + b" " * 50_000_000,
    ]
    for forged in wrong:
        assert compare_sheets(name, forged, report()).findings


@pytest.mark.parametrize("name", [ODS, XLSX])
def test_another_version_is_checked_cell_by_cell_and_said_so(name: str) -> None:
    """An honest file of another version is not accused; only how it looks is left open."""
    others = pack(in_the_name_of_others(unpack(honest(name))))
    found = compare_sheets(name, others, report())
    assert not found.findings
    assert [missed.part for missed in found.not_checked] == ["sheets"]


def test_verify_checks_spreadsheets(tmp_path: Path) -> None:
    """An honest folder passes; a forged cell, all checksums made to match, does not."""
    files = public_files(report(), ["json", "ods", "xlsx"])
    edit = edited("content.xml", "<text:p>F</text:p>", "<text:p>M</text:p>")
    forged = restated({**files, ODS: pack(edit(unpack(files[ODS])))})
    for folder, content in (("honest", files), ("forged", forged)):
        (tmp_path / folder).mkdir()
        for name, text in content.items():
            (tmp_path / folder / name).write_bytes(text)
    assert verify(tmp_path / "honest").passed
    findings = verify(tmp_path / "forged").findings
    assert any(finding.startswith("report.ods: ") and "says “M”" in finding for finding in findings), findings


def test_the_first_cell_that_differs_is_told_or_all_of_a_longer_row() -> None:
    """A number is no text, and 0.30 is not 0.3; of rows that are alike as far as both go, the longer one is seen."""
    first = sheets._first_difference
    assert first(("a", 1, "c"), ("a", 2, "d")) == ((1,), (2,))
    assert first(("a", "1"), ("a", 1)) == (("1",), (1,))
    assert first((Decimal("0.30"),), (Decimal("0.3"),)) == ((Decimal("0.30"),), (Decimal("0.3"),))
    assert first(("a",), ("a", "b")) == (("a",), ("a", "b"))
    assert first(("a", "b", "c"), ("a", "b")) == (("a", "b", "c"), ("a", "b"))
    assert first(("x", "b", "c"), ("a", "b")) == (("x",), ("a",))
