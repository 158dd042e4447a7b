"""Turn the true table into its fairness measures, each beside what the report says of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from atreport.announcement import Announcement
from atreport.confidential.annex.chance import Chance, chance_of
from atreport.confidential.annex.settling import settling_fidelities
from atreport.confidential.data.table import DecisionTable
from atreport.confidential.true_rule import TRUE_DECIMALS, TrueMeasure, TrueRule, measure_truth
from atreport.population.band import Closeness
from atreport.report.fairness import Assessment
from atreport.rule_table import RuleTable
from atreport.spec.models.measures import Measure
from atreport.spec.models.spec import PublicSpec


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
    spec: PublicSpec, table: DecisionTable, announcement: Announcement, assessments: Sequence[Assessment]
) -> tuple[AnnexMeasure, ...]:
    """Each measure with its true value: the same calculation on the true rule, as if that had been announced."""
    rule = announcement.rule
    truth = TrueRule(table).rule_table(TRUE_DECIMALS, like=rule, exact_counts=True)
    relative = isinstance(rule.fidelity, Closeness) and rule.fidelity.alpha is not None
    found: list[AnnexMeasure] = []
    for asked in spec.fairness:
        measured = list(measure_truth(truth, asked))
        said = assessments[len(found) : len(found) + len(measured)]
        found += _beside(truth, asked, measured, said, relative=relative)
    return tuple(found)


def _beside(
    truth: RuleTable,
    asked: Measure,
    measured: Sequence[TrueMeasure],
    announced: Sequence[Assessment],
    *,
    relative: bool,
) -> list[AnnexMeasure]:
    undecided = [index for index, said in enumerate(announced) if said.verdict == "cannot_tell"]
    settled = settling_fidelities(truth, asked, undecided, relative=relative)
    estimated = truth.cells.process.estimated_from is not None
    return [
        AnnexMeasure(
            measure=said.measure,
            groups=said.groups,
            given=said.given,
            true=_number(true.value),
            value=_number(said.value),
            interval=None if said.interval is None else (float(said.interval[0]), float(said.interval[1])),
            verdict=said.verdict,
            true_rates={group: float(rate.value) for group, rate in true.rates.items()},
            threshold=_number(said.threshold),
            true_verdict=true.verdict,
            settled_at=_settled_at(settled[index], relative=relative) if index in settled else None,
            chance=chance_of(true, truth.mapping.shape[1]) if estimated else None,
        )
        for index, (true, said) in enumerate(zip(measured, announced, strict=True))
    ]


def _number(figure: Decimal | None) -> float | None:
    return None if figure is None else float(figure)


def _settled_at(fidelity: Decimal | None, *, relative: bool) -> dict[str, float]:
    return {} if fidelity is None else {"alpha" if relative else "delta": float(fidelity)}
