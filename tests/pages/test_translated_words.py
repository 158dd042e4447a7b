"""Letters, registers and comparisons say the publisher's own words in the language of the report, and change no figure."""

import re
from typing import Any

import pytest

from atreport.cli.diff import compare_reports, comparison_page
from atreport.compose import in_language
from atreport.errors import UsageError
from atreport.export.register import describe_entry
from atreport.pages.letter_details import LetterDetails, enclosed_data
from atreport.pages.notices import compose_letter, letter_json
from atreport.pages.own_case import parse_record
from atreport.report.model import Report
from atreport.spec.load import parse_spec
from atreport.text.language import use_locale
from tests.assessing import report_of
from tests.example import example_spec
from tests.forms import FORM_SPECS

FRENCH = ("date: 2026-01-15\n", "date: 2026-01-15\n  language: fr\n")
WORDS = {
    "Credit card applications": "Demandes de carte",
    "Gender": "Sexe",
    "F": "femmes",
    "M": "hommes",
    "approved": "accordée",
    "denied": "refusée",
}
TRANSLATIONS = (
    "disclosure:\n",
    "translations: {fr: {" + ", ".join(f"{own}: {new}" for own, new in WORDS.items()) + "}}\ndisclosure:\n",
)


def form_report(template: str, words: dict[str, str]) -> Report:
    """The report of a form's example, in English and French, with translations."""
    text = FORM_SPECS[template].read_text(encoding="utf-8")
    text, often = re.subn(r"(?m)^(  date: .*)$", r"\1" + "\n  languages: [en, fr]", text, count=1)
    text = text.replace("  language: en\n", "", 1)
    assert often == 1
    lines = "".join(f"    {own}: {new}\n" for own, new in words.items())
    return report_of(parse_spec(f"{text}translations:\n  fr:\n{lines}", FORM_SPECS[template]))


@pytest.mark.parametrize(
    ("template", "record", "outcome", "words"),
    [
        (
            "gdpr15",
            "employment=permanent,income=under 20k,arrears=yes",
            "declined",
            {
                "permanent": "durable",
                "under 20k": "moins de 20k",
                "Employment": "Emploi",
                "declined": "refusé",
            },
        ),
        (
            "colorado",
            None,
            None,
            {"Applications for tenancy": "Demandes de location", "no visit": "pas de visite"},
        ),
    ],
)
def test_letters_are_in_the_words_of_their_language(
    template: str, record: str | None, outcome: str | None, words: dict[str, str]
) -> None:
    """Broken: a French letter would name the person's data and the decision in English words, or another person's figures."""
    english = form_report(template, words)
    french = in_language(english, "fr")
    person = dict(english.cells[0].values) if record is None else parse_record(english, record)
    details = LetterDetails(outcome=outcome)
    there, here = (letter_json(compose_letter(each, person, details)) for each in (english, french))
    said = str(here)
    for own, new in words.items():
        assert (new in said) == (own in str(there)), own
    assert not any(f"'{own}'" in said for own in words)
    assert _figures(there) == _figures(here)
    assert enclosed_data(english, person, details) == enclosed_data(french, person, details).replace(
        b'"language": "fr"', b'"language": "en"'
    )


def _figures(letter: dict[str, Any]) -> list[list[str]]:
    """The digits of every cell of its tables."""
    rows = [row for section in letter["sections"] for table in section["tables"] for row in table["rows"]]
    return [re.findall(r"\d+", cell) for row in rows for cell in row]


def test_a_notice_about_a_favourable_outcome_is_refused_in_every_language() -> None:
    """Broken: the comparison with the favourable outcome would be made in two languages, and a notice be sent to no purpose."""
    text = FORM_SPECS["adverse_action"].read_text(encoding="utf-8")
    favourable = parse_spec(text, FORM_SPECS["adverse_action"]).process.outcome.favourable
    french = in_language(form_report("adverse_action", {favourable: "accordée"}), "fr")
    with pytest.raises(UsageError):
        compose_letter(french, dict(french.cells[0].values), LetterDetails(outcome=favourable))


def test_registers_list_a_report_under_its_translated_title() -> None:
    """Broken: a register would list a French report under its English title, unlike its own page."""
    report = report_of(example_spec(FRENCH, TRANSLATIONS))
    entry = describe_entry(report, {"report.json": b"{}"}, "a/")
    assert entry.title == "Demandes de carte"
    assert (
        entry.identifier == describe_entry(report_of(example_spec()), {"report.json": b"{}"}, "a/").identifier
    )


def test_comparisons_are_in_the_words_of_the_newer_report() -> None:
    """Broken: the same group would have two names, so that everything seems to have changed."""
    before = report_of(example_spec(FRENCH))
    after = report_of(example_spec(FRENCH, TRANSLATIONS, ("version: 1.0.0", "version: 2.0.0")))
    with use_locale("fr"):
        found = compare_reports(before, after)
    assert {change.part for change in found.changes} <= {"report", "text"}
    other = report_of(example_spec(FRENCH, TRANSLATIONS, ("population: 12, ", "population: 22, ")))
    with use_locale("fr"):
        rules = compare_reports(before, other).of("process")
    assert any("femmes" in change.what for change in rules)
    assert "femmes" in comparison_page(before, other)
