"""Models that add up an amount for each value of a person: what a linear and a logistic one have in common."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from atreport.analysis.explanations.explanation import Coefficient
from atreport.population.cells import Cells

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
