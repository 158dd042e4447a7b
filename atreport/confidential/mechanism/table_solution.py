"""What the solver hands on: what every group of a table can keep, and the mapping to announce."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.decision_table import FloatArray
from atreport.confidential.mechanism.closed_form.terms import Terms


@dataclass(frozen=True, kw_only=True, eq=False)
class TableSolution:
    """What every QID group of a table can keep, and the mapping to announce in every cell."""

    optimum: FloatArray  # by group: the least confidence; where it is not made least, that of the mapping
    proven: FloatArray  # by group: a proven lower limit on the optimum
    lift: FloatArray  # by group: the least lift at that confidence; where it is not made least, that of the mapping
    lift_proven: FloatArray  # by group: a proven lower limit on it
    odds: FloatArray  # by group: the odds factor of the mapping; inf where a value can be excluded
    kept: NDArray[
        np.bool_
    ]  # by group: whether the ceilings can be kept; where not, it was solved without them
    mapping: FloatArray  # (cells, outcomes)
    terms: Terms | None  # the closed form, where there is one
    unique: NDArray[np.bool_] | None  # by group: no other mapping does as well; None: not known
    # (groups, sensitive attributes): the same for each attribute, given the worse ones; None: there is one attribute
    attribute_beta: FloatArray | None = None
    attribute_lift: FloatArray | None = None
