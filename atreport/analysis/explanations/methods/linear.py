"""A linear model of the announced rule: so many points for each value.

It is fitted on the population as published; the rounded coefficients are then taken as the model, and faithfulness says how
far that is from the announced rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from atreport.analysis.explanations.additive_models import FloatArray, coefficients, indicators
from atreport.analysis.explanations.explanation import RuleSet
from atreport.analysis.explanations.interventions import people
from atreport.analysis.explanations.leaves import faithfulness
from atreport.analysis.explanations.question import Question
from atreport.kit.rounding import nearest
from atreport.rule_table import RuleTable

_NOTHING = 1e-6
"""A direction in which features differ by less than this part of the most that they do is none: rounding made it."""


def explain(question: Question) -> Iterator[RuleSet]:
    """The model, fitted to everybody."""
    yield linear_model(question.table)


def linear_model(table: RuleTable) -> RuleSet:
    """Least squares on the values of all attributes, against the first value of each."""
    values, features = indicators(table.cells)
    weights = table.published_weights[0]
    fitted = _least_squares(features, table.announced / table.scale, weights / people(weights))
    amounts = [nearest(Fraction(a), table.decimals) for a in fitted]
    base, *added = (int(amount.scaleb(table.decimals)) for amount in amounts)
    steps = np.clip(base + features.astype(np.int64) @ np.array(added, dtype=np.int64), 0, table.scale)
    return RuleSet(
        scheme="linear",
        coefficients=coefficients(values, amounts),
        faithfulness=faithfulness(table, steps),
    )


def _least_squares(features: FloatArray, target: FloatArray, shares: FloatArray) -> list[float]:
    """The base and an amount for each feature; of all that are equally near, the one with the smallest amounts."""
    shares = shares.astype(np.float64)
    centre, level = shares @ features, shares @ target
    root = np.sqrt(shares)
    found = np.linalg.lstsq((features - centre) * root[:, None], (target - level) * root, rcond=_NOTHING)
    amounts = found[0]
    return [float(level - centre @ amounts), *amounts.tolist()]
