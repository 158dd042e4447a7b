"""The transparency record: every section and field of the standard, in JSON and in print."""

import hashlib
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from atreport import build
from atreport.errors import InvalidInput
from atreport.forms.fields import Surroundings, WithheldField
from atreport.forms.written import form_data
from atreport.pages.forms import form_context, form_files
from atreport.pages.forms.atrs import label, record_json
from atreport.report.reader import read_report
from atreport.report.writer import report_schema
from atreport.spec.load import load_spec, parse_spec
from tests.documents import MadeReport, make_report
from tests.forms import FORM_SPECS
from tests.pages.test_document import text_of

# As in the standard's template, version 4.
TIER_1 = ["name", "description", "website_url", "contact_email"]
TIER_2 = {
    "owner_and_responsibility": [
        "organisation_or_department", "team", "senior_responsible_owner", "third_party_involvement", "third_party",
        "companies_house_number", "third_party_role", "procurement_procedure_type", "third_party_data_access_terms",
    ],
    "description_and_rationale": ["detailed_description", "benefits", "previous_process", "alternatives_considered"],
    "deployment_context": [
        "integration_into_broader_operational_process", "human_review", "frequency_and_scale_of_usage",
        "required_training", "appeals_and_review",
    ],
    "tool_specification": ["system_architecture", "system_level_input", "system_level_output", "maintenance", "models"],
    "model_specification": [
        "model_name", "model_version", "model_task", "model_input", "model_output", "model_architecture",
        "model_performance", "datasets_and_their_purposes",
    ],
    "development_data": [
        "development_data_description", "data_modality", "data_quantities", "sensitive_attributes",
        "data_completeness_and_representativeness", "data_cleaning", "data_collection", "data_access_and_storage",
        "data_sharing_agreements",
    ],
    "operational_data": [
        "data_sources", "sensitive_attributes", "data_processing_methods", "data_access_and_storage",
        "data_sharing_agreements",
    ],
    "risks_mitigations_and_impact_assessments": ["impact_assessments", "risks_and_mitigations"],
}  # fmt: skip


@pytest.fixture(scope="module")
def made() -> MadeReport:
    """The record of the example spec."""
    return make_report(load_spec(FORM_SPECS["atrs"]))


def test_json_carries_every_section_and_field(made: MadeReport) -> None:
    """Both tiers, in the standard's order, each field filled in or withheld with the reason."""
    files = form_files(made.report)
    assert list(files) == ["atrs.json"]
    record = json.loads(files["atrs.json"])
    assert record["standard_version"] == "4.0"
    assert list(record["tier_1"]) == TIER_1
    tier_2 = dict(record["tier_2"])
    models = tier_2.pop("model_specification")
    assert [list(model) for model in models] == [TIER_2["model_specification"]] * 2
    assert {name: list(fields) for name, fields in tier_2.items()} == {
        name: fields for name, fields in TIER_2.items() if name != "model_specification"
    }
    assert (record["title"], record["organisation"], record["phase"]) == (
        "Housing repair triage",
        "Example Borough Council",
        "Production",
    )
    assert (record["record_version"], record["date"]) == ("1.0.0", "2026-02-02")


def test_the_record_is_among_the_published_files(tmp_path: Path) -> None:
    """A build writes the record beside the report, and lists its checksum."""
    public = build(FORM_SPECS["atrs"], tmp_path, formats=["json"]).folder / "public"
    record = (public / "atrs.json").read_bytes()
    assert (
        f"{hashlib.sha256(record).hexdigest()}  atrs.json" in (public / "SHA256SUMS").read_text().splitlines()
    )


def test_page_carries_every_section_and_field(made: MadeReport) -> None:
    """The same in print, under the standard's names, with the figures after it."""
    page = text_of(made.document.html())
    sections = {name: section for name, section in form_data("atrs").fields.items() if name != "front"}
    for name, section in sections.items():
        assert section.name in page
        assert [*section.fields] == (TIER_1 if name == "tier_1" else TIER_2[name])
        assert all(label(key, asked) in page for key, asked in section.fields.items())
    assert "The announced rule: probability of “urgent”" in page


def test_report_json_keeps_its_schema(made: MadeReport) -> None:
    """The machine-readable report stays, with the form as a part of it."""
    document = json.loads(made.data)
    jsonschema.validate(document, report_schema())
    assert document["form"]["fields"]["tier_1"]["name"] == "Housing repair triage"


def test_a_record_without_third_parties_has_no_empty_fields(made: MadeReport) -> None:
    """Fields that do not apply are left out, not printed empty; those that are withheld are printed with the reason."""
    form = made.report.form
    assert form is not None
    given: Any = form.fields
    changed = {"third_party": None, "team": WithheldField(withheld="because it changes")}
    owner = given.owner_and_responsibility.model_copy(update=changed)
    fields = form.fields.model_copy(update={"owner_and_responsibility": owner})
    report = made.report.model_copy(update={"form": form.model_copy(update={"fields": fields})})
    stated = record_json(report)["tier_2"]["owner_and_responsibility"]
    assert "third_party" not in stated
    assert stated["team"] == {"withheld": "because it changes"}
    assert "Withheld, because it changes" in str(form_context(report))


def test_fields_have_the_numbers_of_the_template(made: MadeReport) -> None:
    """1.4.1 to 1.4.5 on a third party, 4.2.1 a model's name, 5.2 risks; and the front says what the repository lists by."""
    page = text_of(made.document.html())
    for words in (
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
    ):
        assert words in page


def edited(*edits: tuple[str, str]) -> MadeReport:
    """The example with some texts replaced."""
    text = FORM_SPECS["atrs"].read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    return make_report(parse_spec(text, FORM_SPECS["atrs"]))


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


def test_withheld_parts_of_the_template_are_warned_of() -> None:
    """By their place in the form."""
    form = edited(
        ("    human_review: An officer", "    human_review: {withheld: secret}  # An officer")
    ).report.form
    assert form is not None
    spec = load_spec(FORM_SPECS["atrs"])
    around = Surroundings(
        process=spec.process, policy=spec.policy, report_date=spec.report.date, today=spec.report.date
    )
    (warning,) = form.fields.warnings(around)
    assert warning.startswith(
        "form.deployment_context.human_review is withheld, and the template of the standard"
    )
    assert spec.form is not None
    assert not list(spec.form.warnings(around))
