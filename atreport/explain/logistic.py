"""A logistic model of the announced rule: an amount for each value, on the scale of log odds.

It is fitted on the population as published; the rounded coefficients are then taken as the model, and faithfulness says how
far that is from the announced rule: errors are those of what the model gives before any rounding, rounded up.
"""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from atreport.core.cells import IntArray
from atreport.core.rule_table import RuleTable
from atreport.explain.explanation import MethodQuestion
from atreport.explain.interventions import people
from atreport.explain.linear import FloatArray, coefficients, indicators
from atreport.explain.tree import faithfulness_of
from atreport.report.explanation import RuleSet
from atreport.text.numbers import nearest

_WHOLE = 10**12
"""Errors are rounded up in steps this fine, far above the error of floating point, before they are added up."""

_SUM = 1000.0
"""What the weights of all people sum to, so that the model's slight pull to 0 means the same everywhere."""

_FLAT = 1e-9
"""The slope that counts as none: a 10^-12 of what the weights sum to."""

_MOST_STEPS = 100
"""Of Newton's method. A rule that is certain of the same outcome for all has its best amounts at infinity: some 27 steps
come so near that the slope is none."""


def explain(question: MethodQuestion) -> Iterator[RuleSet]:
    """The model, fitted to everybody."""
    yield logistic_model(question.table)


def logistic_model(table: RuleTable) -> RuleSet:
    """A linear model on the scale of log odds, with a slight pull to 0 so that certain outcomes have a finite answer."""
    values, features = indicators(table.cells)
    weights = table.published_weights[0]
    share = weights * (_SUM / people(weights))
    probability = table.announced / table.scale
    fitted = _likeliest(features, share.astype(np.float64), probability)
    amounts = [nearest(Fraction(a), table.decimals) for a in fitted]
    base, *added = (float(amount) for amount in amounts)
    odds = base + features @ np.array(added)
    return RuleSet(
        scheme="logistic",
        coefficients=coefficients(values, amounts),
        faithfulness=faithfulness_of(table, _errors(table, odds), _WHOLE),
    )


def _likeliest(features: FloatArray, share: FloatArray, probability: FloatArray) -> list[float]:
    """The base and an amount for each feature that make the outcomes likeliest, less half the squares of the amounts.

    Newton's method, which for so smooth a sum needs some ten steps: it ends where the slope is that of rounding.
    """
    design = np.column_stack([np.ones(len(features)), features])
    pull = np.array([0.0] + [1.0] * features.shape[1])

    def badness(at: FloatArray) -> float:
        odds = design @ at
        return float(share @ (np.logaddexp(0, odds) - probability * odds) + pull @ at**2 / 2)

    amounts = np.zeros(len(pull))
    for _ in range(_MOST_STEPS):
        given = 1 / (1 + np.exp(-(design @ amounts)))
        slope = design.T @ (share * (given - probability)) + pull * amounts
        if abs(slope).max() <= _FLAT:
            break
        bend = (design.T * (share * given * (1 - given))) @ design + np.diag(pull)
        step = np.linalg.solve(bend, slope)
        allowed = badness(amounts) * (1 + 1e-12)  # the last steps are too small to show in the sum
        tried = (amounts - step / 2**halved for halved in range(20))
        better = next((at for at in tried if badness(at) <= allowed), None)
        if better is None:  # within rounding of the best
            break
        amounts = better
    return [float(amount) for amount in amounts]


def _errors(table: RuleTable, odds: FloatArray) -> IntArray:
    """The error in every cell, over _WHOLE; never too small. Odds of nothing are a probability of exactly one half."""
    announced = table.announced * (_WHOLE // table.scale)
    given = np.rint(_WHOLE / (1 + np.exp(-odds))).astype(np.int64)
    return np.asarray(abs(given - announced) + (odds != 0))
