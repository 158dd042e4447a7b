"""Turn an announcement into the part of the report on which everything else rests: rule, policy, people, privacy."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from atreport.core.band import Closeness
from atreport.core.cells import EstimationAccount, NumberRange
from atreport.core.certify import Announcement
from atreport.core.inference import ValueInference, factor_printed
from atreport.core.rule_table import CellBounds, RuleTable
from atreport.report.model import Estimation, PublishedCut
from atreport.report.people import (
    AttributePrivacy,
    GroupPrivacy,
    Guarded,
    KnownSum,
    LeftOut,
    MergedValue,
    PublishedCell,
    PublishedSmallCells,
    Rise,
    Unprotectable,
    ValuePrivacy,
    ValueRange,
)
from atreport.report.rule import Privacy, PublishedCeiling, PublishedFidelity, PublishedPolicy
from atreport.spec.policy import Policy
from atreport.spec.process import Process
from atreport.text.numbers import rounded_up


def published_process(process: Process) -> Process:
    """The process as readers see it: how values may be joined is nobody's business."""
    attributes = tuple(a.model_copy(update={"hierarchy": ()}) for a in process.attributes)
    outcome = process.outcome.model_copy(
        update={"bins": None}
    )  # the part on estimation says how a number was cut
    return process.model_copy(update={"attributes": attributes, "outcome": outcome})


def published_policy(announcement: Announcement, policy: Policy) -> PublishedPolicy:
    """What the publisher promises, and how figures and people are published."""
    ceiling, further = policy.privacy, dict[str, Any]()
    if announcement.population == "shares":
        further["share_decimals"] = announcement.share_decimals
    if isinstance(announcement.fidelity, CellBounds):
        further["bound_decimals"] = announcement.fidelity.decimals
    if announcement.mechanism == "optimal":
        further["minimise"] = policy.minimise
    if policy.grid_used is not None:
        further["grid"] = policy.grid_used
    return PublishedPolicy(
        fidelity=published_fidelity(announcement.fidelity, announcement.rule.rates),
        privacy=None if ceiling is None else PublishedCeiling(**ceiling.model_dump(exclude_none=True)),
        objective=policy.objective,
        mechanism=announcement.mechanism,
        decimals=announcement.decimals,
        population=announcement.population,
        small_cells=_small_cells(announcement),
        **further,
    )


def published_fidelity(fidelity: Closeness | CellBounds, rates: Decimal | None = None) -> PublishedFidelity:
    """How close announced and true rule are."""
    stated: dict[str, Any] = {"bounds": "cells"}
    if isinstance(fidelity, Closeness):
        stated = {"delta": fidelity.delta} if fidelity.delta is not None else {"alpha": fidelity.alpha}
    if rates is not None:
        stated["rates"] = rates
    return PublishedFidelity(**stated)


def _small_cells(announcement: Announcement) -> PublishedSmallCells:
    """What was done with counts of few people."""
    account = announcement.small_cells
    further: dict[str, Any] = {}
    if account.suppressed is not None:
        hidden = int(account.suppressed.sum())
        further = {"protection": account.protection, "suppressed": hidden, "hidden_in": "blocks"}
        if announcement.population == "counts":
            further["known_sums"] = tuple(
                KnownSum(of=dict(known.values), people=known.people) for known in account.known
            )
    return PublishedSmallCells(policy=account.policy, under=account.under, **further)


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
        lift=announcement.lift,
        odds=announcement.odds,
        contribution=announcement.contribution,
        unprotectable=Unprotectable(
            policy=account.policy,
            groups=account.groups,
            share=rounded_up(Fraction(account.people, max(account.everybody, 1)), announcement.decimals),
            merged=tuple(MergedValue(attribute=name, value=value) for name, value in account.merged),
            **_left_out(announcement),
        ),
        attributes=tuple(print_attribute(rule, each) for each in announcement.attributes),
        groups=tuple(
            GroupPrivacy(
                qid=cells.labels(start, public),
                beta=rule.printed(beta),
                prior=rule.printed(prior),
                lift=rule.printed(lift),
                odds=factor_printed(odds, rule.decimals),
                cells=end - start,
            )
            for start, end, beta, prior, lift, odds in zip(
                starts,
                ends,
                announcement.group_beta.tolist(),
                announcement.group_prior.tolist(),
                announcement.group_lift.tolist(),
                announcement.group_odds.tolist(),
                strict=True,
            )
        ),
    )


def _left_out(announcement: Announcement) -> dict[str, Any]:
    """Whom no cell counts, and how many they are, as numbers of people are published."""
    found = []
    for each in announcement.cells.left_out:
        size: dict[str, Any] = {}
        if announcement.population == "counts":
            size = {"people": each.people[0]}
        elif announcement.population == "shares":
            size = {"share": Decimal(each.people[1]).scaleb(-announcement.share_decimals)}
        found.append(LeftOut(of=dict(each.values), **size))
    return {"left_out": tuple(found)} if found else {}


def print_attribute(rule: RuleTable, found: ValueInference) -> AttributePrivacy:
    """What can be inferred about one sensitive attribute, value by value, and where it rises most in points.

    Of groups in which a value rises alike, the first is named.
    """
    cells, protected = rule.cells, found.protected
    attribute = cells.process.attribute(protected.attribute)
    codes = cells.column(attribute.name)[protected.order[protected.starts]]
    values = []
    for code, value in enumerate(attribute.values):
        of_value = np.flatnonzero(codes == code)
        if not len(of_value):  # nobody has it
            continue
        most = of_value[np.argmax(found.after[of_value] - found.before[of_value])]
        first_cell = int(protected.order[protected.starts[most]])
        values.append(
            ValuePrivacy(
                value=value,
                before=rule.printed(int(found.before[of_value].max())),
                after=rule.printed(int(found.after[of_value].max())),
                lift=rule.printed(int(found.lift[of_value].max())),
                rise=Rise(
                    qid=cells.labels(first_cell, cells.process.of_role("public")),
                    before=rule.printed(int(found.before[most])),
                    after=rule.printed(int(found.after[most])),
                ),
            )
        )
    return AttributePrivacy(
        name=attribute.name,
        beta=rule.printed(int(found.after.max())),
        lift=rule.printed(int(found.lift.max())),
        values=tuple(values),
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


def published_estimation(found: EstimationAccount) -> Estimation:
    """How the rule was estimated, as far as it is published."""
    further: dict[str, Any] = {}
    if found.excluded is not None:
        fewest, most = found.excluded
        further |= {"excluded": fewest} if fewest == most else {"excluded_between": found.excluded}
    if found.faithfulness is not None:
        further["faithfulness"] = found.faithfulness
    if found.ranges:
        further["ranges"] = tuple(map(_value_range, found.ranges))
    if found.outcome_cut is not None:
        cut = tuple(_value_range(each) for each in found.outcome_cut.ranges)
        further["outcome"] = PublishedCut(at="edges", ranges=cut) if cut else PublishedCut(at="median")
    if found.edges_from_decisions:
        further["edges_from_decisions"] = found.edges_from_decisions
    return Estimation(method=found.method, population=found.population, **further)


def _value_range(found: NumberRange) -> ValueRange:
    return ValueRange(attribute=found.attribute, value=found.value, low=found.low, high=found.high)
