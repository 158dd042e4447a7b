"""The mechanism that cannot be read back: its grid, its fidelity, and what those who know it can conclude."""

import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from atreport.core.certify import Announcement
from atreport.errors import InvalidInput
from atreport.private.attacks.inversion import cells_read_back
from atreport.private.data.decision_table import DecisionTable, FloatArray
from atreport.private.draft import draft_announcement
from atreport.private.mechanisms import calibrated_steps, grid_of
from atreport.private.solver.closed_form import optimal_terms
from atreport.spec.spec import Spec
from atreport.text.numbers import shortest_decimal
from tests.example import example_spec, random_table


def grid_edges(delta: Decimal, decimals: int) -> NDArray[np.int64]:
    """Where all intervals of a small grid begin and end."""
    grid = grid_of(delta, decimals)
    return grid.edges(np.arange(grid.number + 1))


def interval_of(steps: NDArray[np.int64], edges: NDArray[np.int64]) -> NDArray[np.int64]:
    """The interval of each value by looking it up, where the grid calculates it."""
    return np.minimum(np.searchsorted(edges, steps, side="right") - 1, len(edges) - 2)


MECHANISM = ("  decimals: 4", "  mechanism: calibrated\n  decimals: 4")


def _spec(delta: str, decimals: int, mechanism: str = "calibrated") -> Spec:
    return example_spec(
        ("delta: 0.9", f"delta: {delta}"),
        ("  privacy: {beta: 0.7}\n", ""),
        ("  decimals: 4", f"  mechanism: {mechanism}\n  decimals: {decimals}"),
    )


@settings(deadline=None)
@given(st.integers(1, 5), st.integers(0, 10**5))
@example(2, 25)  # the largest distance at which two wide intervals have room
@example(2, 26)
def test_grid_is_as_coarse_as_fidelity_and_print_allow(decimals: int, distortion: int) -> None:
    """Intervals cover 0 to 1, have printable middles, are at most 2w wide, and are as few as that allows.

    With wide outer intervals nothing is announced below w or above 1 - w, so the odds factor is at most (1 - w) / w.
    """
    scale = 10**decimals
    steps = max(1, distortion % (scale + 1))  # w in whole steps, so that no printable width is lost
    delta = 1 - Decimal(steps).scaleb(-decimals)
    edges = grid_edges(delta, decimals)
    widths = np.diff(edges)
    assert (edges[0], edges[-1]) == (0, scale)
    assert (widths % 2 == 0).all()
    assert widths.max() <= 2 * steps
    wide = 4 * steps <= scale
    inner = widths[1:-1] if wide else widths
    assert not len(inner) or inner.max() - inner.min() <= 2
    assert not wide or (widths[0], widths[-1]) == (2 * steps, 2 * steps)
    assert len(widths) == math.ceil(Fraction(scale, 2 * steps))
    values = np.unique(np.concatenate([edges, edges[1:] - 1, np.arange(min(scale, 500) + 1)]))
    grid = grid_of(delta, decimals)
    assert grid.interval_of(values).tolist() == interval_of(values, edges).tolist()
    announced = grid.middle_of(values)
    assert (np.abs(announced - values) <= steps).all()
    if wide:
        assert (announced.min(), announced.max()) == (steps, scale - steps)


def test_finest_grid_takes_no_memory() -> None:
    """At nine decimals there may be half a thousand million intervals."""
    values = np.array([0, 1, 2, 999_999_999, 10**9])
    grid = grid_of(Decimal("0.999999999"), 9)
    assert grid.number == 500_000_000
    assert grid.middle_of(values).tolist() == [1, 1, 3, 999_999_999, 999_999_999]


@pytest.mark.parametrize(
    ("true", "interval"), [(0.0, 0), (0.19999, 0), (0.2, 1), (0.6, 3), (0.8, 4), (1.0, 4)]
)
def test_a_value_on_an_edge_belongs_to_the_interval_above(true: float, interval: int) -> None:
    """0.6 is not 0.6 in binary; the decimal that was written decides. 1 belongs to the last interval."""
    table = _one_cell(true)
    edges = grid_edges(Decimal("0.9"), 4)
    middle = (edges[interval] + edges[interval + 1]) // 2
    assert calibrated_steps(table, Decimal("0.9"), 4)[0, 1] == middle
    assert interval_of(np.array([2000]), edges).tolist() == [1]


