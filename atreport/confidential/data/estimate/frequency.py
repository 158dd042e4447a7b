"""The share of each outcome among the records of a cell, and how far chance may have moved it."""

from __future__ import annotations

import numpy as np

from atreport.analysis.binomial import lower_end
from atreport.analysis.sampling import LEVEL
from atreport.confidential.data.table import FloatArray
from atreport.population.cells import IntArray


def frequencies(cases: IntArray) -> FloatArray:
    """The share of each outcome (a column) among the records of each cell (a row), which has at least one."""
    return np.asarray(cases / cases.sum(axis=1, keepdims=True), dtype=np.float64)


def exact_intervals(favourable: IntArray, cases: IntArray) -> list[tuple[float, float]]:
    """The exact binomial interval (Clopper-Pearson, 95%) of each cell's favourable share; never too narrow."""
    half = float(1 - LEVEL) / 2
    low, high = lower_end(favourable, cases, half), 1 - lower_end(cases - favourable, cases, half)
    return list(zip(low.tolist(), high.tolist(), strict=True))
