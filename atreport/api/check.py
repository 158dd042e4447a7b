"""Turn a spec into what a publisher wants to know before building: may it be published, and what would it say?

Writes nothing.
"""

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from atreport.compose import compose_report
from atreport.compose.fairness import print_assessments
from atreport.core.band import Closeness
from atreport.core.cells import Cells
from atreport.core.certify import Announcement, ceilings_of
from atreport.core.inference import factor_printed
from atreport.core.suppression import form_groups
from atreport.errors import Refused
from atreport.forms.fields import Surroundings
from atreport.measures import measure_all
from atreport.private.attacks import Audit, audit_draft, refuse_broken_promise
from atreport.private.audited import compose
from atreport.private.data.run_options import LOCAL, RunOptions
from atreport.private.draft import refuse_above_ceiling
from atreport.private.prepare import Prepared, Progress, keep_quiet, n_of_m, prepare
from atreport.private.solver.fidelity import closeness_of, float_bounds
from atreport.private.solver.solver import optimum_of
from atreport.private.tradeoff import Tradeoff, calculate_trade_off
from atreport.private.tradeoff.policy_sweep import PolicyResult, along_fidelity, along_rates, policy_sweep
from atreport.private.true_rule import warn_of_certainty, warn_of_more_than_the_truth
from atreport.report.fairness import Assessment
from atreport.report.model import Report
from atreport.spec.checks import texts_of
from atreport.spec.disclosure import one_line
from atreport.spec.spec import PublicSpec, Spec
from atreport.spec.transparency import AskedInfluence, RuleSchemes, Transparency
from atreport.text.language import count
from atreport.text.numbers import counted
from atreport.text.tables import Table, named, numeric, tabulate

UNEXPLAINED = Transparency(
    rules=RuleSchemes(exact=False), influence=AskedInfluence(permutation=False, qii=False)
)
"""No explanations: they take the longest, and no promise, verdict or refusal depends on them."""

SMALL_SHARE = 0.02
"""Categories with a smaller share of all people are pointed out."""

