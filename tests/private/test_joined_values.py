"""Values that had to be joined: no figure of the report is false about the people behind them."""

import json
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from atreport import build, verify
from atreport.errors import InvalidInput, Refused
from atreport.measures import measure_one
from atreport.measures.measured import Measured
from atreport.private import protect
from atreport.private.auditor import verify_with_data
from atreport.private.prepare import Prepared, prepare_spec
from atreport.private.true_rule import TRUE_DECIMALS, TrueRule
from atreport.report.model import Report
from atreport.spec.load import load_spec, parse_spec
from tests.assessing import published
from tests.thoroughness import examples

VERIFIER = Path(__file__).parents[2] / "templates" / "verify.py"


def spec_text(rows: list[dict[str, Any]], measures: list[dict[str, Any]], **policy: Any) -> str:
    """A spec with races that can be joined, city by city."""
    races = ["A", "B", "C"]
    return json.dumps(
        {
            "atreport": 1,
            "report": {"title": "T", "publisher": "P", "version": "1", "date": "2026-01-15"},
            "process": {
                "name": "N",
                "outcome": {"name": "decision", "values": ["no", "yes"], "favourable": "yes"},
                "attributes": [
                    {"name": "race", "role": "public", "values": races, "hierarchy": [{"any race": races}]},
                    {"name": "city", "role": "public", "values": ["x", "y", "z"]},
                    {"name": "illness", "role": "sensitive", "values": ["none", "some"]},
                ],
            },
            "source": {"table": rows},
            "policy": {"fidelity": {"delta": 0.95}, "unprotectable": "merge", **policy},
            "fairness": measures,
            "disclosure": {"population": "counts"},
        }
    )


def row(race: str, city: str, illness: str, population: int, yes: float) -> dict[str, Any]:
    """One row of the table."""
    return {"race": race, "city": city, "illness": illness, "population": population, "yes": yes}


ALIKE = [
    row(race, city, illness, 100, 0.9 if city == "x" else 0.1)
    for race in "AB"
    for city in "xy"
    for illness in ("none", "some")
    if not (race == "B" and city == "x" and illness == "some")  # in x, everybody of race B is well
]
"""Races A and B are treated exactly alike, city by city, and are alike in number but for one group."""

RATIO = {"measure": "p_percent_rule", "groups": "race", "p": 0.8}


def test_races_that_are_treated_alike_are_not_said_to_be_treated_differently() -> None:
    """The issue's case: the coarser value was a rival race with nine times the rate, and the verdict false."""
    report = published(prepare_spec(parse_spec(spec_text(ALIKE, [RATIO]))))
    assert [each.value for each in report.privacy.unprotectable.merged] == ["any race"]
    assert all("any race" not in (entry.groups or ()) for entry in report.fairness)
    entry = report.fairness[0]
    assert entry.groups == ("A", "B")
    assert entry.interval is not None
    # 300 and 300 people, all of them in x joined
    assert entry.interval[0] < Fraction("0.4") < 1 == entry.interval[1]
    assert entry.verdict == "cannot_tell"
    assert entry.a_priori is None
    assert report.process.attribute("race").joined == {"any race": ("A", "B", "C")}
    note = next(note.text for note in report.notes if note.id == "joined")
    assert "“any race” of “race” stands for: “A”, “B” and “C”" in note


def random_case(seed: int) -> str:
    """Some races in some cities, all well or all ill, so that they have to be joined."""
    rng = random.Random(seed)
    rows = [
        row(race, city, illness, rng.choice([1, 5, 30, 200]), rng.choice([0, 1, round(rng.random(), 2)]))
        for race in "ABC"
        for city in "xyz"
        for illness in rng.choice([("none", "some"), ("none", "some"), ("none", "some"), ("some",)])
    ]
    measures: list[dict[str, Any]] = [
        {"measure": "statistical_parity", "groups": "race", "threshold": 0.2},
        RATIO,
        {"measure": "odds_ratio", "groups": "race", "p": 0.5},
        {"measure": "impact_ratio", "groups": "race"},
        {"measure": "group_disparity", "groups": "race", "threshold": 0.3},
        {"measure": "group_disparity", "groups": ["race", "illness"]},
        {"measure": "statistical_parity", "groups": ["race", "city"]},
        {"measure": "conditional_statistical_parity", "groups": "race", "given": "illness", "threshold": 0.1},
        {"measure": "conditional_statistical_parity", "groups": "city", "given": "race"},
        {"measure": "conditional_statistical_parity", "groups": "illness", "given": ["race", "city"]},
        {"measure": "statistical_parity", "groups": {"c": {"city": ["x"]}, "d": {"illness": ["some"]}}},
    ]
    more: dict[str, Any] = rng.choice(
        [
            {},
            {"small_cells": "round"},
            {"decimals": 2},
            {"fidelity": {"delta": 0.9999}},
            {"fidelity": {"delta": 0.9, "rates": 0.98}},
        ]
    )
    return spec_text(rows, measures, **more)


def truth_of(prepared: Prepared) -> dict[tuple[Any, ...], list[Measured]]:
    """What is asked of the data themselves, by what it is about."""
    found: dict[tuple[Any, ...], list[Measured]] = {}
    data = TrueRule(prepared.raw_table).as_it_is(TRUE_DECIMALS)
    for asked in prepared.spec.fairness:
        for each in measure_one(data, asked, unknown=False):
            if isinstance(each, Measured):
                groups = (each.groups or ())[: asked.groups_asked]
                found.setdefault((asked.measure, asked.limit, groups, str(each.given)), []).append(each)
    return found


