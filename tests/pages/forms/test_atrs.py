"""The transparency record: every section and field of the standard, in JSON and in print."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import jsonschema
import pytest

from atreport import build
from atreport.pages.forms import form_files
from atreport.pages.forms.atrs import SECTIONS, label, record_json
from atreport.report.schema import report_schema
from atreport.spec.load import load_spec
from atreport.spec.models.forms import ATRSForm
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
    assert {name: list(fields) for name, fields in record["tier_2"].items()} == TIER_2
    withheld = record["tier_2"]["risks_mitigations_and_impact_assessments"]["risks_and_mitigations"]
    assert withheld["withheld"].startswith("because the register of risks")


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
    for name, title in SECTIONS.items():
        assert title in page
        for field in TIER_1 if name == "tier_1" else TIER_2[name]:
            assert label(field) in page
    assert "Withheld, because the register of risks" in page
    assert "The announced rule: probability of “urgent”" in page


def test_report_json_keeps_its_schema(made: MadeReport) -> None:
    """The machine-readable report stays, with the form as a part of it."""
    document = json.loads(made.data)
    jsonschema.validate(document, report_schema())
    assert document["form"]["fields"]["tier_1"]["name"] == "Housing repair triage"


def test_a_record_without_third_parties_has_no_empty_fields() -> None:
    """Fields that do not apply are left out, not printed empty."""
    form = load_spec(FORM_SPECS["atrs"]).form
    assert isinstance(form, ATRSForm)
    owner = form.owner_and_responsibility.model_copy(update={"third_party": None})
    record = record_json(form.model_copy(update={"owner_and_responsibility": owner}))
    assert "third_party" not in record["tier_2"]["owner_and_responsibility"]
