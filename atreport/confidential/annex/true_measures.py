"""Turn the true table into its fairness measures, each beside what the report says of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

import numpy as np

from atreport.analysis.assessment import Assessment
from atreport.analysis.fairness import assess
from atreport.announcement import Release, rounded_mappings
from atreport.confidential.annex.chance import Chance, chance_of
from atreport.confidential.annex.settling import settling_fidelities
from atreport.confidential.data.table import DecisionTable
from atreport.population.band import Closeness
from atreport.population.cells import IntArray
from atreport.spec.models.measures import Measure
from atreport.spec.models.spec import PublicSpec

TRUE_DECIMALS = 9
"""How precisely the annex states true figures."""


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
    true_rates: Mapping[str, float] = field(default_factory=dict)  # favourable, by group
    threshold: float | None = None
    true_verdict: str | None = None
    settled_at: Mapping[str, float] | None = (
        None  # fidelity that would settle a verdict; {}: none; None: not sought
    )
    chance: Chance | None = None  # where the rule was estimated from records


def true_measures(
    spec: PublicSpec, table: DecisionTable, release: Release, assessments: Sequence[Assessment]
) -> tuple[AnnexMeasure, ...]:
    """Each measure with its true value: the same calculation on the true mapping, as if that had been announced."""
    truth = replace(
        release,
        mapping=_printed_truth(table),
        decimals=TRUE_DECIMALS,
        fidelity=Closeness(delta=Decimal(1)),
        population="withheld",
    )
    found: list[AnnexMeasure] = []
    for measure in spec.fairness:
        truths, _ = assess(truth, spec.model_copy(update={"fairness": (measure,)}), unknown=False)
        said = assessments[len(found) : len(found) + len(truths)]
        found += _beside(truth, spec, measure, truths, said, release.fidelity)
    return tuple(found)


def _beside(
    truth: Release,
    spec: PublicSpec,
    measure: Measure,
    truths: Sequence[Assessment],
    announced: Sequence[Assessment],
    fidelity: object,
) -> list[AnnexMeasure]:
    undecided = [index for index, said in enumerate(announced) if said.verdict == "cannot_tell"]
    relative = isinstance(fidelity, Closeness) and fidelity.alpha is not None
    settled = settling_fidelities(truth, spec, measure, undecided, relative=relative)
    outcomes = len(spec.process.outcome.values)
    estimated = spec.process.estimated_from is not None
    return [
        AnnexMeasure(
            measure=said.measure,
            groups=said.groups,
            given=said.given,
            true=float(true.result.value) if true.result else None,
            value=float(said.result.value) if said.result else None,
            interval=(float(said.result.low), float(said.result.high)) if said.result else None,
            verdict=said.verdict,
            true_rates={rate.group: float(rate.rate.value) for rate in true.rates},
            threshold=None if said.threshold is None else float(said.threshold),
            true_verdict=true.verdict,
            settled_at=_settled_at(settled[index], relative=relative) if index in settled else None,
            chance=chance_of(true, outcomes) if estimated else None,
        )
        for index, (true, said) in enumerate(zip(truths, announced, strict=True))
    ]


def _settled_at(fidelity: Decimal | None, *, relative: bool) -> dict[str, float]:
    return {} if fidelity is None else {"alpha" if relative else "delta": float(fidelity)}


def _printed_truth(table: DecisionTable) -> IntArray:
    """The true mapping in steps of the annex's precision, every cell's outcomes making one."""
    whole = np.full(table.probability.shape, 10**TRUE_DECIMALS, dtype=np.int64)
    place = table.favourable_place
    return next(rounded_mappings([table.probability], 0 * whole, whole, 10**TRUE_DECIMALS, place))
