"""Rules and simpler models: exact where they say so, as faithful as they say, and anchors no larger than needed."""

from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from atreport.core.cells import arrange
from atreport.core.rule_table import RuleTable
from atreport.explain.anchors import find_anchor
from atreport.explain.exact_rules import exact_rules
from atreport.explain.explanation import members_of
from atreport.explain.interventions import Game
from atreport.explain.linear import linear_model
from atreport.explain.logistic import logistic_model
from atreport.explain.regions import palm_regions
from atreport.explain.tree import surrogate_tree
from atreport.report.explanation import RuleSet
from tests.explain.test_influence import exact_rule, process_of, random_game


def coarse_rule(seed: int, sizes: list[int], fill: float = 1.0, population: Any = "counts") -> RuleTable:
    """A rule with few different probabilities, so that rules have something to join."""
    game = random_game(seed, sizes, fill)
    rng = np.random.default_rng(seed)
    levels = rng.choice([500, 2500, 9000], (sizes[0], sizes[1]))
    steps = levels[game.cells.codes[:, 0], game.cells.codes[:, 1]]
    steps = np.where(rng.random(len(steps)) < 0.2, rng.choice([500, 7000], len(steps)), steps)
    return exact_rule(
        Game(cells=game.cells, weights=game.weights, steps=steps.astype(np.int64), group=game.group),
        population,
    )


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([0.3, 0.7, 1.0]))
def test_exact_rules_give_every_cell_its_probability(seed: int, fill: float) -> None:
    """Every cell meets exactly one rule, which names its announced probability; and the list is shorter than the table."""
    table = coarse_rule(seed, [3, 3, 2], fill)
    found = exact_rules(table)
    assume(found is not None)
    assert found is not None
    assert found.rules is not None
    assert len(found.rules) < len(table.cells)
    met = np.zeros(len(table.cells), dtype=int)
    for rule in found.rules:
        inside = members_of(table.cells, rule.condition)
        met += inside
        assert (table.announced[inside] == int(rule.probability.scaleb(4))).all()
    assert (met == 1).all()


def test_rules_ask_only_for_what_matters() -> None:
    """An attribute that makes no difference is in no rule, and values that lead to the same are named together."""
    codes = np.array([[a, b] for a in range(3) for b in range(2)], dtype=np.int32)
    cells, _ = arrange(process_of([3, 2]), codes, np.full(6, 10))
    steps = np.where(cells.codes[:, 0] == 2, 9000, 1000)
    game = Game(cells=cells, weights=cells.population, steps=steps, group=np.ones(6, dtype=bool))
    found = exact_rules(exact_rule(game))
    assert found is not None
    assert found.rules is not None
    assert [(dict(rule.condition), rule.probability, rule.share) for rule in found.rules] == [
        ({"a0": ("v2",)}, Decimal("0.9"), Decimal("0.3333")),
        ({"a0": ("v0", "v1")}, Decimal("0.1"), Decimal("0.6667")),
    ]


def test_long_lists_are_left_out() -> None:
    """A rule with a probability of its own in every cell has no shorter list, and none is shown."""
    assert exact_rules(exact_rule(random_game(1, [4, 4, 4]))) is None


def predicted(table: RuleTable, rule_set: RuleSet) -> list[Fraction | None]:
    """What the printed rules, regions or amounts give each cell, read as a stranger would."""
    answers: list[Fraction | None] = [None] * len(table.cells)
    rules = [(rule.condition, rule.probability) for rule in rule_set.rules or ()]
    for region in rule_set.regions or ():
        rules += [({**region.condition, **rule.condition}, rule.probability) for rule in region.rules]
    for condition, probability in rules:
        for cell in np.flatnonzero(members_of(table.cells, condition)).tolist():
            assert answers[cell] is None, "two rules for one cell"
            answers[cell] = Fraction(probability)
    if rule_set.coefficients:
        for cell in range(len(table.cells)):
            labels = table.cells.labels(cell, table.cells.process.attributes)
            total = sum(
                (
                    Fraction(c.amount)
                    for c in rule_set.coefficients
                    if c.attribute is None or labels[c.attribute] == c.value
                ),
                Fraction(0),
            )
            answers[cell] = min(max(total, Fraction(0)), Fraction(1))
    return answers


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([0.5, 1.0]), st.sampled_from(["shares", "counts", "withheld"]))
def test_faithfulness_is_what_a_reader_finds(seed: int, fill: float, population: str) -> None:
    """Following the printed tree, regions and linear model by hand is off by no more than they say, and no less at worst."""
    table = coarse_rule(seed, [3, 4, 2], fill, population)
    made = [
        surrogate_tree(table, 2, ["a1"]),
        surrogate_tree(table, 8, []),
        palm_regions(table, 3, ["a1"]),
        linear_model(table),
    ]
    for rule_set in made:
        errors = [
            abs(answer - Fraction(int(step), 10_000))
            for answer, step in zip(predicted(table, rule_set), table.announced, strict=True)
            if answer is not None
        ]
        assert len(errors) == len(table.cells), "every cell has an answer"
        assert rule_set.faithfulness is not None
        assert Fraction(rule_set.faithfulness.worst_error) == max(errors)
        step = Fraction(1, 10_000)
        for weights in table.published_weights:
            average = sum((int(w) * e for w, e in zip(weights, errors, strict=True)), Fraction(0)) / int(
                weights.sum()
            )
            assert average <= Fraction(rule_set.faithfulness.average_error) < average + 2 * step
        assert all((rule.share is None) == (population == "withheld") for rule in rule_set.rules or ())
    assert made[1].faithfulness is not None
    assert made[1].faithfulness.worst_error == 0, "deep enough, a tree is the rule itself"


