"""Attack a draft by equations, beside a negligent report that prints the same figures of the true rule. Confidential.

Ways to learn the rule: it is published; it is calculated from the fairness figures and the answer to one data subject,
from the influences and curves that the report prints, or from answers to questions of influence. Each is tried on both
reports.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from atreport.announcement import Release, rounded_mappings
from atreport.confidential.attacks.equations import Equation, Target, UnknownRule, targets_of
from atreport.confidential.attacks.observers import confidence_in
from atreport.confidential.attacks.published_figures import (
    answer_equations,
    explanation_equations,
    fairness_equations,
    influence_equations,
)
from atreport.confidential.data.table import DecisionTable, FloatArray
from atreport.population.band import Closeness
from atreport.population.cells import arrange
from atreport.spec.models.spec import PublicSpec

MOST_CELLS = 24
"""Larger tables are attacked in their most exposed groups only, with figures about those groups alone."""

FOUND = 0.02
"""A cell is found where all rules that agree with the figures lie within this of one another."""


@dataclass(frozen=True, kw_only=True)
class Learnt:
    """What one way of learning the rule gives: the confidence an observer is sure to have, and the cells found."""

    confidence: float
    cells: int
    bounds: tuple[tuple[float, float], ...] = ()  # of the favourable probability of each attacked cell


@dataclass(frozen=True, kw_only=True)
class EquationAttack:
    """One way to learn the rule, tried on a negligent report and on the draft."""

    way: str
    attacked_cells: int
    of_negligent: Learnt
    of_release: Learnt


def attack_by_equations(
    spec: PublicSpec, table: DecisionTable, release: Release, *, closely: bool = True
) -> tuple[EquationAttack, ...]:
    """Every way of learning the rule, tried on both reports.

    Only the published rule is tried where a single group is too large, or where no close look is wanted.
    """
    negligent = negligent_report(table, release)
    published = EquationAttack(
        way="The rule is published",
        attacked_cells=len(release.cells),
        of_negligent=_known_rule(negligent),
        of_release=_known_rule(release),
    )
    part = _attacked_part(release)
    if part is None or not closely:
        return (published,)
    whole = len(part) == len(release.cells)
    releases = (negligent, release) if whole else (_part_of(negligent, part), _part_of(release, part))
    ways: list[tuple[str, Callable[[Release], Sequence[Equation]]]] = []
    if whole and spec.fairness:
        ways.append(
            (
                "Fairness figures, and the answer to one data subject in each group",
                lambda printed: [*fairness_equations(printed, spec), *answer_equations(printed)],
            )
        )
    if whole and (spec.transparency.influence.quantities or spec.transparency.dependence):
        ways.append(
            (
                "Fairness figures, influences and curves of the report",
                lambda printed: [*fairness_equations(printed, spec), *explanation_equations(printed, spec)],
            )
        )
    ways.append(("Answers on the influence of what is not public (QII)", influence_equations))
    return (
        published,
        *(
            EquationAttack(
                way=way,
                attacked_cells=len(part),
                of_negligent=learn(releases[0], equations(releases[0])),
                of_release=learn(releases[1], equations(releases[1])),
            )
            for way, equations in ways
        ),
    )


def learn(printed: Release, equations: Sequence[Equation]) -> Learnt:
    """What the equations give away of the rule that made them."""
    cells = printed.cells
    population = cells.population.astype(np.float64)
    rule = UnknownRule(population, equations)
    favourable = printed.announced / printed.scale
    bounds = [rule.cell(cell) for cell in range(len(cells))]
    sure = surest(rule, targets_of(cells, range(len(cells.group_starts))), population, favourable)
    return Learnt(
        confidence=sure,
        cells=sum(high - low <= FOUND for low, high in bounds),
        bounds=tuple((round(low, 9), round(high, 9)) for low, high in bounds),
    )


def surest(
    rule: UnknownRule, targets: Sequence[Target], population: FloatArray, favourable: FloatArray
) -> float:
    """The largest confidence that an adversary is sure to have in any target.

    The rule behind the figures agrees with them, so no adversary is surer than that rule makes them: targets are tried in
    that order until none can be better.
    """
    ranked = sorted(((t.confidence(population, favourable), i) for i, t in enumerate(targets)), reverse=True)
    best = 0.0
    for most, index in ranked:
        if most <= best:
            break
        best = max(best, min(most, rule.sure_confidence(targets[index])))
    return best


def _known_rule(printed: Release) -> Learnt:
    confidence = confidence_in(printed.cells, printed.mapping / printed.scale)
    return Learnt(confidence=float(confidence.max()), cells=len(printed.cells))


def negligent_report(table: DecisionTable, release: Release) -> Release:
    """The report as somebody would print it who does not think of privacy: the true rule, to the same decimals."""
    whole = np.full(table.probability.shape, release.scale, dtype=np.int64)
    mapping = next(
        rounded_mappings([table.probability], 0 * whole, whole, release.scale, table.favourable_place)
    )
    return replace(release, mapping=mapping, fidelity=Closeness(delta=Decimal(1)))


def _attacked_part(release: Release) -> list[int] | None:
    """The cells to attack: all of a small table, or the groups with the highest confidence that make a small one."""
    cells = release.cells
    if len(cells) <= MOST_CELLS:
        return list(range(len(cells)))
    sizes = np.diff(np.append(cells.group_starts, len(cells)))
    chosen: list[int] = []
    for group in np.lexsort((-release.group_beta, release.group_prior >= release.scale)).tolist():
        if len(chosen) + sizes[group] <= MOST_CELLS:
            start = int(cells.group_starts[group])
            chosen += range(start, start + int(sizes[group]))
        elif chosen:
            break
    return sorted(chosen) or None


def _part_of(release: Release, part: list[int]) -> Release:
    """Some groups of a release, as if there were no others."""
    cells, _ = arrange(release.cells.process, release.cells.codes[part], release.cells.population[part])
    return replace(release, cells=cells, mapping=release.mapping[part], shares=release.shares[part])
