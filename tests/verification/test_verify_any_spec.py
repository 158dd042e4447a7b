"""Whatever a spec asks for, and whatever its texts look like, an honest report passes both verifiers."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

from atreport import build, verify
from atreport.errors import Refused
from atreport.kit.resources import templates_folder

TEXTS = [
    "7", "3.14", "100%", "Contents", "1. Results", "a · b", "x – y", "“quoted”", "<b>bold</b> & more", "Straße №5", "ναι", "да",
    "Page 2 of 9", "0", "•", "very " * 30, "word" * 25, "semi;colon, comma", "it's 50/50", "ﬁnal oﬃce", "e\u0301clair", "soft\u00adhyphen",
]  # fmt: skip


def random_spec(rng: random.Random) -> dict[str, Any]:
    """A spec of random shape with awkward texts."""

    def text() -> str:
        return rng.choice(TEXTS)

    outcomes = ["no", "yes"] if rng.random() < 0.7 else ["no", "later", "yes"]
    roles = ["public", "sensitive", *rng.sample(["public", "sensitive", "private"], rng.randint(0, 2))]
    attributes: list[dict[str, Any]] = [
        {
            "name": f"a{i}",
            "label": rng.choice([f"Attribute {i}", text()]),
            "role": role,
            "values": rng.sample(
                ["1", "2", "3", "low", "high", "0.5", "yes or no", "ja · nein"], rng.randint(2, 3)
            ),
        }
        for i, role in enumerate(roles)
    ]
    rows: list[dict[str, Any]] = [{}]
    for attribute in attributes:
        rows = [{**row, attribute["name"]: value} for row in rows for value in attribute["values"]]
    rows = [row for row in rows if rng.random() < 0.9] or rows
    for row in rows:
        row["population"] = rng.choice([1, 3, 8, 40, 1000, rng.randint(1, 10**6)])
        left = 100
        for outcome in outcomes[1:]:
            share = rng.choice([0, left, rng.randint(0, left)])
            row[outcome] = share / 100
            left -= share
    names = [a["name"] for a in attributes]
    by = rng.choice(names)
    some, rest = (attributes[names.index(by)]["values"][k:][: 1 if k == 0 else None] for k in (0, 1))
    measures: list[dict[str, Any]] = [
        {"measure": "statistical_parity", "groups": by, "threshold": 0.2},
        {"measure": "p_percent_rule", "groups": by, "outcomes": rng.choice(["favourable", "all"])},
        {"measure": "impact_ratio", "groups": by, "title": text()},
        {"measure": "group_disparity", "groups": {text(): {by: some}, "the others": {by: rest}}},
        {"measure": "individual", "distance": dict.fromkeys(names, 0.5)},
        {"measure": "conditional_statistical_parity", "groups": names[0], "given": [names[1]]},
    ]
    fidelity: dict[str, float] = rng.choice([{"delta": 0.9}, {"delta": 1}, {"alpha": 0.8}, {"delta": 0.75}])
    calibrated = len(outcomes) == 2 and fidelity.get("delta", 1) < 1
    spec: dict[str, Any] = {
        "atreport": 1,
        "report": {
            "title": text(),
            "publisher": text(),
            "version": rng.choice(["1", "1.0.0", "2026-01"]),
            "date": "2026-01-15",
            **({"summary": text()} if rng.random() < 0.5 else {}),
            **({"contact": "x@example.org"} if rng.random() < 0.5 else {}),
        },
        "process": {
            "name": text(),
            "description": text(),
            "outcome": {"name": "decision", "values": outcomes, "favourable": "yes"},
            "attributes": attributes,
            **({"estimated_from": "records"} if rng.random() < 0.3 else {}),
        },
        "source": {"table": rows},
        "policy": {
            "fidelity": fidelity,
            "decimals": rng.choice([2, 3, 4, 6]),
            "small_cells": rng.choice(["warn", "warn", "round", "suppress"]),
            **({"mechanism": "calibrated"} if calibrated and rng.random() < 0.4 else {}),
        },
        "fairness": rng.sample(measures, rng.randint(1, len(measures))),
        "disclosure": {
            "population": rng.choice(["shares", "counts", "withheld"]),
            "notes": [{"title": text(), "text": text()} for _ in range(rng.randint(0, 2))],
            "legal": [text() for _ in range(rng.randint(0, 2))],
            **({"withheld": [{"what": text(), "because": text()}]} if rng.random() < 0.5 else {}),
        },
    }
    if rng.random() < 0.5:
        spec["transparency"] = {
            "rules": {"tree": 2, "linear": True, "regions": 3},
            "influence": {
                "shapley": True,
                "firm": True,
                "quantities": [{"title": text(), "group": {by: some}}],
            },
            "dependence": {"curves": ["pdp", "ale"]},
        }
    return spec


def assert_passes(seed: int, folder: Path, formats: list[str]) -> bool:
    """Build a random spec; whether it was published. An honest refusal is fine, a doubt about a report is not."""
    path = folder / f"spec_{seed}.yaml"
    text = json.dumps(random_spec(random.Random(seed)), ensure_ascii=False)  # which is YAML too
    path.write_text(text, encoding="utf-8")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)  # a user would see it on the terminal
            public = build(path, folder / "out", formats=formats).folder / "public"
    except Refused:
        return False
    assert verify(public).findings == (), seed
    standalone = [sys.executable, "-I", str(templates_folder() / "verify.py"), str(public)]
    done = subprocess.run(standalone, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (seed, done.stdout)
    return True


def test_some_specs_pass(tmp_path: Path) -> None:
    """A quick slice, with pages; the first with its PDF, which takes longest."""
    formats = {0: ["html", "pdf", "json"], 1: ["html", "json"], 2: ["html", "json"]}
    assert sum(assert_passes(seed, tmp_path, wanted) for seed, wanted in formats.items()) >= 2


@pytest.mark.slow
def test_some_specs_pass_with_their_pdf(tmp_path: Path) -> None:
    """The others of the quick slice, PDF included."""
    assert sum(assert_passes(seed, tmp_path, ["html", "pdf", "json"]) for seed in (1, 2)) >= 1


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_many_specs_pass(part: int, tmp_path: Path) -> None:
    """A hundred and twenty random specs, pages and PDF included."""
    seeds = range(100 + 12 * part, 112 + 12 * part)
    passed = sum(assert_passes(seed, tmp_path, ["html", "pdf", "json"]) for seed in seeds)
    assert passed >= 6
