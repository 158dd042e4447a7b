"""``measure: p_percent_rule``."""

from __future__ import annotations

from decimal import Decimal
from typing import ClassVar, Literal

from pydantic import Field

from atreport.spec.models.measures.groups import GroupMeasure
from atreport.spec.models.values import Line, PositiveUnitNumber


class PPercentRule(GroupMeasure):
    """The lower favourable rate as a share of the higher; 0.8 is the four-fifths screening rule."""

    is_ratio: ClassVar[bool] = True
    screened_by_four_fifths: ClassVar[bool] = True

    measure: Literal["p_percent_rule"]
    p: PositiveUnitNumber = Decimal("0.8")
    outcomes: Literal["favourable", "all"] = Field(
        "favourable",
        description="favourable: compare favourable rates; all: the smallest ratio over all outcomes.",
    )
    title: Line | None = None

    @property
    def limit(self) -> Decimal:
        """What the figure should reach."""
        return self.p
