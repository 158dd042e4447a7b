"""The AI Act: every point of the impact assessment and the registration, and the annex of figures, in JSON and in print."""

import json

import pytest

from atreport.errors import InvalidInput
from atreport.forms.written import form_data
from atreport.pages.forms import form_files
from atreport.pages.forms.form_context import CERTAIN, group_figures
from atreport.spec.load import load_spec, parse_spec
from tests.documents import MadeReport, make_report
from tests.forms import FORM_SPECS
from tests.pages.test_document import text_of
from tests.spec.test_forms import edited

SPEC = FORM_SPECS["ai_act"]

# The points of Article 27(1) and of Annex VIII, section C.
POINTS = [
    *(f"Article 27(1)({letter})" for letter in "abcdef"),
    *(f"Annex VIII, C, point {number}" for number in range(1, 6)),
]


@pytest.fixture(scope="module")
def made() -> MadeReport:
    """The documents of the example spec."""
    return make_report(load_spec(SPEC))


def test_every_point_is_answered(made: MadeReport) -> None:
    """Each point that the articles and the annex list has an answer in the JSON file, and its number on the page."""
    record = json.loads(form_files(made.report)["ai-act.json"])
    page = text_of(made.document.html())
    answered = {
        answer["asked_by"]
        for name in form_data("ai_act").fields
        for answer in record[name].values()
        if "asked_by" in answer and answer["answer"]
    }
    assert answered >= {*POINTS, "Article 13(3)(b)(v)", "Article 86(1)"}
    assert all(point in page for point in POINTS)


def test_the_annex_has_the_figures_of_groups(made: MadeReport) -> None:
    """As printed, each with the interval that is certain, and words that say so."""
    record = json.loads(form_files(made.report)["ai-act.json"])["group_performance"]
    assert record["intervals"] == CERTAIN
    assert [each["announced"] for each in record["figures"]] == [
        float(each.value) for each in group_figures(made.report)
    ]
    page = text_of(made.document.html())
    assert CERTAIN in page
    assert "Rate of “granted” in each group that is compared" in page


def test_what_is_optional_can_be_left_out() -> None:
    """A private deployer registers nothing, and no letters need no texts for them; nothing is printed empty."""
    text, _ = edited(SPEC.read_text(encoding="utf-8"), ("registration",), None)
    text, _ = edited(text, ("explanation",), None)
    few = make_report(parse_spec(text, SPEC))
    assert "registration" not in json.loads(form_files(few.report)["ai-act.json"])
    assert "Annex VIII" not in text_of(few.document.html())


@pytest.mark.parametrize(
    ("section", "field"),
    [
        (part, name)
        for part in ("registration", "explanation")
        for name in form_data("ai_act").fields[part].fields
    ],
)
def test_an_optional_section_is_whole_or_absent(section: str, field: str) -> None:
    """A registration that lacks a point is an error at its section."""
    text, line = edited(SPEC.read_text(encoding="utf-8"), (section, field), None)
    with pytest.raises(InvalidInput) as error:
        parse_spec(text, SPEC)
    (problem,) = error.value.problems
    assert problem.location.line == line
    assert f"'{field}' is missing" in problem.message