def _one_cell(true: float) -> DecisionTable:
    rng = np.random.default_rng(0)
    table = random_table(rng, groups=1, values=1)
    return replace(table, probability=np.array([[1 - true, true]]))


def _expected(true: float, delta: Decimal, decimals: int) -> Fraction:
    """What one expects who knows the method and believes evenly in the interval: its middle, in fractions."""
    edges = [Fraction(int(edge), 10**decimals) for edge in grid_edges(delta, decimals)]
    exact = shortest_decimal(true)
    below, above = next(
        (low, high) for low, high in pairwise(edges) if low <= exact < high or (high == 1 and exact == 1)
    )
    return (below + above) / 2


def _check_aware_adversary(seed: int) -> None:
    """Fidelity holds, and an observer who knows the method never exceeds the printed β; all in fractions."""
    rng = np.random.default_rng(seed)
    table = random_table(rng, groups=2, values=3, others=int(rng.integers(1, 3)))
    decimals = int(rng.integers(1, 5))
    delta = 1 - Decimal(int(rng.integers(1, 10**decimals + 1))).scaleb(-decimals)
    announcement = draft_announcement(_spec(str(delta), decimals), table).announcement
    expected = [_expected(d, delta, decimals) for d in table.favourable.tolist()]
    announced = [Fraction(int(step), announcement.scale) for step in announcement.announced]
    assert announced == expected  # what one expects is what is printed
    for d, a in zip(table.favourable.tolist(), announced, strict=True):
        assert abs(a - shortest_decimal(d)) <= 1 - Fraction(delta)
    cells, beta = table.cells, [Fraction(int(b), announcement.scale) for b in announcement.group_beta]
    for weights in announcement.weights:
        for flip in (False, True):
            mass = [int(w) * (1 - e if flip else e) for w, e in zip(weights, expected, strict=True)]
            for value in range(int(cells.value.max()) + 1):
                inside = np.flatnonzero(cells.value == value)
                group = int(cells.group[inside[0]])
                total = sum((mass[i] for i in np.flatnonzero(cells.group == group)), Fraction(0))
                if total:
                    assert sum((mass[i] for i in inside), Fraction(0)) <= beta[group] * total


@pytest.mark.parametrize("batch", range(3))
def test_who_knows_the_method_never_exceeds_beta(batch: int) -> None:
    """A quick slice of the random tables."""
    for seed in range(25):
        _check_aware_adversary(25 * batch + seed)


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(12))
def test_who_knows_the_method_never_exceeds_beta_on_many_tables(batch: int) -> None:
    """1,200 random tables."""
    for seed in range(100):
        _check_aware_adversary(1000 + 100 * batch + seed)


def test_release_tells_the_interval_and_nothing_more() -> None:
    """Any other true rule in the same intervals gives the same announcement, to the last figure."""
    rng = np.random.default_rng(7)
    spec, edges = _spec("0.87", 3), grid_edges(Decimal("0.87"), 3)
    for _ in range(50):
        table = random_table(rng)
        interval = interval_of(np.floor(table.favourable * 1000 + 1e-9).astype(np.int64), edges)
        inside = (edges[interval] + rng.random(len(interval)) * (np.diff(edges)[interval] - 0.001)) / 1000
        other = replace(table, probability=np.column_stack([1 - inside, inside]))
        one, two = (draft_announcement(spec, t).announcement for t in (table, other))
        assert one.mapping.tolist() == two.mapping.tolist()
        assert one.group_beta.tolist() == two.group_beta.tolist()


