"""Influence and dependence: equal to their definitions, to other programs, and always with the truth inside the interval."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from atreport.core.cells import Cells, arrange
from atreport.core.certify import Announcement
from atreport.core.rule_table import RuleTable
from atreport.explain import explain_rule, interventions, weighted_sum
from atreport.explain.ale import accumulated_effects
from atreport.explain.explanation import members_of
from atreport.explain.firm import root_down, root_nearest, root_up
from atreport.explain.ice import individual_curves
from atreport.explain.interventions import Game, all_coalitions, shapley_values
from atreport.explain.local_weights import weights_as_sums
from atreport.explain.pdp import partial_dependence
from atreport.explain.qii import qii_as_sum, quantitative_input_influence
from atreport.explain.shapley import shapley_as_sum, shapley_influence
from atreport.report.explanation import Influence
from atreport.spec.process import Process
from atreport.spec.transparency import Quantity, Transparency
from tests.attainable import exact_range, random_case
from tests.example import announced
from tests.influence_reference import Person, World
from tests.measures.test_fairness import three_outcomes, two_outcomes

EVERYBODY = Quantity(title="everybody")
SOME = Quantity.model_validate({"title": "some", "group": {"group": ["g0", "g1"]}})
GAP = Quantity.model_validate({"title": "gap", "group": {"secret": ["s0"]}, "minus": {"group": ["g1"]}})


def process_of(sizes: list[int]) -> Process:
    """A process with so many values of each attribute; the first one is sensitive."""
    attributes = [
        {"name": f"a{k}", "role": "public" if k else "sensitive", "values": [f"v{v}" for v in range(size)]}
        for k, size in enumerate(sizes)
    ]
    outcome = {"name": "decision", "values": ["no", "yes"], "favourable": "yes"}
    return Process.model_validate({"name": "test", "outcome": outcome, "attributes": attributes})


def random_game(seed: int, sizes: list[int], fill: float = 1.0) -> Game:
    """Cells that fill part of a grid, random people and probabilities, and a group."""
    rng = np.random.default_rng(seed)
    codes = np.array(list(product(*map(range, sizes))), dtype=np.int32)
    codes = codes[rng.permutation(len(codes))[: max(2, int(fill * len(codes)))]]
    cells, _ = arrange(process_of(sizes), codes, rng.integers(1, 50, len(codes)))
    group = rng.random(len(cells)) < 0.4
    group[0] = True
    return Game(cells=cells, weights=cells.population, steps=rng.integers(0, 10_001, len(cells)), group=group)


def world_of(cells: Cells, weights: NDArray[Any], favoured: list[Fraction]) -> World:
    """The same people for the reference."""
    persons: list[Person] = [tuple(row) for row in cells.codes.tolist()]
    return World(
        people=dict(zip(persons, weights.tolist(), strict=True)),
        favoured=dict(zip(persons, favoured, strict=True)),
    )


def world_of_game(game: Game) -> tuple[World, list[Person]]:
    """A game's people, and its group."""
    world = world_of(game.cells, game.weights, [Fraction(int(s), 10_000) for s in game.steps])
    return world, [tuple(row) for row in game.cells.codes[game.group].tolist()]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([0.3, 0.6, 1.0]))
def test_qii_is_what_brute_force_finds(seed: int, fill: float) -> None:
    """Every set of attributes, every draw followed person by person: equal as fractions, so to 1e-12 and beyond."""
    game = random_game(seed, [3, 2, 4], fill)
    world, group = world_of_game(game)
    for coalition in range(8):
        drawn = [k for k in range(3) if coalition >> k & 1]
        found = Fraction(game.influence(coalition), game.denominator * 10_000)
        assert found == world.qii(group, drawn)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32))
