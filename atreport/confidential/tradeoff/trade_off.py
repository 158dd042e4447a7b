"""Turn a true table into what each fidelity costs in privacy: the whole curve, its knee, and policies worth a thought.

The curve of every group is exact (see :mod:`atreport.confidential.tradeoff.curve`). The curve of the whole report is the
largest of them. Of many groups only those that are the worst at one of many sampled distortions are taken; the curve is
then exact at those samples and says so. Confidential: the curve depends on the true rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from fractions import Fraction
from itertools import pairwise

import numpy as np

from atreport.announcement.ceilings import ceiling_on_beta
from atreport.confidential.data.decision_table import without_cells
from atreport.confidential.data.table import DecisionTable, FloatArray
from atreport.confidential.mechanism.fidelity import float_bounds
from atreport.confidential.mechanism.solver import has_closed_form, terms_of
from atreport.confidential.tradeoff.curve import Curve, ValueRecords, group_curve, upper_envelope
from atreport.kit.rounding import shortest_decimal
from atreport.population.band import Closeness
from atreport.population.cells import IntArray, run_starts
from atreport.spec.models.spec import Spec

MOST_EXACT_GROUPS = 60
"""With more groups than this, the report's curve is made of those that are the worst somewhere."""

SAMPLES = 41
"""At so many distortions the worst group of a large table is looked for."""

MOST_RECORDS = 40
"""Groups with more records than this get no exact curve: fractions are slow."""

DELTA_STEP = Decimal("0.001")
"""Suggested fidelities are rounded down to this, so that what is said of them holds."""


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """A policy worth a thought: a delta, the β* that goes with it, and why."""

    name: str
    delta: Decimal
    beta: Fraction
    reason: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Tradeoff:
    """What each delta costs, for the whole report and for its most exposed groups."""

    report: Curve
    groups: tuple[tuple[int, Curve], ...]  # the most exposed first
    exact_everywhere: bool  # otherwise exact at the samples only
    true_confidence: Fraction  # C*: β at no distortion
    floor: Fraction  # β at any distortion: what is known before any report
    knee: Fraction  # the distortion w of the knee
    suggestions: tuple[Suggestion, ...]


def calculate_trade_off(spec: Spec, table: DecisionTable, *, most_groups: int = 20) -> Tradeoff | None:
    """The curves of a table; None where the optimum has no closed form or every group is too large."""
    if not has_closed_form(table):
        return None
    sizes = np.diff(np.append(table.cells.group_starts, len(table.cells)))
    tractable = np.flatnonzero(sizes <= MOST_RECORDS)
    few = len(sizes) <= MOST_EXACT_GROUPS
    worst = np.arange(len(sizes)) if few else _worst_somewhere(table)
    if not np.isin(worst, tractable).all():
        return None
    exposed = _most_exposed(table, tractable, most_groups)
    records = _records(table, sorted({*worst.tolist(), *exposed}))
    curves = {group: group_curve(values, group) for group, values in records.items()}
    report = upper_envelope([curves[group] for group in worst.tolist()])
    knee = knee_of(report)
    return Tradeoff(
        report=report,
        groups=tuple((group, curves[group]) for group in exposed),
        exact_everywhere=few,
        true_confidence=report(Fraction(0)),
        floor=report(Fraction(1)),
        knee=knee,
        suggestions=_suggestions(report, knee, ceiling_on_beta(spec.policy.privacy)),
    )


def confidence_at(table: DecisionTable, closeness: Closeness) -> FloatArray:
    """β* of every group at one fidelity, by the four terms in floating point."""
    return terms_of(table, *float_bounds(table, closeness)).optimum


def _worst_somewhere(table: DecisionTable) -> IntArray:
    """The groups that are the worst at one of the sampled distortions; more samples near the truth.

    No group's β* rises with distortion, and the report's never falls below the largest prior. So a group that is below
    that prior once cannot be the worst any more, and is looked at no longer.
    """
    floor = float(_priors(table).max()) - 1e-12
    names = np.arange(len(table.cells.group_starts))
    found = []
    for w in (np.linspace(0, 1, SAMPLES) ** 2).round(6).tolist():
        beta = confidence_at(table, Closeness(delta=1 - Decimal(str(w))))
        found.append(int(names[np.argmax(beta)]))
        stays = beta >= floor
        if stays.sum() < len(stays) / 2:
            table, names = without_cells(table, ~stays[table.cells.group]), names[stays]
    return np.unique(np.array(found, dtype=np.int64))


