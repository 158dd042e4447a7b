"""Single steps moved towards an ideal, and the choice among roundings: edges, and figures from the definitions."""

import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest

from atreport.core.cells import IntArray
from atreport.core.certify import (
    NO_CEILINGS,
    Ceilings,
    Choice,
    RatePromise,
    StepBounds,
    _rounded,
    local_search,
    rounded_in_turn,
)
from atreport.private.data.decision_table import DecisionTable
from atreport.spec.policy import Aim
from tests.many_outcomes import table_of


def choice_of(table: DecisionTable, **other: object) -> Choice:
    """How a rounding of a table to two decimals is chosen."""
    given = {"minimise": ("beta",), "ceilings": NO_CEILINGS, "rates": None, **other}
    return Choice(cells=table.cells, weights=(table.cells.population,), decimals=2, **given)  # type: ignore[arg-type]


def wide_box(table: DecisionTable) -> StepBounds:
    """Anything may be announced."""
    steps = np.zeros(table.probability.shape, dtype=np.int64)
    return StepBounds(lowest=steps, highest=steps + 100, decimals=2, rates=None)


def test_what_makes_a_rounding_worse() -> None:
    """First a broken ceiling, then the figures in their order; without any to minimise only β, where one is broken."""
    table = table_of(np.random.default_rng(5), 2, 1, groups=3)
    yes = np.arange(len(table.cells)) % 2 * 60 + 20
    steps = np.column_stack([100 - yes, yes])
    beta = choice_of(table).figures(steps).beta
    assert [mark.tolist() for mark in choice_of(table).marks(steps)] == [[0] * len(beta), beta.tolist()]
    middle = sorted(beta.tolist())[1]
    ceilings = Ceilings(beta=Decimal(middle) / 100)
    over = beta > middle
    assert over.any()
    assert not over.all()
    marks = choice_of(table, minimise=(), ceilings=ceilings).marks(steps)
    assert [mark.tolist() for mark in marks] == [over.tolist(), np.where(over, beta, 0).tolist()]


def test_rounding_in_turn_stays_in_its_bounds() -> None:
    """Where an outcome has no room upward, another one is rounded up, or the row is made whole otherwise."""
    tight = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        table = table_of(rng, 3, 1, groups=2)
        exactly = table.probability * 100
        room = rng.integers(0, 2, exactly.shape)
        room[np.arange(len(room)), rng.integers(0, 3, len(room))] = 3
        highest = np.minimum(np.floor(exactly + 1e-9) + room, 100).astype(np.int64)
        lowest = np.maximum(np.floor(exactly + 1e-9) - 2, 0).astype(np.int64)
        if (highest.sum(axis=1) < 100).any():
            continue
        tight += 1
        steps = rounded_in_turn(table.probability, table.cells, lowest, highest, 100)
        assert steps is not None
        assert (lowest <= steps).all()
        assert (steps <= highest).all()
        assert (steps.sum(axis=1) == 100).all()
    assert tight > 5


def test_with_an_ideal_a_rule_is_no_worse_than_rounded_in_turn() -> None:
    """Where it is known what could be reached, every way of rounding is tried, that in turn too.

    In these tables it does better than the others: found by trying sixty.
    """
    for seed in (2, 33, 46, 49):
        table = table_of(np.random.default_rng(seed), 3, 1, groups=2)
        box, choice = wide_box(table), choice_of(table)
        in_turn = rounded_in_turn(table.probability, table.cells, box.lowest, box.highest, 100)
        assert in_turn is not None
        ideal = {"beta": np.ones(len(table.cells.group_starts))}  # nothing is worth moving
        found = _rounded(choice, box, [table.probability], ideal)  # type: ignore[arg-type]
        assert (choice.figures(found).beta <= choice.figures(in_turn).beta).all()


def exact_figure(aim: str, table: DecisionTable, steps: IntArray) -> Fraction | float:
    """A figure of a single group from its definition, in fractions."""
    cells = table.cells
    if aim == "odds":
        columns = [column for column in steps.T.tolist() if max(column)]
        return max(Fraction(max(c), min(c)) if min(c) else math.inf for c in columns)
    people, found = [int(n) for n in cells.population], Fraction(0)
    for column in steps.T.tolist():
        joint = [n * x for n, x in zip(people, column, strict=True)]
        for protected in cells.protected if sum(joint) else ():
            for value in set(protected.index.tolist()):
                holds = np.flatnonzero(protected.index == value).tolist()
                share = Fraction(sum(people[k] for k in holds), sum(people)) if aim == "lift" else 1
                found = max(found, Fraction(sum(joint[k] for k in holds), sum(joint)) / share)
    return found


def kept(table: DecisionTable, box: StepBounds, steps: IntArray) -> bool:
    """Whether steps may be announced: bounds, and rates in fractions."""
    if (steps < box.lowest).any() or (steps > box.highest).any():
        return False
    if box.rates is None:
        return True
    people = [int(n) for n in table.cells.population]
    for column, truth in zip(steps.T.tolist(), box.rates.truth.T.tolist(), strict=True):
        change = sum(
            n * (Fraction(x, 10) - Fraction(str(t))) for n, x, t in zip(people, column, truth, strict=True)
        )
        if abs(Fraction(change)) > (1 - Fraction(box.rates.rates)) * sum(people):
            return False
    return True


@pytest.mark.parametrize("rates", [None, "0.9"])
@pytest.mark.parametrize("minimise", [("beta", "lift"), ("lift", "beta"), ("odds", "beta"), ("beta", "odds")])
def test_no_further_move_would_help(minimise: tuple[Aim, ...], rates: str | None) -> None:
    """Every move of one step is tried, in fractions: what would lower the later figure has the earlier one printed higher.

    In tenths, where figures often are at a printed step exactly. What is moved stays in its box.
    """
    earlier, later = minimise
    helped = at_the_limit = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        table = table_of(rng, 2 + seed % 2, 1 + seed % 3 % 2)
        cells = replace(table.cells, population=rng.integers(1, 5, len(table.cells)) * 5)
        table = replace(table, cells=cells)
        parts = rng.dirichlet(np.ones(table.probability.shape[1]), len(cells))
        steps = np.round(parts * 10).astype(np.int64)
        steps[:, 0] += 10 - steps.sum(axis=1)
        if (steps < 0).any():
            continue
        promise = None if rates is None else RatePromise(rates=Decimal(rates), truth=steps / 10)
        wide = rng.integers(1, 4, steps.shape)
        box = StepBounds(
            lowest=np.maximum(steps - wide, 0),
            highest=np.minimum(steps + wide, 10),
            decimals=1,
            rates=promise,
        )
        ideal = dict.fromkeys(minimise, np.zeros(1))
        first = local_search(cells, steps, box, (earlier,), ideal)
        found = local_search(cells, steps, box, minimise, ideal)
        limit, now = exact_figure(earlier, table, first), exact_figure(later, table, found)
        printed = limit if limit == math.inf else Fraction(math.ceil(10 * limit), 10)
        assert kept(table, box, found)
        assert exact_figure(earlier, table, found) <= printed
        assert now <= exact_figure(later, table, first)
        helped += now < exact_figure(later, table, first)
        for row, (up, down) in product(range(len(cells)), permutations(range(steps.shape[1]), 2)):
            other = found.copy()
            other[row, [up, down]] += [1, -1]
            if kept(table, box, other) and exact_figure(earlier, table, other) <= printed:
                at_the_limit += exact_figure(earlier, table, other) == printed
                assert exact_figure(later, table, other) >= now
    assert helped > 3
    assert at_the_limit > 0
