"""A report that keeps rates is checked by both verifiers, whatever way its population is published."""

import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from atreport.compose import compose_report
from atreport.core.certify import published_rates
from atreport.report.model import Report
from atreport.report.reader import read_report
from atreport.report.writer import report_json
from atreport.verification.recalculation import Recalculation, explanation_findings, measure_findings
from tests.assessing import CASES, prepared_case
from tests.verifying import ACCEPT, shipped

QUICK = ("credit_card", "housing_benefit", "eeoc_selection", "random 4", "random 13", "random 20")


def with_rates(name: str, rates: str) -> Report:
    """The report of a case, as if its announced rule kept rates so closely, or as closely as can be printed."""
    prepared = prepared_case(name)
    rule = prepared.announcement.rule
    kept = published_rates(Decimal(rates), rule.decimals)
    report = compose_report(replace(prepared.announcement, rule=replace(rule, rates=kept)), prepared.public)
    return stating(report, kept)


def stating(report: Report, rates: Decimal) -> Report:
    """The same report, stating that it keeps rates, as a reader reads it."""
    document = json.loads(report_json(report))
    document["policy"]["fidelity"]["rates"] = float(rates)
    return read_report(json.dumps(document), "report.json")


def check_both(name: str, rates: str, folder: Path) -> None:
    """Both verifiers recalculate every interval, and find the same."""
    report = with_rates(name, rates)
    assert report.policy.fidelity.rates is not None
    again = Recalculation(report)
    assert [*measure_findings(again)] == []
    if report.policy.population != "withheld":
        assert [*explanation_findings(again)] == []
    path = folder / "report.json"
    path.write_bytes(report_json(report))
    done = shipped(path, ACCEPT)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", QUICK)
def test_both_verifiers_recalculate_intervals_of_kept_rates(name: str, tmp_path: Path) -> None:
    """Of two and more outcomes, with counts, shares and guarded counts."""
    check_both(name, "0.99", tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("rates", ["0.97", "0.9999"])
@pytest.mark.parametrize("name", CASES)
def test_both_verifiers_recalculate_intervals_of_every_case(name: str, rates: str, tmp_path: Path) -> None:
    """The same for all shipped specs and many random ones."""
    check_both(name, rates, tmp_path)


def test_an_interval_that_ignores_kept_rates_is_found_out(tmp_path: Path) -> None:
    """Rates that are stated and not used make a report that does not hold."""
    loose = prepared_case("eeoc_selection")
    wide = stating(compose_report(loose.announcement, loose.public), Decimal("0.99"))
    assert [*measure_findings(Recalculation(wide))]
    path = tmp_path / "report.json"
    path.write_bytes(report_json(wide))
    assert shipped(path, ACCEPT).returncode == 1
