"""Pairs of true rules with one Report: no public byte differs, nor a word of what is said while it is made."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from atreport.errors import AtreportError
from atreport.private.prepare import prepare_spec
from atreport.report.writer import report_json
from atreport.spec.load import parse_spec
from tests.assessing import published
from tests.command_line import atreport
from tests.random_specs import random_spec
from tests.verifying import public_files_of

Document = dict[str, Any]


def report_of(document: Document) -> bytes | None:
    """The Report of a spec; None where it is refused."""
    try:
        return report_json(published(prepare_spec(parse_spec(json.dumps(document)))))
    except AtreportError:
        return None


def elsewhere(document: Document, rng: random.Random, reach: float) -> Document:
    """The same spec with another true rule: every probability that is not certain moves a little, some that are too."""
    changed: Document = json.loads(json.dumps(document))
    outcomes = document["process"]["outcome"]["values"][1:]
    for row in changed["source"]["table"]:
        left = 1.0
        for outcome in outcomes:
            moved = row[outcome] + rng.uniform(-reach, reach)
            row[outcome] = round(min(max(moved, 0.0), left), 6)
            left -= row[outcome]
    return changed


def pair(seed: int) -> tuple[Document, Document] | None:
    """Two specs with different true rules and one Report, as far apart as a few tries find; None: there is none."""
    rng = random.Random(seed)
    document = random_spec(rng)
    document["policy"]["decimals"] = rng.choice([1, 2])
    if len(document["process"]["outcome"]["values"]) == 2 and rng.random() < 0.7:
        document["policy"] |= {"mechanism": "calibrated", "fidelity": {"delta": rng.choice([0.8, 0.9])}}
    else:
        document["policy"] |= {"fidelity": {"delta": rng.choice([0.3, 0.6])}}
        document["policy"].pop("mechanism", None)
    report = report_of(document)
    for reach in (0.1, 0.03, 0.01, 0.002, 0.0004) if report is not None else ():
        other = elsewhere(document, rng, reach)
        if other["source"] != document["source"] and report_of(other) == report:
            return document, other
    return None


def compare(seed: int, folder: Path, formats: str) -> bool:
    """Build both specs of a pair and compare everything public; False where there is no pair."""
    found = pair(seed)
    if found is None:
        return False
    left = []
    for number, document in enumerate(found):
        place = folder / f"{seed}-{number}"
        place.mkdir()
        (place / "spec.yaml").write_text(json.dumps(document), encoding="utf-8")
        done = atreport("build", "spec.yaml", "-o", "out", "--formats", formats, "-v", cwd=place)
        assert done.returncode == 0, done.stderr
        left.append((public_files_of(place / "out" / "spec"), done.stdout, done.stderr))
    assert left[0] == left[1], (seed, "the two builds can be told apart")
    return True


def test_two_truths_with_one_report_cannot_be_told_apart(tmp_path: Path) -> None:
    """A random spec: files and messages are the same, whichever rule is the true one; with pages in the slow suite."""
    assert compare(6, tmp_path, "json")


@pytest.mark.slow
@pytest.mark.parametrize("hundred", range(3))
def test_three_hundred_pairs_of_truths(hundred: int, tmp_path: Path) -> None:
    """A hundred pairs at a time, every sixth of them with PDF."""
    compared, seed = 0, 10_000 * (hundred + 1)
    while compared < 100:
        formats = "json,html,pdf" if compared % 6 == 0 else "json,html"
        compared += compare(seed, tmp_path, formats)
        seed += 1
        assert seed < 10_000 * (hundred + 1) + 400
