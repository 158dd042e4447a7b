"""Attack a draft by equations, beside a negligent report that prints the same figures of the true rule. Confidential.

Ways to learn the rule: it is published; it is calculated from the fairness figures and the answer to one data subject,
from the influences and curves that the report prints, or from answers to questions of influence. Each is tried on both
reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from atreport.announcement import Announcement
from atreport.confidential.attacks.equations import Equation, Target, UnknownRule, targets_of
from atreport.confidential.attacks.finding import Case, Part
from atreport.confidential.attacks.observers import confidence_in
from atreport.confidential.attacks.published_figures import (
    answer_equations,
    explanation_equations,
    fairness_equations,
    influence_equations,
    promise_equations,
)
from atreport.confidential.data.table import DecisionTable, FloatArray
from atreport.confidential.true_rule import TrueRule
from atreport.confidential.words import out_of, share
from atreport.kit.tables import Column, Shown, Space, tabulate
from atreport.population.cells import arrange
from atreport.rule_table import CellBounds, RuleTable
from atreport.spec.models.measures import labels_of
from atreport.spec.models.spec import PublicSpec

MOST_CELLS = 24
"""Larger tables are attacked in their most exposed groups only, with figures about those groups alone."""

TOLERANCE = 1e-6
"""How far linear programs may be off."""

FOUND = 0.02
"""A cell is found where all rules that agree with the figures lie within this of one another."""


Questions = tuple[str, Callable[[RuleTable], Sequence[Equation]]]
"""A way to learn the rule: its name, and the equations that it gives on a printed rule."""

_INFLUENCE: Questions = ("Answers on the influence of what is not public (QII)", influence_equations)

_EXPLAINED = (
    "Each printed figure is an equation on the unknown rule. Together they can give the rule away even where it is not "
    "printed. The left half shows what a negligent report would have allowed, with the same figures of the true rule; the "
    "right half shows the same attack on this draft. A “sure” confidence is one that every rule in agreement with the "
    "figures gives; a cell is found where those rules differ by at most two percentage points."
)


@dataclass(frozen=True, kw_only=True)
class Learnt:
    """What one way of learning the rule gives: the confidence an observer is sure to have, and the cells found."""

    confidence: float
    cells: int
    bounds: tuple[tuple[float, float], ...] = ()  # of the favourable probability of each attacked cell


@dataclass(frozen=True, kw_only=True)
class Way:
    """One way to learn the rule, tried on a negligent report and on the draft."""

    way: str
    attacked_cells: int
    of_negligent: Learnt
    of_release: Learnt


@dataclass(frozen=True, kw_only=True)
class Equations:
    """Every way of learning the rule from printed figures."""

    ways: tuple[Way, ...]
    beta: float  # as printed

    @property
    def exceeding(self) -> int:
        """How many ways give more confidence than the report promises, beyond the tolerance of linear programs."""
        return sum(way.of_release.confidence > self.beta + TOLERANCE for way in self.ways)

    def as_json(self, most: int | None) -> dict[str, Any]:  # noqa: ARG002
        """Every way, with bounds for every attacked cell."""
        return {"equations": [asdict(way) for way in self.ways]}

    def shown(self, space: Space) -> Part:  # noqa: ARG002
        """What can be calculated from printed figures, on a negligent report and on this one."""
        return Part(
            heading="Calculating from printed figures",
            text=_EXPLAINED,
            tables=(
                tabulate(
                    "equations",
                    "Learning the rule from printed figures",
                    [
                        (Column("What is printed", names_row=True), lambda row: row["way"]),
                        *_columns("Of the true rule: sure confidence", "True cells found", "of_negligent"),
                        *_columns(
                            "Of the announced rule: sure confidence", "Announced cells found", "of_release"
                        ),
                    ],
                    [asdict(way) for way in self.ways],
                ),
            ),
        )


def _columns(confidence: str, cells: str, learnt: str) -> tuple[Shown, Shown]:
    """Two columns on what was learnt from one of the two reports."""
    return (
        (Column(confidence, numeric=True), lambda row: share(row[learnt]["confidence"])),
        (Column(cells, numeric=True), lambda row: out_of(row[learnt]["cells"], row["attacked_cells"])),
    )


def attack_by_equations(case: Case) -> Equations:
    """Every way of learning the rule, tried on both reports.

    Only the published rule is tried where a single group is too large, or where no close look is wanted.
    """
    return Equations(ways=_ways(case), beta=float(case.announcement.beta))


def _ways(case: Case) -> tuple[Way, ...]:
    spec, announcement, closely = case.public, case.announcement, case.closely
    negligent, announced = negligent_report(case.table, announcement), announcement.rule
    published = Way(
        way="The rule is published",
        attacked_cells=len(announced.cells),
        of_negligent=_known_rule(negligent),
        of_release=_known_rule(announced),
    )
    part = _attacked_part(announcement)
    if part is None or not closely:
        return (published,)
    if len(part) < len(announced.cells):
        negligent, announced = _part_of(negligent, part), _part_of(announced, part)
        ways = [_INFLUENCE, *_promised(announced)]
    else:
        ways = [*_ways_of_the_report(spec), _INFLUENCE, *_promised(announced)]
    return (
        published,
        *(
            Way(
                way=way,
                attacked_cells=len(part),
                of_negligent=learn(negligent, equations(negligent)),
                of_release=learn(announced, equations(announced)),
            )
            for way, equations in ways
        ),
    )


def _promised(rule: RuleTable) -> Iterator[tuple[str, Callable[[RuleTable], Sequence[Equation]]]]:
    """The way that starts from what a report promises about the true rule, where it keeps rates."""
    if rule.rate_move is not None:
        yield ("The fidelity and the rates of groups that the report keeps", promise_equations)


def _ways_of_the_report(spec: PublicSpec) -> Iterator[Questions]:
    """The ways that use figures about everybody, as the spec asks for them."""
    fairness, transparency = spec.fairness, spec.transparency
    if fairness:
        yield (
            "Fairness figures, and the answer to one data subject in each group",
            lambda printed: [*fairness_equations(printed, fairness), *answer_equations(printed)],
        )
    if transparency.influence.quantities or transparency.dependence:
        yield (
            "Fairness figures, influences and curves of the report",
            lambda printed: [
                *fairness_equations(printed, fairness),
                *explanation_equations(printed, transparency, labels_of(fairness)),
            ],
        )


def learn(printed: RuleTable, equations: Sequence[Equation]) -> Learnt:
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


def _known_rule(printed: RuleTable) -> Learnt:
    confidence = confidence_in(printed.cells, printed.mapping / printed.scale)
    return Learnt(confidence=float(confidence.max()), cells=len(printed.cells))


def negligent_report(table: DecisionTable, announcement: Announcement) -> RuleTable:
    """What somebody would print who does not think of privacy: the true rule, to the same decimals."""
    return TrueRule(table).rule_table(announcement.decimals, like=announcement.rule)


def _attacked_part(announcement: Announcement) -> list[int] | None:
    """The cells to attack: all of a small table, or the groups with the highest confidence that make a small one."""
    cells = announcement.cells
    if len(cells) <= MOST_CELLS:
        return list(range(len(cells)))
    sizes = np.diff(np.append(cells.group_starts, len(cells)))
    chosen: list[int] = []
    for group in np.lexsort(
        (-announcement.group_beta, announcement.group_prior >= announcement.scale)
    ).tolist():
        if len(chosen) + sizes[group] <= MOST_CELLS:
            start = int(cells.group_starts[group])
            chosen += range(start, start + int(sizes[group]))
        elif chosen:
            break
    return sorted(chosen) or None


def _part_of(rule: RuleTable, part: list[int]) -> RuleTable:
    """Some groups, as if there were no others; to ask only about what looks at cells, probabilities and their bands."""
    cells, _ = arrange(rule.cells.process, rule.cells.codes[part], rule.cells.population[part])
    weights = tuple(each[part] for each in rule.weights)
    fidelity = rule.fidelity
    if isinstance(fidelity, CellBounds):
        fidelity = replace(fidelity, lower=fidelity.lower[part], upper=fidelity.upper[part])
    return replace(rule, cells=cells, mapping=rule.mapping[part], weights=weights, fidelity=fidelity)
