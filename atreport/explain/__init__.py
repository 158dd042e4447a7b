"""How a rule works: rules, influence and dependence, one module a method, listed here in the report's order.

A module of a method has ``explain(question)``, which yields what it found for the subject of the question; one whose
figures are weighted sums of the cells' probabilities also has ``weighted_sum(cells, weights, influence)``, the weights.
A module is imported when its method is asked for: some need scikit-learn, which takes long to import, and most reports
do without.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from atreport.core.cells import Cells, IntArray
from atreport.core.rule_table import RuleTable
from atreport.explain.explanation import (
    EmptyGroup,
    Explanation,
    Influence,
    Progress,
    Question,
    RuleSet,
    anchored_records,
    curved_attributes,
    quantities,
    records,
    the_rule,
)
from atreport.explain.interventions import WeightedSum
from atreport.report.explanation import Kind, Scheme
from atreport.spec.transparency import Transparency


@dataclass(frozen=True, kw_only=True)
class Method:
    """One way to explain a rule."""

    kind: Kind | Scheme
    module: str  # of this package
    is_asked: Callable[[Transparency], bool]
    is_weighted_sum: bool = False  # its figures are weighted sums of the cells' probabilities
    weighs_people: bool = True  # otherwise it speaks of cells alone, and holds however people are counted

    def explain(self, question: Question) -> Iterable[Any]:
        """What it finds: sets of rules, or influences."""
        found: Iterable[Any] = self._import().explain(question)
        return found

    def weighted_sum(self, cells: Cells, weights: IntArray, influence: Influence) -> WeightedSum | None:
        """The weights of the cells' probabilities in one of its figures; None where it is no such sum."""
        weighted: WeightedSum | None = (
            self._import().weighted_sum(cells, weights, influence) if self.is_weighted_sum else None
        )
        return weighted

    def _import(self) -> Any:
        return import_module(f"{__name__}.{self.module}")


@dataclass(frozen=True)
class Family:
    """Methods that explain the same subjects: all of them on one subject, then all of them on the next."""

    subjects: Callable[[RuleTable, Transparency], Iterable[Any]]
    methods: tuple[Method, ...]


def _curve(kind: Kind) -> Method:
    return Method(
        kind=kind,
        module=kind,
        is_asked=lambda asked: asked.dependence is not None and kind in asked.dependence.curves,
        is_weighted_sum=True,
    )


RULES = (
    Family(
        the_rule,
        (
            Method(
                kind="exact",
                module="exact_rules",
                is_asked=lambda asked: asked.rules.exact,
                weighs_people=False,
            ),
            Method(kind="tree", module="tree", is_asked=lambda asked: asked.rules.tree is not None),
            Method(kind="linear", module="linear", is_asked=lambda asked: asked.rules.linear),
            Method(kind="logistic", module="logistic", is_asked=lambda asked: asked.rules.logistic),
            Method(kind="regions", module="regions", is_asked=lambda asked: asked.rules.regions is not None),
        ),
    ),
    Family(
        anchored_records,
        (Method(kind="anchor", module="anchors", is_asked=lambda asked: bool(asked.rules.anchors)),),
    ),
)
"""The rule in other words."""

INFLUENCES = (
    Family(
        the_rule,
        (
            Method(
                kind="permutation",
                module="permutation",
                # where the spec says nothing, the size of the table decides
                is_asked=lambda asked: asked.influence.permutation is not False,
            ),
            Method(kind="firm", module="firm", is_asked=lambda asked: asked.influence.firm),
        ),
    ),
    Family(
        quantities,
        (
            Method(
                kind="qii", module="qii", is_asked=lambda asked: asked.influence.qii, is_weighted_sum=True
            ),
            Method(
                kind="shapley",
                module="shapley",
                is_asked=lambda asked: asked.influence.shapley,
                is_weighted_sum=True,
            ),
        ),
    ),
    Family(
        records,
        (
            Method(
                kind="lime",
                module="local_weights",
                is_asked=lambda asked: bool(asked.influence.local_weights),
                is_weighted_sum=True,
            ),
        ),
    ),
    Family(curved_attributes, (_curve("pdp"), _curve("ice"), _curve("ale"))),
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
    return method.weighted_sum(cells, weights, influence)


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
            question = Question(table=table, asked=asked, subject=subject, progress=progress)
            for method in methods:
                if method.is_asked(asked):
                    yield from method.explain(question)
