"""What a promise on rates asks of the solver, so that printed figures keep it."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np

from atreport.announcement import smallest_share
from atreport.announcement.rates import RatePromise, published_rates
from atreport.confidential.data.decision_table import DecisionTable
from atreport.confidential.mechanism.fidelity import Bounds, closeness_of, fidelity_bounds, is_rounding
from atreport.population.band import Closeness, consistent
from atreport.spec.models.policy import Policy
from atreport.spec.models.spec import Spec


def rate_promise(policy: Policy, table: DecisionTable) -> RatePromise | None:
    """The promise of a policy as it is published: no closer than half a printed step. None where there is none.

    The true rule, rounded, keeps rates as close as probabilities, whatever is asked.
    """
    asked, closeness = policy.fidelity.rates, closeness_of(policy, table)
    if asked is not None and closeness is not None and is_rounding(closeness, policy.decimals, table):
        assert closeness.delta is not None
        rates = closeness.delta if asked == "best" else min(asked, closeness.delta)
        return RatePromise(rates=rates, truth=table.probability)
    if not isinstance(asked, Decimal):
        return None
    return RatePromise(rates=published_rates(asked, policy.decimals), truth=table.probability)


def rate_room(spec: Spec, table: DecisionTable, promise: RatePromise) -> float:
    """How far the solver may move rates: rounding to the nearest step moves them by half a step more at most.

    Where shares are published the promise also holds for people weighed by them. A share is off by half a step of its own,
    so a rate is by at most two halves of the smallest share.
    """
    decimals = spec.policy.decimals
    left = 1 - Fraction(promise.rates) - Fraction(1, 2 * 10**decimals)
    if spec.disclosure.population == "shares":
        left -= Fraction(1, smallest_share(table.cells.population, decimals))
    return max(0.0, float(left))


def on_grid(bounds: Bounds, decimals: int) -> Bounds:
    """The same bounds drawn in to printed steps: rounding then never leaves them, nor moves by more than half a step."""
    return replace(bounds, lower=bounds.lowest_step / 10**decimals, upper=bounds.highest_step / 10**decimals)


def with_rates(bounds: Bounds, table: DecisionTable, promise: RatePromise, decimals: int) -> Bounds:
    """Bounds for a rule that keeps rates, on printed steps.

    Where the counts of a group are not published exactly, each of its probabilities is kept as close as its rates: then
    they are kept whatever the counts are.
    """
    between = table.cells.between
    if between is not None:
        closer = fidelity_bounds(table, Closeness(delta=promise.rates), decimals)
        is_open = np.logical_or.reduceat(between[0] < between[1], table.cells.group_starts)
        rows = is_open[table.cells.group][:, None]
        lowest = np.where(rows, np.maximum(bounds.lowest_step, closer.lowest_step), bounds.lowest_step)
        highest = np.where(rows, np.minimum(bounds.highest_step, closer.highest_step), bounds.highest_step)
        lowest, highest = consistent(lowest, highest, 10**decimals)
        bounds = replace(bounds, lowest_step=lowest, highest_step=highest)
    return on_grid(bounds, decimals)
