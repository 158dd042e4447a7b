"""Accumulated local effects (ALE): what each step from a value to the next does, added up.

A step is averaged over the people at either value for whom both occur. Steps are added up in the order of the spec's list,
and centred so that the average over all people is 0.

Guarantee: an exact weighted sum of the announced probabilities, with a certified interval.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from atreport.core.cells import Cells, IntArray
from atreport.core.exact import class_sums
from atreport.core.rule_table import RuleTable
from atreport.explain.explanation import MethodQuestion, print_influence
from atreport.explain.interventions import (
    WeightedSum,
    alike_but_for,
    can_move,
    occurring_values,
    people,
    ranged,
)
from atreport.report.explanation import Influence


def explain(question: MethodQuestion) -> Iterator[Influence]:
    """The curve along an attribute."""
    return accumulated_effects(question.table, question.subject)


def weighted_sum(cells: Cells, weights: IntArray, influence: Influence) -> WeightedSum | None:
    """A published point of the curve as a weighted sum of the cells' probabilities."""
    assert influence.at is not None, "it is at a value"
    (attribute,) = influence.attributes
    return ale_as_sum(cells, weights, attribute, influence.at[attribute])


def ale_as_sum(cells: Cells, weights: IntArray, attribute: str, value: str) -> WeightedSum | None:
    """The accumulated local effect at a value; None where a step between two values can be made by nobody."""
    steps = _steps(cells, weights, attribute)
    if steps is None:
        return None
    everybody, code = people(weights), cells.process.attribute(attribute).values.index(value)
    column = cells.column(attribute)
    denominator = everybody * math.lcm(1, *(step.people for step in steps))
    coefficients = np.zeros(len(cells), dtype=object)
    for step in steps:
        above = Fraction(people(np.where(column >= step.to, weights, 0)), everybody)
        factor = ((1 if step.to <= code else 0) - above) / step.people * denominator
        coefficients += int(factor) * step.coefficients.astype(object)
    return WeightedSum(coefficients=coefficients, denominator=denominator)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Step:
    """From a value to the next that occurs: who can make it, and what it does to the sum of their probabilities."""

    to: int  # the code of the higher value
    people: int
    coefficients: IntArray


def _steps(cells: Cells, weights: IntArray, attribute: str) -> list[_Step] | None:
    alike, classes = alike_but_for(cells, attribute)
    column = cells.column(attribute)
    codes = np.unique(column).tolist()
    steps = []
    for before, after in pairwise(codes):
        both = can_move(alike, classes, column == before) & can_move(alike, classes, column == after)
        at_either = both & ((column == before) | (column == after))
        movers = class_sums(np.where(at_either, weights, 0), alike, classes)[alike]
        number = people(np.where(at_either, weights, 0))
        if number == 0:
            return None
        sign = np.where(column == after, 1, -1)
        steps.append(
            _Step(
                to=after, people=number, coefficients=np.where(at_either, sign * movers, 0).astype(np.int64)
            )
        )
    return steps


def accumulated_effects(table: RuleTable, attribute: str) -> Iterator[Influence]:
    """One figure for each value that occurs; none where a step between two values can be made by nobody."""
    for value in occurring_values(table.cells, attribute):
        sums = [ale_as_sum(table.cells, weights, attribute, value) for weights in table.published_weights]
        whole = [weighted for weighted in sums if weighted is not None]
        if not whole:
            return
        yield print_influence(table, "ale", [attribute], *ranged(table, whole), at={attribute: value})
