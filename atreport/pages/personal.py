"""Turn a published report into one person's view: which attributes moved their announced outcome, and by how much.

A person's announced probability differs from everybody's average. The difference is shared out among the attributes by
their Shapley values: what drawing an attribute anew changes, averaged over all orders in which the attributes can be drawn
(:mod:`atreport.analysis.explanations.interventions` says what a draw is). With more than twelve attributes, each is drawn
anew by itself instead, and the amounts need not add up.

Guarantee: a function of the report alone, in exact arithmetic. The amounts explain the announced rule, not the true one.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from atreport.analysis.explanations.coalitions import sharing_out
from atreport.analysis.explanations.explanation import cell_of
from atreport.analysis.explanations.interventions import Drawn, drawn_anew, people, value_counts
from atreport.kit.exact import class_sums, dot, product, widen
from atreport.population.cells import ExactArray, IntArray
from atreport.rule_table import RuleTable


def explained_cell(table: RuleTable, record: Mapping[str, str]) -> int | None:
    """The cell of a record. None where nobody has it, or where readers do not have the people to explain it by."""
    attributes = table.cells.process.attributes
    if not table.everybody_is_printed or any(record.get(a.name) not in a.values for a in attributes):
        return None
    return cell_of(table.cells, {a.name: record[a.name] for a in attributes})


def average_of(table: RuleTable) -> Fraction:
    """Everybody's favourable rate as announced."""
    weights = table.published_weights[0]
    return Fraction(dot(weights, table.announced), people(weights) * table.scale)


def moved_by(table: RuleTable, cells: IntArray) -> IntArray:
    """What each attribute (a row) moved in each of some cells (a column), in whole printed steps, to the nearest."""
    weights, values = table.published_weights[0], value_counts(table.cells)
    shared = sharing_out(len(values))
    everybody = people(weights)
    most = (
        2 * everybody * table.scale * shared.orders
    )  # the sizes of an attribute's shares sum to twice the orders
    total: Any = widen(np.zeros((len(values), len(cells)), dtype=np.int64), most)
    for place, columns in enumerate(shared.drawn):
        draw = drawn_anew(table.cells.codes, values, weights, columns)
        influence: Any = _influence_on(table, draw, cells).astype(total.dtype)
        total = total + shared.shares[:, place][:, None] * influence[None, :]
    whole = everybody * shared.orders
    # halves go up: the sum of rounded amounts is about the printed difference, and needs no finer rule
    return np.asarray((2 * total + whole) // (2 * whole)).astype(np.int64)


def _influence_on(table: RuleTable, draw: Drawn, cells: IntArray) -> ExactArray:
    """By how much each cell's announced probability exceeds what a draw leads to, times everybody, in steps."""
    met = class_sums(product(table.announced, draw.drawn), draw.alike, draw.classes)
    return np.asarray(product(table.announced[cells], draw.possible[cells]) - met[draw.alike[cells]])
