"""Regions, in the manner of PALM: the population in a few parts, and in each part one attribute that decides.

A small tree finds the parts; in each, the attribute whose values tell the announced probabilities apart best makes the
rule. Faithfulness says how far that is from the announced rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from atreport.analysis.explanations.exact_rules import share_of
from atreport.analysis.explanations.figure import Region, Rule, RuleSet
from atreport.analysis.explanations.linear_figures import exact_dot, published_weights
from atreport.analysis.explanations.surrogates import Leaf, faithfulness, rule_of, tree_leaves
from atreport.announcement import Release
from atreport.population.cells import IntArray


def palm_regions(release: Release, regions: int, ordered: Sequence[str]) -> RuleSet:
    """At most so many regions, each with the rule of one attribute."""
    steps = np.empty(len(release.cells), dtype=np.int64)
    found = []
    for leaf in tree_leaves(release, ordered, max_leaf_nodes=regions):
        region, inside = _region(release, leaf)
        steps[leaf.members] = inside
        found.append(region)
    return RuleSet(scheme="regions", regions=tuple(found), faithfulness=faithfulness(release, steps))


def _region(release: Release, leaf: Leaf) -> tuple[Region, IntArray]:
    """The region with its rule, and what the rule gives each of its cells, in whole steps."""
    weights = published_weights(release)[0][leaf.members]
    announced = release.announced[leaf.members]
    best: tuple[int, str | None, tuple[Rule, ...], IntArray] | None = None
    for attribute in (None, *release.cells.process.attributes):
        rules, steps = _by_value(release, leaf, None if attribute is None else attribute.name)
        error = exact_dot(weights, abs(steps - announced))
        if best is None or error < best[0]:
            best = error, None if attribute is None else attribute.name, rules, steps
    assert best is not None
    _, name, rules, steps = best
    region = Region(
        condition=leaf.condition, attribute=name, rules=rules, share=share_of(release, leaf.members)
    )
    return region, steps


def _by_value(release: Release, leaf: Leaf, attribute: str | None) -> tuple[tuple[Rule, ...], IntArray]:
    """The announced rate at each value of an attribute, or of all (None), inside a region."""
    if attribute is None:
        rule = replace(rule_of(release, leaf), condition={})
        return (rule,), np.full(len(leaf.members), int(rule.probability.scaleb(release.decimals)))
    column = release.cells.column(attribute)[leaf.members]
    values = release.cells.process.attribute(attribute).values
    rules, steps = [], np.empty(len(leaf.members), dtype=np.int64)
    for code in np.unique(column).tolist():
        part = Leaf(condition={attribute: (values[code],)}, members=leaf.members[column == code])
        rules.append(rule_of(release, part))
        steps[column == code] = int(rules[-1].probability.scaleb(release.decimals))
    return tuple(rules), steps