_ADDRESS = re.compile(r"https?://\S+|[^\s@]+@[^\s@]+")
"""What is the same in every language: a page on the web, or an e-mail address."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CheckResult:
    """What a check found."""

    spec: Spec
    announcement: Announcement
    above: dict[str, int]  # the ceilings that are not kept, and in how many groups
    # as the data have them: exact numbers of people and every value, whatever is published of them
    cells: Cells
    report: Report  # as it would be published, but for explanations of the rule
    refusals: tuple[str, ...] = ()  # why a build would publish nothing, each with what to do
    warnings: tuple[str, ...] = ()  # what may be published and yet should be known first
    refused: str | None = None  # the one of them that is about small cells
    exact_beta: float | None = None  # where a law wants exact figures: the β of publishing them
    law: tuple[str, ...] = ()  # what the law that a form is made for may not take

    @property
    def publishable(self) -> bool:
        """Whether a build would publish."""
        return not self.refusals

    @property
    def small_cell_limit(self) -> int:
        """Cells with fewer people than this are small."""
        return self.spec.policy.small_cells.under

    @property
    def joined(self) -> bool:
        """Whether the report announces coarser values than the data have."""
        return self.announcement.cells.process != self.cells.process

    def group_rows(self) -> list[dict[str, Any]]:
        """Every QID group as announced, the most exposed first."""
        cells, announcement = self.announcement.cells, self.announcement
        starts = cells.group_starts
        people = np.add.reduceat(cells.population, starts)
        counts = np.diff(np.append(starts, len(cells)))
        public = cells.process.of_role("public")  # the values as announced: some may have been joined
        return [
            {
                "qid": cells.labels(int(starts[g]), public),
                "people": int(people[g]),
                "cells": int(counts[g]),
                "prior": float(announcement.printed(int(announcement.group_prior[g]))),
                "beta": float(announcement.printed(int(announcement.group_beta[g]))),
                "lift": float(announcement.printed(int(announcement.group_lift[g]))),
                "odds": _number(factor_printed(int(announcement.group_odds[g]), announcement.decimals)),
            }
            for g in np.lexsort((np.arange(len(people)), -announcement.group_beta)).tolist()
        ]

    def group_table(self, most: int) -> Table:
        """The groups as a table: so many of the most exposed."""
        records, written = self.group_rows(), f"{{:.{self.announcement.decimals}f}}".format
        more = len(records) - most
        return tabulate(
            "groups",
            "Groups as announced, the most exposed first",
            [
                named(
                    "group", "qid", lambda qid: ", ".join(f"{k}={v}" for k, v in qid.items()) or "everybody"
                ),
                numeric("people", "people", count),
                numeric("cells", "cells"),
                *(
                    numeric(name, key, written)
                    for name, key in (("before", "prior"), ("β", "beta"), ("lift", "lift"))
                ),
                numeric("odds", "odds", lambda odds: "no limit" if odds is None else written(odds)),
            ],
            records[:most],
            f"… and {counted(more, 'more group')}; --json lists all" if more > 0 else "",
        )

    def small_cell_rows(self) -> list[dict[str, Any]]:
        """The cells of the data with few people, by the values that the data have."""
        return [
            {
                **self.cells.labels(cell, self.cells.process.attributes),
                "population": int(self.cells.population[cell]),
            }
            for cell in np.flatnonzero(self.cells.population < self.small_cell_limit).tolist()
        ]

    def certain_cell_rows(self) -> list[dict[str, Any]]:
        """The cells whose announced rule tells everybody's outcome: a probability of exactly 0 or 1."""
        announcement = self.announcement
        certain = (announcement.mapping == announcement.scale).any(axis=1)
        outcomes = announcement.cells.process.outcome.values
        return [
            {
                **announcement.cells.labels(cell, announcement.cells.process.attributes),
                "outcome": outcomes[int(announcement.mapping[cell].argmax())],
            }
            for cell in np.flatnonzero(certain).tolist()
        ]

    def small_share_rows(self) -> list[dict[str, Any]]:
        """The values of the data's attributes, and categories of the form, with under 2 % of all people."""
        people = self.cells.population
        sizes: list[tuple[dict[str, str], int]] = []
        for a in self.cells.process.attributes:
            of_value = np.zeros(len(a.values), dtype=np.int64)
            np.add.at(of_value, self.cells.column(a.name), people)
            sizes += [
                ({a.name: value}, size) for value, size in zip(a.values, of_value.tolist(), strict=True)
            ]
        groups = (group for group in form_groups(self.spec.form, self.cells) if len(group.values) > 1)
        sizes += [(group.values, int(people[group.cells].sum())) for group in groups]
        total = int(people.sum())
        shares = [(values, size / total) for values, size in sizes]
        return [{**values, "share": round(share, 6)} for values, share in shares if 0 < share < SMALL_SHARE]


def _number(printed: Decimal | None) -> float | None:
    return None if printed is None else float(printed)


def check(
    spec_path: str | Path,
    progress: Progress = keep_quiet,
    engine: RunOptions = LOCAL,
    today: dt.date | None = None,
) -> CheckResult:
    """Load, solve and certify a spec, and compose its report, without writing anything.

    `today` is what ages are told from, if not the clock.
    """
    prepared = prepare(spec_path, progress, engine, allow_small_cells=True)
    spec, exact = prepared.spec, prepared.raw_table
    ceilings = ceilings_of(spec.policy, prepared.announcement.cells.process)
    report, warnings, refusal = _composed(prepared, progress)
    certain = warn_of_certainty(prepared.announcement)
    more_than_truth = warn_of_more_than_the_truth(prepared.table, prepared.announcement)
    today = today or dt.datetime.now(dt.UTC).date()
    around = Surroundings(process=spec.process, policy=spec.policy, report_date=spec.report.date, today=today)
    return CheckResult(
        spec=spec,
        announcement=prepared.announcement,
        above={name: int(groups.sum()) for name, groups in prepared.announcement.above(ceilings).items()},
        cells=exact.cells,
        report=report,
        refusals=tuple(filter(None, (prepared.refusal, refusal))),
        warnings=tuple(
            filter(
                None,
                (
                    certain,
                    more_than_truth,
                    *warnings,
                    *_unexplained(spec, left_out=bool(prepared.table.cells.left_out)),
                    *_untranslated(spec),
                ),
            )
        ),
        refused=prepared.refusal,
        exact_beta=optimum_of(exact, *float_bounds(exact, Closeness(delta=Decimal(1))))
        if spec.form is not None and spec.form.exact_figures_wanted_by is not None
        else None,
        law=() if spec.form is None else tuple(spec.form.warnings(around)),
    )


