"""How an exact number becomes a printed one: to the nearest step, or to the safe side."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction


def nearest(number: Fraction, decimals: int) -> Decimal:
    """Rounded to the nearest printed step, halves to even."""
    whole, rest = divmod(number.numerator * 10**decimals, number.denominator)
    up = 2 * rest > number.denominator or (2 * rest == number.denominator and whole % 2)
    return Decimal(whole + bool(up)).scaleb(-decimals)


def rounded_down(number: Fraction, decimals: int) -> Decimal:
    """Rounded to the printed step at or below."""
    return Decimal(number.numerator * 10**decimals // number.denominator).scaleb(-decimals)


def rounded_up(number: Fraction, decimals: int) -> Decimal:
    """Rounded to the printed step at or above."""
    return Decimal(-(-number.numerator * 10**decimals // number.denominator)).scaleb(-decimals)


def shortest_decimal(number: float) -> Fraction:
    """The fraction that the shortest decimal naming this double stands for."""
    return Fraction(Decimal(repr(float(number))))
