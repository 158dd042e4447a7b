"""The release ledger: written only when asked, append-only, and consulted by every build."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from atreport import build
from atreport.errors import InvalidInput, Refused
from atreport.report.reader import parse_json, validate
from atreport.verification.ledger import RecordedRelease
from tests.example import changed, write_example

FINER = ("{delta: 0.9}", "{delta: 0.99}")
NO_CEILING = ("  privacy: {beta: 0.7}\n", "")
NEXT = ("version: 1.0.0", "version: 1.1.0")


def ledger(spec: Path) -> Path:
    """The ledger beside a spec."""
    return spec.with_name(f"{spec.stem}.releases.jsonl")


def built(spec: Path, *, record: bool = False) -> tuple[str, ...]:
    """The warnings of a build."""
    return build(spec, spec.parent / "out", ["json"], record=record).warnings


def test_a_draft_leaves_no_trace(tmp_path: Path) -> None:
    """A plain build records nothing; the same release is recorded once."""
    spec = write_example(tmp_path)
    built(spec)
    assert not ledger(spec).exists()
    assert build(spec, tmp_path / "out", ["json"], record=True).recorded == ledger(spec)
    assert build(spec, tmp_path / "out", ["json"], record=True).recorded is None
    assert len(ledger(spec).read_text(encoding="utf-8").splitlines()) == 1


def test_the_ledger_holds_only_what_the_report_published(tmp_path: Path) -> None:
    """Every entry of a line is an entry of report.json."""
    spec = write_example(tmp_path)
    folder = build(spec, tmp_path / "out", ["json"], record=True).folder
    report = json.loads((folder / "public" / "report.json").read_text(encoding="utf-8"))
    line = json.loads(ledger(spec).read_text(encoding="utf-8"))
    assert line.pop("previous") is None
    assert line.pop("report").items() <= report["report"].items()
    assert all(report[key] == value for key, value in line.items())


def test_republishing_is_harmless_and_a_finer_version_is_not(tmp_path: Path) -> None:
    """The same figures again: no warning. A coarser report after a finer one: what was told cannot be taken back."""
    spec = write_example(tmp_path, FINER, NO_CEILING)
    built(spec, record=True)
    assert built(spec) == ()
    spec.write_text(changed(NEXT, NO_CEILING), encoding="utf-8")
    warnings = built(spec)
    assert warnings
    assert "promises" in warnings[0]
    assert all("0.5" not in warning for warning in warnings)  # no true probability


def test_the_policy_may_refuse(tmp_path: Path) -> None:
    """With `releases: refuse` nothing is published, exit code 3, and the earlier build stays."""
    spec = write_example(tmp_path, FINER, NO_CEILING)
    built(spec, record=True)
    before = (tmp_path / "out" / "example" / "public" / "report.json").read_bytes()
    spec.write_text(
        changed(NEXT, NO_CEILING, ("decimals: 4", "decimals: 4\n  releases: refuse")), encoding="utf-8"
    )
    with pytest.raises(Refused, match="Nothing was published") as error:
        built(spec, record=True)
    assert error.value.exit_code == 3
    assert (tmp_path / "out" / "example" / "public" / "report.json").read_bytes() == before
    assert len(ledger(spec).read_text(encoding="utf-8").splitlines()) == 1


def test_a_withheld_population_is_no_false_alarm(tmp_path: Path) -> None:
    """A report that does not say how many people a cell has is measured with those whom the publisher counts."""
    spec = write_example(tmp_path, ("population: shares", "population: withheld"))
    built(spec, record=True)
    assert built(spec) == ()


def test_lines_of_the_first_version_are_read_and_written_alike() -> None:
    """The typed model keeps every byte of a ledger of version 0.1.0."""
    lines = (
        (Path(__file__).parents[1] / "data" / "v0.1.0" / "credit_card.releases.jsonl")
        .read_bytes()
        .splitlines()
    )
    for line in lines:
        release, wrong = validate(parse_json(line, "the ledger"), RecordedRelease)
        assert release is not None, wrong
        assert json.dumps(release.as_json(), ensure_ascii=False, separators=(",", ":")).encode() == line


@pytest.mark.parametrize("harm", ["changed", "taken out", "no JSON"])
def test_a_ledger_that_was_altered_is_refused(tmp_path: Path, harm: str) -> None:
    """Each line holds the checksum of the one before, so that history cannot be rewritten unseen."""
    spec = write_example(tmp_path)
    for version in ("1.0.0", "1.1.0", "1.2.0"):
        spec.write_text(changed(("version: 1.0.0", f"version: {version}")), encoding="utf-8")
        built(spec, record=True)
    lines = ledger(spec).read_text(encoding="utf-8").splitlines(keepends=True)
    lines[1:2] = {"changed": [lines[1].replace("0.3", "0.4", 1)], "taken out": [], "no JSON": ["hello\n"]}[
        harm
    ]
    ledger(spec).write_text("".join(lines), encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"releases\.jsonl:\d") as error:
        built(spec)
    assert "git" in str(error.value)
