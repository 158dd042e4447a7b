"""Canada's directive: every field in both languages, figures in both, and what only higher impact levels need."""

import json

import pytest

from atreport.forms.written import form_data
from atreport.pages.forms import form_context, form_files
from atreport.pages.forms.form_context import CERTAIN, group_figures
from atreport.spec.load import load_spec, parse_spec
from atreport.text.language import gettext, use_locale
from tests.documents import MadeReport, make_report
from tests.forms import FORM_SPECS
from tests.pages.test_document import text_of
from tests.spec.test_forms import edited

SPEC = FORM_SPECS["canada_adm"]
SECTIONS = form_data("canada_adm").fields


@pytest.fixture(scope="module")
def made() -> MadeReport:
    """The document of the example spec."""
    return make_report(load_spec(SPEC))


def in_french(text: str, **values: object) -> str:
    """A message in French, with the blanks of a page that was read as text."""
    with use_locale("fr"):
        return " ".join(gettext(text, **values).split())


def test_json_has_both_languages_and_the_figures(made: MadeReport) -> None:
    """Each text in English and French, the impact level, and every figure with its certain interval."""
    record = json.loads(form_files(made.report)["canada-adm.json"])
    with use_locale("fr"):
        said_in_french = gettext(CERTAIN)
    assert record["system"]["impact_level"] == "II"
    assert record["explanation"]["recourse"].keys() == {"en", "fr"}
    assert record["intervals"] == {"en": CERTAIN, "fr": said_in_french}
    assert len(record["figures"]) == len(group_figures(made.report)) == 6
    assert record["figures"][0]["certain_interval"][0] <= record["figures"][0]["announced"]


def test_every_field_is_printed_in_both_languages(made: MadeReport) -> None:
    """The French part is as whole as the English one, and marked as French."""
    html = made.document.html()
    english, french = (text_of(part) for part in html.split('<section id="system-fr" lang="fr">'))
    for name, section in SECTIONS.items():
        assert name == "system" or f'<section id="{name}-fr" lang="fr">' in html
        for label in (section.label, *(each.label for each in section.fields.values())):
            assert label in english
            assert in_french(label) in french
    assert "Les demandeurs peuvent demander un réexamen dans les 90 jours." in french
    assert (
        in_french("Beside each figure stands the range in which the exact figure lies for certain.") in french
    )
    assert "24 juin 2025" in french
    assert "24 June 2025" in english
    assert in_french(CERTAIN) in french


def test_both_parts_have_the_same_figures(made: MadeReport) -> None:
    """Every table of the English part stands in the French one too, under an id of its own, with numbers in French signs."""
    context = form_context(made.report)
    assert context is not None
    english, french = (
        {
            each.table.id: each.table
            for section in context.sections
            if section.language == language
            for each in section.tables
        }
        for language in ("", "fr")
    )
    assert [*french] == [f"{id}-fr" for id in english]
    assert {"rules", "rates", "measures"} <= english.keys()
    for id, table in english.items():
        assert len(table.rows) == len(french[f"{id}-fr"].rows)
    assert all("," in row[1].text for row in french["rates-fr"].rows for row in [row[-3:]])


def test_a_french_report_has_the_french_part_first(made: MadeReport) -> None:
    """And marks the English one; a report in a third language marks both."""

    def languages(language: str) -> list[str]:
        info = made.report.report.model_copy(update={"language": language})
        with use_locale(language):
            context = form_context(made.report.model_copy(update={"report": info}))
        assert context is not None
        return [section.language for section in context.sections if section.id.split("-")[0] in SECTIONS]

    assert languages("fr") == ["", "", "", "en", "en", "en"]
    assert languages("de") == ["en", "en", "en", "fr", "fr", "fr"]


def test_a_withheld_text_is_withheld_in_its_language(made: MadeReport) -> None:
    """The reason stands in the French part in French words."""
    text, _ = edited(
        SPEC.read_text(encoding="utf-8"),
        ("explanation", "data", "fr"),
        "{withheld: le contrat l’interdit}",
    )
    page = text_of(make_report(parse_spec(text, SPEC)).document.html())
    assert in_french("Withheld, because {reason}", reason="le contrat l’interdit") in page
