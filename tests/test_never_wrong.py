"""Every certain figure holds for the file it was made of, and no verdict is wrong, whatever is asked for and of whom."""

import copy
import csv
import json
import random
import runpy
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from atreport.compose import compose_report
from atreport.errors import AtreportError
from atreport.export.files import public_files
from atreport.private.annex import make_annex
from atreport.private.annex.files import confidential_files
from atreport.private.audited import make_publishable
from atreport.private.prepare import prepare_spec
from atreport.report.reader import read_report
from atreport.report.writer import report_json
from atreport.resources import templates_folder
from atreport.spec.fairness import ERROR_RATES
from atreport.spec.load import load_spec
from atreport.text.language import LANGUAGES
from atreport.text.numbers import rounded_up
from atreport.verification.recalculation import (
    Recalculation,
    explanation_findings,
    measure_findings,
    people_findings,
)
from tests.file_figures import NOT_RECORDED, DataFile, Row, faults

OUTCOMES = {2: ["no", "yes"], 3: ["no", "later", "yes"]}
VALUES = {
    "town": ["Ash", "Birk", "Cole", "Dorn"],
    "sex": ["f", "m"],
    "age": ["young", "old"],
    "income": ["low", "middle", "high"],
    "illness": ["none", "some"],
    "repaid": ["good", "bad"],
}
ROLES = {
    "town": "public",
    "sex": "public",
    "age": "public",
    "income": "sensitive",
    "illness": "sensitive",
    "repaid": "private",
}
HIERARCHY = [{"North": ["Ash", "Birk"], "South": ["Cole", "Dorn"]}, {"Anywhere": ["North", "South"]}]


def random_case(
    seed: int, folder: Path, *, error_rates: bool | None = None
) -> tuple[DataFile, dict[str, Any]]:
    """A data file, and a spec for it: all measures, with everything that treats people differently."""
    rng = random.Random(seed)
    names = [
        "town",
        *rng.sample(["sex", "age"], rng.randint(0, 1)),
        "income",
        *rng.sample(["illness"], rng.randint(0, 1)),
    ]
    if rng.random() < 0.4 if error_rates is None else error_rates:
        names.append("repaid")
    outcomes = OUTCOMES[2 if rng.random() < 0.8 else 3]
    from_records = rng.random() < 0.5
    combinations: list[dict[str, str]] = [{}]
    for name in names:
        values = VALUES[name][: rng.randint(2, len(VALUES[name]))]
        combinations = [{**row, name: value} for row in combinations for value in values]
    combinations = [row for row in combinations if rng.random() < 0.85][: rng.choice([6, 12, 30])]
    if len(combinations) < 2:
        return random_case(seed + 1_000_000, folder, error_rates=error_rates)
    rows = (_counted if from_records else _weighted)(combinations, outcomes, rng)
    missing: dict[str, Any] = {}
    as_value: list[str] = []
    if from_records and rng.random() < 0.4:
        as_value = rng.sample(
            names, rng.randint(0, 1)
        )  # of this one, what was not recorded is a value of its own
        rows = [_forgotten(row, as_value, rng) for row in rows]
        rules = {name: {"value": NOT_RECORDED} for name in as_value}
        missing = {"missing": {"rule": "exclude", "attributes": rules}}
    spec = _spec(names, outcomes, rng)
    if missing:
        for attribute in spec["process"]["attributes"]:
            if attribute["name"] in as_value:
                attribute["values"].append(NOT_RECORDED)
                attribute["unknown"] = NOT_RECORDED
                attribute.pop("hierarchy", None)
    if from_records:
        _write_records(rows, names, outcomes, folder / "cases.csv", rng)
        spec["source"] = {"records": {"files": "cases.csv", **missing}}
    else:
        spec["source"] = {
            "table": [
                {**row.values, "population": row.people, **{o: float(row.chances[o]) for o in outcomes[1:]}}
                for row in rows
            ]
        }
    return DataFile(rows, outcomes, "yes"), spec


