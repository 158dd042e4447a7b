"""Individual conditional expectation (ICE): the announced probabilities of people who are alike in everything else.

A curve runs along the values that occur among them.

Guarantee: announced probabilities as they are, each with its certified interval.
"""

from collections.abc import Iterator

import numpy as np

from atreport.core.cells import Cells, IntArray
from atreport.core.exact import class_sums
from atreport.core.rule_table import RuleTable
from atreport.explain.explanation import MethodQuestion, cell_of, print_influence
from atreport.explain.interventions import WeightedSum, alike_but_for, ranged
from atreport.report.explanation import Influence

MAX_CURVES = 6
"""The most individual curves for an attribute: those of the largest classes, by people or (if they are withheld) cells."""


def explain(question: MethodQuestion) -> Iterator[Influence]:
    """The curves of the most people along an attribute."""
    return individual_curves(question.table, question.subject)


def weighted_sum(cells: Cells, _weights: IntArray, influence: Influence) -> WeightedSum | None:
    """A published point of a curve as a weighted sum of the cells' probabilities: one of them."""
    assert influence.at is not None, "it is a record"
    cell = cell_of(cells, influence.at)
    return None if cell is None else ice_as_sum(cells, cell)


def ice_as_sum(cells: Cells, cell: int) -> WeightedSum:
    """The announced probability of one cell."""
    coefficients = np.zeros(len(cells), dtype=np.int64)
    coefficients[cell] = 1
    return WeightedSum(coefficients=coefficients, denominator=1)


def individual_curves(table: RuleTable, attribute: str) -> Iterator[Influence]:
    """The announced probabilities of the largest classes of people who are alike in everything else."""
    cells = table.cells
    alike, classes = alike_but_for(cells, attribute)
    # by the population as published: an order by exact counts could tell shares apart that are printed alike; where it is
    # withheld, by how many cells a class has, or readers could not find the same classes
    weights = table.published_weights[0]
    if table.population == "withheld":
        weights = np.ones_like(weights)
    sizes = class_sums(weights, alike, classes)
    several = np.bincount(alike, minlength=classes) > 1
    largest = np.argsort(-np.where(several, sizes, 0), kind="stable")[:MAX_CURVES]
    for chosen in largest[several[largest]]:
        for cell in np.flatnonzero(alike == chosen).tolist():
            record = cells.labels(cell, cells.process.attributes)
            found = ranged(table, [ice_as_sum(cells, cell)])
            yield print_influence(table, "ice", [attribute], *found, at=record)
