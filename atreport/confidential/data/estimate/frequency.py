"""The share of each outcome among the records of a cell."""

from __future__ import annotations

import numpy as np

from atreport.confidential.data.decision_table import FloatArray
from atreport.population.cells import IntArray


def frequencies(cases: IntArray) -> FloatArray:
    """The share of each outcome (a column) among the records of each cell (a row), which has at least one."""
    return np.asarray(cases / cases.sum(axis=1, keepdims=True), dtype=np.float64)
