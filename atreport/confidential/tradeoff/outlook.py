"""What the report would say at other fidelities: β of every mechanism, and every fairness verdict. Confidential."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from atreport.analysis.measures import measure_all
from atreport.announcement import Announcement
from atreport.confidential.data.table import DecisionTable
from atreport.confidential.mechanism import MECHANISMS
from atreport.confidential.mechanism.draft import draft_at
from atreport.errors import PolicyCannotBeMet
from atreport.population.band import Closeness
from atreport.publication.fairness import print_assessments
from atreport.report.fairness import Assessment
from atreport.report.figures import Verdict
from atreport.spec.models.policy import Mechanism
from atreport.spec.models.spec import PublicSpec, Spec

FIDELITIES = tuple(map(Decimal, ("1", "0.99", "0.98", "0.95", "0.9", "0.85", "0.8", "0.7", "0.5")))
"""The fidelities that are tried."""

MOST_CELLS = 2_000
"""Larger tables get no outlook: every fidelity is a whole draft."""


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """The report at one fidelity."""

    fidelity: Closeness
    beta: float  # as it would be printed, with the optimal mechanism
    others: Mapping[Mechanism, float | None]  # with each other mechanism; None where it is not possible
    mean_change: float  # of a probability under the optimal mechanism, weighted by people
    verdicts: tuple[Verdict | None, ...]  # one for each comparison, in the report's order

    @property
    def number(self) -> Decimal:
        """The delta or alpha itself."""
        number = self.fidelity.delta if self.fidelity.delta is not None else self.fidelity.alpha
        assert number is not None
        return number

    def count(self, verdict: Verdict) -> int:
        """How many comparisons have this verdict."""
        return sum(found == verdict for found in self.verdicts)


def outlooks(
    spec: Spec, public: PublicSpec, table: DecisionTable, *, relative: bool, more: Sequence[Decimal] = ()
) -> tuple[Outlook, ...]:
    """The report at each of the fidelities (alphas where `relative`, else deltas), the highest first."""
    if len(table.cells) > MOST_CELLS:
        return ()
    found = []
    for number in sorted({*FIDELITIES, *more}, reverse=True):
        closeness = Closeness(alpha=number) if relative else Closeness(delta=number)
        announcement = _announcement_at(spec, table, closeness, "optimal")
        if announcement is None:
            continue
        moved = np.abs(announcement.mapping / announcement.scale - table.probability).max(axis=1)
        measured, _ = measure_all(announcement.rule, public.fairness, unknown=False)
        assessments = print_assessments(announcement.rule, measured)
        found.append(
            Outlook(
                fidelity=closeness,
                beta=float(announcement.beta),
                others=_with_others(spec, table, announcement),
                mean_change=float((moved * table.cells.population).sum() / table.cells.population.sum()),
                verdicts=tuple(assessment.verdict for assessment in assessments),
            )
        )
    return tuple(found)


def _with_others(
    spec: Spec, table: DecisionTable, announcement: Announcement
) -> dict[Mechanism, float | None]:
    """β of every mechanism but the optimal one, at the fidelity of an announcement."""
    closeness, outcomes = announcement.fidelity, announcement.mapping.shape[1]
    assert isinstance(closeness, Closeness)
    found: dict[Mechanism, float | None] = {}
    for name, way in MECHANISMS.items():
        if name == "optimal":
            continue
        possible = way.is_possible(closeness, announcement.scale, outcomes)
        drafted = _announcement_at(spec, table, closeness, name) if possible else None
        found[name] = None if drafted is None else float(drafted.beta)
    return found


def _announcement_at(
    spec: Spec, table: DecisionTable, closeness: Closeness, mechanism: Mechanism
) -> Announcement | None:
    policy = spec.policy.model_copy(update={"mechanism": mechanism})
    try:
        return draft_at(spec.model_copy(update={"policy": policy}), table, closeness, None).announcement
    except PolicyCannotBeMet:  # nothing this close to the truth can be printed
        return None


@dataclass(frozen=True, kw_only=True)
class VerdictRange:
    """One comparison with a threshold: its verdict from one fidelity to another."""

    assessment: Assessment
    ranges: tuple[tuple[Decimal, Decimal, Verdict], ...]  # highest fidelity, lowest fidelity, verdict


def verdict_ranges(assessments: Sequence[Assessment], found: Sequence[Outlook]) -> tuple[VerdictRange, ...]:
    """The verdicts of every comparison along the curve, neighbouring equal ones as one."""
    result = []
    for place, assessment in enumerate(assessments):
        ranges: list[tuple[Decimal, Decimal, Verdict]] = []
        for outlook in found:
            verdict = outlook.verdicts[place]
            if verdict is None:
                continue
            if ranges and ranges[-1][2] == verdict:
                ranges[-1] = (ranges[-1][0], outlook.number, verdict)
            else:
                ranges.append((outlook.number, outlook.number, verdict))
        if ranges:
            result.append(VerdictRange(assessment=assessment, ranges=tuple(ranges)))
    return tuple(result)
