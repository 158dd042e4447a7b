"""Canada's directive: every field in both languages, figures in both, and what only higher impact levels need."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal

import pytest

from atreport.errors import InvalidInput
from atreport.pages.forms import form_files, french
from atreport.pages.forms.canada_adm import LABELS, TITLES
from atreport.pages.forms.figures import CERTAIN, group_figures
from atreport.pages.measures.error_rates import KINDS
from atreport.spec.load import load_spec, parse_spec
from atreport.spec.models.forms import CanadaADMForm
from atreport.spec.models.measures import MEASURES
from atreport.spec.models.measures.error_rates import ERROR_RATES
from tests.documents import MadeReport, make_report
from tests.forms import FORM_SPECS
from tests.pages.test_document import text_of
from tests.spec.models.test_forms import edited

SPEC = FORM_SPECS["canada_adm"]


@pytest.fixture(scope="module")
def made() -> MadeReport:
    """The document of the example spec."""
    return make_report(load_spec(SPEC))


def test_json_has_both_languages_and_the_figures(made: MadeReport) -> None:
    """Each text in English and French, the impact level, and every figure with its certain interval."""
    record = json.loads(form_files(made.report)["canada-adm.json"])
    assert record["system"]["impact_level"] == "II"
    assert record["explanation"]["recourse"].keys() == {"en", "fr"}
    assert record["intervals"] == {"en": CERTAIN, "fr": french.CERTAIN}
    assert len(record["figures"]) == len(group_figures(made.report)) == 6
    assert record["figures"][0]["certain_interval"][0] <= record["figures"][0]["announced"]


def test_every_field_is_printed_in_both_languages(made: MadeReport) -> None:
    """The French part is as whole as the English one, and marked as French."""
    html = made.document.html()
    page = text_of(html)
    form = made.report.form
    assert form is not None
    for name, titles in TITLES.items():
        assert all(title in page for title in titles)
        assert f'<section id="{name}-fr" lang="fr">' in html
        for field in type(getattr(form.fields, name)).model_fields:
            assert all(label in page for label in LABELS[field])
    assert "Les demandeurs peuvent demander un réexamen dans les 90 jours." in page
    assert "d’au plus 4 points de pourcentage" in page
    assert "Taux de « approved / approuvée » dans chaque groupe comparé" in page
    assert "24 juin 2025" in page
    assert french.CERTAIN in page


def test_french_knows_every_measure_and_verdict() -> None:
    """A measure without French words would fail in the middle of a build."""
    assert french.MEASURES.keys() >= ({*MEASURES} - {"error_rates"}) | {*ERROR_RATES}
    assert french.KINDS.keys() == KINDS.keys()


def test_error_rates_are_told_in_french_too() -> None:
    """Of a report that has any: each group and kind once, and groups of the same name under other attributes apart."""
    report = make_report(load_spec(FORM_SPECS["model_card"])).report
    table = french.error_table(report)
    assert table is not None
    assert len(table.rows) == 8
    assert table.rows[0][0].text == "Clinic : city"
    assert french.error_table(make_report(load_spec(SPEC)).report) is None


def test_french_numbers() -> None:
    """A comma for the point, a space before the sign, and the first of a month by its ordinal."""
    assert french.percent(Decimal("0.620")) == "62,0\N{NO-BREAK SPACE}%"
    assert french.day(dt.date(2026, 8, 1)) == "1er août 2026"


def test_a_withheld_text_is_withheld_in_its_language(made: MadeReport) -> None:
    """The reason stands in the French part in French words."""
    text, _ = edited(
        SPEC.read_text(encoding="utf-8"),
        ("explanation", "data", "fr"),
        "{withheld: parce que le contrat l’interdit}",
    )
    page = text_of(make_report(parse_spec(text, SPEC)).document.html())
    assert "Non divulgué, parce que le contrat l’interdit" in page


@pytest.mark.parametrize("field", ["gba_plus", "peer_review"])
def test_higher_levels_need_more(field: str) -> None:
    """From level II on a review and a gender-based analysis are missing where they are left out; at level I they are not."""
    text, line = edited(SPEC.read_text(encoding="utf-8"), ("bias", field), None)
    with pytest.raises(InvalidInput) as error:
        parse_spec(text, SPEC)
    (problem,) = error.value.problems
    assert problem.location.line == line
    assert f"'{field}' is missing" in problem.message
    form = parse_spec(text.replace("impact_level: II", "impact_level: I"), SPEC).form
    assert isinstance(form, CanadaADMForm)
