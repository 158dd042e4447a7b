"""The model card: CycloneDX as its published schema wants it, the metadata of the hub, and the figures in both."""

import json
from decimal import Decimal
from typing import Any

import pytest
import yaml
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from atreport.errors import InvalidInput
from atreport.pages.forms import form_files
from atreport.pages.forms.form_context import CERTAIN, group_figures
from atreport.spec.load import load_spec, parse_spec
from tests.documents import MadeReport, make_report
from tests.forms import FORM_SPECS
from tests.pages.test_document import text_of

SPEC = FORM_SPECS["model_card"]


@pytest.fixture(scope="module")
def made() -> MadeReport:
    """The card of the example spec."""
    return make_report(load_spec(SPEC))


def metrics_of(made: MadeReport) -> list[dict[str, Any]]:
    """The performance metrics of the CycloneDX file."""
    component = json.loads(form_files(made.report)["modelcard.cdx.json"])["metadata"]["component"]
    metrics: list[dict[str, Any]] = component["modelCard"]["quantitativeAnalysis"]["performanceMetrics"]
    return metrics


def test_cyclonedx_satisfies_its_schema(made: MadeReport) -> None:
    """The published schema of version 1.6, with its formats and without unknown keys."""
    text = form_files(made.report)["modelcard.cdx.json"].decode()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    card = json.loads(text)["metadata"]["component"]["modelCard"]
    assert {"name": "atreport:intervals", "value": CERTAIN} in card["properties"]
    assert card["considerations"]["users"] == ["Booking staff of the two clinics.", "Auditors of the trust."]


def test_every_figure_of_a_group_is_a_metric(made: MadeReport) -> None:
    """Each rate and measure of report.json once, as printed, with the ends of its interval."""
    metrics = metrics_of(made)
    rates = {(rate.kind, rate.group): rate for a in made.report.fairness for rate in a.rates or ()}
    assert len(metrics) == len(rates) + len(made.report.fairness)
    (city,) = [m for m in metrics if m["type"] == "true_positive_rate" and m["slice"] == "Clinic: city"]
    rate = rates["true_positive", "city"]
    assert Decimal(city["value"]) == rate.value
    assert Decimal(city["confidenceInterval"]["lowerBound"]) == rate.low
    assert Decimal(city["confidenceInterval"]["upperBound"]) == rate.high


def test_the_hub_reads_the_metadata(made: MadeReport) -> None:
    """A YAML block between dashes, with a model index whose results have task, dataset and metrics."""
    text = form_files(made.report)["modelcard.md"].decode()
    start, block, body = text.split("---\n", 2)
    assert start == ""
    metadata = yaml.safe_load(block)
    assert metadata["license"] == "other"
    assert metadata["license_name"] == "Not licensed to others"
    ((result,),) = [each["results"] for each in metadata["model-index"]]
    assert result.keys() == {"task", "dataset", "metrics"}
    assert all({"type", "name", "value"} <= metric.keys() for metric in result["metrics"])
    assert len(result["metrics"]) == len(group_figures(made.report))
    assert CERTAIN in body


def test_a_bar_in_a_value_stays_in_its_cell() -> None:
    """A group whose name has a bar would otherwise shift the columns of the table."""
    text = SPEC.read_text(encoding="utf-8").replace("city", '"ci|ty"')
    card = form_files(make_report(parse_spec(text, SPEC)).report)["modelcard.md"].decode()
    assert "| Clinic: ci\\|ty |" in card


def test_the_page_shows_the_card(made: MadeReport) -> None:
    """Model, data, considerations and figures, with what the intervals are."""
    page = text_of(made.document.html())
    assert "Model card of reminder-calls 2.1.0" in page
    assert "Group at risk: Patients of the county clinic" in page
    assert CERTAIN in page
    assert "Error rates of each group that is compared" in page


def test_a_card_without_groups_is_refused() -> None:
    """At the line that chose the form: there would be no figure of any group."""
    text = SPEC.read_text(encoding="utf-8")
    start, end = text.index("fairness:"), text.index("disclosure:")
    with pytest.raises(InvalidInput, match="this form shows figures of groups"):
        parse_spec(text[:start] + text[end:], SPEC)
