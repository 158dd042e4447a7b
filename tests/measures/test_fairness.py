"""Fairness measures: the truth is always inside the published interval, and verdicts are never wrong."""

import math
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from pydantic import TypeAdapter

from atreport.core.band import Closeness
from atreport.core.cells import Cells, arrange
from atreport.core.certify import Announcement, certify
from atreport.core.rule_table import CellBounds
from atreport.errors import PolicyCannotBeMet
from atreport.measures.rates import named_groups, strata_of
from atreport.private.data.decision_table import DecisionTable
from atreport.report.fairness import Assessment
from atreport.spec.disclosure import Disclosure
from atreport.spec.fairness import IndividualFairness, Measure
from atreport.spec.policy import Policy
from atreport.spec.spec import PublicSpec, ReportInfo
from atreport.text.numbers import shortest_decimal
from tests.assessing import assess
from tests.core.test_certify import CLOSENESS, released
from tests.example import binary_table, random_table
from tests.reference import brute_force_bias, exact_rate

Truth = dict[str, list[Fraction]]
"""Outcome → its true probability in every cell."""

MEASURE: TypeAdapter[Any] = TypeAdapter(Measure)
OVERLAPPING = {"all": {"group": ["g0", "g1", "g2"]}, "some": {"group": "g0"}}
CONDITIONS = {"a": {"group": "g0", "secret": ["s0", "s1"]}, "b": {"secret": "s2"}}
MEASURES: list[dict[str, Any]] = [
    {"measure": "statistical_parity", "groups": "group", "threshold": 0.2},
    {"measure": "statistical_parity", "groups": CONDITIONS},
    {"measure": "statistical_parity", "groups": ["group", "other"], "threshold": 0.3},
    {"measure": "conditional_statistical_parity", "groups": "group", "given": "secret", "threshold": 0.1},
    {"measure": "conditional_statistical_parity", "groups": "group", "given": ["secret", "other"]},
    {"measure": "p_percent_rule", "groups": "group", "p": 0.8},
    {"measure": "p_percent_rule", "groups": "group", "outcomes": "all", "p": 0.7},
    {"measure": "p_percent_rule", "groups": OVERLAPPING, "p": 0.5},
    {"measure": "impact_ratio", "groups": "group"},
    {"measure": "impact_ratio", "groups": ["group", "secret"], "p": 0.6},
    {"measure": "impact_ratio", "groups": OVERLAPPING},
    {"measure": "odds_ratio", "groups": "group", "p": 0.6},
    {"measure": "odds_ratio", "groups": OVERLAPPING},
    {"measure": "group_disparity", "groups": "secret", "threshold": 0.3},
    {"measure": "group_disparity", "groups": ["secret", "other"], "threshold": 0.5},
    {"measure": "individual", "distance": {"group": 0, "secret": {"scale": 0.2}}, "threshold": 0.4},
    {
        "measure": "individual",
        "distance": {"secret": {"matrix": [[0, 0.1, 0.3], [0.1, 0, 0.6], [0.3, 0.6, 0]]}},
    },
    {
        "measure": "individual",
        "metric": "relative",
        "distance": {"secret": 0.5, "group": 0.1},
        "threshold": 1,
    },
]


def public_spec(cells: Cells, measures: list[dict[str, Any]]) -> PublicSpec:
    """A spec of a random table with some measures."""
    report = {"title": "t", "publisher": "p", "version": "1", "date": "2026-01-15"}
    return PublicSpec(
        report=ReportInfo.model_validate(report),
        process=cells.process,
        policy=Policy.model_validate({"fidelity": {"delta": 0.9}}),
        fairness=tuple(MEASURE.validate_python(measure) for measure in measures),
        disclosure=Disclosure(),
    )


