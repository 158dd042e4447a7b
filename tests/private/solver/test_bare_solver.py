"""The solver for arrays: rates that are kept, and how many cells are brought together for the compiled solver."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from atreport import solve
from atreport.private.solver import arrays
from atreport.spec.policy import Aim
from tests.ceiling_problems import random_problem


@pytest.mark.parametrize("rates", [1, 0.98, 0.5, 0])
def test_rates_are_kept_as_close_as_asked(rates: float) -> None:
    """1 exactly, 0.98 within 0.02, 0 not at all: any number from 0 to 1, and none of the others."""
    problem = random_problem(np.random.default_rng(1), 40)
    labels = np.repeat(np.arange(40), np.diff(np.append(problem.cell_starts, len(problem.p))))
    given = problem.p, problem.d, problem.lo, problem.hi, labels
    found = solve(*given, rates=rates)
    people = np.add.reduceat(problem.p, problem.cell_starts)
    moves = np.abs(np.add.reduceat(problem.p * (found.announced - problem.d), problem.cell_starts)) / people
    assert (moves <= 1 - rates + 1e-11).all()
    assert rates == 1 or (moves > 1e-3).any()
    for wrong in (-0.01, 1.01):
        with pytest.raises(ValueError, match="rates"):
            solve(*given, rates=wrong)


def test_the_compiled_solver_gets_groups_together_and_what_must_be_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Labels near each other are counted from the least to the greatest; -1 stands for rates that are not kept."""
    seen: dict[str, Any] = {}

    def counting_order(labels: Any, lowest: int, highest: int) -> Any:
        seen["labels"] = lowest, highest
        return np.argsort(labels, kind="stable")

    def solve_groups(*given: Any) -> bool:
        seen["given"] = given
        return False

    fake = SimpleNamespace(
        ascending_starts=lambda _: np.empty(0), counting_order=counting_order, solve_groups=solve_groups
    )
    monkeypatch.setattr(arrays, "is_large", lambda _: True)
    monkeypatch.setattr(arrays, "compiled_solver", lambda: fake)
    monkeypatch.setattr(arrays, "codes_of", lambda aims: list(aims))
    p = np.ones(4)
    for rates, move in ((None, -1.0), (0.75, 0.25)):
        solve(p, p / 2, p * 0, p, [7, 5, 7, 6], rates=rates, minimise=("odds", "lift"), decimals=3)
        assert seen["labels"] == (5, 7)
        assert seen["given"][4].tolist() == [0, 1, 2, 4]
        assert seen["given"][6:10] == (move, True, ["lift"], 1000.0)


@pytest.mark.parametrize(("furthest", "counted"), [(12 + 5, True), (13 + 5, False)])
def test_labels_are_counted_where_they_are_four_times_as_far_apart_as_they_are_many(
    furthest: int, counted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counting takes memory for every number between; beyond that they are sorted, and the groups are the same."""
    calls: list[str] = []

    def counting_order(labels: Any, *_: int) -> Any:
        calls.append("counted")
        return np.argsort(labels, kind="stable")

    fake = SimpleNamespace(ascending_starts=lambda _: np.empty(0), counting_order=counting_order)
    monkeypatch.setattr(arrays, "is_large", lambda _: True)
    monkeypatch.setattr(arrays, "compiled_solver", lambda: fake)
    order, starts = arrays._grouped(np.array([furthest, 5, furthest]))
    assert order is not None
    assert (order.tolist(), starts.tolist()) == ([1, 0, 2], [0, 1])
    assert calls == ["counted"] * counted


def test_decimals_are_those_that_figures_are_printed_with_by_default() -> None:
    """Four, as in a spec that does not say: every stage but the last is kept as rounded up to these."""
    problem = random_problem(np.random.default_rng(2), 60)
    labels = np.repeat(np.arange(60), np.diff(np.append(problem.cell_starts, len(problem.p))))
    given = problem.p, problem.d, problem.lo, problem.hi, labels
    order: tuple[Aim, ...] = ("beta", "lift")
    four, five = (solve(*given, minimise=order, decimals=decimals).announced for decimals in (4, 5))
    np.testing.assert_array_equal(solve(*given, minimise=order).announced, four)
    assert (four != five).any()


def test_aims_of_the_solver_for_arrays() -> None:
    """What was asked for, with the most that a rate may move."""
    asked = arrays._aims(("odds", "beta"), 0.75, 3)
    assert (asked.minimise, asked.decimals, asked.rate_move) == (("odds", "beta"), 3, 0.25)
    assert arrays._aims(("beta",), None, 4).rate_move is None
