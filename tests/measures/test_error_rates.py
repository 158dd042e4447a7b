"""Error rates: agreement with Fairlearn where nothing was changed, truth inside where something was, attained ends."""

import json
import random
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from atreport import build, verify
from atreport.core.band import Closeness
from atreport.core.cells import arrange
from atreport.core.rule_table import RuleTable
from atreport.measures import measure_one
from atreport.measures.measured import Measured, MeasuredRate, NotMeasured
from atreport.pages.own_case import own_case, parse_record
from atreport.pages.sections.decision import case_lookup
from atreport.private.auditor import verify_with_data
from atreport.private.prepare import prepare_spec
from atreport.private.true_rule import TRUE_DECIMALS, TrueRule
from atreport.report.model import Report
from atreport.spec.fairness import ErrorRates
from atreport.spec.load import parse_spec
from atreport.verification.recalculation import _verifier
from tests.assessing import published
from tests.example import announced, process_with
from tests.measures.test_interop import decided_cases
from tests.pages.test_personal import amounts
from tests.thoroughness import examples

ASKED = ErrorRates(measure="error_rates", groups="group", label="other", positive=("o1",))


def values_of(found: Sequence[Measured], rate: str) -> list[Fraction]:
    """The unrounded values of one rate, of every two groups; all of them exact."""
    each = [one.ranges[0] for one in found if one.rate == rate and one.ranges is not None]
    assert all(r.low == r.value == r.high for r in each)
    return [r.value for r in each]


def test_agrees_with_fairlearn() -> None:
    """Its rates of every group, and its equalised odds and equal opportunity differences, to 1e-12."""
    metrics = pytest.importorskip("fairlearn.metrics")
    from sklearn.metrics import precision_score

    scores = {
        "true_positive": metrics.true_positive_rate,
        "false_positive": metrics.false_positive_rate,
        "false_negative": metrics.false_negative_rate,
        "predictive": precision_score,
    }
    for seed in range(20):
        announcement, cases = decided_cases(seed)
        found = [each for each in measure_one(announcement.rule, ASKED) if isinstance(each, Measured)]
        given = {
            "y_true": (cases["other"] == "o1").astype(int),
            "y_pred": cases["decided"],
            "sensitive_features": cases["group"],
        }
        for kind, score in scores.items():
            by_group = metrics.MetricFrame(metrics=score, **given).by_group
            shown = {r.group: r.ranges[0].value for one in found for r in one.rates if r.kind == kind}
            assert set(shown) == set(by_group.index)
            for group, value in shown.items():
                assert float(value) == pytest.approx(by_group[group], abs=1e-12)
        odds = metrics.equalized_odds_difference(**given)
        opportunity = metrics.equal_opportunity_difference(**given)
        assert float(max(values_of(found, "equalised_odds"))) == pytest.approx(odds, abs=1e-12)
        assert float(max(values_of(found, "equal_opportunity"))) == pytest.approx(opportunity, abs=1e-12)
        assert values_of(found, "false_negative") == values_of(found, "equal_opportunity")


def test_a_predictive_rate_needs_somebody_who_is_favoured() -> None:
    """Whether those are right or wrong decisions: of one group all are right, of one all are wrong, of two there are none.

    The last of these has nobody for whom a favourable decision would be wrong: nor is any of them favoured.
    """
    codes = np.array([*product(range(3), range(1), range(2)), (3, 0, 1)], dtype=np.int32)
    cells, _ = arrange(process_with(4, 1, 2), codes, np.full(len(codes), 10))
    favoured = {(0, 1): 4000, (1, 0): 7000}  # by group and label
    steps = np.array([favoured.get((g, o), 0) for g, _, o in cells.codes.tolist()])
    asked = ASKED.model_copy(update={"rates": ("predictive_parity",)})
    found = list(measure_one(announced(cells, steps).rule, asked))
    (measured,) = (one for one in found if isinstance(one, Measured))
    assert measured.groups == ("g0", "g1")
    assert [of.value for of in measured.ranges or ()] == [1]
    missing = [one for one in found if isinstance(one, NotMeasured)]
    assert {one.reason for one in missing} == {"nobody"}
    pairs = [("g0", "g2"), ("g0", "g3"), ("g1", "g2"), ("g1", "g3"), ("g2", "g3")]
    assert [one.groups for one in missing] == pairs


def shipped(path: Path) -> int:
    """The exit code of the shipped verifier."""
    code: int = _verifier().main(["--accept=figures", str(path)])
    return code


