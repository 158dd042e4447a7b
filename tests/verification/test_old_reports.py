"""What an earlier version published stays readable: later versions verify its reports and attack its releases."""

import shutil
from pathlib import Path

import pytest

from atreport import verify
from atreport.compose import in_language
from atreport.export.files import checksums
from atreport.private.audited import compose
from atreport.private.prepare import prepare_spec
from atreport.report.writer import report_json
from atreport.spec.load import load_spec
from atreport.verification.ledger import read_ledger
from tests.assessing import report_of
from tests.example import example_spec
from tests.verifying import ACCEPT, files_in, shipped, written

ROOT = Path(__file__).parents[2]
OLD = ROOT / "tests" / "data" / "v0.1.0"
REPORTS = sorted(path.parent for path in OLD.glob("*/report.json"))

LIMITS = (
    "Who published these files: they are not signed.",
    "Whether the announced rule is as close to the true rule as stated",
)
"""All that nobody could check: who, and what takes the data."""


def test_every_example_is_kept() -> None:
    """The reports of 0.1.0 are those of its eight specs."""
    assert len(REPORTS) == 8
    assert all((ROOT / "specs" / f"{report.name}.yaml").is_file() for report in REPORTS)


@pytest.mark.parametrize("report", REPORTS, ids=lambda path: path.name)
def test_an_old_report_still_verifies(report: Path, tmp_path: Path) -> None:
    """Its JSON alone and its folder of data hold, and nothing but the words of its notes is left out."""
    files = files_in(report)
    folder = written({**files, "SHA256SUMS": checksums(files)}, tmp_path / "public")
    for path in (folder / "report.json", folder):
        found = verify(path)
        assert found.holds, found.findings
        assert {check.id for check in found.checks} >= {"schema", "figures", "measures", "tables"}
        assert [each.part for each in found.not_checked] == ["figures", "pages"]
        assert "version 0.1" in found.not_checked[0].what
        assert "atreport 0.1.0" in found.not_checked[1].what
        assert found.accepting(["pages", "figures"]).passed
        assert len(found.limits) == len(LIMITS)
        assert all(said.startswith(limit) for said, limit in zip(found.limits, LIMITS, strict=True))


def test_a_report_with_a_grid_that_is_gone_still_verifies(tmp_path: Path) -> None:
    """Broken: a published report would be unreadable because no new one can be made like it."""
    report = report_of(example_spec(("decimals: 4", "mechanism: calibrated\n  decimals: 4")))
    policy = report.policy.model_copy(update={"grid": "even"})
    (tmp_path / "report.json").write_bytes(
        report_json(in_language(report.model_copy(update={"policy": policy}), "en"))
    )
    assert verify(tmp_path / "report.json").passed


@pytest.mark.parametrize("report", REPORTS, ids=lambda path: path.name)
def test_the_shipped_verifier_reads_old_reports(report: Path) -> None:
    """The file of plain Python that is shipped with new reports can check the old ones."""
    done = shipped(report / "report.json", ACCEPT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_old_ledger_is_still_read_and_attacked(tmp_path: Path) -> None:
    """A coarser report after two recorded ones cannot take back what the finer one told."""
    spec = tmp_path / "credit_card.yaml"
    text = (ROOT / "specs" / "credit_card.yaml").read_text(encoding="utf-8")
    text = text.replace("version: 1.0.0", "version: 1.2.0").replace("  privacy: {beta: 0.7}\n", "")
    spec.write_text(text, encoding="utf-8")
    shutil.copy(OLD / "credit_card.releases.jsonl", tmp_path)
    ready = prepare_spec(load_spec(spec))
    assert len(read_ledger(ready.spec).releases) == 2
    warnings = compose(ready).warnings
    told = [
        warning for warning in warnings if ": whoever" in warning
    ]  # others are on odds and on how it was chosen
    assert [warning.split(": whoever")[0] for warning in told] == ["Gender: F", "Gender: M"]
    assert "at least 89.6% sure" in warnings[0]
    assert "promises 67.5%" in warnings[0]
