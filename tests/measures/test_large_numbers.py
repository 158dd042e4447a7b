"""Figures do not depend on how many people there are, only on how they share out: up to 10^15 people and nine decimals."""

import random
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from atreport.errors import AtreportError
from atreport.spec.rows import MAX_POPULATION
from tests.file_figures import NOT_RECORDED, faults
from tests.test_never_wrong import random_case, report_of

FIGURES = ("privacy", "fairness", "influence", "rules", "value_rates", "not_assessed")


def with_everything_explained(spec: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The spec of a table with all its figures, that of every way to explain them too, and nothing that counts people."""
    spec = deepcopy(spec)
    attributes = spec["process"]["attributes"]
    names = [a["name"] for a in attributes]
    record = {name: spec["source"]["table"][0][name] for name in names}
    group, other = ({name: record[name]} for name in names[:2])
    spec["policy"] |= {"decimals": rng.choice([2, 4, 6, 9]), "small_cells": "warn"}
    spec["policy"].pop("unprotectable", None)
    spec["policy"].pop("privacy", None)
    spec["transparency"] = {
        "rules": {
            "tree": 2,
            "linear": True,
            "logistic": True,
            "regions": 2,
            "anchors": [{"record": record, "precision": 0.8}],
        },
        "influence": {
            "quantities": [{"title": "q", "group": group}, {"title": "gap", "group": group, "minus": other}],
            "permutation": True,
            "firm": True,
            "local_weights": [record],
        },
        "dependence": {"attributes": names[:1]},
    }
    return spec


def figures_of(spec: dict[str, Any], folder: Path) -> dict[str, Any] | None:
    """All figures of a report; None where there is none."""
    try:
        report = report_of(spec, folder)
    except AtreportError:
        return None
    found: dict[str, Any] = {name: report.get(name) for name in FIGURES}
    for assessment in found["fairness"]:
        for rate in assessment.get("rates") or ():
            rate.pop("people", None)
    return found


def largest_factor(spec: dict[str, Any]) -> int:
    """By how much all numbers of people may be multiplied."""
    return int(MAX_POPULATION // sum(row["population"] for row in spec["source"]["table"]))


def assert_same_for_more_people(seed: int, folder: Path) -> int:
    """How many figures a random table has, which are the same for any multiple of its people; 0 where there is no report."""
    rng = random.Random(seed)
    _, drawn = random_case(seed, folder, error_rates=False)
    if "table" not in drawn["source"]:
        return 0
    spec = with_everything_explained(drawn, rng)
    for row in spec["source"]["table"]:
        row["population"] = int(10 ** rng.uniform(0, rng.choice([1, 3, 6])))
    expected = figures_of(spec, folder)
    for factor in (10 ** rng.randint(2, 6), largest_factor(spec)):
        large = deepcopy(spec)
        for row in large["source"]["table"]:
            row["population"] *= factor
        assert figures_of(large, folder) == expected, (seed, factor)
    return 0 if expected is None else len(expected["fairness"]) + len(expected["influence"])


@pytest.mark.parametrize("part", range(4))
def test_figures_are_the_same_for_many_more_people(part: int, tmp_path: Path) -> None:
    """A quick slice: were a product or a sum wrong at some size, a million times the people would have other figures."""
    assert sum(assert_same_for_more_people(40 * part + k, tmp_path) for k in range(8)) > 50


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_figures_are_the_same_for_many_more_people_in_many_tables(part: int, tmp_path: Path) -> None:
    """The same for a thousand random tables, all measures and explanations, one to nine decimals."""
    assert sum(assert_same_for_more_people(10_000 + 200 * part + k, tmp_path) for k in range(200)) > 1000


@pytest.mark.parametrize("metric", ["total_variation", "relative"])
@pytest.mark.parametrize("decimals", [4, 6, 9])
@pytest.mark.parametrize("population", ["shares", "counts"])
def test_kept_rates_narrow_individual_fairness_in_any_population(
    metric: str, decimals: int, population: str, tmp_path: Path
) -> None:
    """With two people in a town of 500,000 the interval began at 0.5602 and ended at 0.2, and the verdict was 'meets'."""
    _, spec = random_case(7, tmp_path)
    attributes = [("town", "public", ["Ash", "Birk"]), ("income", "sensitive", ["low", "high"])]
    people = zip((300_000, 200_000, 1, 5), (0.2, 0.3, 0.25, 0.21), strict=True)
    spec["process"] = {
        **spec["process"],
        "outcome": {"name": "decision", "values": ["no", "yes"], "favourable": "yes"},
        "attributes": [{"name": n, "role": r, "values": v} for n, r, v in attributes],
    }
    cells = [(town, income) for town in ("Ash", "Birk") for income in ("low", "high")]
    spec["source"] = {
        "table": [
            {"town": town, "income": income, "population": number, "yes": chance}
            for (town, income), (number, chance) in zip(cells, people, strict=True)
        ]
    }
    spec["policy"] = {"fidelity": {"delta": 0.9, "rates": 0.99}, "decimals": decimals}
    distance = {"town": 0.1, "income": 0.1}
    spec["fairness"] = [{"measure": "individual", "distance": distance, "metric": metric, "threshold": 0.005}]
    spec["disclosure"] = {"population": population}
    (found,) = report_of(spec, tmp_path)["fairness"]
    low, high = found["interval"]
    true = {"total_variation": 0.0, "relative": 0.4054651 - 0.1}[metric]
    assert low <= true <= high
    assert found["verdict"] == ("cannot_tell" if metric == "total_variation" else "does_not_meet") or (
        low <= 0.005 <= high
    )


def assert_right_with_nine_decimals(seed: int, folder: Path) -> int:
    """How many figures a random report with nine decimals has, all of which hold for its file; 0 where there is none."""
    file, spec = random_case(seed, folder, error_rates=False)
    spec["policy"]["decimals"] = 9
    unknown = any(value in (None, NOT_RECORDED) for row in file.rows for value in row.values.values())
    if unknown or "unprotectable" in spec["policy"]:
        return 0  # people who are left out of a report, or in no group of it, are another matter
    try:
        report = report_of(spec, folder)
    except AtreportError:  # an honest refusal
        return 0
    assert not list(faults(file, spec, report)), seed
    return len(report["fairness"])


@pytest.mark.parametrize("part", range(2))
def test_nine_decimals_are_never_wrong(part: int, tmp_path: Path) -> None:
    """A quick slice: people up to 10^12, and products of nine decimals with them, against the file itself."""
    assert sum(assert_right_with_nine_decimals(90_000 + 100 * part + k, tmp_path) for k in range(12)) > 10


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_many_reports_with_nine_decimals_are_never_wrong(part: int, tmp_path: Path) -> None:
    """The same for a thousand seeds: all measures, kept rates, both metrics, two and three outcomes, every way to publish."""
    assert sum(assert_right_with_nine_decimals(91_000 + 100 * part + k, tmp_path) for k in range(100)) > 100