def with_bounds(table: DecisionTable, rng: np.random.Generator) -> Announcement:
    """An announcement under bounds of each cell's own."""
    d = table.favourable
    lower = np.maximum(0, d - rng.integers(0, 300, len(d)) / 1000).round(3)
    upper = np.minimum(1, d + rng.integers(0, 300, len(d)) / 1000).round(3)
    steps = [np.rint(bound * 1000).astype(np.int64) for bound in (lower, upper)]
    announced = lower + rng.random(len(d)) * (upper - lower)
    bounds = CellBounds(lower=steps[0], upper=steps[1], decimals=3)
    lowest, highest = (np.column_stack([10**4 - other * 10, own * 10]) for own, other in (steps, steps[::-1]))
    return certify(
        table.cells,
        [np.column_stack([1 - announced, announced])],
        lowest,
        highest,
        decimals=4,
        fidelity=bounds,
        population="counts",
    )


def three_outcomes(rng: np.random.Generator) -> tuple[Announcement, Truth]:
    """An announcement of three outcomes: in every cell some probability is moved, within the fidelity, between two of them."""
    cells = _with_outcomes(random_table(rng, groups=3, values=3, others=2).cells, ("no", "later", "yes"))
    delta = int(rng.choice([500, 1000, 2000]))
    true = np.array([rng.multinomial(10**4, rng.dirichlet([0.5] * 3)) for _ in range(len(cells))])
    announced = true.copy()
    for cell in range(len(cells)):
        source, target = rng.permutation(3)[:2]
        moved = int(rng.integers(0, min(delta, true[cell, source]) + 1))
        announced[cell, source] -= moved
        announced[cell, target] += moved
    announcement = certify(
        cells,
        [announced / 10**4],
        announced,
        announced,
        decimals=4,
        fidelity=Closeness(delta=1 - Decimal(delta).scaleb(-4)),
        population=str(rng.choice(["shares", "counts"])),  # type: ignore[arg-type]
    )
    assert (announcement.mapping == announced).all()
    values = cells.process.outcome.values
    return announcement, {o: [Fraction(int(n), 10**4) for n in true[:, k]] for k, o in enumerate(values)}


def _with_outcomes(cells: Cells, values: tuple[str, ...]) -> Cells:
    outcome = cells.process.outcome.model_copy(update={"values": values})
    return replace(cells, process=cells.process.model_copy(update={"outcome": outcome}))


def two_outcomes(rng: np.random.Generator) -> tuple[Announcement, Truth] | None:
    """An announcement as the solver makes it, under any kind of fidelity; None where the band holds nothing printable."""
    table = random_table(rng, groups=3, values=3, others=2)
    closeness = rng.choice(np.array([*CLOSENESS, None], dtype=object))
    population = str(rng.choice(["shares", "counts", "withheld"]))
    try:
        announcement = released(table, closeness, 4, population) if closeness else with_bounds(table, rng)
    except PolicyCannotBeMet:
        return None
    favourable = [shortest_decimal(d) for d in table.favourable.tolist()]
    return announcement, {"yes": favourable, "no": [1 - d for d in favourable]}


def true_values(cells: Cells, truth: Truth, measure: Any) -> Iterator[float | Fraction]:
    """A measure under the true mapping from its definition, in the order of `assess`."""
    if isinstance(measure, IndividualFairness):
        yield brute_force_bias(cells, truth, measure)
        return
    strata = strata_of(cells, getattr(measure, "given", ()))
    groups = [mask for _, mask in named_groups(cells, measure.groups)]
    for stratum in range(len(strata)):
        inside = strata.index == stratum
        weights = cells.population.tolist()
        rates = [
            {o: exact_rate(weights, p, (mask & inside).tolist()) for o, p in truth.items()} for mask in groups
        ]
        yield from _true_comparisons(measure, [r for r in rates if r["yes"] is not None])


