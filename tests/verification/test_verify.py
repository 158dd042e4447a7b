"""Checking a published report: untouched ones pass, and no single change goes unnoticed."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from atreport import verify
from atreport.errors import NotAReport
from atreport.export.files import checksums, public_files
from atreport.report.writer import json_bytes, report_json
from atreport.resources import templates_folder
from atreport.spec.load import load_spec
from tests.assessing import report_case, report_of
from tests.conftest import BuiltOnce
from tests.documents import large_spec
from tests.example import example_spec
from tests.made_once import pages_made_once
from tests.tampering import Change, changes
from tests.verifying import ACCEPT, public_files_of, shipped, written

ROOT = Path(__file__).parents[2]
SPECS = sorted((ROOT / "specs").glob("*.yaml"))
STANDALONE = templates_folder() / "verify.py"
PARTS = 4
"""Into so many the changes to one report are cut, so that several processes can try them."""

Files = Mapping[str, bytes]

__all__ = ["pages_made_once"]


@pytest.fixture(scope="module")
def example(built_once: BuiltOnce) -> Files:
    """The public files of the example."""
    return public_files_of(built_once("example"))


def holds(folder: Path) -> bool:
    """Whether a report passes; one that can no longer be read at all does not."""
    try:
        return verify(folder).passed
    except NotAReport:
        return False


def assert_detected(change: Change, files: Files, folder: Path) -> None:
    """Both verifiers see the change, though the checksums were made to match."""
    written(change.applied(files), folder)
    assert not holds(folder), change.what
    if not change.name.startswith(("report.html", "report.pdf")):
        assert shipped(folder, ACCEPT).returncode != 0, change.what  # 2: no longer readable at all


def test_changes_are_detected(example: Files, tmp_path: Path, pages_made_once: None) -> None:
    """A quick slice of the tampering suite: some of every kind."""
    found = changes(example)
    assert len(found) >= 300
    for change in found[::53]:
        assert_detected(change, example, tmp_path / "public")


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_no_single_change_goes_unnoticed(
    spec: Path, tmp_path: Path, built_once: BuiltOnce, pages_made_once: None
) -> None:
    """Of more than 300 single changes to each example report another quarter for each; every one detected.

    `test_single_values.py` tries further 1,800 of what report.json says.
    """
    files = public_files_of(built_once(spec.stem))
    found = changes(files)
    assert len(found) >= 300
    for change in found[SPECS.index(spec) % PARTS :: PARTS]:
        assert_detected(change, files, tmp_path / "public")


def test_what_is_left_open_of_guarded_counts_cannot_be_changed(tmp_path: Path) -> None:
    """The ranges, stand-ins and sums of a report with suppressed counts are held against each other, without its pages."""
    path = tmp_path / "alone.json"
    document = json.loads(report_json(report_case("ll144_hiring_protected")))
    hidden = [i for i, cell in enumerate(document["cells"]) if "guarded" in cell]
    shown = next(i for i, cell in enumerate(document["cells"]) if "population" in cell)

    def changed(*keys: str | int, to: object) -> bool:
        copy = json.loads(json.dumps(document))
        place = copy
        for key in keys[:-1]:
            place = place[key]
        place[keys[-1]] = to
        path.write_bytes(json_bytes(copy))
        return not holds(path)

    assert not changed("format", to=document["format"])
    for cell in hidden:
        guard = document["cells"][cell]["guarded"]
        fewest, most = guard["people"]
        assert changed("cells", cell, "guarded", "people", to=[fewest, most - 1])
        assert changed("cells", cell, "guarded", "people", to=[fewest + 1, most])
        assert changed("cells", cell, "guarded", "counted_as", to=guard["counted_as"] + 1)
    assert changed("cells", shown, "population", to=document["cells"][shown]["population"] + 1)
    for place, entry in enumerate(document["policy"]["small_cells"]["known_sums"]):
        assert changed("policy", "small_cells", "known_sums", place, "people", to=entry["people"] + 1)
    assert changed("policy", "small_cells", "suppressed", to=len(hidden) + 1)


@pytest.mark.parametrize(
    "name",
    [
        "credit_card",
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in ("random 13", "random 20", "berkeley_admissions", "ll144_hiring")
        ),
    ],
)
def test_a_forged_by_is_found_by_both_verifiers(name: str, tmp_path: Path) -> None:
    """A comparison of men and women would be told of as one of incomes, whatever way people are published."""
    document = json.loads(report_json(report_case(name)))
    names = [attribute["name"] for attribute in document["process"]["attributes"]]
    path, forged = tmp_path / "report.json", 0
    for place, entry in list(enumerate(document["fairness"]))[:: 1 + len(document["fairness"]) // 6]:
        for by in (names[:1], names[-1:], names[:2], names[1::-1], ["nobody"]):
            if by == entry.get("by"):
                continue
            copy = json.loads(json.dumps(document))
            copy["fairness"][place]["by"] = by
            path.write_bytes(json_bytes(copy))
            assert not holds(path), (place, by)
            assert shipped(path, ACCEPT).returncode == 1, (place, by)
            forged += 1
        if "by" in entry:
            copy = json.loads(json.dumps(document))
            del copy["fairness"][place]["by"]
            path.write_bytes(json_bytes(copy))
            assert not holds(path), place
            assert shipped(path, ACCEPT).returncode == 1, place
    assert forged > 4


def test_tables_are_compared_by_other_versions_too(example: Files, tmp_path: Path) -> None:
    """Where pages cannot be made again, verify still finds a table that does not say what report.json says."""
    document = json.loads(example["report.json"])
    document["generator"]["atreport"] = "9.9"
    files = {"report.json": json.dumps(document).encode(), "cells.csv": example["cells.csv"]}
    honest = verify(written({**files, "SHA256SUMS": checksums(files)}, tmp_path / "public"))
    assert honest.holds
    assert not honest.passed
    assert honest.accepting(["pages"]).passed
    cells = files["cells.csv"].decode().splitlines()
    files["cells.csv"] = "\n".join([cells[0], cells[2], cells[1], *cells[3:]]).encode() + b"\n"
    result = verify(written({**files, "SHA256SUMS": checksums(files)}, tmp_path / "public"))
    assert [check.id for check in result.checks if not check.holds] == ["tables"]


EVERY_REPORT = ["example", *(pytest.param(spec.stem, marks=pytest.mark.slow) for spec in SPECS)]


@pytest.mark.parametrize("name", EVERY_REPORT)
def test_untouched_reports_pass(name: str, built_once: BuiltOnce) -> None:
    """Every example passes with both verifiers, and what cannot be checked is said."""
    folder = built_once(name) / "public"
    result = verify(folder)
    assert result.passed, (result.findings, result.not_checked)
    assert any("--with-data" in limit for limit in result.limits)
    command = [sys.executable, "-I", str(STANDALONE), ACCEPT, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, "without the package, as a reader runs it"


@pytest.mark.parametrize("name", ["report.json", "report.pdf", "report.html"])
def test_a_single_file_passes(example: Files, name: str, tmp_path: Path) -> None:
    """A reader may have one file only."""
    path = tmp_path / f"downloaded {name}"
    path.write_bytes(example[name])
    assert verify(path).holds


def test_a_large_report_passes(tmp_path: Path) -> None:
    """Rounded shares of many cells: no honest figure is doubted, cut tables and rates by value included."""
    report = report_of(load_spec(large_spec(tmp_path, 150)))
    folder = written(public_files(report, ["html", "json"]), tmp_path / "public")
    assert verify(folder).holds
    assert shipped(folder, ACCEPT).returncode == 0


def test_missing_files_are_named(tmp_path: Path) -> None:
    """A file that was published and is gone, and a folder without checksums."""
    files = public_files(report_of(example_spec()), ["json"])
    for gone in ("cells.csv", "SHA256SUMS"):
        folder = written({k: v for k, v in files.items() if k != gone}, tmp_path / gone)
        assert any(gone in finding for finding in verify(folder).findings)


def test_a_report_of_another_version_is_checked_as_far_as_possible(example: Files, tmp_path: Path) -> None:
    """Figures are recalculated whatever program made them; wording is not compared, and that is said, of a page where there is one."""
    document = json.loads(example["report.json"])
    document["generator"]["atreport"] = "9.9"
    path = tmp_path / "report.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    result = verify(path)
    assert result.holds
    assert [(each.part, "9.9" in each.what) for each in result.not_checked] == [("pages", True)]
    assert not result.passed
    assert "report.html" not in result.not_checked[0].what
    (tmp_path / "report.html").write_bytes(example["report.html"])
    assert "report.html" in verify(tmp_path).not_checked[0].what
    assert verify(path, accept=["pages"]).passed
    document["privacy"]["beta"] = 0.6
    path.write_text(json.dumps(document), encoding="utf-8")
    assert not verify(path).holds


def test_the_standalone_verifier_is_short_and_stands_alone() -> None:
    """Under 1,400 lines, nothing imported but the standard library."""
    lines = STANDALONE.read_text(encoding="utf-8").splitlines()
    # several languages take some sixty, what holds of any number of people some eighty, people left out some sixty
    assert len(lines) < 1_500
    imported = {line.split()[1].split(".")[0] for line in lines if line.startswith(("import ", "from "))}
    assert imported <= sys.stdlib_module_names
