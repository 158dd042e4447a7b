"""Comparing two versions of a report: every kind of change is named, from folders and from git."""

import json
import subprocess
from pathlib import Path

import pytest

from atreport import build
from atreport.cli.diff import compare_reports, comparison_page, report_of
from atreport.errors import NotAReport, UsageError
from tests.assessing import report_case
from tests.command_line import atreport
from tests.example import changed, write_example
from tests.pseudo import pseudo_language, publisher_texts, untold

SECOND = (
    ("version: 1.0.0", "version: 2.0.0"),
    ("How a bank decides", "How the bank now decides"),
    ("population: 7, approved: 0.5", "population: 7, approved: 0.9"),
    ("threshold: 0.3", "threshold: 0.6"),
    ("  privacy: {beta: 0.7}\n", ""),
    ("decimals: 4", "decimals: 3"),
    ("  population: shares\n", "  population: shares\n  notes: [{title: New, text: Something new.}]\n"),
)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A git repository with two revisions of a spec, the first tagged."""
    root = tmp_path_factory.mktemp("repository")

    def git(*arguments: str) -> None:
        identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)

    git("init", "-q")
    spec = write_example(root / "specs")
    git("add", ".")
    git("commit", "-qm", "First version")
    git("tag", "v1")
    spec.write_text(changed(*SECOND), encoding="utf-8")
    git("commit", "-qam", "Second version")
    return root


def test_two_git_revisions_of_a_spec(repository: Path) -> None:
    """Rules, measures, verdicts, policy, text: every change is there, before and after."""
    spec = repository / "specs" / "example.yaml"
    found = compare_reports(report_of(f"{spec}@v1"), report_of(f"{spec}@HEAD"))
    assert {change.part for change in found.changes} >= {
        "verdicts", "measures", "rules", "privacy", "policy", "process", "report", "text",
    }  # fmt: skip
    named = {(change.part, change.what): (change.before, change.after) for change in found.changes}
    assert named["report", "Version"] == ("1.0.0", "2.0.0")
    assert named["policy", "Printed decimals"] == ("4", "3")
    assert named["policy", "Ceilings"] == ("beta 0.7", "none")
    assert named["verdicts", "Statistical parity, F and M"] == ("Cannot be told at this fidelity", "Meets")
    assert named["policy", "Statistical parity, F and M: threshold"] == ("0.3", "0.6")
    assert named["rules", "M, 100k-200k"][0] == "40%"
    assert named["text", "New"] == ("—", "Something new.")
    assert "the bank now decides" in named["process", "Description"][1]


def test_the_command_on_two_revisions(repository: Path, tmp_path: Path) -> None:
    """Terminal, page and JSON agree; paths are relative to where one stands."""
    page = tmp_path / "diff.html"
    arguments = ("diff", "specs/example.yaml@v1", "specs/example.yaml", "--html", str(page))
    shown = atreport(*arguments, cwd=repository)
    assert shown.returncode in (0, 1), shown.stderr
    for words in (
        "Cannot be told at this fidelity",
        "Printed decimals",
        "Something new.",
        "Together the two reports",
    ):
        assert words in " ".join(shown.stdout.split())
    data = json.loads(atreport(*arguments, "--json", cwd=repository).stdout)
    assert {"part": "report", "what": "Version", "before": "1.0.0", "after": "2.0.0"} in data["changes"]
    text = page.read_text(encoding="utf-8")
    assert "What changed between two versions" in text
    assert "http" not in text.replace("http-equiv", "").replace("http://www.w3.org", "")
    assert shown.returncode == (1 if data["reveals_more"] else 0)


def test_the_same_report_has_no_changes(tmp_path: Path) -> None:
    """A folder beside itself says the same, and the pair reveals nothing."""
    folder = build(write_example(tmp_path), tmp_path / "out", ["json"]).folder
    done = atreport("diff", str(folder), str(folder / "public" / "report.json"))
    assert done.returncode == 0
    assert "The two reports say the same." in done.stdout


def test_other_attributes_are_said_to_be_incomparable(tmp_path: Path) -> None:
    """Cells that cannot be matched are not compared one by one, and that is said."""
    old = build(write_example(tmp_path / "a"), tmp_path / "a", ["json"]).folder
    text = changed().replace("gender", "sex")
    (tmp_path / "b.yaml").write_text(text, encoding="utf-8")
    found = compare_reports(report_of(str(old)), report_of(str(tmp_path / "b.yaml")))
    assert found.remarks
    assert not found.of("rules")
    assert any(change.what == "Attribute sex" for change in found.of("process"))


def test_wrong_names_are_clear_errors(repository: Path, tmp_path: Path) -> None:
    """An unknown revision, a spec that was not there, a folder outside git."""
    spec = repository / "specs" / "example.yaml"
    with pytest.raises(UsageError, match="no such revision"):
        report_of(f"{spec}@nowhere")
    with pytest.raises(NotAReport, match="no such spec"):
        report_of(f"{repository / 'specs' / 'other.yaml'}@v1")
    with pytest.raises(UsageError, match="git says"):
        report_of(f"{tmp_path / 'x.yaml'}@v1")
    with pytest.raises(UsageError, match="no revision"):
        report_of(f"{spec}@--output=x")


def test_a_withheld_population_is_no_false_alarm(tmp_path: Path) -> None:
    """A report and itself tell no more than it does; where that cannot be measured, it is said and not guessed."""
    spec = write_example(tmp_path, ("population: shares", "population: withheld"))
    report = report_of(str(spec))
    found = compare_reports(report, report)
    assert found.reveals == ()
    assert any("cannot be measured" in remark for remark in found.remarks)
    assert compare_reports(report_of(str(write_example(tmp_path / "s"))), report).reveals == ()


def test_every_word_of_a_comparison_can_be_translated() -> None:
    """But for the publisher's words and the names of settings, as in the spec."""
    old = report_case("credit_card")
    info = old.report.model_copy(update={"version": "9.9.9", "contact": None, "language": "fr"})
    new = old.model_copy(update={"report": info, "cells": old.cells[:-1], "notes": ()})
    with pseudo_language():
        page = comparison_page(old, new)
    assert '<html lang="fr"' in page
    ours = {text for note in old.notes for text in (note.title, note.text)}
    main = page[page.index("<main") : page.index("</main>")]  # around it stands what every page has
    assert "9.9.9" in main
    assert untold(main, publisher=publisher_texts(old) | publisher_texts(new) | ours) == []
