"""Spreadsheets: they hold what the report prints, cell by cell, by the list of accessible spreadsheets, in stable bytes."""

import csv
import io
import shutil
import subprocess
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import get_args

import odfdo
import openpyxl
import pytest

from atreport.errors import MissingLibrary
from atreport.export.files import public_files
from atreport.export.spreadsheets import sheet_files
from atreport.export.workbook import Sheet, make_table, printed, workbook_of
from atreport.report.fairness import NotAssessed, NotAssessedReason
from atreport.report.model import Report
from tests.assessing import CASES as EVERY_CASE
from tests.assessing import report_case, report_of
from tests.example import example_spec

QUICK = ("credit_card", "random 8")
CASES = [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in EVERY_CASE]
KINDS = ["ods", "xlsx"]


@cache
def made(name: str) -> dict[str, bytes]:
    """Both spreadsheets of a report."""
    return sheet_files(report_case(name), KINDS)


def shown(sheet: Sheet) -> list[list[str]]:
    """The rows of a sheet as texts."""
    return [[printed(entry) for entry in row] for row in sheet.rows]


@pytest.mark.parametrize("name", CASES)
def test_other_programs_read_what_the_report_gives(name: str) -> None:
    """Each cell has its value and its type; numbers are numbers."""
    book = workbook_of(report_case(name))
    excel = openpyxl.load_workbook(io.BytesIO(made(name)["report.xlsx"]))
    open_document = odfdo.Document(io.BytesIO(made(name)["report.ods"])).body.get_tables()
    assert excel.sheetnames == [sheet.name for sheet in book.sheets] == [t.name for t in open_document]
    for sheet, table in zip(book.sheets, open_document, strict=True):
        right = [[_plain(entry) for entry in row] for row in sheet.rows]
        rows = [
            [_plain(cell.value) for cell in row if cell.value is not None]
            for row in excel[sheet.name].iter_rows()
        ]
        assert rows == right
        assert [[_plain(value) for value in row if value is not None] for row in table.iter_values()] == [
            [f"[{e}](#{e}.A1)" if sheet.names_sheets and n > 2 and c == 0 else e for c, e in enumerate(row)]
            for n, row in enumerate(right)
        ]


def _plain(value: object) -> object:
    return float(value) if isinstance(value, int | float | Decimal) else str(value)


@pytest.mark.parametrize("name", CASES)
def test_the_list_of_accessible_spreadsheets(name: str) -> None:
    """Titles in A1, one table a sheet with one heading row of distinct names, no empty cell, nothing merged or hidden."""
    book = workbook_of(report_case(name))
    excel = openpyxl.load_workbook(io.BytesIO(made(name)["report.xlsx"]))
    assert excel.sheetnames[:3] == ["Cover", "Contents", "Notes"]
    for sheet in book.sheets:
        found = excel[sheet.name]
        assert found.sheet_state == "visible"
        assert not found.merged_cells.ranges
        assert found.auto_filter.ref is None
        assert found.freeze_panes is None
        assert not any(
            size.hidden for size in (*found.row_dimensions.values(), *found.column_dimensions.values())
        )
        assert len(found.tables) == (sheet.table is not None)
        assert all(line.strip() for line in sheet.lines)
        if sheet.table is not None:
            assert all(
                str(entry).strip() for row in (sheet.table.heading, *sheet.table.rows) for entry in row
            )
            assert {len(row) for row in sheet.table.rows} == {len(sheet.table.heading)}
            assert len({title.casefold() for title in sheet.table.heading}) == len(sheet.table.heading)
    listed = next(sheet for sheet in book.sheets if sheet.names_sheets).table
    assert listed is not None
    assert [row[0] for row in listed.rows] == excel.sheetnames[2:]


def test_numbers_are_shown_with_their_printed_decimals() -> None:
    """And never as percentages."""
    report = report_case("credit_card")
    sheet = openpyxl.load_workbook(io.BytesIO(made("credit_card")["report.xlsx"]))["Fairness"]
    formats = {
        cell.number_format for row in sheet.iter_rows() for cell in row if isinstance(cell.value, float)
    }
    assert formats <= {f"0.{'0' * report.policy.decimals}", "0.0"}


def test_the_bytes_are_stable_and_listed() -> None:
    """They are the same each time, and the checksums and the catalogue name them; by default there are none."""
    report = report_case("credit_card")
    files = public_files(report, ["json", *KINDS])
    assert sheet_files(report, KINDS) == made("credit_card")
    for name in ("report.ods", "report.xlsx"):
        assert f"  {name}\n".encode() in files["SHA256SUMS"]
        assert name.encode() in files["dcat.jsonld"]
    assert not {"report.ods", "report.xlsx"} & public_files(report, ["json"]).keys()


