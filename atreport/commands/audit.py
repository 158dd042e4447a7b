"""Turn a spec into an attack on its draft, or into its trade-off curve, without writing a report."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from atreport.analysis.measures import measure_all
from atreport.announcement import Announcement
from atreport.confidential.attacks.audit import Audit, audit_draft, refuse_broken_promise
from atreport.confidential.data.run_options import LOCAL, RunOptions
from atreport.confidential.mechanism.fidelity import closeness_of
from atreport.confidential.mechanism.refusal import refuse_above_ceiling
from atreport.confidential.prepare import Progress, keep_quiet, n_of_m, prepare
from atreport.confidential.tradeoff.outlook import Outlook, along_fidelity, along_rates, look_ahead
from atreport.confidential.tradeoff.trade_off import Tradeoff, calculate_trade_off
from atreport.confidential.true_rule import warn_of_more_than_the_truth
from atreport.errors import Refused
from atreport.population.band import Closeness
from atreport.publication.fairness import print_assessments
from atreport.report.fairness import Assessment
from atreport.spec.models.spec import PublicSpec


@dataclass(frozen=True, kw_only=True, eq=False)
class AuditResult:
    """A draft, what each attack on it gave, and why a build would refuse it. Confidential."""

    announcement: Announcement
    audit: Audit
    refusals: tuple[Refused, ...]  # empty: a build would not


def audit(spec_path: str | Path, progress: Progress = keep_quiet, engine: RunOptions = LOCAL) -> AuditResult:
    """Draft a report and attack it. One that a build refuses is attacked too: then most of all one wants to know."""
    prepared = prepare(
        spec_path, progress, engine, in_spite_of_small_cells=True, in_spite_of_exposed_groups=True
    )
    spec, announcement = prepared.spec, prepared.announcement
    progress("attacks")
    found = audit_draft(
        spec, prepared.public, prepared.table, prepared.draft, thorough=True, told=n_of_m(progress, "attacks")
    )
    refusals = [] if prepared.refusal is None else [Refused(prepared.refusal)]
    above = False
    try:
        refuse_above_ceiling(spec, announcement, prepared.table, prepared.draft.enough_decimals)
    except Refused as refusal:
        above = True
        refusals.append(refusal)
    try:
        refuse_broken_promise(spec.document.title, found, ceilings=not above)
    except Refused as refusal:
        refusals.append(refusal)
    return AuditResult(announcement=announcement, audit=found, refusals=tuple(refusals))


@dataclass(frozen=True, kw_only=True, eq=False)
class TradeoffResult:
    """A draft, its trade-off curve, and the same report at other fidelities. Confidential."""

    spec: PublicSpec
    announcement: Announcement
    assessments: tuple[Assessment, ...]
    trade_off: Tradeoff | None
    by_delta: tuple[Outlook, ...]
    by_alpha: tuple[Outlook, ...]
    by_rates: tuple[Outlook, ...]  # at the fidelity of the draft
    own: Closeness | None = None  # the fidelity of the policy itself; None: each cell has bounds
    warning: str = ""  # that the draft protects less than the truth would


def tradeoff(
    spec_path: str | Path, progress: Progress = keep_quiet, engine: RunOptions = LOCAL
) -> TradeoffResult:
    """What each fidelity would cost in privacy. A draft above its ceiling is no obstacle: this is where to look then."""
    prepared = prepare(spec_path, progress, engine)
    spec, public, table, announcement = prepared.spec, prepared.public, prepared.table, prepared.announcement
    progress("tradeoff")
    curves = calculate_trade_off(spec, table)
    suggested = [s.delta for s in curves.suggestions] if curves else []
    own = closeness_of(spec.policy, table)
    delta, alpha = (None, None) if own is None else (own.delta, own.alpha)
    along = (
        along_fidelity(spec, relative=False, more=[*suggested, *([delta] if delta else [])]),
        along_fidelity(spec, relative=True, more=[alpha] if alpha else []),
        along_rates(announcement.fidelity),
    )
    found = look_ahead(
        spec,
        public,
        table,
        announcement.rule,
        [trial for row in along for trial in row],
        n_of_m(progress, "other policies"),
    )
    by_delta, by_alpha, by_rates = (tuple(found[trial] for trial in row if trial in found) for row in along)
    measured, _ = measure_all(announcement.rule, public.fairness, unknown=False)
    return TradeoffResult(
        spec=public,
        announcement=announcement,
        assessments=print_assessments(announcement.rule, measured),
        trade_off=curves,
        by_delta=by_delta,
        by_alpha=by_alpha,
        by_rates=by_rates,
        own=own,
        warning=warn_of_more_than_the_truth(table, announcement),
    )
