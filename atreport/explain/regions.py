"""Regions, in the manner of PALM: the population in a few parts, and in each part one attribute that decides.

A small tree finds the parts; in each, the attribute whose values tell the announced probabilities apart best makes the
rule. Faithfulness says how far that is from the announced rule.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from atreport.core.cells import IntArray
from atreport.core.exact import dot
from atreport.core.rule_table import RuleTable
from atreport.explain.explanation import MethodQuestion
from atreport.explain.tree import TreeLeaf, faithfulness, rule_of, share_of, tree_leaves
from atreport.report.explanation import Region, Rule, RuleSet


def explain(question: MethodQuestion) -> Iterator[RuleSet]:
    """As many regions as the spec allows, at most."""
    most = question.asked.rules.regions
    assert most is not None, "it is asked for"
    yield palm_regions(question.table, most, question.asked.ordered)


def palm_regions(table: RuleTable, regions: int, ordered: Sequence[str]) -> RuleSet:
    """At most so many regions, each with the rule of one attribute."""
    steps = np.empty(len(table.cells), dtype=np.int64)
    found = []
    for leaf in tree_leaves(table, ordered, most=regions):
        region, inside = _region(table, leaf)
        steps[leaf.members] = inside
        found.append(region)
    return RuleSet(scheme="regions", regions=tuple(found), faithfulness=faithfulness(table, steps))


def _region(table: RuleTable, leaf: TreeLeaf) -> tuple[Region, IntArray]:
    """The region with its rule, and what the rule gives each of its cells, in whole steps."""
    weights = table.published_weights[0][leaf.members]
    announced = table.announced[leaf.members]
    best: tuple[int, str | None, tuple[Rule, ...], IntArray] | None = None
    for attribute in (None, *table.cells.process.attributes):
        rules, steps = _by_value(table, leaf, None if attribute is None else attribute.name)
        error = dot(weights, abs(steps - announced))
        if best is None or error < best[0]:
            best = error, None if attribute is None else attribute.name, rules, steps
    assert best is not None
    _, name, rules, steps = best
    region = Region(
        condition=leaf.condition, attribute=name, rules=rules, share=share_of(table, leaf.members)
    )
    return region, steps


def _by_value(table: RuleTable, leaf: TreeLeaf, attribute: str | None) -> tuple[tuple[Rule, ...], IntArray]:
    """The announced rate at each value of an attribute, or of all (None), inside a region."""
    if attribute is None:
        rule = rule_of(table, replace(leaf, condition={}))
        return (rule,), np.full(len(leaf.members), int(rule.probability.scaleb(table.decimals)))
    column = table.cells.column(attribute)[leaf.members]
    values = table.cells.process.attribute(attribute).values
    rules, steps = [], np.empty(len(leaf.members), dtype=np.int64)
    for code in np.unique(column).tolist():
        part = TreeLeaf(condition={attribute: (values[code],)}, members=leaf.members[column == code])
        rules.append(rule_of(table, part))
        steps[column == code] = int(rules[-1].probability.scaleb(table.decimals))
    return tuple(rules), steps
