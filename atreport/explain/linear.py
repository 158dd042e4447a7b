"""A linear model of the announced rule: so many points for each value.

It is fitted on the population as published; the rounded coefficients are then taken as the model, and faithfulness says how
far that is from the announced rule.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from atreport.core.cells import Cells
from atreport.core.rule_table import RuleTable
from atreport.explain.explanation import MethodQuestion
from atreport.explain.interventions import people
from atreport.explain.tree import faithfulness
from atreport.report.explanation import Coefficient, RuleSet
from atreport.text.numbers import nearest

# Models that add up an amount for each value of a person: what a linear and a logistic one have in common.

FloatArray = NDArray[np.float64]


def indicators(cells: Cells) -> tuple[list[tuple[str, str]], FloatArray]:
    """A column for every value that occurs but the first of each attribute."""
    values, columns = [], [np.empty((len(cells), 0))]
    for attribute in cells.process.attributes:
        column = cells.column(attribute.name)
        for code in np.unique(column)[1:].tolist():
            values.append((attribute.name, attribute.values[code]))
            columns.append((column == code)[:, None].astype(np.float64))
    return values, np.hstack(columns)


def coefficients(values: Sequence[tuple[str, str]], amounts: Sequence[Decimal]) -> tuple[Coefficient, ...]:
    """The base, then what each value adds."""
    names: list[tuple[str | None, str | None]] = [(None, None), *values]
    return tuple(
        Coefficient(attribute=attribute, value=value, amount=amount)
        for (attribute, value), amount in zip(names, amounts, strict=True)
    )


_NOTHING = 1e-6
"""A direction in which features differ by less than this part of the most that they do is none: rounding made it."""


def explain(question: MethodQuestion) -> Iterator[RuleSet]:
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
