"""What a report says about how its rule was found in records: the public facts, and nothing else.

Every field is a deliberate disclosure (docs/guarantees.md says what each of them tells). They cross the wall inside the
:class:`~atreport.announcement.Announcement`.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal


@dataclass(frozen=True, kw_only=True)
class ValueRange:
    """The numbers that one value of an attribute stands for: from `low` to below `high`; None is no end."""

    attribute: str
    value: str
    low: Decimal | None
    high: Decimal | None


@dataclass(frozen=True, kw_only=True)
class OutcomeCut:
    """How a recorded number, such as a score, became the outcome."""

    ranges: tuple[
        ValueRange, ...
    ] = ()  # what each outcome stands for; none: cut at the median, which is not told


@dataclass(frozen=True, kw_only=True)
class Estimation:
    """How the rule was estimated."""

    method: Literal["frequency", "tree", "model"]
    population: Literal["records", "census"]  # whom the population counts
    # records left out because something was missing, the fewest and the most that it is published as; None: none could be
    excluded: tuple[int, int] | None = None
    faithfulness: Decimal | None = (
        None  # share of recorded decisions that the tree gives, rounded down to hundredths
    )
    ranges: tuple[ValueRange, ...] = ()  # what the values of binned numbers mean
    outcome_cut: OutcomeCut | None = None  # None: the outcome was recorded as it is
    edges_from_decisions: tuple[str, ...] = ()  # attributes whose edges a tree found by looking at decisions
