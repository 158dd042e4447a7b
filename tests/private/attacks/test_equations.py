"""The attack by equations: right bounds, the paper's attacks, and no attack on printed figures that beats β."""

import itertools
from collections.abc import Sequence

import numpy as np
import pytest

from atreport.cli.demo import (
    APPLICANTS,
    CENSUS,
    FEW_APPLICANTS,
    confidence_in_high_income,
    mary_equations,
    scene,
)
from atreport.core.certify import Announcement
from atreport.core.rule_table import RuleTable
from atreport.private.attacks.equation_attack import (
    Equation,
    UnknownRule,
    answer_equations,
    closest_rule,
    fairness_equations,
    influence_equations,
    learn,
    negligent_report,
    targets_of,
)
from atreport.private.data.decision_table import DecisionTable, FloatArray
from atreport.private.data.table import read_table
from atreport.private.draft import draft_announcement
from tests.example import example_spec, random_table


def _line(
    coefficients: Sequence[float] | FloatArray, low: float, high: float, *, absolute: bool = False
) -> Equation:
    return Equation(
        figure="test", coefficients=np.array(coefficients, dtype=float), low=low, high=high, absolute=absolute
    )


def test_bounds_of_cells_and_confidence_against_a_fine_grid() -> None:
    """Every bound of random systems holds all rules on a grid that agree, and some of them come near it."""
    rng = np.random.default_rng(3)
    table = random_table(rng, groups=1, values=3)
    people = table.cells.population.astype(float)
    grid = np.array(list(itertools.product(np.linspace(0, 1, 41), repeat=len(people))))
    targets, compared = targets_of(table.cells, [0]), 0
    for _ in range(6):
        equations = []
        for _ in range(2):
            row = rng.normal(size=len(people))
            middle = float(row @ rng.random(len(people)))
            equations.append(
                _line(row, middle - 0.2, middle + 0.2, absolute=bool(rng.random() < 0.5 and middle > 0))
            )
        rule = UnknownRule(people, equations)
        agree = np.ones(len(grid), dtype=bool)
        for e in equations:
            value = np.abs(grid @ e.coefficients) if e.absolute else grid @ e.coefficients
            agree &= (value >= e.low) & (value <= e.high)
        if not agree.any():
            continue
        compared += 1
        assert rule.is_possible
        for cell in range(len(people)):
            low, high = rule.cell(cell)
            found = grid[agree][:, cell]
            assert low - 1e-6 <= found.min() <= low + 0.2
            assert high - 0.2 <= found.max() <= high + 1e-6
        for target in targets[:2]:
            low, high = rule.confidence(target)
            values = [target.confidence(people, x) for x in grid[agree]]  # 0 where the outcome does not occur
            assert low - 1e-6 <= min(values)
            assert max(values) <= high + 1e-6
            assert rule.sure_confidence(target) == pytest.approx(low, abs=1e-9)
    assert compared > 2


def test_contradicting_figures_are_noticed() -> None:
    """No rule has a cell at 0.2 and at 0.8."""
    assert not UnknownRule(np.ones(1), [_line([1.0], 0.2, 0.2), _line([1.0], 0.8, 0.8)]).is_possible


def test_negligent_rule_gives_incomes_away() -> None:
    """The paper's first leak: 100 % for a woman with the card, 36 % for a man, from 1.3 % and 3.6 % before."""
    table = scene(APPLICANTS).table
    people = table.cells.population.astype(float)
    assert confidence_in_high_income(table.favourable, people, 0) == 1.0
    assert round(100 * confidence_in_high_income(table.favourable, people, 1)) == 36


def test_mary_recovers_the_rule_from_true_figures() -> None:
    """From the census, five measures and one answer: d(F, 100-200k) near 0, and d(F, >200k) = d(M, >200k) = 1."""
    many = scene(APPLICANTS)
    people = many.table.cells.population.astype(float)
    assert CENSUS.tolist() == [0.931, 0.057, 0.012, 0.842, 0.123, 0.035]
    found = closest_rule(mary_equations(many.table.favourable, people))
    assert found[1] < 0.03
    assert found[2] == pytest.approx(1.0, abs=0.001)
    assert found[5] == pytest.approx(1.0, abs=0.001)
    assert found[4] == pytest.approx(0.5, abs=0.03)
    assert confidence_in_high_income(found, people, 0) > 0.89


def test_mary_learns_no_more_than_is_announced_from_the_release() -> None:
    """The same figures of the announced rule: her confidence in a high income stays far below the promise."""
    many = scene(APPLICANTS)
    people = many.table.cells.population.astype(float)
    announced = many.announcement.announced / many.announcement.scale
    found = closest_rule(mary_equations(announced, people))
    assert confidence_in_high_income(found, people, 0) < 0.15
    assert confidence_in_high_income(found, people, 0) <= float(many.announcement.beta)


def rule_equations(table: RuleTable) -> list[Equation]:
    """The announced rule itself: the probability of every cell, printed without rounding."""
    identity = np.eye(len(table.cells))
    announced = table.announced / table.scale
    return [
        Equation(figure="announced rule", coefficients=row, low=float(value), high=float(value))
        for row, value in zip(identity, announced, strict=True)
    ]


