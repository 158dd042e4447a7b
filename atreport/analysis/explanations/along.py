"""Moves along an attribute, everything else as it is: what curves are made of."""

from __future__ import annotations

import numpy as np

from atreport.analysis.explanations.interventions import Mask, classes_of, columns_of, value_counts
from atreport.population.cells import Cells, IntArray


def alike_but_for(cells: Cells, attribute: str) -> tuple[IntArray, int]:
    """Classes of cells that are alike in everything but the attribute."""
    own = columns_of(cells, [attribute])
    others = [column for column in range(cells.codes.shape[1]) if column not in own]
    return classes_of(cells.codes, value_counts(cells), others)


def has_value(cells: Cells, attribute: str, value: str) -> Mask:
    """The cells with a value of the attribute."""
    return np.asarray(cells.column(attribute) == cells.process.attribute(attribute).values.index(value))


def can_move(alike: IntArray, classes: int, there: Mask) -> Mask:
    """Whether a cell with the value exists among those that are alike."""
    found = np.zeros(classes, dtype=bool)
    found[alike[there]] = True
    return found[alike]


def occurring_values(cells: Cells, attribute: str) -> list[str]:
    """The values that somebody has, in the order of the spec's list."""
    values = cells.process.attribute(attribute).values
    return [values[int(code)] for code in np.unique(cells.column(attribute))]
