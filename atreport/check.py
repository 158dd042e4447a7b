"""Turn a spec into what a compliance officer wants to know before building: β, feasibility, small cells. Writes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from atreport.build import Progress
from atreport.confidential.draft import draft_release
from atreport.confidential.engines import working
from atreport.confidential.protect import protect_groups
from atreport.confidential.table import read_table
from atreport.engine import LOCAL, Engine
from atreport.release import Release, ceiling_on_beta, within_ceiling
from atreport.spec.load import load_spec
from atreport.spec.models import Spec

SMALL_CELL = 10
"""Cells with fewer people than this are pointed out."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CheckResult:
    """What a check found."""

    spec: Spec
    release: Release
    within_ceiling: bool
    small_cells: tuple[int, ...]  # positions of cells with few people

    def group_rows(self) -> list[dict[str, Any]]:
        """Every QID group, the most exposed first."""
        cells, release = self.release.cells, self.release
        people = np.add.reduceat(cells.population, cells.group_starts)
        counts = np.diff(np.append(cells.group_starts, len(cells)))
        public = self.spec.process.of_role("public")
        return [
            {
                "qid": cells.labels(int(cells.group_starts[g]), public),
                "people": int(people[g]),
                "cells": int(counts[g]),
                "prior": float(release.printed(int(release.group_prior[g]))),
                "beta": float(release.printed(int(release.group_beta[g]))),
            }
            for g in np.lexsort((np.arange(len(people)), -release.group_beta)).tolist()
        ]

    def small_cell_rows(self) -> list[dict[str, Any]]:
        """The cells with few people."""
        cells = self.release.cells
        return [
            {**cells.labels(cell, self.spec.process.attributes), "population": int(cells.population[cell])}
            for cell in self.small_cells
        ]


def check(
    spec_path: str | Path, progress: Progress = lambda _stage: None, engine: Engine = LOCAL
) -> CheckResult:
    """Load, solve and certify a spec without writing anything."""
    spec = load_spec(spec_path)
    with working(engine, progress) as workers:
        table, protection = protect_groups(spec, read_table(spec, workers, engine))
        release = draft_release(spec, table, protection, workers.solve).release
    return CheckResult(
        spec=spec,
        release=release,
        within_ceiling=within_ceiling(release.beta, ceiling_on_beta(spec.policy.privacy)),
        small_cells=tuple(np.flatnonzero(release.cells.population < SMALL_CELL).tolist()),
    )
