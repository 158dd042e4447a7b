"""Turn the true table and the announcement into the confidential annex: what the policy cost and what it is worth."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from atreport.core.band import Closeness, Range
from atreport.core.cells import Cells, IntArray
from atreport.core.certify import Announcement
from atreport.core.rule_table import RuleTable
from atreport.measures import OF_TWO_RATES, measure_one
from atreport.measures.chance import LEVEL, fisher_test, lower_end
from atreport.measures.comparisons import disparity_range
from atreport.measures.feasible_rules import apart
from atreport.measures.measured import Measured
from atreport.private.attacks import LARGE, Audit
from atreport.private.attacks.inversion import Inversion
from atreport.private.attacks.observers import Observers
from atreport.private.data.decision_table import DecisionTable, FloatArray, Leaf
from atreport.private.draft import Draft
from atreport.private.solver.certificate import MOST_CELLS, Certificate, certify_optimum, records_by_group
from atreport.private.solver.objective import TableSolution
from atreport.private.tradeoff import Tradeoff, calculate_trade_off, trade_off_json
from atreport.private.tradeoff.policy_sweep import PolicyResult, along_fidelity, along_rates, policy_sweep
from atreport.private.true_rule import (
    TERM_NAMES,
    TRUE_DECIMALS,
    TrueMeasure,
    TrueRule,
    changes,
    measure_truth,
    rounded,
)
from atreport.report.fairness import Assessment
from atreport.spec.fairness import ErrorRate, ErrorRates, Measure, labels_of
from atreport.spec.spec import PublicSpec, Spec

# Turn the true table into its fairness measures, each beside what the report says of it.

# Whether chance could explain a difference between two groups of recorded cases, from the true counts.
#
# Two customary checks: Fisher's exact test, and whether two more favourable decisions in the less favoured
# group would change the verdict. Both are about small numbers; neither is a legal finding. Confidential,
# since they use true counts.

MORE_PERSONS = 2


@dataclass(frozen=True, kw_only=True)
class Chance:
    """What small numbers may have done to one comparison of two groups."""

    fisher: float  # two-sided p-value: how often chance alone gives counts at least as uneven
    two_more: float | None  # the measure, had two more of the less favoured group been favoured
    two_more_changes: bool | None  # whether that changes the true verdict; None without a threshold


@dataclass(frozen=True)
class Counts:
    """One group of recorded cases."""

    favourable: int
    people: int

    @property
    def rate(self) -> Fraction:
        """The share of favourable decisions."""
        return Fraction(self.favourable, self.people)

    def with_more(self, persons: int) -> Counts:
        """The same group with more of them favoured, as far as there are any."""
        return Counts(min(self.favourable + persons, self.people), self.people)


def chance_of(true: TrueMeasure, outcomes: int) -> Chance | None:
    """Both checks for a measure under the true rule; None where it does not compare two different groups."""
    counts = {
        group: Counts(round(Fraction(rate.value) * rate.people), rate.people)
        for group, rate in true.rates.items()
        if rate.people is not None
    }
    if true.rate is not None:  # the counts of an error rate are those of a part of the group
        return None
    if true.groups is None or true.groups[0] == true.groups[1] or not counts.keys() >= {*true.groups}:
        return None
    first, second = (counts[group] for group in true.groups)
    less_favoured = true.groups[0] if first.rate <= second.rate else true.groups[1]
    with_more = {**counts, less_favoured: counts[less_favoured].with_more(MORE_PERSONS)}
    more = _measured(true, with_more, outcomes)
    changes = None
    if more is not None and true.asked.limit is not None and true.value is not None:
        changes = _holds(true, more) != _holds(true, Fraction(true.value))
    return Chance(
        fisher=fisher_test((first.favourable, first.people), (second.favourable, second.people)),
        two_more=None if more is None else float(more),
        two_more_changes=changes,
    )


def _measured(true: TrueMeasure, counts: dict[str, Counts], outcomes: int) -> Fraction | None:
    """The measure from counts; None where it needs more than the favourable rates."""
    measure = true.asked.measure
    if outcomes > 2 and (true.is_over_outcomes or not true.asked.is_ratio) and measure != "group_disparity":
        return None
    assert true.groups is not None
    first, second = (counts[group].rate for group in true.groups)
    if measure == "group_disparity":
        return disparity_range(_points([c.rate for c in counts.values()])).value
    compared = OF_TWO_RATES[measure]
    value = compared(apart(*_points([first, second]))).value
    if true.is_over_outcomes:
        value = min(value, compared(apart(*_points([1 - first, 1 - second]))).value)
    return value


def _points(rates: Sequence[Fraction]) -> list[Range]:
    return [Range(rate, rate, rate) for rate in rates]


def _holds(true: TrueMeasure, value: Fraction) -> bool:
    assert true.asked.limit is not None
    limit = Fraction(true.asked.limit)
    return value >= limit if true.asked.is_ratio else value <= limit


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
    # fidelity that would settle a verdict; {}: none; None: not sought
    settled_at: Mapping[str, float] | None = None
    chance: Chance | None = None  # where the rule was estimated from records


def true_measures(
    spec: PublicSpec,
    table: DecisionTable,
    announcement: Announcement,
    assessments: Sequence[Assessment],
    raw_table: tuple[DecisionTable, Sequence[Measure]] | None = None,
) -> tuple[AnnexMeasure, ...]:
    """Each measure with its true value: the same calculation on the true rule, as if that had been announced.

    Where values were joined, the truth is that of the data `raw_table`, with what the spec asks in its own values.
    """
    rule = announcement.rule
    if raw_table is not None and spec.process.has_joined(a.name for a in spec.process.attributes):
        return _beside_the_data(TrueRule(raw_table[0]).as_it_is(TRUE_DECIMALS), raw_table[1], assessments)
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
        replace(
            _measure(said, true),
            settled_at=_settled_at(settled[index], relative=relative) if index in settled else None,
            chance=chance_of(true, truth.mapping.shape[1]) if estimated else None,
        )
        for index, (true, said) in enumerate(zip(measured, announced, strict=True))
    ]


def _measure(said: Assessment, true: TrueMeasure | None) -> AnnexMeasure:
    """What the report says of a measure, beside its true value where the data have those groups."""
    return AnnexMeasure(
        measure=said.measure,
        groups=said.groups,
        given=said.given,
        true=None if true is None else _number(true.value),
        value=_number(said.value),
        interval=None if said.interval is None else (float(said.interval[0]), float(said.interval[1])),
        verdict=said.verdict,
        true_rates={group: float(rate.value) for group, rate in true.rates.items()} if true else {},
        threshold=_number(said.threshold),
        true_verdict=None if true is None else true.verdict,
        rate=said.rate,
    )


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
        _measure(said, true.get((said.measure, said.rate, said.groups, _key(said.given))))
        for said in announced
    )


def _key(given: Mapping[str, str] | None) -> tuple[tuple[str, str], ...]:
    return tuple((given or {}).items())


def _number(figure: Decimal | None) -> float | None:
    return None if figure is None else float(figure)


def _settled_at(fidelity: Decimal | None, *, relative: bool) -> dict[str, float]:
    return {} if fidelity is None else {"alpha" if relative else "delta": float(fidelity)}


# What fidelity would settle a verdict that cannot be told from the report. Confidential: the answer depends
# on the truth.
#
# It is the smallest fidelity at which announcing the truth itself would settle the verdict. A report
# announces something near the truth, so it may settle the verdict a little earlier or a little later.

FIDELITIES = tuple(
    Decimal(steps).scaleb(-decimals)
    for decimals, first, last in ((2, 1, 99), (3, 991, 999), (4, 9991, 9999), (0, 1, 1))
    for steps in range(first, last + 1)
)
"""The fidelities that are tried, ascending: hundredths, then ever finer towards 1."""

MOST_WORK = 10**7
"""Cells times undecided verdicts of a measure, up to which the fidelity is looked for."""


def settling_fidelities(
    truth: RuleTable, asked: Measure, undecided: Sequence[int], *, relative: bool
) -> dict[int, Decimal | None]:
    """For some of a measure's verdicts (by position) the smallest fidelity that settles them; None: none does.

    Nothing is looked for where that would take long (see `MOST_WORK`).
    `truth` is the true rule as if it had been announced. The fidelity is an alpha where `relative`, else a delta.
    Intervals only shrink as fidelity grows, so a verdict once settled stays settled.
    """

    def settled(step: int) -> list[bool]:
        fidelity = FIDELITIES[step]
        closeness = Closeness(alpha=fidelity) if relative else Closeness(delta=fidelity)
        found = measure_truth(replace(truth, fidelity=closeness), asked)
        return [measured.verdict != "cannot_tell" for measured in found]

    worthwhile = 0 < len(undecided) * len(truth.cells) <= MOST_WORK
    return _first_steps(settled, undecided) if worthwhile else {}


def _first_steps(settled: Callable[[int], list[bool]], wanted: Sequence[int]) -> dict[int, Decimal | None]:
    """Bisection for many at once; every step is tried at most once."""
    found: dict[int, Decimal | None] = {}

    def search(of: Sequence[int], low: int, high: int) -> None:
        if not of:
            return
        if low == high:
            found.update(dict.fromkeys(of, FIDELITIES[low]))
            return
        middle = (low + high) // 2
        at_middle = settled(middle)
        search([w for w in of if at_middle[w]], low, middle)
        search([w for w in of if not at_middle[w]], middle + 1, high)

    at_end = settled(len(FIDELITIES) - 1)
    found.update(dict.fromkeys(w for w in wanted if not at_end[w]))
    search([w for w in wanted if at_end[w]], 0, len(FIDELITIES) - 1)
    return found


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
    # where there are several: the least of each, given the worse ones
    attributes: Mapping[str, Mapping[str, float]]
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
    moved = changes(table, announcement)
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