def _priors(table: DecisionTable) -> FloatArray:
    """What the population alone tells of each group."""
    cells = table.cells
    people = np.add.reduceat(cells.population, cells.group_starts)
    of_values = cells.protected[0].sums(cells.population)
    return np.asarray(np.maximum.reduceat(of_values, run_starts(cells.protected[0].group)) / people)


def _most_exposed(table: DecisionTable, tractable: IntArray, number: int) -> list[int]:
    """Groups to show: those to whom publishing the true rule would add most."""
    added = confidence_at(table, Closeness(delta=Decimal(1))) - _priors(table)
    return [int(group) for group in tractable[np.argsort(-added[tractable], kind="stable")][:number]]


def _records(table: DecisionTable, groups: Sequence[int]) -> dict[int, list[ValueRecords]]:
    """The sensitive values of some groups, each with its cells and their true probabilities as exact fractions."""
    cells, found = table.cells, {}
    ends = np.append(cells.group_starts, len(cells))
    for group in groups:
        values: dict[int, list[tuple[int, Fraction]]] = {}
        for cell in range(int(ends[group]), int(ends[group + 1])):
            values.setdefault(int(cells.value[cell]), []).append(
                (int(cells.population[cell]), shortest_decimal(table.favourable[cell]))
            )
        found[group] = [ValueRecords(tuple(of_value)) for of_value in values.values()]
    return found


def knee_of(curve: Curve) -> Fraction:
    """The distortion after which more of it buys little: the breakpoint furthest below the line between the ends.

    The curve is looked at from no distortion to the point from which on nothing more is gained.
    """
    end = curve.first_at_most(curve(Fraction(1))) or Fraction(0)
    top, bottom = curve(Fraction(0)), curve(end)
    if not end or top == bottom:
        return Fraction(0)

    def below_line(w: Fraction) -> Fraction:
        return top - (top - bottom) * w / end - curve(w)

    ends = [w for w in curve.breakpoints if w <= end]
    # a long bent piece may have its knee inside: look at its quarters too
    looked_at = {*ends, *(a + (b - a) * Fraction(part, 4) for a, b in pairwise(ends) for part in (1, 2, 3))}
    return max(sorted(looked_at), key=below_line)


def delta_for(w: Fraction) -> Decimal:
    """The highest delta, to three decimals, that allows a distortion of w."""
    exactly = Decimal((1 - w).numerator) / Decimal((1 - w).denominator)
    return max(exactly.quantize(DELTA_STEP, rounding=ROUND_FLOOR), Decimal(0))


def _suggestions(curve: Curve, knee: Fraction, ceiling: Decimal | None) -> tuple[Suggestion, ...]:
    top, floor = curve(Fraction(0)), curve(Fraction(1))

    def suggest(name: str, w: Fraction, reason: str) -> Suggestion:
        delta = delta_for(w)
        return Suggestion(name=name, delta=delta, beta=curve(1 - Fraction(delta)), reason=reason)

    flat = curve.first_at_most(floor) or Fraction(0)
    found = []
    if ceiling is not None and curve.first_at_most(Fraction(ceiling)) is not None:
        least = curve.first_at_most(Fraction(ceiling)) or Fraction(0)
        reason = "the least distortion with which the report keeps the policy's ceiling"
        found.append(suggest("Closest to the truth", least, reason))
    else:
        half = curve.first_at_most((top + floor) / 2) or Fraction(0)
        reason = "the least distortion that takes away half of what the true rule would add"
        found.append(suggest("Closer to the truth", half, reason))
    reason = "up to here distortion buys privacy quickly, from here on slowly"
    found.append(suggest("The knee of the curve", knee, reason))
    reason = "as low as the population alone allows; more distortion would not lower β"
    found.append(suggest("The lowest β there is", flat, reason))
    return tuple(found)
