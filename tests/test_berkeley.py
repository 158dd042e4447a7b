"""Berkeley 1973: men are admitted more often overall, women in four departments of six; 24 counts, public facts."""

import json
from pathlib import Path
from typing import Any

import pytest

from atreport import build
from atreport.private.data.table import read_table
from atreport.spec.load import load_spec

SPEC = Path(__file__).parents[1] / "specs" / "berkeley_admissions.yaml"

ADMITTED = {"men": (512, 353, 120, 138, 53, 22), "women": (89, 17, 202, 131, 94, 24)}
REJECTED = {"men": (313, 207, 205, 279, 138, 351), "women": (19, 8, 391, 244, 299, 317)}
DEPARTMENTS = "ABCDEF"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], dict[str, Any]]:
    """report.json and annex.json of the spec that is shipped."""
    folder = build(SPEC, tmp_path_factory.mktemp("berkeley"), formats=["json"]).folder
    report = json.loads((folder / "public" / "report.json").read_text())
    return report, json.loads((folder / "confidential" / "annex.json").read_text())


def entries(document: dict[str, Any], measure: str) -> list[dict[str, Any]]:
    """All comparisons of one measure."""
    return [entry for entry in document["fairness"] if entry["measure"] == measure]


def test_spec_holds_the_24_counts() -> None:
    """Each row is the frequency of its two counts, to ten decimals."""
    table = read_table(load_spec(SPEC))
    for cell in range(len(table.cells)):
        labels = table.cells.labels(cell, table.cells.process.attributes)
        place = DEPARTMENTS.index(labels["department"])
        admitted, rejected = (of[labels["gender"]][place] for of in (ADMITTED, REJECTED))
        assert table.cells.population[cell] == admitted + rejected
        assert table.favourable[cell] == pytest.approx(admitted / (admitted + rejected), abs=1e-10)


def test_overall_rates(built: tuple[dict[str, Any], dict[str, Any]]) -> None:
    """44.5% of the men and 30.4% of the women; the annex says so, and the report's intervals hold both."""
    report, annex = built
    (true,), (said,) = (entries(document, "statistical_parity") for document in (annex, report))
    assert {group: round(100 * rate, 1) for group, rate in true["true_rates"].items()} == {
        "men": 44.5,
        "women": 30.4,
    }
    for rate in said["rates"]:
        low, high = rate["interval"]
        assert low <= true["true_rates"][rate["group"]] <= high


def test_reversal_by_department(built: tuple[dict[str, Any], dict[str, Any]]) -> None:
    """Within departments the true rates of women are higher in A, B, D and F."""
    _, annex = built
    higher = {
        entry["given"]["department"]
        for entry in entries(annex, "conditional_statistical_parity")
        if entry["true_rates"]["women"] > entry["true_rates"]["men"]
    }
    assert higher == set("ABDF")


def test_report_shows_the_reversal(built: tuple[dict[str, Any], dict[str, Any]]) -> None:
    """From published figures alone: women are less often admitted overall, and more often in department A, for certain."""
    report, _ = built
    (overall,) = entries(report, "statistical_parity")
    women, men = (next(r for r in overall["rates"] if r["group"] == g) for g in ("women", "men"))
    assert women["interval"][1] < men["interval"][0]
    largest = next(
        e for e in entries(report, "conditional_statistical_parity") if e["given"] == {"department": "A"}
    )
    women, men = (next(r for r in largest["rates"] if r["group"] == g) for g in ("women", "men"))
    assert women["interval"][0] > men["interval"][1]


def test_verdicts_agree_with_the_truth(built: tuple[dict[str, Any], dict[str, Any]]) -> None:
    """At δ = 0.95, rates within a point: parity is not met; others agree with the truth, or are open, with what settles them."""
    report, annex = built
    assert report["policy"]["fidelity"] == {"delta": 0.95, "rates": 0.99}
    assert entries(report, "statistical_parity")[0]["verdict"] == "does_not_meet"
    for said, true in zip(report["fairness"], annex["fairness"], strict=True):
        assert said["interval"][0] <= true["true"] <= said["interval"][1]
        if said["verdict"] == "cannot_tell":
            assert true["settled_at"]["delta"] > 0
        elif said["verdict"] is not None:
            assert said["verdict"] == true["true_verdict"]
    verdicts = {said["verdict"] for said in report["fairness"]}
    assert {"does_not_meet", "cannot_tell"} <= verdicts


def test_chance_is_in_the_annex(built: tuple[dict[str, Any], dict[str, Any]]) -> None:
    """Fisher's test leaves the overall difference beyond chance, and that of departments but A within it."""
    _, annex = built
    assert entries(annex, "statistical_parity")[0]["chance"]["fisher"] < 1e-20
    by_department = {
        entry["given"]["department"]: entry["chance"]["fisher"]
        for entry in entries(annex, "conditional_statistical_parity")
    }
    assert [name for name, p in by_department.items() if p < 0.05] == ["A"]
