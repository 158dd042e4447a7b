"""``transparency.rules``: the announced rule in other words."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from atreport.errors import Problem
from atreport.spec.models.naming import Record, check_record
from atreport.spec.models.process import Process
from atreport.spec.models.values import Flag, PositiveUnitNumber, Section, WholeLimits, read_whole_number
from atreport.spec.yaml import Document, KeyPath

_DEPTH, _REGIONS = WholeLimits(1, 8), WholeLimits(2, 20)


class Anchor(Section):
    """A record whose smallest sufficient condition is looked for."""

    record: Record = Field(description="The value of every attribute.")
    precision: PositiveUnitNumber = Field(
        Decimal("0.9"), description="How often the condition must lead to the record's announced outcome."
    )


class RuleSchemes(Section):
    """The announced rule in other words: as rules, as small models, as regions."""

    exact: Flag = Field(True, description="The announced rule as a list of if-then rules, nothing left out.")
    tree: Annotated[
        int | None,
        BeforeValidator(read_whole_number),
        AfterValidator(_DEPTH.check),
        WithJsonSchema(_DEPTH.schema),
    ] = Field(None, description="A decision tree of at most this depth.")
    linear: Flag = Field(False, description="A linear model: so many points for each value.")
    logistic: Flag = Field(False, description="A logistic model: the same on the scale of log odds.")
    regions: Annotated[
        int | None,
        BeforeValidator(read_whole_number),
        AfterValidator(_REGIONS.check),
        WithJsonSchema(_REGIONS.schema),
    ] = Field(None, description="At most so many regions, in each of which one attribute decides.")
    anchors: tuple[Anchor, ...] = ()

    def find_problems(self, document: Document, process: Process, path: KeyPath) -> Iterator[Problem]:
        """Every record is whole, and its values exist."""
        for index, anchor in enumerate(self.anchors):
            yield from check_record(document, process, anchor.record, (*path, "anchors", index, "record"))
