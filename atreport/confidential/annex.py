"""Turn the true table and the release into the confidential annex: what the policy cost and what it is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from typing import Any

import numpy as np

from atreport.band import Closeness
from atreport.confidential.attacks import Attacks
from atreport.confidential.solver import TableSolution
from atreport.confidential.table import DecisionTable
from atreport.public.assessment import Assessment
from atreport.public.fairness import assess
from atreport.release import Release
from atreport.spec.models import PublicSpec

TRUE_DECIMALS = 9
"""How precisely the annex states true figures."""

TERM_NAMES = {
    "favourable": "favourable outcome (β1)",
    "unfavourable": "unfavourable outcome (β0)",
    "both": "both outcomes together (βp)",
    "prior": "known before any report (βmin)",
}


@dataclass(frozen=True, kw_only=True)
class AnnexGroup:
    """One QID group: its optimum and how each adversary fares against it."""

    qid: Mapping[str, str]
    people: int
    cells: int
    prior: float
    beta: float  # as printed in the report
    optimum: float  # β*, before rounding to printed figures
    true_confidence: float  # C*: what publishing the true rule would have allowed
    terms: Mapping[str, float]
    binding: tuple[str, ...]
    band_aware: float
    worst_consistent: float
    unique: bool
    cells_at_edge: int
    largest_distortion: float
    mean_distortion: float


@dataclass(frozen=True, kw_only=True)
class AnnexCell:
    """One cell: what is true and what is announced."""

    values: Mapping[str, str]
    people: int
    true: float
    announced: float

    @property
    def change(self) -> float:
        """Announced minus true."""
        return round(self.announced - self.true, TRUE_DECIMALS)


@dataclass(frozen=True, kw_only=True)
class AnnexMeasure:
    """One fairness measure: its true value beside what the report says."""

    measure: str
    groups: tuple[str, str] | None
    given: Mapping[str, str] | None
    true: float | None
    value: float | None
    interval: tuple[float, float] | None
    verdict: str | None


@dataclass(frozen=True, kw_only=True)
class Annex:
    """The whole annex. Not for publication."""

    spec: PublicSpec
    groups: tuple[AnnexGroup, ...]
    cells: tuple[AnnexCell, ...]
    measures: tuple[AnnexMeasure, ...]
    beta: float
    largest_distortion: float


def make_annex(
    spec: PublicSpec,
    table: DecisionTable,
    solution: TableSolution,
    attacks: Attacks,
    release: Release,
    assessments: Sequence[Assessment],
) -> Annex:
    """Everything a compliance officer should see before signing, and nobody else."""
    cells = table.cells
    moved = np.abs(release.announced / release.scale - table.favourable)
    people = np.add.reduceat(cells.population, cells.group_starts)
    mean_moved = np.add.reduceat(moved * cells.population, cells.group_starts) / people
    most_moved = np.maximum.reduceat(moved, cells.group_starts)
    counts = np.diff(np.append(cells.group_starts, len(cells)))
    terms = {name: getattr(solution.terms, name) for name in TERM_NAMES}
    public = spec.process.of_role("public")
    groups = tuple(
        AnnexGroup(
            qid=cells.labels(int(start), public),
            people=int(people[g]),
            cells=int(counts[g]),
            prior=float(release.printed(int(release.group_prior[g]))),
            beta=float(release.printed(int(release.group_beta[g]))),
            optimum=_true(solution.terms.optimum[g]),
            true_confidence=_true(attacks.true[g]),
            terms={name: _true(values[g]) for name, values in terms.items()},
            binding=tuple(n for n, values in terms.items() if values[g] >= solution.terms.optimum[g] - 1e-12),
            band_aware=_true(attacks.band_aware[g]),
            worst_consistent=_true(attacks.worst_consistent[g]),
            unique=bool(attacks.unique[g]),
            cells_at_edge=int(attacks.cells_at_edge[g]),
            largest_distortion=_true(most_moved[g]),
            mean_distortion=_true(mean_moved[g]),
        )
        for g, start in enumerate(cells.group_starts)
    )
    return Annex(
        spec=spec,
        groups=groups,
        cells=tuple(
            AnnexCell(
                values=cells.labels(cell, spec.process.attributes),
                people=int(cells.population[cell]),
                true=_true(table.favourable[cell]),
                announced=float(release.printed(int(release.announced[cell]))),
            )
            for cell in range(len(cells))
        ),
        measures=_measures(spec, table, release, assessments),
        beta=float(release.beta),
        largest_distortion=_true(moved.max()),
    )


def _measures(
    spec: PublicSpec, table: DecisionTable, release: Release, assessments: Sequence[Assessment]
) -> tuple[AnnexMeasure, ...]:
    """Each measure with its true value: the same calculation on the true mapping, as if that had been announced."""
    negligent = replace(
        release,
        announced=np.rint(table.favourable * 10**TRUE_DECIMALS).astype(np.int64),
        decimals=TRUE_DECIMALS,
        fidelity=Closeness(delta=Decimal(1)),
        population="counts",
    )
    truths, _ = assess(negligent, spec)
    return tuple(
        AnnexMeasure(
            measure=said.measure,
            groups=said.groups,
            given=said.given,
            true=float(true.result.value) if true.result else None,
            value=float(said.result.value) if said.result else None,
            interval=(float(said.result.low), float(said.result.high)) if said.result else None,
            verdict=said.verdict,
        )
        for true, said in zip(truths, assessments, strict=True)
    )


def annex_json(annex: Annex) -> dict[str, Any]:
    """The annex as plain data."""
    return {
        "format": "atreport-annex/1",
        "classification": "confidential: not for publication",
        "report": annex.spec.report.model_dump(mode="json", exclude_none=True),
        "beta": annex.beta,
        "largest_distortion": annex.largest_distortion,
        "groups": [asdict(group) for group in annex.groups],
        "cells": [
            {**cell.values, "population": cell.people, "true": cell.true, "announced": cell.announced}
            for cell in annex.cells
        ],
        "fairness": [asdict(measure) for measure in annex.measures],
    }


def _true(number: Any) -> float:
    return round(float(number), TRUE_DECIMALS)
