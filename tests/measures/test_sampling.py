"""Sampling intervals: they cover at their stated rate, use published figures only, and stay apart from certified ones."""

import json
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from atreport.core.band import Closeness, Range
from atreport.core.cells import arrange
from atreport.core.certify import Announcement
from atreport.core.rule_table import RuleTable
from atreport.measures.chance import chance_of_rate, clopper_pearson
from atreport.report.fairness import Assessment
from atreport.report.writer import measures_csv, report_json
from atreport.spec.process import Process
from tests.assessing import assess, report_of
from tests.example import announced, example_spec
from tests.measures.test_fairness import public_spec

MEASURES: list[dict[str, Any]] = [
    {"measure": "statistical_parity", "groups": "gender"},
    {"measure": "p_percent_rule", "groups": "gender"},
    {"measure": "p_percent_rule", "groups": "gender", "outcomes": "all"},
    {"measure": "impact_ratio", "groups": "area"},
    {"measure": "odds_ratio", "groups": "gender"},
    {"measure": "group_disparity", "groups": ["gender", "area"]},
]
ESTIMATED = ("  outcome: {name", "  estimated_from: records\n  outcome: {name")
COUNTS = ("population: shares", "population: counts")

PROCESS = Process.model_validate(
    {
        "name": "test",
        "estimated_from": "records",
        "outcome": {"name": "decision", "values": ["no", "yes"], "favourable": "yes"},
        "attributes": [
            {"name": "gender", "role": "public", "values": ["F", "M"]},
            {"name": "area", "role": "sensitive", "values": ["a", "b", "c"]},
        ],
    }
)
CODES = np.array(list(product(range(2), range(3))), dtype=np.int32)
CASES = np.array([100, 40, 20, 200, 50, 10])
PROCESS_BEHIND = np.array([0.30, 0.12, 0.95, 0.22, 0.50, 0.04])
"""The long-run probability in each cell, from which records are drawn."""


def release_of_records(favoured: np.ndarray) -> Announcement:
    """What is published when the frequencies in the records are announced unchanged."""
    cells, order = arrange(PROCESS, CODES, CASES)
    assert (order == np.arange(len(CODES))).all()
    steps = favoured * 10**4 // CASES
    assert (steps * CASES == favoured * 10**4).all()
    return announced(cells, steps)


def values_behind() -> dict[str, float]:
    """Every measure and rate of the process behind the records."""

    def rate(inside: np.ndarray) -> float:
        return float((CASES * PROCESS_BEHIND)[inside].sum() / CASES[inside].sum())

    women, men = (rate(CODES[:, 0] == code) for code in range(2))
    areas = [rate(CODES[:, 1] == code) for code in range(3)]
    return {
        "rate F": women,
        "rate M": men,
        "statistical_parity F": abs(women - men),
        "p_percent_rule F": min(women, men) / max(women, men),
        "p_percent_rule all F": min(
            min(women, men) / max(women, men), min(1 - women, 1 - men) / max(1 - women, 1 - men)
        ),
        "odds_ratio F": min(women, men) / max(women, men) * (1 - max(women, men)) / (1 - min(women, men)),
        **{f"impact_ratio {area}": of / max(areas) for area, of in zip("abc", areas, strict=True)},
        "group_disparity": float(PROCESS_BEHIND.max() - PROCESS_BEHIND.min()),
    }


def name_of(assessment: Assessment) -> str:
    """How a measure is called above."""
    if assessment.measure == "group_disparity":
        return assessment.measure
    assert assessment.groups is not None
    return f"{assessment.measure}{' all' if assessment.by_outcome else ''} {assessment.groups[0]}"


def test_intervals_cover_at_their_stated_rate() -> None:
    """Of 1,000 samples from a known mapping, at least 95% of the intervals of every kind hold the value behind them."""
    rng = np.random.default_rng(1973)
    behind, covered = values_behind(), Counter[str]()
    cells = release_of_records(np.zeros(6, dtype=np.int64)).cells
    spec = public_spec(cells, MEASURES)
    for _ in range(1000):
        assessments, _ = assess(release_of_records(rng.binomial(CASES, PROCESS_BEHIND)), spec)
        for assessment in assessments:
            assert assessment.sampling is not None
            name = name_of(assessment)
            low, high = map(float, assessment.sampling.interval)
            covered[name] += low <= behind[name] <= high
        for rate in assessments[0].rates or ():
            assert rate.sampling is not None
            low, high = map(float, rate.sampling.interval)
            covered[f"rate {rate.group}"] += low <= behind[f"rate {rate.group}"] <= high
    assert set(covered) == set(behind)
    assert min(covered.values()) >= 950, covered


