"""Turn the true table and the announcement into the confidential annex: what the policy cost and what it is worth."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from atreport.core.band import Closeness
from atreport.core.cells import Cells, IntArray
from atreport.core.certify import Announcement
from atreport.measures.chance import LEVEL, lower_end
from atreport.private.annex.true_measures import AnnexMeasure, true_measures
from atreport.private.attacks import LARGE, Audit
from atreport.private.attacks.inversion import Inversion
from atreport.private.attacks.observers import Observers
from atreport.private.data.decision_table import DecisionTable, FloatArray, Leaf
from atreport.private.draft import Draft
from atreport.private.solver.certificate import MOST_CELLS, Certificate, certify_optimum, records_by_group
from atreport.private.solver.objective import TableSolution
from atreport.private.tradeoff import Tradeoff, calculate_trade_off, trade_off_json
from atreport.private.tradeoff.policy_sweep import PolicyResult, along_fidelity, along_rates, policy_sweep
from atreport.private.true_rule import TERM_NAMES, TRUE_DECIMALS, rounded
from atreport.report.fairness import Assessment
from atreport.spec.spec import PublicSpec, Spec

# Turn the records behind an estimated rule into its part of the annex. Confidential: true counts.

_SCALE = 10**TRUE_DECIMALS


@dataclass(frozen=True, kw_only=True)
class AnnexCases:
    """The recorded decisions of one cell."""

    values: Mapping[str, str]
    cases: int
    favourable: int
    share: float
    interval: tuple[float, float]  # exact binomial (Clopper-Pearson), 95%

    @property
    def width(self) -> float:
        """How wide the interval is."""
        return self.interval[1] - self.interval[0]


@dataclass(frozen=True, kw_only=True)
class AnnexEstimate:
    """What the annex adds where the rule was estimated from records."""

    cells: tuple[AnnexCases, ...]
    leaves: tuple[Leaf, ...]

    def as_json(self) -> dict[str, Any]:
        """The entry of annex.json."""
        cells = [
            {
                **each.values,
                "cases": each.cases,
                "favourable": each.favourable,
                "interval": list(each.interval),
            }
            for each in self.cells
        ]
        return {"estimate": {"cells": cells, "leaves": [asdict(leaf) for leaf in self.leaves]}}


def annex_estimate(table: DecisionTable) -> AnnexEstimate | None:
    """The recorded decisions by cell, and the decision regions of a tree; None where the rule was given."""
    if table.estimation is None:
        return None
    cells: tuple[AnnexCases, ...] = ()
    if table.cases is not None:
        favourable, total = table.cases[:, table.favourable_place], table.cases.sum(axis=1)
        cells = tuple(
            AnnexCases(
                values=values,
                cases=cases,
                favourable=granted,
                share=round(granted / cases, TRUE_DECIMALS),
                interval=(math.floor(low * _SCALE) / _SCALE, math.ceil(high * _SCALE) / _SCALE),
            )
            for values, cases, granted, (low, high) in zip(
                table.cells.all_labels(table.cells.process.attributes),
                total.tolist(),
                favourable.tolist(),
                exact_intervals(favourable, total),
                strict=True,
            )
        )
    return AnnexEstimate(cells=cells, leaves=table.leaves)


def exact_intervals(favourable: IntArray, cases: IntArray) -> list[tuple[float, float]]:
    """The exact binomial interval (Clopper-Pearson, 95%) of each cell's favourable share; never too narrow."""
    half = float(1 - LEVEL) / 2
    low, high = lower_end(favourable, cases, half), 1 - lower_end(cases - favourable, cases, half)
    return list(zip(low.tolist(), high.tolist(), strict=True))


MOST_CURVES = 4
"""So many groups have their own curve in the annex of a table that is not large; ``atreport tradeoff`` shows more."""