def test_forms_are_what_brute_force_finds(seed: int) -> None:
    """The coefficients of QII and Shapley values of rates and gaps, and of curves, give the figures by definition."""
    made = two_outcomes(np.random.default_rng(seed))
    assume(made is not None)
    assert made is not None
    rule = made[0].rule
    cells = rule.cells
    for weights in rule.published_weights:
        world = world_of(cells, weights, [Fraction(int(s), rule.scale) for s in rule.announced])
        groups = {
            q.title: [
                None if m is None else [tuple(r) for r in cells.codes[members_of(cells, m)].tolist()]
                for m in (q.group or {}, q.minus)
            ]
            for q in (EVERYBODY, SOME, GAP)
        }
        for quantity in (EVERYBODY, SOME, GAP):
            group, minus = groups[quantity.title]
            if not group or minus == []:
                continue
            weighted = qii_as_sum(cells, weights, quantity, ["group", "secret"])
            by_hand = world.qii(group, [0, 1]) - (world.qii(minus, [0, 1]) if minus else 0)
            assert weighted.of(rule.announced, rule.scale) == by_hand
            weighted = shapley_as_sum(cells, weights, quantity, "secret")
            by_hand = world.shapley(group)[1] - (world.shapley(minus)[1] if minus else 0)
            assert weighted.of(rule.announced, rule.scale) == by_hand


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([0.4, 0.8, 1.0]))
def test_grid_and_lists_agree(seed: int, fill: float) -> None:
    """All sets at once, on a grid, are the same whole numbers as one by one."""
    game = random_game(seed, [2, 3, 2, 3], fill)
    assert game.is_dense
    assert all_coalitions(game) == [game.influence(coalition) for coalition in range(16)]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([0.4, 1.0]))
def test_shapley_values_share_everything_out(seed: int, fill: float) -> None:
    """Efficiency: they sum to the group's rate less everybody's. And they are the average over all orders."""
    game = random_game(seed, [3, 2, 2, 2], fill)
    world, group = world_of_game(game)
    values = [value / 10_000 for value in shapley_values(game)]
    assert sum(values) == world.rate(group) - world.rate(list(world.people))
    assert values == world.shapley(group)


def test_shapley_values_of_equals_and_of_nobody() -> None:
    """Symmetry: attributes that do the same get the same. Null player: one that changes nothing gets nothing."""
    sizes = [2, 2, 3]
    codes = np.array(list(product(*map(range, sizes))), dtype=np.int32)
    cells, order = arrange(process_of(sizes), codes, np.ones(len(codes), dtype=np.int64))
    steps = 1000 * (codes[:, 0] + codes[:, 1])[order]  # neither sees the third, both count alike
    group = (cells.codes[:, 0] == 1) & (cells.codes[:, 1] == 1)
    first, second, third = shapley_values(
        Game(cells=cells, weights=cells.population, steps=steps, group=group)
    )
    assert first == second == 500
    assert third == 0


@pytest.mark.slow  # importing shap takes most of the time
@pytest.mark.parametrize("seed", range(3))
def test_shapley_values_are_those_of_the_shap_package(seed: int) -> None:
    """For one person, against shap's exact explainer with the whole population as background."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # at import it uses what matplotlib is about to retire
        import shap

    game = random_game(seed, [3, 2, 3])
    cells = game.cells
    grid = np.zeros((3, 2, 3))
    grid[tuple(cells.codes.T)] = game.steps / 10_000
    background = np.repeat(cells.codes, cells.population, axis=0).astype(float)
    masker = shap.maskers.Independent(background, max_samples=len(background))
    explain = shap.explainers.Exact(lambda x: grid[tuple(x.astype(int).T)], masker)
    for cell in (0, 5, 17):
        group = np.zeros(len(cells), dtype=bool)
        group[cell] = True
        ours = shapley_values(Game(cells=cells, weights=cells.population, steps=game.steps, group=group))
        theirs = explain(cells.codes[[cell]].astype(float)).values[0]
        assert np.allclose([float(v) / 10_000 for v in ours], theirs, atol=1e-12)


def exact_release(game: Game, population: Any = "counts") -> Announcement:
    """The probabilities announced unchanged."""
    return announced(game.cells, game.steps, population=population)


def exact_rule(game: Game, population: Any = "counts") -> RuleTable:
    """The rule table of the same."""
    return exact_release(game, population).rule


def test_curves_are_those_of_scikit_learn() -> None:
    """Partial dependence and individual curves of the same function, against sklearn's brute-force method."""
    from sklearn.base import BaseEstimator, RegressorMixin
    from sklearn.inspection import partial_dependence as sklearn_dependence

    class Rule(RegressorMixin, BaseEstimator):  # type: ignore[misc]
        """The announced rule as scikit-learn sees it."""

        def fit(self, _x: Any, _y: Any) -> Rule:
            self.fitted_ = True
            return self

        def predict(self, x: NDArray[Any]) -> NDArray[np.float64]:
            return np.asarray(grid[tuple(np.asarray(x).astype(int).T)])

    game = random_game(4, [3, 2, 4])
    grid = np.zeros((3, 2, 4))
    grid[tuple(game.cells.codes.T)] = game.steps / 10_000
    rule = exact_rule(game)
    people = np.repeat(game.cells.codes, game.cells.population, axis=0).astype(float)
    model = Rule().fit(people, np.zeros(len(people)))
    figures = explain_rule(rule, Transparency.model_validate({"dependence": {}})).influence
    for k, attribute in enumerate(rule.cells.process.attributes):
        theirs = sklearn_dependence(model, people, [k], kind="both", categorical_features=[k], method="brute")
        ours = [f for f in figures if f.kind == "pdp" and f.attributes == (attribute.name,)]
        sums = [weighted_sum(rule.cells, rule.cells.population, figure) for figure in ours]
        values = [float(weighted.of(game.steps, 10_000)) for weighted in sums if weighted is not None]
        assert np.allclose(values, theirs["average"][0], atol=1e-12)
        lines = {
            tuple(row): curve
            for row, curve in zip(people.astype(int).tolist(), theirs["individual"][0], strict=True)
        }
        for figure in (f for f in figures if f.kind == "ice" and f.attributes == (attribute.name,)):
            assert figure.at is not None
            code = [a.values.index(figure.at[a.name]) for a in rule.cells.process.attributes]
            # announced probabilities are printed as they are
            assert float(figure.value) == pytest.approx(lines[tuple(code)][code[k]], abs=1e-12)


