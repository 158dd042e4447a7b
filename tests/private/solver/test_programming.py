"""Linear programming: several outcomes, several sensitive attributes, with brackets that are proven."""

import subprocess
import sys
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from atreport.core.band import Closeness
from atreport.core.certify import certify
from atreport.private.solver import programming
from atreport.private.solver.fidelity import fidelity_bounds, float_bounds
from atreport.private.solver.objective import Objective
from atreport.private.solver.programming import solve_by_programming
from atreport.private.solver.solver import solve_table
from tests.example import random_table
from tests.many_outcomes import table_of

CLOSENESS = Closeness(delta=Decimal("0.9"))


@pytest.mark.parametrize("seed", range(30))
def test_programming_agrees_with_the_closed_form(seed: int) -> None:
    """Where both apply, the closed form lies in the proven bracket, which is narrower than 1e-7."""
    rng = np.random.default_rng(seed)
    table = random_table(rng, groups=3, values=4, others=2)
    bounds = fidelity_bounds(table, CLOSENESS, 4)
    closed = solve_table(table, bounds, Objective(minimise=("beta",)))
    found = solve_by_programming(table, bounds.lower, bounds.upper, Objective(minimise=("beta",)))
    assert (found.proven <= closed.optimum + 1e-12).all()
    assert (closed.optimum <= found.optimum + 1e-12).all()
    assert (found.optimum - found.proven <= 1e-7).all()


@pytest.mark.parametrize(
    "aims",
    [
        Objective(),
        Objective(minimise=("lift", "beta")),
        Objective(minimise=("odds", "beta", "lift")),
        Objective(rate_move=0.01),
        Objective(minimise=("odds", "beta", "lift"), rate_move=0.02),
        Objective(minimise=("beta", "lift"), beta=0.9, lift=3.0, odds=20.0),
        Objective(minimise=("beta",), odds=5.0),
    ],
)
def test_programming_agrees_with_the_closed_form_on_every_aim(aims: Objective) -> None:
    """Confidence, lift and odds, in any order, under ceilings and with rates kept: two methods, one answer."""
    for seed in range(6):
        table = random_table(np.random.default_rng(seed), groups=3, values=4, others=2)
        bounds = fidelity_bounds(table, CLOSENESS, 4)
        closed = solve_table(table, bounds, aims)
        found = solve_by_programming(table, bounds.lower, bounds.upper, aims)
        np.testing.assert_array_equal(found.kept, closed.kept)
        if "beta" in aims.minimise:
            np.testing.assert_allclose(found.optimum, closed.optimum, atol=1e-6)
        if "lift" in aims.minimise:
            np.testing.assert_allclose(found.lift, closed.lift, rtol=1e-6)
        if aims.minimise[0] == "odds":
            np.testing.assert_allclose(found.odds, closed.odds, rtol=1e-6)


@pytest.mark.parametrize("seed", range(15))
def test_release_of_many_outcomes_keeps_band_and_promise(seed: int) -> None:
    """Rounded rows make one, stay in the exact band, and the printed β is certified."""
    rng = np.random.default_rng(seed)
    table = table_of(rng, int(rng.integers(3, 6)), int(rng.integers(1, 3)), groups=3)
    bounds = fidelity_bounds(table, CLOSENESS, 4)
    solution = solve_table(table, bounds, Objective(minimise=("beta",)))
    announcement = certify(
        table.cells, [solution.mapping], bounds.lowest_step, bounds.highest_step,
        decimals=4, fidelity=CLOSENESS, population="shares",
    )  # fmt: skip
    assert (announcement.mapping.sum(axis=1) == announcement.scale).all()
    assert (np.abs(announcement.mapping / announcement.scale - table.probability) <= 0.1 + 1e-12).all()
    assert float(announcement.beta) >= float(solution.proven.max()) - 1e-12
    for outcome, truth in zip(table.cells.process.outcome.values, table.probability.T, strict=True):
        band = announcement.rule.truth_of(outcome)
        assert (band.lower / band.denominator <= truth + 1e-12).all()
        assert (band.upper / band.denominator >= truth - 1e-12).all()


def test_groups_in_further_processes_give_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Further processes change nothing but the time."""
    table = table_of(np.random.default_rng(1), 3, 2, groups=12)
    lower, upper = float_bounds(table, CLOSENESS)
    alone = solve_by_programming(table, lower, upper, Objective())
    monkeypatch.setattr(programming, "_MANY_GROUPS", 4)
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    together = solve_by_programming(table, lower, upper, Objective())
    for name in ("optimum", "proven", "lift", "odds", "mapping", "attribute_beta", "attribute_lift"):
        np.testing.assert_array_equal(getattr(alone, name), getattr(together, name))


SCRIPT = """
import numpy as np
from atreport import make_report
import pandas as pd
print("once")
rng = np.random.default_rng(0)
people = pd.DataFrame({name: rng.integers(0, size, 3000).astype(str) for name, size in
    {"city": 210, "illness": 2, "debt": 2, "decision": 2}.items()})
make_report(people, outcome="decision", favourable="1", public=["city"], sensitive=["illness", "debt"], delta=0.9)
"""


@pytest.mark.slow
def test_a_script_that_is_not_guarded_runs_once() -> None:
    """A process that solves groups does not run the caller's script again."""
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert done.stdout.count("once") == 1, done.stderr


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_figures_do_not_depend_on_the_order_of_outcomes(order: tuple[int, ...]) -> None:
    """The least confidence and lift are those of the problem, not of the way it is written down."""
    table = table_of(np.random.default_rng(5), 3, 2)
    lower, upper = float_bounds(table, CLOSENESS)
    one = solve_by_programming(table, lower, upper, Objective())
    turned = replace(table, probability=table.probability[:, order])
    other = solve_by_programming(turned, lower[:, order], upper[:, order], Objective())
    assert one.attribute_beta is not None
    assert other.attribute_beta is not None
    np.testing.assert_allclose(one.attribute_beta, other.attribute_beta, atol=1e-6)
    np.testing.assert_allclose(one.lift, other.lift, rtol=1e-5)