def _true_comparisons(measure: Any, rates: list[Any]) -> Iterator[Fraction]:
    favourable = [rate["yes"] for rate in rates]
    if len(rates) < 2:
        return  # nobody to compare with
    if measure.measure == "group_disparity":
        yield max(abs(a - b) for a in favourable for b in favourable)
    elif measure.measure == "impact_ratio":
        yield from (rate / max(favourable) if max(favourable) else Fraction(1) for rate in favourable)
    elif measure.measure == "p_percent_rule":
        outcomes = list(rates[0]) if measure.outcomes == "all" else ["yes"]
        for a, b in combinations(rates, 2):
            yield min(min(a[o], b[o]) / max(a[o], b[o]) if a[o] != b[o] else Fraction(1) for o in outcomes)
    elif measure.measure == "odds_ratio":
        for low, high in map(sorted, combinations(favourable, 2)):
            yield low / (1 - low) * (1 - high) / high if low < high else Fraction(1)
    else:
        for a, b in combinations(rates, 2):
            yield sum((abs(a[o] - b[o]) for o in a), Fraction(0)) / len(a)


def check_against_truth(assessment: Assessment, truth: float | Fraction) -> None:
    """The truth is inside the interval, the interval inside the a-priori bound, and the verdict agrees with the truth."""
    result = assessment.result
    if assessment.verdict in ("meets", "does_not_meet"):
        assert assessment.threshold is not None
        limit = Fraction(assessment.threshold)
        assert (truth >= limit if assessment.is_ratio else truth <= limit) == (assessment.verdict == "meets")
    if result is None:
        assert assessment.measure == "individual"
        return
    slack = 1e-12 if isinstance(truth, float) else 0  # only logarithms are compared in floating point
    assert Fraction(result.low) - slack <= truth <= Fraction(result.high) + slack
    assert result.low <= result.value <= result.high
    if assessment.a_priori is not None:
        room = assessment.a_priori + 2 * Decimal(1).scaleb(-4)
        assert result.low >= result.value - room
        assert result.high <= result.value + room
    if assessment.log_ratio is not None and assessment.log_ratio.interval is not None and truth > 0:
        low, high = assessment.log_ratio.interval
        assert float(low) <= -math.log(truth) + 1e-12
        assert -math.log(truth) <= float(high) + 1e-12


def check_random_tables(first: int, count: int) -> int:
    """Every measure of some random tables, a third of them with three outcomes; how many comparisons were checked."""
    checked = 0
    for seed in range(first, first + count):
        rng = np.random.default_rng(seed)
        made = three_outcomes(rng) if seed % 3 == 0 else two_outcomes(rng)
        if made is None:
            continue
        announcement, truth = made
        spec = public_spec(announcement.cells, MEASURES)
        assessments, _ = assess(announcement, spec)
        truths = [
            value for measure in spec.fairness for value in true_values(announcement.cells, truth, measure)
        ]
        assert len(assessments) == len(truths)
        for assessment, value in zip(assessments, truths, strict=True):
            check_against_truth(assessment, value)
        checked += len(assessments)
    return checked


@pytest.mark.parametrize("part", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_truth_is_inside_every_interval(part: int) -> None:
    """Every measure, every kind of fidelity, overlapping and crossed groups, two outcomes and three."""
    assert check_random_tables(10_000 + 100 * part, 100) > 2000


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_truth_is_inside_every_interval_of_many(part: int) -> None:
    """The same for more than 5,000 tables."""
    assert check_random_tables(20_000 + 300 * part, 300) > 6000


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
        table.cells,
        [{"measure": "statistical_parity", "groups": {"a": {"group": "g0"}, "b": {"other": "o0"}}}],
    )
    keep = table.cells.column("group") == 1
    assert keep.any()
    cells, order = arrange(table.cells.process, table.cells.codes[keep], table.cells.population[keep])
    smaller = binary_table(cells, table.favourable[keep][order])
    done, left_out = assess(released(smaller, CLOSENESS[0]), spec)
    assert not done
    assert left_out[0].groups == ("a", "b")
