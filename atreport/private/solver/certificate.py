"""Turn a solved group into a certificate of optimality: which of the four terms binds, and its exact value.

The value is a fraction, calculated from the exact bounds. :mod:`atreport.private.solver.certificate_check` checks
certificates without any code of the solver.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from atreport.core.band import Band, Closeness, bands_around
from atreport.private.data.decision_table import DecisionTable, FloatArray
from atreport.private.solver.closed_form import Terms
from atreport.text.numbers import shortest_decimal

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
    protected, band = table.cells.protected[0], _exact_band(table, closeness)
    population = table.cells.population.astype(object)
    of_values = (protected.sums(n) for n in (population, population * band.lower, population * band.upper))
    groups: list[list[Record]] = [[] for _ in table.cells.group_starts]
    for group, people, lower, upper in zip(protected.group.tolist(), *of_values, strict=True):
        whole = people * band.denominator
        groups[group].append(Record(people, Fraction(lower, whole), Fraction(upper, whole)))
    return groups


def _exact_band(table: DecisionTable, closeness: Closeness | None) -> Band:
    """The bounds on the favourable outcome of every cell."""
    if closeness is None:
        (lower, upper), scale = _shortest_decimals(np.array([table.lower, table.upper]))
        return Band(lower=lower, upper=upper, denominator=scale)
    favourable, scale = _shortest_decimals(table.favourable)
    return bands_around(np.column_stack([favourable, scale - favourable]), scale, closeness)[0]


def _shortest_decimals(numbers: FloatArray) -> tuple[NDArray[np.object_], int]:
    """What :func:`shortest_decimal` makes of each number, as whole numbers over one denominator."""
    fractions = [shortest_decimal(number) for number in numbers.ravel().tolist()]
    scale = math.lcm(*{fraction.denominator for fraction in fractions})
    whole = [fraction.numerator * (scale // fraction.denominator) for fraction in fractions]
    return np.array(whole, dtype=object).reshape(numbers.shape), scale


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
