"""Fairness measures: the truth is always inside the published interval, and verdicts are never wrong."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from atreport.band import Closeness
from atreport.confidential.fidelity import shortest_decimal
from atreport.confidential.table import DecisionTable
from atreport.errors import PolicyCannotBeMet
from atreport.public.assessment import Assessment, Range
from atreport.public.fairness import assess, difference_range, ratio_range
from atreport.public.rates import named_groups, strata_of
from atreport.release import CellBounds, Release, certify
from atreport.spec.models import Disclosure, Measure, Policy, PublicSpec, ReportInfo
from tests.example import random_table
from tests.reference import exact_rate
from tests.test_release import CLOSENESS, released

MEASURES: list[dict[str, Any]] = [
    {"measure": "statistical_parity", "groups": "group", "threshold": 0.2},
    {"measure": "conditional_statistical_parity", "groups": "group", "given": "secret", "threshold": 0.1},
    {"measure": "conditional_statistical_parity", "groups": "group", "given": ["secret", "other"]},
    {"measure": "p_percent_rule", "groups": "group", "p": 0.8},
    {
        "measure": "statistical_parity",
        "groups": {"a": {"group": "g0", "secret": ["s0", "s1"]}, "b": {"secret": "s2"}},
    },
    {
        "measure": "p_percent_rule",
        "groups": {"all": {"group": ["g0", "g1", "g2"]}, "some": {"group": "g0"}},
        "p": 0.5,
    },
]
INDIVIDUAL: list[dict[str, Any]] = [
    {"measure": "individual", "distance": {"group": 0, "secret": {"scale": 0.2}}, "threshold": 0.1},
    {"measure": "individual", "distance": {"secret": 0.3, "other": 0.1}},
    {"measure": "individual", "distance": {}},
    {"measure": "individual", "metric": "relative", "distance": {"secret": {"scale": 0.5}}, "threshold": 0.5},
]


def public_spec(table: DecisionTable, measures: list[dict[str, Any]]) -> PublicSpec:
    """A spec of a random table with some measures."""
    report = {"title": "t", "publisher": "p", "version": "1", "date": "2026-01-15"}
    return PublicSpec(
        report=ReportInfo.model_validate(report),
        process=table.cells.process,
        policy=Policy.model_validate({"fidelity": {"delta": 0.9}}),
        fairness=tuple(TypeAdapter(Measure).validate_python(measure) for measure in measures),
        disclosure=Disclosure(),
    )


def with_bounds(table: DecisionTable, rng: np.random.Generator) -> Release:
    """A release under bounds of each cell's own."""
    d = table.favourable
    lower = np.maximum(0, d - rng.integers(0, 300, len(d)) / 1000).round(3)
    upper = np.minimum(1, d + rng.integers(0, 300, len(d)) / 1000).round(3)
    steps = [np.rint(bound * 1000).astype(np.int64) for bound in (lower, upper)]
    announced = lower + rng.random(len(d)) * (upper - lower)
    bounds = CellBounds(lower=steps[0], upper=steps[1], decimals=3)
    return certify(
        table.cells,
        [announced],
        steps[0] * 10,
        steps[1] * 10,
        decimals=4,
        fidelity=bounds,
        population="counts",
    )


def compare(measure: str, first: Fraction, second: Fraction) -> Fraction:
    """The measure of two rates, from its definition."""
    if measure != "p_percent_rule":
        return abs(first - second)
    return Fraction(1) if first == second else min(first, second) / max(first, second)


def true_values(table: DecisionTable, spec: PublicSpec) -> list[Fraction]:
    """Every group measure under the true mapping, in fractions, in the order of `assess`."""
    truth = [shortest_decimal(d) for d in table.favourable.tolist()]
    weights = table.cells.population.tolist()
    values = []
    for measure in spec.fairness:
        strata = strata_of(table.cells, getattr(measure, "given", ()))
        groups = [mask for _, mask in named_groups(table.cells, measure.groups)]  # type: ignore[union-attr]
        for stratum in range(len(strata)):
            inside = strata.index == stratum
            for a, b in combinations(groups, 2):
                rates = [exact_rate(weights, truth, (mask & inside).tolist()) for mask in (a, b)]
                if rates[0] is not None and rates[1] is not None:
                    values.append(compare(measure.measure, rates[0], rates[1]))
    return values


def check_against_truth(assessment: Assessment, truth: Fraction) -> None:
    """The truth is inside the interval; the verdict, if there is one, agrees with it."""
    result = assessment.result
    assert result is not None
    assert Fraction(result.low) <= truth <= Fraction(result.high)
    assert result.low <= result.value <= result.high
    assert assessment.a_priori is not None
    step = Decimal(1).scaleb(-4)
    assert result.low >= result.value - assessment.a_priori - 2 * step
    assert result.high <= result.value + assessment.a_priori + 2 * step
    if assessment.verdict in ("meets", "does_not_meet"):
        assert assessment.threshold is not None
        at_least = assessment.measure == "p_percent_rule"
        holds = (
            truth >= Fraction(assessment.threshold) if at_least else truth <= Fraction(assessment.threshold)
        )
        assert holds == (assessment.verdict == "meets")
    if assessment.log_ratio is not None and truth > 0:
        low, high = float(assessment.log_ratio.low), float(assessment.log_ratio.high)
        assert low <= -math.log(truth) + 1e-12
        assert -math.log(truth) <= high + 1e-12


