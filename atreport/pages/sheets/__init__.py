"""The tables of a report as accessible spreadsheets: report.ods and report.xlsx, where they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from atreport.pages.sheets.content import workbook_of
from atreport.pages.sheets.ods import ods_bytes
from atreport.pages.sheets.workbook import Workbook
from atreport.pages.sheets.xlsx import xlsx_bytes
from atreport.report.model import Report

SHEET_FILES: Mapping[str, Callable[[Workbook], bytes]] = {
    "report.ods": ods_bytes,
    "report.xlsx": xlsx_bytes,
}
"""What makes each spreadsheet."""


def sheet_files(report: Report, formats: Collection[str]) -> dict[str, bytes]:
    """The spreadsheets that are asked for, by their names. Raises MissingLibrary where the extra is not installed."""
    wanted = [name for name in SHEET_FILES if name.removeprefix("report.") in formats]
    if not wanted:
        return {}
    book = workbook_of(report)
    return {name: SHEET_FILES[name](book) for name in wanted}