def test_accumulated_effects_by_hand() -> None:
    """Two classes of people, three values, worked out on paper.

    Class 0 (probabilities 0.1, 0.3, 0.6; people 1, 2, 1) and class 1 (0.2, 0.2, 0.8; people 3, 1, 2). Step one: 3 people
    gain 0.2, 4 gain 0: 0.6/7. Step two: 3 people gain 0.3, 3 gain 0.6: 2.7/6 = 0.45. Levels 0, 6/70, 6/70 + 0.45;
    people 4, 3, 3 of 10, so the mean is 0.6 · 6/70 + 0.3 · 0.45.
    """
    codes = np.array([[v, c] for c in (0, 1) for v in (0, 1, 2)], dtype=np.int32)
    people = np.array([1, 2, 1, 3, 1, 2])
    steps = np.array([1000, 3000, 6000, 2000, 2000, 8000])
    cells, order = arrange(process_of([3, 2]), codes, people)
    game = Game(cells=cells, weights=cells.population, steps=steps[order], group=np.ones(6, dtype=bool))
    rule = exact_rule(game)
    mean = Fraction(6, 10) * Fraction(6, 70) + Fraction(3, 10) * Fraction(45, 100)
    expected = [-mean, Fraction(6, 70) - mean, Fraction(6, 70) + Fraction(45, 100) - mean]
    found = list(accumulated_effects(rule, "a0"))
    assert [f.at for f in found] == [{"a0": f"v{v}"} for v in range(3)]
    for figure, value in zip(found, expected, strict=True):
        weighted = weighted_sum(cells, cells.population, figure)
        assert weighted is not None
        assert weighted.of(rule.announced, rule.scale) == value
        assert exact_range(rule, figure).value == value


def test_no_accumulated_effect_over_a_gap() -> None:
    """Where nobody could step from one value to the next, there is no curve, instead of a guess."""
    codes = np.array([[0, 0], [1, 1]], dtype=np.int32)
    cells, _ = arrange(process_of([2, 2]), codes, np.array([5, 5]))
    game = Game(cells=cells, weights=cells.population, steps=np.array([1, 2]), group=np.ones(2, dtype=bool))
    assert list(accumulated_effects(exact_rule(game), "a0")) == []
    (low, high) = partial_dependence(exact_rule(game), "a0")
    assert low.reach == high.reach == Decimal("0.5")


SCHEMES: dict[str, Any] = {
    "influence": {
        "firm": True,
        "shapley": True,
        "sets": [["group", "secret"]],
        "quantities": [q.model_dump() for q in (EVERYBODY, SOME, GAP)],
        "local_weights": [{"group": "g0", "secret": "s0", "other": "o0"}],
    },
    "dependence": {},
}


def check_random_tables(first: int, number: int) -> int:
    """Every figure of some random tables, a third of them with three outcomes; how many figures were checked."""
    checked = 0
    for seed in range(first, first + number):
        rng = np.random.default_rng(seed)
        made = three_outcomes(rng) if seed % 3 == 0 else two_outcomes(rng)
        if made is None:
            continue
        announcement, truth = made
        rule = announcement.rule
        found = explain_rule(rule, Transparency.model_validate(SCHEMES)).influence
        for influence in found:
            for weights in rule.published_weights:
                for value, exactly in true_values(rule, weights, truth["yes"], influence):
                    check_inside(influence, value, exactly)
                    checked += 1
    return checked


