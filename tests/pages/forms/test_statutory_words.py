"""The words that laws and standards give, written out here: a form that says something else would be found by no other test.

Every text is a copy from the law, or from what docs/forms.md cites, and not taken from the code that prints it.
"""

import json

import pytest

from atreport.forms.ll144 import RACE_ETHNICITY, SEX
from atreport.pages.documents import lay_out, letter_html
from atreport.pages.forms import form_files
from atreport.pages.notices import compose_letter
from atreport.report.model import Report
from atreport.spec.load import load_spec, parse_spec
from tests.documents import make_report
from tests.forms import FORM_SPECS
from tests.pages.test_document import text_of

ECOA = (
    "The Federal Equal Credit Opportunity Act prohibits creditors from discriminating against credit applicants on the basis "
    "of race, color, religion, national origin, sex, marital status, age (provided the applicant has the capacity to enter "
    "into a binding contract); because all or part of the applicant’s income derives from any public assistance program; or "
    "because the applicant has in good faith exercised any right under the Consumer Credit Protection Act. The Federal agency "
    "that administers compliance with this law concerning this creditor is Office of the Comptroller of the Currency,"
)
RIGHT_TO_REASONS = "You have the right to a statement of specific reasons within 30 days, if you ask for it within 60 days of this notice."
CONSUMER_REPORT = (
    "The decision was based in part on a report from Example Reporting Agency, telephone 555-0102, which did not make the "
    "decision. You can obtain a free copy within 60 days and dispute what is in it."
)

PRINTED = {
    "eeoc": (
        "Selection rates and adverse impact (29 CFR § 1607.4)",
        "below four fifths of the highest group’s rate “will generally be regarded by the Federal enforcement agencies as "
        "evidence of adverse impact”",
        "“where they are significant in both statistical and practical terms”",
        "discouraged applicants disproportionately on grounds of race, sex or ethnic group",
        "“based on small numbers and are not statistically significant”",
        "(29 CFR § 1607.4 D)",
        "The level of 5% is a convention; § 1607.4 names none.",
        "under 2% both of the labour force in the relevant area and of the applicable workforce",
        "(§ 1607.15 A (2) (a))",
        "RIN 3046-AB43, and RIN 3046-AB45",
    ),
    "ll144": (
        "Historical data of the tool (§ 5-302 (a))",
        "The selection rate is the share of a category’s applicants who were selected.",
        "The impact ratio of a category is its rate divided by the highest rate of the categories",
        "calculated separately for sex, for race/ethnicity, and for their intersections",
    ),
    "canada_adm": (
        "Directive on Automated Decision-Making",
        "Impact level",
        "Algorithmic Impact Assessment",
        "Notice to clients",
        "Human involvement",
        "Recourse",
        "Gender-based Analysis Plus",
        "Peer review",
        "Niveau d’incidence",
        "Évaluation de l’incidence algorithmique",
        "Analyse comparative entre les sexes Plus",
    ),
    "atrs": (
        "Tier 1: Summary Information",
        "Tier 2: Owner and Responsibility",
        "Tier 2: Description and Rationale",
        "Tier 2: Deployment Context",
        "Tier 2: Tool Specification",
        "Tier 2: Model Specification",
        "Tier 2: Development Data",
        "Tier 2: Operational Data",
        "Tier 2: Risks, Mitigations and Impact Assessments",
        "System-level input",
        "System-level output",
        "Companies House Number",
    ),
    "algoritmeregister": (
        "Algemene informatie", "Naam", "Korte omschrijving", "Organisatie", "Thema", "Begindatum",
        "Contactgegevens", "Link naar publiekspagina", "Publicatiecategorie", "Link naar bronregistratie",
        "Verantwoord gebruik", "Doel en impact", "Afwegingen", "Menselijke tussenkomst", "Risicobeheer", "Wettelijke basis",
        "Verwijzingen wettelijke basis", "Link naar verwerkingsregister", "Impacttoetsen",
        "Werking", "Gegevens", "Technische werking", "Leverancier",  "Taal",
        "Versie publicatiestandaard", "Bron-ID", "Zoektermen",
    ),
    "ai_act": (
        "Regulation (EU) 2024/1689",
        "Fundamental rights impact assessment (Article 27)",
        "Summary for the EU database (Annex VIII, section C)",
        "Performance for groups of persons (Annex IV, point 3; Article 13(3)(b))",
        "Explanation to affected persons (Article 86)",
    ),
}  # fmt: skip

