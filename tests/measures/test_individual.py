"""Individual fairness: the exact largest bias over all pairs of people, without trying all pairs."""

import math
import time
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from atreport.core.band import Closeness
from atreport.core.cells import IntArray, arrange
from atreport.core.certify import Announcement
from atreport.measures import individual as search
from atreport.measures.individual import Alike, Axis, Bias, LineAxis, Matrix, measure
from atreport.measures.measured import Measured
from atreport.spec.process import Process
from tests.assessing import assess
from tests.example import announced
from tests.measures.test_fairness import public_spec
from tests.reference import brute_force_bias

DISTANCES: list[dict[str, Any]] = [
    {"area": 0.2, "age": {"scale": 0.1}},
    {"area": {"matrix": [[0, 0.3, 0.05], [0.3, 0, 0], [0.05, 0, 0]]}, "age": 0.1},
    {"age": {"numbers": "values", "scale": 0.01}},
    {"area": {"numbers": {"north": 1.5, "south": -1, "west": 1.5}, "scale": 0.2}, "age": {"scale": 0}},
    {"age": {"numbers": "values", "scale": 1000000}},
    {},
]


def announcement_of(codes: IntArray, process: Process, steps: IntArray, delta: str = "0.95") -> Announcement:
    """An announcement that announces these steps of 10^-4."""
    cells, order = arrange(process, codes.astype(np.int32), np.ones(len(codes), dtype=np.int64))
    return announced(cells, steps[order], fidelity=Closeness(delta=Decimal(delta)))


def process_of(values: dict[str, list[str]]) -> Process:
    """A process with these attributes, the last of them sensitive."""
    roles = ["public"] * (len(values) - 1) + ["sensitive"]
    attributes = [
        {"name": name, "role": role, "values": of}
        for (name, of), role in zip(values.items(), roles, strict=True)
    ]
    outcome = {"name": "decision", "values": ["no", "yes"], "favourable": "yes"}
    return Process.model_validate({"name": "test", "outcome": outcome, "attributes": attributes})


SMALL = process_of(
    {"area": ["north", "south", "west"], "age": ["60", "18", "35.5", "20"], "secret": ["a", "b"]}
)


@pytest.mark.parametrize("metric", ["total_variation", "relative"])
@pytest.mark.parametrize("distance", DISTANCES, ids=str)
def test_every_kind_of_distance_equals_brute_force(distance: dict[str, Any], metric: str) -> None:
    """Weights, steps, numbers and matrices: the announced bias is the exact maximum, and the true one is inside."""
    compared = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        codes = np.array(list(product(range(3), range(4), range(2))))[
            rng.permutation(24)[: rng.integers(2, 25)]
        ]
        true = rng.integers(0, 10**4 + 1, len(codes))
        steps = np.clip(true + rng.integers(-500, 501, len(codes)), 0, 10**4)
        announcement = announcement_of(codes, SMALL, steps)
        spec = public_spec(
            announcement.cells, [{"measure": "individual", "metric": metric, "distance": distance}]
        )
        (found,), _ = assess(announcement, spec)
        rule = _mapping(announcement.announced)
        published = brute_force_bias(announcement.cells, rule, spec.fairness[0])  # type: ignore[arg-type]
        truth = _mapping(_in_order(announcement, codes, true))
        bias = brute_force_bias(announcement.cells, truth, spec.fairness[0])  # type: ignore[arg-type]
        if found.result is None:
            assert metric == "relative"
            continue
        compared += 1
        assert abs(Fraction(found.result.value) - Fraction(published)) <= Fraction(51, 10**6)
        slack = 0 if metric == "total_variation" else 1e-12
        assert Fraction(found.result.low) - slack <= bias <= Fraction(found.result.high) + slack
    assert compared > (20 if metric == "total_variation" else 3)


def _mapping(steps: IntArray) -> dict[str, list[Fraction]]:
    return {o: [Fraction(int(n), 10**4) for n in of] for o, of in (("yes", steps), ("no", 10**4 - steps))}


def _in_order(announcement: Announcement, codes: IntArray, steps: IntArray) -> IntArray:
    _, order = arrange(
        announcement.cells.process, codes.astype(np.int32), np.ones(len(codes), dtype=np.int64)
    )
    return np.asarray(steps[order])


def random_axes(rng: np.random.Generator) -> list[Axis]:
    """One to three attributes of any kind, with distances of 0 among them."""
    axes: list[Axis] = []
    for _ in range(rng.integers(1, 4)):
        size, far = int(rng.integers(1, 5)), int(rng.integers(1, 60))
        matrix = np.triu(rng.integers(0, far, (size, size)), 1)
        kinds: list[Axis] = [
            Alike(size=size, longest=far),
            LineAxis(points=np.concatenate([[0], np.sort(rng.integers(0, far, size - 1))])),
            Matrix(distances=matrix + matrix.T),
        ]
        axes.append(kinds[rng.integers(3)])
    return axes


