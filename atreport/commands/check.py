"""Turn a spec into what a compliance officer wants to know before building: β, feasibility, small cells. Writes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from atreport.announcement import Release, ceiling_on_beta, within_ceiling
from atreport.commands.build import Progress
from atreport.confidential.data.engines.opening import working
from atreport.confidential.data.engines.options import LOCAL, Engine
from atreport.confidential.data.table import DecisionTable, read_table
from atreport.confidential.mechanism.draft import draft_release
from atreport.confidential.mechanism.fidelity import float_bounds
from atreport.confidential.mechanism.guard import guard_small_cells
from atreport.confidential.mechanism.protect import protect_groups
from atreport.confidential.mechanism.solver import optimum_of
from atreport.errors import Refused
from atreport.population.band import Closeness
from atreport.population.cells import Cells
from atreport.population.form_groups import form_groups
from atreport.population.small_cells import NOTHING_SMALL, SmallCellAccount
from atreport.spec.load import load_spec
from atreport.spec.models.spec import Spec

SMALL_SHARE = 0.02
"""Categories with a smaller share of all people are pointed out."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CheckResult:
    """What a check found."""

    spec: Spec
    release: Release
    within_ceiling: bool
    cells: Cells  # with the exact numbers of people, whatever is published of them
    refused: str | None = None  # why the policy on small cells would refuse the report
    exact_beta: float | None = None  # where a law wants exact figures: the β of publishing them

    @property
    def publishable(self) -> bool:
        """Whether a build would publish."""
        return self.within_ceiling and self.refused is None

    @property
    def small_cell_limit(self) -> int:
        """Cells with fewer people than this are small."""
        return self.spec.policy.small_cells.under

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
        return [
            {
                **self.cells.labels(cell, self.cells.process.attributes),
                "population": int(self.cells.population[cell]),
            }
            for cell in np.flatnonzero(self.cells.population < self.small_cell_limit).tolist()
        ]

    def certain_cell_rows(self) -> list[dict[str, Any]]:
        """The cells whose announced rule tells everybody's outcome: a probability of exactly 0 or 1."""
        release = self.release
        certain = (release.mapping == release.scale).any(axis=1)
        outcomes = release.cells.process.outcome.values
        return [
            {
                **release.cells.labels(cell, release.cells.process.attributes),
                "outcome": outcomes[int(release.mapping[cell].argmax())],
            }
            for cell in np.flatnonzero(certain).tolist()
        ]

    def small_share_rows(self) -> list[dict[str, Any]]:
        """The values of attributes, and categories of the form, with under 2 % of all people."""
        total = int(self.cells.population.sum())
        groups = [
            ({a.name: value}, self.cells.column(a.name) == code)
            for a in self.cells.process.attributes
            for code, value in enumerate(a.values)
        ]
        groups += [(g.values, g.cells) for g in form_groups(self.spec.form, self.cells) if len(g.values) > 1]
        shares = [(values, int(self.cells.population[mask].sum()) / total) for values, mask in groups]
        return [{**values, "share": round(share, 6)} for values, share in shares if 0 < share < SMALL_SHARE]


def check(
    spec_path: str | Path, progress: Progress = lambda _stage: None, engine: Engine = LOCAL
) -> CheckResult:
    """Load, solve and certify a spec without writing anything."""
    spec = load_spec(spec_path)
    with working(engine, progress) as workers:
        exact = read_table(spec, workers, engine)
        guarded, account, refused = _guarded(spec, exact)
        table, protection = protect_groups(spec, guarded)
        release = draft_release(spec, table, protection, account, workers.solve).release
    return CheckResult(
        spec=spec,
        release=release,
        within_ceiling=within_ceiling(release.beta, ceiling_on_beta(spec.policy.privacy)),
        cells=exact.cells,
        refused=refused,
        exact_beta=optimum_of(exact, *float_bounds(exact, Closeness(delta=Decimal(1))))
        if spec.form is not None and spec.form.exact_figures_wanted_by is not None
        else None,
    )


def _guarded(spec: Spec, exact: DecisionTable) -> tuple[DecisionTable, SmallCellAccount, str | None]:
    """The guarded table; where the guard refuses, the exact one and why, so that the rest can still be shown."""
    try:
        return *guard_small_cells(spec, exact), None
    except Refused as refusal:
        return exact, NOTHING_SMALL, str(refusal)
