"""How a rule works: rules, influence and dependence, one module a method, listed here in the report's order.

A module of a method has ``explain(question)``, which yields what it found for the subject of the question; one whose
figures are weighted sums of the cells' probabilities also has ``weighted_sum(cells, weights, influence)``, the weights.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from atreport.core.cells import Cells, IntArray
from atreport.core.rule_table import RuleTable
from atreport.explain import (
    ale,
    anchors,
    exact_rules,
    firm,
    ice,
    linear,
    local_weights,
    logistic,
    pdp,
    permutation,
    qii,
    regions,
    shapley,
    tree,
)
from atreport.explain.explanation import (
    EmptyGroup,
    Explanation,
    MethodQuestion,
    Progress,
    anchored_records,
    curved_attributes,
    quantities,
    records,
    the_rule,
)
from atreport.explain.interventions import WeightedSum
from atreport.report.explanation import Influence, Kind, RuleSet, Scheme
from atreport.spec.transparency import Transparency


@dataclass(frozen=True)
class Method:
    """One way to explain a rule: what it finds is sets of rules, or influences."""

    kind: Kind | Scheme
    explain: Callable[[MethodQuestion], Iterable[RuleSet | Influence]]
    is_asked: Callable[[Transparency], bool]
    weighted_sum: Callable[[Cells, IntArray, Influence], WeightedSum | None] | None = None
    """Of figures that are such sums: the weights of the cells' probabilities."""
    weighs_people: bool = True  # otherwise it speaks of cells alone, and holds however people are counted


@dataclass(frozen=True)
class Family:
    """Methods that explain the same subjects: all of them on one subject, then all of them on the next."""

    subjects: Callable[[RuleTable, Transparency], Iterable[Any]]
    methods: tuple[Method, ...]


RULES = (
    Family(
        the_rule,
        (
            Method("exact", exact_rules.explain, lambda asked: asked.rules.exact, weighs_people=False),
            Method("tree", tree.explain, lambda asked: asked.rules.tree is not None),
            Method("linear", linear.explain, lambda asked: asked.rules.linear),
            Method("logistic", logistic.explain, lambda asked: asked.rules.logistic),
            Method("regions", regions.explain, lambda asked: asked.rules.regions is not None),
        ),
    ),
    Family(anchored_records, (Method("anchor", anchors.explain, lambda asked: bool(asked.rules.anchors)),)),
)
"""The rule in other words."""

INFLUENCES = (
    Family(
        the_rule,
        (
            # where the spec says nothing, the size of the table decides
            Method(
                "permutation", permutation.explain, lambda asked: asked.influence.permutation is not False
            ),
            Method("firm", firm.explain, lambda asked: asked.influence.firm),
        ),
    ),
    Family(
        quantities,
        (
            Method("qii", qii.explain, lambda asked: asked.influence.qii, qii.weighted_sum),
            Method("shapley", shapley.explain, lambda asked: asked.influence.shapley, shapley.weighted_sum),
        ),
    ),
    Family(
        records,
        (
            Method(
                "lime",
                local_weights.explain,
                lambda asked: bool(asked.influence.local_weights),
                local_weights.weighted_sum,
            ),
        ),
    ),
    Family(
        curved_attributes,
        (
            Method("pdp", pdp.explain, lambda asked: "pdp" in asked.curves, pdp.weighted_sum),
            Method("ice", ice.explain, lambda asked: "ice" in asked.curves, ice.weighted_sum),
            Method("ale", ale.explain, lambda asked: "ale" in asked.curves, ale.weighted_sum),
        ),
    ),
)
"""Influences on outcomes, rates and gaps, and curves along an attribute."""


def explain_rule(
    table: RuleTable, asked: Transparency, progress: Progress = lambda _stage: None
) -> Explanation:
    """Everything the spec asks for, in the order of the report.

    Where counts are rounded or suppressed, or people left out, only the rule itself is spelt out: everything else weighs
    cells by their people, and its certified intervals would not hold for the people who are there.
    """
    rules = list(_findings(RULES, table, asked, progress))
    influences = list(_findings(INFLUENCES, table, asked, progress))
    return Explanation(
        rules=tuple(found for found in rules if isinstance(found, RuleSet)),
        influence=tuple(found for found in influences if isinstance(found, Influence)),
        nobody=tuple(found.name for found in (*rules, *influences) if isinstance(found, EmptyGroup)),
    )


def explain_influence(table: RuleTable, asked: Transparency) -> tuple[Influence, ...]:
    """The influences and curves alone."""
    found = _findings(INFLUENCES, table, asked, lambda _stage: None)
    return tuple(each for each in found if isinstance(each, Influence))


def weighted_sum(cells: Cells, weights: IntArray, influence: Influence) -> WeightedSum | None:
    """A figure as a weighted sum of the cells' favourable probabilities: to recalculate it, or to attack with it.

    `weights` is the population it is calculated for, as `published_weights` gives it. None where the figure is no such sum.
    """
    (method,) = (m for family in INFLUENCES for m in family.methods if m.kind == influence.kind)
    return None if method.weighted_sum is None else method.weighted_sum(cells, weights, influence)


def _findings(
    families: Sequence[Family], table: RuleTable, asked: Transparency, progress: Progress
) -> Iterator[RuleSet | Influence | EmptyGroup]:
    for family in families:
        all_are_counted = table.small_cells.is_exact and not table.cells.left_out
        methods = [m for m in family.methods if all_are_counted or not m.weighs_people]
        if not methods:
            continue
        for subject in family.subjects(table, asked):
            if isinstance(subject, EmptyGroup):
                yield subject
                continue
            question = MethodQuestion(table=table, asked=asked, subject=subject, progress=progress)
            for method in methods:
                if method.is_asked(asked):
                    yield from method.explain(question)
