"""What a mapping has to keep, as rows of a linear program.

The variables are the mapping x, cell by cell; where the odds factor is limited, the least probability μ of each outcome;
and, where a quantity is pressed, one for how far it misses a mark.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.decision_table import FloatArray
from atreport.confidential.mechanism.programming.group import Group, Limits
from atreport.confidential.mechanism.programming.highs import Rows
from atreport.confidential.mechanism.programming.quantity import Quantity

RARE_OUTCOME = 1e-7
"""Rows are scaled by the share of their outcome, so that rare ones are kept as precisely; but not beyond this."""

Blocks = dict[str, Rows]


def occurrence(group: Group, mapping: FloatArray) -> FloatArray:
    """The share of each outcome in a mapping, as far as rows are scaled by it."""
    return np.maximum(group.p @ mapping, RARE_OUTCOME)


def rows_kept(group: Group, limits: Limits, occurs: FloatArray) -> Blocks:
    """The rows of what has to be kept: outcomes make one, rates, ceilings, odds."""
    cells, outcomes = group.truth.shape
    every = np.arange(cells * outcomes).reshape(cells, outcomes)
    ones = np.ones(cells)
    blocks = {"whole": Rows(columns=every, values=np.ones((cells, outcomes)), lower=ones, upper=ones)}
    if group.rate_move is not None:
        blocks["rates"] = Rows(
            columns=every.T,
            values=np.tile(group.p, (outcomes, 1)),
            lower=group.rates - group.rate_move,
            upper=group.rates + group.rate_move,
        )
    limited = np.isfinite(limits.ceilings)
    if limited.any():
        values = _ratios(group, limits.ceilings[limited], limited, 1.0, occurs)
        blocks["kept"] = _up_to_zero(_columns(group, int(limited.sum())), values)
    if np.isfinite(limits.odds):
        blocks |= rows_of_odds(group, limits.odds)
    return blocks


def rows_pressed(group: Group, quantity: Quantity, mark: float, occurs: FloatArray, slack: int) -> Blocks:
    """Rows that say: the quantity is at most the mark and what the slack adds (the variable of that number)."""
    limited = np.isfinite(quantity.gauge)
    values = _ratios(group, quantity.gauge[limited], limited, mark, occurs)
    columns = _columns(group, int(limited.sum()))
    return {
        "pressed": _up_to_zero(
            np.hstack([columns, np.full((len(columns), 1), slack)]),
            np.hstack([values, -np.ones((len(values), 1))]),
        )
    }


def rows_of_odds(group: Group, odds: float, slack: tuple[int, FloatArray] | None = None) -> Blocks:
    """Rows μ ≤ x ≤ odds · μ for every cell and outcome; the second may be missed by a slack times a number an outcome."""
    cells, outcomes = group.truth.shape
    x = np.arange(cells * outcomes)[:, None]
    least = cells * outcomes + np.tile(np.arange(outcomes), cells)[:, None]
    ones = np.ones((len(x), 1))
    columns, values = np.hstack([x, least]), np.hstack([ones, -odds * ones])
    if slack is not None:
        number, scale = slack
        columns = np.hstack([columns, np.full((len(x), 1), number)])
        values = np.hstack([values, -np.tile(scale, cells)[:, None]])
    return {
        "most": _up_to_zero(columns, values),
        "least": _up_to_zero(np.hstack([x, least]), np.hstack([-ones, ones])),
    }


def _ratios(
    group: Group, gauge: FloatArray, limited: NDArray[np.bool_], mark: float, occurs: FloatArray
) -> FloatArray:
    """Coefficients of N/g - mark · D, over the outcome's share, for each outcome and limited value."""
    one_outcome = group.p[None, :] * (group.holds[limited] / gauge[:, None] - mark)
    return np.vstack([one_outcome / share for share in occurs])


def _columns(group: Group, values: int) -> NDArray[np.int64]:
    """The variables of each of those rows: the cells' probabilities of one outcome."""
    cells, outcomes = group.truth.shape
    return np.vstack([np.tile(np.arange(cells) * outcomes + a, (values, 1)) for a in range(outcomes)])


def _up_to_zero(columns: NDArray[np.int64], values: FloatArray) -> Rows:
    return Rows(
        columns=columns, values=values, lower=np.full(len(values), -np.inf), upper=np.zeros(len(values))
    )
