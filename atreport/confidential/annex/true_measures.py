"""Turn the true table into its fairness measures, each beside what the report says of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from atreport.analysis.measures import Measured, measure_one
from atreport.announcement import Announcement
from atreport.confidential.annex.chance import Chance, chance_of
from atreport.confidential.annex.settling import settling_fidelities
from atreport.confidential.data.table import DecisionTable
from atreport.confidential.true_rule import TRUE_DECIMALS, TrueMeasure, TrueRule, measure_truth
from atreport.population.band import Closeness
from atreport.report.fairness import Assessment
from atreport.rule_table import RuleTable
from atreport.spec.models.measures import ErrorRates, Measure, labels_of
from atreport.spec.models.measures.error_rates import ErrorRate
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
    rate: ErrorRate | None = None  # of error rates: which
    settled_at: Mapping[str, float] | None = (
        None  # fidelity that would settle a verdict; {}: none; None: not sought
    )
    chance: Chance | None = None  # where the rule was estimated from records


def true_measures(
    spec: PublicSpec,
    table: DecisionTable,
    announcement: Announcement,
    assessments: Sequence[Assessment],
    as_read: tuple[DecisionTable, Sequence[Measure]] | None = None,
) -> tuple[AnnexMeasure, ...]:
    """Each measure with its true value: the same calculation on the true rule, as if that had been announced.

    Where values were joined, the truth is that of the data `as_read`, with what the spec asks in its own values.
    """
    rule = announcement.rule
    if as_read is not None and spec.process.has_joined(a.name for a in spec.process.attributes):
        return _beside_the_data(TrueRule(as_read[0]).as_it_is(TRUE_DECIMALS), as_read[1], assessments)
    truth = TrueRule(table).rule_table(TRUE_DECIMALS, like=rule, exact_counts=True)
    relative = isinstance(rule.fidelity, Closeness) and rule.fidelity.alpha is not None
    found: list[AnnexMeasure] = []
    for asked in spec.fairness:
        if isinstance(asked, ErrorRates):  # which ones can be compared depends on whom the rule favours
            number = sum(isinstance(each, Measured) for each in measure_one(rule, asked, unknown=False))
            found += _beside_the_data(truth, [asked], assessments[len(found) : len(found) + number])
            continue
        described = truth.without(labels_of(spec.fairness)) if asked.measure == "individual" else truth
        measured = list(measure_truth(described, asked))
        said = assessments[len(found) : len(found) + len(measured)]
        found += _beside(described, asked, measured, said, relative=relative)
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


def _beside_the_data(
    data: RuleTable, asked: Sequence[Measure], announced: Sequence[Assessment]
) -> tuple[AnnexMeasure, ...]:
    """Each comparison of the report beside that of the same groups in the data, which may be others."""
    true: dict[
        tuple[str, ErrorRate | None, tuple[str, str] | None, tuple[tuple[str, str], ...]], TrueMeasure
    ] = {
        (each.measure, found.rate, found.groups, _key(found.given)): found
        for each in asked
        for found in measure_truth(data, each)
    }
    return tuple(
        AnnexMeasure(
            measure=said.measure,
            groups=said.groups,
            given=said.given,
            true=None if found is None else _number(found.value),
            value=_number(said.value),
            interval=None if said.interval is None else (float(said.interval[0]), float(said.interval[1])),
            verdict=said.verdict,
            true_rates={group: float(rate.value) for group, rate in found.rates.items()} if found else {},
            threshold=_number(said.threshold),
            true_verdict=None if found is None else found.verdict,
            rate=said.rate,
        )
        for said in announced
        for found in [true.get((said.measure, said.rate, said.groups, _key(said.given)))]
    )


def _key(given: Mapping[str, str] | None) -> tuple[tuple[str, str], ...]:
    return tuple((given or {}).items())


def _number(figure: Decimal | None) -> float | None:
    return None if figure is None else float(figure)


def _settled_at(fidelity: Decimal | None, *, relative: bool) -> dict[str, float]:
    return {} if fidelity is None else {"alpha" if relative else "delta": float(fidelity)}
