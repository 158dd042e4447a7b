"""Records describe, they do not prove use: words depend on where the rule comes from."""

import re

import pytest

from atreport.compose.estimation import DESCRIBES, DOES_NOT_SHOW, by_source, is_described
from atreport.pages.documents import lay_out
from atreport.pages.letter import letter_context
from atreport.pages.sections.glossary import glossary
from atreport.report.model import Estimation, Report
from tests.assessing import report_case, report_of
from tests.example import example_spec

USE = re.compile(
    r"decision looks at|rule looks at|(?<!intervals )mov(es|ed) (the|it|rates|each)|your data moved|attributes matter"
    r"|attribute matters|by which the decisions are made|How the decision (works|treats)",
    re.I,
)
"""Words that say that the decision uses an attribute."""


@pytest.mark.parametrize("name", ["berkeley_admissions", "housing_records", "credit_card_full"])
def test_pages_claim_use_only_where_the_rule_was_given(name: str) -> None:
    """A file that records an attribute does not show that anybody used it."""
    report = report_case(name)
    page = re.sub(r"<(script|style)\b.*?</\1>", " ", lay_out(report).html(), flags=re.DOTALL)
    said = sorted(set(map(re.Match.group, USE.finditer(page))))
    if is_described(report):
        assert said == []
        assert DESCRIBES in page
        assert "What this report describes people by" in page
    else:
        assert "decision looks at" in said
        assert DESCRIBES not in page


def test_every_way_to_estimate_is_described() -> None:
    """Frequencies, a tree, a model, and a table that is said to come from records."""
    given = report_of(example_spec())
    assert not is_described(given)
    for method in ("frequency", "tree", "model"):
        estimated = given.model_copy(update={"estimation": Estimation(method=method, population="records")})
        assert is_described(estimated)
    recorded = report_of(example_spec(("process:\n", "process:\n  estimated_from: records\n")))
    assert is_described(recorded)
    assert by_source(recorded, given="a", described="b") == "b"
    assert by_source(given, given="a", described="b") == "a"


def notes_of(report: Report) -> str:
    """All disclosure notes."""
    return " ".join(f"{note.title}. {note.text}" for note in report.notes)


@pytest.mark.parametrize("name", ["berkeley_admissions", "housing_records"])
def test_notes_and_glossary_say_what_records_do_not_show(name: str) -> None:
    """Once in the notes, and the true rule is not called the one by which decisions are made."""
    report = report_case(name)
    assert notes_of(report).count(DOES_NOT_SHOW) == 1
    meanings = glossary(report)
    assert "found by looking at cases" in meanings["True rule"]


def test_a_letter_does_not_say_that_data_were_used() -> None:
    """Of a rule that was estimated it says what goes with the result; of one that was given, what moved it."""
    given = report_case("gdpr15_credit")
    record = dict(given.cells[0].values)
    process = given.process.model_copy(update={"estimated_from": "records"})
    estimated = given.model_copy(update={"process": process})
    assert USE.search(str(letter_context(given, record).sections[:4]))
    said = str(letter_context(estimated, record).sections[:4])
    assert not USE.search(said)
    assert DESCRIBES in said
    assert "What goes with the result" in said
