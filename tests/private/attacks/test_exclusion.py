"""What a reader can rule out: every exclusion and odds factor against brute force in fractions."""

import json
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from atreport.core.band import Closeness
from atreport.core.cells import IntArray, arrange
from atreport.core.rule_table import RuleTable
from atreport.private.attacks.exclusion import Exclusion, exclusion_of
from atreport.private.data.table import read_table
from atreport.private.draft import draft_announcement
from atreport.spec.process import Process
from atreport.text.tables import ANNEX, TERMINAL
from tests.example import example_spec


def _process(outcomes: int, sensitive: int, private: int) -> Process:
    roles = ["public", *["sensitive"] * sensitive, *["private"] * private]
    attributes = [
        {"name": f"{role}{i}", "role": role, "values": [f"v{j}" for j in range(2 + i % 2)]}
        for i, role in enumerate(roles)
    ]
    values = [f"o{i}" for i in range(outcomes)]
    outcome = {"name": "decision", "values": values, "favourable": values[-1]}
    return Process.model_validate({"name": "test", "outcome": outcome, "attributes": attributes})


def _random_rule(seed: int) -> RuleTable:
    """A rule on some cells of a small process, with many zeros among its announced steps."""
    rng = np.random.default_rng(seed)
    process = _process(int(rng.integers(2, 4)), int(rng.integers(1, 3)), int(rng.integers(0, 2)))
    everything = list(product(*(range(len(a.values)) for a in process.attributes)))
    codes = np.array(everything, dtype=np.int32)[rng.permutation(len(everything))]
    codes = codes[: max(1, int(len(codes) * rng.uniform(0.4, 1)))]
    cells, _ = arrange(process, codes, rng.integers(1, 20, len(codes)))
    steps = rng.integers(0, 11, (len(cells), len(process.outcome.values)))
    steps *= rng.random(steps.shape) < rng.choice([0.4, 0.8, 1.0])
    steps[:, 0] += steps.sum(axis=1) == 0
    mapping: IntArray = steps * 100 // steps.sum(axis=1, keepdims=True)
    mapping[:, int(rng.integers(steps.shape[1]))] += 100 - mapping.sum(axis=1)
    return RuleTable(
        cells=cells,
        mapping=mapping,
        decimals=2,
        fidelity=Closeness(delta=None, alpha=None),
        weights=(cells.population,),
        population="counts",
    )


def _by_brute_force(rule: RuleTable) -> dict[int, tuple[set[tuple[str, str, str]], Fraction | None]]:
    """For each group what Bayes' rule makes impossible, and the largest ratio of any two cells for any outcome."""
    cells, process = rule.cells, rule.cells.process
    found = {}
    for group in set(cells.group.tolist()):
        members = [i for i in range(len(cells)) if cells.group[i] == group]
        ruled_out: set[tuple[str, str, str]] = set()
        factor: Fraction | None = Fraction(1)
        for place, outcome in enumerate(process.outcome.values):
            announced = {i: Fraction(int(rule.mapping[i, place]), rule.scale) for i in members}
            for i, j in product(members, repeat=2):
                if announced[i] and factor is not None:
                    factor = max(factor, announced[i] / announced[j]) if announced[j] else None
            mass = sum(int(cells.population[i]) * announced[i] for i in members)
            for attribute in process.of_role("sensitive"):
                have = {i: cells.labels(i, (attribute,))[attribute.name] for i in members}
                for value in set(have.values()):
                    of_value = sum(
                        int(cells.population[i]) * announced[i] for i in members if have[i] == value
                    )
                    if mass and Fraction(of_value, 1) / mass == 0:
                        ruled_out.add((outcome, attribute.name, value))
        found[group] = ruled_out, factor
    return found


def _groups(found: Exclusion) -> dict[tuple[str, ...], dict[str, Any]]:
    return {tuple(row["qid"].values()): row for row in found.records(None)}


@pytest.mark.parametrize("seed", range(60))
def test_exclusions_and_factors_against_brute_force(seed: int) -> None:
    """Exactly what Bayes' rule makes impossible is ruled out; the factor is the largest ratio; worst groups come first."""
    rule = _random_rule(seed)
    found, expected = exclusion_of(rule), _by_brute_force(rule)
    rows = _groups(found)
    public = rule.cells.process.of_role("public")
    for group, start in enumerate(rule.cells.group_starts.tolist()):
        ruled_out, factor = expected[group]
        row = rows[tuple(rule.cells.labels(start, public).values())]
        listed = [(each["outcome"], each["attribute"], each["value"]) for each in row["ruled_out"]]
        assert len(listed) == len(set(listed))
        assert set(listed) == ruled_out
        assert found.odds_factor(group) == factor
        if factor is None:
            assert row["odds_factor"] is None
        else:
            assert not ruled_out, "what is ruled out has no bounded factor"
            assert 0 <= Fraction(str(row["odds_factor"])) - factor < Fraction(1, 100)
    order = [(-len(row["ruled_out"]), -(row["odds_factor"] or np.inf)) for row in found.records(None)]
    assert order == sorted(order)
    summary = found.as_json(1)["exclusion"]
    assert summary["groups"] == len(expected)
    assert summary["groups_with_values_ruled_out"] == sum(bool(each) for each, _ in expected.values())
    assert summary["groups_with_unbounded_odds"] == sum(factor is None for _, factor in expected.values())
    assert len(summary["worst_first"]) == 1
    json.dumps(summary, allow_nan=False)


def test_the_example_by_hand() -> None:
    """The published truth rules out incomes of every woman; what is announced at δ = 0.9 has bounded odds."""
    spec = example_spec(("delta: 0.9", "delta: 1"), ("  privacy: {beta: 0.7}\n", ""))
    found = exclusion_of(draft_announcement(spec, read_table(spec)).announcement.rule)
    women, men = found.records(None)
    assert women == {
        "qid": {"gender": "F"},
        "odds_factor": None,
        "ruled_out": [
            {"outcome": "denied", "attribute": "income", "value": ">200k"},
            {"outcome": "approved", "attribute": "income", "value": "<100k"},
            {"outcome": "approved", "attribute": "income", "value": "100k-200k"},
        ],
    }
    assert [(each["outcome"], each["value"]) for each in men["ruled_out"]] == [
        ("denied", ">200k"),
        ("approved", "<100k"),
    ]
    part = found.shown(ANNEX)
    assert "In 2 of 2 groups an outcome rules out a sensitive value" in part.text
    assert [cell.text for cell in part.tables[0].rows[0]] == [
        "Gender: F",
        "denied: not >200k; approved: not <100k, 100k-200k",
        "unbounded",
    ]

    spec = example_spec()
    found = exclusion_of(draft_announcement(spec, read_table(spec)).announcement.rule)
    assert [row["odds_factor"] for row in found.records(None)] == [45.0, 9.0]  # 0.9 / 0.02 and 0.9 / 0.1
    part = found.shown(TERMINAL)
    assert "In none of 2 groups" in part.text
    assert [cell.text for cell in part.tables[0].rows[0]] == ["Gender: F", "nothing", "45"]
    assert found.exceeding == 0