def test_protected_numerical_example() -> None:
    """At most 67.5 % and 63.8 %, whichever figures are printed and however they are combined."""
    few = scene(FEW_APPLICANTS)
    assert [int(b) for b in few.announcement.group_beta] == [6750, 6378]
    everything = [
        *rule_equations(few.announcement.rule),
        *influence_equations(few.announcement.rule),
        *answer_equations(few.announcement.rule),
    ]
    rule = UnknownRule(few.table.cells.population.astype(float), everything)
    for target in targets_of(few.table.cells, [0, 1]):
        assert rule.confidence(target)[1] <= [0.675, 0.6378][target.group] + 1e-7


def test_influence_answers_give_the_true_rule_away() -> None:
    """The paper's attack by QII: answers on the true rule find every cell; on the announced rule they stay below β."""
    few = scene(FEW_APPLICANTS)
    negligent = negligent_report(few.table, few.announcement)
    on_truth = learn(negligent, influence_equations(negligent))
    on_release = learn(few.announcement.rule, influence_equations(few.announcement.rule))
    assert on_truth.cells == 6
    assert on_truth.confidence > 0.999
    assert on_release.confidence <= 0.675


def test_influence_is_that_of_the_paper() -> None:
    """QII by its definition, person by person: the rate of the people meant, less the rate with their income redrawn."""
    few = scene(FEW_APPLICANTS)
    cells, d = few.table.cells, few.table.favourable
    drawn = np.array([21, 12, 7]) / 40  # everybody's incomes
    negligent = negligent_report(few.table, few.announcement)
    equations = influence_equations(negligent)
    for value, equation in enumerate(equations):
        group = int(cells.protected[0].group[value])
        redrawn = float(drawn @ d[3 * group : 3 * group + 3])
        assert float(equation.coefficients @ d) == pytest.approx(d[value] - redrawn, abs=1e-12)


def _figures(table: DecisionTable, announcement: Announcement, rng: np.random.Generator) -> list[Equation]:
    """Everything that is or might be printed about an announcement: the rule, rates, answers, influences."""
    people = table.cells.population.astype(float)
    announced = announcement.announced / announcement.scale
    rule = announcement.rule
    found = [*rule_equations(rule), *influence_equations(rule), *answer_equations(rule)]
    for _ in range(4):  # rates of random groups and differences of them
        masks = rng.random((2, len(people))) < 0.5
        rates = [np.where(mask, people, 0) / max(people[mask].sum(), 1) for mask in masks]
        found += [Equation.printed("rate", r, round(float(r @ announced), 4), 4) for r in rates]
        difference = rates[0] - rates[1]
        bias = round(abs(float(difference @ announced)), 4)
        found.append(Equation.printed("difference", difference, bias, 4, absolute=True))
    return found


def _best_attack(table: DecisionTable, announcement: Announcement, figures: Sequence[Equation]) -> FloatArray:
    """By how much the surest conclusion from some figures beats the group's β."""
    people = table.cells.population.astype(float)
    rule = UnknownRule(people, figures)
    assert rule.is_possible  # the announced rule agrees with its own figures
    beta = announcement.group_beta / announcement.scale
    targets = targets_of(table.cells, range(len(beta)))
    return np.array([rule.sure_confidence(t) - beta[t.group] for t in targets])


def _check_no_attack_beats_beta(seed: int) -> None:
    """All figures together give at most β; and so does every random part of them."""
    rng = np.random.default_rng(seed)
    table = random_table(rng, groups=2, values=3)
    spec = example_spec(("  privacy: {beta: 0.7}\n", ""))
    announcement = draft_announcement(spec, table).announcement
    figures = _figures(table, announcement, rng)
    some = [figure for figure in figures if rng.random() < rng.random()]
    assert _best_attack(table, announcement, some).max() <= 1e-6
    people = table.cells.population.astype(float)
    whole = UnknownRule(people, figures)
    exposed = max(
        targets_of(table.cells, range(2)),
        key=lambda t: t.confidence(people, announcement.announced / announcement.scale),
    )
    assert whole.confidence(exposed)[1] <= announcement.group_beta[exposed.group] / announcement.scale + 1e-6


@pytest.mark.parametrize("batch", range(2))
def test_no_linear_attack_beats_beta(batch: int) -> None:
    """A quick slice of the random tables."""
    for seed in range(6):
        _check_no_attack_beats_beta(6 * batch + seed)


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(20))
def test_no_linear_attack_beats_beta_on_many_tables(batch: int) -> None:
    """1,000 random tables, each attacked with all its figures and with a random part of them."""
    for seed in range(50):
        _check_no_attack_beats_beta(1000 + 50 * batch + seed)


def test_printed_fairness_figures_become_equations() -> None:
    """Every rate and difference the report prints is an equation that the announced rule satisfies."""
    spec = example_spec()
    announcement = draft_announcement(spec, read_table(spec)).announcement
    announced = announcement.announced / announcement.scale
    equations = fairness_equations(announcement.rule, spec.fairness)
    assert len(equations) >= 8
    for equation in equations:
        value = float(equation.coefficients @ announced)
        assert equation.low - 1e-12 <= (abs(value) if equation.absolute else value) <= equation.high + 1e-12
