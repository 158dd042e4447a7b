"""Stage 6, **transparency**: turn a release into rules, influences and curves, as the spec asks for them.

Everything is computed from the announced mapping and the population alone, so it gives away nothing beyond them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from atreport.analysis.explanations.anchors import find_anchor
from atreport.analysis.explanations.dependence import (
    MAX_VALUES,
    accumulated_effects,
    individual_curves,
    partial_dependence,
)
from atreport.analysis.explanations.exact_rules import exact_rules
from atreport.analysis.explanations.figure import Explanation, Influence, RuleSet, cell_of
from atreport.analysis.explanations.importance import firm, permutation_importance
from atreport.analysis.explanations.local_weights import local_weights
from atreport.analysis.explanations.qii import has_people, quantitative_input_influence
from atreport.analysis.explanations.regions import palm_regions
from atreport.analysis.explanations.shapley import shapley_influence
from atreport.analysis.explanations.surrogates import linear_model, logistic_model, surrogate_tree
from atreport.announcement import Release
from atreport.spec.models.spec import PublicSpec

Progress = Callable[[str], None]
"""Called with the name of the stage, and how much of it is done where it takes long."""


MAX_UNASKED = 20_000
"""The largest table for which importance is worked out without being asked for: a build should not wait for it."""


def explain_rule(release: Release, spec: PublicSpec, progress: Progress = lambda _stage: None) -> Explanation:
    """Every transparency scheme the spec asks for, in the order of the report.

    Where counts are rounded or suppressed only the rule itself is spelt out: everything else weighs cells by their people,
    and its certified intervals would not hold for the people who are there.
    """
    if not release.small_cells.is_exact:
        exact = exact_rules(release) if spec.transparency.rules.exact else None
        return Explanation(rules=() if exact is None else (exact,), influence=(), nobody=())
    nobody: list[str] = []
    rules = tuple(_rules(release, spec, nobody))
    influence = influence_figures(release, spec, nobody, progress)
    return Explanation(rules=rules, influence=influence, nobody=tuple(nobody))


def influence_figures(
    release: Release, spec: PublicSpec, nobody: list[str], progress: Progress = lambda _stage: None
) -> tuple[Influence, ...]:
    """Influences and curves; what nobody has is added to `nobody`."""
    return (*_influence(release, spec, nobody, progress), *_dependence(release, spec))


def _rules(release: Release, spec: PublicSpec, nobody: list[str]) -> Iterator[RuleSet]:
    wanted, ordered = spec.transparency.rules, spec.transparency.ordered
    if wanted.exact and (exact := exact_rules(release)) is not None:
        yield exact
    if wanted.tree is not None:
        yield surrogate_tree(release, wanted.tree, ordered)
    if wanted.linear:
        yield linear_model(release)
    if wanted.logistic:
        yield logistic_model(release)
    if wanted.regions is not None:
        yield palm_regions(release, wanted.regions, ordered)
    for anchor in wanted.anchors:
        found = find_anchor(release, anchor.record, anchor.precision)
        if found is None:
            nobody.append(_named(anchor.record))
        else:
            yield found


def _influence(
    release: Release, spec: PublicSpec, nobody: list[str], progress: Progress
) -> Iterator[Influence]:
    wanted = spec.transparency.influence
    names = [attribute.name for attribute in spec.process.attributes]
    unasked = len(release.cells) <= MAX_UNASKED
    if unasked if wanted.permutation is None else wanted.permutation:
        yield from (permutation_importance(release, name) for name in names)
    if wanted.firm:
        yield from (firm(release, name) for name in names)
    for quantity in wanted.quantities:
        if not has_people(release.cells, quantity):
            nobody.append(quantity.title)
            continue
        if wanted.qii:
            yield from quantitative_input_influence(
                release, quantity, [*((name,) for name in names), *wanted.sets]
            )
        if wanted.shapley:
            yield from shapley_influence(release, quantity, wanted.samples, _percent(progress))
    for record in wanted.local_weights:
        if cell_of(release.cells, record) is None:
            nobody.append(_named(record))
        else:
            yield from local_weights(release, record)


def _dependence(release: Release, spec: PublicSpec) -> Iterator[Influence]:
    wanted = spec.transparency.dependence
    if wanted is None:
        return
    curves = {"pdp": partial_dependence, "ice": individual_curves, "ale": accumulated_effects}
    few = [a.name for a in spec.process.attributes if len(a.values) <= MAX_VALUES]
    for name in wanted.attributes or few:
        for curve in curves:
            if curve in wanted.curves:
                yield from curves[curve](release, name)


def _named(record: Mapping[str, str]) -> str:
    return " · ".join(record.values())


def _percent(progress: Progress) -> Callable[[float], None]:
    """Tell of every twentieth of the work."""
    told = 0

    def tell(share: float) -> None:
        nonlocal told
        if int(share * 20) > told:
            told = int(share * 20)
            progress(f"transparency {told * 5}%")

    return tell