def test_texts_are_never_formulas() -> None:
    """Whatever a value is called, with spaces in a row too."""
    edits = ("<100k", "=1+1"), ("<100k", "=1+1"), ("<100k", "=1+1"), (">200k", "+a  b")
    report = report_of(example_spec(*edits, (">200k", "+a  b"), (">200k", "+a  b")))
    excel = openpyxl.load_workbook(io.BytesIO(sheet_files(report, KINDS)["report.xlsx"]))
    cells = [cell for sheet in excel for row in sheet.iter_rows() for cell in row]
    assert {"=1+1", "+a  b"} <= {cell.value for cell in cells}
    assert "f" not in {cell.data_type for cell in cells if cell.value != "=1+1"}
    ods = odfdo.Document(io.BytesIO(sheet_files(report, KINDS)["report.ods"]))
    assert b"formula" not in ods.content.serialize()


def test_columns_have_names_of_their_own_and_long_numbers_stay_whole() -> None:
    """Spreadsheets take no name twice, and calculate with 15 digits."""
    long = Decimal("0.12345678901234567")
    table = make_table("T", [[("a", 1), ("A", Decimal("0.10")), ("b" * 300, long), ("b" * 300, "x")]])
    assert table.heading[:2] == ("a", "A (2)")
    assert len(set(table.heading)) == 4
    assert table.rows == ((1, Decimal("0.10"), "0.12345678901234567", "x"),)


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the extra that brings it."""
    monkeypatch.setitem(__import__("sys").modules, "xlsxwriter", None)
    with pytest.raises(MissingLibrary, match=r"xlsxwriter.*\n.*atreport\[spreadsheets\]"):
        sheet_files(report_case("credit_card"), ["xlsx"])


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["credit_card", "ll144_hiring", "random 8"])
def test_libreoffice_reads_the_same_values(name: str, kind: str, tmp_path: Path) -> None:
    """It opens the file without a screen and writes every sheet as CSV: what is shown is what is printed."""
    office = shutil.which("soffice")
    if office is None:
        pytest.skip("LibreOffice is not installed (apt-get install libreoffice-calc)")
    (tmp_path / f"report.{kind}").write_bytes(made(name)[f"report.{kind}"])
    as_csv = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,-1"
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    command = [office, "--headless", profile, "--convert-to", as_csv, "--outdir", str(tmp_path)]
    subprocess.run([*command, str(tmp_path / f"report.{kind}")], check=True, capture_output=True, timeout=300)
    for sheet in workbook_of(report_case(name)).sheets:
        found = (tmp_path / f"report-{sheet.name}.csv").read_text(encoding="utf-8")
        assert [*_filled(found)] == shown(sheet)


def _filled(text: str) -> Iterator[list[str]]:
    """Rows of a CSV file without what fills them up at the right."""
    for row in csv.reader(io.StringIO(text)):
        while row and row[-1] == "":
            row.pop()
        yield row


def test_a_report_without_what_tables_need_has_fewer_sheets() -> None:
    """A table without a row has no sheet."""
    report: Report = report_case("credit_card")
    bare = report.model_copy(update={"fairness": (), "influence": (), "notes": ()})
    names = [sheet.name for sheet in workbook_of(bare).sheets]
    assert not {"Fairness", "Group_rates", "Influence"} & {*names}
    assert sheet_files(bare, KINDS).keys() == {"report.ods", "report.xlsx"}


@pytest.mark.parametrize("why", [{}, *({"reason": each} for each in get_args(NotAssessedReason))])
def test_a_comparison_that_could_not_be_made_is_on_its_sheet(why: dict[str, str]) -> None:
    """A build with spreadsheets ended in a KeyError where somebody of a group is left out of the report."""
    report = report_of(example_spec())
    stated = {"measure": "statistical_parity", "groups": ("F", "M"), "given": {"income": ">200k"}, **why}
    asked = NotAssessed.model_validate(stated)
    book = workbook_of(report.model_copy(update={"not_assessed": (asked,)}))
    (sheet,) = (each for each in book.sheets if each.name == "Not_assessed")
    _, first, second, among, told = shown(sheet)[-1]
    assert (first, second) == ("F", "M")
    assert ">200k" in among
    assert told
