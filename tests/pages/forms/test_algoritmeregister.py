"""The entry of the Dutch register: the names, limits and choices of publication standard 1.0.0, in JSON and in print."""

import json

import pytest
import yaml

from atreport.compose import in_every_language
from atreport.errors import InvalidInput
from atreport.export.files import data_files
from atreport.forms.written import flat, form_data
from atreport.pages.forms import form_files
from atreport.pages.forms.algoritmeregister import EMPTY, entry_json
from atreport.pages.forms.form_context import filled_in
from atreport.spec.load import load_spec, parse_spec
from atreport.text.language import use_locale
from tests.documents import MadeReport, make_report
from tests.forms import FORM_SPECS, with_fields
from tests.pages.test_document import text_of

SPEC = FORM_SPECS["algoritmeregister"]

# As the register's API takes them (MinBZK/Algoritmeregister, version 1.0 of the standard), in the order of its layout;
# a number is the most characters.
STANDARD = {
    "name": 100, "description_short": 400, "organization": 100, "category": "list", "status": "choice",
    "begin_date": 7, "end_date": 7, "contact_email": 500, "website": 500, "publication_category": "choice", "url": 500,
    "goal": 2500, "proportionality": 2500, "human_intervention": 2500, "risks": 2500, "lawful_basis": 2500,
    "lawful_basis_grouping": "list", "process_index_url": 500, "impacttoetsen_grouping": "list", "impacttoetsen": 2500,
    "source_data": 2500, "source_data_grouping": "list", "methods_and_models": 5000, "provider": 200,
    "publiccode": 500, "lang": "choice", "standard_version": "choice", "source_id": 100, "tags": 2500,
}  # fmt: skip
REQUIRED = {
    "name",
    "description_short",
    "organization",
    "status",
    "contact_email",
    "publication_category",
    "lang",
}


@pytest.fixture(scope="module")
def made() -> MadeReport:
    """The entry of the example spec."""
    return make_report(load_spec(SPEC))


def withheld_in_dutch(made: MadeReport) -> str:
    """Why the risks are withheld, in the language of the register and not of the report."""
    with use_locale("nl"):
        return str(filled_in(made.report).risks)


def test_the_register_would_take_the_json(made: MadeReport) -> None:
    """Every key is one of the standard's, none that it requires is missing, and no text is too long for it."""
    files = form_files(made.report)
    assert list(files) == ["algoritmeregister.json"]
    entry = json.loads(files["algoritmeregister.json"])
    assert entry.keys() <= STANDARD.keys()
    assert entry.keys() >= REQUIRED
    for name, value in entry.items():
        limit = STANDARD[name]
        assert isinstance(value, list) == (limit == "list")
        assert not isinstance(limit, int) or len(value) <= limit
    assert entry["lang"] == "nld"
    assert entry["standard_version"] == "1.0"
    assert entry["risks"] == withheld_in_dutch(made)
    assert all({"title"} <= each.keys() <= {"title", "link"} for each in entry["impacttoetsen_grouping"])


def test_a_translated_entry_says_its_language() -> None:
    """Broken: English texts would be delivered, and read aloud, as Dutch. An entry that is not translated stays Dutch."""
    text = SPEC.read_text(encoding="utf-8")
    assert "  language: en\n" in text
    several = text.replace("  language: en\n", "  languages: [nl, en, fr]\n")
    short = " ".join(yaml.safe_load(text)["form"]["description_short"].split())
    several += "translations: " + json.dumps({"en": {short: "A short description."}}, ensure_ascii=False)
    made = make_report(parse_spec(several, SPEC))
    entries = {
        edition.report.language: json.loads(data_files(edition)["algoritmeregister.json"])
        for edition in in_every_language(made.report)
    }
    assert {language: entry["lang"] for language, entry in entries.items()} == {
        "nl": "nld",
        "en": "eng",
        "fr": "nld",
    }
    assert entries["en"]["description_short"] == "A short description."
    assert entries["en"]["risks"] != entries["nl"]["risks"]
    english, french = (
        MadeReport(made.prepared, edition).document.html()
        for edition in list(in_every_language(made.report))[1:]
    )
    assert '<section id="verantwoord-gebruik">' in english
    assert '<span lang="nl">Verantwoord gebruik</span>' in english
    assert '<section id="verantwoord-gebruik" lang="nl">' in french


def test_every_field_of_the_standard_can_be_filled_in() -> None:
    """No more and no fewer fields than the standard, and each has its place on the page."""
    fixed = {"lang", "standard_version"}
    headings, fields = (
        form_data("algoritmeregister").fields,
        dict(flat(form_data("algoritmeregister").fields)),
    )
    assert fields.keys() == STANDARD.keys() - fixed
    assert [name for heading in headings.values() for name in heading.fields] == [*STANDARD]
    assert {name for name, asked in fields.items() if asked.required} == REQUIRED - fixed
    assert {name for name in REQUIRED - fixed if fields[name].shown_empty} == set()


def test_the_page_has_the_titles_of_the_register(made: MadeReport) -> None:
    """In Dutch and marked as such, with English beside it, and the figures after it."""
    html = made.document.html()
    page = text_of(html)
    assert '<section id="verantwoord-gebruik" lang="nl">' in html
    assert "Menselijke tussenkomst Human intervention" in page
    assert withheld_in_dutch(made) in page
    assert "Data Protection Impact Assessment (DPIA)" in page
    assert "Rate of “at once” in each group that is compared" in page


def test_an_empty_field_that_the_register_shows_is_shown_as_empty(made: MadeReport) -> None:
    """And one that it shows only where it is filled in is not shown."""
    emptied = with_fields(made.report, provider=None, website=None)
    assert "provider" not in entry_json(filled_in(emptied))
    page = text_of(MadeReport(made.prepared, emptied).document.html())
    assert f"Leverancier Supplier {EMPTY}" in page
    assert "Link naar publiekspagina" not in page


# name: (old text, new text, words of the message)
BROKEN = {
    "name too long": ("  name: Mantelzorg", "  name: " + "m" * 100, "fewer than 100"),
    "withheld text too long": ("withheld: omdat", "withheld: " + "o" * 2500, "fewer than 2500"),
    "mandatory field withheld": (
        "  organization: Gemeente Noorderhaaks",
        "  organization: {withheld: because}",
        "expected a single text",
    ),
    "unknown theme": ("category: [Verkeer", "category: [Auto", "'Auto' is not allowed here"),
    "theme twice": ("category: [Verkeer,", "category: [Verkeer, Verkeer,", "listed twice"),
    "no month": ("begin_date: 2025-09", "begin_date: 2025-13", "not a month"),
    "still in use": ("begin_date: 2025-09", "begin_date: 2025-09\n  end_date: 2026-01", "has no end date"),
    "no address": ("website: https://", "website: www.", "not a web address"),
    "no contact": ("contact_email: algoritmes@", "contact_email: algoritmes", "neither an e-mail address"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_the_register_would_refuse_is_refused(name: str) -> None:
    """At the line of the field, before anything is published."""
    old, new, words = BROKEN[name]
    text = SPEC.read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(InvalidInput) as error:
        parse_spec(text.replace(old, new, 1), SPEC)
    (problem,) = error.value.problems
    assert words in problem.message


def test_what_ended_began_before() -> None:
    """An end before the beginning is a slip."""
    text = SPEC.read_text(encoding="utf-8").replace("status: In gebruik", "status: Buiten gebruik")
    with pytest.raises(InvalidInput, match="2025-01 is before 2025-09"):
        parse_spec(text.replace("begin_date: 2025-09", "begin_date: 2025-09\n  end_date: 2025-01"), SPEC)
