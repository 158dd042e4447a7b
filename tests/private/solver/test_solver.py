"""The solver against linear programming and exact fractions, on groups of every awkward kind."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from atreport import solve
from atreport.core.band import Closeness
from atreport.core.cells import run_starts
from atreport.private.attacks.observers import confidence_in
from atreport.private.solver import stages
from atreport.private.solver.fidelity import fidelity_bounds, float_bounds
from atreport.private.solver.objective import Objective
from atreport.private.solver.solver import optimum_of, solve_table
from tests.example import random_table
from tests.reference import FloatArray, exact_optimum, violation
from tests.thoroughness import examples

REPOSITORY = Path(__file__).parents[3]


@dataclass(frozen=True)
class Group:
    """One QID group: populations, true probabilities, bounds."""

    p: FloatArray
    d: FloatArray
    lower: FloatArray
    upper: FloatArray

    @property
    def beta(self) -> float:
        """The solver's optimum."""
        return float(self.solve().beta[0])

    def solve(self):
        """Solve this one group."""
        return solve(self.p, self.d, self.lower, self.upper, np.zeros(len(self.p), dtype=int))


@st.composite
def groups(draw: st.DrawFn) -> Group:
    """Groups of 1 to 8 records: zeros, ones, ties, dominating records, and each kind of bounds."""
    m = draw(st.integers(1, 8))
    p = np.array(draw(st.lists(st.integers(1, 60), min_size=m, max_size=m)), dtype=float)
    if draw(st.booleans()):
        p[0] *= draw(st.sampled_from([1, 10, 100]))
    probabilities = st.sampled_from([0.0, 1.0, 0.5]) | st.integers(0, 40).map(lambda n: n / 40)
    d = np.array(draw(st.lists(probabilities, min_size=m, max_size=m)))
    kind = draw(st.sampled_from(["delta", "alpha", "bounds"]))
    if kind == "delta":
        w = draw(st.sampled_from([0.0, 0.01, 0.05, 0.1, 0.3, 0.5, 1.0]))
        return Group(p, d, np.clip(d - w, 0, 1), np.clip(d + w, 0, 1))
    if kind == "alpha":
        alpha = draw(st.sampled_from(["1", "0.99", "0.95", "0.8", "0.5", "0.1"]))
        return Group(p, d, *Closeness(alpha=Decimal(alpha)).around_floats(d))
    below = np.array(draw(st.lists(st.integers(0, 20), min_size=m, max_size=m))) / 20
    above = np.array(draw(st.lists(st.integers(0, 20), min_size=m, max_size=m))) / 20
    return Group(p, d, d * below, d + (1 - d) * above)


def confidence(p: FloatArray, x: FloatArray) -> float:
    """The adversary's best confidence, by Bayes' rule."""
    best = 0.0
    for q in (p * x, p * (1 - x)):
        if q.sum() > 1e-13 * p.sum():
            best = max(best, float((q / q.sum()).max()))
    return best


@settings(max_examples=examples(2500, part=20), deadline=None)
@given(groups())
def test_beta_is_the_optimum_of_the_linear_program(group: Group) -> None:
    """No mapping within the bounds has a confidence lower by 1e-6, and one has β itself (HiGHS)."""
    solution = group.solve()
    beta = float(solution.beta[0])
    assert violation(group.p, group.lower, group.upper, beta + 1e-9, solution.announced) <= 1e-8
    if beta > 1e-6:
        assert violation(group.p, group.lower, group.upper, beta - 1e-6, solution.announced) > 1e-9


@settings(max_examples=examples(2500), deadline=None)
@given(groups())
def test_announced_mapping_attains_beta_within_the_bounds(group: Group) -> None:
    """What is announced lies within the bounds, exactly, and has the confidence that was promised."""
    solution = group.solve()
    assert (solution.announced >= group.lower).all()
    assert (solution.announced <= group.upper).all()
    assert confidence(group.p, solution.announced) <= float(solution.beta[0]) + 1e-11


@settings(max_examples=examples(1000), deadline=None)
@given(groups())
def test_beta_equals_the_exact_formula(group: Group) -> None:
    """The float solver agrees with the four terms in fractions to 1e-12, relatively."""
    p, lower, upper = ([Fraction(x) for x in a] for a in (group.p, group.lower, group.upper))
    exact = exact_optimum(p, lower, upper)
    assert abs(Fraction(group.beta) - exact) <= exact * Fraction(1, 10**12)


