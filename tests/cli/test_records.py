"""Records from the command line: options, progress, interrupts, and the wall."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from atreport import build
from atreport.export.files import public_files
from atreport.private.prepare import prepare_spec
from atreport.spec.load import load_spec
from tests.assessing import published, report_of
from tests.command_line import ROOT, atreport, atreport_process
from tests.example import example_spec
from tests.private.data.test_records import CSV, HEADING, ROWS, write_spec


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--engine", "spark"], "unknown engine 'spark'"),
        (["--engine", "dask"], "needs --scheduler ADDRESS"),
        (["--scheduler", "tcp://x:1"], "--scheduler is for --engine dask"),
        (["--memory-limit", "much"], "'much' is not a size"),
    ],
)
def test_options_that_make_no_sense(tmp_path: Path, options: list[str], words: str) -> None:
    """Each is answered in words, with exit code 2."""
    (tmp_path / "cases.csv").write_text(CSV)
    done = atreport("build", write_spec(tmp_path, "cases.csv"), "-o", tmp_path / "out", *options)
    assert done.returncode == 2
    assert words in done.stderr


def test_bad_data_exits_2(tmp_path: Path) -> None:
    """The stage, file and row on stderr, and nothing is written."""
    (tmp_path / "cases.csv").write_text(CSV + "M,>200k\n")
    spec = write_spec(tmp_path, "cases.csv", ("0.7}", "0.9}"))
    done = atreport("build", spec, "-o", tmp_path / "out", "--memory-limit", "300MB", "-v")
    assert done.returncode == 2
    assert ": records: 1 file\n" in done.stderr
    assert (
        f"{tmp_path / 'cases.csv'}:42: cannot be read: Expected Number of Columns: 3 Found: 2" in done.stderr
    )
    assert not (tmp_path / "out").exists()


def test_a_build_from_records_has_only_its_own_words(tmp_path: Path) -> None:
    """No library that counts has a word of its own on stderr, not even while the process ends."""
    (tmp_path / "cases.csv").write_text(CSV)
    spec = write_spec(tmp_path, "cases.csv", ("0.7}", "0.9}"))
    done = atreport_process("build", spec, "-o", tmp_path / "out", "--formats", "json")
    assert done.returncode == 0, done.stderr
    *warned, built = done.stderr.splitlines()
    assert built.startswith(f"{spec}: built, ")
    assert all(line.startswith(f"{spec}: warning: ") for line in warned), done.stderr


def test_python_model_is_asked_for_by_name(tmp_path: Path) -> None:
    """Without the flag nothing of it runs; with it, it does."""
    (tmp_path / "cases.csv").write_text(CSV)
    (tmp_path / "mine.py").write_text("def rule(frame):\n    return [0.5] * len(frame)\n")
    spec = write_spec(
        tmp_path,
        "{files: cases.csv, estimate: {model: {python: 'mine:rule', inputs: [income]}}}",
        ("0.7}", "0.9}"),
    )
    refused = atreport("check", spec)
    assert refused.returncode == 2
    assert "--allow-python-model" in refused.stderr
    assert atreport("check", spec, "--allow-python-model").returncode == 0


@pytest.mark.slow
def test_interrupt_leaves_nothing(tmp_path: Path) -> None:
    """Ctrl-C while DuckDB counts without end: exit code 130, no folder, no spill left behind."""
    duckdb.connect(str(tmp_path / "empty.duckdb")).close()
    endless = "SELECT 'F' AS gender, '<100k' AS income, IF(hash(i) % 2 = 0, 'denied', 'approved') AS decision FROM range(1000000000000000) t(i)"
    spec = write_spec(tmp_path, f'{{database: empty.duckdb, query: "{endless}"}}')
    (tmp_path / "tmp").mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "atreport", "build", str(spec), "-o", str(tmp_path / "out"), "-v"],
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path / "tmp")},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    while "records: 1 file" not in process.stderr.readline():
        assert process.poll() is None
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    try:
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, said
    assert "interrupted: nothing was written" in said
    assert not (tmp_path / "out").exists()
    assert not list((tmp_path / "tmp").iterdir())


COARSE = (("decimals: 4", "decimals: 1"), ("delta: 0.9", "delta: 0.5"), ("  privacy: {beta: 0.7}\n", ""))


def test_same_announcement_of_records_gives_the_same_bytes(tmp_path: Path) -> None:
    """Other decisions, the same announcement: nothing public tells the two apart."""
    drafts = []
    many = HEADING + 50 * "".join(ROWS)
    for text in (many, many.replace("M,<100k,approved\n", "M,<100k,denied\n", 1)):
        (tmp_path / "cases.csv").write_text(text)
        drafts.append(prepare_spec(load_spec(write_spec(tmp_path, "cases.csv", *COARSE))))
    one, two = drafts
    assert (one.table.probability != two.table.probability).any()
    assert one.announcement.rule.mapping.tolist() == two.announcement.rule.mapping.tolist()
    files = public_files(published(one), ["json", "html"])
    assert files == public_files(published(two), ["json", "html"])


def test_no_true_share_of_the_records_is_public(tmp_path: Path) -> None:
    """The true share of a cell stands in the annex and in no public file; nor does a path of the data."""
    rows = "".join(f"F,<100k,{'approved' if i < 517 else 'denied'}\n" for i in range(1739))
    (tmp_path / "secret_cases.csv").write_text(CSV + rows)
    result = build(
        write_spec(tmp_path, "secret_cases.csv", ("  privacy: {beta: 0.7}\n", "")),
        tmp_path / "out",
        formats=["json", "html"],
    )
    share = f"{519 / 1751:.9f}"[2:8]
    assert share in (result.folder / "confidential" / "annex.json").read_text()
    for path in (result.folder / "public").iterdir():
        text = path.read_text(encoding="utf-8")
        for secret in (share, "secret_cases", str(tmp_path)):
            assert secret not in text, (path.name, secret)


def test_report_json_tells_how_the_rule_was_estimated(tmp_path: Path) -> None:
    """Method and excluded records are facts of the report; a given rule has no such entry."""
    (tmp_path / "cases.csv").write_text(CSV + "M,,denied\n")
    spec = write_spec(tmp_path, "{files: cases.csv, missing: exclude}", ("0.7}", "0.9}"))
    report = report_of(load_spec(spec)).as_json()
    assert report["estimation"] == {"method": "frequency", "population": "records", "excluded": 1}
    assert {note["id"] for note in report["notes"]} >= {"estimation", "sampling"}
    guarded = spec.read_text().replace("decimals: 4", "decimals: 4\n  small_cells: round")
    spec.write_text(guarded.replace("beta: 0.9", "beta: 1"))
    report = report_of(load_spec(spec)).as_json()
    assert report["estimation"]["excluded_between"] == [0, 14]
    assert "excluded" not in report["estimation"]
    assert "At least 0 and at most 14 records were left out" in str(report["notes"])
    assert "estimation" not in report_of(example_spec()).as_json()