def _weighted(combinations: list[dict[str, str]], outcomes: list[str], rng: random.Random) -> list[Row]:
    """People by the thousand million, and probabilities with a few digits."""
    scale = 10 ** rng.choice([2, 4, 7])
    largest = rng.choice([2, 5, 8, 12])
    hard = rng.random() < 0.3
    rows = []
    for values in combinations:
        left, chances = scale, {}
        for outcome in outcomes[1:]:
            part = (
                rng.choice([0, left])
                if hard
                else rng.choice([0, left, rng.randint(0, left), rng.randint(0, left)])
            )
            chances[outcome] = Fraction(part, scale)
            left -= part
        chances[outcomes[0]] = Fraction(left, scale)
        rows.append(Row(values, int(10 ** rng.uniform(0, largest)), chances))
    return rows


def _counted(combinations: list[dict[str, str]], outcomes: list[str], rng: random.Random) -> list[Row]:
    """A row a case and outcome."""
    rows = []
    empty = rng.random() < 0.2  # nobody gets it
    for values in combinations:
        weights = [rng.random() + 0.01 for _ in outcomes]
        if rng.random() < 0.3:
            weights = [1.0 if o == rng.randrange(len(outcomes)) else 0.0 for o in range(len(outcomes))]
        if sum(weights) == 0:
            weights[0] = 1.0
        counts: Counter[str] = Counter(rng.choices(outcomes, weights, k=int(10 ** rng.uniform(0, 2.3))))
        if empty:
            counts = Counter({outcomes[0]: counts.total()})
        for got, number in counts.items():
            rows.append(Row(values, number, {o: Fraction(o == got) for o in outcomes}))
    return rows


def _forgotten(row: Row, as_value: Collection[str], rng: random.Random) -> Row:
    """Now and then a value of some cases was not recorded."""
    if rng.random() > 0.06:
        return row
    name = rng.choice([*row.values])
    return replace(row, values={**row.values, name: NOT_RECORDED if name in as_value else None})


def _write_records(
    rows: list[Row], names: list[str], outcomes: list[str], path: Path, rng: random.Random
) -> None:
    lines = [
        [
            *("" if row.values[name] == NOT_RECORDED else row.values[name] or "" for name in names),
            next(o for o in outcomes if row.chances[o]),
        ]
        for row in rows
        for _ in range(row.people)
    ]
    rng.shuffle(lines)
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([[*names, "decision"], *lines])


def _spec(names: list[str], outcomes: list[str], rng: random.Random) -> dict[str, Any]:
    attributes: list[dict[str, Any]] = []
    for name in names:
        attribute: dict[str, Any] = {"name": name, "role": ROLES[name], "values": list(VALUES[name])}
        if name == "town":
            attribute["hierarchy"] = HIERARCHY
        attributes.append(attribute)
    fidelity: dict[str, Any] = rng.choice(
        [{"delta": d} for d in (0.5, 0.8, 0.9, 0.95, 0.99, 1)] + [{"alpha": 0.8}]
    )
    mechanism = {}
    if rng.random() < 0.2 and fidelity.get("delta", 1) < 1 and len(outcomes) == 2:
        mechanism = {"mechanism": "calibrated"}
    elif rng.random() < 0.4:
        fidelity = {**fidelity, "rates": rng.choice([0.9, 0.99, 0.999, 1])}
    small = rng.choice(["warn", "warn", "warn", "round", {"policy": "round", "under": 5}, "suppress"])
    hopeless = rng.choice([None, "suppress", "suppress", "merge"])
    policy = {
        "fidelity": fidelity,
        **mechanism,
        "decimals": rng.choice([2, 4, 6]),
        "small_cells": small,
        **({"unprotectable": hopeless} if hopeless and small != "suppress" else {}),
        **({"privacy": {"beta": rng.choice([0.6, 0.75, 0.9])}} if hopeless and rng.random() < 0.4 else {}),
    }
    grouped: Any = rng.choice([name for name in names if name != "repaid"])
    if rng.random() < 0.2:
        grouped = [name for name in names if name != "repaid"][:2]
    if rng.random() < 0.2:
        grouped = {"some": {"town": ["Ash", "Cole"]}, "others": {"town": ["Birk", "Cole", "Dorn"]}}
    limit = rng.choice([0.05, 0.1, 0.2, 0.4])
    others = [name for name in names if name != "repaid" and name != grouped and name not in grouped]
    fairness: list[dict[str, Any]] = [
        {"measure": "statistical_parity", "groups": grouped, "threshold": limit},
        {
            "measure": "p_percent_rule",
            "groups": grouped,
            "p": 0.8,
            "outcomes": rng.choice(["favourable", "all"]),
        },
        {"measure": "impact_ratio", "groups": grouped, "p": 0.8},
        {"measure": "odds_ratio", "groups": grouped, "p": 0.5},
        {"measure": "group_disparity", "groups": grouped, "threshold": limit},
    ]
    if others and not isinstance(grouped, dict):
        fairness.append(
            {
                "measure": "conditional_statistical_parity",
                "groups": grouped,
                "given": others[:1],
                "threshold": limit,
            }
        )
    if "repaid" not in names:
        distance = {name: rng.choice([0, 0.2, 0.5]) for name in names}
        metric = rng.choice(["total_variation", "relative"])
        fairness.append({"measure": "individual", "distance": distance, "metric": metric, "threshold": limit})
    else:
        fairness.append(
            {
                "measure": "error_rates",
                "groups": grouped,
                "label": "repaid",
                "positive": "good",
                "threshold": limit,
            }
        )
    people = rng.choice(["shares", "counts", "counts"] + (["withheld"] if "repaid" not in names else []))
    return {
        "atreport": 1,
        "report": {"title": "t", "publisher": "p", "version": "1", "date": "2026-01-15"},
        "process": {
            "name": "n",
            "description": "d",
            "outcome": {"name": "decision", "values": outcomes, "favourable": "yes"},
            "attributes": attributes,
        },
        "policy": policy,
        "fairness": fairness,
        "disclosure": {"population": people},
    }


