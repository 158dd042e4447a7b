"""What the report would say under other policies: β, lift and odds, and every fairness verdict. Confidential.

Along fidelity, for every mechanism; and at the policy's own fidelity, along how closely the rates of groups are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from time import perf_counter

import numpy as np

from atreport.analysis.measures import Measured, measure_each
from atreport.announcement import Announcement
from atreport.confidential.data.table import DecisionTable
from atreport.confidential.mechanism import MECHANISMS
from atreport.confidential.mechanism.draft import announcement_at
from atreport.errors import PolicyCannotBeMet
from atreport.kit.worker_process import answer_all, usable_cores
from atreport.population.band import Closeness
from atreport.publication.fairness import verdict_of
from atreport.report.fairness import Assessment
from atreport.report.figures import Verdict
from atreport.rule_table import CellBounds, RuleTable
from atreport.spec.models.policy import Mechanism
from atreport.spec.models.spec import PublicSpec, Spec

FIDELITIES = tuple(map(Decimal, ("1", "0.99", "0.98", "0.95", "0.9", "0.85", "0.8", "0.7", "0.5")))
"""The fidelities that are tried."""

RATES = (None, *map(Decimal, ("0.95", "0.98", "0.99", "1")))
"""How closely the rate of every group is kept: not at all, within so many points, exactly."""

LONG = 0.5
"""Half a second of work is worth the start of further processes."""

MOST_CELLS = 2_000
"""Larger tables get no outlook: every fidelity is a whole draft."""


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """The report at one fidelity."""

    fidelity: Closeness
    rates: Decimal | None  # how closely rates are kept, as it would be published; None: not at all
    beta: float  # as it would be printed, with the optimal mechanism
    lift: float
    odds: float | None  # None: unbounded
    others: Mapping[Mechanism, float | None]  # with each other mechanism; None where it is not possible
    mean_change: float  # of a probability under the optimal mechanism, weighted by people
    verdicts: tuple[
        Verdict | None, ...
    ]  # one for each comparison of the report; None: no threshold, or not to be made

    @property
    def number(self) -> Decimal:
        """The delta or alpha itself."""
        number = self.fidelity.delta if self.fidelity.delta is not None else self.fidelity.alpha
        assert number is not None
        return number

    def count(self, verdict: Verdict) -> int:
        """How many comparisons have this verdict."""
        return sum(found == verdict for found in self.verdicts)


@dataclass(frozen=True)
class Trial:
    """A policy to try: a fidelity, and how closely rates are kept (None: not at all)."""

    fidelity: Closeness
    rates: Decimal | None


def along_fidelity(spec: Spec, *, relative: bool, more: Sequence[Decimal] = ()) -> tuple[Trial, ...]:
    """Each of the fidelities (alphas where `relative`, else deltas), the highest first.

    Rates are kept as the policy says; those that it leaves to the ceilings (best) are not.
    """
    rates = spec.policy.fidelity.rates
    return tuple(
        Trial(
            Closeness(alpha=number) if relative else Closeness(delta=number),
            None if rates == "best" else rates,
        )
        for number in sorted({*FIDELITIES, *more}, reverse=True)
    )


def along_rates(fidelity: Closeness | CellBounds) -> tuple[Trial, ...]:
    """One fidelity, with rates kept more and more closely; none for bounds of each cell's own."""
    return tuple(Trial(fidelity, rates) for rates in RATES) if isinstance(fidelity, Closeness) else ()


def look_ahead(
    spec: Spec,
    public: PublicSpec,
    table: DecisionTable,
    rule: RuleTable,
    trials: Sequence[Trial],
    told: Callable[[int, int], None] = lambda _done, _of: None,
) -> dict[Trial, Outlook]:
    """The report of each trial at which something can be printed; none of a table that is too large.

    `rule` is the one that is announced: another may leave comparisons that it allows without anybody, or allow more.
    Each is made once, however often it is asked for. If the first ones show that the rest will take long, further
    processes make them; the outlooks are the same. `told` is called with how many are done, of how many.
    """
    if len(table.cells) > MOST_CELLS:
        return {}
    made = [isinstance(each, Measured) for each in measure_each(rule, public.fairness, unknown=False)]
    distinct = list(dict.fromkeys(trials))
    found: dict[Trial, Outlook | None] = {}
    begun = perf_counter()
    for trial in distinct:
        found[trial] = _outlook(spec, public, table, made, trial)
        told(len(found), len(distinct))
        took = perf_counter() - begun
        if took > LONG and took / len(found) * (len(distinct) - len(found)) > LONG and usable_cores() > 1:
            break
    here, rest = len(found), distinct[len(found) :]
    if rest:
        questions = [(spec, public, table, made, trial) for trial in rest]
        answers = answer_all(outlook_of, questions, lambda done: told(here + done, len(distinct)))
        found |= dict(zip(rest, answers, strict=True))
    return {trial: outlook for trial, outlook in found.items() if outlook is not None}


def outlook_of(
    question: tuple[Spec, PublicSpec, DecisionTable, Sequence[bool], Trial], _told: Callable[[str], None]
) -> Outlook | None:
    """What a further process does: one trial."""
    return _outlook(*question)


def _outlook(
    spec: Spec, public: PublicSpec, table: DecisionTable, made: Sequence[bool], trial: Trial
) -> Outlook | None:
    """The outlook of one trial; `made` says which of the comparisons asked for the report makes."""
    announcement = _announcement_at(spec, table, trial.fidelity, "optimal", trial.rates)
    if announcement is None:
        return None
    moved = np.abs(announcement.mapping / announcement.scale - table.probability).max(axis=1)
    asked = measure_each(announcement.rule, public.fairness, unknown=False)
    return Outlook(
        fidelity=trial.fidelity,
        rates=trial.rates,
        beta=float(announcement.beta),
        lift=float(announcement.lift),
        odds=None if announcement.odds is None else float(announcement.odds),
        others=_with_others(spec, table, announcement),
        mean_change=float((moved * table.cells.population).sum() / table.cells.population.sum()),
        verdicts=tuple(
            verdict_of(each, announcement.decimals) if isinstance(each, Measured) else None
            for each, is_made in zip(asked, made, strict=True)
            if is_made
        ),
    )


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
        drafted = _announcement_at(spec, table, closeness, name, None) if possible else None
        found[name] = None if drafted is None else float(drafted.beta)
    return found


def _announcement_at(
    spec: Spec, table: DecisionTable, closeness: Closeness, mechanism: Mechanism, rates: Decimal | None
) -> Announcement | None:
    fidelity = spec.policy.fidelity.model_copy(update={"rates": rates})
    policy = spec.policy.model_copy(update={"mechanism": mechanism, "fidelity": fidelity})
    try:
        return announcement_at(spec.model_copy(update={"policy": policy}), table, closeness)
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
