"""Where rates are kept, readers of the band use them: the worst rule has them, and even belief agrees with them."""

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from scipy.optimize import linprog

from atreport.private.attacks.equation_attack import attack_by_equations
from atreport.private.attacks.finding import Case
from atreport.private.attacks.observers import (
    Observers,
    attack_beyond_promise,
    even_belief,
    totals_allowed,
    true_bands,
)
from atreport.private.data.table import read_table
from atreport.private.draft import draft_announcement
from tests.example import example_spec, random_table

SPEC = example_spec(("  privacy: {beta: 0.7}\n", ""))


def case_of(seed: int, rates: str | None) -> Case:
    """A random draft with a promise about rates (which its solver did not have to keep)."""
    table = random_table(np.random.default_rng(seed), others=2)
    announcement = draft_announcement(SPEC, table).announcement
    rule = replace(announcement.rule, rates=None if rates is None else Decimal(rates))
    return Case(
        spec=SPEC,
        public=SPEC.public,
        table=table,
        announcement=replace(announcement, rule=rule),
        closely=False,
    )


def worst_by_programs(case: Case, group: int) -> float:
    """The largest confidence under any rule in the band that has the rate: one linear program a value and outcome."""
    rule = case.announcement.rule
    cells, here = rule.cells, rule.cells.group == group
    low, high = true_bands(rule)
    p, best = cells.population[here] / cells.population[here].sum(), 0.0
    place = cells.process.outcome.values.index(cells.process.outcome.favourable)
    a, b = low[here, place], high[here, place]
    rate, move = float(p @ (rule.announced[here] / rule.scale)), float(rule.rate_move or 1)
    for value in np.unique(cells.protected[0].index[here]):
        own = cells.protected[0].index[here] == value
        for sign in (1, -1):  # the favourable outcome, and the other
            # y = t·x (or t·(1 - x)), t = 1 / Σ p x: Charnes and Cooper
            lo, hi = (a, b) if sign > 0 else (1 - b, 1 - a)
            middle = rate if sign > 0 else 1 - rate
            m = len(p)
            rows = np.vstack(
                [
                    np.column_stack([np.eye(m), -hi]),
                    np.column_stack([-np.eye(m), lo]),
                    np.append(p, -(middle + move)),
                    np.append(-p, middle - move),
                ]
            )
            found = linprog(
                -np.append(p * own, 0), A_ub=rows, b_ub=np.zeros(len(rows)), A_eq=[np.append(p, 0)], b_eq=[1.0],
                bounds=[(0, None)] * (m + 1), method="highs",
            )  # fmt: skip
            best = max(best, -float(found.fun or 0.0) if found.status == 0 else 0.0)
    return best


@pytest.mark.parametrize("seed", range(12))
def test_the_worst_rule_has_the_published_rates(seed: int) -> None:
    """The formula is what linear programs find, with rates kept to two points."""
    case = case_of(seed, "0.98")
    found = attack_beyond_promise(case)
    free = attack_beyond_promise(case_of(seed, None))
    for group in range(len(case.table.cells.group_starts)):
        assert found.worst_consistent[group] == pytest.approx(worst_by_programs(case, group), abs=1e-7)
        assert found.worst_consistent[group] <= free.worst_consistent[group] + 1e-12
    assert isinstance(found, Observers)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("rates", ["1", "0.99", "0.5"])
def test_even_belief_agrees_with_the_rates(seed: int, rates: str) -> None:
    """Expected probabilities lie in the band and have an allowed total; without need they are the middle."""
    rule = case_of(seed, rates).announcement.rule
    low, high = true_bands(rule)
    totals = totals_allowed(rule, low, high)
    expected = even_belief(rule.cells, low, high, totals)
    people = rule.cells.population[:, None]
    sums = np.add.reduceat(people * expected, rule.cells.group_starts, axis=0)
    assert (low <= expected).all()
    assert (expected <= high).all()
    assert (sums >= totals.least - 1e-6 * np.maximum(totals.least, 1)).all()
    assert (sums <= totals.most + 1e-6 * np.maximum(totals.most, 1)).all()
    if rates == "0.5":
        np.testing.assert_allclose(expected, (low + high) / 2, atol=1e-9)


def test_equations_contain_the_rates_that_are_kept() -> None:
    """One way more where rates are kept; it never gives more confidence than is promised, and finds no true cell."""
    table = read_table(SPEC)
    announcement = draft_announcement(SPEC, table).announcement
    case = Case(spec=SPEC, public=SPEC.public, table=table, announcement=announcement, closely=True)
    without = attack_by_equations(case)
    for rates in ("0.99", "0.95"):
        rule = replace(announcement.rule, rates=Decimal(rates))
        found = attack_by_equations(case.with_announcement(replace(announcement, rule=rule)))
        assert len(found.rows) == len(without.rows) + 1
        way = next(way for way in found.rows if "rates" in way.way)
        assert way.of_release.confidence <= float(announcement.beta) + 1e-6
        assert found.exceeding == 0