@settings(max_examples=examples(500), deadline=None)
@given(st.lists(groups(), min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_row_order_makes_no_difference(several: list[Group], random) -> None:
    """Shuffled rows of several groups give the same β and the same announced values."""
    labels = np.concatenate([[7 * g - 3] * len(group.p) for g, group in enumerate(several)])
    columns = [
        np.concatenate([getattr(group, name) for group in several]) for name in ("p", "d", "lower", "upper")
    ]
    order = list(range(len(labels)))
    random.shuffle(order)
    p, d, lower, upper = columns
    straight = solve(p, d, lower, upper, labels)
    shuffled = solve(p[order], d[order], lower[order], upper[order], labels[order])
    np.testing.assert_allclose(shuffled.beta, straight.beta, rtol=1e-12)
    np.testing.assert_allclose(shuffled.announced, straight.announced[order], rtol=0, atol=1e-9)


@settings(max_examples=examples(500), deadline=None)
@given(groups())
def test_group_rate_is_kept_where_privacy_allows(group: Group) -> None:
    """If the truth itself has confidence β, the truth is announced."""
    if confidence(group.p, group.d) <= group.beta - 1e-12:
        np.testing.assert_allclose(group.solve().announced, group.d, atol=1e-9)


def test_counterexample_to_the_paper() -> None:
    """P = (0.9, 0.1), d = (0.5, 0.5), δ = 0.9: the optimum is 0.9 and the truth itself attains it."""
    solution = solve([0.9, 0.1], [0.5, 0.5], [0.4, 0.4], [0.6, 0.6], [0, 0])
    assert solution.beta == pytest.approx([0.9], abs=1e-15)
    assert solution.announced.tolist() == [0.5, 0.5]


def test_labels_may_come_in_any_order() -> None:
    """β is listed by ascending label; announced values stay in the order given."""
    solution = solve([1, 9, 1, 1], [0.5] * 4, [0.5] * 4, [0.5] * 4, [5, -2, -2, 5])
    assert solution.beta == pytest.approx([0.9, 0.5])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"population": [1, -1]}, "negative"),
        ({"lower": [0.6, 0.6], "upper": [0.5, 0.5]}, "lower <= upper"),
        ({"upper": [1.5, 1]}, "lower <= upper"),
        ({"probability": [0.5, float("nan")]}, "finite"),
        ({"groups": [0]}, "same length"),
        ({"minimise": []}, "minimise must list"),
        ({"minimise": ["beta", "beta"]}, "each once"),
        ({"minimise": ["beta", "odds"]}, "only come first"),
        ({"rates": 1.5}, "between 0 and 1"),
    ],
)
def test_nonsense_is_refused(change: dict[str, Any], words: str) -> None:
    """The bare solver checks its arguments."""
    arguments: dict[str, Any] = {
        "population": [1, 1],
        "probability": [0.5, 0.5],
        "lower": [0, 0],
        "upper": [1, 1],
        "groups": [0, 0],
    }
    with pytest.raises(ValueError, match=words):
        solve(**(arguments | change))


def test_nothing_and_nobody() -> None:
    """An empty problem has an empty answer, and a group of nobody has confidence 0."""
    assert len(solve([], [], [], [], []).beta) == 0
    assert solve([0, 0], [0.5, 0.5], [0, 0], [1, 1], [0, 0]).beta.tolist() == [0.0]


@pytest.mark.parametrize("seed", range(60))
def test_merged_values_match_the_linear_program(seed: int) -> None:
    """With another private attribute, the value is protected, not the record: still the optimum, cell by cell."""
    rng = np.random.default_rng(seed)
    table = random_table(rng, groups=1, values=3, others=3)
    bounds = fidelity_bounds(table, Closeness(delta=Decimal("0.9")), 4)
    solution = solve_table(table, bounds, Objective(minimise=("beta",)))
    p = table.cells.population.astype(float)
    secret = table.cells.column("secret")
    beta = float(solution.optimum[0])
    x = solution.mapping[:, 1]
    low, high = bounds.of(1)
    assert (x >= low).all()
    assert (x <= high).all()
    values = np.unique(secret)
    of_value = np.array([p[secret == v].sum() for v in values])
    merged = np.array([(p * x)[secret == v].sum() for v in values]) / of_value
    assert confidence(of_value, merged) <= beta + 1e-11
    lower, upper = (np.array([(p * b)[secret == v].sum() for v in values]) / of_value for b in (low, high))
    assert violation(of_value, lower, upper, beta - 1e-6, merged) > 1e-9


def test_unique_mapping_is_recognised() -> None:
    """Both groups of the paper's example have a single optimal mapping; a free group has many."""
    rng = np.random.default_rng(0)
    table = random_table(rng, groups=2, values=4)
    everything = fidelity_bounds(table, Closeness(delta=Decimal(0)), 4)
    unique = solve_table(table, everything, Objective(minimise=("beta",))).unique
    assert unique is not None
    assert not unique.all()