ASKED_BY = {
    "system": {"area": "Annex III", "first_use": "Article 27(2)"},
    "impact_assessment": {
        "processes": "Article 27(1)(a)",
        "period_and_frequency": "Article 27(1)(b)",
        "affected_groups": "Article 27(1)(c)",
        "risks": "Article 27(1)(d)",
        "human_oversight": "Article 27(1)(e)",
        "measures": "Article 27(1)(f)",
        "governance": "Article 27(1)(f)",
        "complaints": "Article 27(1)(f)",
        "notification": "Article 27(3)",
        "data_protection": "Article 27(4)",
    },
    "registration": {
        "deployer": "Annex VIII, C, point 1",
        "submitted_by": "Annex VIII, C, point 2",
        "provider_entry": "Annex VIII, C, point 3",
        "impact_assessment_summary": "Annex VIII, C, point 4",
        "data_protection_summary": "Annex VIII, C, point 5",
    },
    "performance": {
        "accuracy": "Article 13(3)(b)(ii)",
        "persons": "Article 13(3)(b)(v)",
        "limitations": "Annex IV, point 3",
    },
    "explanation": {
        **dict.fromkeys(("deployer", "contact", "role", "elements"), "Article 86(1)"),
        "complaint_authority": "Article 85",
    },
}


@pytest.mark.parametrize("template", PRINTED)
def test_a_form_has_the_words_of_its_law(template: str) -> None:
    """Readers, and whoever checks compliance, would miss or misread what the law or the standard names."""
    page = text_of(make_report(load_spec(FORM_SPECS[template])).document.html()).replace(
        "\N{NO-BREAK SPACE}", " "
    )
    assert [words for words in PRINTED[template] if words not in page] == []


def test_every_answer_names_the_article_that_asks_for_it() -> None:
    """An answer under another article than the one that asks for it would pass for the other one's."""
    record = json.loads(form_files(make_report(load_spec(FORM_SPECS["ai_act"])).report)["ai-act.json"])
    answers = {name: record[name].items() for name in ASKED_BY}
    assert all(each["answer"] for fields in answers.values() for _, each in fields)
    asked = {
        section: {name: each["asked_by"] for name, each in fields if "asked_by" in each}
        for section, fields in answers.items()
    }
    assert asked == ASKED_BY


def test_the_categories_of_a_bias_audit_are_those_of_the_rules() -> None:
    """6 RCNY § 5-301 names them in its examples; an audit by others would not be comparable."""
    assert SEX == ("Male", "Female")
    assert RACE_ETHNICITY == (
        "Hispanic or Latino",
        "White (Not Hispanic or Latino)",
        "Black or African American (Not Hispanic or Latino)",
        "Native Hawaiian or Pacific Islander (Not Hispanic or Latino)",
        "Asian (Not Hispanic or Latino)",
        "Native American or Alaska Native (Not Hispanic or Latino)",
        "Two or More Races (Not Hispanic or Latino)",
    )


def notice(income: str, consumer_report: str = "") -> tuple[Report, str]:
    """The report, and the words of a notice of adverse action."""
    text = FORM_SPECS["adverse_action"].read_text(encoding="utf-8")
    report = make_report(parse_spec(text + consumer_report)).report
    record = {"state": "north", "delinquency": "none", "income": income}
    return report, text_of(letter_html(compose_letter(report, record)))


def test_a_notice_of_adverse_action_has_the_words_of_regulation_b() -> None:
    """12 CFR 1002.9(b)(1) gives them, and 1002.9(a)(2)(ii) the periods of the right to reasons."""
    with_reasons, without = (notice(income)[1] for income in ("low", "sufficient"))
    for page in (with_reasons, without):
        assert ECOA in page
        assert "Equal Credit Opportunity Act (Regulation B, 12 CFR 1002.9)" in page
    assert RIGHT_TO_REASONS in without
    assert RIGHT_TO_REASONS not in with_reasons


def test_what_is_said_of_a_consumer_report_is_in_the_notice() -> None:
    """15 U.S.C. 1681m: without it an applicant would not learn who reported what, nor of the right to dispute it."""
    report, page = notice("low", f"  consumer_report: {CONSUMER_REPORT}\n")
    assert f"Consumer report {CONSUMER_REPORT}" in page
    assert page.index("Where to turn") < page.index("Consumer report")
    assert CONSUMER_REPORT in text_of(lay_out(report).html())
    assert "Consumer report" not in notice("low")[1]
    assert (
        "Consumer report Withheld, because none was used"
        in notice("low", "  consumer_report: {withheld: none was used}\n")[1]
    )
