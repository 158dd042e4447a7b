"""Trade-off curves: exact, the same as solving point by point, and honest about what they suggest."""

import time
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from atreport.core.band import Closeness
from atreport.core.cells import arrange
from atreport.private.data.decision_table import DecisionTable
from atreport.private.data.table import read_table
from atreport.private.prepare import prepare_spec
from atreport.private.tradeoff import (
    calculate_trade_off,
    confidence_at,
    delta_for,
    knee_of,
    rate_table,
    trade_off_json,
)
from atreport.private.tradeoff.curve import BetaCurve, ValueRecords, group_curve, upper_envelope
from atreport.private.tradeoff.policy_sweep import (
    RATES,
    PolicyPoint,
    PolicyResult,
    along_fidelity,
    along_rates,
    policy_sweep,
)
from atreport.spec.spec import Spec
from tests.example import binary_table, example_spec, process_with, random_table
from tests.reference import exact_optimum

ZERO, ONE = Fraction(0), Fraction(1)


def _random_values(rng: np.random.Generator) -> list[ValueRecords]:
    """A group of up to five sensitive values with up to two cells each, hard and soft rules mixed."""

    def chance() -> Fraction:
        return Fraction(int(rng.choice(np.array([0, 1000, 500, rng.integers(0, 1001)]))), 1000)

    return [
        ValueRecords(tuple((int(rng.integers(1, 40)), chance()) for _ in range(rng.integers(1, 3))))
        for _ in range(rng.integers(1, 6))
    ]


def _solved_at(values: list[ValueRecords], w: Fraction) -> Fraction:
    """The optimum at one distortion, from the bounds themselves and a method that shares no code with the curve."""
    people = [Fraction(value.people) for value in values]
    lower = [sum((p * max(ZERO, d - w) for p, d in value.cells), ZERO) / value.people for value in values]
    upper = [sum((p * min(ONE, d + w) for p, d in value.cells), ZERO) / value.people for value in values]
    return exact_optimum(people, lower, upper)


def _check_against_points(seed: int, points: int) -> None:
    rng = np.random.default_rng(seed)
    values = _random_values(rng)
    curve = group_curve(values)
    assert (curve.breakpoints[0], curve.breakpoints[-1]) == (ZERO, ONE)
    assert list(curve.breakpoints) == sorted(set(curve.breakpoints))
    for w in [Fraction(int(n), 10**6) for n in rng.integers(0, 10**6 + 1, points)]:
        assert abs(curve(w) - _solved_at(values, w)) <= Fraction(1, 10**15)
    at_ends = [curve(w) for w in curve.breakpoints]
    assert at_ends == sorted(at_ends, reverse=True)  # more distortion never costs privacy


def test_curve_equals_point_wise_solves() -> None:
    """A quick slice: forty random groups at ten random distortions each."""
    for seed in range(40):
        _check_against_points(seed, 10)


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(5))
def test_curve_equals_point_wise_solves_at_200_distortions(batch: int) -> None:
    """A hundred random groups at 200 random distortions each."""
    for seed in range(20):
        _check_against_points(100 + 20 * batch + seed, 200)


def test_report_curve_equals_the_solver_at_200_random_deltas() -> None:
    """The envelope of all groups is the solver's β of the whole table, at 200 random δ."""
    rng = np.random.default_rng(5)
    spec = example_spec()
    for _ in range(4):
        table = random_table(rng, groups=4, values=4, others=2)
        found = calculate_trade_off(spec, table)
        assert found is not None
        assert found.exact_everywhere
        for step in rng.integers(0, 10_001, 50).tolist():
            delta = Decimal(step).scaleb(-4)
            solved = confidence_at(table, Closeness(delta=delta))
            assert float(found.report(1 - Fraction(delta))) == pytest.approx(solved.max(), abs=1e-12)
            for group, curve in found.groups:
                assert float(curve(1 - Fraction(delta))) == pytest.approx(solved[group], abs=1e-12)


def _paper_curves() -> tuple[BetaCurve, BetaCurve]:
    spec = example_spec()
    found = calculate_trade_off(spec, read_table(spec))
    assert found is not None
    curves = dict(found.groups)
    return curves[0], curves[1]


def test_the_papers_curves() -> None:
    """F runs over β from 1 to 0.6, M from 0.72 to 0.45; at δ = 0.9 they are 0.675 and 0.6378."""
    women, men = _paper_curves()
    tenth = Fraction(1, 10)
    assert (women(ZERO), women(tenth), women(ONE)) == (ONE, Fraction(27, 40), Fraction(3, 5))
    assert (men(ZERO), round(float(men(tenth)), 4), men(ONE)) == (Fraction(18, 25), 0.6378, Fraction(9, 20))
    assert [piece.term for piece in women.pieces] == ["favourable", "both", "unfavourable", "prior"]
    assert women.breakpoints == (ZERO, Fraction(1, 14), Fraction(1, 9), Fraction(3, 11), ONE)


def test_envelope_is_the_largest_curve_everywhere() -> None:
    """At random points and at every breakpoint of any of the curves."""
    rng = np.random.default_rng(11)
    for _ in range(10):
        curves = [group_curve(_random_values(rng), group) for group in range(4)]
        envelope = upper_envelope(curves)
        points = {w for curve in curves for w in curve.breakpoints}
        for w in [*points, *(Fraction(int(n), 1000) for n in rng.integers(0, 1001, 20))]:
            assert abs(envelope(w) - max(curve(w) for curve in curves)) <= Fraction(1, 10**15)


