"""Forms and letters can be said in any language: every word of theirs that is not the publisher's is a message."""

import datetime as dt
import re
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from atreport.forms import FORMS
from atreport.pages.documents import lay_out, letter_html
from atreport.pages.forms import form_context, form_files
from atreport.pages.forms.form_context import FormContext, ShownSection
from atreport.pages.layout import paragraphs
from atreport.pages.letter_details import LetterDetails
from atreport.pages.notices import compose_letter, kinds, letters, standing_texts
from atreport.pages.wording import VERDICTS
from atreport.report.model import Report
from atreport.text.language import use_locale
from atreport.text.numbers import long_date
from tests.assessing import report_case
from tests.forms import FORM_SPECS
from tests.pseudo import pseudo_language, publisher_texts, untold_words

DOCUMENTS = [name for name, form in FORMS.items() if not form.stands_in_the_report]
FROM_THE_REPORT = {"rules", "measures", "rates", "error-rates"}
"""Tables that stand in the standard report too, and are looked at there."""


@contextmanager
def somewhere_else() -> Iterator[None]:
    """A language that is neither English, Dutch nor French, in which every message stands in brackets."""
    # Of another room, which has tests of its own.
    from_elsewhere = patch("atreport.pages.forms.form_context.distance_sentence", lambda _fidelity: "")
    with pseudo_language(), use_locale("de"), from_elsewhere:
        yield


def german(report: Report) -> Report:
    """A report that says that it is in German."""
    return report.model_copy(update={"report": report.report.model_copy(update={"language": "de"})})


def of_form(template: str) -> Report:
    """The example report of a form, in German."""
    return german(report_case(FORM_SPECS[template].stem))


def texts_of(section: ShownSection) -> Iterator[str]:
    """The texts of one section; names that a standard gives in its own language are marked with it, and left out."""
    in_its_language = section.language == "nl" or section.id == "ecoa"
    yield section.also
    if not in_its_language:
        yield from (*section.text, "" if section.title_language else section.title)
    for field in section.fields if section.id != "notes" else ():
        yield field.also
        if not in_its_language:
            yield from (*field.text, "" if field.label_language else field.label)
    for each in section.tables:
        if each.table.id.removesuffix("-fr").removesuffix("-en") not in FROM_THE_REPORT:
            yield from (each.table.caption, *(column.heading for column in each.table.columns), *each.remarks)
            yield from (cell.text for row in each.table.rows for cell in row)


def written_out(text: str) -> Iterator[str]:
    """A date in words, in every language that a form speaks; nothing for another text."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        for language in ("de", "en", "fr"):
            with use_locale(language):
                yield long_date(dt.date.fromisoformat(text))


def untold(report: Report, context: FormContext) -> list[str]:
    """The texts of a form or a letter that are neither messages nor the publisher's."""
    own = {part for text in publisher_texts(report) for part in (text, *paragraphs(text))}
    own |= {word for word, _ in VERDICTS.values()}  # of another room, which has tests of its own
    own |= {day for text in own for day in written_out(text)}
    said = (
        context.cover.title,
        context.subtitle,
        context.law,
        *context.notice,
        *(text for section in context.sections for text in texts_of(section)),
    )
    return [text for text in said if untold_words(text, own)]


@pytest.mark.parametrize("template", DOCUMENTS)
def test_every_word_of_a_form_is_a_message(template: str) -> None:
    """Otherwise readers of another language would find English in their form."""
    report = of_form(template)
    with somewhere_else():
        context = form_context(report)
        assert context is not None
        assert untold(report, context) == []


@pytest.mark.parametrize("kind", kinds())
def test_every_word_of_a_letter_is_a_message(kind: str) -> None:
    """With and without what is known beside the record."""
    report = of_form(letters()[kind][0] if kind in letters() else kind)
    record = dict(report.cells[0].values)
    unfavourable = next(v for v in report.process.outcome.values if v != report.process.outcome.favourable)
    for details in (LetterDetails(), LetterDetails(reference="A-1", outcome=unfavourable)):
        with somewhere_else():
            letter = compose_letter(report, record, details, kind)
            assert untold(report, letter) == []
            assert all(not untold_words(label) for label, _ in standing_texts(report))
            assert "⟦Report version" in letter_html(letter)


def test_a_rule_found_in_cases_is_told_in_messages_too() -> None:
    """Its letters have words of their own."""
    report = of_form("gdpr15")
    process = report.process.model_copy(update={"estimated_from": "records"})
    described = report.model_copy(update={"process": process})
    with somewhere_else():
        letter = compose_letter(described, dict(report.cells[0].values))
        assert untold(described, letter) == []
    assert "goes with" in str(letter)


@pytest.mark.parametrize("template", ["atrs", "algoritmeregister", "model_card", "canada_adm", "ai_act"])
def test_files_for_programs_do_not_depend_on_the_language(template: str) -> None:
    """But the card that names its language: a reader of the file finds the same words in every edition of a report."""
    report = report_case(FORM_SPECS[template].stem)
    with use_locale("de"):
        other = form_files(german(report))
    with use_locale("en"):
        assert {k: v for k, v in form_files(report).items() if k != "modelcard.md"} == {
            k: v for k, v in other.items() if k != "modelcard.md"
        }


def test_names_of_a_standard_are_marked_with_its_language() -> None:
    """A screen reader would otherwise pronounce English names of the standard as German; its own language needs no mark."""
    page = lay_out(of_form("atrs")).html()
    assert '<h2><span lang="en">Tier 2: Owner and Responsibility</span></h2>' in page
    assert '<a href="#tier-1" lang="en">Tier 1: Summary Information</a>' in page
    assert '<span lang="en">1.2 Team</span>' in page
    assert 'lang="en">Tier' not in lay_out(report_case(FORM_SPECS["atrs"].stem)).html()
    dutch = report_case(FORM_SPECS["algoritmeregister"].stem)
    info = dutch.report.model_copy(update={"language": "nl"})
    page = lay_out(dutch.model_copy(update={"report": info})).html()
    assert '<section id="verantwoord-gebruik">' in page
    assert 'class="also"' not in page
