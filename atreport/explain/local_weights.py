"""Local weights, in the manner of LIME: a linear model of the announced rule that is right near one record.

Each person counts for half as much for every attribute in which they differ from the record; a least-squares model then
says what having the record's value of an attribute adds nearby. All cells take part, so nothing is sampled, and the
weights are fractions.

Guarantee: an exact weighted sum of the announced probabilities, with a certified interval. An attribute in which nobody
differs, or that always differs along with earlier ones, adds nothing of its own and gets 0.
"""

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction

import numpy as np

from atreport.core.cells import Cells, IntArray
from atreport.core.exact import class_sums, product
from atreport.core.rule_table import RuleTable
from atreport.explain.explanation import MethodQuestion, print_influence
from atreport.explain.interventions import WeightedSum, ranged
from atreport.report.explanation import Influence


def explain(question: MethodQuestion) -> Iterator[Influence]:
    """The local model around a record that the spec names."""
    return local_weights(question.table, question.subject)


def weighted_sum(cells: Cells, weights: IntArray, influence: Influence) -> WeightedSum:
    """A published weight as a weighted sum of the cells' probabilities."""
    assert influence.at is not None, "it is about a record"
    names = [(), *((attribute.name,) for attribute in cells.process.attributes)]
    return weights_as_sums(cells, weights, influence.at)[names.index(influence.attributes)]


def weights_as_sums(cells: Cells, weights: IntArray, record: Mapping[str, str]) -> list[WeightedSum]:
    """The base of the local model, then what each attribute adds, as weighted sums."""
    attributes = cells.process.attributes
    agrees = np.column_stack([cells.column(a.name) == _code(a.values, record[a.name]) for a in attributes])
    # Cells with the same pattern of agreement count alike, so the sums are over patterns.
    patterns, pattern = np.unique(agrees, axis=0, return_inverse=True)
    pattern = np.asarray(pattern, dtype=np.int64).ravel()
    sizes = class_sums(weights, pattern, len(patterns)).tolist()
    rows = [[1, *(int(bit) for bit in bits)] for bits in patterns.tolist()]
    near = [2 ** (sum(row) - 1) for row in rows]
    gram = [
        [
            Fraction(sum(n * size * row[i] * row[j] for n, size, row in zip(near, sizes, rows, strict=True)))
            for j in range(len(attributes) + 1)
        ]
        for i in range(len(attributes) + 1)
    ]
    inverse = _inverse(gram)
    sums = []
    for solved in inverse:
        factors = [
            n * sum((s * x for s, x in zip(solved, row, strict=True)), Fraction(0))
            for n, row in zip(near, rows, strict=True)
        ]
        denominator = math.lcm(1, *(factor.denominator for factor in factors))
        whole = np.array([int(factor * denominator) for factor in factors], dtype=object)
        sums.append(WeightedSum(coefficients=product(whole[pattern], weights), denominator=denominator))
    return sums


def _code(values: tuple[str, ...], value: str) -> int:
    return values.index(value) if value in values else -1


def _inverse(matrix: list[list[Fraction]]) -> list[list[Fraction]]:
    """The inverse of a symmetric matrix; rows and columns that depend on earlier ones are left at 0."""
    size = len(matrix)
    rows = [[*row, *(Fraction(int(i == j)) for j in range(size))] for i, row in enumerate(matrix)]
    used: list[int] = []
    for column in range(size):
        if rows[column][column] == 0:
            continue
        pivot = rows[column][column]
        rows[column] = [entry / pivot for entry in rows[column]]
        for other in range(size):
            if other != column and rows[other][column]:
                factor = rows[other][column]
                rows[other] = [e - factor * p for e, p in zip(rows[other], rows[column], strict=True)]
        used.append(column)
    return [
        [rows[i][size + j] if i in used and j in used else Fraction(0) for j in range(size)]
        for i in range(size)
    ]


def local_weights(table: RuleTable, record: Mapping[str, str]) -> Iterator[Influence]:
    """The base of the local model around a record, then the weight of each attribute."""
    names = [(), *((attribute.name,) for attribute in table.cells.process.attributes)]
    of_weights = [weights_as_sums(table.cells, weights, record) for weights in table.published_weights]
    for attributes, sums in zip(names, zip(*of_weights, strict=True), strict=True):
        yield print_influence(table, "lime", attributes, *ranged(table, sums), at=record)
