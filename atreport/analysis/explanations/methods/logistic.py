"""A logistic model of the announced rule: an amount for each value, on the scale of log odds.

scikit-learn fits it on the population as published; the rounded coefficients are then taken as the model, and faithfulness
says how far that is from the announced rule: errors are those of what the model gives before any rounding, rounded up.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from sklearn.linear_model import LogisticRegression

from atreport.analysis.explanations.additive_models import FloatArray, coefficients, indicators
from atreport.analysis.explanations.explanation import RuleSet
from atreport.analysis.explanations.interventions import people
from atreport.analysis.explanations.leaves import faithfulness_of
from atreport.analysis.explanations.question import Question
from atreport.kit.rounding import nearest
from atreport.population.cells import IntArray
from atreport.rule_table import RuleTable

_WHOLE = 10**12
"""Errors are rounded up in steps this fine, far above the error of floating point, before they are added up."""

_SUM = 1000.0
"""What the weights of all people sum to, so that the model's slight pull to 0 means the same everywhere."""


def explain(question: Question) -> Iterator[RuleSet]:
    """The model, fitted to everybody."""
    yield logistic_model(question.table)


def logistic_model(table: RuleTable) -> RuleSet:
    """A linear model on the scale of log odds, with a slight pull to 0 so that certain outcomes have a finite answer."""
    values, features = indicators(table.cells)
    weights = table.published_weights[0]
    share = weights * (_SUM / people(weights))
    probability = table.announced / table.scale
    # each cell twice: its favourable and its other cases
    model = LogisticRegression(solver="newton-cholesky", tol=1e-12, max_iter=1000)
    model.fit(
        np.vstack([features, features]),
        np.repeat([1, 0], len(features)),
        sample_weight=np.concatenate([share * probability, share * (1 - probability)]),
    )
    amounts = [nearest(Fraction(float(a)), table.decimals) for a in (model.intercept_[0], *model.coef_[0])]
    base, *added = (float(amount) for amount in amounts)
    odds = base + features @ np.array(added)
    return RuleSet(
        scheme="logistic",
        coefficients=coefficients(values, amounts),
        faithfulness=faithfulness_of(table, _errors(table, odds), _WHOLE),
    )


def _errors(table: RuleTable, odds: FloatArray) -> IntArray:
    """The error in every cell, over _WHOLE; never too small. Odds of nothing are a probability of exactly one half."""
    announced = table.announced * (_WHOLE // table.scale)
    given = np.rint(_WHOLE / (1 + np.exp(-odds))).astype(np.int64)
    return np.asarray(abs(given - announced) + (odds != 0))
