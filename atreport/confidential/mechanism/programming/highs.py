"""Call HiGHS, the solver of linear programs.

Through highspy, not through SciPy, which has the same solver: its checks of a program take four times as long as solving
one of ours. A program is solved from scratch each time, so that no answer depends on what was solved before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import highspy
import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.decision_table import FloatArray

_TOLERANCE = 1e-10
"""The least that HiGHS offers: how far its answers may miss a constraint."""


_BY_ROWS, _LEAST = int(highspy.MatrixFormat.kRowwise), int(highspy.ObjSense.kMinimize)
"""How the matrix is given, and what is wanted of the cost, in the numbers of HiGHS."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Rows:
    """Constraints lower ≤ Σ values · variables ≤ upper, each with the same number of terms."""

    columns: NDArray[np.int64]  # (rows, terms): which variables
    values: FloatArray  # (rows, terms)
    lower: FloatArray
    upper: FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class Answer:
    """The least cost, where it is attained, and how much it would fall for a wider limit, by block of rows."""

    variables: FloatArray
    multipliers: tuple[
        FloatArray, ...
    ]  # positive: the upper limit holds the cost up; negative: the lower one


def minimise(cost: FloatArray, lower: FloatArray, upper: FloatArray, blocks: Sequence[Rows]) -> Answer | None:
    """The least cost of variables within their bounds that keep all rows; None if HiGHS finds none."""
    sizes = [len(block.lower) for block in blocks]
    terms = np.concatenate(
        [np.full(size, block.columns.shape[1]) for size, block in zip(sizes, blocks, strict=True)]
    )
    columns = np.concatenate([block.columns.ravel() for block in blocks]).astype(np.int32)
    solver = _solver()
    solver.passModel(
        len(cost),
        len(terms),
        len(columns),
        _BY_ROWS,
        _LEAST,
        0.0,
        cost,
        lower,
        upper,
        np.concatenate([block.lower for block in blocks]),
        np.concatenate([block.upper for block in blocks]),
        np.append(0, np.cumsum(terms)).astype(np.int32),
        columns,
        np.concatenate([block.values.ravel() for block in blocks]),
        np.zeros(len(cost), dtype=np.int32),  # no variable has to be whole
    )
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    found = solver.getSolution()
    ends = np.cumsum(sizes)
    return Answer(
        variables=np.array(found.col_value),
        multipliers=tuple(np.split(-np.array(found.row_dual), ends[:-1])),
    )


@cache
def _solver() -> Any:
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]  # its stubs leave it out
    for option, value in (
        ("output_flag", False),
        ("parallel", "off"),
        ("presolve", "off"),  # programs of this size are solved before it has looked at them
        ("primal_feasibility_tolerance", _TOLERANCE),
        ("dual_feasibility_tolerance", _TOLERANCE),
    ):
        solver.setOptionValue(option, value)
    return solver