@dataclass(frozen=True, kw_only=True)
class AnnexGroup:
    """One QID group: its optimum and how each adversary fares against it."""

    qid: Mapping[str, str]
    people: int
    cells: int
    prior: float
    beta: float  # as printed in the report
    optimum: float  # β*, before rounding to printed figures
    proven: float  # a proven lower limit on β*; equal to it where the closed form applies
    attributes: Mapping[
        str, Mapping[str, float]
    ]  # where there are several: the least of each, given the worse ones
    exact_optimum: str | None  # β* as a fraction, from the certificate of optimality
    true_confidence: float  # C*: what publishing the true rule would have allowed
    terms: Mapping[str, float]
    binding: tuple[str, ...]
    band_aware: float
    worst_consistent: float
    inverting: float  # knows the mechanism
    unique: bool | None  # one mapping only is optimal; None: not known, or another mechanism
    cells_attacked: int  # for how many cells running the mechanism backwards was tried
    cells_read_back: int  # and for how many it gave the true value
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
        return rounded(self.announced - self.true)


@dataclass(frozen=True, kw_only=True)
class Annex:
    """The whole annex. Not for publication."""

    spec: PublicSpec
    groups: tuple[AnnexGroup, ...]
    cells: tuple[AnnexCell, ...]
    measures: tuple[AnnexMeasure, ...]
    beta: float
    largest_distortion: float
    announcement: Announcement
    assessments: tuple[Assessment, ...]
    audit: Audit
    trade_off: Tradeoff | None  # None: no closed form, or groups too large for exact curves
    outlooks: tuple[PolicyResult, ...]  # empty: the table is too large
    rate_outlooks: tuple[PolicyResult, ...]
    estimate: AnnexEstimate | None = None  # where the rule was estimated from records


def make_annex(
    spec: Spec,
    public: PublicSpec,
    table: DecisionTable,
    draft: Draft,
    audit: Audit,
    assessments: Sequence[Assessment],
    raw_table: DecisionTable | None = None,
    told: Callable[[int, int], None] = lambda _done, _of: None,
) -> Annex:
    """Everything a compliance officer should see before signing, and nobody else.

    `raw_table` are the data before values were joined, where they were: true measures are taken from them.
    `told` is called with how many other policies were tried, of how many.
    """
    announcement = draft.announcement
    moved = np.abs(announcement.mapping / announcement.scale - table.probability).max(axis=1)
    relative = isinstance(announcement.fidelity, Closeness) and announcement.fidelity.alpha is not None
    along = along_fidelity(spec, relative=relative)
    by_rates = along_rates(announcement.fidelity)
    found = policy_sweep(spec, public, table, announcement.rule, [*along, *by_rates], told)
    return Annex(
        spec=public,
        groups=_groups(table, draft, audit, moved),
        cells=_cells(table, announcement),
        measures=true_measures(
            public,
            table,
            announcement,
            assessments,
            None if raw_table is None else (raw_table, spec.fairness),
        ),
        beta=float(announcement.beta),
        largest_distortion=rounded(moved.max()),
        announcement=announcement,
        assessments=tuple(assessments),
        audit=audit,
        trade_off=calculate_trade_off(
            spec, table, most_groups=MOST_CURVES if len(table.cells) <= LARGE else 0
        ),
        outlooks=tuple(found[trial] for trial in along if trial in found),
        rate_outlooks=tuple(found[trial] for trial in by_rates if trial in found),
        estimate=annex_estimate(table),
    )