def test_models_find_a_rule_that_is_of_their_kind() -> None:
    """A rule that is a sum of amounts is found exactly by the linear model; a logistic one nearly by the logistic."""
    codes = np.array([[a, b] for a in range(2) for b in range(3)], dtype=np.int32)
    cells, _ = arrange(process_of([2, 3]), codes, np.array([50, 40, 30, 20, 10, 60]))
    column = cells.codes
    linear = 1000 + 2000 * column[:, 0] + np.array([0, 1000, 4000])[column[:, 1]]
    odds = -1 + 1.5 * column[:, 0] + np.array([0, 0.5, -1])[column[:, 1]]
    logistic = np.rint(10_000 / (1 + np.exp(-odds)))
    for steps, model, within in ((linear, linear_model, "0"), (logistic, logistic_model, "0.02")):
        game = Game(
            cells=cells, weights=cells.population, steps=steps.astype(np.int64), group=column[:, 0] == 0
        )
        found = model(exact_rule(game))
        assert found.faithfulness is not None
        assert found.faithfulness.worst_error <= Decimal(within)
    amounts = [
        c.amount
        for c in linear_model(
            exact_rule(
                Game(
                    cells=cells,
                    weights=cells.population,
                    steps=linear.astype(np.int64),
                    group=column[:, 0] == 0,
                )
            )
        ).coefficients
        or ()
    ]
    assert amounts == [Decimal(n).scaleb(-4) for n in (1000, 2000, 1000, 4000)]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["0.6", "0.8", "0.9"]))
def test_anchors_are_the_smallest(seed: int, wanted: str) -> None:
    """No condition with fewer attributes is precise enough, none of the same size holds for more people."""
    table = coarse_rule(seed, [3, 3, 2])
    cells, weights = table.cells, table.cells.population
    names = [a.name for a in cells.process.attributes]
    record = cells.labels(0, cells.process.attributes)
    found = find_anchor(table, record, Decimal(wanted))
    assert found is not None
    anchor = found.anchor
    assert anchor is not None
    steps = table.announced_of(anchor.outcome)
    precise: dict[int, list[int]] = {}
    for size in range(len(names) + 1):
        for chosen in combinations(names, size):
            inside = members_of(cells, {name: (record[name],) for name in chosen})
            favoured, everybody = int(weights[inside] @ steps[inside]), int(weights[inside].sum())
            if Fraction(favoured, 10_000 * everybody) >= Fraction(wanted):
                precise.setdefault(size, []).append(everybody)
    if anchor.condition is None:
        assert not precise
        return
    holds = members_of(cells, anchor.condition)
    assert len(anchor.condition) == min(precise)
    assert int(weights[holds].sum()) == max(precise[len(anchor.condition)])
    assert anchor.interval[0] <= anchor.precision <= anchor.interval[1]
    rate = Fraction(int(weights[holds] @ steps[holds]), int(weights[holds].sum()) * 10_000)
    assert abs(Fraction(anchor.precision) - rate) <= Fraction(1, 20_000)


def test_nobody_has_no_anchor() -> None:
    """A combination that does not occur is not explained."""
    table = exact_rule(random_game(1, [3, 3], 0.4))
    there = {tuple(row) for row in table.cells.codes.tolist()}
    a, b = next((a, b) for a in range(3) for b in range(3) if (a, b) not in there)
    assert find_anchor(table, {"a0": f"v{a}", "a1": f"v{b}"}, Decimal("0.9")) is None


@pytest.mark.parametrize("population", ["shares", "counts"])
def test_shares_of_exact_rules_make_one(population: str) -> None:
    """But for rounding, the rules are about everybody."""
    found = exact_rules(coarse_rule(5, [3, 3, 2], 1.0, population))
    assert found is not None
    assert found.rules is not None
    total = sum((rule.share for rule in found.rules if rule.share is not None), Decimal(0))
    assert abs(total - 1) <= Decimal("0.0001") * len(found.rules)
