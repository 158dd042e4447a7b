"""The share of each outcome among the records of a cell, and how far chance may have moved it."""

from __future__ import annotations

import numpy as np

from atreport.cells import IntArray
from atreport.confidential.table import FloatArray
from atreport.public.sampling import LEVEL

_FLOAT_ERROR = 1e-10
"""Far above the error of an incomplete beta function."""


def frequencies(cases: IntArray) -> FloatArray:
    """The share of each outcome (a column) among the records of each cell (a row), which has at least one."""
    return np.asarray(cases / cases.sum(axis=1, keepdims=True), dtype=np.float64)


def exact_intervals(favourable: IntArray, cases: IntArray) -> list[tuple[float, float]]:
    """The exact binomial interval (Clopper-Pearson, 95%) of each cell's favourable share; never too narrow."""
    from scipy.special import betaincinv

    half = float(1 - LEVEL) / 2
    others = cases - favourable
    low = betaincinv(np.maximum(favourable, 1), others + 1, half) - _FLOAT_ERROR
    high = betaincinv(favourable + 1, np.maximum(others, 1), 1 - half) + _FLOAT_ERROR
    low, high = (
        np.where(favourable > 0, np.maximum(low, 0), 0.0),
        np.where(others > 0, np.minimum(high, 1), 1.0),
    )
    return list(zip(low.tolist(), high.tolist(), strict=True))
