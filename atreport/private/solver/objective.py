"""What a mechanism is asked for, as numbers: what to make least, in which order, and what no group may exceed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atreport.core.cells import Cells, run_starts
from atreport.core.certify import Ceilings
from atreport.private.data.decision_table import FloatArray
from atreport.private.solver.closed_form import SAME, Terms
from atreport.spec.policy import Aim


@dataclass(frozen=True, kw_only=True, eq=False)
class Objective:
    """What to make least in each QID group, in this order, under which ceilings.

    Each stage is kept at its printed value, rounded up to `decimals`, while the later ones are solved; last comes the
    mapping nearest to the truth. An empty `minimise` keeps the ceilings and stays as near to the truth as they allow.
    Where no mapping of a group keeps the ceilings, the group is solved without them, and the solution says so; the rate
    is kept always, for the true rule keeps it.
    """

    minimise: tuple[Aim, ...] = ("beta", "lift")
    decimals: int = 4
    beta: float | None = None  # ceilings for every group and value
    lift: float | None = None
    odds: float | None = None
    # by sensitive attribute: a ceiling for each (QID group, value)
    values: tuple[FloatArray, ...] | None = None
    rate_move: float | None = None  # the most that the rate of each outcome may move in a QID group


def objective_of(
    cells: Cells,
    ceilings: Ceilings,
    minimise: tuple[Aim, ...],
    decimals: int,
    *,
    rate_move: float | None = None,
    below: float = 0.0,
) -> Objective:
    """The aims of a policy. The ceilings can be asked for a little `below`, to leave room for rounding."""
    return Objective(
        minimise=minimise,
        decimals=decimals,
        beta=None if ceilings.beta is None else max(0.0, float(ceilings.beta) - below),
        lift=None if ceilings.lift is None else max(1.0, float(ceilings.lift) * (1 - below)),
        odds=None if ceilings.odds is None else max(1.0, float(ceilings.odds) * (1 - below)),
        values=tuple(
            np.array(
                [
                    1.0 if limit is None else max(0.0, float(limit) - below)
                    for limit in ceilings.of_values(cells, protected)
                ]
            )
            for protected in cells.protected
        )
        if ceilings.values
        else None,
        rate_move=rate_move,
    )


# What the solver hands on: what every group of a table can keep, and the mapping to announce.


@dataclass(frozen=True, kw_only=True, eq=False)
class TableSolution:
    """What every QID group of a table can keep, and the mapping to announce in every cell."""

    optimum: FloatArray  # by group: the least confidence; where it is not made least, that of the mapping
    proven: FloatArray  # by group: a proven lower limit on the optimum
    lift: FloatArray  # by group: the least lift at that confidence; where it is not made least, that of the mapping
    lift_proven: FloatArray  # by group: a proven lower limit on it
    odds: FloatArray  # by group: the odds factor of the mapping; inf where a value can be excluded
    # by group: whether the ceilings can be kept; where not, it was solved without them
    kept: NDArray[np.bool_]
    mapping: FloatArray  # (cells, outcomes)
    terms: Terms | None  # the closed form, where there is one
    unique: NDArray[np.bool_] | None  # by group: no other mapping does as well; None: not known
    # (groups, sensitive attributes): the same for each attribute, given the worse ones; None: there is one attribute
    attribute_beta: FloatArray | None = None
    attribute_lift: FloatArray | None = None


# What a mapping does to belief, in floating point: how many times as likely a value becomes, and the odds of
# one.
#
# The first door certifies the printed figures in whole numbers; these are the solver's own.

_NEVER = 1e-15
"""An outcome with less than this share of a group never occurs there: it teaches nothing."""


def confidence_of(cells: Cells, mapping: FloatArray) -> FloatArray:
    """By group: the largest confidence in any sensitive value after any outcome that occurs."""
    people = cells.in_lowest_terms.astype(np.float64)
    total = np.add.reduceat(people, cells.group_starts)
    confidence = np.zeros(len(total))
    for outcome in mapping.T:
        share = np.add.reduceat(people * outcome, cells.group_starts)
        occurs = share > _NEVER * total
        for protected in cells.protected:
            largest = np.maximum.reduceat(protected.sums(people * outcome), run_starts(protected.group))
            found = np.divide(largest, share, out=np.zeros_like(share), where=occurs)
            confidence = np.maximum(confidence, found)
    return confidence


def lift_of(cells: Cells, mapping: FloatArray) -> FloatArray:
    """By group: the most times as likely that any sensitive value becomes after any outcome that occurs."""
    people = cells.in_lowest_terms.astype(np.float64)
    total = np.add.reduceat(people, cells.group_starts)
    lift = np.ones(len(total))
    for outcome in mapping.T:
        rate = np.add.reduceat(people * outcome, cells.group_starts) / total
        occurs = rate > _NEVER
        for protected in cells.protected:
            own = protected.sums(people * outcome) / protected.sums(people)
            highest = np.maximum.reduceat(own, run_starts(protected.group))
            lift = np.maximum(lift, np.divide(highest, rate, out=np.ones_like(rate), where=occurs))
    return lift


def odds_of(cells: Cells, mapping: FloatArray) -> FloatArray:
    """By group: the most that any outcome multiplies the odds of any statement about a person, whatever was believed.

    It is the largest ratio of an outcome's probabilities in two cells; infinite where one is 0 and the other is not.
    """
    odds = np.ones(len(cells.group_starts))
    for outcome in mapping.T:
        most = np.maximum.reduceat(outcome, cells.group_starts)
        least = np.minimum.reduceat(outcome, cells.group_starts)
        ratio = np.divide(most, least, out=np.full_like(odds, np.inf), where=least > 0)
        odds = np.maximum(odds, np.where(most <= least + SAME, 1.0, ratio))
    return odds
