"""Turn an announcement into the part of the report on which everything else rests: rule, policy, people, privacy."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from atreport.announcement import Announcement
from atreport.kit.rounding import rounded_up
from atreport.population.band import Closeness
from atreport.population.estimation import Estimation as FoundEstimation
from atreport.report.model import Estimation
from atreport.report.people import (
    GroupPrivacy,
    Guarded,
    KnownSum,
    MergedValue,
    PublishedCell,
    SmallCells,
    Unprotectable,
    ValueRange,
)
from atreport.report.rule import Privacy, PublishedCeiling, PublishedFidelity, PublishedPolicy
from atreport.rule_table import CellBounds
from atreport.spec.models.policy import Policy, PrivacyCeiling
from atreport.spec.models.process import Process


def published_process(process: Process) -> Process:
    """The process as readers see it: how values may be joined is nobody's business."""
    attributes = tuple(a.model_copy(update={"hierarchy": ()}) for a in process.attributes)
    return process.model_copy(update={"attributes": attributes})


def published_policy(announcement: Announcement, policy: Policy) -> PublishedPolicy:
    """What the publisher promises, and how figures and people are published."""
    further: dict[str, Any] = {}
    if announcement.population == "shares":
        further["share_decimals"] = announcement.share_decimals
    if isinstance(announcement.fidelity, CellBounds):
        further["bound_decimals"] = announcement.fidelity.decimals
    return PublishedPolicy(
        fidelity=published_fidelity(announcement.fidelity),
        privacy=None if policy.privacy is None else _ceiling(policy.privacy),
        objective=policy.objective,
        mechanism=announcement.mechanism,
        decimals=announcement.decimals,
        population=announcement.population,
        small_cells=_small_cells(announcement),
        **further,
    )


def published_fidelity(fidelity: Closeness | CellBounds) -> PublishedFidelity:
    """How close announced and true rule are."""
    if isinstance(fidelity, CellBounds):
        return PublishedFidelity(bounds="cells")
    if fidelity.delta is not None:
        return PublishedFidelity(delta=fidelity.delta)
    return PublishedFidelity(alpha=fidelity.alpha)


def _ceiling(ceiling: PrivacyCeiling) -> PublishedCeiling:
    if ceiling.beta is not None:
        return PublishedCeiling(beta=ceiling.beta)
    return PublishedCeiling(gamma=ceiling.gamma)


def _small_cells(announcement: Announcement) -> SmallCells:
    """What was done with counts of few people."""
    account = announcement.small_cells
    further: dict[str, Any] = {}
    if account.suppressed is not None:
        further = {"protection": account.protection, "suppressed": int(account.suppressed.sum())}
        if announcement.population == "counts":
            further["known_sums"] = tuple(
                KnownSum(of=dict(known.values), people=known.people) for known in account.known
            )
    return SmallCells(policy=account.policy, under=account.under, **further)


def published_privacy(announcement: Announcement) -> Privacy:
    """What can be learned about people, group by group."""
    cells, rule = announcement.cells, announcement.rule
    starts = cells.group_starts.tolist()
    ends = [*starts[1:], len(cells)]
    public = cells.process.of_role("public")
    account = announcement.protection
    return Privacy(
        beta=announcement.beta,
        gamma=announcement.gamma,
        contribution=announcement.contribution,
        unprotectable=Unprotectable(
            policy=account.policy,
            groups=account.groups,
            share=rounded_up(Fraction(account.people, max(account.everybody, 1)), announcement.decimals),
            merged=tuple(MergedValue(attribute=name, value=value) for name, value in account.merged),
        ),
        groups=tuple(
            GroupPrivacy(
                qid=cells.labels(start, public),
                beta=rule.printed(beta),
                prior=rule.printed(prior),
                cells=end - start,
            )
            for start, end, beta, prior in zip(
                starts, ends, announcement.group_beta.tolist(), announcement.group_prior.tolist(), strict=True
            )
        ),
    )


def published_cells(announcement: Announcement) -> tuple[PublishedCell, ...]:
    """Every cell: its values, its size as published, what is announced."""
    rule, process = announcement.rule, announcement.cells.process
    labels = rule.cells.all_labels(process.attributes)
    bounds = rule.fidelity if isinstance(rule.fidelity, CellBounds) else None
    size, sizes = _sizes(announcement)
    cells = []
    for cell, (values, steps) in enumerate(zip(labels, rule.mapping.tolist(), strict=True)):
        parts: dict[str, Any] = {}
        suppressed = rule.small_cells.is_suppressed(cell)
        if size is not None and not suppressed:
            parts[size] = sizes[cell]
        if guarded := _guarded(announcement, cell, sizes[cell] if size and suppressed else None):
            parts["guarded"] = Guarded(**guarded)
        parts["announced"] = {
            outcome: rule.printed(step) for outcome, step in zip(process.outcome.values, steps, strict=True)
        }
        if bounds is not None:
            parts["bounds"] = tuple(
                Decimal(int(end[cell])).scaleb(-bounds.decimals) for end in (bounds.lower, bounds.upper)
            )
        # made of what was certified a moment ago: nothing to validate, and there may be a million
        stated: dict[str, Any] = {**values, **parts}
        cells.append(PublishedCell.model_construct({*parts}, **stated))
    return tuple(cells)


def _sizes(announcement: Announcement) -> tuple[str | None, list[Any]]:
    """How the population is published, if it is; where a count is suppressed, what figures are calculated with."""
    if announcement.population == "counts":
        return "population", announcement.cells.population.tolist()
    if announcement.population == "shares":
        decimals = announcement.share_decimals
        return "share", [Decimal(steps).scaleb(-decimals) for steps in announcement.shares.tolist()]
    return None, []


def _guarded(announcement: Announcement, cell: int, counted_as: Any) -> dict[str, Any]:
    """What follows for a count that is not published exactly."""
    found: dict[str, Any] = {} if counted_as is None else {"counted_as": counted_as}
    between = announcement.cells.between
    if announcement.population == "counts" and between is not None:
        fewest, most = (int(bound[cell]) for bound in between)
        if fewest < most:
            found["people"] = (fewest, most)
    return found


def published_estimation(found: FoundEstimation) -> Estimation:
    """How the rule was estimated, as far as it is published."""
    further: dict[str, Any] = {}
    if found.excluded is not None:
        further["excluded"] = found.excluded
    if found.faithfulness is not None:
        further["faithfulness"] = found.faithfulness
    if found.ranges:
        further["ranges"] = tuple(
            ValueRange(attribute=each.attribute, value=each.value, low=each.low, high=each.high)
            for each in found.ranges
        )
    if found.edges_from_decisions:
        further["edges_from_decisions"] = found.edges_from_decisions
    return Estimation(method=found.method, population=found.population, **further)
