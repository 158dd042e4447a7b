"""Spreadsheets in other languages: every word can be translated, and every translation fits into a spreadsheet."""

import re

import pytest

from atreport.export.workbook import MARKS, Workbook, workbook_of
from atreport.pages.layout import paragraphs
from atreport.report.model import Report
from atreport.text.language import LANGUAGES, use_locale
from tests.assessing import report_case
from tests.pseudo import pseudo_language, publisher_texts, untold_words

EXPLAINED = ("credit_card_full", "berkeley_admissions", "housing_records")
NO_SHEET_NAME = re.compile(r"[\[\]:*?/\\]")
"""Signs that Excel refuses in the name of a sheet, of which it takes 31 letters."""


def texts_of(book: Workbook) -> set[str]:
    """Everything that is written on the sheets, but for numbers and marks."""
    entries = {entry for sheet in book.sheets for row in (*sheet.rows, (sheet.name,)) for entry in row}
    return {entry for entry in entries if isinstance(entry, str) and entry not in MARKS}


def of_others(report: Report) -> frozenset[str]:
    """The publisher's words, and those of sections and measures, which have tests of their own."""
    plain = publisher_texts(report)
    return plain | {text for note in report.notes for text in (note.title, *paragraphs(note.text))}


def without_measures(report: Report) -> Report:
    """The report without figures that other parts of the program name."""
    return report.model_copy(update={"fairness": (), "not_assessed": None})


@pytest.mark.parametrize("name", EXPLAINED)
def test_every_word_of_a_sheet_can_be_translated(name: str) -> None:
    """Names of sheets, headings, lines above tables and entries are messages or the publisher's."""
    report = without_measures(report_case(name))
    with pseudo_language():
        texts = texts_of(workbook_of(report))
    untold = {text: words for text in texts if (words := untold_words(text, of_others(report)))}
    assert untold == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_sheets_are_taken_in_every_language(language: str) -> None:
    """Short enough, without the signs that Excel refuses, and each once."""
    with use_locale(language):
        book = workbook_of(report_case("credit_card_full"))
    names = [sheet.name for sheet in book.sheets]
    assert len({name.casefold() for name in names}) == len(names)
    assert not [name for name in names if len(name) > 31 or NO_SHEET_NAME.search(name)]


def test_numbers_are_numbers_in_every_language() -> None:
    """Figures are stored as they are, whatever signs a language writes: a spreadsheet calculates with them."""
    report, found = report_case("credit_card_full"), []
    for language in ("en", "fr"):
        with use_locale(language):
            rows = [row for sheet in workbook_of(report).sheets for row in sheet.rows]
        found.append([entry for row in rows for entry in row if not isinstance(entry, str)])
    assert found[0]
    assert found[0] == found[1]
