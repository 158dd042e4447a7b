"""A decision tree that comes near the announced rule.

:mod:`atreport.analysis.explanations.splits` finds its shape, on the population as published. What is printed is then taken
as the model: a leaf's probability is the announced rate of its people, rounded. Faithfulness says how far the printed tree
is from the announced rule, exactly, and is rounded up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from atreport.analysis.explanations.explanation import Condition, RuleSet
from atreport.analysis.explanations.leaves import Leaf, faithfulness, rule_of
from atreport.analysis.explanations.question import Question
from atreport.analysis.explanations.splits import parted
from atreport.population.cells import Cells, IntArray
from atreport.rule_table import RuleTable


def explain(question: Question) -> Iterator[RuleSet]:
    """A tree of the depth that the spec asks for."""
    depth = question.asked.rules.tree
    assert depth is not None, "it is asked for"
    yield surrogate_tree(question.table, depth, question.asked.ordered)


def surrogate_tree(table: RuleTable, depth: int, ordered: Sequence[str]) -> RuleSet:
    """A decision tree of at most this depth."""
    leaves = tree_leaves(table, ordered, deepest=depth)
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


def tree_leaves(
    table: RuleTable, ordered: Sequence[str], *, deepest: int | None = None, most: int | None = None
) -> list[Leaf]:
    """The leaves of a tree on the announced rule, so deep at most, or so many at most.

    A leaf is a box, so the values that occur in it describe it: no cell outside has one of them for every attribute.
    """
    return [
        Leaf(condition=_in_common(table.cells, members), members=members)
        for members in parted(table, ordered, deepest=deepest, most=most)
    ]


def _in_common(cells: Cells, members: IntArray) -> Condition:
    """The values that occur among some cells, of each attribute that does not have all of its own there."""
    condition: dict[str, tuple[str, ...]] = {}
    for attribute in cells.process.attributes:
        column = cells.column(attribute.name)
        inside = np.unique(column[members])
        if len(inside) < len(np.unique(column)):
            condition[attribute.name] = tuple(attribute.values[int(code)] for code in inside)
    return condition
