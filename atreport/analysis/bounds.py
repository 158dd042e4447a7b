"""A-priori bounds: how far a measure can be from its true value at the published fidelity, whatever the figures are.

Each bound is rounded up to the printed decimals, so it never claims more precision than there is.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from typing import TypeGuard

from atreport.kit.rounding import rounded_up
from atreport.population.band import Closeness
from atreport.rule_table import RuleTable


def bound_of_groups(table: RuleTable, bound: Callable[[RuleTable], Decimal]) -> Decimal | None:
    """The bound of a measure of groups; None where counts are not published exactly.

    Then the population moves the measure too, and the interval says how far.
    """
    return bound(table) if table.small_cells.is_exact else None


def difference_bound(table: RuleTable) -> Decimal:
    """The most a difference of two rates can move: twice the most a single probability can, and never above 1."""
    if isinstance(table.fidelity, Closeness):
        move = table.fidelity.largest_move
    else:
        widest = int((table.fidelity.upper - table.fidelity.lower).max())
        move = Fraction(widest, 10**table.fidelity.decimals)
    return rounded_up(min(Fraction(1), 2 * move), table.decimals)


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