def random_case(seed: int) -> str:
    """A spec with what really happened, published in some way."""
    rng = random.Random(seed)
    rows = [
        {
            "group": group,
            "work": work,
            "illness": illness,
            "happened": happened,
            "population": rng.choice([2, 5, 30, 200]),
            "yes": rng.choice([0, 1, round(rng.random(), 2)]),
        }
        for group in "ABC"
        for work in "uv"
        for illness in ("none", "some")
        for happened in rng.choice([("bad", "good", "?"), ("bad", "good"), ("bad", "good"), ("bad",)])
    ]
    ask = {"label": "happened", "positive": "good", "threshold": 0.2}
    more: dict[str, Any] = rng.choice(
        [
            {},
            {"small_cells": "round"},
            {"decimals": 2},
            {"fidelity": {"alpha": 0.8}},
            {"fidelity": {"delta": 0.9, "rates": 0.98}},
        ]
    )
    return json.dumps(
        {
            "atreport": 1,
            "report": {"title": "T", "publisher": "P", "version": "1", "date": "2026-01-15"},
            "process": {
                "name": "N",
                "outcome": {"name": "decision", "values": ["no", "yes"], "favourable": "yes"},
                "attributes": [
                    {"name": "group", "role": "public", "values": ["A", "B", "C"]},
                    {"name": "work", "role": "private", "values": ["u", "v"]},
                    {"name": "happened", "role": "private", "values": ["bad", "good", "?"], "unknown": "?"},
                    {"name": "illness", "role": "sensitive", "values": ["none", "some"]},
                ],
                **({"estimated_from": "records"} if rng.random() < 0.5 else {}),
            },
            "source": {"table": rows},
            "policy": {"fidelity": {"delta": 0.9}, **more},
            "fairness": [
                {"measure": "error_rates", "groups": "group", **ask},
                {"measure": "error_rates", "groups": ["group", "work"], **ask, "rates": "predictive_parity"},
                {
                    "measure": "error_rates",
                    "groups": {"u": {"work": "u"}, "all": {"work": ["u", "v"]}},
                    **ask,
                },
                {"measure": "individual", "distance": {"group": 0, "work": 0.5}},
            ],
            "transparency": {
                "rules": {"tree": 2, "linear": True, "regions": 2},
                "influence": {
                    "shapley": True,
                    "firm": True,
                    "quantities": [{"title": "Q", "group": {"work": "u"}}],
                },
                "dependence": {"curves": ["pdp", "ice", "ale"]},
            },
            "disclosure": {"population": rng.choice(["counts", "shares"])},
        }
    )


@pytest.mark.parametrize("seed", range(examples(60)))
def test_the_truth_lies_in_the_stated_intervals(seed: int) -> None:
    """Of every comparison and every rate, whatever was changed, rounded or guarded."""
    prepared = prepare_spec(parse_spec(random_case(seed)))
    report = published(prepared)
    truth: dict[tuple[Any, ...], list[Measured]] = {}
    data = TrueRule(prepared.raw_table).as_it_is(TRUE_DECIMALS)
    for asked in prepared.spec.fairness[:3]:
        for each in measure_one(data, asked):
            if isinstance(each, Measured):
                truth.setdefault((each.rate, each.groups), []).append(each)
    compared = 0
    for said in report.fairness:
        if said.rate is None or not (same := truth.get((said.rate, said.groups))):
            continue
        true = same.pop(0)
        assert true.ranges is not None
        assert said.interval is not None
        assert true.ranges[0].low <= said.interval[1]
        assert true.ranges[0].high >= said.interval[0]
        compared += 1
        for rate, exact in zip(said.rates or (), true.rates, strict=True):
            assert (rate.group, rate.kind) == (exact.group, exact.kind)
            assert exact.ranges[0].low <= rate.interval[1]
            assert exact.ranges[0].high >= rate.interval[0]
    assert compared


def rules_at_corners(table: RuleTable) -> Iterator[RuleTable]:
    """Every rule that takes an end of the band in each cell, unchanged."""
    band = table.truth
    for ends in product((band.lower, band.upper), repeat=len(table.cells)):
        steps = np.array([end[i] for i, end in enumerate(ends)]) * table.scale // band.denominator
        mapping = np.column_stack([table.scale - steps, steps])
        yield RuleTable(
            cells=table.cells,
            mapping=mapping,
            decimals=table.decimals,
            fidelity=Closeness(delta=Decimal(1)),
            weights=table.weights,
            population=table.population,
        )


