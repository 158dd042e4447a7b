"""``measure: impact_ratio``."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, ClassVar, Literal

from pydantic import SerializerFunctionWrapHandler, model_serializer

from atreport.spec.models.measures.groups import GroupMeasure
from atreport.spec.models.values import Line, PositiveUnitNumber


class ImpactRatio(GroupMeasure):
    """Each group's favourable rate as a share of the most favoured group's; 0.8 is the four-fifths screening rule."""

    groups_asked: ClassVar[int] = 1  # the other one is the most favoured
    is_ratio: ClassVar[bool] = True
    screened_by_four_fifths: ClassVar[bool] = True

    measure: Literal["impact_ratio"]
    p: PositiveUnitNumber | None = Decimal("0.8")
    title: Line | None = None

    @model_serializer(mode="wrap")
    def _without_limit(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Written out where there is no limit: what is not stated is four fifths."""
        written: dict[str, Any] = write(self)
        return written if self.p is not None else {**written, "p": None}

    @property
    def limit(self) -> Decimal | None:
        """What the figure should reach."""
        return self.p
