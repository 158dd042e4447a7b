"""A linear model of the announced rule: so many points for each value.

scikit-learn fits it on the population as published; the rounded coefficients are then taken as the model, and faithfulness
says how far that is from the announced rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from sklearn.linear_model import LinearRegression

from atreport.analysis.explanations.additive_models import coefficients, indicators
from atreport.analysis.explanations.explanation import RuleSet
from atreport.analysis.explanations.interventions import people
from atreport.analysis.explanations.leaves import faithfulness
from atreport.analysis.explanations.question import Question
from atreport.kit.rounding import nearest
from atreport.rule_table import RuleTable


def explain(question: Question) -> Iterator[RuleSet]:
    """The model, fitted to everybody."""
    yield linear_model(question.table)


def linear_model(table: RuleTable) -> RuleSet:
    """Least squares on the values of all attributes, against the first value of each."""
    values, features = indicators(table.cells)
    weights = table.published_weights[0]
    model = LinearRegression()
    model.fit(features, table.announced / table.scale, sample_weight=weights / people(weights))
    amounts = [nearest(Fraction(float(a)), table.decimals) for a in (model.intercept_, *model.coef_)]
    base, *added = (int(amount.scaleb(table.decimals)) for amount in amounts)
    steps = np.clip(base + features.astype(np.int64) @ np.array(added, dtype=np.int64), 0, table.scale)
    return RuleSet(
        scheme="linear",
        coefficients=coefficients(values, amounts),
        faithfulness=faithfulness(table, steps),
    )