@settings(max_examples=1000, deadline=None)
@given(
    st.integers(0, 2**32),
    st.sampled_from([*CLOSENESS, None]),
    st.sampled_from(["shares", "counts", "withheld"]),
)
def test_truth_is_inside_every_interval(seed: int, closeness: Closeness | None, population: str) -> None:
    """SP, CSP and PR of a thousand random tables, under every kind of fidelity, for named and overlapping groups."""
    rng = np.random.default_rng(seed)
    table = random_table(rng, groups=3, values=3, others=2)
    spec = public_spec(table, MEASURES)
    try:
        release = released(table, closeness, 4, population) if closeness else with_bounds(table, rng)
    except PolicyCannotBeMet:
        return
    assessments, left_out = assess(release, spec)
    truths = true_values(table, spec)
    assert len(truths) == len(assessments)
    for assessment, truth in zip(assessments, truths, strict=True):
        check_against_truth(assessment, truth)
    pairs = (
        3
        + len(strata_of(table.cells, ["secret"])) * 3
        + len(strata_of(table.cells, ["secret", "other"])) * 3
        + 3
        + 2
    )
    assert len(assessments) + len(left_out) == pairs


def brute_force_bias(table: DecisionTable, truth: list[Fraction], measure: Any) -> float:
    """Individual fairness from its definition: all pairs of cells."""
    cells, bias = table.cells, 0.0
    for i, j in combinations(range(len(cells)), 2):
        distance = 0.0
        for name, far in measure.distance.items():
            steps = abs(int(cells.column(name)[i]) - int(cells.column(name)[j]))
            distance += float(far) * (steps > 0) if isinstance(far, Decimal) else float(far.scale) * steps
        if measure.metric == "total_variation":
            apart = float(abs(truth[i] - truth[j]))
        else:
            apart = 0.0
            for one, two in ((truth[i], truth[j]), (1 - truth[i], 1 - truth[j])):
                if one != two:
                    apart = max(apart, math.inf if 0 in (one, two) else abs(math.log(one / two)))
        bias = max(bias, apart - distance)
    return bias


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(CLOSENESS))
def test_individual_fairness_equals_brute_force(seed: int, closeness: Closeness) -> None:
    """The announced bias is the exact maximum over pairs, and the true one is inside the interval."""
    table = random_table(np.random.default_rng(seed), groups=2, values=3, others=2)
    spec = public_spec(table, INDIVIDUAL)
    try:
        release = released(table, closeness)
    except PolicyCannotBeMet:
        return
    truth = [shortest_decimal(d) for d in table.favourable.tolist()]
    announced = [Fraction(int(a), release.scale) for a in release.announced]
    for assessment, measure in zip(assess(release, spec)[0], spec.fairness, strict=True):
        true = brute_force_bias(table, truth, measure)
        if assessment.result is None:
            assert measure.metric == "relative"  # type: ignore[union-attr]
            continue
        assert float(assessment.result.low) - 1e-12 <= true <= float(assessment.result.high) + 1e-12
        published = brute_force_bias(table, announced, measure)
        assert float(assessment.result.value) == pytest.approx(published, abs=0.51e-4)


@settings(max_examples=500, deadline=None)
@given(st.lists(st.integers(0, 20), min_size=6, max_size=6))
def test_intervals_are_tight(numbers: list[int]) -> None:
    """The ends of the exact intervals are attained by some pair of rates, for the difference and the ratio."""
    (l1, v1, h1), (l2, v2, h2) = sorted(numbers[:3]), sorted(numbers[3:])
    first, second = (
        Range(Fraction(v, 20), Fraction(low, 20), Fraction(high, 20))
        for low, v, high in ((l1, v1, h1), (l2, v2, h2))
    )
    grid = [(Fraction(a, 20), Fraction(b, 20)) for a in range(l1, h1 + 1) for b in range(l2, h2 + 1)]
    for name, of in (("statistical_parity", difference_range), ("p_percent_rule", ratio_range)):
        values = [compare(name, a, b) for a, b in grid]
        found = of(first, second)
        assert (min(values), max(values)) == (found.low, found.high)


def test_no_cap_at_one_for_log_ratios() -> None:
    """With d = 0.5 in two groups and α = 0.5, announced 0.25 and 0.75 are allowed: the bias moves by log 3 > 1."""
    alpha = Closeness(alpha=Decimal("0.5"))
    low, high = alpha.around(Fraction(1, 2))
    assert (low, high) == (Fraction(1, 4), Fraction(3, 4))
    assert math.log(high / low) == pytest.approx(1.0986, abs=1e-4)
    assert -2 * math.log(0.5) >= math.log(high / low)


def test_bound_on_a_single_probability_under_alpha() -> None:
    """(1 - α)/(1 + α) is the largest move, and it is attained."""
    for alpha in ("0.5", "0.9", "0.95"):
        closeness = Closeness(alpha=Decimal(alpha))
        grid = [Fraction(k, 1000) for k in range(1001)] + [closeness.ratio / (1 + closeness.ratio)]
        moves = [max(high - d, d - low) for d in grid for low, high in [closeness.around(d)]]
        assert max(moves) == closeness.largest_move


def test_empty_groups_are_left_out_and_said() -> None:
    """A comparison with nobody in it is no error; it is listed as not assessed."""
    table = random_table(np.random.default_rng(3), groups=2, values=2)
    spec = public_spec(
        table, [{"measure": "statistical_parity", "groups": {"a": {"group": "g0"}, "b": {"other": "o0"}}}]
    )
    keep = table.cells.column("group") == 1
    assert keep.any()
    from atreport.cells import arrange

    cells, order = arrange(table.cells.process, table.cells.codes[keep], table.cells.population[keep])
    smaller = DecisionTable(cells=cells, favourable=table.favourable[keep][order])
    done, left_out = assess(released(smaller, CLOSENESS[0]), spec)
    assert not done
    assert left_out[0].groups == ("a", "b")