def _many_groups(rng: np.random.Generator, records: int) -> tuple[Any, ...]:
    """Groups of 1 to 9 records with hard and soft rules, some of them empty."""
    labels = np.repeat(np.arange(records), rng.integers(1, 10, records))[:records]
    p = rng.integers(0, 60, records) * rng.choice([1.0, 1.0, 100.0], records)
    d = np.where(rng.random(records) < 0.5, rng.choice([0.0, 0.5, 1.0], records), rng.random(records))
    width = rng.choice([0.0, 0.01, 0.1, 0.5, 1.0], records)
    return p, d, np.clip(d - width, 0, 1), np.clip(d + width, 0, 1), labels


@pytest.mark.parametrize("shuffled", [False, True, "far apart"])
def test_compiled_solver_equals_the_plain_one(monkeypatch, shuffled: bool | str) -> None:
    """On 30,000 records of groups of every kind, sorted or not, labels close together or far apart."""
    rng = np.random.default_rng(5)
    p, d, lower, upper, labels = _many_groups(rng, 30_000)
    if shuffled:
        order = rng.permutation(len(p))
        p, d, lower, upper, labels = (a[order] for a in (p, d, lower, upper, labels))
    if shuffled == "far apart":
        labels = labels * 10**9 - 7
    plain = solve(p, d, lower, upper, labels)
    monkeypatch.setattr(stages, "LARGE", 1)
    compiled = solve(p, d, lower, upper, labels)
    np.testing.assert_allclose(compiled.beta, plain.beta, rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(compiled.announced, plain.announced, atol=1e-9)
    assert (compiled.announced >= lower).all()
    assert (compiled.announced <= upper).all()


WITHOUT_A_CACHE = """
import numpy as np
from atreport import solve
from atreport.private.solver.stages import LARGE
rng = np.random.default_rng(7)
records = 2 * LARGE
p, d, labels = rng.integers(0, 60, records), rng.random(records), np.arange(records) // 5
lower, upper = np.clip(d - 0.1, 0, 1), np.clip(d + 0.1, 0, 1)
whole = solve(p, d, lower, upper, labels)
halves = [solve(*(of[part] for of in (p, d, lower, upper, labels))) for part in np.split(np.arange(records), 4)]
assert (whole.announced == np.concatenate([half.announced for half in halves])).all()
print("solved")
"""


@pytest.mark.slow
def test_large_tables_are_solved_where_nothing_that_is_compiled_can_be_kept(tmp_path: Path) -> None:
    """In a read-only container no folder takes what Numba compiles: atreport.solve ended in a RuntimeError there.

    No folder can be made below a file, whoever asks, so files stand where Numba would keep it.
    """
    package = tmp_path / "atreport"
    shutil.copytree(REPOSITORY / "atreport", package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "private" / "solver" / "__pycache__").write_text("")
    (tmp_path / "home").write_text("")
    unwritable = {name: str(tmp_path / "home" / "below") for name in ("HOME", "XDG_CACHE_HOME")}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-B", "-c", WITHOUT_A_CACHE],
        env={**kept, **unwritable, "PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("solved\n", "")


@pytest.mark.parametrize("minimise", [("beta", "lift"), ("odds", "beta", "lift"), ("lift",), ("odds",)])
@pytest.mark.parametrize("rates", [None, 0.98, 1.0])
def test_compiled_solver_equals_the_plain_one_for_every_aim(
    monkeypatch, minimise: tuple[Any, ...], rates: float | None
) -> None:
    """Confidence, lift, odds and mapping of 30,000 records, whatever is made least and however rates are kept."""
    p, d, lower, upper, labels = _many_groups(np.random.default_rng(6), 30_000)
    plain = solve(p, d, lower, upper, labels, minimise=minimise, rates=rates)
    monkeypatch.setattr(stages, "LARGE", 1)
    compiled = solve(p, d, lower, upper, labels, minimise=minimise, rates=rates)
    np.testing.assert_allclose(compiled.announced, plain.announced, atol=1e-9)
    np.testing.assert_allclose(compiled.beta, plain.beta, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(compiled.lift, plain.lift, rtol=1e-9)
    np.testing.assert_allclose(1 / compiled.odds, 1 / plain.odds, atol=1e-9)
    assert (compiled.announced >= lower).all()
    assert (compiled.announced <= upper).all()


@pytest.mark.parametrize("seed", range(3))
def test_compiled_table_equals_the_plain_one(seed: int) -> None:
    """Tables with several cells to a value, ceilings and rates: the same solution from either solver."""
    rng = np.random.default_rng(seed)
    table = random_table(rng, groups=30, values=5, others=2)
    bounds = fidelity_bounds(table, Closeness(delta=Decimal("0.9")), 4)
    ceilings = rng.uniform(0.3, 1.0, len(table.cells.value_starts))
    for aims in (
        Objective(),
        Objective(minimise=("odds", "beta", "lift"), rate_move=0.01),
        Objective(beta=0.8, lift=3.0, values=(ceilings,)),
        Objective(minimise=(), lift=2.0, odds=20.0, rate_move=0.02),
    ):
        plain, compiled = (solve_table(table, bounds, aims, compiled=c) for c in (False, True))
        np.testing.assert_array_equal(compiled.kept, plain.kept)
        np.testing.assert_allclose(compiled.mapping, plain.mapping, atol=1e-9)
        np.testing.assert_allclose(compiled.optimum, plain.optimum, rtol=1e-9)
        np.testing.assert_allclose(compiled.lift, plain.lift, rtol=1e-9)


@pytest.mark.parametrize("column", range(4))
@pytest.mark.parametrize("nonsense", [float("nan"), float("inf"), -1.0])
def test_compiled_solver_refuses_nonsense_too(monkeypatch, column: int, nonsense: float) -> None:
    """The compiled solver checks its arguments in the same pass, with the same messages."""
    monkeypatch.setattr(stages, "LARGE", 1)
    columns = [np.full(6, 0.5) for _ in range(4)]
    columns[column][3] = nonsense
    labels = np.array([0, 0, 1, 1, 2, 2])
    if column == 1 and nonsense == -1.0:
        # what is announced keeps the bounds anyway
        solve(columns[0], columns[1], columns[2], columns[3], labels)
        return
    with pytest.raises(ValueError, match=r"must"):
        solve(columns[0], columns[1], columns[2], columns[3], labels)


def _exact_terms_of(groups: int, seed: int) -> None:
    """Compare groups of 1 to 9 records with the four terms in fractions."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 10, groups)
    labels = np.repeat(np.arange(groups), sizes)
    records = len(labels)
    p = (rng.integers(1, 60, records) * rng.choice([1, 1, 100], records)).astype(np.float64)
    d = np.where(rng.random(records) < 0.5, rng.choice([0.0, 0.5, 1.0], records), rng.random(records))
    width = rng.choice([0.0, 0.01, 0.1, 0.5, 1.0], groups)[labels]
    lower, upper = np.clip(d - width, 0, 1), np.clip(d + width, 0, 1)
    solution = solve(p, d, lower, upper, labels)
    assert (solution.announced >= lower).all()
    assert (solution.announced <= upper).all()
    ends = np.cumsum(sizes).tolist()
    columns = [[Fraction(x) for x in column.tolist()] for column in (p, lower, upper)]
    for group, (start, end) in enumerate(pairwise([0, *ends])):
        exact = exact_optimum(*(column[start:end] for column in columns))
        assert abs(Fraction(float(solution.beta[group])) - exact) <= exact * Fraction(1, 10**12)


def test_float_solver_against_fractions() -> None:
    """A quick slice: 3,000 random groups, β within 1e-12 relatively, nothing announced outside its bounds."""
    _exact_terms_of(3_000, seed=0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 6))
def test_float_solver_against_fractions_on_many_groups(seed: int) -> None:
    """100,000 random groups in all."""
    _exact_terms_of(20_000, seed)


@pytest.mark.parametrize("seed", range(25))
def test_trade_off_is_monotone_with_known_ends(seed: int) -> None:
    """β* never decreases with δ, equals C* at δ = 1 and the largest prior at δ = 0; the same for α at 1."""
    table = random_table(np.random.default_rng(seed), groups=3, values=4, others=2)
    deltas = [Decimal(k) / 20 for k in range(21)]
    curve = [optimum_of(table, *float_bounds(table, Closeness(delta=delta))) for delta in deltas]
    assert all(lower <= higher + 1e-12 for lower, higher in pairwise(curve))
    people = np.add.reduceat(table.cells.population, table.cells.group_starts)
    largest = np.maximum.reduceat(
        table.cells.protected[0].sums(table.cells.population), run_starts(table.cells.protected[0].group)
    )
    assert curve[0] == pytest.approx((largest / people).max(), abs=1e-12)
    truth = confidence_in(table.cells, table.probability).max()
    assert curve[-1] == pytest.approx(truth, abs=1e-12)
    assert optimum_of(table, *float_bounds(table, Closeness(alpha=Decimal(1)))) == pytest.approx(
        truth, abs=1e-12
    )
