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
class Estimation:
    """How the rule was estimated."""

    method: Literal["frequency", "tree", "model"]
    population: Literal["records", "census"]  # whom the population counts
    excluded: int | None = None  # records left out because something was missing; None: none could be
    faithfulness: Decimal | None = (
        None  # share of recorded decisions that the tree gives, rounded down to hundredths
    )
    ranges: tuple[ValueRange, ...] = ()  # what the values of binned numbers mean
    edges_from_decisions: tuple[str, ...] = ()  # attributes whose edges a tree found by looking at decisions
