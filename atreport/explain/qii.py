"""Quantitative input influence: what happens to a rate, or to a gap, when attributes are drawn anew.

Guarantee: exact sums over the published cells, with certified intervals; see
:mod:`atreport.explain.interventions` for what a draw is.
"""

from collections.abc import Iterator, Sequence

from atreport.core.cells import Cells, IntArray
from atreport.core.rule_table import RuleTable
from atreport.explain.explanation import MethodQuestion, groups_of, print_influence
from atreport.explain.interventions import WeightedSum, change_as_sum, ranged, reach
from atreport.report.explanation import Influence, PublishedQuantity
from atreport.spec.transparency import Quantity


def explain(question: MethodQuestion) -> Iterator[Influence]:
    """The influence of every attribute, and of the sets that the spec names, on a quantity."""
    names = [attribute.name for attribute in question.table.cells.process.attributes]
    sets = [*((name,) for name in names), *question.asked.influence.sets]
    return quantitative_input_influence(question.table, question.subject, sets)


def weighted_sum(cells: Cells, weights: IntArray, influence: Influence) -> WeightedSum:
    """A published influence as a weighted sum of the cells' probabilities."""
    assert influence.quantity is not None, "there is something that is influenced"
    return qii_as_sum(cells, weights, influence.quantity, influence.attributes)


def qii_as_sum(
    cells: Cells, weights: IntArray, quantity: Quantity | PublishedQuantity, attributes: Sequence[str]
) -> WeightedSum:
    """The influence of a set of attributes on a quantity, as a weighted sum of the favourable probabilities."""
    group, minus = groups_of(cells, quantity)
    weighted = change_as_sum(cells, weights, group, attributes)
    return weighted if minus is None else weighted.minus(change_as_sum(cells, weights, minus, attributes))


def quantitative_input_influence(
    table: RuleTable, quantity: Quantity, sets: Sequence[Sequence[str]]
) -> Iterator[Influence]:
    """The influence of each set of attributes on a quantity."""
    cells = table.cells
    for attributes in sets:
        sums = [qii_as_sum(cells, w, quantity, attributes) for w in table.published_weights]
        reached = min(
            reach(cells, weights, group, attributes)
            for weights in table.published_weights
            for group in groups_of(cells, quantity)
            if group is not None
        )
        yield print_influence(
            table, "qii", attributes, *ranged(table, sums), quantity=quantity, reach=reached
        )
