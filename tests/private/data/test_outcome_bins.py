"""Outcomes that are numbers: cut at given edges or at the median, the same on one machine and on a cluster."""

import json
import statistics
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from atreport import build, verify
from atreport.errors import InvalidInput
from atreport.private.data.table import read_table
from atreport.spec.load import load_spec
from tests.assessing import report_of

SPEC = """\
atreport: 1
report: {title: Scores, publisher: P, version: 1, date: 2026-01-15}
process:
  name: Screening
  outcome: {name: score, label: Interview score, values: [not above, above], favourable: above, bins: median}
  attributes:
    - {name: sex, role: public, values: [women, men]}
    - {name: illness, role: sensitive, values: [none, some]}
source: {records: {files: cases.csv, missing: {rule: error, attributes: {score: exclude}}}}
policy: {fidelity: {delta: 0.9}}
fairness: [{measure: impact_ratio, groups: sex}]
disclosure: {population: counts}
"""
EDGES = (
    "values: [not above, above], favourable: above, bins: median",
    "values: [low, middle, high], favourable: high, bins: [50, 70.5]",
)


def written(folder: Path, scores: list[Any], text: str = SPEC) -> Path:
    """A spec beside records with these scores."""
    rng = np.random.default_rng(1)
    rows = [
        f"{('women', 'men')[rng.integers(2)]},{('none', 'some')[rng.integers(2)]},{score}" for score in scores
    ]
    (folder / "cases.csv").write_text("\n".join(["sex,illness,score", *rows]) + "\n", encoding="utf-8")
    path = folder / "scores.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("seed", range(12))
def test_above_the_median_is_what_it_says(seed: int, tmp_path: Path) -> None:
    """As many records are above as have a score above the median that Python's statistics give, ties and all."""
    rng = np.random.default_rng(seed)
    scores = np.round(rng.normal(60, 12, rng.integers(40, 80)), rng.integers(0, 3)).tolist()
    table = read_table(load_spec(written(tmp_path, [*scores, ""])))
    above = sum(score > statistics.median(scores) for score in scores)
    assert table.cells.population.sum() == len(scores)
    assert (table.favourable * table.cells.population).sum() == pytest.approx(above, abs=1e-9)


def test_edges_belong_to_the_value_above_them(tmp_path: Path) -> None:
    """49.99 is low, 50 is middle, 70.5 is high; and the report says so."""
    scores = [49.99, 50, 70.49, 70.5, *[10] * 20, *[60] * 20, *[90] * 20]
    path = written(tmp_path, scores, SPEC.replace(*EDGES))
    table = read_table(load_spec(path))
    counts = (table.probability * table.cells.population[:, None]).sum(axis=0)
    assert counts == pytest.approx([21, 22, 21], abs=1e-9)
    report = report_of(load_spec(path))
    assert report.estimation is not None
    assert report.estimation.outcome is not None
    note = next(note.text for note in report.notes if note.id == "estimation")
    assert (
        "“low” stands for: below 50. “middle” stands for: 50 to below 70.5. “high” stands for: 70.5 and more."
        in note
    )
    assert report.process.estimated_from == "records"


def test_the_median_stays_behind_the_wall(tmp_path: Path) -> None:
    """No public file has the number, nor an interval for chance; the page names the outcome by its label."""
    scores = [*range(100, 140), 61.7383, 61.7384, *range(10, 50)]
    path = written(tmp_path, scores)
    folder = build(path, tmp_path / "out", formats=["json", "html"]).folder / "public"
    texts = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()}
    assert not any("61.73" in text for text in texts.values())
    report = json.loads(texts["report.json"])
    assert report["estimation"]["outcome"] == {"at": "median"}
    assert "bins" not in report["process"]["outcome"]
    assert not any("sampling" in entry for entry in report["fairness"])
    assert "outcomes of “Interview score”" in texts["report.html"]
    assert "above the median of all recorded ones" in texts["report.html"]
    assert verify(folder).holds


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("values: [not above, above]", "values: [a, not above, above]", "the median parts two outcomes, and there are 3"),
        ("bins: median", "bins: [70, 50]", "2 edges part 3 bins, but there are 2 outcomes"),
        ("bins: median", "bins: [50, 50]", "the edges must ascend"),
        ("bins: median", "bins: mean", "median"),
        ("files: cases.csv,", "files: cases.csv, groups: {score: {above: [A]}},", "'score' has bins and groups"),
        ("source: {records: {files: cases.csv, missing: {rule: error, attributes: {score: exclude}}}}", "source: {table: [{sex: women, illness: none, population: 3, above: 1}]}", "only an outcome of records can be cut"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_answered(old: str, new: str, words: str, tmp_path: Path) -> None:
    """At its place, with what to write instead."""
    path = written(tmp_path, [1, 2, 3], SPEC.replace(old, new))
    with pytest.raises(InvalidInput) as caught:
        load_spec(path)
    assert any(
        words in problem.message or words in (problem.hint or "") for problem in caught.value.problems
    ), str(caught.value)
    assert all(problem.location.line for problem in caught.value.problems)


def test_scores_that_are_none_are_named(tmp_path: Path) -> None:
    """A text that is no number is a problem of its row; a median that nobody is above asks for edges."""
    with pytest.raises(InvalidInput, match="'good' in column 'score' is not a number"):
        read_table(load_spec(written(tmp_path, [1, 2, "good", 4])))
    with pytest.raises(InvalidInput, match="no record has a 'score' above the median"):
        read_table(load_spec(written(tmp_path, [1, 5, 5, 5])))
