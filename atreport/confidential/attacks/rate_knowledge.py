"""What one learns about the true rule from the promise that group rates are kept. Confidential.

Where the policy keeps the rate of every outcome in every QID group, a reader knows one equation a group more: with people p
and the true rule D inside its band [a, b], the total Σ p·D lies within `rate_move` of the announced one. Both observers who
look into the band use it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atreport.confidential.data.table import FloatArray
from atreport.population.cells import Cells, IntArray
from atreport.rule_table import RuleTable

_HALVINGS = 80
"""Enough for the last digit of a float."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Totals:
    """Between what the true total of each outcome can lie in each group; both are (groups, outcomes)."""

    least: FloatArray
    most: FloatArray


def true_bands(rule: RuleTable) -> tuple[FloatArray, FloatArray]:
    """Where the true probability of each cell and outcome can lie, given the announced rule and its fidelity."""
    bands = [rule.truth_of(outcome) for outcome in rule.cells.process.outcome.values]
    low, high = (
        np.column_stack([np.asarray(bound / band.denominator, dtype=np.float64) for bound, band in bounds])
        for bounds in ([(band.lower, band) for band in bands], [(band.upper, band) for band in bands])
    )
    return low, high


def totals_allowed(rule: RuleTable, low: FloatArray, high: FloatArray) -> Totals:
    """The totals that the bands and, where they are kept, the rates allow."""
    cells = rule.cells
    people = cells.population.astype(np.float64)[:, None]
    least, most, announced, everybody = (
        np.add.reduceat(people * each, cells.group_starts, axis=0)
        for each in (low, high, rule.mapping / rule.scale, np.ones_like(low))
    )
    if rule.rate_move is None:
        return Totals(least=least, most=most)
    room = float(rule.rate_move) * everybody
    return Totals(least=np.maximum(least, announced - room), most=np.minimum(most, announced + room))


def even_belief(cells: Cells, low: FloatArray, high: FloatArray, totals: Totals) -> FloatArray:
    """What one expects who believes as evenly in the band as the totals allow (maximum entropy), cell by cell.

    Without a total to keep that is the middle of the band. Otherwise belief in a probability x of a cell with p people is
    proportional to exp(θ·p·x), with the θ of the group, nearest to 0, for which the expected total is an allowed one.
    """
    people = cells.population.astype(np.float64)
    expected = np.empty_like(low)
    for outcome, (a, b) in enumerate(zip(low.T, high.T, strict=True)):
        middle = np.add.reduceat(people * (a + b) / 2, cells.group_starts)
        wanted = np.clip(middle, totals.least[:, outcome], totals.most[:, outcome])
        expected[:, outcome] = _with_total(people, a, b, wanted, cells.group_starts)
    return expected


def _with_total(
    people: FloatArray, a: FloatArray, b: FloatArray, wanted: FloatArray, starts: IntArray
) -> FloatArray:
    """Expected probabilities whose total in each group is the wanted one; by halving, for all groups at once."""
    sizes = np.diff(np.append(starts, len(people)))
    width = people * (b - a)
    scale = np.repeat(np.maximum(np.maximum.reduceat(width, starts), 1e-300), sizes)
    # θ = u / (1 - |u|) runs through all numbers as u runs from -1 to 1
    low, high = np.full(len(starts), -1.0), np.full(len(starts), 1.0)
    expected = (a + b) / 2
    for _ in range(_HALVINGS):
        u = (low + high) / 2
        theta = np.repeat(u / np.maximum(1 - np.abs(u), 1e-16), sizes)
        expected = a + (b - a) * _mean_place(theta * width / scale)
        short = np.add.reduceat(people * expected, starts) < wanted
        low, high = np.where(short, u, low), np.where(short, high, u)
    return np.asarray(np.clip(expected, a, b))


def _mean_place(z: FloatArray) -> FloatArray:
    """The mean of a belief on 0 to 1 that is proportional to exp(z·x): 1/2 at z = 0."""
    small = np.abs(z) < 1e-4
    safe = np.where(small, 1.0, np.clip(z, -700, 700))
    return np.where(small, 0.5 + z / 12, 1 / -np.expm1(-safe) - 1 / safe)
