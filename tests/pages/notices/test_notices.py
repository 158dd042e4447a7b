"""Letters about one decision: what the law wants in them, no reason that is not certain, and help where one cannot be made."""

import json
from pathlib import Path

import pytest

from atreport.errors import InvalidInput, NotAReport, UsageError
from atreport.forms import FORMS
from atreport.pages.documents import letter_html
from atreport.pages.forms.form_context import filled_in
from atreport.pages.letter_details import LetterDetails
from atreport.pages.notices import adverse_action, compose_letter, letter_json, letters, standing_texts
from atreport.pages.notices.adverse_action import ECOA_NOTICE, MOST_REASONS, RIGHT_TO_REASONS, _principal
from atreport.pages.reasons import Reasons, reasons_for
from atreport.report.model import Report
from atreport.report.writer import report_json
from atreport.spec.load import load_spec, parse_spec
from tests.command_line import atreport
from tests.documents import make_report
from tests.forms import FORM_SPECS, edited_spec
from tests.pages.test_document import text_of
from tests.pages.test_reasons import rank, reason
from tests.spec.test_forms import edited

WORST = {
    "adverse-action": {"state": "north", "delinquency": "some", "income": "low"},
    "ai-act-86": {"region": "east", "payments": "some", "income": "below 600"},
    "colorado": {"city": "Denver", "evictions": "some", "income": "below three rents"},
    "california": {"site": "Fresno", "absence": "five days and more", "seniority": "under a year"},
}


@pytest.fixture(scope="module")
def reports() -> dict[str, Report]:
    """The example report of each kind of letter."""
    return {
        kind: make_report(load_spec(FORM_SPECS[template])).report for kind, (template, _) in letters().items()
    }


def page_of(report: Report, record: dict[str, str]) -> str:
    """The words of a letter."""
    return text_of(letter_html(compose_letter(report, record)))


@pytest.mark.parametrize("kind", letters())
def test_every_field_of_the_form_is_in_the_letter(kind: str, reports: dict[str, Report]) -> None:
    """What the publisher wrote for the letter is printed; the rest of the form is not asked for in vain."""
    report, page = reports[kind], page_of(reports[kind], WORST[kind])
    form = getattr(filled_in(report), "explanation", None) or filled_in(report)
    for name in type(form).model_fields:
        value = getattr(form, name)
        if name not in {"applies_from", "reasons", "reasons_office"} and value is not None:
            assert str(value).rstrip(".") in page, name


@pytest.mark.parametrize("kind", [kind for kind in letters() if kind != "adverse-action"])
def test_a_letter_tells_data_and_certain_reasons(kind: str, reports: dict[str, Report]) -> None:
    """The person's own data, what certainly lowered the result, and that order and direction are told only if certain."""
    report, record = reports[kind], WORST[kind]
    page = page_of(report, record)
    assert all(value in page for value in record.values())
    assert "What certainly lowered the probability of" in page
    assert "A direction or an order is stated only where it is certain" in page
    reasons = reasons_for(report, record)
    assert reasons is not None
    assert reasons.unclear, "the region moves nothing for certain, so no letter may say that it did"
    assert f"Whether “{reasons.unclear[0].label}”" in page


def test_a_notice_has_what_regulation_b_lists(reports: dict[str, Report]) -> None:
    """Action, creditor, the words of the act with the agency, and the principal reasons in their certain order."""
    report = reports["adverse-action"]
    page = page_of(report, WORST["adverse-action"])
    form = filled_in(report)
    assert ECOA_NOTICE.format(agency=form.agency) in page
    first, second = (page.index(form.reasons[name]) for name in ("delinquency", "income"))
    assert page.index("Reason 1") < first < page.index("Reason 2") < second
    assert "State" not in page, "it did not certainly lower the result"
    assert RIGHT_TO_REASONS not in page


@pytest.mark.parametrize(
    ("income", "said", "unsaid"),
    [
        ("low", ["This certainly lowered your result."], ["Reason 2"]),  # a list of one has no order
        ("sufficient", [RIGHT_TO_REASONS, "telephone 555-0101"], ["Principal reasons"]),
    ],
)
def test_few_certain_reasons_are_told_as_such(
    income: str, said: list[str], unsaid: list[str], reports: dict[str, Report]
) -> None:
    """One is told as one; where nothing certainly lowered the result, the office that gives reasons is named instead."""
    page = page_of(reports["adverse-action"], {"state": "north", "delinquency": "none", "income": income})
    assert [words for words in said if words not in page] == []
    assert [words for words in unsaid if words in page] == []


def test_a_withheld_population_gives_no_reasons() -> None:
    """What moved a result depends on how many there are; without that a notice still has what it must."""
    hidden = ("population: shares", "population: withheld")
    report = make_report(edited_spec(FORM_SPECS["adverse_action"], hidden)).report
    assert RIGHT_TO_REASONS in page_of(report, WORST["adverse-action"])
    report = make_report(edited_spec(FORM_SPECS["colorado"], hidden)).report
    assert "cannot be calculated from it" in page_of(report, WORST["colorado"])


