"""``measure: odds_ratio``."""

from __future__ import annotations

from decimal import Decimal
from typing import ClassVar, Literal

from pydantic import Field

from atreport.spec.models.measures.groups import GroupMeasure
from atreport.spec.models.values import Line, PositiveUnitNumber


class OddsRatio(GroupMeasure):
    """The lower odds of the favourable outcome as a share of the higher; no value of it is customary as a threshold."""

    is_ratio: ClassVar[bool] = True

    measure: Literal["odds_ratio"]
    p: PositiveUnitNumber | None = Field(None, description="What it should reach; without it, no verdict.")
    title: Line | None = None

    @property
    def limit(self) -> Decimal | None:
        """What the figure should reach."""
        return self.p
