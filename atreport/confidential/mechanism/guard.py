"""Guard small cells, as the policy says, before anything is solved: from here on the population is the published one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from atreport.confidential.data.decision_table import DecisionTable
from atreport.errors import Refused
from atreport.population.cells import IntArray
from atreport.population.form_groups import form_groups
from atreport.population.small_cells import KnownSum, SmallCellAccount, rounded_range
from atreport.population.suppression import CannotSuppress, suppress
from atreport.spec.models.spec import Spec


def guard_small_cells(spec: Spec, table: DecisionTable) -> tuple[DecisionTable, SmallCellAccount]:
    """The table with the population as it may be published, and the public account of what was done."""
    policy = spec.policy.small_cells
    people = table.cells.population
    small = people < policy.under
    account = SmallCellAccount(
        policy=policy.policy,
        under=policy.under,
        protection=policy.protection_interval,
        small=int(small.sum()),
    )
    if policy.policy == "warn":
        return table, account
    everybody = np.ones(len(people), dtype=bool)
    categories = list(form_groups(spec.form, table.cells))
    groups = [everybody, *(category.cells for category in categories)]
    if policy.policy == "refuse":
        small_groups = sum(0 < int(people[group].sum()) < policy.under for group in groups[1:])
        if small.any() or small_groups:
            raise _refused(
                spec,
                f"{account.small} of {len(people)} cells"
                + (f" and {small_groups} of {len(groups) - 1} categories of the form" if small_groups else "")
                + f" have fewer than {policy.under} people",
            )
        return table, account
    if policy.policy == "round":
        rounded = _rounded(people, policy.under)
        return _published(table, rounded, *rounded_range(rounded, policy.under)), account
    try:
        found = suppress(people, groups, policy.under, policy.protection_interval)
    except CannotSuppress:
        raise _refused(
            spec, "there are too few people in all to keep the small counts from being worked out"
        ) from None
    account = replace(
        account,
        suppressed=found.hidden,
        known=tuple(
            KnownSum(values=values, cells=group, people=int(people[group].sum()))
            for values, group, shown in zip(
                [{}, *(category.values for category in categories)], groups, found.published, strict=True
            )
            if shown
        ),
    )
    return _published(table, found.stand_in, found.fewest, found.most), account


def _rounded(people: IntArray, step: int) -> IntArray:
    """Counts to the nearest multiple of the step (halves up), never 0."""
    return np.maximum((2 * people + step) // (2 * step), 1) * step


def _published(table: DecisionTable, population: IntArray, fewest: IntArray, most: IntArray) -> DecisionTable:
    return replace(table, cells=replace(table.cells, population=population, between=(fewest, most)))


def _refused(spec: Spec, reason: str) -> Refused:
    return Refused(
        f"{spec.document.path}: refused by the policy on small cells: {reason}.\n"
        "  Join categories, or write 'small_cells: round' or 'suppress' under policy.\n"
        f"  Nothing was published. 'atreport check {spec.document.path}' lists them."
    )