def true_values(
    rule: RuleTable, weights: NDArray[Any], truth: list[Fraction], influence: Influence
) -> Iterator[tuple[Fraction, bool]]:
    """The figure under the true rule; squared where it is a root (and so not exact)."""
    world = world_of(rule.cells, weights, truth)
    names = [a.name for a in rule.cells.process.attributes]
    columns = [names.index(name) for name in influence.attributes]
    if influence.kind == "permutation":
        yield world.permutation(columns[0]), True
    elif influence.kind == "firm":
        yield world.variance_of_rates(columns[0]), False
    elif influence.kind == "pdp":
        assert influence.at is not None
        values = rule.cells.process.attribute(names[columns[0]]).values
        yield world.partial_dependence(columns[0], values.index(influence.at[names[columns[0]]])), True
    elif influence.kind == "ale":
        assert influence.at is not None
        values = rule.cells.process.attribute(names[columns[0]]).values
        curve = world.accumulated_effects(columns[0])
        assert curve is not None
        yield curve[values.index(influence.at[names[columns[0]]])], True
    else:  # the coefficients of these are compared with the definition in tests above
        weighted = weighted_sum(rule.cells, weights, influence)
        assert weighted is not None
        yield (
            sum((int(c) * d for c, d in zip(weighted.coefficients, truth, strict=True)), Fraction(0))
            / weighted.denominator,
            True,
        )


def test_which_curves_there_are_does_not_tell_withheld_people() -> None:
    """Where the population is withheld, other numbers of people give the curves of the same cells, so readers find them too."""
    table = replace(random_case(np.random.default_rng(0)).table, population="withheld")
    other = replace(table, weights=(table.cells.population[::-1].copy(),))
    one, two = ([each.at for each in individual_curves(t, "group")] for t in (table, other))
    assert one == two != []


def check_inside(influence: Influence, value: Fraction, exactly: bool) -> None:
    """The truth is inside the interval, and within the a-priori bound of the announced value."""
    low, high = Fraction(influence.result.low), Fraction(influence.result.high)
    step = Fraction(1, 10_000)
    if exactly:
        assert low <= value <= high, influence
        assert abs(value - Fraction(influence.result.value)) <= Fraction(influence.a_priori) + step
    else:
        assert low == 0 or low**2 <= value, influence
        assert value <= high**2
        bound = Fraction(influence.a_priori) + Fraction(influence.result.value) + step
        assert value <= bound**2
    assert influence.result.low <= influence.result.value <= influence.result.high


def test_truth_is_inside_every_interval() -> None:
    """A quick slice of the thousands of tables below."""
    assert check_random_tables(0, 24) > 1000


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 2400, 300))
def test_truth_is_inside_every_interval_of_thousands_of_tables(first: int) -> None:
    """Every linear figure, FIRM and permutation importance: the true value is in the certified interval."""
    assert check_random_tables(10_000 + first, 300) > 20_000


@given(st.fractions(0, 4, max_denominator=10**6), st.integers(1, 6))
def test_roots_are_rounded_to_the_safe_side(square: Fraction, decimals: int) -> None:
    """A root rounded down, to the nearest and up, checked by squaring."""
    step = Fraction(1, 10**decimals)
    low, near, high = (Fraction(f(square, decimals)) for f in (root_down, root_nearest, root_up))
    assert low**2 <= square < (low + step) ** 2
    assert high**2 >= square
    assert high == 0 or (high - step) ** 2 < square
    assert near in (low, high)
    assert max(near - step / 2, Fraction(0)) ** 2 <= square <= (near + step / 2) ** 2