def test_both_searches_equal_all_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the grid and by blocks, in 64 bits and in Python integers, for two thousand random problems."""
    monkeypatch.setattr(search, "BLOCK", 3)
    for seed in range(2000):
        rng = np.random.default_rng(seed)
        axes = random_axes(rng)
        grid = np.array(list(np.ndindex(*(axis.size for axis in axes))))
        points = grid[rng.permutation(len(grid))[: rng.integers(1, len(grid) + 1)]]
        codes = list(points.T.astype(np.int64))
        lower = rng.integers(-50, 100, len(points))
        upper = lower + rng.integers(-20, 20, len(points))
        excess = upper[:, None] - lower[None, :]
        for axis, column in zip(axes, codes, strict=True):
            excess = excess - axis.between(column[:, None], column[None, :])
        np.fill_diagonal(excess, 0)
        expected = max(0, int(excess.max()))
        for largest, factor in ((1 << 23, 1), (0, 1), (1 << 23, 10**18)):
            monkeypatch.setattr(search, "LARGEST_GRID", largest)
            far_apart = [_times(axis, factor) for axis in axes]
            up, low = (numbers.astype(object) * factor for numbers in (upper, lower))
            exactly = expected * factor
            assert search.largest_excess(up, low, codes, far_apart) == (exactly, exactly)


def _times(axis: Axis, factor: int) -> Axis:
    if isinstance(axis, Alike):
        return Alike(size=axis.size, longest=axis.longest * factor)
    if isinstance(axis, LineAxis):
        return LineAxis(points=axis.points.astype(object) * factor)
    assert isinstance(axis, Matrix)
    return Matrix(distances=axis.distances.astype(object) * factor)


def test_a_hundred_thousand_cells() -> None:
    """The exact maximum over 5·10^9 pairs, in seconds; the smooth rule leaves no pair far ahead of the others."""
    sizes = {"area": 20, "age": 50, "children": 10, "secret": 10}
    process = process_of({name: [str(value) for value in range(size)] for name, size in sizes.items()})
    codes = np.array(list(product(*map(range, sizes.values()))))
    rng = np.random.default_rng(1)
    smooth = codes @ [60, 40, 100, 300] + rng.integers(0, 400, len(codes))
    announcement = announcement_of(codes, process, np.minimum(smooth, 10**4))
    distance = {
        "area": 0.01,
        "age": {"numbers": "values", "scale": 0.005},
        "children": {"matrix": [[abs(i - j) / 100 for j in range(10)] for i in range(10)]},
        "secret": {"scale": 0.03},
    }
    spec = public_spec(announcement.cells, [{"measure": "individual", "distance": distance}])
    started = time.monotonic()
    (found,), _ = assess(announcement, spec)
    assert time.monotonic() - started < 30
    assert len(announcement.cells) == math.prod(sizes.values()) == 10**5
    assert found.result is not None
    steps = announcement.announced.astype(np.int64)
    most = 0
    for row in rng.permutation(len(codes))[:300].tolist() + np.argsort(steps)[[0, -1]].tolist():
        apart = np.abs(announcement.cells.codes - announcement.cells.codes[row]).astype(np.int64)
        far = 100 * (apart[:, 0] > 0) + 50 * apart[:, 1] + 100 * apart[:, 2] + 300 * apart[:, 3]
        most = max(most, int((np.abs(steps - steps[row]) - far).max()))
    assert most <= int(found.result.value * 10**4)


def test_search_that_ends_early_gives_a_proven_bracket(monkeypatch: pytest.MonkeyPatch) -> None:
    """With few pairs allowed, the limits still hold the exact maximum."""
    rng = np.random.default_rng(4)
    axes: list[Axis] = [LineAxis(points=np.arange(40) * 120) for _ in range(3)]
    codes = [rng.integers(0, 40, 2000) for _ in axes]
    decisions = 100 * sum(codes) + rng.integers(0, 300, 2000)
    monkeypatch.setattr(search, "LARGEST_GRID", 0)
    exactly, again = search.largest_excess(decisions, decisions, codes, axes)
    assert exactly == again
    monkeypatch.setattr(search, "MOST_PAIRS", 10 * search.BLOCK**2)
    at_least, at_most = search.largest_excess(decisions, decisions, codes, axes)
    assert at_least <= exactly <= at_most
    assert at_least < at_most


def test_the_larger_of_two_biases_is_taken_end_by_end() -> None:
    """Each end by itself; nothing bounds the larger where nothing bounds one of them."""
    one = Bias(value=Fraction(1), at_most=Fraction(4), low=Fraction(0), high=Fraction(9))
    other = Bias(value=Fraction(2), at_most=Fraction(3), low=Fraction(1), high=Fraction(5))
    for both in (one.or_larger(other), other.or_larger(one)):
        assert [both.value, both.at_most, both.low, both.high] == [2, 4, 1, 9]
    assert (
        one.or_larger(Bias(value=Fraction(0), at_most=Fraction(0), low=Fraction(0), high=None)).high is None
    )


def measured(steps: list[int], metric: str, **closeness: str) -> Measured:
    """The bias over people of one attribute that counts by 0.1, each in a class of two cells."""
    process = process_of({"area": ["north", "south"], "secret": ["a", "b"]})
    codes = np.array(list(product(range(2), range(2))))
    cells, _ = arrange(process, codes.astype(np.int32), np.ones(4, dtype=np.int64))
    fidelity = Closeness(**{name: Decimal(number) for name, number in closeness.items()})
    announcement = announced(cells, np.array(steps), fidelity=fidelity)
    asked = {"measure": "individual", "metric": metric, "distance": {"area": 0.1}}
    (found,) = measure(announcement.rule, public_spec(cells, [asked]).fairness[0], unknown=True)  # type: ignore[arg-type]
    assert isinstance(found, Measured)
    return found


def test_the_interval_of_total_variation_is_as_wide_as_the_band_allows() -> None:
    """0.2 to 0.6 in different areas differ by 0.4 - 0.1; each may move by 0.05, and both ends are attained."""
    found = measured([2000, 2000, 6000, 6000], "total_variation", delta="0.95")
    assert found.ranges is not None
    ((value, low, high),) = ((of.value, of.low, of.high) for of in found.ranges)
    assert (value, low, high) == (Fraction(3, 10), Fraction(2, 10), Fraction(4, 10))
    assert found.value_at_most is None  # every pair was looked at


def test_an_outcome_that_nobody_can_have_takes_no_part() -> None:
    """Under α what is 0 stays 0: no logarithm of it is needed, and the bias of the other outcome is bounded."""
    found = measured([10**4] * 4, "relative", alpha="0.9")
    assert found.at_least is None
    assert found.ranges is not None
    assert [{of.value, of.low, of.high} for of in found.ranges] == [{Fraction(0)}]


@pytest.mark.parametrize("steps", [(3000, 6000), (1000, 9000)])
def test_the_ends_of_log_ratios_are_moved_outward_by_more_than_rounding_does(steps: tuple[int, int]) -> None:
    """By 10^-11, of a bias above 1 and below it: logarithms have no last digit, and the truth must lie inside."""
    low, high = (Decimal(step).scaleb(-4) for step in steps)
    found = measured([steps[0], steps[0], steps[1], steps[1]], "relative", delta="0.95")
    assert found.ranges is not None
    (of,) = found.ranges
    near, distance = Decimal("0.05"), Decimal("0.1")
    for end, moved, outward in ((of.low, near, -1), (of.high, -near, 1)):
        exactly = ((high - moved) / (low + moved)).ln() - distance
        beyond = outward * (end - Fraction(exactly))
        assert abs(beyond - Fraction(1, 10**11)) < Fraction(1, 10**12)
    assert abs(of.value - Fraction((high / low).ln() - distance)) < Fraction(1, 10**12)


@pytest.mark.parametrize("certain", [3000, 9000])
def test_where_an_outcome_may_be_impossible_the_least_bias_is_that_of_the_upper_ends(certain: int) -> None:
    """0.02 ± 0.05 may be 0, so nothing bounds the bias; its least is log((c - 0.05) / 0.07) - 0.1, above 1 or below."""
    found = measured([200, 200, certain, certain], "relative", delta="0.95")
    assert found.ranges is None
    expected = math.log((certain / 10**4 - 0.05) / 0.07) - 0.1
    assert found.at_least is not None
    assert 0 <= expected - float(found.at_least) < 1e-10


def test_a_least_bias_below_one_is_stated_too() -> None:
    """log(0.15 / 0.07) - 0.1 = 0.66 is more than nothing."""
    found = measured([200, 200, 2000, 2000], "relative", delta="0.95")
    assert found.at_least is not None
    assert float(found.at_least) == pytest.approx(math.log(0.15 / 0.07) - 0.1, abs=1e-10)
