"""What analysis gives: exact values, each with the exact interval that it can move in."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Range:
    """The exact value of a figure on a rule table, and the exact interval it lies in under every rule in the band.

    Where several populations must hold (exact counts, and shares as printed), a figure has one range for each.
    """

    value: Fraction
    low: Fraction
    high: Fraction