def test_least_distortion_for_a_level() -> None:
    """It reaches the level, and a little less distortion does not."""
    rng = np.random.default_rng(2)
    for _ in range(30):
        curve = group_curve(_random_values(rng))
        level = curve(ONE) + (curve(ZERO) - curve(ONE)) * Fraction(int(rng.integers(0, 11)), 10)
        w = curve.first_at_most(level)
        assert w is not None
        assert curve(w) <= level + Fraction(1, 10**15)
        if w > Fraction(1, 10**9):
            assert curve(w - Fraction(1, 10**9)) > level or curve(w - Fraction(1, 10**9)) == curve(w)
        assert curve.first_at_most(curve(ONE) - 1) is None


def test_suggestions_keep_their_word() -> None:
    """The first keeps the ceiling of 0.7, a thousandth more fidelity does not; the last adds nothing to the prior."""
    spec = example_spec()
    found = calculate_trade_off(spec, read_table(spec))
    assert found is not None
    first, knee, last = found.suggestions
    assert first.beta <= Fraction(7, 10) < found.report(1 - Fraction(first.delta) - Fraction(1, 1000))
    assert knee.delta == delta_for(found.knee)
    assert found.knee == knee_of(found.report) == Fraction(1, 14)
    assert last.beta == found.floor == Fraction(3, 5)


def test_large_tables_are_exact_where_they_say() -> None:
    """With more groups than are drawn one by one, the curve equals the solver at the sampled distortions."""
    rng = np.random.default_rng(8)
    table = _many_groups(rng, 300)
    found = calculate_trade_off(example_spec(), table)
    assert found is not None
    assert not found.exact_everywhere
    for w in (np.linspace(0, 1, 41) ** 2).round(6).tolist()[::5]:
        delta = 1 - Decimal(str(w))
        solved = confidence_at(table, Closeness(delta=delta)).max()
        assert float(found.report(1 - Fraction(delta))) == pytest.approx(solved, abs=1e-12)


def _many_groups(rng: np.random.Generator, groups: int) -> DecisionTable:

    codes = np.array([(g, v, 0) for g in range(groups) for v in range(3)], dtype=np.int32)
    cells, _ = arrange(process_with(groups, 3), codes, rng.integers(1, 200, len(codes)))
    return binary_table(cells, rng.random(len(codes)).round(3))


def _outlooks(spec: Spec, trials: Sequence[PolicyPoint]) -> list[PolicyResult]:
    drafted = prepare_spec(spec)
    return list(policy_sweep(spec, spec.public, drafted.table, drafted.announcement.rule, trials).values())


def test_verdicts_at_other_fidelities_are_those_of_a_report_at_that_fidelity() -> None:
    """At δ 1 both thresholds are decided, at 0.9 neither, and β is what a build prints."""
    spec = example_spec()
    found = {str(o.number): o for o in _outlooks(spec, along_fidelity(spec, relative=False))}
    assert [v for v in found["1"].verdicts if v] == ["meets", "does_not_meet"]
    assert [v for v in found["0.9"].verdicts if v] == ["cannot_tell", "cannot_tell"]
    assert (found["0.9"].beta, found["0.9"].others["calibrated"]) == (0.675, 0.6924)
    assert found["1"].others["calibrated"] is None


def test_lift_odds_and_rates_stand_beside_beta() -> None:
    """Every fidelity and every way to keep rates shows the lift and odds factor that a build would print."""
    spec = example_spec()
    table = read_table(spec)
    along = _outlooks(spec, along_fidelity(spec, relative=False))
    assert (along[0].odds, along[0].lift) == (None, 6.6667)
    assert all(o.lift >= 1 and (o.odds is None or o.odds >= 1) for o in along)
    by_rates = _outlooks(spec, along_rates(Closeness(delta=Decimal("0.9"))))
    assert [o.rates for o in by_rates] == list(RATES)
    assert all(free.beta <= kept.beta for free, kept in pairwise(by_rates))
    assert by_rates[0].beta == 0.675
    shown = rate_table(by_rates, Decimal("0.99"))
    assert "0.99 *" in str(shown)
    found = trade_off_json(None, along, by_rates, table.cells)
    assert found is not None
    assert [row["rates"] for row in found["rates"]] == [None, 0.95, 0.98, 0.99, 1.0]


@pytest.mark.slow
def test_tradeoff_of_seven_hundred_cells_is_quick() -> None:
    """Groups of thirty values with rules of many digits: the curve takes seconds, as rules of few digits do."""
    rng = np.random.default_rng(1)
    codes = np.array([(g, v, 0) for g in range(24) for v in range(30)], dtype=np.int32)
    cells, _ = arrange(process_with(24, 30), codes, rng.integers(1, 200, len(codes)))
    table = binary_table(cells, np.where(rng.random(len(codes)) < 0.5, rng.random(len(codes)), 1.0))
    start = time.process_time()
    assert calculate_trade_off(example_spec(), table) is not None
    assert time.process_time() - start < 5
