"""Turn a solved group into a certificate of optimality: which of the four terms binds, and its exact value.

The value is a fraction, calculated from the exact bounds. :mod:`atreport.confidential.certificate_check` checks
certificates without any code of the solver.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from atreport.band import Closeness
from atreport.confidential.fidelity import shortest_decimal
from atreport.confidential.solver import Terms
from atreport.confidential.table import DecisionTable

MOST_CELLS = 50_000
"""Larger tables get no certificates: fractions are slow, and nobody reads that many."""


@dataclass(frozen=True)
class Record:
    """One sensitive value of a group: people, and exact bounds on its announced favourable probability."""

    people: int
    lower: Fraction
    upper: Fraction


@dataclass(frozen=True)
class Certificate:
    """The claim that a group's least possible confidence is exactly `value`, and the term that says so."""

    term: str  # favourable, unfavourable, both or prior
    value: Fraction


def records_by_group(table: DecisionTable, closeness: Closeness | None) -> list[list[Record]]:
    """The records of every group, with exact bounds; cells of one sensitive value are joined."""
    groups: list[list[Record]] = []
    bounds = (
        {d: closeness.around(shortest_decimal(d)) for d in np.unique(table.favourable)} if closeness else {}
    )
    starts = [*table.cells.value_starts.tolist(), len(table.cells)]
    for start, end in pairwise(starts):
        people, lower, upper = 0, Fraction(0), Fraction(0)
        for cell in range(start, end):
            here = int(table.cells.population[cell])
            low, high = bounds[table.favourable[cell]] if closeness else _own_bounds(table, cell)
            people, lower, upper = people + here, lower + here * low, upper + here * high
        if not groups or table.cells.group[start] != table.cells.group[start - 1]:
            groups.append([])
        groups[-1].append(Record(people, lower / people, upper / people))
    return groups


def _own_bounds(table: DecisionTable, cell: int) -> tuple[Fraction, Fraction]:
    assert table.lower is not None
    assert table.upper is not None
    return shortest_decimal(table.lower[cell]), shortest_decimal(table.upper[cell])


def certify_optimum(terms: Terms, group: int, records: list[Record]) -> Certificate:
    """The certificate of one group: the solver says which term binds, this says its exact value."""
    values = {
        name: float(getattr(terms, name)[group]) for name in ("prior", "both", "favourable", "unfavourable")
    }
    term = max(values, key=values.__getitem__)
    least = max(r.people * r.lower for r in records)
    rest = max(r.people * (1 - r.upper) for r in records)
    total = sum(r.people for r in records)
    if term == "prior":
        return Certificate(term, Fraction(max(r.people for r in records), total))
    if term == "both":
        return Certificate(term, (least + rest) / total)
    if term == "favourable":
        return Certificate(term, least / sum(min(r.people * r.upper, least) for r in records))
    return Certificate(term, rest / sum(min(r.people * (1 - r.lower), rest) for r in records))
