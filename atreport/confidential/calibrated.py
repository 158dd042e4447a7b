"""The mechanism that cannot be read back: announce the middle of a fixed interval in which the true value lies.

The grid depends on the published fidelity and decimals alone, never on a decision. So a release tells in which interval
each true probability lies and nothing more, even to those who know everything about the method. Whoever then believes
evenly in the interval expects exactly its middle, and confidence is linear in that expectation: the certified β is also
the confidence of an observer who knows the method.

Guarantee: every middle is itself a printed figure (no rounding adds or hides anything), and is within 1 - delta of every
value of its interval.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np

from atreport.cells import IntArray
from atreport.confidential.fidelity import whole_steps
from atreport.confidential.table import DecisionTable


def grid_edges(delta: Decimal, decimals: int) -> IntArray:
    """Where the intervals begin and end, in whole printed steps from 0 to 1.

    With w = 1 - delta there are ⌈1/(2w)⌉ of them where printed steps allow. Each is an even number of steps wide, so that
    its middle can be printed, and at most 2w; their widths differ by at most two steps.
    """
    half = 10**decimals // 2  # in double steps
    widest = int((1 - Fraction(delta)) * 10**decimals)  # the most double steps in an interval
    number = -(-half // widest)
    return np.array([2 * ((i * half + number // 2) // number) for i in range(number + 1)], dtype=np.int64)


def interval_of(steps: IntArray, edges: IntArray) -> IntArray:
    """The interval of each value, given in whole steps at or below it; a value on an edge belongs to the one above."""
    return np.minimum(np.searchsorted(edges, steps, side="right") - 1, len(edges) - 2)


def calibrated_steps(table: DecisionTable, delta: Decimal, decimals: int) -> IntArray:
    """What is announced of every outcome (cells, outcomes), in whole printed steps."""
    edges = grid_edges(delta, decimals)
    interval = interval_of(whole_steps(table.favourable, 10**decimals), edges)
    favourable = (edges[interval] + edges[interval + 1]) // 2
    columns = [10**decimals - favourable] * 2
    columns[table.favourable_place] = favourable
    return np.column_stack(columns)
