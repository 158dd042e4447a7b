"""Deal with groups that cannot be protected, as the policy says, before anything is solved."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from atreport.core.cells import EstimationAccount, IntArray, PeopleLeftOut, Protection, unprotectable_groups
from atreport.core.certify import ceilings_of
from atreport.core.suppression import (
    CannotSuppress,
    ExactSum,
    FormGroup,
    Mask,
    SmallCellAccount,
    form_groups,
    people_bounds,
    round_counts,
    rounded_range,
    suppress,
)
from atreport.errors import PolicyCannotBeMet, Refused
from atreport.private.data.decision_table import DecisionTable, with_joined_cells, without_cells
from atreport.private.draft import Solver, draft_at
from atreport.private.solver.fidelity import closeness_of
from atreport.private.solver.solver import solve_table
from atreport.spec.process import Attribute, Process
from atreport.spec.spec import Spec
from atreport.text.numbers import counted


def protect_groups(
    spec: Spec, table: DecisionTable, solve: Solver = solve_table
) -> tuple[DecisionTable, Protection]:
    """The table to announce, and the public account of what was left out of it or joined.

    Who cannot be protected at all depends on the population and the ceilings alone. With ``merge``, groups are joined too
    where the ceilings could not be kept at the stated fidelity: that depends on the rule, as a refusal would.
    """
    policy = spec.policy.unprotectable
    exposed = _unprotectable(spec, table)
    account = Protection(
        policy=policy,
        groups=int(exposed.sum()),
        people=int(table.cells.population[exposed[table.cells.group]].sum()),
        everybody=int(table.cells.population.sum()),
    )
    if policy == "merge":
        table, merged = _merge(table, lambda joined: _cannot_be_kept(spec, joined, solve))
        if not _unprotectable(spec, table).any():
            return table, replace(account, merged=merged)
    if policy is None or not exposed.any():
        return table, account
    if policy == "suppress" and not exposed.all():
        return _left_out(table, exposed), account
    advice = {
        "refuse": "Write 'unprotectable: suppress' or 'merge' under policy, or make the public attributes coarser.",
        "suppress": "No group would be left. Make the public attributes coarser.",
        "merge": "Even the coarsest values of the hierarchies do not help. Give public attributes a coarser 'hierarchy'.",
    }[policy]
    raise Refused(
        f"{spec.document.title}: refused: in {account.groups} of {counted(len(exposed), 'group')} the population alone "
        f"gives a sensitive value away, whatever is announced.\n  {advice}\n  Nothing was published."
    )


def _left_out(table: DecisionTable, exposed: NDArray[np.bool_]) -> DecisionTable:
    """The table without some QID groups: their people are told by public values, and not how they split by others."""
    cells, (_, most) = table.cells, people_bounds(table.cells)
    public, people = cells.process.of_role("public"), np.add.reduceat(most, cells.group_starts)
    left_out = [
        PeopleLeftOut(
            values=cells.labels(int(cells.group_starts[group]), public), people=(int(people[group]),)
        )
        for group in np.flatnonzero(exposed).tolist()
    ]
    kept = without_cells(table, exposed[cells.group])
    return replace(kept, cells=replace(kept.cells, left_out=(*cells.left_out, *left_out)))


def _unprotectable(spec: Spec, table: DecisionTable) -> NDArray[np.bool_]:
    """The groups in which the population alone exceeds a ceiling, whatever is announced."""
    ceilings = ceilings_of(spec.policy, table.cells.process)
    of_values = [ceilings.of_values(table.cells, protected) for protected in table.cells.protected]
    return unprotectable_groups(table.cells, ceilings.beta, of_values)


def _cannot_be_kept(spec: Spec, table: DecisionTable, solve: Solver) -> NDArray[np.bool_]:
    """The groups in which a ceiling cannot be kept: whatever is announced, or at the stated fidelity, as printed.

    Where the fidelity or the rates follow from the ceilings, only the former.
    """
    found = _unprotectable(spec, table)
    policy, ceilings = spec.policy, ceilings_of(spec.policy, table.cells.process)
    if found.any() or not ceilings or policy.objective == "fidelity" or policy.fidelity.rates == "best":
        return found
    try:
        draft = draft_at(spec, table, closeness_of(policy, table), solve)
    except PolicyCannotBeMet:  # which is said where the draft is made
        return found
    for above in draft.announcement.above(ceilings).values():
        found = found | above
    return found


def _merge(
    table: DecisionTable, find_exposed: Callable[[DecisionTable], NDArray[np.bool_]]
) -> tuple[DecisionTable, tuple[tuple[str, str], ...]]:
    """Join exposed groups with their neighbours, attribute by attribute, level by level, until none is exposed.

    At each level, all groups below one coarser value (and alike in the other public attributes) become one as soon as
    one of them is exposed. The others keep their finer values.
    """
    merged: list[tuple[str, str]] = []
    exposed = find_exposed(table)
    for attribute in table.cells.process.of_role("public"):
        finer: dict[str, set[str]] = {}  # every value that a coarser one stands for, over all levels
        for level in attribute.hierarchy:
            for parent, children in level.items():
                if children == (parent,):  # it stays what it is at this level
                    continue
                finer[parent] = set(children).union(*(finer.get(child, set()) for child in children))
                joined = _merge_below(table, attribute.name, parent, finer[parent], exposed)
                if joined is not None:
                    table, exposed = joined, find_exposed(joined)
                    merged.append((attribute.name, parent))
    # a coarser value that was itself joined later no longer appears
    left = {(a.name, value) for a in table.cells.process.attributes for value in a.values}
    return table, tuple(pair for pair in merged if pair in left)


def _merge_below(
    table: DecisionTable, name: str, parent: str, finer: set[str], exposed_groups: NDArray[np.bool_]
) -> DecisionTable | None:
    """Give the cells below `parent` its value wherever one of the groups they would join is exposed; None: nowhere."""
    cells = table.cells
    place = [a.name for a in cells.process.attributes].index(name)
    attribute = cells.process.attributes[place]
    below = np.isin(
        cells.codes[:, place], [code for code, value in enumerate(attribute.values) if value in finer]
    )
    others = [i for i, a in enumerate(cells.process.attributes) if a.role == "public" and i != place]
    exposed = exposed_groups[cells.group] & below
    if not exposed.any():
        return None
    _, family = np.unique(cells.codes[:, others], axis=0, return_inverse=True)
    joined = below & np.isin(family.ravel(), np.unique(family.ravel()[exposed]))
    labels = np.array(attribute.values, dtype=object)[cells.codes[:, place]]
    labels[joined] = parent
    return _relabelled(table, place, labels, parent)


def _relabelled(table: DecisionTable, place: int, labels: NDArray[np.object_], parent: str) -> DecisionTable:
    """The table with one attribute's values replaced."""
    process, values = _with_values(table.cells.process, place, labels, parent)
    codes = table.cells.codes.copy()
    codes[:, place] = [values.index(label) for label in labels]
    return with_joined_cells(table, process, codes)