def _groups(table: DecisionTable, draft: Draft, audit: Audit, moved: FloatArray) -> tuple[AnnexGroup, ...]:
    """Every group; `moved` is how far the probabilities of each cell were changed."""
    cells, announcement, solution = table.cells, draft.announcement, draft.solution
    observers = audit.of(Observers)
    attacked, read_back = audit.of(Inversion).by_group(cells)
    people = np.add.reduceat(cells.population, cells.group_starts)
    mean_moved = np.add.reduceat(moved * cells.population, cells.group_starts) / people
    most_moved = np.maximum.reduceat(moved, cells.group_starts)
    counts = np.diff(np.append(cells.group_starts, len(cells)))
    terms = {name: getattr(solution.terms, name) for name in TERM_NAMES} if solution.terms else {}
    certificates = _certificates(table, solution, announcement)
    known = cells.process.of_role("public")
    optimal = announcement.mechanism == "optimal"
    return tuple(
        AnnexGroup(
            qid=cells.labels(int(start), known),
            people=int(people[g]),
            cells=int(counts[g]),
            prior=float(announcement.printed(int(announcement.group_prior[g]))),
            beta=float(announcement.printed(int(announcement.group_beta[g]))),
            optimum=rounded(solution.optimum[g]),
            proven=rounded(solution.proven[g]),
            attributes=_of_attributes(cells, solution, observers, g),
            exact_optimum=str(certificates[g].value) if certificates else None,
            true_confidence=rounded(observers.true[g]),
            terms={name: rounded(values[g]) for name, values in terms.items()},
            binding=tuple(n for n, values in terms.items() if values[g] >= solution.optimum[g] - 1e-12),
            band_aware=rounded(observers.band_aware[g]),
            worst_consistent=rounded(observers.worst_consistent[g]),
            inverting=rounded(observers.inverting[g]),
            unique=bool(solution.unique[g]) if optimal and solution.unique is not None else None,
            cells_attacked=int(attacked[g]),
            cells_read_back=int(read_back[g]),
            largest_distortion=rounded(most_moved[g]),
            mean_distortion=rounded(mean_moved[g]),
        )
        for g, start in enumerate(cells.group_starts)
    )


def _of_attributes(
    cells: Cells, solution: TableSolution, observers: Observers, group: int
) -> dict[str, dict[str, float]]:
    """The least confidence and lift of each sensitive attribute of a group, and what stronger observers reach.

    Empty where there is one attribute: the figures of the group are then its own.
    """
    beta, lift = solution.attribute_beta, solution.attribute_lift
    if beta is None or lift is None or len(cells.protected) == 1:
        return {}
    return {
        protected.attribute: {
            "optimum": rounded(beta[group, j]),
            "lift": rounded(lift[group, j]),
            **{name: rounded(found[group, j]) for name, found in observers.of_attributes.items()},
        }
        for j, protected in enumerate(cells.protected)
    }


def _cells(table: DecisionTable, announcement: Announcement) -> tuple[AnnexCell, ...]:
    cells = table.cells
    return tuple(
        AnnexCell(
            values=values, people=people, true=rounded(true), announced=float(announcement.printed(announced))
        )
        for values, people, true, announced in zip(
            cells.all_labels(cells.process.attributes),
            cells.population.tolist(),
            table.favourable.tolist(),
            announcement.announced.tolist(),
            strict=True,
        )
    )


def _certificates(
    table: DecisionTable, solution: TableSolution, announcement: Announcement
) -> list[Certificate]:
    """Certificates of optimality for every group, where the closed form applies and the table is not too large."""
    if solution.terms is None or len(table.cells) > MOST_CELLS:
        return []
    closeness = announcement.fidelity if isinstance(announcement.fidelity, Closeness) else None
    records = records_by_group(table, closeness)
    return [certify_optimum(solution.terms, g, of_group) for g, of_group in enumerate(records)]


def annex_json(annex: Annex) -> dict[str, Any]:
    """The annex as plain data."""
    return {
        "format": "atreport-annex/1",
        "classification": "confidential: not for publication",
        "report": annex.spec.report.model_dump(mode="json", exclude_none=True),
        "beta": annex.beta,
        "largest_distortion": annex.largest_distortion,
        "groups": [vars(group) for group in annex.groups],
        "cells": [
            {**cell.values, "population": cell.people, "true": cell.true, "announced": cell.announced}
            for cell in annex.cells
        ],
        "fairness": [asdict(measure) for measure in annex.measures],
        "audit": annex.audit.as_json(),
        "trade_off": trade_off_json(
            annex.trade_off, annex.outlooks, annex.rate_outlooks, annex.announcement.cells
        ),
        **(annex.estimate.as_json() if annex.estimate else {}),
    }
