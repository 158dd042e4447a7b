"""``measure: statistical_parity``."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from atreport.spec.models.measures.groups import GroupMeasure
from atreport.spec.models.values import Line, UnitNumber


class StatisticalParity(GroupMeasure):
    """Difference between the favourable rates of two groups."""

    measure: Literal["statistical_parity"]
    threshold: UnitNumber | None = None
    title: Line | None = None

    @property
    def limit(self) -> Decimal | None:
        """What the figure should not exceed."""
        return self.threshold
