"""Partial dependence (PDP) at a value: the favourable rate if everybody had that value.

Where nobody has that value with a person's other attributes, the person stays as they are, as for every intervention here.

Guarantee: an exact weighted sum of the announced probabilities, with a certified interval.
"""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from atreport.core.cells import Cells, IntArray
from atreport.core.exact import class_sums
from atreport.core.rule_table import RuleTable
from atreport.explain.explanation import MethodQuestion, print_influence
from atreport.explain.interventions import (
    WeightedSum,
    alike_but_for,
    can_move,
    has_value,
    occurring_values,
    people,
    ranged,
)
from atreport.report.explanation import Influence


def explain(question: MethodQuestion) -> Iterator[Influence]:
    """The curve along an attribute."""
    return partial_dependence(question.table, question.subject)


def weighted_sum(cells: Cells, weights: IntArray, influence: Influence) -> WeightedSum:
    """A published point of the curve as a weighted sum of the cells' probabilities."""
    assert influence.at is not None, "it is at a value"
    (attribute,) = influence.attributes
    return pdp_as_sum(cells, weights, attribute, influence.at[attribute])


def pdp_as_sum(cells: Cells, weights: IntArray, attribute: str, value: str) -> WeightedSum:
    """The favourable rate if everybody had this value."""
    alike, classes = alike_but_for(cells, attribute)
    everybody = people(weights)
    there = has_value(cells, attribute, value)
    movable = can_move(alike, classes, there)
    coming = class_sums(weights, alike, classes)[alike]
    coefficients = np.where(there, coming, np.where(movable, 0, weights))
    return WeightedSum(coefficients=coefficients, denominator=everybody)


def partial_dependence(table: RuleTable, attribute: str) -> Iterator[Influence]:
    """One figure for each value that occurs."""
    cells = table.cells
    alike, classes = alike_but_for(cells, attribute)
    for value in occurring_values(cells, attribute):
        sums = [pdp_as_sum(cells, weights, attribute, value) for weights in table.published_weights]
        movable = can_move(alike, classes, has_value(cells, attribute, value))
        reached = min(
            Fraction(people(np.where(movable, weights, 0)), people(weights))
            for weights in table.published_weights
        )
        yield print_influence(
            table, "pdp", [attribute], *ranged(table, sums), at={attribute: value}, reach=reached
        )
