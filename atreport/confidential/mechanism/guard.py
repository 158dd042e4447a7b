"""Guard small cells, as the policy says, before anything is solved: from here on the population is the published one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from atreport.confidential.data.decision_table import DecisionTable
from atreport.errors import Refused
from atreport.kit.numbers import counted
from atreport.population.cells import IntArray, LeftOut
from atreport.population.estimation import Estimation
from atreport.population.form_groups import FormGroup, form_groups
from atreport.population.small_cells import KnownSum, Mask, SmallCellAccount, round_counts, rounded_range
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
    table = _left_out(table, (table.estimation and table.estimation.excluded) or (0, 0))
    categories = list(form_groups(spec.form, table.cells))
    if policy.policy == "refuse":
        small_groups = sum(0 < int(people[category.cells].sum()) < policy.under for category in categories)
        if small.any() or small_groups:
            raise _refused(
                spec,
                f"{account.small} of {counted(len(people), 'cell')}"
                + (
                    f" and {small_groups} of {counted(len(categories), 'category', 'categories')} of the form"
                    if small_groups
                    else ""
                )
                + f" {'has' if account.small == 1 and not small_groups else 'have'} fewer than {policy.under} people",
            )
        return table, account
    estimation = _guarded_estimation(table.estimation, account)
    table = _left_out(replace(table, estimation=estimation), (estimation and estimation.excluded) or (0, 0))
    if policy.policy == "round":
        rounded = round_counts(people, policy.under)
        return _published(table, rounded, *rounded_range(rounded, policy.under)), account
    try:
        found = suppress(people, _tables(categories), policy.under, policy.protection_interval)
    except CannotSuppress:
        raise _refused(
            spec, "there are too few people in all to keep the small counts from being worked out"
        ) from None
    account = replace(
        account,
        suppressed=found.hidden,
        known=tuple(
            KnownSum(values=_values_of(group, categories), cells=group, people=int(people[group].sum()))
            for group in found.sums
        ),
    )
    return _published(table, found.stand_in, found.fewest, found.most), account


def _left_out(table: DecisionTable, excluded: tuple[int, int]) -> DecisionTable:
    """Of records that were left out no more is told than how many there may be."""
    most = 0 if table.estimation is None or table.estimation.population == "census" else excluded[1]
    left_out = (LeftOut(values={}, people=(most,)),) if most else ()
    if left_out == table.cells.left_out:
        return table
    return replace(table, cells=replace(table.cells, left_out=left_out))


def _guarded_estimation(found: Estimation | None, account: SmallCellAccount) -> Estimation | None:
    """Records that were left out are people too: their number is rounded, or published only where it is not small.

    No published number counts them beside others, so nothing can be subtracted. Rounded, it stands for as many numbers as
    the step has, at least; hidden, for 0 up to the protection interval or the threshold.
    """
    if found is None or found.excluded is None:
        return found
    number, step = found.excluded[0], account.under
    if account.policy == "round":
        ends = rounded_range(round_counts(np.array([number]), step), step)
        fewest, most = (int(end[0]) for end in ends)
        return replace(found, excluded=(0 if fewest == 1 else fewest, most))
    most = max(account.under - 1, account.protection)
    return found if number > most else replace(found, excluded=(0, most))


def _tables(categories: Sequence[FormGroup]) -> list[IntArray]:
    """The tables of a form, each as the category of every cell."""
    tables: dict[tuple[str, ...], IntArray] = {}
    for number, category in enumerate(categories):
        table = tables.setdefault(category.attributes, np.zeros(len(category.cells), dtype=np.int64))
        table[category.cells] = number
    return list(tables.values())


def _values_of(group: Mask, categories: Sequence[FormGroup]) -> dict[str, str]:
    """The values that make a category; of everybody none."""
    return (
        next((c.values for c in categories if np.array_equal(c.cells, group)), {}) if not group.all() else {}
    )


def _published(table: DecisionTable, population: IntArray, fewest: IntArray, most: IntArray) -> DecisionTable:
    return replace(table, cells=replace(table.cells, population=population, between=(fewest, most)))


def _refused(spec: Spec, reason: str) -> Refused:
    return Refused(
        f"{spec.document.title}: refused by the policy on small cells: {reason}.\n"
        "  Join categories, or write 'small_cells: round' or 'suppress' under policy.\n"
        f"  Nothing was published.{spec.document.point_to_check('lists them')}"
    )