def test_the_ends_of_rates_are_attained() -> None:
    """Brute force over the corners of the band: no rate has an end that no rule attains, predictive ones included."""
    rng = np.random.default_rng(3)
    for _ in range(10):
        codes = np.array(list(product(range(2), range(2), range(2))), dtype=np.int32)
        cells, _ = arrange(process_with(2, 2, 2), codes, rng.integers(1, 9, 8))
        steps = rng.integers(0, 11, 8) * 10
        table = RuleTable(
            cells=cells,
            mapping=np.column_stack([100 - steps, steps]),
            decimals=2,
            fidelity=Closeness(delta=Decimal("0.8")),
            weights=(cells.population,),
            population="counts",
        )
        found = rates_of(measure_one(table, ASKED))
        corners = [rates_of(measure_one(corner, ASKED)) for corner in rules_at_corners(table)]
        for key, rate in found.items():
            values = [each[key].ranges[0].value for each in corners if key in each]
            assert rate.ranges[0].low == min(values)
            assert rate.ranges[0].high == max(values)


def rates_of(found: Iterator[Measured | NotMeasured]) -> dict[tuple[str, str], MeasuredRate]:
    """Every error rate, by group and kind."""
    return {
        (rate.group, rate.kind or ""): rate
        for each in found
        if isinstance(each, Measured)
        for rate in each.rates
    }


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_verifiers_and_auditor_agree(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """This program, the shipped verifier and the auditor find the same figures."""
    path = tmp_path / "errors.yaml"
    path.write_text(random_case(seed), encoding="utf-8")
    folder = build(path, tmp_path / "out", formats=["json"]).folder
    found = verify_with_data(folder, path)
    assert verify(folder / "public").holds
    assert found.holds, found.findings
    assert shipped(folder / "public") == 0, capsys.readouterr().out
    stated = json.loads((folder / "public" / "report.json").read_text(encoding="utf-8"))
    entry = next(e for e in stated["fairness"] if e.get("rate") == "predictive_parity")
    entry["rates"][0]["value"] = round(1 - entry["rates"][0]["value"], 2)
    (tmp_path / "report.json").write_text(json.dumps(stated), encoding="utf-8")
    assert shipped(tmp_path / "report.json") == 1
    assert "predictive of" in capsys.readouterr().out


@pytest.mark.parametrize("fidelity", ["delta: 0.97", "delta: 0.97, rates: 0.99"])
def test_the_example_holds_with_chance_and_kept_rates(
    fidelity: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every rate has an interval for chance, and the shipped verifier recalculates all of them."""
    path = tmp_path / "release.yaml"
    text = (Path(__file__).parents[2] / "specs" / "release_decisions.yaml").read_text(encoding="utf-8")
    path.write_text(text.replace("delta: 0.97", fidelity), encoding="utf-8")
    result = build(path, tmp_path / "out", formats=["json"])
    assert all(rate.sampling for entry in result.report.fairness for rate in entry.rates or ())
    assert shipped(result.folder / "public") == 0, capsys.readouterr().out


def explained_by(report: Report) -> set[str]:
    """Every attribute that rules, influences, the look-up or a letter speak of."""
    found = {name for each in report.influence for name in (*each.attributes, *(each.at or {}))}
    for rules in report.rules:
        found |= {name for each in rules.rules or () for name in each.condition}
        found |= {name for each in rules.regions or () for name in each.condition}
        found |= {each.attribute for each in rules.coefficients or () if each.attribute}
    return found


def test_what_really_happened_explains_nothing() -> None:
    """It is in the cells and in error rates, and in no rule, influence, look-up, reason or letter."""
    report = published(prepare_spec(parse_spec(random_case(0))))
    assert all("happened" in cell.values for cell in report.cells)
    assert explained_by(report) == {"group", "work", "illness"}
    own = own_case(report, parse_record(report, "group=A,work=u,illness=none"))
    assert "happened" not in str(own)
    assert "happened" not in str(amounts(report, own.record))
    lookup = case_lookup(report)
    assert lookup is not None
    assert [name for name, _ in lookup.choices] == ["group", "work", "illness"]
    assert report.described_rule.cells.population.sum() == report.rule_table.cells.population.sum()


def test_the_rule_without_labels_is_the_average() -> None:
    """By the people of each label, to the nearest step; and the band holds the average of every rule in the band."""
    for seed, (a, b) in enumerate(combinations(range(4), 2)):
        rule = decided_cases(seed)[0].rule
        described = rule.without(["other"])
        assert [x.name for x in described.cells.process.attributes] == ["group", "secret"]
        column = described.cells.codes
        for cell in (a, b):
            of = (rule.cells.codes[:, :2] == column[cell]).all(axis=1)
            people = rule.cells.population[of]
            average = Fraction(int((people * rule.announced[of]).sum()), int(people.sum()))
            assert abs(described.announced[cell] - average) <= Fraction(1, 2)
            low, high = described.truth.lower[cell], described.truth.upper[cell]
            assert low <= average <= high <= low + 1
        assert (described.mapping.sum(axis=1) == rule.scale).all()
