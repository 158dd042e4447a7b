"""A-priori bounds: how far a measure can be from its true value at the published fidelity, whatever the figures are.

Each bound is rounded up to the printed decimals, so it never claims more precision than there is.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from functools import partial
from typing import TypeGuard

from atreport.kit.rounding import rounded_up
from atreport.population.band import Closeness
from atreport.rule_table import RuleTable
from atreport.spec.models.measures import GroupMeasure


def bound_of_groups(
    table: RuleTable, asked: GroupMeasure, bound: Callable[[RuleTable], Decimal]
) -> Decimal | None:
    """The bound of a measure of groups; None where not everybody is published, by their own value and exactly counted.

    Then who is in a group moves the measure too, and the interval says how far.
    """
    joined = table.cells.process.has_joined(asked.attributes_used)
    if not table.small_cells.is_exact or joined or table.cells.left_out:
        return None
    return bound(table)


def group_difference_bound(table: RuleTable, asked: GroupMeasure) -> Decimal | None:
    """The bound of a difference of two groups' rates.

    Where public attributes alone tell who is in a group, it consists of whole QID groups, so its rate moves by no more than
    the rates that are kept.
    """
    roles = {table.cells.process.attribute(name).role for name in asked.attributes_used}
    kept = table.rate_move if roles <= {"public"} else None
    return bound_of_groups(table, asked, partial(difference_bound, kept=kept))


def difference_bound(table: RuleTable, kept: Fraction | None = None) -> Decimal:
    """The most a difference of two rates can move: twice the most that one can, and never above 1.

    A rate moves by no more than a single probability can, nor than the rates that are `kept`.
    """
    move = largest_move(table)
    return rounded_up(min(Fraction(1), 2 * (move if kept is None else min(move, kept))), table.decimals)


def largest_move(table: RuleTable) -> Fraction:
    """The most by which any favourable probability can differ from the true one, whatever the figures are."""
    if isinstance(table.fidelity, Closeness):
        return table.fidelity.largest_move
    widest = int((table.fidelity.upper - table.fidelity.lower).max())
    return Fraction(widest, 10**table.fidelity.decimals)


def ratio_bound(table: RuleTable, *, factors: int = 2) -> Decimal:
    """The most a ratio between 0 and 1 of so many rates, multiplied and divided, can move.

    Under alpha each rate moves by a factor between α and 1/α, so a ratio of two by one between α² and 1/α², which is at
    most 1 - α² for a ratio between 0 and 1. Otherwise a small rate may vanish, and there is no bound but 1.
    """
    alpha = table.fidelity.ratio if _is_relative(table.fidelity) else Fraction(0)
    return rounded_up(1 - alpha**factors, table.decimals)


def log_bound(table: RuleTable) -> Decimal | None:
    """The most |log(rate / rate)| can move: -2 log α under alpha; None where nothing bounds it.

    It is not capped at 1: log ratios have no largest value.
    """
    if not _is_relative(table.fidelity) or table.fidelity.alpha is None:
        return None
    with localcontext() as context:
        context.prec = 40
        return (-2 * table.fidelity.alpha.ln()).quantize(Decimal(1).scaleb(-table.decimals), ROUND_CEILING)


def _is_relative(fidelity: object) -> TypeGuard[Closeness]:
    return isinstance(fidelity, Closeness) and fidelity.alpha is not None