def test_a_rule_that_only_describes_gives_no_reasons(
    reports: dict[str, Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reasons have to be the factors actually considered; a rule found by looking at cases cannot say which those were."""
    monkeypatch.setattr(adverse_action, "is_described", lambda _report: True)
    assert RIGHT_TO_REASONS in page_of(reports["adverse-action"], WORST["adverse-action"])


def test_a_principal_reason_without_words_makes_no_notice() -> None:
    """It would be silent about the weightiest reason, or name an attribute that the creditor had not thought of."""
    text, _ = edited(
        FORM_SPECS["adverse_action"].read_text(encoding="utf-8"), ("reasons", "delinquency"), None
    )
    report = make_report(parse_spec(text)).report
    with pytest.raises(UsageError, match=r"“Past due accounts” \(some\) certainly lowered the result"):
        compose_letter(report, WORST["adverse-action"])


@pytest.mark.parametrize(
    ("ranks", "told"),
    [([], 0), (["a"], 1), (["a", "bcd", "e"], MOST_REASONS), (["ab", "cde"], 2), (["abcde", "f"], 5)],
)
def test_at_most_four_reasons_and_no_rank_cut(ranks: list[str], told: int) -> None:
    """Cutting through reasons that cannot be ranked would rank them. A letter is a reason, a text reasons of one rank."""
    lowered = tuple(rank(*map(reason, names)) for names in ranks)
    reasons = Reasons.__new__(Reasons)
    object.__setattr__(reasons, "lowered", lowered)
    assert sum(len(each.reasons) for each in _principal(reasons)) == told


def test_the_words_stand_in_the_published_report(reports: dict[str, Report]) -> None:
    """Whoever was decided on can read them without asking for a letter; forms with a document have their own page."""
    standing = {letters()[kind][0]: standing_texts(report) for kind, report in reports.items()}
    assert {name for name, texts in standing.items() if texts} == {
        name for name, form in FORMS.items() if form.stands_in_the_report and name != "gdpr15"
    }
    assert ("Taken to apply to decisions from", "1 January 2027") in standing["colorado"]


def test_the_wrong_kind_is_answered_with_what_to_write(reports: dict[str, Report]) -> None:
    """A report of one form has no words for the letter of another."""
    with pytest.raises(NotAReport, match="'template: california' under report"):
        compose_letter(reports["colorado"], WORST["colorado"], kind="california")
    text, _ = edited(FORM_SPECS["ai_act"].read_text(encoding="utf-8"), ("explanation",), None)
    with pytest.raises(NotAReport, match="Add a section 'explanation'"):
        compose_letter(make_report(parse_spec(text)).report, WORST["ai-act-86"])


def test_the_decision_is_told_where_it_is_given(reports: dict[str, Report]) -> None:
    """Or that it is not known; and no letter on an adverse outcome is written about a favourable one."""
    told = LetterDetails(outcome="officer")
    page = text_of(letter_html(compose_letter(reports["ai-act-86"], WORST["ai-act-86"], told)))
    assert "The decision about you was “officer”." in page
    assert "is not part of the published report" in page_of(reports["california"], WORST["california"])
    with pytest.raises(UsageError, match="'visit' is none"):
        compose_letter(reports["colorado"], WORST["colorado"], LetterDetails(outcome="visit"))


def test_nobody_has_the_record(reports: dict[str, Report]) -> None:
    """No letter is made about data that the report does not know."""
    for kind, report in reports.items():
        with pytest.raises(UsageError, match="announces nothing"):
            compose_letter(report, dict.fromkeys(WORST[kind], "unheard of"))


def test_reasons_are_attributes_that_exist() -> None:
    """A misspelt attribute would silently never be told."""
    with pytest.raises(InvalidInput, match="there is no attribute 'incom'"):
        edited_spec(FORM_SPECS["adverse_action"], ("    income: Income", "    incom: Income"))


def test_the_command_writes_the_kind_that_is_asked_for(tmp_path: Path, reports: dict[str, Report]) -> None:
    """As files for people and programs; an unknown kind is answered with the one that was meant."""
    published = tmp_path / "report.json"
    published.write_bytes(report_json(reports["adverse-action"]))
    record = ",".join(f"{name}={value}" for name, value in WORST["adverse-action"].items())
    done = atreport(
        "letter", published, "--record", record, "--as", "adverse-action", "--formats", "html", "--reference", "A 7",
        "-o", tmp_path / "notice",
    )  # fmt: skip
    assert done.returncode == 0
    assert {path.name for path in (tmp_path / "notice").iterdir()} == {"letter.html", "letter.json"}
    written = json.loads((tmp_path / "notice" / "letter.json").read_text(encoding="utf-8"))
    letter = compose_letter(
        reports["adverse-action"], WORST["adverse-action"], LetterDetails(reference="A 7"), "adverse-action"
    )
    assert written == letter_json(letter)
    assert letter.notice[0] == "Reference: A 7"
    assert "what was decided" not in done.stderr, "the form says it"
    assert written["sections"][1]["fields"][0]["label"] == "Reason 1"
    wrong = atreport("letter", published, "--record", record, "--as", "adverse")
    assert wrong.returncode == 2
    assert "did you mean 'adverse-action'?" in wrong.stderr


def test_a_file_of_people_is_told_for_whom_no_notice_can_be_made(tmp_path: Path) -> None:
    """All letters or none, and the reference of the one that stands in the way."""
    text, _ = edited(
        FORM_SPECS["adverse_action"].read_text(encoding="utf-8"), ("reasons", "delinquency"), None
    )
    published, people = tmp_path / "report.json", tmp_path / "people.csv"
    published.write_bytes(report_json(make_report(parse_spec(text)).report))
    people.write_text(
        "reference,state,delinquency,income\nA1,north,none,sufficient\nA2,north,some,low\n", encoding="utf-8"
    )
    done = atreport("letter", published, "--records", people, "--formats", "html", "-o", tmp_path / "notices")
    assert done.returncode == 2
    assert "A2: no notice is made" in done.stderr
    assert not (tmp_path / "notices").exists()