def report_of(spec: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The report.json of a spec, in memory."""
    path = folder / "spec.yaml"
    path.write_text(json.dumps(spec), encoding="utf-8")
    prepared = prepare_spec(load_spec(path))
    found: dict[str, Any] = json.loads(report_json(compose_report(prepared.announcement, prepared.public)))
    return found


def assert_never_wrong(seed: int, folder: Path, *, error_rates: bool | None = None) -> int:
    """How many figures one random report has; 0 where it was refused."""
    file, spec = random_case(seed, folder, error_rates=error_rates)
    try:
        report = report_of(spec, folder)
    except AtreportError:  # an honest refusal
        return 0
    assert not list(faults(file, spec, report)), seed
    return len(report["fairness"])


@pytest.mark.parametrize(
    "part", [*range(4), *(pytest.param(part, marks=pytest.mark.slow) for part in (4, 5))]
)
def test_some_reports_are_never_wrong(part: int, tmp_path: Path) -> None:
    """A quick slice: ten random reports have at least some figures, and all hold for their file."""
    assert sum(assert_never_wrong(10 * part + k, tmp_path) for k in range(10)) > 20


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_two_thousand_reports_are_never_wrong(part: int, tmp_path: Path) -> None:
    """2,000 random reports over all measures, ways to keep rates, to publish and to guard people: 0 wrong."""
    assert sum(assert_never_wrong(1000 + 100 * part + k, tmp_path) for k in range(100)) > 500


@pytest.mark.slow
@pytest.mark.parametrize("part", range(5))
def test_five_hundred_reports_with_error_rates_are_never_wrong(part: int, tmp_path: Path) -> None:
    """500 more, in which decisions are compared with what happened: none wrong, and none ends in a crash."""
    seeds = range(50_000 + 100 * part, 50_100 + 100 * part)
    assert sum(assert_never_wrong(seed, tmp_path, error_rates=True) for seed in seeds) > 500


def all_files(spec: dict[str, Any], folder: Path) -> dict[str, bytes]:
    """Everything that a build makes of a spec but PDFs, in memory: public files in every language, and the annex."""
    path = folder / "spec.yaml"
    path.write_text(json.dumps(spec), encoding="utf-8")
    found = make_publishable(prepare_spec(load_spec(path)))
    of = found.prepared
    annex = make_annex(
        of.spec, of.public, of.table, of.draft, found.audit, found.report.fairness, of.raw_table
    )
    formats = ("html", "json", "ods")
    return {**public_files(found.report, formats), **confidential_files(annex, formats)}


def with_empty_groups(
    spec: dict[str, Any], file: DataFile, rng: random.Random, languages: Sequence[str]
) -> dict[str, Any]:
    """The same in some languages, of a table in which some comparisons cannot be made.

    For nobody of one group was the outcome right, or wrong; or nobody of it got it; or nobody at all did.
    """
    rows = [row for row in file.rows if None not in row.values.values()]
    grouped = spec["fairness"][0]["groups"]
    name = (
        grouped if isinstance(grouped, str) else next(iter(grouped)) if isinstance(grouped, list) else "town"
    )
    of, without = rng.choice(rows).values[name], rng.choice(["good", "bad", "the outcome", "all outcomes"])
    nobody = {outcome: Fraction(outcome == file.outcomes[0]) for outcome in file.outcomes}
    cells = {}
    for row in rows:
        if row.values[name] == of and row.values["repaid"] == without:
            continue
        if without == "all outcomes" or (without == "the outcome" and row.values[name] == of):
            row = replace(row, chances=nobody)
        cells[tuple(row.values.items())] = row
    table = [
        {**row.values, "population": row.people, **{o: float(row.chances[o]) for o in file.outcomes[1:]}}
        for row in cells.values()
    ]
    report = {**spec["report"], "languages": [*languages]}
    return {**spec, "report": report, "source": {"table": table}}


def rates_left_out(seed: int, folder: Path, languages: Sequence[str] = tuple(LANGUAGES)) -> set[str]:
    """Make all pages of a random report with error rates; which of them could not be compared in it."""
    file, spec = random_case(seed, folder, error_rates=True)
    try:
        made = all_files(with_empty_groups(spec, file, random.Random(seed), languages), folder)
    except AtreportError:  # an honest refusal
        return set()
    assert {"report.html", "report.nl.html", "annex.html", "annex.json"} <= made.keys()
    return {
        each["rate"] for each in json.loads(made["report.json"]).get("not_assessed", ()) if "rate" in each
    }


def test_some_reports_with_error_rates_of_nobody_have_pages(tmp_path: Path) -> None:
    """A quick slice: no word of a page, of the annex or of a file is missing where a comparison cannot be made."""
    languages = ["en", "nl"]
    assert set().union(*(rates_left_out(seed, tmp_path, languages) for seed in (0, 3, 12))) == {*ERROR_RATES}


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_five_hundred_reports_with_error_rates_of_nobody_have_pages(part: int, tmp_path: Path) -> None:
    """500 random reports with error rates and empty groups: all pages in all languages, no crash."""
    seeds = range(60_000 + 50 * part, 60_050 + 50 * part)
    assert set().union(*(rates_left_out(seed, tmp_path) for seed in seeds)) == {*ERROR_RATES}


def with_form(spec: dict[str, Any]) -> dict[str, Any]:
    """The same as a form with a table for every attribute that groups are made by."""
    names = [each["name"] for each in spec["process"]["attributes"] if each["role"] != "private"]
    stated = dict.fromkeys(("job", "procedure", "period", "data_source", "components"), "as stated")
    return {
        **spec,
        "report": {**spec["report"], "template": "eeoc"},
        "form": {"groups": names, **stated},
        "disclosure": {"population": "counts"},
    }


def assert_form_never_wrong(seed: int, folder: Path) -> int:
    """How many rows the tables of one random form have; 0 where it was refused."""
    file, spec = random_case(seed, folder, error_rates=False)
    spec = with_form(spec)
    try:
        report = report_of(spec, folder)
    except AtreportError:
        return 0
    assert not list(faults(file, spec, report)), seed
    return sum(len(table["categories"]) for table in report["form"]["tables"])


def test_some_forms_are_never_wrong(tmp_path: Path) -> None:
    """A form's rows hold for the file: people, selected, rates, ratios and the four-fifths rule, whoever is left out."""
    assert sum(assert_form_never_wrong(70_000 + k, tmp_path) for k in range(12)) > 25


@pytest.mark.slow
@pytest.mark.parametrize("part", range(5))
def test_five_hundred_forms_are_never_wrong(part: int, tmp_path: Path) -> None:
    """500 more forms, none with a row that does not hold for the file."""
    seeds = range(71_000 + 100 * part, 71_100 + 100 * part)
    assert sum(assert_form_never_wrong(seed, tmp_path) for seed in seeds) > 200


def findings(report: dict[str, Any]) -> list[str]:
    """What both verifiers find in a report.json, of its people and its figures."""
    text = json.dumps(report)
    verifier = runpy.run_path(str(templates_folder() / "verify.py"))
    shipped = verifier["Report"](verifier["read_json"](text.encode()))
    shipped.check()
    stated = read_report(text, "report.json")
    found = [*people_findings(stated), *measure_findings(Recalculation(stated))]
    return [str(each) for each in (*shipped.findings, *found, *explanation_findings(Recalculation(stated)))]


def assert_verifiers_agree(seed: int, folder: Path) -> int:
    """1 where a random report leaves people out; both verifiers calculate what it says, and see who is hidden."""
    _, spec = random_case(seed, folder)
    spec["policy"].pop("privacy", None)  # only a build refuses what exceeds a ceiling
    spec["fairness"] = [each for each in spec["fairness"] if each["measure"] != "individual"]
    try:
        report = report_of(spec, folder)
    except AtreportError:
        return 0
    assert not findings(report), seed
    left_out = report["privacy"]["unprotectable"].pop("left_out", [])
    if not left_out:
        return 0
    assert not report["influence"], "they would not hold for those who are left out"
    assert findings(report), "nobody is said to be left out"
    if spec["disclosure"]["population"] == "counts" and spec["policy"]["small_cells"] == "warn":
        assert_share_is_held(report, left_out, spec["policy"]["decimals"])
    return 1


def assert_share_is_held(report: dict[str, Any], left_out: list[dict[str, Any]], decimals: int) -> None:
    """Other numbers of people left out are found where they give another printed share of everybody."""
    published = sum(cell["population"] for cell in report["cells"])
    true = left_out[0]["people"]
    shares = {}
    for number in (true, 1, 2 * true, 1000 * true):
        left_out[0]["people"] = number
        report["privacy"]["unprotectable"]["left_out"] = left_out
        people = sum(each["people"] for each in left_out)
        shares[number] = rounded_up(Fraction(people, people + published), decimals)
        assert shares[number] == shares[true] or findings(report), number
    assert len({*shares.values()}) > 1, "nothing was tried"


def test_both_verifiers_count_who_is_left_out(tmp_path: Path) -> None:
    """Neither verifier calculates other intervals than the report has, nor lets the people who are left out be hidden."""
    assert sum(assert_verifiers_agree(80_000 + k, tmp_path) for k in range(12)) > 1


@pytest.mark.slow
@pytest.mark.parametrize("part", range(5))
def test_verifiers_count_who_is_left_out_everywhere(part: int, tmp_path: Path) -> None:
    """The same of 300 more reports."""
    seeds = range(81_000 + 60 * part, 81_060 + 60 * part)
    assert sum(assert_verifiers_agree(seed, tmp_path) for seed in seeds) > 8


def test_a_label_that_was_not_recorded_counts_on_neither_side(tmp_path: Path) -> None:
    """Were people of whom nobody knows what happened counted as negative, error rates would be those of other people."""
    file, spec = random_case(910_356, tmp_path)
    assert "repaid" in spec["source"]["records"]["missing"]["attributes"]
    report = report_of(spec, tmp_path)
    assert not list(faults(file, spec, report))
    assert any(each["measure"] == "error_rates" for each in report["fairness"])


@pytest.mark.parametrize("seed", [900_034, 910_605, 910_834])
def test_shares_of_few_digits_accuse_nobody(seed: int, tmp_path: Path) -> None:
    """Among 10^11 people the share of a few has one or two digits: an honest report was said to state other figures."""
    _, spec = random_case(seed, tmp_path)
    assert spec["disclosure"]["population"] == "shares"
    assert not findings(report_of(spec, tmp_path))


@pytest.mark.parametrize("seed", [960_015, 960_095, 960_171])
def test_rounded_shares_accuse_no_influence(seed: int, tmp_path: Path) -> None:
    """How far draws reach, and how far an influence can move, hold for the exact people: a report was accused of both."""
    _, spec = random_case(seed, tmp_path)
    spec["policy"] |= {"decimals": 9, "small_cells": "warn"}
    spec["policy"].pop("privacy", None)
    spec["disclosure"]["population"] = "shares"
    town = {"title": "q", "group": {"town": "Ash"}}
    spec["transparency"] = {"influence": {"quantities": [town], "permutation": True, "firm": True}}
    report = report_of(spec, tmp_path)
    assert not findings(report)
    for name in ("a_priori", "reach"):
        wrong = copy.deepcopy(report)
        wrong["influence"][-1][name] = round(wrong["influence"][-1][name] * 0.9, 9)
        assert findings(wrong), name