def _unexplained(spec: Spec, *, left_out: bool) -> Iterator[str]:
    """That explanations which the spec asks for will be missing from the report."""
    policy = spec.policy.small_cells.policy
    if left_out and "transparency" in spec.model_fields_set:
        yield (
            "What 'transparency' asks for is left out, but for the exact rule: it depends on everybody, and people are left "
            "out of this report"
        )
    elif policy in ("round", "suppress") and "transparency" in spec.model_fields_set:
        yield (
            f"What 'transparency' asks for is left out, but for the exact rule: it depends on how many people there are of "
            f"each kind, and 'small_cells: {policy}' keeps that back"
        )


def _untranslated(spec: Spec) -> Iterator[str]:
    """How many texts of a spec have no translation into each further language of its report, and which."""
    texts = [
        text
        for text in texts_of(dict(spec))
        if any(letter.isalpha() for letter in text) and not _ADDRESS.fullmatch(text)
    ]
    for language in spec.report.all_languages[1:]:
        known = (spec.translations or {}).get(language, {})
        left = [text for text in texts if one_line(text) not in known]
        if left:
            shown = ", ".join(f"“{one_line(text)[:40]}”" for text in left[:5])
            yield (
                f"{len(left)} of {counted(len(texts), 'text')} of the spec "
                f"{'has' if len(left) == 1 else 'have'} no translation into {language} and will be shown as "
                f"{'it is' if len(left) == 1 else 'they are'}: {shown}{' …' if len(left) > 5 else ''}"
            )


def _composed(prepared: Prepared, progress: Progress) -> tuple[Report, tuple[str, ...], str | None]:
    """The report as far as a check needs it, what to know of it, and why it would be refused."""
    plain = replace(prepared, public=prepared.public.model_copy(update={"transparency": UNEXPLAINED}))
    try:
        composed = compose(plain, None, progress)
    except Refused as refusal:
        return compose_report(plain.announcement, plain.public), (), str(refusal)
    return composed.report, composed.warnings, None


# Turn a spec into an attack on its draft, or into its trade-off curve, without writing a report.


@dataclass(frozen=True, kw_only=True, eq=False)
class AuditResult:
    """A draft, what each attack on it gave, and why a build would refuse it. Confidential."""

    announcement: Announcement
    audit: Audit
    refusals: tuple[Refused, ...]  # empty: a build would not


def audit(
    spec_path: str | Path | Spec, progress: Progress = keep_quiet, engine: RunOptions = LOCAL
) -> AuditResult:
    """Draft a report and attack it. One that a build refuses is attacked too: then most of all one wants to know."""
    prepared = prepare(spec_path, progress, engine, allow_small_cells=True, allow_exposed_groups=True)
    progress("attacks")
    found = audit_draft(
        prepared.spec,
        prepared.public,
        prepared.table,
        prepared.draft,
        thorough=True,
        told=n_of_m(progress, "attacks"),
    )
    return AuditResult(
        announcement=prepared.announcement, audit=found, refusals=tuple(refusals_of(prepared, found))
    )


def refusals_of(prepared: Prepared, audit: Audit) -> Iterator[Refused]:
    """Why a build would refuse a draft that was attacked."""
    spec, above = prepared.spec, False
    if prepared.refusal is not None:
        yield Refused(prepared.refusal)
    try:
        refuse_above_ceiling(spec, prepared.announcement, prepared.table, prepared.draft.enough_decimals)
    except Refused as refusal:
        above = True
        yield refusal
    try:
        refuse_broken_promise(spec.document.title, audit, ceilings=not above)
    except Refused as refusal:
        yield refusal


@dataclass(frozen=True, kw_only=True, eq=False)
class TradeoffResult:
    """A draft, its trade-off curve, and the same report at other fidelities. Confidential."""

    spec: PublicSpec
    announcement: Announcement
    assessments: tuple[Assessment, ...]
    trade_off: Tradeoff | None
    by_delta: tuple[PolicyResult, ...]
    by_alpha: tuple[PolicyResult, ...]
    by_rates: tuple[PolicyResult, ...]  # at the fidelity of the draft
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
    found = policy_sweep(
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