def _with_values(
    process: Process, place: int, labels: NDArray[np.object_], parent: str
) -> tuple[Process, tuple[str, ...]]:
    """The process without those of an attribute's values that nobody is published under any more, the coarser one last.

    A value that nobody had before stays: people who are left out may have it.
    """
    attribute: Attribute = process.attributes[place]
    occurring, below = set(labels), attribute.joined_by(parent)
    gone = {v for v in attribute.values if v not in occurring and (attribute.joined_by(v) or {v}) <= below}
    values = (*(value for value in attribute.values if value not in gone and value != parent), parent)
    unknown = attribute.unknown if attribute.unknown in values else None
    joined = {value: finer for value in values if (finer := _stands_for(attribute, value))}
    changed = attribute.model_copy(update={"values": values, "unknown": unknown, "joined": joined or None})
    attributes = (*process.attributes[:place], changed, *process.attributes[place + 1 :])
    return process.model_copy(update={"attributes": attributes}), values


def _stands_for(attribute: Attribute, value: str) -> tuple[str, ...]:
    """The values of the data that a coarser one stands for, in the order of the hierarchy; none for any other."""
    below = attribute.joined_by(value)
    return tuple(
        finest for children in attribute.hierarchy[0].values() for finest in children if finest in below
    )


# Guard small cells, as the policy says, before anything is solved: from here on the population is the
# published one.


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
    table = _excluded_records(table, (table.estimation and table.estimation.excluded) or (0, 0))
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
    table = _excluded_records(
        replace(table, estimation=estimation), (estimation and estimation.excluded) or (0, 0)
    )
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
            ExactSum(values=_values_of(group, categories), cells=group, people=int(people[group].sum()))
            for group in found.sums
        ),
    )
    return _published(table, found.stand_in, found.fewest, found.most), account


def _excluded_records(table: DecisionTable, excluded: tuple[int, int]) -> DecisionTable:
    """Of records that were left out no more is told than how many there may be."""
    most = 0 if table.estimation is None or table.estimation.population == "census" else excluded[1]
    left_out = (PeopleLeftOut(values={}, people=(most,)),) if most else ()
    if left_out == table.cells.left_out:
        return table
    return replace(table, cells=replace(table.cells, left_out=left_out))


def _guarded_estimation(
    found: EstimationAccount | None, account: SmallCellAccount
) -> EstimationAccount | None:
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
