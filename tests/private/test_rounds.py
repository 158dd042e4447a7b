"""What is looked at again after rounding: which groups, with which ceilings, and how much room rates leave."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from atreport.core.band import Closeness
from atreport.core.certify import Ceilings, RatePromise
from atreport.private import draft as one_fidelity
from atreport.private import draft as search
from atreport.private.data.table import read_table
from atreport.private.draft import _within, rate_room, with_enough_decimals, with_rates
from atreport.private.solver.fidelity import fidelity_bounds
from tests.example import example_spec, random_table

ASKED = Ceilings(beta=Decimal("0.7"))


def groups(*chosen: int) -> Any:
    """Some of four groups."""
    return np.isin(np.arange(4), chosen)


def announced(**above: Any) -> Any:
    """An announcement that exceeds ceilings in some groups."""
    return SimpleNamespace(above=lambda _: above, mapping=np.full((4, 2), 50), scale=100)


def test_only_groups_that_could_keep_a_ceiling_are_solved_again() -> None:
    """For half a step less at first, then for twice as much; what is announced now is tried beside it, as probabilities."""
    rounds = [
        announced(beta=groups(0, 1), lift=groups(2)),
        announced(beta=groups(1)),
        announced(beta=groups(3)),
    ]
    asked: list[tuple[list[bool], float]] = []
    tried: list[Any] = []

    def solve_below(missed: Any, below: float) -> Any:
        asked.append((missed.tolist(), below))
        return np.full((4, 2), 0.25 * len(asked))

    def printed(candidates: list[Any]) -> Any:
        tried.append([float(candidate[0, 0]) for candidate in candidates])
        return rounds[len(tried)]

    kept: Any = SimpleNamespace(kept=groups(0, 1, 2))
    found = _within(ASKED, kept, rounds[0], printed, solve_below)
    assert found is rounds[2], "the group that is above now cannot keep the ceiling anyway"
    assert asked == [([True, True, True, False], 0.005), ([False, True, False, False], 0.01)]
    assert tried == [[0.5, 0.25], [0.5, 0.5]]


def enough_decimals(
    above: dict[str, Any], kept: Any, monkeypatch: pytest.MonkeyPatch, mechanism: str = "optimal"
) -> Any:
    """The number of decimals that is said to be enough, where one more than the spec's is."""
    spec = example_spec(("decimals: 4", f"decimals: 4\n  mechanism: {mechanism}"))
    fine: Any = SimpleNamespace(announcement=announced())
    monkeypatch.setattr(search, "draft_at", lambda *_: fine)
    monkeypatch.setattr(search, "replace", lambda _, enough_decimals: enough_decimals)
    draft: Any = SimpleNamespace(announcement=announced(**above), solution=SimpleNamespace(kept=kept))
    found = with_enough_decimals(spec, read_table(spec), draft, lambda *_: fine)
    return None if found is draft else found


def test_more_decimals_are_offered_where_rounding_alone_exceeds_a_ceiling(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a group that could keep it, one of several ceilings is enough; not for a mechanism that does not round."""
    everybody = groups(0, 1, 2, 3)
    assert enough_decimals({"beta": groups(0)}, everybody, monkeypatch) == 5
    assert enough_decimals({"beta": groups(0), "lift": groups()}, everybody, monkeypatch) == 5
    assert enough_decimals({"beta": groups(0)}, groups(1, 2), monkeypatch) is None
    assert enough_decimals({"beta": groups()}, everybody, monkeypatch) is None
    assert enough_decimals({}, everybody, monkeypatch) is None
    assert enough_decimals({"beta": groups(0)}, everybody, monkeypatch, "calibrated") is None


@pytest.mark.parametrize("population", ["shares", "counts", "withheld"])
def test_rates_leave_room_for_printing_and_for_shares(population: str) -> None:
    """Half a printed step of what is announced; where shares are printed also that of the smallest share, both ways."""
    spec = (
        example_spec(("population: shares", f"population: {population}"))
        if population != "shares"
        else example_spec()
    )
    spec = spec.model_copy(
        update={"disclosure": spec.disclosure.model_copy(update={"population": population})}
    )
    table = read_table(spec)
    promise = RatePromise(rates=Decimal("0.95"), truth=table.probability)
    expected = Fraction(5, 100) - Fraction(1, 2 * 10**spec.policy.decimals)
    if population == "shares":
        people = table.cells.population.tolist()
        decimals = spec.policy.decimals + len(str(sum(people) // min(people))) - 1 + 2
        expected -= Fraction(1, round(Fraction(min(people), sum(people)) * 10**decimals))
    assert rate_room(spec, table, promise) == pytest.approx(float(expected), abs=1e-15)


def test_bounds_of_groups_with_open_counts_are_as_close_as_their_rates() -> None:
    """Whatever the counts are, the rate is then kept; groups whose counts are published keep their bounds."""
    table = random_table(np.random.default_rng(4), groups=3)
    people = table.cells.population
    fewest = np.where(table.cells.group == 1, people - 1, people)
    table = replace(table, cells=replace(table.cells, between=(fewest, people + people - fewest)))
    bounds = fidelity_bounds(table, Closeness(delta=Decimal("0.8")), 3)
    promise = RatePromise(rates=Decimal("0.95"), truth=table.probability)
    found = with_rates(bounds, table, promise, 3)
    for row, (group, truth) in enumerate(zip(table.cells.group.tolist(), table.probability, strict=True)):
        wide = Fraction(5, 100) if group == 1 else Fraction(20, 100)
        for place, number in enumerate(truth.tolist()):
            exactly = Fraction(str(round(number, 3)))
            assert found.lowest_step[row, place] == 1000 * max(exactly - wide, Fraction(0))
            assert found.highest_step[row, place] == 1000 * min(exactly + wide, Fraction(1))
    np.testing.assert_array_equal(found.lower, found.lowest_step / 1000)


@pytest.mark.parametrize(("moved", "least"), [(1e-12, 0.0), (0.0, 0.0), (2e-12, 2e-12)])
def test_rates_that_move_by_the_rounding_of_floats_do_not_move(
    moved: float, least: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the ceilings are kept with exact rates, what is left of a move is printed as none."""
    spec = example_spec()
    table = read_table(spec)
    monkeypatch.setattr(search, "_largest_move", lambda *_: moved)
    solved: Any = SimpleNamespace(kept=groups(0, 1, 2, 3) | True, mapping=None)
    found = search._least_move(spec, table, Closeness(delta=Decimal("0.9")), ASKED, lambda *_: solved)
    assert found == least


def test_a_mechanism_without_rounding_is_certified_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its steps are the one candidate, and the bounds leave no other."""
    spec = example_spec(("decimals: 4", "decimals: 4\n  mechanism: calibrated"))
    table, closeness = read_table(spec), Closeness(delta=Decimal("0.9"))
    seen: list[Any] = []
    monkeypatch.setattr(one_fidelity, "certify", lambda *given, **_: seen.append(given))
    one_fidelity._fixed(spec, table, closeness, fidelity_bounds(table, closeness, 4), closeness)
    ((_, (candidate,), lowest, highest),) = seen
    np.testing.assert_array_equal(lowest, highest)
    np.testing.assert_array_equal(np.rint(candidate * 10_000), lowest)
    np.testing.assert_allclose(candidate.sum(axis=1), 1.0)