@pytest.mark.parametrize("cases", [1, 2, 7, 40, 1000])
def test_rate_interval_is_the_exact_binomial_one(cases: int) -> None:
    """The same as SciPy's exact interval, and never inside it."""
    for count in {0, 1, cases // 3, cases - 1, cases}:
        low, high = clopper_pearson(count, count, cases, Fraction(1, 20))
        exact = binomtest(count, cases).proportion_ci(0.95, method="exact")
        assert float(low) <= exact.low
        assert float(high) >= exact.high
        assert (float(low), float(high)) == pytest.approx((exact.low, exact.high), abs=1e-9)


def test_rate_interval_covers_whatever_the_process() -> None:
    """Added up over all counts, the chance to be covered is at least 95% for every long-run rate."""
    cases = 30
    ends = [clopper_pearson(count, count, cases, Fraction(1, 20)) for count in range(cases + 1)]
    for rate in np.linspace(0, 1, 201):
        inside = [count for count, (low, high) in enumerate(ends) if low <= rate <= high]
        assert np.sum(binom.pmf(inside, cases, rate)) >= 0.95 - 1e-12


def test_an_interval_holds_those_of_all_counts_that_are_possible() -> None:
    """A certified interval leaves some counts open: the lower end is that of the fewest, the upper that of the most."""
    found = chance_of_rate(Range(Fraction(7, 20), Fraction(31, 100), Fraction(49, 100)), 10)
    assert (found.low, found.high) == clopper_pearson(4, 4, 10, Fraction(1, 20))
    found = chance_of_rate(Range(Fraction(7, 20), Fraction(3, 10), Fraction(6, 10)), 10)
    assert found.low == clopper_pearson(3, 3, 10, Fraction(1, 20))[0]
    assert found.high == clopper_pearson(6, 6, 10, Fraction(1, 20))[1]


def simulate_release(favoured: np.ndarray, rng: np.random.Generator, rates: Decimal | None) -> RuleTable:
    """What a publisher could announce of records, whatever they hold: every rate as far from its count as is allowed."""
    cells, _ = arrange(PROCESS, CODES, CASES)
    move = 1000 if rates is None else int((1 - rates) * 10**4)
    down = rng.random() < 0.5
    steps = favoured * 10**4 // CASES
    steps = np.clip(steps + (-move if down else move), 0, 10**4)
    return RuleTable(
        cells=cells,
        mapping=np.column_stack([10**4 - steps, steps]),
        decimals=4,
        fidelity=Closeness(delta=Decimal("0.9")),
        weights=(cells.population,),
        population="counts",
        rates=rates,
    )


@pytest.mark.slow
@pytest.mark.parametrize("rates", [None, Decimal("0.99")], ids=["delta", "rates"])
def test_intervals_cover_however_the_announcement_depends_on_the_records(rates: Decimal | None) -> None:
    """Of 2,000 samples, announced as far from the records as allowed, at least 95% hold the long-run value behind them."""
    rng = np.random.default_rng(1934)
    behind, covered, of_announced = values_behind(), Counter[str](), Counter[str]()
    samples = 2000
    for _ in range(samples):
        table = simulate_release(rng.binomial(CASES, PROCESS_BEHIND), rng, rates)
        for assessment in assess(table, public_spec(table.cells, MEASURES))[0]:
            assert assessment.sampling is not None
            name = name_of(assessment)
            low, high = map(float, assessment.sampling.interval)
            covered[name] += low <= behind[name] <= high
            for rate in assessment.rates or ():
                assert rate.sampling is not None
                low, high = map(float, rate.sampling.interval)
                if f"rate {rate.group}" in behind and assessment.measure == "statistical_parity":
                    covered[f"rate {rate.group}"] += low <= behind[f"rate {rate.group}"] <= high
                    count, cases = round(float(rate.value) * (rate.people or 0)), rate.people or 0
                    alone = clopper_pearson(count, count, cases, Fraction(1, 20))
                    of_announced[rate.group] += alone[0] <= behind[f"rate {rate.group}"] <= alone[1]
    assert min(covered.values()) >= 0.95 * samples, covered
    if rates is None:
        assert max(of_announced.values()) < 0.9 * samples, "the interval of the announced rate would do"


@pytest.mark.parametrize(
    ("edits", "given"),
    [([], False), ([ESTIMATED], False), ([COUNTS], False), ([ESTIMATED, COUNTS], True)],
    ids=["rule", "shares", "rule with counts", "records with counts"],
)
def test_given_only_for_estimates_with_published_counts(edits: list[tuple[str, str]], given: bool) -> None:
    """Without records there is no chance to speak of; without counts nothing to calculate it from, and a note says so."""
    report = report_of(example_spec(*edits))
    assessments = report.fairness
    assert any(a.sampling for a in assessments) == given
    assert all((a.sampling is not None) == given for a in assessments if a.measure != "individual")
    notes = {note.id: note.text for note in report.notes}
    assert ("sampling" in notes) == (ESTIMATED in edits)
    if ESTIMATED in edits:
        assert ("not published" in notes["sampling"]) == (not given)
    document = json.loads(report_json(report))
    assert any("sampling" in entry for entry in document["fairness"]) == given
    assert ",0.95\n" in measures_csv(assessments).decode() if given else True


def test_certified_intervals_do_not_change() -> None:
    """Whether the rule is an estimate makes no difference to any certified interval or verdict."""
    results = []
    for edits in ([COUNTS], [ESTIMATED, COUNTS]):
        assessments = report_of(example_spec(*edits)).fairness
        results.append(
            [(a.result, a.verdict, [(r.value, r.interval) for r in a.rates or ()]) for a in assessments]
        )
    assert results[0] == results[1]
