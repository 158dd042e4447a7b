"""Refuse a draft above a ceiling, with advice: which ceiling, in which groups, and what would keep it.

The message depends on the true rule: which groups break a ceiling, and which fidelity would not. It goes to the terminal of
whoever holds the data and into no file. No true probability is in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from functools import partial

import numpy as np

from atreport.announcement import Announcement
from atreport.announcement.ceilings import Ceilings, ceilings_of, in_steps
from atreport.confidential.data.decision_table import DecisionTable
from atreport.confidential.mechanism import MECHANISMS
from atreport.confidential.mechanism.aims import aims_of
from atreport.confidential.mechanism.drafting.one_fidelity import draft_at
from atreport.confidential.mechanism.drafting.rates import rate_promise, rate_room
from atreport.confidential.mechanism.drafting.ways_out import (
    MOST_GROUPS,
    AimsOf,
    fidelity_that_keeps,
    is_too_large,
    keeps_at,
    partner_that_keeps,
)
from atreport.errors import PolicyCannotBeMet, Refused
from atreport.kit.numbers import counted
from atreport.population.band import Closeness
from atreport.population.cells import Cells
from atreport.spec.models.spec import Spec


def refuse_above_ceiling(
    spec: Spec, announcement: Announcement, table: DecisionTable, enough_decimals: int | None = None
) -> None:
    """Raise :class:`Refused` if the announcement exceeds one of the policy's ceilings.

    `enough_decimals` are those with which it would not, where only rounding is to blame.
    """
    asked = ceilings_of(spec.policy, announcement.cells.process)
    above = announcement.above(asked)
    if not above:
        return
    number = len(announcement.group_beta)
    broken = [
        f"({_in_words(spec, announcement, name)}) in {int(groups.sum())} of {counted(number, 'group')}: "
        f"{_named(announcement.cells, np.flatnonzero(groups).tolist())}"
        for name, groups in above.items()
    ]
    groups = np.flatnonzero(np.logical_or.reduce(list(above.values()))).tolist()
    lines = _advice(spec, announcement, table, asked, groups)
    if enough_decimals is not None:
        lines.insert(0, f"Only rounding exceeds it: write 'decimals: {enough_decimals}' under policy. Or:")
    advice = "\n  ".join(lines)
    raise Refused(
        f"{spec.document.title}: refused: the report would not keep the policy's ceiling\n  "
        + "\n  nor ".join(broken)
        + f".\n  {advice}\n"
        "  Which groups these are, and what would do, depends on the true rule: treat this message like the annex.\n"
        f"  Nothing was published.{spec.document.point_to_check('shows the groups')}"
    )


def _advice(
    spec: Spec, announcement: Announcement, table: DecisionTable, asked: Ceilings, groups: list[int]
) -> list[str]:
    """What would keep the ceilings, a sentence a line."""
    lines = []
    limit = None if asked.beta is None else in_steps(asked.beta, announcement.decimals)
    hopeless = 0 if limit is None else int((announcement.group_prior > limit).sum())
    if hopeless:
        lines.append(
            f"In {hopeless} of them the population alone gives more away than the ceiling allows, at any fidelity. "
            "Raise the ceiling, or make the public attributes coarser."
        )
    found = _found(spec, announcement, table, asked, groups)
    if found:
        lines.append(f"{'; or '.join(found)}.")
    elif not hopeless:
        lines.append(MECHANISMS[announcement.mechanism].advice)
    return lines


def _found(
    spec: Spec, announcement: Announcement, table: DecisionTable, asked: Ceilings, groups: list[int]
) -> list[str]:
    """Changes of the policy or of the values that would do, as far as they were found."""
    present, policy = announcement.fidelity, spec.policy
    if not isinstance(present, Closeness) or is_too_large(table):
        return []
    promise = rate_promise(policy, table)
    room = None if promise is None else rate_room(spec, table, promise)
    aims = partial(aims_of, ceilings=asked, minimise=(), decimals=policy.decimals, rate_move=room)
    found = []
    if announcement.mechanism != "optimal":
        return (
            ["'mechanism: optimal' would keep it at this fidelity"] if keeps_at(table, present, aims) else []
        )
    other = fidelity_that_keeps(table, present, aims, partial(_is_kept, spec, table, asked))
    if other is not None:
        number = f"delta: {other.delta}" if other.delta is not None else f"alpha: {other.alpha}"
        found.append(f"'{number}' would keep it")
    free = partial(aims_of, ceilings=asked, minimise=(), decimals=policy.decimals)
    if promise is not None and keeps_at(table, present, free):
        found.append("'rates: best', or no rates, would keep it")
    return found + list(_partners(table, present, aims, groups))


def _is_kept(spec: Spec, table: DecisionTable, asked: Ceilings, closeness: Closeness) -> bool:
    """Whether the draft at a fidelity keeps the ceilings as printed."""
    try:
        return not draft_at(spec, table, closeness).announcement.above(asked)
    except PolicyCannotBeMet:
        return False


def _partners(table: DecisionTable, present: Closeness, aims: AimsOf, groups: list[int]) -> Iterable[str]:
    """Which of the first few groups could keep the ceilings together with another, if need be at a lower fidelity."""
    lowest = Closeness(delta=Decimal(0)) if present.delta is not None else Closeness(alpha=Decimal("0.001"))
    for group in groups[:MOST_GROUPS]:
        for fidelity, besides in ((present, ""), (lowest, ", with more distortion")):
            partner = partner_that_keeps(table, group, fidelity, aims)
            if partner is not None:
                other, attribute = partner
                label = table.cells.process.attribute(attribute).label or attribute
                names = f"{_name(table.cells, group)} with {_name(table.cells, other)}"
                yield f"join {names} under one value of {label}{besides}"
                break


def _in_words(spec: Spec, announcement: Announcement, name: str) -> str:
    """A ceiling as the spec has it."""
    written = spec.policy.privacy.model_dump(exclude_none=True) if spec.policy.privacy else {}
    asked = "gamma" if name == "beta" and "gamma" in written else name
    if asked in written:
        return f"{asked}: {written[asked]}"
    for attribute in announcement.cells.process.attributes:
        for value, ceiling in attribute.ceilings.items():
            if name == f"{attribute.name}: {value}":
                return f"{attribute.name}, ceilings: {{{value}: {ceiling}}}"
    return name


def _named(cells: Cells, groups: list[int]) -> str:
    """The first few groups by their public attributes, and how many more."""
    names = "; ".join(_name(cells, group) for group in groups[:MOST_GROUPS])
    return names + (f"; and {len(groups) - MOST_GROUPS} more" if len(groups) > MOST_GROUPS else "")


def _name(cells: Cells, group: int) -> str:
    labels = cells.labels(int(cells.group_starts[group]), cells.process.of_role("public"))
    return " · ".join(labels.values()) or "everybody"