def _inversion(tables: int, seed: int) -> dict[str, list[float]]:
    """For each mechanism: share of tables wholly read back, share of cells, and mean β of the whole report."""
    rng = np.random.default_rng(seed)
    found: dict[str, list[tuple[bool, float, float]]] = {"optimal": [], "calibrated": []}
    for _ in range(tables):
        table = random_table(rng, groups=2, values=3)
        for mechanism, results in found.items():
            spec = _spec("0.9", 4, mechanism)
            announcement: Announcement = draft_announcement(spec, table).announcement
            _, back = cells_read_back(spec, table, announcement, announcement.mechanism)
            results.append((bool(back.all()), float(back.mean()), float(announcement.beta)))
    return {name: np.mean(np.array(results, dtype=float), axis=0).tolist() for name, results in found.items()}


def test_optimal_can_be_read_back_and_calibrated_cannot() -> None:
    """Measured on random tables; the price in β is small."""
    found = _inversion(12, 1)
    assert found["calibrated"][:2] == [0.0, 0.0]
    assert found["optimal"][1] > 0.5


@pytest.mark.slow
def test_inversion_on_many_tables(capsys) -> None:
    """1,000 random tables, half hard and half soft rules: the figures that the documentation states."""
    found = _inversion(1000, 2)
    with capsys.disabled():
        for name, (whole, cells, beta) in found.items():
            print(
                f"\n{name}: {whole:.1%} of tables and {cells:.1%} of cells read back, mean β {beta:.4f}",
                end="",
            )
    assert found["calibrated"][:2] == [0.0, 0.0]
    assert found["optimal"][0] > 0.3
    assert found["calibrated"][2] - found["optimal"][2] < 0.05


@pytest.mark.parametrize(
    ("kind", "optimal", "calibrated", "true"),
    [("hard", 0.627, 0.634, 0.800), ("soft", 0.463, 0.545, 0.551)],
)
def test_price_is_small_for_hard_rules(kind: str, optimal: float, calibrated: float, true: float) -> None:
    """The mean β of 4,000 random groups at δ = 0.9, as the documentation states it."""
    rng = np.random.default_rng(0)
    sizes = rng.integers(3, 7, 4000)
    starts = np.cumsum(sizes) - sizes
    p = rng.integers(1, 100, sizes.sum()).astype(float)
    d = rng.choice([0.0, 1.0], len(p)) if kind == "hard" else rng.random(len(p))
    optimum = optimal_terms(p, np.clip(d - 0.1, 0, 1), np.clip(d + 0.1, 0, 1), starts).optimum
    edges = grid_edges(Decimal("0.9"), 4)
    interval = interval_of(np.floor(d * 10_000).astype(np.int64), edges)
    middle = (edges[interval] + edges[interval + 1]) / 20_000

    def mean_confidence(x: FloatArray) -> float:
        largest = np.zeros(len(starts))
        for joint in (p * x, p * (1 - x)):
            total = np.add.reduceat(joint, starts)
            most = np.maximum.reduceat(joint, starts)
            largest = np.maximum(largest, np.divide(most, total, out=np.zeros_like(total), where=total > 0))
        return float(largest.mean())

    assert float(optimum.mean()) == pytest.approx(optimal, abs=0.01)
    assert mean_confidence(middle) == pytest.approx(calibrated, abs=0.01)
    assert mean_confidence(d) == pytest.approx(true, abs=0.01)


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        ((("delta: 0.9", "alpha: 0.9"), MECHANISM), "needs delta, not alpha"),
        ((("delta: 0.9", "delta: 1"), MECHANISM), "at least one printed step"),
        ((("delta: 0.9", "delta: 0.99995"), MECHANISM), "at least one printed step"),
        (
            (("  decimals: 4", "  mechanism: calibrated\n  objective: fidelity\n  decimals: 4"),),
            "fixed in advance",
        ),
        ((("values: [denied, approved]", "values: [denied, waiting, approved]"), MECHANISM), "two outcomes"),
        ((("  decimals: 4", "  mechanism: random\n  decimals: 4"),), "optimal"),
    ],
)
def test_impossible_policies_are_errors_at_their_line(
    edits: tuple[tuple[str, str], ...], message: str
) -> None:
    """Each says what is wrong, where, and what to write instead."""
    with pytest.raises(InvalidInput) as caught:
        example_spec(*edits)
    assert any(message in f"{p.message} {p.hint}" and p.location.line for p in caught.value.problems), str(
        caught.value
    )