def test_many_attributes_are_estimated_with_a_stated_error() -> None:
    """Beyond twelve attributes: seeded, unbiased, within the stated error of the exact values, and said to be no certainty."""
    rng = np.random.default_rng(3)
    sizes = [2] * 13
    codes = np.unique(rng.integers(0, 2, (300, 13)), axis=0).astype(np.int32)
    cells, _ = arrange(process_of(sizes), codes, rng.integers(1, 9, len(codes)))
    # only the first three count, and they are never missing from a draw's reach by much
    steps = (2000 * cells.codes[:, 0] + 3000 * cells.codes[:, 1]).astype(np.int64)
    game = Game(cells=cells, weights=cells.population, steps=steps, group=cells.codes[:, 0] == 1)
    rule = exact_rule(game)
    quantity = Quantity.model_validate({"title": "some", "group": {"a0": ["v1"]}})
    one, two = (list(shapley_influence(rule, quantity, 60)) for _ in range(2))
    assert one == two
    assert all(f.estimate is not None and f.interval is None for f in one)
    total = sum(f.result.value for f in one)
    in_group, people = cells.population[game.group], cells.population
    expected = (in_group @ steps[game.group]) / in_group.sum() - (people @ steps) / people.sum()
    assert float(total) == pytest.approx(expected / 10_000, abs=1e-3)  # every order adds up to the whole
    exact = [float(v) / 10_000 for v in shapley_values(game)]
    for figure, value in zip(one, exact, strict=True):
        assert figure.estimate is not None
        assert abs(float(figure.result.value) - value) <= float(figure.estimate.error)


def test_large_tables_have_the_bound_around_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the exact interval would cost too much, the Shapley value's interval is wider, never narrower."""
    made = two_outcomes(np.random.default_rng(2))
    assert made is not None
    rule = made[0].rule
    exact = list(shapley_influence(rule, SOME, 10))
    monkeypatch.setattr("atreport.explain.shapley.MOST_TERMS", 0)
    monkeypatch.setattr(interventions, "DENSE", 0)
    told: list[float] = []
    bounded = list(shapley_influence(rule, SOME, 10, told.append))
    assert told == sorted(told)
    for one, other in zip(exact, bounded, strict=True):
        assert one.result.value == other.result.value
        assert other.result.low <= one.result.low
        assert one.result.high <= other.result.high


def test_reach_says_how_many_draws_are_made() -> None:
    """Of two people with nothing in common, half of the draws of one attribute lead nowhere."""
    codes = np.array([[0, 0], [1, 1]], dtype=np.int32)
    cells, _ = arrange(process_of([2, 2]), codes, np.array([5, 5]))
    game = Game(
        cells=cells, weights=cells.population, steps=np.array([0, 10_000]), group=np.ones(2, dtype=bool)
    )
    single, both = quantitative_input_influence(exact_rule(game), EVERYBODY, [["a0"], ["a0", "a1"]])
    assert (single.reach, both.reach) == (Decimal("0.5"), Decimal(1))
    assert single.value == 0


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([0.6, 1.0]))
def test_local_weights_are_a_weighted_fit(seed: int, fill: float) -> None:
    """The base and the weights predict what NumPy's weighted least squares predicts, at every cell."""
    game = random_game(seed, [3, 2, 3], fill)
    cells = game.cells
    record = cells.labels(0, cells.process.attributes)
    agrees = cells.codes == cells.codes[0]
    design = np.column_stack([np.ones(len(cells)), agrees]).astype(float)
    root = np.sqrt(cells.population * 0.5 ** (~agrees).sum(axis=1))
    fitted, *_ = np.linalg.lstsq(design * root[:, None], game.steps * root, rcond=None)
    ours = [
        float(weighted.of(game.steps, 1)) for weighted in weights_as_sums(cells, cells.population, record)
    ]
    assert np.allclose(design @ ours, design @ fitted, rtol=1e-9, atol=1e-6)


def test_an_attribute_without_another_value_has_no_weight() -> None:
    """Where nobody differs in an attribute, it adds nothing of its own, and nothing is divided by zero."""
    game = random_game(1, [3, 1])
    sums = weights_as_sums(game.cells, game.cells.population, {"a0": "v0", "a1": "v0"})
    assert sums[2].of(game.steps, 10_000) == 0
    at_record = sums[0].of(game.steps, 10_000) + sums[1].of(game.steps, 10_000)
    assert at_record == Fraction(int(game.steps[0]), 10_000)


def test_progress_is_told_in_percent() -> None:
    """A long calculation says how much of it is done, in even steps."""
    rule = exact_rule(random_game(5, [3, 3, 3, 3, 3, 3, 2]))
    told: list[str] = []
    quantity = {"title": "some", "group": {"a0": ["v0"]}}
    wanted = {"quantities": [quantity], "shapley": True, "qii": False, "permutation": False}
    explain_rule(rule, Transparency.model_validate({"influence": wanted}), told.append)
    assert told[0] == "explanations 5%"
    assert told[-1] == "explanations 100%"
    assert len(told) == 20
