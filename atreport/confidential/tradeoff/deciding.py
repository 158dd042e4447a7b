"""Which fidelity and which rates decide the fairness verdicts, and what that costs in privacy. Confidential.

At the usual fidelities most verdicts cannot be told, because the rates of groups are only known to within twice what a
single probability may be off. Keeping rates decides many of them, at a price in β that depends on the data. Here every
choice of a fidelity and of rates is tried: how many comparisons with a threshold it decides, and the least confidence at
it.

What is found is a function of the true rule, and stays behind the wall; what a publisher then writes into the spec is
theirs to choose. β is the optimum before rounding to printed figures, which adds less than a printed step or two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from atreport.analysis.measures import measure_all
from atreport.announcement.rounding import rounded_mappings
from atreport.confidential.data.decision_table import DecisionTable
from atreport.confidential.mechanism.aims import Aims
from atreport.confidential.mechanism.fidelity import Bounds, fidelity_bounds
from atreport.confidential.mechanism.solver import solve_table
from atreport.errors import PolicyCannotBeMet
from atreport.population.band import Closeness
from atreport.population.small_cells import NOTHING_SMALL, SmallCellAccount
from atreport.publication.fairness import verdict_of
from atreport.rule_table import PublishedPopulation, RuleTable
from atreport.spec.models.measures import Measure

DELTAS = tuple(map(Decimal, ("0.8", "0.9", "0.95", "0.98")))
"""The fidelities that are tried."""

RATES = (None, *map(Decimal, ("0.98", "0.99", "1")))
"""The rates that are tried: none, and how close."""

MOST_PRICE = 0.05
"""So much more confidence than the least of all is not proposed for the sake of verdicts."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A fidelity, the rates that are kept (None: none), what it decides, and the least confidence at it."""

    delta: Decimal
    rates: Decimal | None
    beta: float
    decided: int  # comparisons with a threshold that meet it, or do not, for certain
    comparisons: int  # with a threshold


def choices(
    table: DecisionTable,
    fairness: Sequence[Measure],
    *,
    decimals: int = 4,
    population: PublishedPopulation = "counts",
    small_cells: SmallCellAccount = NOTHING_SMALL,
    deltas: Sequence[Decimal] = DELTAS,
    rates: Sequence[Decimal | None] = RATES,
) -> tuple[Choice, ...]:
    """What every fidelity with every rates decides and costs; those at which nothing can be printed are left out."""
    found = []
    for delta in deltas:
        closeness = Closeness(delta=delta)
        try:
            bounds = fidelity_bounds(table, closeness, decimals)
        except PolicyCannotBeMet:
            continue
        for kept in rates:
            rule, beta = _announced(table, bounds, kept, decimals)
            rule = replace(rule, fidelity=closeness, population=population, small_cells=small_cells)
            measured, _ = measure_all(rule, fairness, unknown=False)
            verdicts = [v for each in measured if (v := verdict_of(each, decimals)) is not None]
            decided = sum(verdict != "cannot_tell" for verdict in verdicts)
            found.append(
                Choice(delta=delta, rates=kept, beta=beta, decided=decided, comparisons=len(verdicts))
            )
    return tuple(found)


def propose(found: Sequence[Choice], most_price: float = MOST_PRICE) -> Choice | None:
    """The choice that decides most, among those whose price is bearable; of equals the least confidence, to a hundredth.

    A point of confidence is not worth ten of fidelity: of choices that are equal to a hundredth, the one that announces
    the rule most closely. None where nothing can be printed at all.
    """
    if not found:
        return None
    least = min(choice.beta for choice in found)
    bearable = [choice for choice in found if choice.beta <= least + most_price]
    return min(bearable, key=lambda c: (-c.decided, round(c.beta, 2), -c.delta, c.rates or Decimal(0)))


def _announced(
    table: DecisionTable, bounds: Bounds, kept: Decimal | None, decimals: int
) -> tuple[RuleTable, float]:
    """The rule that would be announced, and its confidence.

    Printing moves the rate of a group by up to half a step, so the solver keeps rates as much closer, and no closer than
    that is promised.
    """
    half = Decimal("0.5").scaleb(-decimals)
    move = None if kept is None else max(1 - kept, half)
    aims = Aims(minimise=("beta",), decimals=decimals, rate_move=None if move is None else float(move - half))
    if move is not None and table.cells.between is not None:
        bounds = _as_close_as_rates(table, bounds, float(move))
    solution = solve_table(table, bounds, aims)
    mapping = next(
        rounded_mappings(
            [solution.mapping],
            bounds.lowest_step,
            bounds.highest_step,
            10**decimals,
            table.favourable_place,
        )
    )
    rule = RuleTable(
        cells=table.cells,
        mapping=mapping,
        decimals=decimals,
        fidelity=Closeness(delta=Decimal(1)),
        weights=(table.cells.population,),
        population="counts",
        rates=None if move is None else 1 - move,
    )
    return rule, float(np.max(solution.optimum))


def _as_close_as_rates(table: DecisionTable, bounds: Bounds, move: float) -> Bounds:
    """Where counts are left open, every probability of such a group is kept as close as its rate."""
    assert table.cells.between is not None
    fewest, most = table.cells.between
    is_open = np.zeros(int(table.cells.group[-1]) + 1, dtype=bool)
    is_open[table.cells.group[fewest != most]] = True
    near = is_open[table.cells.group][:, None]
    lower, upper = (np.clip(table.probability + by, 0.0, 1.0) for by in (-move, move))
    return replace(
        bounds,
        lower=np.where(near, np.maximum(bounds.lower, lower), bounds.lower),
        upper=np.where(near, np.minimum(bounds.upper, upper), bounds.upper),
    )
