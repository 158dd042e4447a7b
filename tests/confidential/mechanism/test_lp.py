"""Linear programming: several outcomes, several sensitive attributes, with a bracket that is proven."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from scipy.optimize import linprog

from atreport.announcement import certify
from atreport.confidential.data.table import DecisionTable
from atreport.confidential.mechanism.fidelity import fidelity_bounds, float_bounds
from atreport.confidential.mechanism.lp import solve_by_programming
from atreport.confidential.mechanism.solver import solve_table
from atreport.population.band import Closeness
from atreport.population.cells import arrange
from atreport.spec.models.process import Process
from tests.example import random_table

CLOSENESS = [Closeness(delta=Decimal(d)) for d in ("1", "0.95", "0.9", "0.6")] + [
    Closeness(alpha=Decimal(a)) for a in ("0.95", "0.8", "0.3")
]


def table_of(rng: np.random.Generator, outcomes: int, sensitive: int, groups: int = 1) -> DecisionTable:
    """A random table: some cells left out, hard and soft rules, ties, now and then a dominating cell."""
    sizes = [int(rng.integers(2, 4)) for _ in range(sensitive)]
    attributes = [{"name": "group", "role": "public", "values": [f"g{i}" for i in range(groups)]}] + [
        {"name": f"s{k}", "role": "sensitive", "values": [f"v{i}" for i in range(size)]}
        for k, size in enumerate(sizes)
    ]
    names = [f"o{i}" for i in range(outcomes)]
    outcome = {"name": "decision", "values": names, "favourable": names[-1]}
    process = Process.model_validate({"name": "test", "outcome": outcome, "attributes": attributes})
    codes = np.array(list(np.ndindex(groups, *sizes)), dtype=np.int32)
    codes = codes[rng.random(len(codes)) < 0.85] if len(codes) > 3 else codes
    codes = codes if len(codes) else np.zeros((1, sensitive + 1), dtype=np.int32)
    population = rng.integers(1, 30, len(codes)) * rng.choice([1, 1, 1, 30], len(codes))
    soft = rng.dirichlet(np.ones(outcomes), len(codes)).round(3)
    hard = np.eye(outcomes)[rng.integers(0, outcomes, len(codes))]
    probability = np.where(rng.random((len(codes), 1)) < 0.5, hard, soft)
    probability[:, 0] = np.round(1 - probability[:, 1:].sum(axis=1), 12)
    cells, order = arrange(process, codes, population.astype(np.int64))
    return DecisionTable(cells=cells, probability=np.clip(probability, 0, 1)[order])


def reference(table: DecisionTable, lower: np.ndarray, upper: np.ndarray) -> float:
    """β* of a table of one group by bisection on feasibility: another formulation, dense, no code of the solver."""
    m, outcomes = table.probability.shape
    p = table.cells.population / table.cells.population.sum()
    holds = [protected.index == v for protected in table.cells.protected for v in np.unique(protected.index)]
    ones = np.kron(np.eye(m), np.ones(outcomes))

    def possible(beta: float) -> bool:
        rows = []
        for a in range(outcomes):
            for has in holds:
                row = np.zeros((m, outcomes))
                row[:, a] = p * (has - beta)
                rows.append(row.ravel() / max(1e-6, float(p @ upper[:, a])))
        bounds = list(zip(lower.ravel(), upper.ravel(), strict=True))
        found = linprog(
            np.zeros(m * outcomes), A_ub=np.array(rows), b_ub=np.zeros(len(rows)), A_eq=ones, b_eq=np.ones(m),
            bounds=bounds, method="highs", options={"primal_feasibility_tolerance": 1e-10},
        )  # fmt: skip
        return bool(found.status == 0)

    low, high = 0.0, 1.0
    while high - low > 2e-8:
        middle = (low + high) / 2
        low, high = (low, middle) if possible(middle) else (middle, high)
    return high


def check_bracket(table: DecisionTable, closeness: Closeness) -> None:
    """The proven bracket holds the reference and is narrow; the mapping is within its bounds and as good as it says."""
    lower, upper = float_bounds(table, closeness)
    optimum, proven, mapping = solve_by_programming(table, lower, upper)
    assert proven[0] <= optimum[0] <= proven[0] + 1e-6
    assert proven[0] - 1e-6 <= reference(table, lower, upper) <= optimum[0] + 1e-6
    assert (mapping >= lower - 1e-12).all()
    assert (mapping <= upper + 1e-12).all()
    np.testing.assert_allclose(mapping.sum(axis=1), 1, atol=1e-9)


@pytest.mark.parametrize("seed", range(40))
def test_bracket_holds_the_optimum(seed: int) -> None:
    """A quick slice: two to five outcomes, one to three overlapping sensitive attributes."""
    rng = np.random.default_rng(seed)
    table = table_of(rng, int(rng.integers(2, 6)), int(rng.integers(1, 4)))
    check_bracket(table, CLOSENESS[seed % len(CLOSENESS)])


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(10))
def test_bracket_holds_the_optimum_on_many_tables(batch: int) -> None:
    """Six hundred tables: three to five outcomes, two to three overlapping sensitive attributes."""
    for seed in range(60):
        rng = np.random.default_rng(1000 * batch + seed)
        table = table_of(rng, int(rng.integers(3, 6)), int(rng.integers(1, 4)))
        check_bracket(table, CLOSENESS[seed % len(CLOSENESS)])


@pytest.mark.parametrize("seed", range(30))
def test_programming_agrees_with_the_closed_form(seed: int) -> None:
    """Where both apply, the closed form lies in the proven bracket, which is narrower than 1e-7."""
    rng = np.random.default_rng(seed)
    table = random_table(rng, groups=3, values=4, others=2)
    bounds = fidelity_bounds(table, Closeness(delta=Decimal("0.9")), 4)
    closed = solve_table(table, bounds)
    optimum, proven, _ = solve_by_programming(table, bounds.lower, bounds.upper)
    assert (proven <= closed.optimum + 1e-12).all()
    assert (closed.optimum <= optimum + 1e-12).all()
    assert (optimum - proven <= 1e-7).all()


@pytest.mark.parametrize("seed", range(15))
def test_release_of_many_outcomes_keeps_band_and_promise(seed: int) -> None:
    """Rounded rows make one, stay in the exact band, and the printed β is certified."""
    rng = np.random.default_rng(seed)
    table = table_of(rng, int(rng.integers(3, 6)), int(rng.integers(1, 3)), groups=3)
    closeness = CLOSENESS[2]
    bounds = fidelity_bounds(table, closeness, 4)
    solution = solve_table(table, bounds)
    announcement = certify(
        table.cells, [solution.mapping], bounds.lowest_step, bounds.highest_step,
        decimals=4, fidelity=closeness, population="shares",
    )  # fmt: skip
    assert (announcement.mapping.sum(axis=1) == announcement.scale).all()
    assert (np.abs(announcement.mapping / announcement.scale - table.probability) <= 0.1 + 1e-12).all()
    assert float(announcement.beta) >= float(solution.proven.max()) - 1e-12
    for outcome, truth in zip(table.cells.process.outcome.values, table.probability.T, strict=True):
        band = announcement.rule.truth_of(outcome)
        assert (band.lower / band.denominator <= truth + 1e-12).all()
        assert (band.upper / band.denominator >= truth - 1e-12).all()


def test_groups_in_parallel_give_the_same_answer(monkeypatch) -> None:
    """Further processes change nothing but the time."""
    from atreport.confidential.mechanism import lp

    table = table_of(np.random.default_rng(1), 3, 2, groups=12)
    lower, upper = float_bounds(table, CLOSENESS[2])
    alone = solve_by_programming(table, lower, upper)
    monkeypatch.setattr(lp, "_MANY_GROUPS", 8)
    together = solve_by_programming(table, lower, upper)
    for one, other in zip(alone, together, strict=True):
        np.testing.assert_array_equal(one, other)
