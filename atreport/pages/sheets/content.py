"""All sheets of a report: cover, contents, notes and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from atreport.kit.language import say, say_in
from atreport.kit.numbers import long_date
from atreport.pages.cover import paragraphs
from atreport.pages.sheets.tables import table_sheets
from atreport.pages.sheets.workbook import MOST_CHARACTERS, Sheet, Workbook, make_table
from atreport.publication.notes import is_only_rounded, is_unchanged
from atreport.report.model import Note, Report


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
        say("Published by: {publisher}", publisher=info.publisher),
        say("Version {version}, {date}.", version=info.version, date=long_date(info.date)),
        *([say("Contact: {contact}", contact=info.contact)] if info.contact else []),
        *([say("Published at: {address}", address=info.url)] if info.url else []),
        *([say("Licence: {licence}", licence=info.licence)] if info.licence else []),
        *([say("Identifier: {identifier}", identifier=report.identifier)] if report.identifier else []),
        say(
            "This workbook holds the figures of the algorithmic transparency report on: {process}.",
            process=report.process.name,
        ),
        *paragraphs(info.summary),
        _closeness(report),
        say(
            "Every figure is the one that is printed in the report. Rates, shares and probabilities are between 0 and 1."
        ),
        say("Cells without a figure hold a mark in square brackets, which is explained above the table."),
        say(
            "The figures can be checked with the program atreport and the file report.json, which is published beside "
            "this one."
        ),
    ]
    pieces = [piece for line in lines for piece in _pieces(line)]
    return Sheet(name=say_in("worksheet", "Cover"), lines=tuple(pieces), wraps=True)


def _closeness(report: Report) -> str:
    """Whether the announced rule is the true one, and where readers find more."""
    sheet = say_in("worksheet", "Notes")
    if is_unchanged(report.policy.fidelity):
        return say("The announced rule is the true one. The worksheet {notes} says more.", notes=sheet)
    if is_only_rounded(report):
        return say(
            "The announced rule is the true one, rounded. The worksheet {notes} says more.", notes=sheet
        )
    return say(
        "The announced rule is close to the true one, but not equal to it. The worksheet {notes} says how close, and why.",
        notes=sheet,
    )


def _contents(sheets: Sequence[Sheet]) -> Sheet:
    rows = [(sheet.name, sheet.lines[0]) for sheet in sheets]
    return Sheet(
        name=say_in("worksheet", "Contents"),
        lines=(
            say("Contents"),
            say("This worksheet contains one table. It lists the worksheets, with links to them."),
        ),
        table=make_table("Contents", [say("Worksheet"), say("What it holds")], rows),
        names_sheets=True,
    )


def _notes(notes: Sequence[Note]) -> Sheet:
    rows = list(_note_rows(notes))
    table = make_table("Notes", [say("Note number"), say("Title"), say("Text")], rows) if rows else None
    about = say("This worksheet contains one table.") if rows else say("This report has no notes.")
    return Sheet(name=say_in("worksheet", "Notes"), lines=(say("Notes"), about), table=table)


def _note_rows(notes: Sequence[Note]) -> Iterator[tuple[str, str, str]]:
    """Each paragraph is a row of its own, so that no cell is longer than a screen."""
    for number, note in enumerate(notes, start=1):
        for paragraph in paragraphs(note.text) or ("[z]",):
            for piece in _pieces(paragraph):
                yield say("note {number}", number=number), note.title, piece


def _pieces(text: str) -> Iterator[str]:
    """A text in pieces that fit into a cell."""
    for start in range(0, len(text), MOST_CHARACTERS):
        yield text[start : start + MOST_CHARACTERS]
