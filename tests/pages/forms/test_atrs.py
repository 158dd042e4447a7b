"""The transparency record: every section and field of the standard, in JSON and in print."""

import json
from pathlib import Path

import pytest

from atreport.errors import InvalidInput
from atreport.forms.fields import WithheldField
from atreport.pages.forms import form_context, form_files
from atreport.pages.forms.atrs import record_json
from atreport.pages.forms.form_context import filled_in
from atreport.report.reader import read_report
from atreport.spec.load import load_spec
from tests.documents import MadeReport, make_report
from tests.forms import FORM_SPECS, edited_spec, with_fields
from tests.pages.test_document import text_of


@pytest.fixture(scope="module")
def made() -> MadeReport:
    """The record of the example spec."""
    return make_report(load_spec(FORM_SPECS["atrs"]))


def test_json_carries_every_section_and_field(made: MadeReport) -> None:
    """Both tiers, in the standard's order, each field as report.json has it, after what the repository lists by."""
    files = form_files(made.report)
    assert list(files) == ["atrs.json"]
    record = json.loads(files["atrs.json"])
    fields = json.loads(made.data)["form"]["fields"]
    assert [*fields.pop("front").items()] == [*record.items()][4:8]
    assert [*record["tier_1"].items()] == [*fields.pop("tier_1").items()]
    assert [*record["tier_2"].items()] == [*fields.items()]
    assert record["tier_1"]["name"] == "Housing repair triage"
    assert len(record["tier_2"]["model_specification"]) == 2
    assert (record["standard_version"], record["title"], record["organisation"], record["phase"]) == (
        "4.0",
        "Housing repair triage",
        "Example Borough Council",
        "Production",
    )
    assert (record["record_version"], record["date"]) == ("1.0.0", "2026-02-02")


def test_a_record_without_third_parties_has_no_empty_fields(made: MadeReport) -> None:
    """Fields that do not apply are left out, not printed empty; those that are withheld are printed with the reason."""
    changed = {"third_party": None, "team": WithheldField(withheld="because it changes")}
    owner = filled_in(made.report).owner_and_responsibility.model_copy(update=changed)
    report = with_fields(made.report, owner_and_responsibility=owner)
    stated = record_json(report)["tier_2"]["owner_and_responsibility"]
    assert "third_party" not in stated
    assert stated["team"] == {"withheld": "because it changes"}
    assert "Withheld, because it changes" in str(form_context(report))


def test_fields_have_the_numbers_of_the_template(made: MadeReport) -> None:
    """1.4.1 to 1.4.5 on a third party, 4.2.1 a model's name, 5.2 risks; and the front says what the repository lists by."""
    context = form_context(made.report)
    assert context is not None
    labels = {field.label for section in context.sections for field in section.fields}
    assert labels >= {
        "1.3 Senior responsible owner",
        "1.4 Third party involvement",
        "1.4.1 Third party",
        "1.4.5 Third party data access terms",
        "2.4 Alternatives considered",
        "3.5 Appeals and review",
        "4.1.5 Models",
        "4.2.8 Datasets and their purposes",
        "4.3.9 Data sharing agreements",
        "4.4.1 Data sources",
        "5.2 Risks and mitigations",
        "Organisation type",
        "Description in one sentence",
        "Date of this record",
    }


def edited(*edits: tuple[str, str]) -> MadeReport:
    """The example with some texts replaced."""
    return make_report(edited_spec(FORM_SPECS["atrs"], *edits))


def test_one_model_or_several() -> None:
    """Several models have a section each; one has the plain title, and stands in JSON as it always did."""
    text = FORM_SPECS["atrs"].read_text(encoding="utf-8")
    models = text[text.index("    - model_name: Request") : text.index("  development_data:")]
    first = (
        models[: models.index("    - model_name: Repair")].replace("    - ", "    ").replace("      ", "    ")
    )
    single = edited((models, first))
    assert "Model Specification (1 of 2)" in text_of(edited().document.html())
    assert "(1 of " not in text_of(single.document.html())
    assert record_json(single.report)["tier_2"]["model_specification"]["model_name"] == "Request categories"
    with pytest.raises(InvalidInput, match="'model_task' is missing"):
        edited(("      model_task: To find the kind of damage in the text of a request\n", ""))


def test_a_record_of_an_earlier_version_has_no_front(made: MadeReport) -> None:
    """It is still read and shown."""
    old = read_report(
        (Path(__file__).parents[2] / "data" / "v0.1.0" / "atrs_housing" / "report.json").read_bytes(),
        "report.json",
    )
    context = form_context(old)
    assert context is not None
    assert [section.id for section in context.sections][:2] == ["tier-1", "owner-and-responsibility"]
    assert "phase" not in record_json(old)
    assert form_context(made.report) is not None
