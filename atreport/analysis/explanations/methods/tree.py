"""A decision tree that comes near the announced rule.

scikit-learn finds its shape, on the population as published. What is printed is then taken as the model: a leaf's
probability is the announced rate of its people, rounded. Faithfulness says how far the printed tree is from the announced
rule, exactly, and is rounded up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeRegressor

from atreport.analysis.explanations.explanation import Condition, RuleSet
from atreport.analysis.explanations.interventions import people
from atreport.analysis.explanations.leaves import Leaf, faithfulness, rule_of
from atreport.analysis.explanations.question import Question
from atreport.population.cells import Cells, IntArray
from atreport.rule_table import RuleTable


def explain(question: Question) -> Iterator[RuleSet]:
    """A tree of the depth that the spec asks for."""
    depth = question.asked.rules.tree
    assert depth is not None, "it is asked for"
    yield surrogate_tree(question.table, depth, question.asked.ordered)


def surrogate_tree(table: RuleTable, depth: int, ordered: Sequence[str]) -> RuleSet:
    """A decision tree of at most this depth."""
    leaves = tree_leaves(table, ordered, max_depth=depth)
    rules = [rule_of(table, leaf) for leaf in leaves]
    steps = np.empty(len(table.cells), dtype=np.int64)
    for leaf, rule in zip(leaves, rules, strict=True):
        steps[leaf.members] = int(rule.probability.scaleb(table.decimals))
    return RuleSet(
        scheme="tree",
        depth=depth,
        rules=tuple(sorted(rules, key=lambda rule: -rule.probability)),
        faithfulness=faithfulness(table, steps),
    )


def tree_leaves(table: RuleTable, ordered: Sequence[str], **limits: int) -> list[Leaf]:
    """The leaves of a regression tree on the announced rule; limits as scikit-learn names them.

    A leaf is a box, so the values that occur in it describe it: no cell outside has one of them for every attribute.
    """
    cells = table.cells
    features = np.column_stack(_questions(cells, ordered))
    weights = table.published_weights[0]
    model = DecisionTreeRegressor(random_state=0, **limits)
    model.fit(features, table.announced / table.scale, sample_weight=weights / people(weights))
    leaf_of = model.apply(features)
    return [
        Leaf(condition=_in_common(cells, members), members=members)
        for members in (np.flatnonzero(leaf_of == leaf) for leaf in dict.fromkeys(leaf_of.tolist()))
    ]


def _questions(cells: Cells, ordered: Sequence[str]) -> list[NDArray[np.float64]]:
    """What a tree may ask: whether an ordered attribute is above a value, or an unordered one is a value."""
    found: list[NDArray[np.float64]] = []
    for attribute in cells.process.attributes:
        column = cells.column(attribute.name)
        if attribute.name in ordered:
            found.append(column.astype(np.float64))
        else:
            found += [(column == code).astype(np.float64) for code in np.unique(column)]
    return found


def _in_common(cells: Cells, members: IntArray) -> Condition:
    """The values that occur among some cells, of each attribute that does not have all of its own there."""
    condition: dict[str, tuple[str, ...]] = {}
    for attribute in cells.process.attributes:
        column = cells.column(attribute.name)
        inside = np.unique(column[members])
        if len(inside) < len(np.unique(column)):
            condition[attribute.name] = tuple(attribute.values[int(code)] for code in inside)
    return condition
