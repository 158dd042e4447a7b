"""Of all mappings of a group that keep its limits, one that changes people's probabilities the least in total."""

from __future__ import annotations

import numpy as np

from atreport.confidential.data.decision_table import FloatArray
from atreport.confidential.mechanism.programming.constraints import occurrence, rows_kept
from atreport.confidential.mechanism.programming.group import Group, Limits
from atreport.confidential.mechanism.programming.highs import Rows, minimise
from atreport.confidential.mechanism.programming.readings import KEPT, best_reading, excess


def nearest(group: Group, limits: Limits, mapping: FloatArray) -> FloatArray:
    """The mapping with the least Σ p·|x - truth| among those that keep the limits; `mapping` is one that does."""
    inside = ((group.lower <= group.truth) & (group.truth <= group.upper)).all()
    if inside and excess(group, limits, group.truth) <= 1.0:
        return group.truth
    size, outcomes = group.truth.size, group.truth.shape[1]
    start = np.clip(group.truth, group.lower, group.upper).ravel()
    blocks = rows_kept(group, limits, occurrence(group, mapping))
    more = outcomes if np.isfinite(limits.odds) else 0
    away = np.repeat(group.p, outcomes)
    found = minimise(
        np.concatenate([away, away, np.zeros(more)]),
        np.zeros(2 * size + more),
        np.concatenate([group.upper.ravel() - start, start - group.lower.ravel(), np.ones(more)]),
        [_of_changes(rows, start) for rows in blocks.values()],
    )
    if found is None:
        return mapping
    changed = start + found.variables[:size] - found.variables[size : 2 * size]
    near = best_reading(group, changed, lambda x: excess(group, limits, x))
    return near if excess(group, limits, near) <= max(KEPT, excess(group, limits, mapping)) else mapping


def _of_changes(rows: Rows, start: FloatArray) -> Rows:
    """The same rows, of how far each probability rises and falls from where it starts."""
    size = len(start)
    of_mapping = rows.columns[0] < size
    columns, values = rows.columns[:, of_mapping], rows.values[:, of_mapping]
    at_start = (values * start[columns]).sum(axis=1)
    return Rows(
        columns=np.hstack([columns, columns + size, rows.columns[:, ~of_mapping] + size]),
        values=np.hstack([values, -values, rows.values[:, ~of_mapping]]),
        lower=rows.lower - at_start,
        upper=rows.upper - at_start,
    )
