"""What a mapping does to belief, in floating point: how many times as likely a value becomes, and the odds of one.

The first door certifies the printed figures in whole numbers; these are the solver's own.
"""

from __future__ import annotations

import numpy as np

from atreport.confidential.data.decision_table import FloatArray
from atreport.confidential.mechanism.closed_form.odds import SAME
from atreport.population.cells import Cells, run_starts

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
