"""What fills a note, for programs: the same in every language, and exactly what its text says."""

import re
from collections.abc import Iterator
from decimal import Decimal

import pytest

from atreport.compose.message import Message, a_share, format_message, numbered, together
from atreport.compose.notes import disclosure_notes
from atreport.report.model import Argument, Note, Report
from atreport.text.language import LANGUAGES
from tests.assessing import CASES, report_case
from tests.pseudo import pseudo_language, publisher_texts, untold_words
from tests.test_sentences import QUICK, VARIED, report_of

OWN = ("publisher", "legal", "withheld", "law")
"""The keys of notes whose text is the publisher's."""

_NUMERAL = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?!/)")


def in_language(report: Report, language: str) -> Report:
    """The same report in another language."""
    return report.model_copy(update={"report": report.report.model_copy(update={"language": language})})


def publishers(report: Report) -> Iterator[str]:
    """Titles and values, which may hold digits."""
    process = report.process
    yield from (process.outcome.title, *process.outcome.values)
    for attribute in process.attributes:
        yield from (attribute.title, *attribute.values)
        for value, finer in (attribute.joined or {}).items():
            yield from (value, *finer)
    for assessment in report.not_assessed or ():
        yield from assessment.groups or ()


def numerals(report: Report, text: str) -> set[Decimal]:
    """The numbers that a text says itself: not those in titles and values, which stand in quotation marks."""
    for own in sorted(publishers(report), key=len, reverse=True):
        text = text.replace(f"“{own}”", " ").replace(f" {own} · ", " ").replace(f" {own}”", "”")
    return {Decimal(found.replace(",", "")) for found in _NUMERAL.findall(re.sub("“[^”]*”", " ", text))}


def numbers(note: Note) -> list[Decimal]:
    """The numbers among the arguments."""
    return [Decimal(each) for each in (note.arguments or {}).values() if isinstance(each, Decimal | int)]


def _look_at(report: Report) -> None:
    for note in report.notes:
        if note.key in (*OWN, "licence"):
            assert note.arguments is None
            continue
        said, filled = numerals(report, note.text), numbers(note)
        # a share is written in percent, everything else as it is
        assert all(each in said or each * 100 in said for each in filled), note
        assert all(each in filled or each / 100 in filled for each in said), note


@pytest.mark.parametrize("name", CASES)
def test_arguments_are_the_figures_of_the_text(name: str) -> None:
    """No figure stands in a note that programs are not told, and they are told none that a reader is not."""
    _look_at(report_case(name))


@pytest.mark.parametrize("name", sorted(VARIED))
def test_arguments_are_the_figures_whatever_the_policy(name: str) -> None:
    """For none, one and many groups, ties, exact rules, withheld, rounded and suppressed numbers."""
    if name in QUICK or not name.startswith("explained"):
        _look_at(report_of(name))


@pytest.mark.parametrize("name", ["credit_card", "berkeley_admissions", "housing_records"])
def test_key_and_arguments_are_the_same_in_every_language(name: str) -> None:
    """Only title and text are in a language; the figures in them are written as it writes them."""
    report = report_case(name)
    english = [(note.id, note.key, note.arguments) for note in report.notes]
    for language in LANGUAGES:
        made = disclosure_notes(in_language(report, language))
        assert [(note.id, note.key, note.arguments) for note in made] == english


@pytest.mark.parametrize("name", sorted({*CASES, *VARIED}))
def test_every_word_of_a_note_can_be_translated(name: str) -> None:
    """Title and text of the standard notes are messages, filled with numbers and the publisher's words alone."""
    report = report_case(name) if name in CASES else report_of(name)
    own = publisher_texts(report) | {*publishers(report)}
    with pseudo_language():
        notes = disclosure_notes(report)
    for note in notes:
        if note.key not in OWN:
            assert untold_words(note.title) == untold_words(note.text, own) == [], note


def test_an_argument_means_one_thing() -> None:
    """Two sentences of a note that name different figures alike would tell programs one of them only."""
    half, third = (
        format_message("{share} of them.", share=a_share(Decimal(share))) for share in ("0.5", "0.3")
    )
    with pytest.raises(AssertionError, match="two things"):
        together(half, third)
    both: dict[str, Argument] = {"share.1": Decimal("0.5"), "share.2": Decimal("0.3")}
    assert numbered([half, third]).arguments == both
    assert numbered([half, third]) == "50% of them. 30% of them."
    assert together(half, Message(""), half).arguments == {"share": Decimal("0.5")}
