"""``measure: group_disparity``."""

from __future__ import annotations

from decimal import Decimal
from typing import ClassVar, Literal

from atreport.spec.models.measures.groups import GroupMeasure
from atreport.spec.models.values import Line, UnitNumber


class GroupDisparity(GroupMeasure):
    """The largest difference between the favourable rates of any two of the groups."""

    groups_asked: ClassVar[int] = 0  # one figure for all of them

    measure: Literal["group_disparity"]
    threshold: UnitNumber | None = None
    title: Line | None = None

    @property
    def limit(self) -> Decimal | None:
        """What the figure should not exceed."""
        return self.threshold
