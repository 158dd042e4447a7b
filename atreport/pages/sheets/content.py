"""All sheets of a report: cover, contents, notes and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from atreport.kit.numbers import long_date
from atreport.pages.cover import paragraphs
from atreport.pages.sheets.tables import table_sheets
from atreport.pages.sheets.workbook import MOST_CHARACTERS, Sheet, Workbook, make_table
from atreport.report.model import Note, Report

_NO_NOTES = "This report has no notes."


def workbook_of(report: Report) -> Workbook:
    """The sheets of a report: a function of the report alone."""
    notes, tables = _notes(report.notes), list(table_sheets(report))
    info = report.report
    return Workbook(
        title=info.title,
        publisher=info.publisher,
        date=info.date,
        language=info.language,
        sheets=(_cover(report), _contents([notes, *tables]), notes, *tables),
    )


def _cover(report: Report) -> Sheet:
    info = report.report
    lines = [
        info.title,
        f"Published by {info.publisher}.",
        f"Version {info.version}, {long_date(info.date)}.",
        *([f"Contact: {info.contact}"] if info.contact else []),
        *([f"Published at: {info.url}"] if info.url else []),
        *([f"Licence: {info.licence}"] if info.licence else []),
        *([f"Identifier: {report.identifier}"] if report.identifier else []),
        f"This workbook holds the figures of the algorithmic transparency report on: {report.process.name}.",
        *paragraphs(info.summary),
        "The announced rule is close to the true one, not equal to it. The worksheet Notes says how close, and why.",
        "Every figure is the one that is printed in the report. Rates, shares and probabilities are between 0 and 1.",
        "Cells without a figure hold a mark in square brackets, which is explained above the table.",
        "The figures can be checked with the program atreport and the file report.json, published beside this one.",
    ]
    pieces = [piece for line in lines for piece in _pieces(line)]
    return Sheet(name="Cover", lines=tuple(pieces), wraps=True)


def _contents(sheets: Sequence[Sheet]) -> Sheet:
    rows = [(sheet.name, sheet.lines[0]) for sheet in sheets]
    return Sheet(
        name="Contents",
        lines=("Contents", "This worksheet contains one table. It lists the worksheets, with links to them."),
        table=make_table("Contents", ["Worksheet", "What it holds"], rows),
        names_sheets=True,
    )


def _notes(notes: Sequence[Note]) -> Sheet:
    rows = list(_note_rows(notes))
    table = make_table("Notes", ["Note number", "Title", "Text"], rows) if rows else None
    about = "This worksheet contains one table." if rows else _NO_NOTES
    return Sheet(name="Notes", lines=("Notes", about), table=table)


def _note_rows(notes: Sequence[Note]) -> Iterator[tuple[str, str, str]]:
    """Each paragraph is a row of its own, so that no cell is longer than a screen."""
    for number, note in enumerate(notes, start=1):
        for paragraph in paragraphs(note.text) or ("[z]",):
            for piece in _pieces(paragraph):
                yield f"note {number}", note.title, piece


def _pieces(text: str) -> Iterator[str]:
    """A text in pieces that fit into a cell."""
    for start in range(0, len(text), MOST_CHARACTERS):
        yield text[start : start + MOST_CHARACTERS]