def contradictions(report: Report, prepared: Prepared) -> list[str]:
    """Figures of the report that the data contradict."""
    truth = truth_of(prepared)
    wrong = []
    for said in report.fairness:
        given = None if said.given is None else dict(said.given)
        true = truth[said.measure, said.threshold, said.groups_asked, str(given)].pop(0)
        assert true.ranges is not None
        assert said.interval is not None
        if true.ranges[0].low > said.interval[1] or true.ranges[0].high < said.interval[0]:
            wrong.append(f"{said}")
        rates = {rate.group: rate.ranges[0] for rate in true.rates}
        for rate in said.rates or ():
            known = rates.get(rate.group)  # of an impact ratio the most favoured group may be another
            if known is not None and (known.low > rate.interval[1] or known.high < rate.interval[0]):
                wrong.append(f"{said.measure} {rate}")
    return wrong


@pytest.mark.parametrize("seed", range(examples(100)))
def test_the_figures_of_the_data_lie_in_the_stated_intervals(seed: int) -> None:
    """Whatever was joined: every measure and every rate of the data by their own values is where the report says."""
    try:
        prepared = prepare_spec(parse_spec(random_case(seed)))
    except Refused:
        pytest.skip("even the coarsest values do not help")
    report = published(prepared)
    assert not contradictions(report, prepared)
    for each in report.not_assessed or ():
        assert each.reason == "joined" or not report.privacy.unprotectable.merged


@pytest.mark.parametrize("seed", [1, pytest.param(3, marks=pytest.mark.slow), 4])
def test_both_verifiers_and_the_auditor_agree(seed: int, tmp_path: Path) -> None:
    """They recalculate the intervals over every split, and the auditor finds the data in them."""
    path = tmp_path / "joined.yaml"
    path.write_text(random_case(seed), encoding="utf-8")
    folder = build(path, tmp_path / "out", formats=["json"]).folder
    found = verify(folder / "public")
    assert found.holds, [check for check in found.checks if not check.holds]
    alone = subprocess.run(
        [sys.executable, VERIFIER, "--accept=figures", folder / "public"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert alone.returncode == 0, alone.stdout
    with_data = verify_with_data(folder, path)
    assert with_data.holds, [check for check in with_data.checks if not check.holds]


def test_the_auditor_notices_a_coarser_value_taken_for_a_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report that does not say what a merged value stands for fits by its figures alone; beside the data it does not."""
    path = tmp_path / "joined.yaml"
    path.write_text(spec_text(ALIKE, [RATIO]), encoding="utf-8")
    with monkeypatch.context() as patched:
        patched.setattr(protect, "_stands_for", lambda *_: ())
        folder = build(path, tmp_path / "out", formats=["json"]).folder
    assert [check.id for check in verify(folder / "public").checks if not check.holds] == ["statements"]
    found = [text for check in verify_with_data(folder, path).checks for text in check.findings]
    assert any("compares groups that the data do not have" in text for text in found)


def test_a_value_may_stay_alone_under_its_own_name() -> None:
    """It keeps its name at the next level, is no joined value, and can be joined further up."""
    text = spec_text(ALIKE, [RATIO])
    levels = [{"A or B": ["A", "B"], "C": ["C"]}, {"any race": ["A or B", "C"]}]
    text = text.replace(json.dumps([{"any race": ["A", "B", "C"]}]), json.dumps(levels))
    report = published(prepare_spec(parse_spec(text)))
    assert report.process.attribute("race").joined == {"A or B": ("A", "B")}
    with pytest.raises(InvalidInput, match=r"only a value that stays alone keeps its own: 'A: \[A\]'"):
        parse_spec(text.replace('"A or B": ["A", "B"]', '"A": ["A", "B"]'))


def test_values_may_be_joined_in_the_data_already(tmp_path: Path) -> None:
    """A spec may say so itself; what does not fit is answered at its place."""
    rows = [*ALIKE, row("A or B", "z", "none", 9, 0.5), row("A or B", "z", "some", 9, 0.5)]
    spec = json.loads(spec_text(rows, [RATIO]))
    race = spec["process"]["attributes"][0]
    del race["hierarchy"], spec["policy"]["unprotectable"]
    race |= {"values": ["A", "B", "C", "A or B"], "joined": {"A or B": ["A", "B"]}}
    path = tmp_path / "joined.yaml"
    path.write_text(json.dumps(spec), encoding="utf-8")
    report = published(prepare_spec(load_spec(path)))
    assert report.fairness[0].groups == ("A", "B")
    for change, words in [
        ({"joined": {"A or D": ["A", "B"]}}, "'A or D' is not a known value"),
        ({"joined": {"A or B": ["A"]}}, "two values or more"),
        ({"joined": {"A or B": ["A", "A or B"]}}, "'A or B' is no value that stands for itself"),
        ({"role": "sensitive"}, "every value must be known"),
        ({"hierarchy": [{"any": ["A", "B", "C", "A or B"]}]}, "not both"),
    ]:
        broken = json.loads(path.read_text(encoding="utf-8"))
        broken["process"]["attributes"][0] |= change
        with pytest.raises(InvalidInput, match=words):
            parse_spec(json.dumps(broken))


def test_a_form_by_joined_values_is_refused() -> None:
    """A table of numbers by race cannot be filled in where the report does not say who is who."""
    spec = json.loads(spec_text(ALIKE, [RATIO]))
    spec["report"]["template"] = "eeoc"
    texts = dict.fromkeys(("job", "period", "components", "data_source", "procedure"), "Clerk")
    spec["form"] = {"groups": ["race"], **texts}
    with pytest.raises(Refused, match="table by 'race'"):
        prepare_spec(parse_spec(json.dumps(spec)))
